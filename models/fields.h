// SPDX-License-Identifier: Apache-2.0
// Fields of round bodies for isosurface(): chains of beads and ellipsoids, joined with fillets. Any unit of
// length.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace limber::models {

struct Bead {
    Eigen::Vector3d at;
    double radius;
};
// A round body along a path of beads, such as a vessel or a leg.
using Chain = std::vector<Bead>;

// A path through a few beads, made smooth: Catmull-Rom with `steps` beads from one to the next.
Chain smooth(const Chain& rough, int steps);

// The smaller of two fields, with a fillet of about `blend` where they are equal.
double join(double a, double b, double blend);

// `blend`: the fillet between one piece of the chain and the next.
double field_of(const Chain& chain, const Eigen::Vector3d& p, double blend);

double ellipsoid(const Eigen::Vector3d& p, const Eigen::Vector3d& centre, const Eigen::Vector3d& radii);

}  // namespace limber::models
