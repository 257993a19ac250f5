// SPDX-License-Identifier: Apache-2.0
// The surface of a model in floats, laid out for speed: u = Uq and the normals of the deformed surface.
// Frozen, shared by all bodies of a model.
#pragma once
#include <limber/model/model.h>

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

namespace limber {

class SurfaceShape {
 public:
    explicit SurfaceShape(const ModelSurface& surface);

    // out = Σ U_i q_i over the chosen basis vectors, 3s entries; q has one entry for each of them, in a float
    // buffer that is scratch. Allocates nothing once out has its size.
    void displacement(const std::vector<int>& chosen, const Eigen::VectorXf& q, Eigen::VectorXf& out) const;
    // The same over all of them.
    void displacement(const Eigen::Ref<const Eigen::VectorXf>& q, Eigen::Ref<Eigen::VectorXf> out) const;
    // Vertices at rest about a point in their middle, 3s.
    const Eigen::VectorXf& rest() const { return rest_; }
    const Eigen::Vector3d& middle() const { return middle_; }

    // Unit normals of the surface displaced by u: each triangle's normal weighted by its angle at the vertex.
    // Vertices that a seam split share theirs. A vertex without any triangle of positive area gets (0, 0, 1).
    // Allocates nothing once out has its size.
    void normals(const Eigen::VectorXf& u, Eigen::VectorXf& out) const;

 private:
    // column_of(i): the basis vector of q[i].
    template <class ColumnOf>
    void sum(const Eigen::Ref<const Eigen::VectorXf>& q, const ColumnOf& column_of, float* out) const;

    Eigen::Index rows_, rank_;  // 3s, r
    // Blocks of a few registers of rows; in a block, column by column: the sum of a block stays in registers
    // while U streams through once. Rows beyond 3s are zero. Eigen aligns them to registers.
    Eigen::VectorXf blocks_;
    Eigen::VectorXf rest_;
    Eigen::Vector3d middle_ = Eigen::Vector3d::Zero();
    std::vector<std::array<std::int32_t, 3>> triangles_;
    std::vector<std::pair<std::int32_t, std::int32_t>> seams_;  // a vertex, and the first of the same origin
};

}  // namespace limber
