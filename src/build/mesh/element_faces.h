// SPDX-License-Identifier: Apache-2.0
// All faces of all elements, equal ones side by side.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <array>
#include <cstddef>
#include <vector>

namespace limber::build {

struct FaceUse {
    std::array<int, 4> key;  // vertex ids descending; a triangle ends with -1
    int element = 0;         // tets first
    int face = 0;            // row of kTetFaces or kBrickFaces
};

// Grouped by key; equal keys by ascending element. The faces of one element that has a corner out of
// range are left out.
std::vector<FaceUse> face_uses(const VolumeMesh& mesh);

// Calls visit(begin, end) for each run of uses of the same face.
template <class Visit>
void for_each_face(const std::vector<FaceUse>& uses, Visit&& visit) {
    for (std::size_t i = 0; i < uses.size();) {
        std::size_t j = i + 1;
        while (j < uses.size() && uses[j].key == uses[i].key)
            ++j;
        visit(&uses[i], &uses[i] + (j - i));
        i = j;
    }
}

}  // namespace limber::build
