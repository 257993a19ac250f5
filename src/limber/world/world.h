// SPDX-License-Identifier: Apache-2.0
// Everything that moves, and the one step that moves it. docs/world.md.
//
//     World world({.gravity = {0, 0, -9.81}});
//     const BodyId spoon = world.add({.name = "spoon", .model = model}).value();
//     Status pulled = world.apply(SetForces{spoon, {{tip, {0, 0, -0.1}}}});
//     world.step(0.001);
//     world.body(spoon)->q();
//
// A world starts no threads, but a step uses those that WorldDef::parallel_for brings; one thread calls it at
// a time. It prints nothing, and no step allocates memory once every body has made one, and there have been
// as many contacts before.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/result.h>
#include <limber/world/input.h>
#include <limber/world/parallel_for.h>
#include <limber/world/world_body.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace limber {

struct WorldDef {
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s²
    std::optional<ContactSettings> contact{};           // none: off, until there is an obstacle
    std::optional<WindSettings> wind{};                 // none: no air; nor where the settings have a problem
    ParallelFor parallel_for{};  // threads of a step; the bytes of a result do not depend on it
};

// Of the last step.
struct WorldReport {
    long long step = 0;     // steps made in all
    double time = 0;        // s
    int not_converged = 0;  // bodies whose step was refused; they stand where they were
    int iterations = 0;     // the most of any body
    ContactReport contact;
};

// All that the future of a world depends on, bit by bit; may be restored any number of times.
class WorldState {
 public:
    WorldState();
    ~WorldState();
    WorldState(const WorldState&);
    WorldState& operator=(const WorldState&);

 private:
    friend class World;
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

class World {
 public:
    explicit World(const WorldDef& def = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // On an error nothing changes: no model, a method that it was not built for, settings, a state or a pose
    // that no body can have, a name that another body has.
    Result<BodyId> add(BodyDef def);
    Status remove(BodyId body);
    // On an error nothing changes: a shape without a size, a name that is taken.
    Result<ObstacleId> add(ObstacleDef def);
    Status remove(ObstacleId obstacle);
    // On an error nothing changes: settings that no device can have, a name that is taken.
    Result<DeviceId> add(DeviceDef def);
    Status remove(DeviceId device);
    // Whatever can happen between two steps, add() and remove() too. On an error nothing changes.
    Status apply(const Input& input);

    // One step of dt seconds: devices are read; supports, obstacles and targets move to where they are at its
    // end, springs pull from where the bodies are at its start, every body steps, and where bodies touch they
    // step again under the impulses. The clock goes on also where a body's step was refused, but not where dt
    // is not a positive number.
    const WorldReport& step(double dt);
    const WorldReport& report() const;

    double time() const;                     // s
    long long steps() const;                 // made so far
    const Eigen::Vector3d& gravity() const;  // m/s²
    const WindSettings* wind() const;        // null: there is no air
    double wind_elapsed() const;             // s, since its gusts began

    // In the order of their ids; valid until a body is added or removed or the world is restored.
    const std::vector<WorldBody>& bodies() const;
    // Null where there is no such body: removed, or of another world.
    const WorldBody* body(BodyId id) const;
    std::optional<BodyId> find(std::string_view name) const;

    // None: contact is off.
    const std::optional<ContactSettings>& contact_settings() const;
    // Of the last step, by a, b, obstacle.
    const std::vector<WorldContact>& contacts() const;
    // In the order of their ids; valid until one is added or removed or the world is restored.
    const std::vector<WorldObstacle>& obstacles() const;
    const WorldObstacle* obstacle(ObstacleId id) const;
    std::optional<ObstacleId> find_obstacle(std::string_view name) const;
    const std::vector<WorldDevice>& devices() const;
    const WorldDevice* device(DeviceId id) const;
    std::optional<DeviceId> find_device(std::string_view name) const;

    WorldState save() const;
    // Bodies that were added since are gone, those that were removed are back under their old ids; no id is
    // given twice. Refused: a state of another world.
    Status restore(const WorldState& state);
    // A second world in the same state, which goes on bit by bit; another thread may use it. Its bodies have
    // ids of that world, with the same numbers.
    World clone() const;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber
