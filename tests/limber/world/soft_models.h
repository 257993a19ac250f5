// SPDX-License-Identifier: Apache-2.0
// Small soft bodies of bricks, and how deep two surfaces lie in one another, for the tests of contact.
#pragma once
#include "build/recipe/recipe.h"
#include "tests/build/fem/bars.h"
#include "tests/limber/world/contact_scene.h"

#include <limber/contact/shape_gap.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace limber::test {

// `fix` holds vertices, none: it is free.
inline ModelPtr built(build::VolumeMesh mesh, const std::vector<std::string>& fix = {}, double young = 1e6) {
    build::Recipe recipe;
    recipe.fix = fix;
    recipe.materials.young = young;
    recipe.materials.poisson = 0.4;
    recipe.materials.density = 1000;
    recipe.modes = 8;
    recipe.rank = build::parse_rank("16");
    return build::build_model({std::move(mesh), "soft", {}}, recipe).model;
}
using Cells = std::array<int, 3>;
// About the origin.
inline ModelPtr soft_block(const Eigen::Vector3d& size, const std::vector<std::string>& fix = {},
                           const Cells& cells = {4, 4, 2}, double young = 1e6) {
    return built(
        build::testing::moved(build::testing::brick_bar(cells[0], cells[1], cells[2], size), -0.5 * size),
        fix, young);
}

inline ContactSettings soft_settings(double dissipation = 1, double friction = 0.5) {
    ContactSettings settings;
    settings.dissipation = dissipation;
    settings.friction = friction;
    settings.sleep = Sleeping::Off;
    return settings;
}

inline void converged_steps(World& world, int count) {
    for (int i = 0; i < count; ++i) {
        world.step(1e-3);
        ASSERT_EQ(world.report().not_converged, 0) << "step " << i;
        ASSERT_EQ(world.report().contact.not_converged, 0) << "step " << i;
    }
}

// The deepest vertex of one body in the other: distances to every triangle, inside by the winding number
// (Van Oosterom & Strackee 1983). Nothing of it is shared with detection but the nearest point of a triangle.
inline double depth_in(const WorldBody& one, const WorldBody& other, std::size_t every = 1) {
    const ModelSurface& surface = other.model()->surface;
    std::vector<Eigen::Vector3d> y;
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        y.push_back(other.position(static_cast<int>(v)));
    double deepest = 0;
    for (std::size_t v = 0; v < one.model()->surface.vertices.size(); v += every) {
        const Eigen::Vector3d x = one.position(static_cast<int>(v));
        double angle = 0, nearest = 1e300;
        for (const auto& t : surface.triangles) {
            const std::array<Eigen::Vector3d, 3> corners = {y[std::size_t(t[0])], y[std::size_t(t[1])],
                                                            y[std::size_t(t[2])]};
            const Eigen::Vector3d a = corners[0] - x, b = corners[1] - x, c = corners[2] - x;
            const double la = a.norm(), lb = b.norm(), lc = c.norm();
            angle += 2 * std::atan2(a.dot(b.cross(c)),
                                    la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
            const Eigen::Vector3d w = nearest_weights(corners, x);
            nearest = std::min(nearest, (w[0] * a + w[1] * b + w[2] * c).norm());
        }
        if (angle > 2 * std::numbers::pi) deepest = std::max(deepest, nearest);
    }
    return deepest;
}
// Of every so many vertices.
inline double overlap(const WorldBody& one, const WorldBody& two, std::size_t every = 1) {
    return std::max(depth_in(one, two, every), depth_in(two, one, every));
}

struct Momenta {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();  // about the origin
};
inline Momenta momenta_of(const World& world, const std::vector<BodyId>& bodies) {
    Momenta out;
    for (const BodyId id : bodies) {
        const RigidState s = *world.body(id)->rigid_state();
        out.linear += s.momentum;
        out.angular += s.position.cross(s.momentum) + s.angular_momentum;
    }
    return out;
}

}  // namespace limber::test
