// SPDX-License-Identifier: Apache-2.0
// How much a surface must deform before it can touch itself. After Barbič & James 2010.
// docs/math/contact.md, section 3.
#pragma once
#include <limber/contact/contact_surface.h>
#include <limber/contact/moved_surface.h>

#include <Eigen/Core>
#include <cstddef>

namespace limber {

// Of each column, no two points of triangles without a common vertex differ by more than this times their
// distance at rest, by a unit of it: 1/m times the column's unit.                                    (30)
struct SelfBound {
    Eigen::VectorXd slope;
};

// O(t r) or so: a second for 60k triangles with r = 15. For surfaces that are asked for contact with
// themselves. After most_pairs pairs of nodes it gives up: the slopes are infinite, which certifies nothing.
SelfBound bound_self_contact(const ContactSurface& surface, std::size_t most_pairs = 50'000'000);

// Is every pair of points farther apart than three quarters of its distance at rest, for certain? O(r).  (31)
bool is_free_of_itself(const SelfBound& bound, const ContactSurface& surface, const SurfaceConfiguration& at);

}  // namespace limber
