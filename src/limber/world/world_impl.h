// SPDX-License-Identifier: Apache-2.0
// What a world is made of. For world.cpp, which keeps and steps the bodies, world_make.cpp, which makes them,
// and world_inputs.cpp, which changes them.
#pragma once
#include "limber/reduced/stvk_batch.h"
#include "limber/world/contact_stage.h"
#include "limber/world/world.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace limber {

// What is derived from a model, once for all its bodies in this world.
struct SharedParts {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const SharedStvk> stvk;
    std::shared_ptr<const SharedWarp> warp;
    std::shared_ptr<const SharedRigid> rigid;
    std::shared_ptr<const SharedDomains> domains;
    std::shared_ptr<const SharedFree> free;
    // What contact needs of bodies that move in each way; null: nobody asked yet.
    std::shared_ptr<const TouchSurface> touch_stvk, touch_warp, touch_rigid, touch_domains;
    // And where they are asked for contact with themselves; of trees by part, null of those that are rigid.
    std::shared_ptr<const SelfBound> self_stvk, self_warp;
    std::vector<std::shared_ptr<const SelfBound>> self_domains;

    std::shared_ptr<const TouchSurface>& touch_part(Method method) {
        return method == Method::Rigid     ? touch_rigid
               : method == Method::Stvk    ? touch_stvk
               : method == Method::Domains ? touch_domains
                                           : touch_warp;
    }
};

// Bodies whose coefficients are read together.
struct Batch {
    StvkBatch batch;
    std::vector<std::size_t> members;  // places in the list of bodies
    std::vector<StvkBody*> bodies;     // the same
};

// "body NAME: …"
InputError named(InputError error, const std::string& name);

// The settings of the method, whatever the caller left out.
template <class Settings>
Result<Settings> settings_of(const BodySettings& given, const Eigen::Vector3d& gravity) {
    Settings out;
    if (const auto* set = std::get_if<Settings>(&given))
        out = *set;
    else if (!std::holds_alternative<std::monostate>(given))
        return InputError{"settings", "they are those of another method", ""};
    out.gravity = gravity;
    return out;
}

struct World::Impl {
    std::uint32_t world_number = 0;  // tells its ids from those of other worlds
    std::uint32_t last_body = 0;
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
    ParallelFor parallel_for;
    WorldReport report;
    std::vector<WorldBody> bodies;  // by id
    std::vector<SharedParts> parts;
    std::vector<Batch> batches;       // made when bodies or settings changed
    std::vector<int> batch_of;        // per body; -1: stepped by itself
    std::vector<int> place_in_batch;  // per body
    bool regroup = true;
    ContactStage contact;
    std::shared_ptr<const Wind> wind;  // null: none
    double wind_elapsed = 0;           // s, of its gusts

    WorldBody* find(BodyId id);
    bool is_taken(std::string_view name) const;  // by a body, an obstacle or a device
    Status known(BodyId id);
    SharedParts& shared_parts_of(const std::shared_ptr<const Model>& model);
    void drop_unused_parts();
    // Scratch memory, with one of the first bodies like it; with threads coefficients only.
    void share_memory(StvkBody& body, std::size_t first_bodies);
    void group();

    Result<AnyBody> make(const BodyDef& def);
    Result<std::shared_ptr<const SharedStvk>> shared_stvk(const std::shared_ptr<const Model>& model);
    Result<AnyBody> make_stvk(const BodyDef& def);
    Result<AnyBody> make_free(const BodyDef& def);
    Result<AnyBody> make_warp(const BodyDef& def);
    Result<AnyBody> make_rigid(const BodyDef& def);
    Result<AnyBody> make_domains(const BodyDef& def);

    Status apply(const SetGravity& input);
    Status apply(const SetWind& input);
    Status apply(const SetSettings& input);
    Status apply(const SetState& input);
    Status apply(const RestoreState& input);
    Status apply(const PlaceBody& input);
    Status apply(const SetForces& input);
    Status apply(const SetSprings& input);
    Status apply(const SetConstraints& input);
    Status apply(const SetSupport& input);
    Status apply(const FollowPath& input);
    Status apply(const SetTouch& input);
    Status apply(const SetContact& input);
    Status apply(const RemoveObstacle& input);
    Status apply(const MoveObstacle& input);
    Status apply(const FollowObstacle& input);

    Status apply(const RemoveDevice& input);
    Status apply(const SetDevice& input);
    Status apply(const MoveDevice& input);
    Status apply(const PlaceDevice& input);

    // world_detach.cpp. May add bodies, so the body's address changes.
    Status set_tree(WorldBody& body, const DomainsSettings& settings);
    static void move_loads(WorldBody& from, WorldBody& to, int domain);

    // world_devices.cpp
    WorldDevice* find(DeviceId id);
    Status known(DeviceId id);

    // world_contact.cpp
    WorldObstacle* find(ObstacleId id);
    Status known(ObstacleId id);
    // Why the body cannot touch anything, if contact is on and it should.
    std::optional<InputError> touch_problem(const AnyBody& body, const Touch& touch) const;
    std::optional<InputError> coupling_problem(const DomainsSettings& settings, const Touch& touch) const;
    std::optional<InputError> closed_form_problem(const WarpSettings& settings, const Touch& touch) const;
    // What takes a second for a large model: made by the inputs that ask for it, not by a step.
    void make_touch_parts(const WorldBody& body);
    void prepare_touching();
    void wake(BodyId id);  // and all that fell asleep with it
    void wake_all();
};

struct WorldState::Impl {
    std::uint32_t world_number;
    Eigen::Vector3d gravity;
    WorldReport report;
    std::vector<WorldBody> bodies;
    std::vector<SharedParts> parts;
    ContactState contact;
    std::shared_ptr<const Wind> wind;
    double wind_elapsed;
};

}  // namespace limber
