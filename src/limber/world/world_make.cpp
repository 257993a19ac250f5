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

Result<Mount> mount_of(Method method, const Model& model, std::optional<Mount> wanted) {
    if (method == Method::Rigid) {
        if (wanted.value_or(Mount::Free) == Mount::Free) return Mount::Free;
        return InputError{"mount", "a rigid body flies freely: nothing carries it", "\"free\""};
    }
    if (method != Method::Stvk && method != Method::Domains) {
        if (wanted != Mount::Free) return wanted.value_or(Mount::Fixed);
        return InputError{"mount",
                          "a warped body cannot be free: the inertia of its modes is that of the linear "
                          "shape, not of the warped one, so momentum and energy would not hold",
                          "\"method\": \"stvk\", or \"mount\": \"fixed\""};
    }
    if (wanted == Mount::Moved && model.free_body)
        return InputError{"mount", "nothing of the model is fixed: no support could move it",
                          "\"free\", or build the model with --fix"};
    return wanted.value_or(model.free_body ? Mount::Free : Mount::Fixed);
}

Result<std::shared_ptr<const SharedStvk>> World::Impl::shared_stvk(
    const std::shared_ptr<const Model>& model) {
    SharedParts& shared = shared_parts_of(model);
    if (!shared.stvk) {
        auto made = share_stvk(model);
        if (!made.ok()) return made.error();
        shared.stvk = std::move(made).value();
    }
    return shared.stvk;
}

Result<AnyBody> World::Impl::make_stvk(const BodyDef& def) {
    auto settings = settings_of<StvkSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    auto shared = shared_stvk(def.model);
    if (!shared.ok()) return shared.error();
    auto made = make_stvk_body(std::move(shared).value(), std::move(settings).value());
    if (!made.ok()) return made.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make_free(const BodyDef& def) {
    auto settings = settings_of<StvkSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    auto stvk = shared_stvk(def.model);
    if (!stvk.ok()) return stvk.error();
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.free) {
        auto made = share_free(std::move(stvk).value());
        if (!made.ok()) return made.error();
        shared.free = std::move(made).value();
    }
    auto made = make_free_stvk_body(shared.free, std::move(settings).value());
    if (!made.ok()) return made.error();
    if (Status placed = made.value().place(def.pose, def.velocity, def.angular_velocity); !placed.ok())
        return placed.error();
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

Result<AnyBody> World::Impl::make_domains(const BodyDef& def) {
    auto settings = settings_of<DomainsSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    settings.value().mount = def.mount == Mount::Free ? RootMount::Free : RootMount::Carried;
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.domains) {
        auto made = share_domains(def.model);
        if (!made.ok()) return made.error();
        shared.domains = std::move(made).value();
    }
    auto made = make_domains_body(shared.domains, std::move(settings).value());
    if (!made.ok()) return made.error();
    if (made.value().flies())
        if (Status placed = made.value().place(def.pose, def.velocity, def.angular_velocity); !placed.ok())
            return placed.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make(const BodyDef& def) {
    switch (def.method) {
        case Method::Stvk:
            return def.mount == Mount::Free ? make_free(def) : make_stvk(def);
        case Method::Warp:
        case Method::Linear:
            return make_warp(def);
        case Method::Rigid:
            return make_rigid(def);
        case Method::Domains:
            return make_domains(def);
    }
    return InputError{"method", "it is none of stvk, warp, linear, rigid, domains", ""};
}

}  // namespace limber
