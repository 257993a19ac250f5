// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_solver.h"

#include "limber/contact/outer_product.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// On the Newton decrement over the energy norm: velocities right to ten digits.
constexpr double kDecrement = 1e-10;
// Where rounding stops Newton's method, it has still converged up to this.
constexpr double kAcceptedDecrement = 1e-7;
// Radii of friction that changed by less than this fraction stay; they follow once the decrement is below the
// other.
constexpr double kRadiusChange = 0.01, kRadiusDecrement = 1e-2;
// A line search ends where the slope along the direction fell to this fraction.
constexpr double kSlopeFraction = 0.05;
constexpr int kMostLineSteps = 40;
// So many contacts of a pair go into the Hessian at once: their rows stay in the cache.
constexpr int kPanelContacts = 16;

struct PointImpulse {
    Vector3d impulse;
    Matrix3d hessian;  // of the potential: minus the derivative of the impulse
};

PointImpulse point_impulse(const SolverContact& contact, const Vector3d& u) {
    const NormalImpulse normal = normal_impulse(contact.normal, u[0]);
    PointImpulse out{Vector3d(normal.impulse, 0, 0), Matrix3d::Zero()};
    out.hessian(0, 0) = -normal.slope;
    if (contact.friction.radius > 0) {
        const FrictionImpulse friction = friction_impulse(contact.friction, u.tail<2>());
        out.impulse.tail<2>() = friction.impulse;
        out.hessian.bottomRightCorner<2, 2>() = friction.hessian;
    }
    return out;
}

class IslandSolve {
    template <class Vector>
    auto part(Vector& x, std::size_t i) const {
        return x.segment(work_.hessian.offset(static_cast<int>(i)), work_.sizes[i]);
    }

 public:
    IslandSolve(ContactProblem& problem, const Island& island, IslandWork& work)
        : problem_(problem), island_(island), work_(work) {
        work_.sizes.clear();
        work_.pairs.clear();
        if (work_.place_of.size() < problem.bodies.size()) work_.place_of.resize(problem.bodies.size(), -1);
        for (std::size_t i = 0; i < island.bodies.size(); ++i) {
            const auto body = std::size_t(island.bodies[i]);
            work_.place_of[body] = static_cast<int>(i);
            work_.sizes.push_back(static_cast<int>(problem.bodies[body].free_velocity.size()));
        }
        for (const int c : island.contacts) {
            const SolverContact& contact = problem.contacts[std::size_t(c)];
            if (contact.b >= 0 && contact.b != contact.a)
                work_.pairs.emplace_back(place(contact.a), place(contact.b));
        }
        std::sort(work_.pairs.begin(), work_.pairs.end());
        work_.pairs.erase(std::unique(work_.pairs.begin(), work_.pairs.end()), work_.pairs.end());
        work_.hessian.analyze(work_.sizes, work_.pairs);
        const Index n = work_.hessian.size();
        // No shorter than for the largest island: a vector that changes its size takes memory. The
        // remainder is zero.
        for (VectorXd* x :
             {&work_.v, &work_.gradient, &work_.direction, &work_.product, &work_.change, &work_.free}) {
            if (x->size() < n) x->resize(n);
            x->setZero();
        }
        work_.velocities.resize(island.contacts.size());
        work_.directions.resize(island.contacts.size());
        for (std::size_t i = 0; i < island.bodies.size(); ++i)
            part(work_.v, i) = body(i).velocity;
        for (std::size_t i = 0; i < island.bodies.size(); ++i) {
            multiply(body(i), body(i).free_velocity, part(work_.free, i));
            free_energy_ += part(work_.free, i).dot(body(i).free_velocity);
        }
    }

