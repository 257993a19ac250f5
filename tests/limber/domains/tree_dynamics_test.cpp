// SPDX-License-Identifier: Apache-2.0
#include "particle_tree.h"

#include <limber/rigid/cross_matrix.h>

#include <Eigen/LU>

namespace limber::test {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A trunk with two branches, a rigid domain between, and twigs.
struct Sample {
    std::vector<ParticlePart> parts = {random_part(14, 5, 1), random_part(13, 4, 2), random_part(12, 0, 3)};
    std::vector<int> part_of = {0, 1, 2, 1, 0, 1, 1, 0}, parent_of = {-1, 0, 0, 1, 2, 4, 4, 3};
    DomainTree tree = particle_tree(parts, part_of, parent_of);
    std::vector<DomainState> domains = std::vector<DomainState>(8);
    Sample() {
        domains[3].density = 1.7;
        domains[5].young = 0.4;
    }
};

struct RootPath {  // position and rotation vector in time
    Vector3d x0{0.3, 0.1, -0.2}, x1{0.5, -1, 0.7}, x2{1, 2, -0.5};
    Vector3d axis = Vector3d(1, -0.4, 0.8).normalized();
    double w1 = 0.9, w2 = -1.3;
    Pose pose(double t) const {
        return {x0 + t * x1 + 0.5 * t * t * x2,
                Eigen::Quaterniond(Eigen::AngleAxisd(0.4 + w1 * t + 0.5 * w2 * t * t, axis))};
    }
    RootMotion motion() const {
        RootMotion out;
        out.pose = pose(0);
        out.twist << out.pose.orientation.conjugate() * x1, w1 * axis;  // the axis is its own image
        return out;
    }
    Vector6d acceleration() const {
        Vector6d A;
        A << pose(0).orientation.conjugate() * x2, w2 * axis;
        return A;
    }
};

// World positions of all particles, weighted by the roots of their masses: ‖·‖² is Σ m |x|².
VectorXd all_particles(const Sample& s, const VectorXd& q, const Pose& root) {
    TreeWork work(s.tree);
    evaluate_motion(s.tree, s.domains, {.pose = root}, q, VectorXd::Zero(q.size()), work);
    std::vector<double> out;
    for (std::size_t i = 0; i < s.tree.size(); ++i) {
        const TreeDomain& d = s.tree.domains[i];
        const ParticlePart& part = s.parts[std::size_t(d.part)];
        for (std::size_t p = 0; p < part.X.size(); ++p) {
            Vector3d X = part.X[p];
            if (d.rank > 0) X += part.U.middleRows<3>(3 * Eigen::Index(p)) * q.segment(d.first, d.rank);
            const Vector3d x = work.nodes[i].x + work.nodes[i].R * (d.scale * X);
            const double root_mass = std::sqrt(part.mass[p] * s.domains[i].density * std::pow(d.scale, 3));
            for (const double value : x)
                out.push_back(root_mass * value);
        }
    }
    return Eigen::Map<VectorXd>(out.data(), Eigen::Index(out.size()));
}

// The residual is JᵀMẍ of all points, plus elastic forces; J and ẍ by differences of sixth order.
TEST(TreeDynamics, TheResidualIsTheProjectedInertiaOfAllPoints) {
    const Sample s;
    const VectorXd q = random_coordinates(s.tree.coordinates, 7, 0.3),
                   v = random_coordinates(s.tree.coordinates, 8, 1),
                   a = random_coordinates(s.tree.coordinates, 9, 1);
    const RootPath root;
    TreeWork work(s.tree);
    evaluate_tree(s.tree, s.domains, root.motion(), q, v, {}, work);
    work.f_int.setZero();
    tree_residual(s.tree, s.domains, Coupling::Exact, {}, v, a, root.acceleration(), work);

    const double h = 1e-2;
    const auto at = [&](double t) { return all_particles(s, q + t * v + 0.5 * t * t * a, root.pose(t)); };
    const VectorXd acceleration = (2 * (at(-3 * h) + at(3 * h)) - 27 * (at(-2 * h) + at(2 * h)) +
                                   270 * (at(-h) + at(h)) - 490 * at(0)) /
                                  (180 * h * h);
    const auto slope = [&](const auto& of) {
        return VectorXd((of(3 * h) - of(-3 * h) - 9 * (of(2 * h) - of(-2 * h)) + 45 * (of(h) - of(-h))) /
                        (60 * h));
    };
    VectorXd expected(q.size());
    for (Eigen::Index k = 0; k < q.size(); ++k)
        expected[k] = slope([&](double e) {
                          VectorXd moved = q;
                          moved[k] += e;
                          return all_particles(s, moved, root.pose(0));
                      }).dot(acceleration);
    // 1e-8: the error of the differences.
    EXPECT_LE((work.residual - expected).norm(), 1e-8 * expected.norm());

    // F₀ is what the root must be given: along its own axes.
    const Matrix3d R = root.pose(0).orientation.toRotationMatrix();
    Vector6d force;
    for (int k = 0; k < 3; ++k) {
        force[k] = slope([&](double e) {
                       Pose pose = root.pose(0);
                       pose.position += e * R.col(k);
                       return all_particles(s, q, pose);
                   }).dot(acceleration);
        force[3 + k] = slope([&](double e) {
                           Pose pose = root.pose(0);
                           pose.orientation = pose.orientation * exp_rotation(e * Vector3d::Unit(k));
                           return all_particles(s, q, pose);
                       }).dot(acceleration);
    }
    EXPECT_LE((work.nodes[0].F - force).norm(), 1e-8 * force.norm());
}

TEST(TreeDynamics, EnergyAndMomentaAreThoseOfAllPoints) {
    const Sample s;
    const VectorXd q = random_coordinates(s.tree.coordinates, 17, 0.3),
                   v = random_coordinates(s.tree.coordinates, 18, 1);
    const RootPath root;
    TreeWork work(s.tree);
    evaluate_motion(s.tree, s.domains, root.motion(), q, v, work);
    const double h = 1e-2;
    const auto at = [&](double t) { return all_particles(s, q + t * v, root.pose(t)); };
    const VectorXd rate = (at(3 * h) - at(-3 * h) - 9 * (at(2 * h) - at(-2 * h)) + 45 * (at(h) - at(-h))) /
                          (60 * h),
                   x = at(0);
    // ‖√m ẋ‖²/2; the root's own velocity at t = 0 is that of the path.
    EXPECT_NEAR(tree_kinetic_energy(s.tree, s.domains, v, work), 0.5 * rate.squaredNorm(),
                1e-9 * rate.squaredNorm());
    const TreeMomentum whole = tree_momentum(s.tree, v, work);
    Vector3d P = Vector3d::Zero(), L = Vector3d::Zero(), centre = Vector3d::Zero();
    double mass = 0;
    Matrix3d inertia = Matrix3d::Zero();
    Eigen::Index k = 0;
    for (std::size_t i = 0; i < s.tree.size(); ++i) {
        const TreeDomain& d = s.tree.domains[i];
        for (const double built : s.parts[std::size_t(d.part)].mass) {
            const double m = built * s.domains[i].density * std::pow(d.scale, 3);
            const Vector3d place = x.segment<3>(k) / std::sqrt(m),
                           velocity = rate.segment<3>(k) / std::sqrt(m);
            mass += m;
            centre += m * place;
            P += m * velocity;
            L += m * place.cross(velocity);
            inertia += m * (place.squaredNorm() * Matrix3d::Identity() - place * place.transpose());
            k += 3;
        }
    }
    centre /= mass;
    inertia -= mass * (centre.squaredNorm() * Matrix3d::Identity() - centre * centre.transpose());
    EXPECT_NEAR(whole.mass, mass, 1e-12 * mass);
    EXPECT_LE((whole.centre - centre).norm(), 1e-12);
    EXPECT_LE((whole.momentum - P).norm(), 1e-9 * P.norm());
    EXPECT_LE((whole.angular_momentum - (L - centre.cross(P))).norm(), 1e-9 * L.norm());
    EXPECT_LE((whole.inertia - inertia).norm(), 1e-11 * inertia.norm());
}

// The residual is affine in the accelerations: its columns give the dense matrix.
TEST(TreeDynamics, TheTreeSolveEqualsADenseSolve) {
    Sample s;
    s.domains[4].frozen = true;
    const VectorXd q = random_coordinates(s.tree.coordinates, 27, 0.2);
    VectorXd v = random_coordinates(s.tree.coordinates, 28, 1),
             a = random_coordinates(s.tree.coordinates, 29, 1);
    const TreeDomain& frozen = s.tree.domains[4];
    v.segment(frozen.first, frozen.rank).setZero();
    a.segment(frozen.first, frozen.rank).setZero();
    const RootPath root;
    const TreeDamping damping{0.3, 0.02};
    const TreeWeights weights{.damping = 0.05, .stiffness = 0.01};
    std::vector<Eigen::Index> active;
    for (Eigen::Index k = 0; k < q.size(); ++k)
        if (k < frozen.first || k >= frozen.first + frozen.rank) active.push_back(k);
    const auto n = Eigen::Index(active.size());
    for (const Coupling coupling : {Coupling::Exact, Coupling::Interface, Coupling::Centre})
        for (const RootMount mount : {RootMount::Carried, RootMount::Free}) {
            TreeWork work(s.tree);
            evaluate_tree(s.tree, s.domains, root.motion(), q, v, {}, work);
            const Eigen::Index total = n + (mount == RootMount::Free ? 6 : 0);
            const auto residual = [&](const VectorXd& of, const Vector6d& A) {
                tree_residual(s.tree, s.domains, coupling, damping, v, of, A, work);
                VectorXd out(total);
                for (Eigen::Index k = 0; k < n; ++k)
                    out[k] = work.residual[active[std::size_t(k)]];
                if (mount == RootMount::Free) out.tail<6>() = work.nodes[0].F;
                return out;
            };
            MatrixXd dense(total, total);
            const VectorXd base = residual(a, root.acceleration());
            for (Eigen::Index k = 0; k < total; ++k) {
                VectorXd moved = a;
                Vector6d A = root.acceleration();
                if (k < n)
                    moved[active[std::size_t(k)]] += 1;
                else
                    A[k - n] += 1;
                dense.col(k) = residual(moved, A) - base;
            }
            // The weights of damping and stiffness.
            for (std::size_t i = 0; i < s.tree.size(); ++i) {
                const TreeDomain& d = s.tree.domains[i];
                if (s.domains[i].frozen) continue;
                const Eigen::Map<MatrixXd> K(work.K.data() + d.first_square, d.rank, d.rank);
                const MatrixXd M =
                    s.domains[i].density * std::pow(d.scale, 5) * s.tree.parts[std::size_t(d.part)].mass;
                const auto first =
                    Eigen::Index(std::lower_bound(active.begin(), active.end(), d.first) - active.begin());
                // Damping is by the stiffness at rest.
                const MatrixXd K_rest = s.domains[i].young * std::pow(d.scale, 3) *
                                        s.tree.parts[std::size_t(d.part)].energy.linear;
                dense.block(first, first, d.rank, d.rank) +=
                    weights.damping * (damping.alpha * M + damping.beta * K_rest) + weights.stiffness * K;
            }
            residual(a, root.acceleration());
            ASSERT_TRUE(factorize_tree(s.tree, s.domains, coupling, damping, weights, work));
            ASSERT_TRUE(solve_tree(s.tree, s.domains, coupling, mount, work));
            const VectorXd expected = -dense.partialPivLu().solve(base);
            VectorXd found(total);
            for (Eigen::Index k = 0; k < n; ++k)
                found[k] = work.correction[active[std::size_t(k)]];
            if (mount == RootMount::Free) found.tail<6>() = work.nodes[0].dA;
            EXPECT_LE((found - expected).norm(), 1e-10 * expected.norm())
                << word_of(coupling) << " " << int(mount);
        }
}

// An instance with factors on length, density and stiffness, against a part made with them.
TEST(TreeDynamics, AScaledInstanceEqualsARebuiltPart) {
    const ParticlePart part = random_part(12, 5, 31);
    const double s = 1.7, density = 0.6, young = 2.5;
    ParticlePart rebuilt = part;
    for (double& m : rebuilt.mass)
        m *= density * s * s * s;
    for (Vector3d& X : rebuilt.X)
        X *= s;
    rebuilt.U *= s;  // u = sUq
    // Of a random form: all coefficients take the factor e s³.
    PartCoefficients scaled = coefficients_of(rebuilt);
    const double factor = young * s * s * s;
    scaled.energy = coefficients_of(part).energy;
    scaled.energy.linear *= factor;
    scaled.energy.coefficients *= factor;

    const auto run = [&](const PartCoefficients& of, double scale, const DomainState& state) {
        DomainTree tree;
        tree.parts = {of};
        TreeDomain trunk, child;
        trunk.scale = child.scale = child.attachment.scale = scale;
        child.parent = 0;
        child.interface = 1;
        child.attachment.rotation = random_rotation(4);
        child.attachment.offset = s * Vector3d(0.1, 0.2, -0.1);
        tree.domains = {trunk, child};
        index_domains(tree);
        const std::vector<DomainState> states(2, state);
        const VectorXd q = random_coordinates(10, 41, 0.2), v = random_coordinates(10, 42, 1),
                       a = random_coordinates(10, 43, 1);
        TreeWork work(tree);
        const RootPath root;
        evaluate_tree(tree, states, root.motion(), q, v, {}, work);
        tree_residual(tree, states, Coupling::Exact, {0.2, 0.01}, v, a, root.acceleration(), work);
        VectorXd out(work.residual.size() + 12);
        out << work.residual, work.nodes[0].F, work.nodes[1].F;
        return out;
    };
    const VectorXd expected = run(scaled, 1, {}),
                   found = run(coefficients_of(part), s, {.young = young, .density = density});
    EXPECT_LE((found - expected).norm(), 1e-12 * expected.norm());  // rounding only
}

// The same of a single child, turned on its parent, which stays as it was built.
TEST(TreeDynamics, OneScaledChildEqualsARebuiltOne) {
    const ParticlePart trunk_part = random_part(14, 4, 30), part = random_part(12, 5, 31);
    const double s = 0.3, density = 1.8, young = 0.4;
    ParticlePart rebuilt = part;
    for (double& m : rebuilt.mass)
        m *= density * s * s * s;
    for (Vector3d& X : rebuilt.X)
        X *= s;
    rebuilt.U *= s;
    PartCoefficients scaled = coefficients_of(rebuilt);
    scaled.energy = coefficients_of(part).energy;
    scaled.energy.linear *= young * s * s * s;
    scaled.energy.coefficients *= young * s * s * s;

    const auto run = [&](const PartCoefficients& of, double scale, const DomainState& state) {
        DomainTree tree;
        tree.parts = {coefficients_of(trunk_part), of};
        TreeDomain trunk, child;
        child.part = 1;
        child.scale = scale;
        child.parent = 0;
        child.interface = 1;
        child.attachment.rotation = random_rotation(4);
        child.attachment.offset = Vector3d(0.1, 0.2, -0.1);
        tree.domains = {trunk, child};
        index_domains(tree);
        const std::vector<DomainState> states = {DomainState{}, state};
        const VectorXd q = random_coordinates(9, 41, 0.2), v = random_coordinates(9, 42, 1),
                       a = random_coordinates(9, 43, 1);
        TreeWork work(tree);
        const RootPath root;
        evaluate_tree(tree, states, root.motion(), q, v, {}, work);
        tree_residual(tree, states, Coupling::Exact, {0.2, 0.01}, v, a, root.acceleration(), work);
        EXPECT_TRUE(factorize_tree(tree, states, Coupling::Exact, {0.2, 0.01}, {0.01, 1e-4}, work));
        EXPECT_TRUE(solve_tree(tree, states, Coupling::Exact, RootMount::Free, work));
        VectorXd out(work.residual.size() + work.correction.size() + 6);
        out << work.residual, work.correction, work.nodes[0].F;
        return out;
    };
    const VectorXd expected = run(scaled, 1, {}),
                   found = run(coefficients_of(part), s, {.young = young, .density = density});
    EXPECT_LE((found - expected).norm(), 1e-10 * expected.norm());
}

}  // namespace
}  // namespace limber::test
