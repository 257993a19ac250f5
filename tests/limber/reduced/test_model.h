// SPDX-License-Identifier: Apache-2.0
// Small models made of numbers alone: oscillators with known answers, and random bodies.
#pragma once
#include <limber/model/model.h>
#include <limber/reduced/strain_form.h>
#include <limber/reduced/stvk_body.h>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <memory>

#include "tests/limber/not_a_number.h"
#include "tests/limber/reduced/random_form.h"

namespace limber::test {

using ModelPtr = std::shared_ptr<const Model>;

inline Eigen::VectorXd packed(const Eigen::MatrixXd& W) {
    Eigen::VectorXd out(W.rows() * (W.rows() + 1) / 2);
    for (Eigen::Index b = 0; b < W.cols(); ++b)
        for (Eigen::Index a = 0; a <= b; ++a)
            out[packed_index(a, b)] = W(a, b);
    return out;
}

inline Eigen::MatrixXd random_matrix(int rows, int columns, unsigned seed) {
    return random_vector(rows * columns, seed).reshaped(rows, columns);
}

// One group of bulk modulus W, unit mass.
inline Model model_of(const Eigen::MatrixXd& W, int rank) {
    Model model;
    model.rank = rank;
    ModelGroup group;
    group.name = "all";
    group.bulk = packed(W) / group.material.bulk();
    group.shear = Eigen::VectorXd::Zero(group.bulk.size());
    group.mass = Eigen::MatrixXd::Identity(rank, rank) / group.material.density;
    group.weight = Eigen::MatrixXd::Zero(rank, 3);
    model.groups.push_back(group);
    model.surface.basis.resize(0, rank);
    return model;
}

// V = ½ (k q² + 2 b q³ + c q⁴), unit mass. b² <= k c, else V is no strain energy.
inline ModelPtr oscillator(double k, double b, double c) {
    Eigen::Matrix2d W;
    W << k, b, b, c;
    return std::make_shared<Model>(model_of(W, 1));
}

// Uncoupled, V = ½ Σ k_i q_i².
inline ModelPtr springs(const Eigen::VectorXd& k) {
    const int r = static_cast<int>(k.size());
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(strain_terms(r), strain_terms(r));
    W.diagonal().head(r) = k;
    return std::make_shared<Model>(model_of(W, r));
}

// Two groups of random positive semidefinite W, frequencies of 1 to 10 rad/s at rest, UᵀMU = I, a random
// surface of 30 vertices with random vectors. Distances and forces are of order one.
inline Model random_body(int r, unsigned seed) {
    Model model;
    model.rank = r;
    model.name = "random";
    model.basis_kind = "file";
    const int m = static_cast<int>(strain_terms(r));
    const Eigen::MatrixXd some = random_matrix(r, r, seed + 7);
    const Eigen::MatrixXd share = 0.5 * Eigen::MatrixXd::Identity(r, r) + 0.1 / r * (some + some.transpose());
    for (unsigned g = 0; g < 2; ++g) {
        ModelGroup group;
        group.name = g == 0 ? "soft" : "hard";
        group.material = g == 0 ? Material{1e3, 0.3, 900} : Material{3e3, 0.4, 1200};
        const auto part = [&](unsigned which) {
            Eigen::MatrixXd A = random_matrix(m, m, seed + 10 * g + which) / std::sqrt(m);
            Eigen::MatrixXd W = A.transpose() * A;
            for (int i = 0; i < r; ++i)
                W(i, i) += 1 + 24.0 * i / r;
            return packed(W);
        };
        group.bulk = part(1) / group.material.bulk() / 4;
        group.shear = part(2) / group.material.shear() / 4;
        group.mass = (g == 0 ? share : Eigen::MatrixXd::Identity(r, r) - share) / group.material.density;
        group.weight = random_matrix(r, 3, seed + 10 * g + 3) / group.material.density;
        group.volume = 1;
        model.groups.push_back(group);
    }
    const Eigen::MatrixXd at = random_matrix(3, 30, seed + 31);
    for (int i = 0; i < 30; ++i)
        model.surface.vertices.push_back(at.col(i));
    for (int i = 0; i + 2 < 30; ++i)
        model.surface.triangles.push_back({i, i + 1, i + 2});
    for (int i = 0; i < 30; ++i)
        model.surface.input_vertex.push_back(i);
    model.surface.basis = random_matrix(90, r, seed + 32);
    model.target_scale = Eigen::VectorXd::Ones(r);
    return model;
}
inline ModelPtr random_body_ptr(int r, unsigned seed) {
    return std::make_shared<Model>(random_body(r, seed));
}

// A body that must be made.
inline StvkBody body_of(ModelPtr model, StvkSettings settings = {}) {
    Result<StvkBody> made = make_stvk_body(std::move(model), std::move(settings));
    if (!made.ok()) ADD_FAILURE() << made.error().where << ": " << made.error().problem;
    return std::move(made).value();
}

inline void place(StvkBody& body, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    const Status status = body.set_state({0, q, v, Eigen::VectorXd::Zero(q.size())});
    ASSERT_TRUE(status.ok()) << status.error().where << ": " << status.error().problem;
    body.set_acceleration_from_forces();
}

inline Eigen::VectorXd one(double value) {
    return Eigen::VectorXd::Constant(1, value);
}

}  // namespace limber::test
