// SPDX-License-Identifier: Apache-2.0
// What a world is made of. For world.cpp, which keeps and steps the bodies, world_make.cpp, which makes them,
// and world_inputs.cpp, which changes them.
#pragma once
#include "limber/reduced/stvk_batch.h"
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
    WorldReport report;
    std::vector<WorldBody> bodies;  // by id
    std::vector<SharedParts> parts;
    std::vector<Batch> batches;       // made when bodies or settings changed
    std::vector<int> batch_of;        // per body; -1: stepped by itself
    std::vector<int> place_in_batch;  // per body
    bool regroup = true;

    WorldBody* find(BodyId id);
    Status known(BodyId id);
    SharedParts& shared_parts_of(const std::shared_ptr<const Model>& model);
    void drop_unused_parts();
    void group();

    Result<AnyBody> make(const BodyDef& def);
    Result<AnyBody> make_stvk(const BodyDef& def);
    Result<AnyBody> make_warp(const BodyDef& def);
    Result<AnyBody> make_rigid(const BodyDef& def);

    Status apply(const SetGravity& input);
    Status apply(const SetSettings& input);
    Status apply(const SetState& input);
    Status apply(const RestoreState& input);
    Status apply(const PlaceBody& input);
    Status apply(const SetForces& input);
    Status apply(const SetSprings& input);
    Status apply(const SetConstraints& input);
    Status apply(const SetSupport& input);
    Status apply(const FollowPath& input);
};

struct WorldState::Impl {
    std::uint32_t world_number;
    Eigen::Vector3d gravity;
    WorldReport report;
    std::vector<WorldBody> bodies;
    std::vector<SharedParts> parts;
};

}  // namespace limber
