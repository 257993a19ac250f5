// SPDX-License-Identifier: Apache-2.0
// Which free vertices share an element: the pattern of all matrices, in blocks of 3x3.
#pragma once
#include "build/fem/model.h"

#include <cstddef>
#include <vector>

namespace limber::build {

// Lower triangle below the diagonal, by columns. Block p of column j holds the three scalar rows of rows[p].
// In the scalar matrix a column of m such blocks is stored as
//     column 3j:    d d d | b b b | b b b ...      3 + 3m entries
//     column 3j+1:    d d | b b b | b b b ...      2 + 3m
//     column 3j+2:      d | b b b | b b b ...      1 + 3m
// so the place of every entry follows from the block's first one and m.
struct VertexPattern {
    std::vector<int> column_begin;  // free vertices + 1
    std::vector<int> rows;          // ascending in each column, all > column

    int columns() const { return static_cast<int>(column_begin.size()) - 1; }
    int blocks_below(int column) const { return column_begin[column + 1] - column_begin[column]; }
    // Where entry (3·column, 3·column) is stored.
    int diagonal(int column) const { return 6 * column + 9 * column_begin[column]; }
    // Where entry (3·row, 3·column) is stored; row > column, and the pair is in the pattern.
    int below(int row, int column) const;
};

// free_of_vertex: -1 for fixed vertices. O(elements · log). Throws InputError if the matrix would have more
// than 2^31 entries.
VertexPattern make_vertex_pattern(const VolumeMesh& mesh, const std::vector<int>& free_of_vertex,
                                  std::size_t free_vertices);

// The scalar matrix with zero values.
SparseMatrix scalar_matrix(const VertexPattern& pattern);

}  // namespace limber::build
