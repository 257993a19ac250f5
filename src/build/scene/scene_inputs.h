// SPDX-License-Identifier: Apache-2.0
// A scene as inputs of a world: its bodies at the start, then events, forces, supports and constraints by
// time. What they do is the world's matter: docs/world.md.
#pragma once
#include "build/scene/scene.h"

#include <limber/world/input_json.h>
#include <limber/world/world.h>

#include <string>
#include <vector>

namespace limber::build {

// The models of a scene by the names that its inputs call them. The scene must outlive it.
ModelLookup models_of(const Scene& scene);

// All throw InputError for what the world refuses. Scene and world must outlive it.
class SceneInputs {
 public:
    // Adds the bodies, each with its support where that is at t = 0, and applies the events of t = 0.
    SceneInputs(const Scene& scene, World& world);

    // Bodies that found no balance to be released from: what went wrong.
    const std::vector<std::string>& start_problems() const { return start_problems_; }
    // Before a step of the scene's dt, from and to these times, s.
    void before_step(double begin, double end);

 private:
    // Times are compared with this slack, s: 3 · 0.1 s is 0.3 s.
    double slack() const { return 1e-6 * scene_.dt; }
    bool is_here(std::size_t body) const { return world_.body(ids_[body]) != nullptr; }
    void apply(const Input& input);
    void add(const SceneBody& body);
    void move_support(std::size_t body, double time, const FrameMotion& motion);
    void move_obstacle(std::size_t obstacle, double time, const FrameMotion& motion);
    void apply_events(double time);
    void change_forces(double end);
    void change_constraints(std::size_t body, double end);

    const Scene& scene_;
    World& world_;
    std::vector<BodyId> ids_;  // as the bodies of the scene
    std::vector<ObstacleId> obstacle_ids_;
    std::vector<DeviceId> device_ids_;
    std::vector<std::string> start_problems_;
    std::size_t next_event_ = 0;
    std::vector<bool> acting_;       // forces of the last step
    std::vector<bool> constrained_;  // bodies in the last step
};

}  // namespace limber::build
