// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/linear_statics.h"

#include "limber/reduced/modes.h"

#include <Eigen/Cholesky>
#include <cassert>
#include <string>
#include <utility>

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Result<LinearStatics> make_linear_statics(std::shared_ptr<const Model> model) {
    if (!model) return InputError{"model", "there is none", ""};
    LinearStatics out;
    out.modal_ = model->warp != nullptr;
    if (out.modal_) {
        out.vertices_ = model->warp->vertices();
        out.compliance_ = model->warp->eigenvalues.cwiseInverse().asDiagonal();
    } else if (model->stvk) {
        out.vertices_ = model->surface.basis.rows() / 3;
        const MatrixXd inverse =
            reduced_stiffness(*model).ldlt().solve(MatrixXd::Identity(model->rank, model->rank));
        out.compliance_ = 0.5 * (inverse + inverse.transpose());
    } else {
        return InputError{"model", "it has neither modes nor a reduced energy", "build the model again"};
    }
    out.model_ = std::move(model);
    return out;
}

MatrixXd LinearStatics::rows(int vertex) const {
    assert(vertex >= 0 && vertex < vertices_);
    if (modal_) return model_->warp->surface_modes.middleRows<3>(3 * Index(vertex));
    return model_->surface.basis.middleRows<3>(3 * Index(vertex));
}

Result<VectorXd> LinearStatics::coordinates(const std::vector<VertexForce>& forces) const {
    VectorXd load = VectorXd::Zero(rank());
    for (const VertexForce& f : forces) {
        if (f.vertex < 0 || f.vertex >= vertices_)
            return InputError{"force",
                              "there is no surface vertex " + std::to_string(f.vertex) + "; the model has " +
                                  std::to_string(vertices_) + ", numbered from 0",
                              ""};
        if (!f.force.allFinite())
            return InputError{"force", "the force on vertex " + std::to_string(f.vertex) + " is not finite",
                              ""};
        load += rows(f.vertex).transpose() * f.force;
    }
    return VectorXd(compliance_ * load);
}

Eigen::Matrix3d LinearStatics::vertex_compliance(int vertex) const {
    const MatrixXd at = rows(vertex);
    return at * compliance_ * at.transpose();
}

int LinearStatics::softest_vertex() const {
    int best = 0;
    double farthest = -1;
    for (int v = 0; v < static_cast<int>(vertices_); ++v)
        if (const double moved = rows(v).col(0).norm(); moved > farthest) {
            best = v;
            farthest = moved;
        }
    return best;
}

std::optional<Eigen::Vector3d> LinearStatics::spring_force(int vertex,
                                                           const Eigen::Vector3d& distance) const {
    constexpr double kSpring =
        0.1;  // its compliance, of tr A: the vertex takes nine tenths where it is softest
    const Eigen::Matrix3d A = vertex_compliance(vertex);
    if (!(A.trace() > 0)) return std::nullopt;
    return Eigen::Vector3d((A + kSpring * A.trace() * Eigen::Matrix3d::Identity()).ldlt().solve(distance));
}

}  // namespace limber