    // One convex problem after the other, each with the radii that the normal impulses call for: they follow
    // on the way, and the last one is solved to the end.                                               (46)
    void minimize(IslandReport& report) {
        report.converged = false;
        velocities_of(work_.v, Bias::With, work_.velocities);
        for (int k = 0; k < kMostNewtonIterations; ++k) {
            evaluate();
            work_.direction = -work_.gradient;
            if (!work_.hessian.factorize()) break;
            work_.hessian.solve_in_place(work_.direction);
            // Squared. Of this island's entries only: in which order a sum is taken depends on its length.
            const Index n = work_.hessian.size();
            const double decrement = -work_.gradient.head(n).dot(work_.direction.head(n));
            const double size = energy_norm_squared();
            if (!std::isfinite(decrement)) break;
            report.residual = size > 0 ? std::sqrt(std::max(decrement, 0.0) / size) : 0;
            ++report.iterations;
            double length = 0;
            if (decrement > 0) {
                velocities_of(work_.direction, Bias::Without, work_.directions);
                length = line_search(decrement);
                work_.v += length * work_.direction;
                velocities_of(work_.v, Bias::With, work_.velocities);
            }
            if (report.residual <= kRadiusDecrement && report.radius_updates < kMostRadiusUpdates &&
                radii_change()) {
                update_radii();
                ++report.radius_updates;
                continue;
            }
            report.converged = !(decrement > 0) || report.residual <= kDecrement;
            if (report.converged || length == 0) break;
        }
        report.converged = report.converged || report.residual <= kAcceptedDecrement;
        report.radii_settled = !radii_change();
    }

    // Is some radius off by more than its tolerance?
    bool radii_change() {
        double largest = 0, change = 0;
        for (std::size_t i = 0; i < island_.contacts.size(); ++i) {
            const SolverContact& contact = point(i);
            const double radius = contact.coefficient * impulse_at(i)[0];
            largest = std::max(largest, radius);
            change = std::max(change, std::abs(radius - contact.friction.radius));
        }
        return change > kRadiusChange * largest;
    }

    void update_radii() {  // γ_t = µγ
        for (std::size_t i = 0; i < island_.contacts.size(); ++i)
            point(i).friction.radius = point(i).coefficient * impulse_at(i)[0];
    }

    void finish() {
        for (std::size_t i = 0; i < island_.bodies.size(); ++i)
            body(i).velocity = part(work_.v, i);
        for (std::size_t i = 0; i < island_.contacts.size(); ++i) {
            SolverContact& contact = point(i);
            contact.velocity = work_.velocities[i];
            contact.impulse = impulse_at(i);
        }
    }

