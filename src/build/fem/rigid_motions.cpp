// SPDX-License-Identifier: Apache-2.0
#include "build/fem/rigid_motions.h"

#include "build/fem/modes.h"
#include "build/mesh/disjoint_sets.h"

#include <Eigen/Dense>

namespace limber::build {

// Vertices that elements connect, part by part.
static std::vector<std::vector<int>> parts_of(const VolumeMesh& mesh) {
    DisjointSets sets(mesh.vertices.size());
    for (const Tet& tet : mesh.tets)
        for (const int v : tet)
            sets.join(tet[0], v);
    for (const Brick& brick : mesh.bricks)
        for (const int v : brick)
            sets.join(brick[0], v);
    std::vector<std::vector<int>> members(mesh.vertices.size());
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v)
        members[static_cast<std::size_t>(sets.find(v))].push_back(v);
    std::erase_if(members, [](const std::vector<int>& part) { return part.empty(); });
    return members;
}

static Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& x) {
    Eigen::Matrix3d m;
    m << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
    return m;
}

std::vector<LoosePart> loose_parts(const FemModel& model) {
    const std::vector<Vertex>& positions = model.mesh().vertices;
    std::vector<LoosePart> loose;
    for (const std::vector<int>& part : parts_of(model.mesh())) {
        Eigen::Vector3d centre = Eigen::Vector3d::Zero();
        std::vector<int> fixed;
        for (const int v : part) {
            centre += positions[static_cast<std::size_t>(v)] / static_cast<double>(part.size());
            if (model.free_index(v) < 0) fixed.push_back(v);
        }
        if (fixed.size() == part.size()) continue;
        double radius = 0;
        for (const int v : part)
            radius = std::max(radius, (positions[static_cast<std::size_t>(v)] - centre).norm());

        // (t, radius w) moves x by [1, -[x - c]x / radius] (t, radius w).
        using Row = Eigen::Matrix<double, 3, 6>;
        const auto motion_at = [&](int v) {
            Row row;
            row << Eigen::Matrix3d::Identity(),
                -cross_matrix((positions[static_cast<std::size_t>(v)] - centre) / radius);
            return row;
        };
        // What the fixed vertices leave: the null space of their rows.
        Eigen::MatrixXd allowed = Eigen::MatrixXd::Identity(6, 6);
        if (!fixed.empty()) {
            Eigen::MatrixXd conditions(3 * static_cast<Eigen::Index>(fixed.size()), 6);
            for (std::size_t i = 0; i < fixed.size(); ++i)
                conditions.middleRows<3>(3 * static_cast<Eigen::Index>(i)) = motion_at(fixed[i]);
            Eigen::JacobiSVD<Eigen::MatrixXd> svd(conditions, Eigen::ComputeFullV);
            svd.setThreshold(1e-6);
            allowed = svd.matrixV().rightCols(6 - svd.rank()).eval();
        }
        if (allowed.cols() == 0) continue;
        LoosePart found{part, static_cast<int>(fixed.size()), {}};
        found.motions.setZero(3 * static_cast<Eigen::Index>(part.size()), allowed.cols());
        for (std::size_t i = 0; i < part.size(); ++i)
            if (model.free_index(part[i]) >= 0)
                found.motions.middleRows<3>(3 * static_cast<Eigen::Index>(i)) = motion_at(part[i]) * allowed;
        loose.push_back(std::move(found));
    }
    return loose;
}

Eigen::MatrixXd rigid_motions(const FemModel& model) {
    const std::vector<LoosePart> parts = loose_parts(model);
    Eigen::Index count = 0;
    for (const LoosePart& part : parts)
        count += part.motions.cols();
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * model.vertex_count(), count);
    Eigen::Index column = 0;
    for (const LoosePart& part : parts) {
        for (std::size_t i = 0; i < part.vertices.size(); ++i)
            all.block(3 * part.vertices[i], column, 3, part.motions.cols()) =
                part.motions.middleRows<3>(3 * static_cast<Eigen::Index>(i));
        column += part.motions.cols();
    }
    return all;
}

}  // namespace limber::build
