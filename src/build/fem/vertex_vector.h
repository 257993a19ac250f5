// SPDX-License-Identifier: Apache-2.0
// Vectors with three entries per vertex, as callers give them.
#pragma once
#include "build/fem/model.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <cmath>

namespace limber::build {

// Throws InputError unless x has 3 entries for each vertex of the mesh, all finite. `name` and `unit` are for
// the message.
inline void check_vertex_vector(const Eigen::VectorXd& x, const FemModel& model, const char* name,
                                const char* unit) {
    if (x.size() != 3 * model.vertex_count())
        throw InputError{name,
                         fmt::format("{} entries were given; the mesh has {} vertices, so {} are needed",
                                     x.size(), model.vertex_count(), 3 * model.vertex_count()),
                         ""};
    for (Eigen::Index i = 0; i < x.size(); ++i)
        if (!std::isfinite(x[i]))
            throw InputError{name, fmt::format("vertex {} has the component {} {}", i / 3, x[i], unit), ""};
}

}  // namespace limber::build