    // Gradient and Hessian at work.v.
    void evaluate() {
        BlockCholesky& H = work_.hessian;
        H.set_zero();
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            const SolverBody& each = body(i);
            if (each.A)
                H.diagonal(static_cast<int>(i)) = *each.A;
            else
                H.diagonal(static_cast<int>(i)).setIdentity();
            part(work_.direction, i) = part(work_.v, i) - each.free_velocity;
            multiply(each, part(work_.direction, i), part(work_.change, i));
        }
        work_.gradient = work_.change;
        for (std::size_t i = 0; i < island_.contacts.size(); ++i) {
            const SolverContact& contact = point(i);
            const PointImpulse at = point_impulse(contact, work_.velocities[i]);
            if (at.impulse.isZero(0) && at.hessian.isZero(0)) continue;
            subtract_transposed(contact.rows_a, contact.a, at.impulse);
            if (contact.b >= 0) subtract_transposed(contact.rows_b, contact.b, -at.impulse);
            add_to_panel(contact, at.hessian);
        }
        add_panel_to_hessian();
    }

    VectorXd& v() { return work_.v; }
    enum class Bias { With, Without };
    void velocities_of(const VectorXd& v, Bias bias, std::vector<Vector3d>& out) {
        for (std::size_t i = 0; i < island_.contacts.size(); ++i) {
            const SolverContact& contact = point(i);
            Vector3d u = bias == Bias::With ? contact.bias : Vector3d(Vector3d::Zero());
            u += rows_times(contact.rows_a, contact.a, v);
            if (contact.b >= 0) u -= rows_times(contact.rows_b, contact.b, v);
            out[i] = u;
        }
    }

 private:
    int place(int in_problem) const { return work_.place_of[std::size_t(in_problem)]; }
    SolverContact& point(std::size_t i) { return problem_.contacts[std::size_t(island_.contacts[i])]; }
    SolverBody& body(std::size_t i) { return problem_.bodies[std::size_t(island_.bodies[i])]; }
    Vector3d impulse_at(std::size_t i) { return point_impulse(point(i), work_.velocities[i]).impulse; }

    // out = A x.
    template <class Vector, class Out>
    static void multiply(const SolverBody& of, const Vector& x, Out out) {
        if (of.A)
            out.noalias() = *of.A * x;
        else
            out = x;
    }

    // J v
    Vector3d rows_times(std::size_t first, int body, const VectorXd& v) const {
        const auto of = part(v, std::size_t(place(body)));
        const double* row = problem_.rows.data() + first;
        Vector3d u = Vector3d::Zero();
        for (Index j = 0; j < of.size(); ++j, row += 3)
            u += of[j] * Eigen::Map<const Vector3d>(row);
        return u;
    }
    // gradient −= Jᵀγ
    void subtract_transposed(std::size_t first, int body, const Vector3d& impulse) {
        auto to = part(work_.gradient, std::size_t(place(body)));
        const double* row = problem_.rows.data() + first;
        for (Index j = 0; j < to.size(); ++j, row += 3)
            to[j] -= row[0] * impulse[0] + row[1] * impulse[1] + row[2] * impulse[2];
    }

    // Contacts of one pair go into the Hessian together: their Jᵀ side by side, and JᵀG.
    void add_to_panel(const SolverContact& contact, const Matrix3d& G) {
        RowPanel& panel = work_.panel;
        if (panel.contacts == kPanelContacts || panel.a != contact.a || panel.b != contact.b) {
            add_panel_to_hessian();
            panel.a = contact.a;
            panel.b = contact.b;
        }
        ++panel.contacts;
        const bool rubs = !G.bottomRightCorner<2, 2>().isZero(0);
        panel.depth += rubs ? 3 : 1;
        const bool itself = contact.a == contact.b;
        append(contact.rows_a, itself ? &contact.rows_b : nullptr, contact.a, G, rubs, panel.Ja, panel.GJa);
        if (contact.b >= 0 && !itself)
            append(contact.rows_b, nullptr, contact.b, G, rubs, panel.Jb, panel.GJb);
    }
    // Of a body that touches itself: J = J_a − J_b.
    void append(std::size_t first, const std::size_t* other, int body, const Matrix3d& G, bool rubs,
                std::vector<double>& J, std::vector<double>& GJ) {
        const Index n = problem_.bodies[std::size_t(body)].free_velocity.size();
        const auto at = std::ptrdiff_t(J.size());
        for (std::vector<double>* each : {&J, &GJ})
            each->resize(each->size() + std::size_t((rubs ? 3 : 1) * n));
        const double* rows = problem_.rows.data() + first;
        const double* others = other ? problem_.rows.data() + *other : nullptr;
        double *to = J.data() + at, *weighted = GJ.data() + at;
        for (Index j = 0; j < n; ++j) {
            Vector3d row = Eigen::Map<const Vector3d>(rows + 3 * j);
            if (others) row -= Eigen::Map<const Vector3d>(others + 3 * j);
            to[j] = row[0];
            weighted[j] = G(0, 0) * row[0];
            if (!rubs) continue;
            to[j + n] = row[1];
            to[j + 2 * n] = row[2];
            weighted[j + n] = G(1, 1) * row[1] + G(1, 2) * row[2];
            weighted[j + 2 * n] = G(2, 1) * row[1] + G(2, 2) * row[2];
        }
    }
    void add_panel_to_hessian() {
        RowPanel& panel = work_.panel;
        BlockCholesky& H = work_.hessian;
        const auto add_own = [&](int body, const std::vector<double>& GJ, const std::vector<double>& J) {
            auto to = H.diagonal(place(body));
            add_outer(to.data(), GJ.data(), to.rows(), J.data(), to.rows(), panel.depth, 1, OuterPart::Lower);
        };
        if (panel.depth > 0) {
            add_own(panel.a, panel.GJa, panel.Ja);
            if (panel.b >= 0 && panel.b != panel.a) {
                add_own(panel.b, panel.GJb, panel.Jb);
                auto off = H.off_diagonal(place(panel.a), place(panel.b));
                add_outer(off.block.data(), (off.transposed ? panel.GJb : panel.GJa).data(), off.block.rows(),
                          (off.transposed ? panel.Ja : panel.Jb).data(), off.block.cols(), panel.depth, -1);
            }
        }
        panel.clear();
    }

    // vᵀAv of the present velocities or of the free ones, whichever is more.
    double energy_norm_squared() const {
        const Index n = work_.hessian.size();
        return std::max((work_.change + work_.free).head(n).dot(work_.v.head(n)), free_energy_);
    }

    // The derivative along the direction is an increasing function of the length: its zero is sought between
    // lengths where its sign differs. (47)
    double line_search(double decrement) {
        double linear = 0, quadratic = 0;  // of dᵀA(v − v*) + t dᵀAd
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            multiply(body(i), part(work_.direction, i), part(work_.product, i));
            quadratic += part(work_.product, i).dot(part(work_.direction, i));
            linear += part(work_.change, i).dot(part(work_.direction, i));
        }
        const auto slope = [&](double t) {
            double sum = linear + t * quadratic;
            for (std::size_t i = 0; i < island_.contacts.size(); ++i)
                sum -= work_.directions[i].dot(
                    point_impulse(point(i), work_.velocities[i] + t * work_.directions[i]).impulse);
            return sum;
        };
        const double small = kSlopeFraction * decrement;
        double low = 0, high = 1, slope_low = -decrement, slope_high = slope(1);
        if (std::abs(slope_high) <= small) return 1;
        for (int k = 0; slope_high < 0 && k < 10; ++k) {  // to 1024 times the Newton step
            low = high;
            slope_low = slope_high;
            high *= 2;
            slope_high = slope(high);
        }
        if (slope_high < 0) return high;
        // False position with Illinois' weights; half the interval where that does not shrink it.
        double t = high;
        for (int k = 0; k < kMostLineSteps; ++k) {
            t = low - slope_low * (high - low) / (slope_high - slope_low);
            if (!(t > low && t < high) || k % 4 == 3) t = 0.5 * (low + high);
            const double at = slope(t);
            if (std::abs(at) <= small) return t;
            if (at < 0) {
                low = t;
                slope_low = at;
                slope_high *= 0.5;
            } else {
                high = t;
                slope_high = at;
                slope_low *= 0.5;
            }
        }
        return low;
    }

    ContactProblem& problem_;
    const Island& island_;
    IslandWork& work_;
    double free_energy_ = 0;  // v*ᵀAv*
};

}  // namespace

