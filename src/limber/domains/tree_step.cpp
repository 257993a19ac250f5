// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/tree_step.h"

#include "limber/domains/domain_kernels.h"
#include "limber/domains/tree_air.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace limber {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Part of the tree's length by which a step's result may be wrong at least: rounding.
constexpr double kNegligible = 1e-13;

RootMotion carried_root(const TreeStepOptions& options) {
    RootMotion out;
    out.pose = {options.position, options.frame.orientation};
    const Quaterniond back = options.frame.orientation.conjugate();
    out.twist << back * options.frame.velocity, back * options.frame.angular_velocity;
    return out;
}

RootMotion free_root(const Pose& pose, const Vector3d& velocity, const Vector3d& angular_velocity) {
    RootMotion out;
    out.pose = pose;
    out.twist << pose.orientation.conjugate() * velocity, angular_velocity;
    return out;
}

}  // namespace

RootMotion root_motion(const TreeStepOptions& options, const TreeState& state) {
    return options.mount == RootMount::Free ? free_root(state.root, state.velocity, state.angular_velocity)
                                            : carried_root(options);
}

struct TreeStepper::Attempt {
    const DomainTree& tree;
    const std::vector<DomainState>& domains;
    const std::vector<DomainForce>& forces;
    const TreeStepOptions& options;
    const TreeImpulse* impulse;
    double dt;  // of the whole step
    TreeStepReport& report;
};

TreeStepper::TreeStepper(const DomainTree& tree)
    : work(tree), a_(VectorXd::Zero(tree.coordinates)), q_(a_), v_(a_), root_a_(Vector6d::Zero()) {
    from_.q = from_.v = to_.q = to_.v = a_;
}

bool TreeStepper::iterate(const Attempt& of, const TreeWeights& weights, const RootMotion& root) {
    const TreeStepOptions& options = of.options;
    evaluate_loads(of.tree, of.domains, root, q_, v_, of.forces, work);
    // The acceleration of the root less gravity: weight is an acceleration of the frame upwards.
    Vector6d A = root_a_;
    const Quaterniond back = root.pose.orientation.conjugate();
    if (options.mount == RootMount::Carried)
        A << back * options.frame.acceleration, back * options.frame.angular_acceleration;
    A.head<3>() -= back * options.gravity;
    tree_residual(of.tree, of.domains, options.coupling, options.damping, v_, a_, A, work);
    if (of.impulse) {
        work.residual -= *of.impulse->coordinates / of.dt;
        if (options.mount == RootMount::Free) {
            const Vector3d& P = of.impulse->sum;
            const Vector3d N = of.impulse->moment + (of.impulse->about - root.pose.position).cross(P);
            work.nodes[0].F.head<3>() -= back * P / of.dt;
            work.nodes[0].F.tail<3>() -= back * N / of.dt;
        }
    }
    ++of.report.iterations;
    if (!factorize_tree(of.tree, of.domains, options.coupling, options.damping, weights, work)) return false;
    if (!solve_tree(of.tree, of.domains, options.coupling, options.mount, work)) return false;
    a_ += work.correction;
    root_a_ += work.nodes[0].dA;
    // What the corrected velocities change of the drag, for the momenta of a free tree.
    for (std::size_t i = 0; options.mount == RootMount::Free && i < work.air.size(); ++i)
        add_drag_by_acceleration(of.tree, i, weights.damping + work.air_lead, work.nodes[i].dA,
                                 work.correction, work);
    correction_norm_ = norm_ = 0;
    for (std::size_t i = 0; i < of.tree.size(); ++i) {
        const TreeDomain& d = of.tree.domains[i];
        const double mass = of.domains[i].density * d.mass_scale;
        correction_norm_ += mass * work.correction.segment(d.first, d.rank).squaredNorm();
        norm_ += mass * a_.segment(d.first, d.rank).squaredNorm();
    }
    if (options.mount == RootMount::Free) {
        const Matrix6d& I = work.nodes[0].inertia.I;
        correction_norm_ += work.nodes[0].dA.dot(I * work.nodes[0].dA);
        norm_ += root_a_.dot(I * root_a_);
    }
    correction_norm_ = std::sqrt(std::max(correction_norm_, 0.0));
    norm_ = std::sqrt(std::max(norm_, 0.0));
    return std::isfinite(norm_);
}

void TreeStepper::begin(const Attempt& of) {
    evaluate_motion(of.tree, of.domains, root_motion(of.options, from_), from_.q, from_.v, work);
    before_ = tree_momentum(of.tree, from_.v, work);
}

