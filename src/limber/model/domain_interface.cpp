// SPDX-License-Identifier: Apache-2.0
#include "limber/model/domain_interface.h"

#include <Eigen/Eigenvalues>
#include <cassert>
#include <cmath>

namespace limber {

Result<DomainInterface> interface_of(const std::string& name, const std::vector<Eigen::Vector3d>& points,
                                     const std::vector<double>& weights, const Eigen::MatrixXd& basis) {
    assert(points.size() == weights.size() && basis.rows() == 3 * Eigen::Index(points.size()));
    const std::string where = "interface " + name;
    if (points.size() < 3)
        return InputError{where,
                          "it has " + std::to_string(points.size()) +
                              (points.size() == 1 ? " vertex" : " vertices") +
                              "; a frame needs three that are not in one line",
                          "join the two domains there, or cut where they share a face"};
    double total = 0;
    for (const double w : weights) {
        if (!(w > 0) || !std::isfinite(w))
            return InputError{where, "a weight is " + number(w) + "; it must be positive", ""};
        total += w;
    }
    DomainInterface out;
    out.name = name;
    const Eigen::Index r = basis.cols();
    out.shift.setZero(3, r);
    out.turn.setZero(9, r);
    for (std::size_t p = 0; p < points.size(); ++p)
        out.centre += weights[p] / total * points[p];
    for (std::size_t p = 0; p < points.size(); ++p) {
        const double w = weights[p] / total;
        const Eigen::Vector3d arm = points[p] - out.centre;
        const auto rows = basis.middleRows<3>(3 * Eigen::Index(p));
        out.covariance += w * arm * arm.transpose();
        out.shift += w * rows;
        // Σ w arm = 0, so the centre's displacement drops out of B.
        for (int k = 0; k < 3; ++k)
            out.turn.middleRows<3>(3 * k) += w * arm[k] * rows;
    }
    if (!out.covariance.allFinite() || !out.shift.allFinite() || !out.turn.allFinite())
        return InputError{where, "its points or its basis are not finite", ""};
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(out.covariance);
    const double largest = std::sqrt(std::max(axes.eigenvalues()[2], 0.0));
    const double second = std::sqrt(std::max(axes.eigenvalues()[1], 0.0));
    if (!(second > kCollinear * largest))
        return InputError{where,
                          "its " + std::to_string(points.size()) + " vertices lie in one line near (" +
                              number(out.centre.x(), 4) + ", " + number(out.centre.y(), 4) + ", " +
                              number(out.centre.z(), 4) + ") m: the child could spin about it",
                          "join the two domains there, or cut where they share a face"};
    return out;
}

std::optional<InputError> interface_problem(const DomainInterface& interface, int rank,
                                            const std::string& where) {
    const std::string place = where + ": interface " + interface.name;
    if (interface.shift.rows() != 3 || interface.turn.rows() != 9 || interface.shift.cols() != rank ||
        interface.turn.cols() != rank)
        return InputError{place, "its matrices do not fit the rank " + std::to_string(rank), ""};
    if (!interface.centre.allFinite() || !interface.covariance.allFinite() || !interface.shift.allFinite() ||
        !interface.turn.allFinite())
        return InputError{place, "some numbers are not finite", ""};
    if (!interface.covariance.isApprox(interface.covariance.transpose(), 1e-9) ||
        !(interface.covariance.diagonal().minCoeff() >= 0) || !(interface.covariance.trace() > 0))
        return InputError{place, "its covariance is not that of points", ""};
    return std::nullopt;
}

}  // namespace limber
