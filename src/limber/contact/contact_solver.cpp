// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_solver.h"

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
// Radii of friction that changed by less than this fraction stay.
constexpr double kRadiusChange = 0.01;
// A line search ends where the slope along the direction fell to this fraction.
constexpr double kSlopeFraction = 0.05;
constexpr int kMostLineSteps = 40;

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
        for (VectorXd* x : {&work_.v, &work_.gradient, &work_.direction, &work_.product}) {
            if (x->size() < n) x->resize(n);
            x->setZero();
        }
        work_.velocities.resize(island.contacts.size());
        work_.directions.resize(island.contacts.size());
        for (std::size_t i = 0; i < island.bodies.size(); ++i)
            part(work_.v, i) = body(i).velocity;
    }

    // One convex problem with the present radii.                                                        (46)
    void minimize(IslandReport& report) {
        report.converged = false;
        for (int k = 0; k < kMostNewtonIterations; ++k) {
            velocities_of(work_.v, Bias::With, work_.velocities);
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
            if (!(decrement > 0)) {
                report.converged = true;
                break;
            }
            velocities_of(work_.direction, Bias::Without, work_.directions);
            const double length = line_search(decrement);
            work_.v += length * work_.direction;
            if (report.residual <= kDecrement) {
                report.converged = true;
                break;
            }
            if (length == 0) break;
        }
        report.converged = report.converged || report.residual <= kAcceptedDecrement;
        velocities_of(work_.v, Bias::With, work_.velocities);
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
            multiply(each, part(work_.direction, i), part(work_.product, i));
        }
        work_.gradient = work_.product;
        for (std::size_t i = 0; i < island_.contacts.size(); ++i) {
            const SolverContact& contact = point(i);
            const PointImpulse at = point_impulse(contact, work_.velocities[i]);
            if (at.impulse.isZero(0) && at.hessian.isZero(0)) continue;
            const int a = place(contact.a);
            const auto Ja = problem_.rows_of(contact.rows_a, contact.a);
            part(work_.gradient, std::size_t(a)).noalias() -= Ja.transpose() * at.impulse;
            add_product(Ja, at.hessian, H.diagonal(a));
            if (contact.b < 0) continue;
            const int b = place(contact.b);
            const auto Jb = problem_.rows_of(contact.rows_b, contact.b);
            part(work_.gradient, std::size_t(b)).noalias() += Jb.transpose() * at.impulse;
            add_product(Jb, at.hessian, H.diagonal(b));
            if (a == b) {  // a body that touches itself: −(JaᵀGJb + JbᵀGJa)
                auto to = H.diagonal(a);
                for (Index j = 0; j < to.cols(); ++j) {
                    const Vector3d from_a = at.hessian * Ja.col(j), from_b = at.hessian * Jb.col(j);
                    to.col(j).noalias() -= Ja.transpose() * from_b;
                    to.col(j).noalias() -= Jb.transpose() * from_a;
                }
                continue;
            }
            auto off = H.off_diagonal(a, b);
            for (Index j = 0; j < off.block.cols(); ++j) {
                const Vector3d column = at.hessian * (off.transposed ? Ja : Jb).col(j);
                off.block.col(j).noalias() -= (off.transposed ? Jb : Ja).transpose() * column;
            }
        }
    }

    VectorXd& v() { return work_.v; }
    enum class Bias { With, Without };
    void velocities_of(const VectorXd& v, Bias bias, std::vector<Vector3d>& out) {
        for (std::size_t i = 0; i < island_.contacts.size(); ++i) {
            const SolverContact& contact = point(i);
            Vector3d u = bias == Bias::With ? contact.bias : Vector3d(Vector3d::Zero());
            u.noalias() +=
                problem_.rows_of(contact.rows_a, contact.a) * part(v, std::size_t(place(contact.a)));
            if (contact.b >= 0)
                u.noalias() -=
                    problem_.rows_of(contact.rows_b, contact.b) * part(v, std::size_t(place(contact.b)));
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

    // to += JᵀGJ.
    template <class Rows, class Block>
    static void add_product(const Rows& J, const Matrix3d& G, Block to) {
        for (Index j = 0; j < to.cols(); ++j) {
            const Vector3d column = G * J.col(j);
            // The lower half is enough.
            to.col(j).tail(to.rows() - j).noalias() += J.rightCols(to.rows() - j).transpose() * column;
        }
    }

    // vᵀAv of the present velocities or of the free ones, whichever is more.
    double energy_norm_squared() {
        double now = 0, free = 0;
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            const SolverBody& each = body(i);
            multiply(each, each.free_velocity, part(work_.product, i));
            free += part(work_.product, i).dot(each.free_velocity);
            multiply(each, part(work_.v, i), part(work_.product, i));
            now += part(work_.product, i).dot(part(work_.v, i));
        }
        return std::max(now, free);
    }

    // The derivative along the direction is an increasing function of the length: its zero is sought between
    // lengths where its sign differs. (47)
    double line_search(double decrement) {
        double linear = 0, quadratic = 0;  // of dᵀA(v − v*) + t dᵀAd
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            const SolverBody& each = body(i);
            multiply(each, part(work_.direction, i), part(work_.product, i));
            quadratic += part(work_.product, i).dot(part(work_.direction, i));
            linear += part(work_.product, i).dot(part(work_.v, i) - each.free_velocity);
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
};

}  // namespace

IslandReport solve_island(ContactProblem& problem, const Island& island, IslandWork& work) {
    IslandReport report;
    IslandSolve solve(problem, island, work);
    solve.minimize(report);
    while (solve.radii_change()) {
        report.radii_settled = report.radius_updates < kMostRadiusUpdates;
        if (!report.radii_settled) break;
        solve.update_radii();
        ++report.radius_updates;
        solve.minimize(report);
    }
    solve.finish();
    return report;
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
