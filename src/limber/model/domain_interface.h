// SPDX-License-Identifier: Apache-2.0
// Where a child may be attached to a part: the frame that the points of the interface carry as the part
// deforms. docs/math/domains.md, section 1; equation numbers are that page's.
#pragma once
#include <limber/result.h>

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace limber {

// Linear in the part's coordinates q, of the part as it was built (scale 1).
struct DomainInterface {
    std::string name;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();      // x̂, weighted mean of the points, m
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  // C = Σ w (X − x̂)(X − x̂)ᵀ, Σ w = 1, m²
    Eigen::MatrixXd shift;  // â, 3 x r: the centre is at x̂ + âq         (1)
    // 9 x r, columns vec(Bˡ): B = C + Σ q_l Bˡ, deformed against rest points                          (2)
    Eigen::MatrixXd turn;
};

// Of points (rest positions, m) with positive weights and the rows of the basis there (3 per point, r
// columns). Refused: fewer than three points, points in one line (their frame could spin about it), weights
// that are not positive. `name` stands in messages.
Result<DomainInterface> interface_of(const std::string& name, const std::vector<Eigen::Vector3d>& points,
                                     const std::vector<double>& weights, const Eigen::MatrixXd& basis);

// Matrices that do not fit the rank, numbers that are not finite, a covariance that no points have.
std::optional<InputError> interface_problem(const DomainInterface& interface, int rank,
                                            const std::string& where);

// Second largest principal axis over the largest one below which points count as collinear.
inline constexpr double kCollinear = 1e-4;

}  // namespace limber
