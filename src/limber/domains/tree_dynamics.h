// SPDX-License-Identifier: Apache-2.0
// Accelerations of a tree of domains in time linear in their number: residual from root to leaves and back,
// and an articulated-body factorisation of its matrix. docs/math/domains.md, sections 3 and 4.
#pragma once
#include <limber/domains/domain_tree.h>
#include <limber/reduced/batch.h>
#include <limber/rigid/frame.h>
#include <limber/words.h>

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace limber {

// What a domain feels of the subtree that hangs on it.
enum class Coupling {
    Exact,      // its articulated inertia and all its forces: the tree's own dynamics
    Interface,  // L1 of the paper: its mass and net external force at the interface
    Centre,     // L2: its mass at its centre of mass
};
template <>
struct EnumWords<Coupling> {
    static constexpr WordValue<Coupling> kAll[] = {
        {"exact", Coupling::Exact}, {"L1", Coupling::Interface}, {"L2", Coupling::Centre}};
};

// The root's frame. Vectors in its own axes.
struct RootMotion {
    Pose pose;                                          // world from root
    Vector6d twist = Vector6d::Zero();                  // (v, ω), m/s and rad/s
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s², world axes
};

// A force on a point of a domain, world axes.
struct DomainForce {
    int domain = 0;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  // X of the part, m, scale 1
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  // N
    // The rows of the basis there, 3 x r, start at `rows` with column stride `stride`; null: a rigid domain.
    const double* rows = nullptr;
    Eigen::Index stride = 0;
};

struct DomainNode {
    LinkMotion link;    // seen from the parent; the root: unused
    Eigen::Matrix3d R;  // world from domain
    Eigen::Vector3d x;  // its origin in the world, m
    Vector6d twist;     // (v, ω) in its axes
    Vector6d gamma;     // A_j = T A_i + Φ q̈_i + γ                                   (13)
    DomainInertia inertia;
    Vector6d f_nu;  // external forces, its axes
    Vector6d A, F;  // acceleration; force that the parent must give              (14)
    Matrix6d I_A;   // Î with the children, then articulated                 (17), (18)
    Vector6d p, dA;
    // Along the last correction δ of its q̈: δᵀHδ, and δᵀf_int of the forces that led to it.
    double curvature = 0, force_along = 0;
    double subtree_mass = 0;         // kg
    Eigen::Vector3d subtree_centre;  // of mass, its axes, m
    Eigen::Vector3d subtree_force;   // net external force, its axes, N
};

// The air around a domain in one step.
struct DomainAir {
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s, world axes
    double factor = 0;                                   // ½ρC|u|s², kg/(m² s)
};

// Everything that is computed at one moment; sizes are set once. Pools follow TreeDomain's places.
struct TreeWork {
    explicit TreeWork(const DomainTree& tree);

    std::vector<DomainNode> nodes;
    Eigen::VectorXd phi;    // (R Φ)ᵀ of each link, r x 6 in the parent's axes
    Matrix6Xd S, S_hat, W;  // S; with the children; Ŝ L⁻ᵀ
    Eigen::VectorXd H, K;   // r x r of each domain: H, then its Cholesky factor; stiffness
    Eigen::VectorXd b_q, f_q, f_int, residual, y, correction;

    // One evaluation of the elastic forces for each part; many instances in one sweep.
    struct PartWork {
        std::vector<int> domains;
        QuarticEval<double> eval;
        std::unique_ptr<QuarticBatch<double>> batch;  // null: few instances
        Eigen::MatrixXd q;                            // r x instances of the batch
        Eigen::VectorXd q_one;
        Eigen::VectorXd energy;  // V of each of its domains, J, before scaling
    };
    std::vector<PartWork> parts;
    InertiaScratch scratch;
    // Drag in evaluate_tree(), tree_residual() and factorize_tree(): one per domain; empty: none. Velocities
    // are taken so many seconds after those of the evaluation, with gravity in world axes.
    std::vector<DomainAir> air;
    double air_lead = 0;
    Eigen::Vector3d air_gravity = Eigen::Vector3d::Zero();
    Eigen::VectorXd one_in, one_out;       // scratch: of one domain, 6 + r
    Eigen::VectorXd one_square, one_axes;  // scratch: r x r of one domain

    TreeWork(const TreeWork& other);
};

// Kinematics, inertia, external and elastic forces at (q, v): all that does not depend on accelerations.
// domains: one per domain. Allocates nothing.
void evaluate_tree(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                   const Eigen::VectorXd& q, const Eigen::VectorXd& v, const std::vector<DomainForce>& forces,
                   TreeWork& work);
// The same without evaluate_elastic().
void evaluate_loads(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                    const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    const std::vector<DomainForce>& forces, TreeWork& work);
// The part of it that needs no forces: poses, twists, inertia.
void evaluate_motion(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                     const Eigen::VectorXd& q, const Eigen::VectorXd& v, TreeWork& work);
// Poses and twists only.
void evaluate_poses(const DomainTree& tree, const RootMotion& root, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v, TreeWork& work);
// Elastic forces and stiffness only; fills the energies too.
void evaluate_elastic(const DomainTree& tree, const std::vector<DomainState>& domains,
                      const Eigen::VectorXd& q, TreeWork& work);

// Of one domain, at q of all of them; with its energy left as it is.
void evaluate_elastic_of(const DomainTree& tree, const std::vector<DomainState>& domains,
                         const Eigen::VectorXd& q, std::size_t domain, TreeWork& work);

// Local Rayleigh damping D = αM + βK(q), 1/s and s.
struct TreeDamping {
    double alpha = 0, beta = 0;
};

// work.residual and nodes' A and F of the accelerations a = q̈ and A₀ (with gravity in it).       (14), (15)
void tree_residual(const DomainTree& tree, const std::vector<DomainState>& domains, Coupling coupling,
                   const TreeDamping& damping, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                   const Vector6d& root_acceleration, TreeWork& work);

// Factorises M(q) + mass_weights…: H of each domain from its own M, D, K with these weights, and what its
// children add. Where H is not positive definite, K takes part without its negative eigenvalues (33); false:
// not even so.                                         (16)–(18)
struct TreeWeights {
    double damping = 0;    // θh
    double stiffness = 0;  // θ²h²
};
bool factorize_tree(const DomainTree& tree, const std::vector<DomainState>& domains, Coupling coupling,
                    const TreeDamping& damping, const TreeWeights& weights, TreeWork& work);

enum class RootMount { Carried, Free };
// work.correction = −(matrix)⁻¹ residual; the root's share of it is nodes[0].dA. False: the root's inertia is
// singular.                                                                                     (19), (20)
bool solve_tree(const DomainTree& tree, const std::vector<DomainState>& domains, Coupling coupling,
                RootMount mount, TreeWork& work);

// After evaluate_motion(). World axes.
struct TreeMomentum {
    double mass = 0;
    Eigen::Vector3d centre;            // of mass, m
    Eigen::Vector3d momentum;          // N s
    Eigen::Vector3d angular_momentum;  // about the centre, N m s
    Eigen::Matrix3d inertia;           // of the tree as if rigid, about the centre, kg m²
};
TreeMomentum tree_momentum(const DomainTree& tree, const Eigen::VectorXd& v, const TreeWork& work);
double tree_kinetic_energy(const DomainTree& tree, const std::vector<DomainState>& domains,
                           const Eigen::VectorXd& v, const TreeWork& work);
// After evaluate_elastic().
double tree_elastic_energy(const DomainTree& tree, const std::vector<DomainState>& domains,
                           const TreeWork& work);

}  // namespace limber