// Along the correction δ of one domain its residual is a cubic polynomial of s, q_m moving by s h²/4 δ:
//   g(s) = −w + w s + c₂ s² + c₃ s³,   w = δᵀHδ                                                        (34)
// Where g(1) is above w the domain stiffened on the way, and stays at the zero of g.
void TreeStepper::shorten(const Attempt& of, double h) {
    constexpr double kTooFar = 2;  // with g(1) = force − before > w, since before ≤ w
    const double step = 0.25 * h * h;
    for (std::size_t i = 0; i < of.tree.size(); ++i) {
        const TreeDomain& d = of.tree.domains[i];
        if (d.rank == 0 || !of.domains[i].moves()) continue;
        const auto delta = work.correction.segment(d.first, d.rank);
        const DomainNode& node = work.nodes[i];
        const double w = node.curvature;
        const double force = delta.dot(work.f_int.segment(d.first, d.rank)) - node.force_along;
        if (!(force > kTooFar * w && force < kInfinite)) continue;
        const Eigen::Map<const Eigen::MatrixXd> K(work.K.data() + d.first_square, d.rank, d.rank);
        const auto stiffness = [&] { return step * delta.dot(K.lazyProduct(delta)); };
        const double after = stiffness();
        q_.segment(d.first, d.rank) -= step * delta;
        evaluate_elastic_of(of.tree, of.domains, q_, i, work);
        const double before = stiffness();
        const double c2 = 3 * force - 2 * before - after, c3 = before + after - 2 * force;
        double low = 0, high = 1;
        for (int k = 0; k < 40; ++k) {
            const double s = 0.5 * (low + high);
            (-w + s * (w + s * (c2 + s * c3)) < 0 ? low : high) = s;
        }
        const double s = 0.5 * (low + high);
        a_.segment(d.first, d.rank) -= (1 - s) * delta;
        v_.segment(d.first, d.rank) -= (1 - s) * 0.5 * h * delta;
        q_.segment(d.first, d.rank) += s * step * delta;
        evaluate_elastic_of(of.tree, of.domains, q_, i, work);
    }
}

// (21): residual at q_m = q + h q̇_m/2, q̇_m = q̇ + h q̈/2, R_m = R exp(h ω_m/2).
bool TreeStepper::midpoint(const Attempt& of, double h) {
    const bool free = of.options.mount == RootMount::Free;
    a_.setZero();
    root_a_.setZero();
    work.air_lead = 0.5 * h;  // from the middle of the step to its end
    work.air_gravity = of.options.gravity;
    if (free) begin(of);
    RootMotion middle = carried_root(of.options);
    bool converged = false;
    for (int k = 0; k < kTreeNewton && !converged; ++k) {
        v_ = from_.v + 0.5 * h * a_;
        q_ = from_.q + 0.5 * h * v_;
        if (free) {
            const Vector3d w = from_.angular_velocity + 0.5 * h * root_a_.tail<3>();
            const Quaterniond turned = (from_.root.orientation * exp_rotation(0.5 * h * w)).normalized();
            const Vector3d speed = from_.velocity + 0.5 * h * (turned * Vector3d(root_a_.head<3>()));
            middle = free_root({from_.root.position + 0.5 * h * speed, turned}, speed, w);
        }
        evaluate_elastic(of.tree, of.domains, q_, work);
        if (k > 0) shorten(of, h);
        if (!iterate(of, {.damping = 0.5 * h, .stiffness = 0.25 * h * h}, middle)) return false;
        const double floor =
            kNegligible * std::sqrt(work.nodes[0].subtree_mass) * of.options.length / (h * h);
        converged = correction_norm_ <= of.options.tolerance * norm_ + floor;
    }
    if (!converged) return false;
    v_ = from_.v + 0.5 * h * a_;
    to_.q = from_.q + h * v_;
    to_.v = from_.v + h * a_;
    if (free) {
        const Vector3d w = from_.angular_velocity + 0.5 * h * root_a_.tail<3>();
        const Vector3d a = middle.pose.orientation * Vector3d(root_a_.head<3>());
        to_.root.position = from_.root.position + h * (from_.velocity + 0.5 * h * a);
        to_.root.orientation = (from_.root.orientation * exp_rotation(h * w)).normalized();
        to_.velocity = from_.velocity + h * a;
        to_.angular_velocity = from_.angular_velocity + h * root_a_.tail<3>();
        finish(of, h);
    }
    return true;
}

