// SPDX-License-Identifier: Apache-2.0
// The solve of the islands: impulses, the steps of their bodies under them, linearised anew where those
// differ. All islands go through it together, so that bodies of one large island also step at the same time.
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
// Islands are dealt out to as many scratch memories where there are threads: more than most machines have,
// and a few are little memory.
constexpr std::size_t kIslandLanes = 16;

}  // namespace

// Jᵀγ of every body of the island.
void ContactStage::collect_impulses(const Island& island) {
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
}

// The step of one body under the impulses that were found. False: refused.
bool ContactStage::try_impulses(std::vector<WorldBody>& bodies, int b, const Island& island, double dt) {
    const std::size_t i = body_in_problem_[std::size_t(b)];
    TouchingBody& t = touching[i];
    if (is_device(i)) {
        t.real_velocity = t.free_velocity + t.impulse / device_at(i).step_.A;
        return true;
    }
    WorldBody& body = bodies[i];
    if (t.tree) return try_tree(body, t, island, dt);
    visit_touching(
        [&](auto& each) {
            const StepReport before = body.report_;
            body.report_ = each.trial_touching(dt, t.impulse);
            add_work(before, body.report_);
            if (body.report_.converged) each.trial_velocity(t.real_velocity);
        },
        body.body_);
    return body.report_.converged;
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
    for (const int c : island.contacts) {
        const SolverContact& contact = problem_.contacts[std::size_t(c)];
        kept_[std::size_t(c)] = {contact.velocity, contact.impulse, contact.friction.radius};
    }
}

void ContactStage::go_back_to_kept(const Island& island) {
    for (const int c : island.contacts) {
        SolverContact& contact = problem_.contacts[std::size_t(c)];
        const KeptContact& kept = kept_[std::size_t(c)];
        contact.velocity = kept.velocity;
        contact.impulse = kept.impulse;
        contact.friction.radius = kept.radius;
    }
}

// A at the end of the last trial, and the v* from which the same impulses lead there.                  (51)
void ContactStage::linearize(std::vector<WorldBody>& bodies, int b, const Island& island) {
    const std::size_t i = body_in_problem_[std::size_t(b)];
    TouchingBody& t = touching[i];
    if (is_device(i)) return;  // linear
    if (t.tree) {
        linearize_tree(bodies[i], t, island);
        return;
    }
    visit_touching([&](auto& each) { each.trial_matrix(t.A); }, bodies[i].body_);
    t.cholesky.compute(t.A);
    t.free_velocity = t.impulse;
    t.cholesky.solveInPlace(t.free_velocity);
    t.free_velocity = t.real_velocity - t.free_velocity;
}

// The impulses at the velocities of the start are near those of bodies at rest or in slow contact: their
// steps are linearised there, and what the solve predicts is right the first time. A body that is hit is not.
// One body without others costs more so than a second solve of it.
void ContactStage::guess_impulses(const Island& island) {
    const auto bodies = std::count_if(island.bodies.begin(), island.bodies.end(),
                                      [&](int b) { return !is_device(body_in_problem_[std::size_t(b)]); });
    for (const int b : island.bodies) {
        TouchingBody& t = touching[body_in_problem_[std::size_t(b)]];
        t.moved = bodies > 1 && !t.tree && !is_device(body_in_problem_[std::size_t(b)]);
    }
    if (bodies < 2) return;
    for (const int c : island.contacts) {
        SolverContact& contact = problem_.contacts[std::size_t(c)];
        contact.impulse = impulse_at(contact, contact.velocity);
        if (contact.normal.regime == NormalRegime::Slow) continue;
        for (const int b : {contact.a, contact.b})
            if (b >= 0) touching[body_in_problem_[std::size_t(b)]].moved = false;
    }
    collect_impulses(island);
}

void ContactStage::list_bodies_of_open() {
    bodies_of_open_.clear();
    for (const std::size_t i : open_)
        for (const int b : islands_[i].bodies)
            bodies_of_open_.push_back({b, i});
}

void ContactStage::solve_open(const ParallelFor& parallel) {
    const std::size_t lanes = parallel.run ? std::min(kIslandLanes, open_.size()) : 1;
    if (island_work_.size() < lanes) island_work_.resize(lanes);
    for_each_index(parallel, static_cast<int>(lanes), [&](int lane) {
        for (auto k = std::size_t(lane); k < open_.size(); k += lanes) {
            const Island island = islands_[open_[k]];
            progress_[open_[k]].solved = solve_island(problem_, island, island_work_[std::size_t(lane)]);
            collect_impulses(island);
        }
    });
}

void ContactStage::solve_islands(std::vector<WorldBody>& bodies, double dt, const ParallelFor& parallel) {
    ContactReport& report = state.report;
    const double enough = kSpeedError * report.margin / dt;
    progress_.assign(islands_.size(), {});
    kept_.resize(problem_.contacts.size());
    open_.clear();
    for (std::size_t i = 0; i < islands_.size(); ++i)
        open_.push_back(i);
    const auto for_bodies = [&](auto&& task) {
        for_each_index(parallel, static_cast<int>(bodies_of_open_.size()), [&](int k) {
            const BodyOfOpen& each = bodies_of_open_[std::size_t(k)];
            task(each.body, islands_[each.island]);
        });
    };
    for (const std::size_t i : open_)
        guess_impulses(islands_[i]);
    list_bodies_of_open();
    for_bodies([&](int b, const Island& island) {
        if (touching[body_in_problem_[std::size_t(b)]].moved && try_impulses(bodies, b, island, dt))
            linearize(bodies, b, island);
    });
    for (int k = 1; !open_.empty(); ++k) {
        report.linearizations = k;
        solve_open(parallel);
        list_bodies_of_open();
        for_bodies([&](int b, const Island& island) {
            touching[body_in_problem_[std::size_t(b)]].moved = try_impulses(bodies, b, island, dt);
        });
        std::erase_if(open_, [&](std::size_t i) {
            const Island island = islands_[i];
            IslandProgress& of = progress_[i];
            report.iterations = std::max(report.iterations, of.solved.iterations);
            report.residual = std::max(report.residual, of.solved.residual);
            const bool moved = std::all_of(island.bodies.begin(), island.bodies.end(), [&](int b) {
                return touching[body_in_problem_[std::size_t(b)]].moved;
            });
            if (!moved && k > 1) {
                // Half of the island would take impulses that the other half refuses: the linearisation
                // before moved them all.
                ++report.reverted;
                go_back_to_kept(island);
                collect_impulses(island);
                for (const int b : island.bodies)
                    try_impulses(bodies, b, island, dt);
            } else {
                of.converged = of.solved.converged;
                of.settled = of.solved.radii_settled;
                of.error = moved ? take_real_velocities(island) : 0;
            }
            if (k < kMostLinearizations && moved && of.error > enough) {
                keep_solution(island);
                return false;
            }
            report.not_converged += of.converged ? 0 : 1;
            report.radii_unsettled += of.settled ? 0 : 1;
            report.speeds_off += of.error > enough ? 1 : 0;
            report.speed_error = std::max(report.speed_error, of.error);
            return true;
        });
        list_bodies_of_open();
        for_bodies([&](int b, const Island& island) { linearize(bodies, b, island); });
    }
}

}  // namespace limber
