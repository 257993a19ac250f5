// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "build/basis/warp_companions.h"

#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"
#include "build/basis/mode_pairs.h"
#include "build/basis/rest_solver.h"
#include "build/fem/body_size.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::build {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Pairs = std::vector<std::pair<int, int>>;

// How much of the fields (root of the sum of squares) may be left out.
constexpr double kLeftOut = 0.02;
// Pairs grow with the square.
constexpr Eigen::Index kMostModes = 20;

// Second derivatives of what (7) moves beyond Φq: ½(ψ_a × φ_b + ψ_b × φ_a).
void subtract_turned(const MatrixXd& shapes, const MatrixXd& rotations, const Pairs& pairs,
                     MatrixXd& fields) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto [a, b] = pairs[p];
        for (Eigen::Index v = 0; v < fields.rows(); v += 3) {
            const Vector3d phi_a = shapes.block<3, 1>(v, a), phi_b = shapes.block<3, 1>(v, b);
            const Vector3d psi_a = rotations.block<3, 1>(v, a), psi_b = rotations.block<3, 1>(v, b);
            fields.block<3, 1>(v, Eigen::Index(p)) -= 0.5 * (psi_a.cross(phi_b) + psi_b.cross(phi_a));
        }
    }
}

// The amplitude of each mode at which it rotates the body by about 1 rad, or moves it by its size, in the
// mean by mass: two modes of one frequency have the same, however they are chosen.
VectorXd large_amplitudes(const FemModel& model, const MassMetric& metric, const MatrixXd& shapes,
                          const MatrixXd& rotations) {
    return (metric.norms(rotations) + metric.norms(shapes) / body_size(model)).cwiseInverse() *
           std::sqrt(total_mass(model));
}

}  // namespace

WarpCompanions warp_companions(const FemModel& model, const ModesResult& modes, const MatrixXd& all_rotations,
                               MassKind mass) {
    const Eigen::Index softest = std::min(modes.shapes.cols(), kMostModes);
    const Pairs pairs = mode_pairs(softest);
    // On the free vertices; the columns of all pairs take most of the memory.
    MatrixXd fields = turned_strain_loads(model, modes.shapes.leftCols(softest), pairs);
    fields = free_rows(model, fields);
    fields = RestSolver(model, mass).solve(fields);  // (26)
    const MatrixXd shapes = free_rows(model, modes.shapes.leftCols(softest));
    const MatrixXd rotations = free_rows(model, all_rotations.leftCols(softest));
    subtract_turned(shapes, rotations, pairs, fields);

    const MassMetric metric(model, mass);
    // The main directions, in the mass metric, of the fields of modes at large rotations; as few as say
    // almost all. A product of two modes stands twice in ½ΣΣ C_ab q_a q_b, so it counts for two.
    const VectorXd amplitude = large_amplitudes(model, metric, shapes, rotations);
    VectorXd per_product(fields.cols());  // from directions to coefficients of q_a q_b
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto [a, b] = pairs[p];
        const double twice = a == b ? 1 : std::numbers::sqrt2, product = amplitude[a] * amplitude[b];
        fields.col(Eigen::Index(p)) *= 0.5 * twice * product;
        per_product[Eigen::Index(p)] = twice / product;
    }
    const MatrixXd gram = fields.transpose() * metric.times(fields);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> main(gram);  // ascending
    const VectorXd squares = main.eigenvalues().reverse().cwiseMax(0);
    const double enough = (1 - kLeftOut * kLeftOut) * squares.sum();
    const Eigen::Index most = std::min(squares.size(), 2 * modes.shapes.cols());
    Eigen::Index count = 0;
    for (double kept = 0; kept < enough && count < most; ++count)
        kept += squares[count];
    // Equal ones stay together: of a symmetric body either is as good.
    while (count > 0 && count < squares.size() && squares[count] > (1 - 1e-6) * squares[count - 1])
        ++count;

    MatrixXd found(fields.rows(), count);
    WarpCompanions out{{}, MatrixXd(count, fields.cols())};
    for (Eigen::Index j = 0; j < count; ++j) {
        VectorXd direction = main.eigenvectors().col(squares.size() - 1 - j);
        Eigen::Index largest = 0;
        direction.cwiseAbs().maxCoeff(&largest);
        if (direction[largest] < 0) direction = -direction;
        const double length = std::sqrt(squares[j]);
        found.col(j) = fields * direction / length;
        out.forms.row(j) = length * direction.cwiseProduct(per_product);
    }
    out.shapes = all_rows(model, found);
    return out;
}

}  // namespace limber::build
