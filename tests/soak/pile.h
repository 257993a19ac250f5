// SPDX-License-Identifier: Apache-2.0
// Bodies of five models poured into a box that is open above.
#pragma once
#include "tests/soak/soft_bodies.h"

#include <limber/world/world.h>

#include <string>
#include <vector>

namespace limber::soak {

struct Pile {
    World world;
    double side = 0;  // m, of the box within
    // A step of the world; returns false where a body or an island was not solved.
    bool step(double dt);
    double deepest = 0;  // m, of any contact so far
};

// `count` bodies in layers above the box, turned at random, each layer as far above the last as it needs.
// The box is `side` wide: some eight layers of them fill it about as high as it is wide.
Pile pour(const std::vector<SmallBody>& kinds, int count, const ParallelFor& parallel_for = {});

// What is wrong with it: a number that is not finite, a body of which a vertex is outside the box by more
// than a hundredth of the side. Empty: nothing.
std::string problem_of(const Pile& pile);

}  // namespace limber::soak
