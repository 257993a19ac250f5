// SPDX-License-Identifier: Apache-2.0
// How much too stiffly cubes bend where a body is only a few of them thick: docs/math/filled_cubes.md,
// section 4.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <limber/model/brick_quadrature.h>

namespace limber::build {

// Medians over the volume. A cube counts with the stack through it along the axis in which that is thinnest.
struct Bending {
    double thickness = 0;  // cubes, by what they enclose
    double excess = 1;     // (6): bending stiffness of the stack over that of a plate of this thickness
};

// Of cubes of this side (m).
Bending bending_of(const VolumeMesh& cubes, double side, double poisson, BrickQuadrature quadrature);

// The excess of a plate that is so many full cubes thick.
double plate_excess(int cubes, double poisson, BrickQuadrature quadrature);

}  // namespace limber::build