// (22): one solve with the stiffness at the predicted end; damps, and holds where nothing else does.
bool TreeStepper::euler(const Attempt& of, double h) {
    const bool free = of.options.mount == RootMount::Free;
    work.air_lead = 0;  // the solve leads to the end by itself
    if (free) begin(of);
    bool done = false;
    for (const double with_stiffness : {1.0, 0.0}) {
        a_.setZero();
        root_a_.setZero();
        v_ = from_.v;
        q_ = from_.q + with_stiffness * h * from_.v;
        evaluate_elastic(of.tree, of.domains, q_, work);
        done =
            iterate(of, {.damping = h, .stiffness = with_stiffness * h * h}, root_motion(of.options, from_));
        if (done) break;
    }
    if (!done) return false;
    to_.v = from_.v + h * a_;
    to_.q = from_.q + h * to_.v;
    if (free) {
        to_.angular_velocity = from_.angular_velocity + h * root_a_.tail<3>();
        to_.velocity = from_.velocity + h * (from_.root.orientation * Vector3d(root_a_.head<3>()));
        to_.root.position = from_.root.position + h * to_.velocity;
        to_.root.orientation = (from_.root.orientation * exp_rotation(h * to_.angular_velocity)).normalized();
        finish(of, h);
    }
    return true;
}

// The momenta and the centre of mass are known exactly from the external forces: the root is shifted and its
// twist changed until the tree has them.                                                               (23)
void TreeStepper::finish(const Attempt& of, double h) {
    const TreeMomentum& before = before_;
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
    const DomainNode& root = work.nodes[0];
    const Vector3d middle = root.x + root.R * root.subtree_centre;
    for (const DomainNode& node : work.nodes) {
        const Vector3d f = node.R * node.f_nu.head<3>();
        force += f;
        torque += node.R * node.f_nu.tail<3>() + (node.x - middle).cross(f);
    }
    if (of.impulse) {
        // About the centre at half the way with the present momentum: then the angular momentum about any
        // fixed point changes by the moment of the impulse to rounding.
        const Vector3d centre = before.centre + 0.5 * h / before.mass * before.momentum;
        force += of.impulse->sum / of.dt;
        torque += (of.impulse->moment + (of.impulse->about - centre).cross(of.impulse->sum)) / of.dt;
    }
    force += before.mass * of.options.gravity;
    const Vector3d momentum = before.momentum + h * force;
    const Vector3d angular_momentum = before.angular_momentum + h * torque;
    const Vector3d centre = before.centre + 0.5 * h / before.mass * (before.momentum + momentum);

    evaluate_motion(of.tree, of.domains, root_motion(of.options, to_), to_.q, to_.v, work);
    const TreeMomentum now = tree_momentum(of.tree, to_.v, work);
    const Vector3d w = now.inertia.ldlt().solve(angular_momentum - now.angular_momentum);
    const Vector3d v = (momentum - now.momentum) / now.mass;
    to_.velocity += v + w.cross(to_.root.position - now.centre);
    to_.angular_velocity += to_.root.orientation.conjugate() * w;
    to_.root.position += centre - now.centre;
    end_momentum = {before.mass, centre, momentum, angular_momentum, now.inertia};
}

TreeStepReport TreeStepper::step(const DomainTree& tree, const std::vector<DomainState>& domains,
                                 const std::vector<DomainForce>& forces, const TreeStepOptions& options,
                                 const TreeState& start, double dt, const TreeImpulse* impulse,
                                 TreeState& end) {
    TreeStepReport report;
    const Attempt of{tree, domains, forces, options, impulse, dt, report};
    from_ = start;
    // Parts of 8, 4, 2 or 1 eighths; after a part the next one is as long as its place allows.
    for (int done = 0; done < kTreeParts;) {
        int size = done == 0 ? kTreeParts : done & -done;
        to_ = from_;
        while (!midpoint(of, dt * size / kTreeParts)) {
            if (size == 1) {
                ++report.euler_steps;
                if (!euler(of, dt / kTreeParts)) {
                    report.finite = false;
                    return report;
                }
                break;
            }
            size /= 2;
            ++report.halvings;
            to_ = from_;
        }
        if (done == 0) start_momentum = before_;
        done += size;
        const bool finite = to_.q.allFinite() && to_.v.allFinite() && to_.root.position.allFinite() &&
                            to_.root.orientation.coeffs().allFinite() && to_.velocity.allFinite() &&
                            to_.angular_velocity.allFinite();
        if (!finite) {
            report.finite = false;
            return report;
        }
        std::swap(from_, to_);
    }
    end.root = from_.root;
    end.velocity = from_.velocity;
    end.angular_velocity = from_.angular_velocity;
    end.q = from_.q;
    end.v = from_.v;
    end.time = start.time + dt;
    return report;
}

}  // namespace limber
