// SPDX-License-Identifier: Apache-2.0
// Bodies made of numbers alone, and bodies that must be made.
#pragma once
#include "tests/limber/not_a_number.h"

#include <limber/warp/warp_body.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

namespace limber::test {

inline constexpr double kFrame = 1.0 / 30;  // the paper's step, s

inline WarpRows random_rows(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    WarpRows out(rows, columns);
    for (double& x : out.reshaped())
        x = uniform(engine);
    return out;
}

// Frequencies of 1 to 10 rad/s; distances, rotations and forces are of order one.
inline WarpModel random_warp_model(int modes, int nodes, int vertices, int companions = 0) {
    WarpModel model;
    model.eigenvalues = Eigen::VectorXd::LinSpaced(modes, 1, 100);
    model.node_modes = random_rows(3 * nodes, modes, 1);
    model.node_rotations = random_rows(3 * nodes, modes, 2);
    model.node_mass = random_rows(nodes, 1, 3).cwiseAbs() + WarpRows::Constant(nodes, 1, 0.1);
    for (int i = 0; i < nodes; ++i)
        model.node_moment.push_back(random_rows(3, 1, 10 + unsigned(i)));
    model.surface_modes = random_rows(3 * vertices, modes, 4);
    model.surface_rotations = random_rows(3 * vertices, modes, 5);
    if (companions > 0) {
        model.surface_companions = random_rows(3 * vertices, companions, 6);
        model.companion_forms = random_rows(companions, modes * (modes + 1) / 2, 7);
    }
    for (int i = 0; i < vertices; ++i)
        model.normals.push_back(Eigen::Vector3d(random_rows(3, 1, 100 + unsigned(i))).normalized());
    return model;
}

inline WarpBody body_of(WarpModel model, const WarpSettings& settings = {}) {
    Result<WarpBody> made = make_warp_body(std::make_shared<const WarpModel>(std::move(model)), settings);
    if (!made.ok()) ADD_FAILURE() << made.error().where << ": " << made.error().problem;
    return std::move(made).value();
}

// Of all vertices, m.
inline Eigen::VectorXd displacement(const WarpBody& body) {
    Eigen::VectorXd u(3 * body.model().vertices());
    for (int v = 0; v < int(u.size() / 3); ++v)
        u.segment<3>(3 * v) = body.displacement(v);
    return u;
}

// How far the farthest vertex is from where it rests, m.
inline double farthest(const WarpBody& body) {
    double most = 0;
    for (int v = 0; v < int(body.model().vertices()); ++v)
        most = std::max(most, body.displacement(v).norm());
    return most;
}

}  // namespace limber::test
