// SPDX-License-Identifier: Apache-2.0
// The linear static model that a sketch is pulled on: u = Φq, q = C Φᵀf. With the body's vibration modes C is
// diag(1/λ_i) (docs/math/basis.md, section 6); a model without them lends its own basis at rest, C = K₁⁻¹.
#pragma once
#include <limber/model/model.h>
#include <limber/model/vertex_force.h>
#include <limber/result.h>

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace limber {

class LinearStatics {
 public:
    const Model& model() const { return *model_; }
    // Of the modes that the model was built with; else of its reduced basis.
    bool is_modal() const { return modal_; }
    Eigen::Index rank() const { return compliance_.rows(); }           // k, columns of Φ
    Eigen::Index vertices() const { return vertices_; }                // of the surface
    const Eigen::MatrixXd& compliance() const { return compliance_; }  // C, k x k, symmetric
    Eigen::MatrixXd rows(int vertex) const;                            // Φ_v, 3 x k

    // q under these forces, k entries; an error: no such vertex, a force that is not finite.
    Result<Eigen::VectorXd> coordinates(const std::vector<VertexForce>& forces) const;
    // How a vertex gives way to a force at itself, A = Φ_v C Φ_vᵀ, m/N.
    Eigen::Matrix3d vertex_compliance(int vertex) const;
    // The vertex that the first column moves farthest: far from where the body is fixed.
    int softest_vertex() const;
    // The force of a spring whose far end is `distance` (m) from the vertex at rest: (A + s I)⁻¹ distance.
    // The compliance s of the spring, a tenth of tr A, keeps it finite where the vertex hardly moves. None:
    // the vertex is fixed.
    std::optional<Eigen::Vector3d> spring_force(int vertex, const Eigen::Vector3d& distance) const;

 private:
    friend Result<LinearStatics> make_linear_statics(std::shared_ptr<const Model> model);
    std::shared_ptr<const Model> model_;
    bool modal_ = false;
    Eigen::Index vertices_ = 0;
    Eigen::MatrixXd compliance_;
};

// Of a model without a problem (model_problem).
Result<LinearStatics> make_linear_statics(std::shared_ptr<const Model> model);

}  // namespace limber
