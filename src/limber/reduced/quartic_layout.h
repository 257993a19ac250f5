// SPDX-License-Identifier: Apache-2.0
// The order in which the coefficients of a quartic form lie in memory: the order in which evaluate() reads
// them. For the sources of this folder only. docs/math/reduced_stvk.md, section 6.
//
// The coefficients are a matrix with a row for every pair (a, b), a <= b, or (1, b) for the cubic ones, and a
// column for every product p = (c, d), b <= c <= d. Products are numbered as in z, so the columns of a row
// are the last ones of all. Columns are cut into panels, so that what is summed over them stays in the
// first-level cache. In a panel, rows are swept for two values of b at once, b = (0,1), (2,3) …: first the
// head
//     (1,b) (1,b') (b,b) (b,b') (b',b')
// then for a = (0,1), (2,3) … < b the block
//     (a,b) (a,b') (a',b) (a',b')
// The rows of a head or block alternate register by register. What lies left of column (b,b), or beyond r, is
// zero.
#pragma once
#include "limber/reduced/lanes.h"

#include <algorithm>
#include <cstddef>

namespace limber::quartic {

using Index = std::ptrdiff_t;

inline constexpr int kHeadRows = 5, kBlockRows = 4;

constexpr int round_up(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Where the products of q_c with q_c, q_c+1 … begin; with c = r, their number.
constexpr int first_product(int rank, int c) {
    return c * rank - c * (c - 1) / 2;
}

// The same for the rows of b, rounded to whole registers.
template <class Scalar>
constexpr int first_column(int rank, int b) {
    return first_product(rank, b) / kLanes<Scalar> * kLanes<Scalar>;
}
template <class Scalar>
constexpr int columns(int rank) {
    return round_up(first_product(rank, rank), kLanes<Scalar>);
}

// Columns of a panel: r rows of it fill 24 KB.
template <class Scalar>
constexpr int panel_width(int rank) {
    constexpr int L = kLanes<Scalar>;
    return std::max(8, 24576 / static_cast<int>(sizeof(Scalar)) / std::max(rank, 1) / L) * L;
}

// Calls head(b, begin, n, offset) and block(a, b, begin, n, offset) in the order of memory: the sweep over
// the columns begin … begin + n - 1, whose first coefficient lies at offset. Returns the number of
// coefficients.
template <class Scalar, class Head, class Block>
inline Index for_each_sweep(int rank, const Head& head, const Block& block) {
    const int end = columns<Scalar>(rank), width = panel_width<Scalar>(rank);
    Index offset = 0;
    for (int left = 0; left < end; left += width) {
        const int right = std::min(left + width, end);
        for (int b = 0; b < rank; b += 2) {
            const int begin = std::max(left, first_column<Scalar>(rank, b)), n = right - begin;
            if (n <= 0) break;
            head(b, begin, n, offset);
            offset += Index(kHeadRows) * n;
            for (int a = 0; a < b; a += 2, offset += Index(kBlockRows) * n)
                block(a, b, begin, n, offset);
        }
    }
    return offset;
}

// Entry p, from the sweep's first column, of row `row` of `rows` that alternate register by register.
template <class Scalar>
constexpr Index alternating(int rows, int row, int p) {
    return Index(p / kLanes<Scalar> * rows + row) * kLanes<Scalar> + p % kLanes<Scalar>;
}

}  // namespace limber::quartic
