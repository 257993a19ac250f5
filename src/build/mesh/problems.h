// SPDX-License-Identifier: Apache-2.0
// How checks of surfaces and volumes put their findings into a report.
#pragma once
#include "build/mesh/check.h"

#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

// How many, and the first of them.
struct Offenders {
    std::size_t count = 0;
    std::vector<int> first_ids;

    void add(std::size_t id) {
        if (count++ < kMostIds) first_ids.push_back(static_cast<int>(id));
    }
    int first() const { return first_ids.empty() ? -1 : first_ids.front(); }
};

// "1 edge", "12 edges".
std::string counted(std::size_t count, std::string_view one, std::string_view many = {});
// "1 edge is", "12 edges are".
std::string are(std::size_t count, std::string_view one, std::string_view many = {});

// Nothing happens if there are no offenders.
void add_problem(MeshReport& report, std::string kind, const Offenders& offenders, std::string message,
                 std::string try_this);

// Bounds, coordinates that are not finite, absurd scale.
void check_vertices(const std::vector<Vertex>& vertices, MeshReport& report);

// What no solver can take, then what a solver will suffer from, then what is only untidy.
void sort_worst_first(MeshReport& report);

}  // namespace limber::build
