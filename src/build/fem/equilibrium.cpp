// SPDX-License-Identifier: Apache-2.0
#include "build/fem/equilibrium.h"

#include "build/fem/line_energy.h"
#include "build/fem/shifted_cholesky.h"
#include "build/mesh/element_shape.h"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

namespace limber::build {

// A body collapses if its tangent was shifted so often and the residual did not halve in so many iterations.
static constexpr int kCollapseShifts = 4, kCollapseIterations = 12;

static SparseMatrix stiffness_at_rest(const FemModel& model) {
    SparseMatrix K;
    Eigen::VectorXd force;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), force, K);
    return K;
}

EquilibriumSearch::EquilibriumSearch(const FemModel& model)
    : model_(model), K_(stiffness_at_rest(model)), rest_diagonal_(diagonal_of(K_)), factor_(K_) {}

void EquilibriumSearch::linearize(const Eigen::VectorXd& u) {
    force_and_stiffness(model_, model_.expand_from_free(u), full_force_, K_);
    R_ = model_.restrict_to_free(full_force_);
}

Eigen::VectorXd EquilibriumSearch::force(const Eigen::VectorXd& u) {
    internal_force(model_, model_.expand_from_free(u), full_force_);
    return model_.restrict_to_free(full_force_);
}

bool EquilibriumSearch::is_stable(const Eigen::VectorXd& u) {
    linearize(u);
    return factor_.factorize(K_);
}

Equilibrium EquilibriumSearch::find(Eigen::VectorXd u, const Eigen::VectorXd& f, double goal,
                                    int max_iterations, const std::function<void(double)>& each) {
    Equilibrium result;
    double energy = 0;                 // Pi(u), J, above that of the start
    std::array<double, 8> energies{};  // of the last steps
    int shifted = 0;                   // iterations here whose tangent was not positive definite
    double least = std::numeric_limits<double>::infinity();  // residual that halved the one before it, N
    int least_at = 0;
    for (int iteration = 0;; ++iteration) {
        linearize(u);
        const Eigen::VectorXd r = f - R_;
        result.residual = r.norm();
        result.u = u;
        if (!std::isfinite(result.residual)) {
            result.problem = "the forces became infinite";
            return result;
        }
        each(result.residual);
        result.converged = result.residual <= goal;
        if (result.converged) return result;
        const double rounding =
            std::numeric_limits<double>::epsilon() * rest_diagonal_.cwiseProduct(u).norm();
        if (result.residual <= rounding) {
            result.problem = fmt::format("rounding keeps the residual at {:.1e} N", result.residual);
            return result;
        }
        if (iteration == max_iterations) {
            result.problem = fmt::format("{} Newton iterations did not suffice", max_iterations);
            return result;
        }

        if (result.residual < 0.5 * least) {
            least = result.residual;
            least_at = iteration;
        } else if (shifted >= kCollapseShifts && iteration - least_at >= kCollapseIterations) {
            result.problem = fmt::format("the body collapses: {} iterations did not approach an equilibrium",
                                         iteration - least_at);
            return result;
        }

        const std::optional<double> shift = factorize_shifted(factor_, K_, rest_diagonal_, shift_);
        if (!shift) {
            result.problem =
                "the stiffness is singular: some part hangs by an edge or a corner, or collapsed";
            return result;
        }
        ++iterations_;
        Eigen::VectorXd d = r;
        factor_.solve_in_place(d);

        // (3): the energy on the line u + s d. The full step is taken even if it climbs, up to the highest of
        // the last energies (at first: without limit): a long linear step stretches the body, the stretch
        // stiffens it, and Newton's method comes back fast from there, far along a curved valley that small
        // steps would follow slowly. Else, and where the tangent was shifted, the first minimum on the line.
        const double at_half = (force(u + 0.5 * d) - f).dot(d), at_1 = (force(u + d) - f).dot(d);
        const LineEnergy line(-r.dot(d), d.dot(stiffness_times(d)), at_half, at_1);
        const double highest = *std::max_element(energies.begin(), energies.end());
        double s = 1;
        if (*shift > 0) {
            s = line.first_minimum(/*limit=*/10);
            ++indefinite_;
            ++shifted;
            shift_ = std::max(1e-6, *shift / 4);
        } else if (iteration > 0 && energy + line.change(1) > highest) {
            s = line.first_minimum(/*limit=*/1);
        }
        energy += line.change(s);
        energies[static_cast<std::size_t>(iteration) % energies.size()] = energy;
        u += s * d;
    }
}

Eigen::VectorXd EquilibriumSearch::leave_saddle(const Eigen::VectorXd& u, double displacement) {
    linearize(u);
    const std::optional<double> shift = factorize_shifted(factor_, K_, rest_diagonal_, shift_);
    if (!shift || *shift == 0) return u;
    // Inverse iteration on (K + shift D) x = theta D x: theta is least where K is most negative.
    std::mt19937 random(1);
    Eigen::VectorXd x(u.size());
    for (double& entry : x)
        entry = 2.0 * random() / std::mt19937::max() - 1.0;
    for (int i = 0; i < 30; ++i) {
        x = rest_diagonal_.cwiseProduct(x / x.norm()).eval();
        factor_.solve_in_place(x);
    }
    // Far enough that the stretch makes the tangent definite: Newton's method comes back into the valley.
    return u + x * (displacement / x.lpNorm<Eigen::Infinity>());
}

std::size_t turned_inside_out(const VolumeMesh& mesh, const Eigen::VectorXd& u) {
    const auto place = [&](int v) -> Eigen::Vector3d {
        return mesh.vertices[static_cast<std::size_t>(v)] + u.segment<3>(3 * v);
    };
    std::size_t turned = 0;
    for (const Tet& tet : mesh.tets) {
        Eigen::Matrix3d J;
        for (int c = 0; c < 3; ++c)
            J.col(c) = place(tet[static_cast<std::size_t>(c) + 1]) - place(tet[0]);
        if (!(J.determinant() > 0)) ++turned;
    }
    for (const Brick& brick : mesh.bricks) {
        BrickPoints x;
        for (int c = 0; c < 8; ++c)
            x.col(c) = place(brick[static_cast<std::size_t>(c)]);
        bool good = true;
        for (int q = 0; q < 8 && good; ++q) {
            const Eigen::Vector3d xi(q & 1 ? 0.7887 : 0.2113, q & 2 ? 0.7887 : 0.2113,
                                     q & 4 ? 0.7887 : 0.2113);
            good = (x * brick_gradients(xi)).determinant() > 0;
        }
        if (!good) ++turned;
    }
    return turned;
}

}  // namespace limber::build
