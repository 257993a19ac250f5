// SPDX-License-Identifier: Apache-2.0
#include "build/fem/vertex_pattern.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace limber::build {
namespace {

// Calls visit(row, column) for every pair of free vertices of every element, row > column, with repeats.
template <class Visit>
void for_each_pair(const VolumeMesh& mesh, const std::vector<int>& free_of_vertex, Visit visit) {
    const auto pairs_of = [&](const auto& element) {
        for (std::size_t a = 1; a < element.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const int i = free_of_vertex[element[a]];
                const int j = free_of_vertex[element[b]];
                if (i >= 0 && j >= 0 && i != j)
                    visit(static_cast<std::size_t>(std::max(i, j)), static_cast<std::size_t>(std::min(i, j)));
            }
    };
    for (const Tet& tet : mesh.tets)
        pairs_of(tet);
    for (const Brick& brick : mesh.bricks)
        pairs_of(brick);
}

}  // namespace

int VertexPattern::below(int row, int column) const {
    const auto begin = rows.begin() + column_begin[column];
    const auto end = rows.begin() + column_begin[column + 1];
    const auto found = std::lower_bound(begin, end, row);
    assert(found != end && *found == row);
    return diagonal(column) + 3 + 3 * static_cast<int>(found - begin);
}

VertexPattern make_vertex_pattern(const VolumeMesh& mesh, const std::vector<int>& free_of_vertex,
                                  std::size_t free_vertices) {
    // Every pair goes to its column, repeats included; then each column is sorted and thinned.
    std::vector<std::size_t> begin(free_vertices + 1, 0);
    for_each_pair(mesh, free_of_vertex, [&](std::size_t, std::size_t column) { ++begin[column + 1]; });
    for (std::size_t j = 0; j < free_vertices; ++j)
        begin[j + 1] += begin[j];
    std::vector<int> rows(begin[free_vertices]);
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for_each_pair(mesh, free_of_vertex,
                  [&](std::size_t row, std::size_t column) { rows[next[column]++] = static_cast<int>(row); });

    std::vector<std::size_t> length(free_vertices);
    tbb::parallel_for(std::size_t{0}, free_vertices, [&](std::size_t j) {
        int* first = rows.data() + begin[j];
        int* last = rows.data() + begin[j + 1];
        std::sort(first, last);
        length[j] = std::unique(first, last) - first;
    });

    std::size_t blocks = 0;
    for (const std::size_t l : length)
        blocks += l;
    const std::size_t entries = 6 * free_vertices + 9 * blocks;
    if (entries > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw InputError{
            "the mesh", fmt::format("its stiffness matrix would have {} entries; the limit is 2^31", entries),
            "coarsen the mesh"};

    VertexPattern pattern;
    pattern.column_begin.resize(free_vertices + 1, 0);
    pattern.rows.reserve(blocks);
    for (std::size_t j = 0; j < free_vertices; ++j) {
        const int* first = rows.data() + begin[j];
        pattern.rows.insert(pattern.rows.end(), first, first + length[j]);
        pattern.column_begin[j + 1] = static_cast<int>(pattern.rows.size());
    }
    return pattern;
}

SparseMatrix scalar_matrix(const VertexPattern& pattern) {
    const int n = pattern.columns();
    SparseMatrix out(3 * n, 3 * n);
    out.resizeNonZeros(6 * n + 9 * static_cast<Eigen::Index>(pattern.rows.size()));
    int* outer = out.outerIndexPtr();
    int* inner = out.innerIndexPtr();
    tbb::parallel_for(0, n, [&](int j) {
        int at = pattern.diagonal(j);
        for (int c = 0; c < 3; ++c) {
            outer[3 * j + c] = at;
            for (int r = c; r < 3; ++r)
                inner[at++] = 3 * j + r;
            for (int p = pattern.column_begin[j]; p < pattern.column_begin[j + 1]; ++p)
                for (int r = 0; r < 3; ++r)
                    inner[at++] = 3 * pattern.rows[p] + r;
        }
    });
    outer[3 * n] = static_cast<int>(out.data().size());
    out.coeffs().setZero();
    return out;
}

}  // namespace limber::build
