// SPDX-License-Identifier: Apache-2.0
// A body of each method, from its definition.
#include "limber/world/world_impl.h"

#include <utility>

namespace limber {

using Eigen::Vector3d;

namespace {

Result<WarpSettings> warp_settings_of(const BodyDef& def, const Vector3d& gravity) {
    auto out = settings_of<WarpSettings>(def.settings, gravity);
    if (!out.ok()) return out;
    if (def.method == Method::Linear) out.value().warping = Warping::Linear;
    return out;
}

}  // namespace

Result<AnyBody> World::Impl::make_stvk(const BodyDef& def) {
    auto settings = settings_of<StvkSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.stvk) {
        auto made = share_stvk(def.model);
        if (!made.ok()) return made.error();
        shared.stvk = std::move(made).value();
    }
    auto made = make_stvk_body(shared.stvk, std::move(settings).value());
    if (!made.ok()) return made.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make_warp(const BodyDef& def) {
    auto settings = warp_settings_of(def, gravity);
    if (!settings.ok()) return settings.error();
    if (!def.model->warp)
        return InputError{"method", "the model was built without modal warping",
                          "build it with --method both"};
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.warp) {
        auto made = share_warp(def.model->warp);
        if (!made.ok()) return made.error();
        shared.warp = std::move(made).value();
    }
    auto made = make_warp_body(shared.warp, settings.value());
    if (!made.ok()) return made.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make_rigid(const BodyDef& def) {
    auto settings = settings_of<RigidSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.rigid) {
        auto made = share_rigid(def.model);
        if (!made.ok()) return made.error();
        shared.rigid = std::move(made).value();
    }
    auto made = make_rigid_body(shared.rigid, settings.value());
    if (!made.ok()) return made.error();
    if (Status placed = made.value().place(def.pose, def.velocity, def.angular_velocity); !placed.ok())
        return placed.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make(const BodyDef& def) {
    switch (def.method) {
        case Method::Stvk:
            return make_stvk(def);
        case Method::Warp:
        case Method::Linear:
            return make_warp(def);
        case Method::Rigid:
            return make_rigid(def);
    }
    return InputError{"method", "it is none of stvk, warp, linear, rigid", ""};
}

}  // namespace limber
