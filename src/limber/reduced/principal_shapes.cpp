// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/principal_shapes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace limber {
namespace {

double largest_distance(const Eigen::VectorXd& field) {
    double most = 0;
    for (Eigen::Index i = 0; i + 2 < field.size(); i += 3)
        most = std::max(most, field.segment<3>(i).norm());
    return most;
}

// What of u the first k columns do not span; twice, against rounding.
Eigen::VectorXd outside(const Eigen::MatrixXd& basis, Eigen::Index k, Eigen::VectorXd u) {
    for (int pass = 0; pass < 2; ++pass)
        u -= basis.leftCols(k) * (basis.leftCols(k).transpose() * u);
    return u;
}

}  // namespace

// First an orthonormal basis that grows by what a frame has and it has not, to half of the tolerance; then
// the SVD of the frames' coordinates in it, of which the first shapes are kept.
PrincipalShapes principal_shapes(const std::function<Eigen::VectorXd(Eigen::Index frame)>& field,
                                 Eigen::Index frames, double tolerance, Eigen::Index most) {
    const Eigen::Index size = frames > 0 ? field(0).size() : 0;
    Eigen::MatrixXd basis(size, 0);
    Eigen::Index k = 0;
    for (Eigen::Index frame = 0; frame < frames && k < std::min(most, size); ++frame) {
        const Eigen::VectorXd residual = outside(basis, k, field(frame));
        if (largest_distance(residual) <= 0.5 * tolerance) continue;
        if (k == basis.cols()) basis.conservativeResize(size, std::min(std::min(most, size), 2 * k + 8));
        basis.col(k++) = residual.normalized();
    }
    basis.conservativeResize(size, k);
    Eigen::MatrixXd coordinates(k, frames);
    for (Eigen::Index frame = 0; frame < frames; ++frame)
        coordinates.col(frame) = basis.transpose() * field(frame);

    // The left singular vectors from k x k: of frames there may be many. Eigenvalues ascend, so the order is
    // reversed.
    Eigen::MatrixXd left(k, k);
    if (k > 0)
        left = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(coordinates * coordinates.transpose())
                   .eigenvectors()
                   .rowwise()
                   .reverse();
    const Eigen::MatrixXd turned = left.transpose() * coordinates;
    const Eigen::MatrixXd shapes = basis * left;
    const auto error_of = [&](Eigen::Index kept) {
        double most_wrong = 0;
        for (Eigen::Index frame = 0; frame < frames; ++frame)
            most_wrong = std::max(
                most_wrong,
                largest_distance(field(frame) - shapes.leftCols(kept) * turned.col(frame).head(kept)));
        return most_wrong;
    };
    // The fewest that suffice, by halving.
    Eigen::Index too_few = -1, enough = k;
    while (enough - too_few > 1) {
        const Eigen::Index middle = (enough + too_few) / 2;
        (error_of(middle) <= tolerance ? enough : too_few) = middle;
    }
    return {shapes.leftCols(enough), turned.topRows(enough), error_of(enough)};
}

}  // namespace limber