IslandReport solve_island(ContactProblem& problem, const Island& island, IslandWork& work) {
    IslandReport report;
    IslandSolve solve(problem, island, work);
    solve.minimize(report);
    solve.finish();
    return report;
}

Vector3d impulse_at(const SolverContact& contact, const Vector3d& velocity) {
    return point_impulse(contact, velocity).impulse;
}

void add_impulse(const ContactProblem& problem, const SolverContact& contact, int body, VectorXd& out) {
    if (contact.a == body)
        out.noalias() += problem.rows_of(contact.rows_a, body).transpose() * contact.impulse;
    if (contact.b == body)
        out.noalias() -= problem.rows_of(contact.rows_b, body).transpose() * contact.impulse;
}

void contact_gradient(ContactProblem& problem, const Island& island, const VectorXd& v, IslandWork& work,
                      VectorXd& gradient, Eigen::MatrixXd& hessian) {
    IslandSolve solve(problem, island, work);
    assert(v.size() <= solve.v().size());
    solve.v().head(v.size()) = v;
    solve.velocities_of(v, IslandSolve::Bias::With, work.velocities);
    solve.evaluate();
    gradient = work.gradient.head(v.size());
    const auto count = static_cast<int>(island.bodies.size());
    hessian.setZero(v.size(), v.size());
    for (int i = 0; i < count; ++i) {
        const auto block = work.hessian.diagonal(i);
        hessian.block(work.hessian.offset(i), work.hessian.offset(i), block.rows(), block.cols()) =
            block.template selfadjointView<Eigen::Lower>();
    }
    for (const auto& [i, j] : work.pairs) {
        const auto off = work.hessian.off_diagonal(i, j);
        const Eigen::MatrixXd block =
            off.transposed ? Eigen::MatrixXd(off.block.transpose()) : Eigen::MatrixXd(off.block);
        hessian.block(work.hessian.offset(i), work.hessian.offset(j), block.rows(), block.cols()) = block;
        hessian.block(work.hessian.offset(j), work.hessian.offset(i), block.cols(), block.rows()) =
            block.transpose();
    }
}

}  // namespace limber
