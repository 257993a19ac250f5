// SPDX-License-Identifier: Apache-2.0
// The velocities of bodies that touch, at the end of a step:
//
//     min over v of  ½ ‖v − v*‖²_A + Σ ℓ(J v + b)                                                       (46)
//
// with v* and A of the step without contact. Convex; Newton's method with an exact line search, island by
// island. docs/math/contact.md, section 5; equation numbers are that page's.
//
// A body comes with a dense A. One whose A is only solved with comes in coordinates w of the range in which
// the minimum lies, v* + A⁻¹Jᵀz: with JA⁻¹Jᵀ = LLᵀ, its rows are L and its A is the unit matrix
// (tree_coordinates.h).
#pragma once
#include <limber/contact/block_cholesky.h>
#include <limber/contact/contact_law.h>

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace limber {

struct SolverBody {
    SolverBody(const Eigen::MatrixXd* matrix, const Eigen::VectorXd* free, Eigen::VectorXd* v)
        : A(matrix), free_velocity(free->data(), free->size()), velocity(v->data(), v->size()) {}
    // In coordinates in which A is the unit matrix.
    SolverBody(std::span<const double> free, std::span<double> v)
        : free_velocity(free.data(), Eigen::Index(free.size())), velocity(v.data(), Eigen::Index(v.size())) {}

    const Eigen::MatrixXd* A = nullptr;  // n x n, symmetric, positive definite; null: the unit matrix
    Eigen::Map<const Eigen::VectorXd> free_velocity;  // v*, n
    Eigen::Map<Eigen::VectorXd> velocity;             // v, n: where Newton's method starts, and its end
};

struct SolverContact {
    int a = 0;                           // place in ContactProblem::bodies
    int b = -1;                          // -1: nothing that moves by impulses
    std::size_t rows_a = 0, rows_b = 0;  // first entries in ContactProblem::rows: 3 x n, by columns
    Eigen::Vector3d bias = Eigen::Vector3d::Zero();  // b: of supports and obstacles, m/s
    NormalLaw normal;
    FrictionLaw friction;    // its radius: that of the last step, or zero; at the end that of this one
    double coefficient = 0;  // µ
    // At the end, along the normal from b to a and the two tangents.
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // of a relative to b, m/s
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();   // on a, N s
};

struct ContactProblem {
    std::vector<SolverBody> bodies;
    std::vector<SolverContact> contacts;
    std::vector<double> rows;

    Eigen::Map<const Eigen::Matrix3Xd> rows_of(std::size_t first, int body) const {
        return {rows.data() + first, 3, bodies[std::size_t(body)].free_velocity.size()};
    }
};

// Bodies that touch each other, directly or through others, with the contacts among them.
struct Island {
    std::span<const int> bodies, contacts;  // ascending places in the problem
};

struct IslandReport {
    int iterations = 0;         // of Newton's method, in all
    int radius_updates = 0;     // of friction
    double residual = 0;        // of the last solve: the Newton decrement over the energy norm of v, or of v*
    bool converged = true;      // the residual is small
    bool radii_settled = true;  // no radius changes by more than 1% of the largest any more
};

// Contacts of one pair that go into the Hessian together; for the solver.
struct RowPanel {
    int a = -1, b = -1;  // places in the problem
    int contacts = 0;
    Eigen::Index depth = 0;                // columns so far: one or three for each contact
    std::vector<double> Ja, GJa, Jb, GJb;  // Jᵀ and JᵀG: a row for each velocity, by columns
    void clear() {
        a = b = -1;
        contacts = 0;
        depth = 0;
        for (std::vector<double>* each : {&Ja, &GJa, &Jb, &GJb})
            each->clear();
    }
};

// Scratch memory of one thread.
struct IslandWork {
    RowPanel panel;
    BlockCholesky hessian;
    Eigen::VectorXd v, gradient, direction, product;
    Eigen::VectorXd change, free;      // A(v − v*) and Av*
    std::vector<int> sizes, place_of;  // of the bodies in the island
    std::vector<std::pair<int, int>> pairs;
    std::vector<Eigen::Vector3d> velocities, directions;
};

inline constexpr int kMostNewtonIterations = 60;
inline constexpr int kMostRadiusUpdates = 8;

// Sets the velocities of the island's bodies, and velocity, impulse and radius of its contacts. Bounded in
// time; takes memory only for more contacts, or bodies, than ever before.
IslandReport solve_island(ContactProblem& problem, const Island& island, IslandWork& work);

// The impulse on a of a contact at this velocity.
Eigen::Vector3d impulse_at(const SolverContact& contact, const Eigen::Vector3d& velocity);

// Jᵀγ of one body and one contact, added to out (n entries): the impulse on the body's velocities.
void add_impulse(const ContactProblem& problem, const SolverContact& contact, int body, Eigen::VectorXd& out);

// The derivative parts, for tests: gradient and Hessian of (46) at v, concatenated in the order of the
// island.
void contact_gradient(ContactProblem& problem, const Island& island, const Eigen::VectorXd& v,
                      IslandWork& work, Eigen::VectorXd& gradient, Eigen::MatrixXd& hessian);

}  // namespace limber
