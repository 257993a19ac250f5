// SPDX-License-Identifier: Apache-2.0
#include "build/scene/scene_inputs.h"

#include "build/or_throw.h"
#include "build/scene/constraint_targets.h"

#include <fmt/format.h>

#include <utility>

namespace limber::build {

void add_forces(const VertexPull& pull, std::vector<VertexForce>& out) {
    for (const int v : pull.vertices)
        out.push_back({v, pull.force / static_cast<double>(pull.vertices.size())});
}

ModelLookup models_of(const Scene& scene) {
    return [&scene](const std::string& name) -> std::shared_ptr<const Model> {
        const auto found = scene.models.find(name);
        return found == scene.models.end() ? nullptr : found->second;
    };
}

SceneInputs::SceneInputs(const Scene& scene, World& world)
    : scene_(scene),
      world_(world),
      acting_(scene.forces.size(), false),
      constrained_(scene.bodies.size(), false) {
    apply(SetWind{scene.wind.settings, scene.wind.elapsed});
    apply(SetContact{scene.contact});
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        obstacle_ids_.push_back(or_throw(world_.add(ObstacleDef(scene.obstacles[i]))));
        if (scene.obstacles[i].motion) move_obstacle(i, 0, {});
    }
    for (const SceneDevice& device : scene.devices)
        device_ids_.push_back(or_throw(world_.add(DeviceDef(device))));
    for (const SceneBody& body : scene.bodies)
        add(body);
    apply_events(0);
}

void SceneInputs::apply(const Input& input) {
    or_throw(world_.apply(input));
}

void SceneInputs::add(const SceneBody& body) {
    BodyDef def = body;
    // The balance that it is released from is that of its orientation in the world.
    if (body.support) def.pose = body.pose_at(0);
    ids_.push_back(or_throw(world_.add(std::move(def))));
    const StepReport& start = world_.body(ids_.back())->report();
    if (!start.converged)
        start_problems_.push_back(
            fmt::format("body {}: no balance was found to release it from: {:.2e} is left after {} "
                        "iterations",
                        body.name, start.residual, start.iterations));
    if (!body.support) return;
    apply(PlaceBody{ids_.back(), body.pose});
    move_support(ids_.size() - 1, 0, {});
}

void SceneInputs::move_support(std::size_t body, double time, const FrameMotion& motion) {
    apply(SetSupport{ids_[body], scene_.bodies[body].support->at(time), motion});
}

void SceneInputs::move_obstacle(std::size_t obstacle, double time, const FrameMotion& motion) {
    const SceneObstacle& moved = scene_.obstacles[obstacle];
    const Pose guide = moved.motion->at(time);
    // Of the shape's origin, which stands at an arm from what moves.
    FrameMotion of_shape = motion;
    const Eigen::Vector3d arm = guide.orientation * moved.pose.position;
    of_shape.velocity += motion.angular_velocity.cross(arm);
    of_shape.orientation = (guide * moved.pose).orientation;
    apply(MoveObstacle{obstacle_ids_[obstacle], guide * moved.pose, of_shape});
}

void SceneInputs::apply_events(double time) {
    for (; next_event_ < scene_.events.size() && scene_.events[next_event_].time <= time + slack();
         ++next_event_) {
        const SceneEvent& event = scene_.events[next_event_];
        or_throw(
            apply_all(world_, or_throw(read_inputs(event.input, event.where, world_, models_of(scene_)))));
    }
}

void SceneInputs::change_forces(double end) {
    bool any = false;
    for (std::size_t i = 0; i < acting_.size(); ++i) {
        const SceneForce& force = scene_.forces[i];
        const bool now = end > force.from + slack() && end <= force.to + slack();
        any |= now != acting_[i];
        acting_[i] = now;
    }
    if (!any) return;
    std::vector<SetForces> inputs;
    for (const BodyId id : ids_)
        inputs.push_back({id, {}, {}});
    for (std::size_t i = 0; i < acting_.size(); ++i)
        if (acting_[i]) add_forces(scene_.forces[i].pull, inputs[scene_.forces[i].body].forces);
    for (std::size_t b = 0; b < inputs.size(); ++b)
        if (is_here(b)) apply(inputs[b]);
}

void SceneInputs::change_constraints(std::size_t body, double end) {
    Constraints now = constraints_at(scene_, body, end, slack());
    const bool any = !now.positions.empty() || !now.orientations.empty();
    if (any || constrained_[body]) apply(SetConstraints{ids_[body], std::move(now), 0});
    constrained_[body] = any;
}

// Supports and targets are where they are at the end of the step. No pose before t = 0 is asked for: a body
// begins at rest in its frame, however fast that moves.
void SceneInputs::before_step(double begin, double end) {
    const double dt = scene_.dt;
    apply_events(begin);
    change_forces(end);
    for (std::size_t i = 0; i < device_ids_.size(); ++i)
        if (const HandPath& path = scene_.devices[i].path; !path.empty() && world_.device(device_ids_[i]))
            apply(MoveDevice{device_ids_[i], position_at(path, end)});
    for (std::size_t i = 0; i < obstacle_ids_.size(); ++i)
        if (const auto& guide = scene_.obstacles[i].motion; guide && world_.obstacle(obstacle_ids_[i]))
            move_obstacle(i, end, motion_of({guide->at(end - dt), guide->at(end), guide->at(end + dt)}, dt));
    for (std::size_t b = 0; b < ids_.size(); ++b) {
        if (!is_here(b)) continue;
        if (const auto& support = scene_.bodies[b].support)
            move_support(b, end,
                         motion_of({support->at(end - dt), support->at(end), support->at(end + dt)}, dt));
        if (!scene_.constraints.empty()) change_constraints(b, end);
    }
}

}  // namespace limber::build
