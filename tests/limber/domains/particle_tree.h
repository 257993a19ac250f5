// SPDX-License-Identifier: Apache-2.0
// Domains made of point masses with a random basis: every integral is a short sum, so that the tree can be
// checked against all its points written out.
#pragma once
#include <limber/domains/tree_dynamics.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <random>
#include <vector>

namespace limber::test {

struct ParticlePart {
    std::vector<double> mass;
    std::vector<Eigen::Vector3d> X;
    Eigen::MatrixXd U;  // 3p x r
    Eigen::MatrixXd K;  // of its energy, r x r
    std::vector<std::vector<int>> interfaces;
};

inline ParticlePart random_part(int particles, int rank, unsigned seed, int interfaces = 2) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    ParticlePart part;
    for (int p = 0; p < particles; ++p) {
        part.mass.push_back(1.5 + uniform(engine));
        part.X.emplace_back(uniform(engine), uniform(engine), uniform(engine));
    }
    part.U = Eigen::MatrixXd::NullaryExpr(3 * particles, rank, [&] { return 0.3 * uniform(engine); });
    const Eigen::MatrixXd L = Eigen::MatrixXd::NullaryExpr(rank, rank, [&] { return uniform(engine); });
    part.K = 5 * (L * L.transpose() + Eigen::MatrixXd::Identity(rank, rank));
    for (int k = 0; k < interfaces; ++k) {
        std::vector<int> list;
        for (int i = 0; i < 6; ++i)
            list.push_back((k * 6 + i) % particles);
        part.interfaces.push_back(list);
        // The second one is planar.
        if (k == 1)
            for (const int p : list)
                part.X[std::size_t(p)].z() = 0.4;
    }
    return part;
}

inline Eigen::MatrixXd rows_at(const ParticlePart& part, const std::vector<int>& points) {
    Eigen::MatrixXd out(3 * Eigen::Index(points.size()), part.U.cols());
    for (std::size_t i = 0; i < points.size(); ++i)
        out.middleRows<3>(3 * Eigen::Index(i)) = part.U.middleRows<3>(3 * points[i]);
    return out;
}

inline PartCoefficients coefficients_of(const ParticlePart& part, double cubic = 0.5) {
    const auto r = int(part.U.cols());
    PartCoefficients out;
    out.energy = QuarticForm<double>(r);
    out.energy.linear = part.K;
    for (int a = 0; a < r; ++a) {
        out.energy.cubic(a, a, a) = cubic;
        out.energy.quartic(a, a, a, a) = 2 * cubic;
        for (int b = a + 1; b < r; ++b)
            out.energy.quartic(a, a, b, b) = cubic;
    }
    out.mass.setZero(r, r);
    out.inertia.rank = r;
    out.inertia.c.setZero(3, r + 1);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(3 * (r + 1), 3 * (r + 1));
    for (std::size_t p = 0; p < part.X.size(); ++p) {
        const auto U = part.U.middleRows<3>(3 * Eigen::Index(p));
        Eigen::Matrix3Xd all(3, r + 1);
        all << part.X[p], U;
        out.inertia.mass += part.mass[p];
        out.inertia.c += part.mass[p] * all;
        const Eigen::VectorXd stacked = all.reshaped();
        G += part.mass[p] * stacked * stacked.transpose();
        out.mass += part.mass[p] * U.transpose() * U;
    }
    out.inertia.set_G(G);
    for (const std::vector<int>& points : part.interfaces) {
        std::vector<Eigen::Vector3d> X;
        std::vector<double> weights;
        for (const int p : points) {
            X.push_back(part.X[std::size_t(p)]);
            weights.push_back(1 + 0.3 * p);
        }
        auto made = interface_of("test", X, weights, rows_at(part, points));
        EXPECT_TRUE(made.ok());
        out.interfaces.push_back(std::move(made).value());
    }
    return out;
}

inline Eigen::Matrix3d random_rotation(unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Eigen::Vector3d axis =
        Eigen::Vector3d(uniform(engine), uniform(engine), uniform(engine)).normalized();
    return Eigen::AngleAxisd(2 * uniform(engine), axis).toRotationMatrix();
}

// Parents as given; every second domain is scaled, all are turned and some shifted.
inline DomainTree particle_tree(const std::vector<ParticlePart>& parts, const std::vector<int>& part_of,
                                const std::vector<int>& parent_of) {
    DomainTree tree;
    for (const ParticlePart& part : parts)
        tree.parts.push_back(coefficients_of(part));
    for (std::size_t i = 0; i < parent_of.size(); ++i) {
        TreeDomain d;
        d.part = part_of[i];
        d.parent = parent_of[i];
        d.scale = i % 2 ? 0.8 : 1.0;
        if (d.parent >= 0) {
            const auto& up = tree.domains[std::size_t(d.parent)];
            d.interface = int(i % tree.parts[std::size_t(up.part)].interfaces.size());
            d.attachment.rotation = random_rotation(unsigned(i));
            d.attachment.offset = i % 3 ? Eigen::Vector3d(0.2, -0.1, 0.3) : Eigen::Vector3d::Zero();
            d.attachment.scale = up.scale;
        }
        tree.domains.push_back(d);
    }
    index_domains(tree);
    return tree;
}

inline Eigen::VectorXd random_coordinates(Eigen::Index n, unsigned seed, double size) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-size, size);
    return Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(engine); });
}

}  // namespace limber::test
