// SPDX-License-Identifier: Apache-2.0
// Dead loads: their direction and size do not follow the body.
#include "build/fem/assemble.h"

#include <fmt/format.h>
#include <limber/input_error.h>

namespace limber::build {

Eigen::VectorXd shared_force(const FemModel& model, const std::vector<int>& vertices,
                             const Eigen::Vector3d& total) {
    if (vertices.empty())
        throw InputError{"load", "no vertex is selected to carry the force", "check the selection"};
    if (!total.allFinite())
        throw InputError{"load", fmt::format("the force is ({}, {}, {}) N", total[0], total[1], total[2]),
                         "every component must be a finite number"};
    Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * model.vertex_count());
    for (const int v : vertices) {
        if (v < 0 || v >= model.vertex_count())
            throw InputError{"load",
                             fmt::format("vertex {} does not exist; the mesh has vertices 0 to {}", v,
                                         model.vertex_count() - 1),
                             "vertex ids start at 0"};
        f.segment<3>(3 * v) += total / double(vertices.size());
    }
    return f;
}

}  // namespace limber::build
