// SPDX-License-Identifier: Apache-2.0
// Drag of the domains of a tree: linear in the velocities at the end of the step, with a factor from its
// start, so that the step solves it implicitly and light leaves do not make it unstable.
// docs/math/domains.md, section 9.
#pragma once
#include <limber/domains/tree_dynamics.h>
#include <limber/domains/wind.h>

namespace limber {

// Fills work.air from the poses and twists that evaluate_poses() left there, in world axes; no wind: clears
// it. Allocates only the first time.
void set_air(const DomainTree& tree, const std::vector<DomainState>& domains, const Wind* wind, double time,
             const Eigen::VectorXd& q, const Eigen::VectorXd& v, TreeWork& work);

// For evaluate_tree(): f = ½ρC|u| D (air − motion) on a domain's frame and coordinates.                 (26)
void add_drag(const DomainTree& tree, std::size_t domain, const Eigen::VectorXd& v, TreeWork& work);
// How f changes where the velocities of a domain change by seconds · (A, a).
void add_drag_by_acceleration(const DomainTree& tree, std::size_t domain, double seconds, const Vector6d& A,
                              const Eigen::VectorXd& a, TreeWork& work);
// For factorize_tree(): what that adds to the matrix of the residual.                                   (28)
void add_drag_matrix(const DomainTree& tree, std::size_t domain, double seconds, TreeWork& work);

}  // namespace limber
