// SPDX-License-Identifier: Apache-2.0
// The volume of an element and whether a solver can use it.
#pragma once
#include "build/mesh/volume_mesh.h"

namespace limber::build {

// Mean ratio 12 (3 V)^(2/3) / (sum of squared edges): 1 for the regular tet. Below this a tet is a sliver.
inline constexpr double kSliver = 0.05;

enum class ElementShape {
    Sound,
    Sliver,    // a tet of poor quality
    Flat,      // no volume that arithmetic can use
    Inverted,  // a tet of negative volume, a brick whose map turns over at a corner
};

struct MeasuredElement {
    double volume = 0;  // signed, m^3
    ElementShape shape = ElementShape::Sound;
};
// All corners must be there and finite.
MeasuredElement measure(const VolumeMesh& mesh, const Tet& tet);
MeasuredElement measure(const VolumeMesh& mesh, const Brick& brick);

}  // namespace limber::build
