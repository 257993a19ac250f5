// SPDX-License-Identifier: Apache-2.0
// The solve of one island: impulses, the steps of its bodies under them, linearised anew where those differ.
// Equation numbers: docs/math/contact.md.
#include "limber/world/body_kind.h"
#include "limber/world/contact_stage.h"

#include <algorithm>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// A step is linearised anew where real and predicted contact speeds differ by more than this part of the
// margin in a step.
constexpr double kSpeedError = 1e-3;
constexpr int kMostLinearizations = 3;

}  // namespace

// The step of every body of the island under the impulses that were found. False: one was refused.
bool ContactStage::try_impulses(std::vector<WorldBody>& bodies, const Island& island, double dt) {
    for (const int b : island.bodies) {
        TouchingBody& t = touching[body_in_problem_[std::size_t(b)]];
        if (!t.tree) t.impulse.setZero(t.velocity.size());
    }
    const auto add_to = [&](const SolverContact& contact, int b) {
        TouchingBody& t = touching[body_in_problem_[std::size_t(b)]];
        if (!t.tree) add_impulse(problem_, contact, b, t.impulse);
    };
    for (const int c : island.contacts) {
        const SolverContact& contact = problem_.contacts[std::size_t(c)];
        add_to(contact, contact.a);
        if (contact.b >= 0 && contact.b != contact.a) add_to(contact, contact.b);
    }
    bool all = true;
    for (const int b : island.bodies) {
        const std::size_t i = body_in_problem_[std::size_t(b)];
        TouchingBody& t = touching[i];
        if (is_device(i)) {
            t.real_velocity = t.free_velocity + t.impulse / device_at(i).step_.A;
            continue;
        }
        if (t.tree) {
            all = try_tree(bodies[i], t, island, dt) && all;
            continue;
        }
        visit_touching(
            [&](auto& each) {
                const StepReport before = bodies[i].report_;
                bodies[i].report_ = each.trial_touching(dt, t.impulse);
                add_work(before, bodies[i].report_);
                if (bodies[i].report_.converged)
                    each.trial_velocity(t.real_velocity);
                else
                    all = false;
            },
            bodies[i].body_);
    }
    return all;
}

// Takes the real velocities of the contacts: anchors follow what the points do, or a prediction that is off
// by a little would let them creep. Returns how far off the predicted ones are, m/s.
double ContactStage::take_real_velocities(const Island& island) {
    double worst = 0;
    for (const int c : island.contacts) {
        SolverContact& contact = problem_.contacts[std::size_t(c)];
        const auto part = [&](int body, std::size_t first) -> Vector3d {
            const TouchingBody& t = touching[body_in_problem_[std::size_t(body)]];
            // Two products: a difference would be a vector of its own.
            const auto rows = problem_.rows_of(first, body);
            const double* real = t.tree ? t.tree->real_velocity.data() : t.real_velocity.data();
            return Vector3d(rows * Eigen::Map<const VectorXd>(real, rows.cols())) -
                   Vector3d(rows * problem_.bodies[std::size_t(body)].velocity);
        };
        Vector3d u = part(contact.a, contact.rows_a);
        if (contact.b >= 0) u -= part(contact.b, contact.rows_b);
        worst = std::max(worst, u.cwiseAbs().maxCoeff());
        contact.velocity += u;
    }
    return worst;
}

void ContactStage::keep_solution(const Island& island) {
    kept_.clear();
    for (const int c : island.contacts) {
        const SolverContact& contact = problem_.contacts[std::size_t(c)];
        kept_.push_back({contact.velocity, contact.impulse, contact.friction.radius});
    }
}

void ContactStage::go_back_to_kept(const Island& island) {
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        SolverContact& contact = problem_.contacts[std::size_t(island.contacts[i])];
        contact.velocity = kept_[i].velocity;
        contact.impulse = kept_[i].impulse;
        contact.friction.radius = kept_[i].radius;
    }
}

void ContactStage::solve_island_of(std::vector<WorldBody>& bodies, const Island& island, double dt) {
    ContactReport& report = state.report;
    const double enough = kSpeedError * report.margin / dt;
    double error = 0;
    bool converged = true, settled = true;
    for (int k = 1;; ++k) {
        const IslandReport solved = solve_island(problem_, island, island_work_);
        report.iterations = std::max(report.iterations, solved.iterations);
        report.residual = std::max(report.residual, solved.residual);
        report.linearizations = std::max(report.linearizations, k);
        const bool moved = try_impulses(bodies, island, dt);
        if (!moved && k > 1) {
            // Half of the island would take impulses that the other half refuses: the linearisation before
            // moved them all.
            ++report.reverted;
            go_back_to_kept(island);
            try_impulses(bodies, island, dt);
        } else {
            converged = solved.converged;
            settled = solved.radii_settled;
            error = moved ? take_real_velocities(island) : 0;
        }
        if (k == kMostLinearizations || !moved || error <= enough) {
            report.not_converged += converged ? 0 : 1;
            report.radii_unsettled += settled ? 0 : 1;
            report.speeds_off += error > enough ? 1 : 0;
            report.speed_error = std::max(report.speed_error, error);
            return;
        }
        keep_solution(island);
        // A there, and the v* from which the same impulses lead there.                                 (51)
        for (const int b : island.bodies) {
            const std::size_t i = body_in_problem_[std::size_t(b)];
            TouchingBody& t = touching[i];
            if (is_device(i)) continue;  // linear
            if (t.tree) {
                linearize_tree(bodies[i], t, island);
                continue;
            }
            visit_touching([&](auto& each) { each.trial_matrix(t.A); }, bodies[i].body_);
            t.cholesky.compute(t.A);
            t.free_velocity = t.impulse;
            t.cholesky.solveInPlace(t.free_velocity);
            t.free_velocity = t.real_velocity - t.free_velocity;
        }
    }
}

}  // namespace limber
