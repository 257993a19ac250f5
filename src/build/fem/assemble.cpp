// SPDX-License-Identifier: Apache-2.0
#include "build/fem/assemble.h"

#include "build/fem/element_loader.h"

#include <cassert>

namespace limber::build {
namespace {

// One diagonal block: six entries in three columns of 3 + 3m, 2 + 3m and 1 + 3m (VertexPattern).
inline void scatter_diagonal(const Lanes (&K)[9], int lane, const VertexColumn& column, double* values) {
    double* at = values + column.diagonal;
    for (int r = 0; r < 3; ++r)
        at[r] += K[r][lane];
    at += 3 + 3 * column.below;
    for (int r = 1; r < 3; ++r)
        at[r - 1] += K[3 + r][lane];
    at += 2 + 3 * column.below;
    at[0] += K[8][lane];
}

inline void scatter_below(const Lanes (&K)[9], int lane, int place, const VertexColumn& column,
                          double* values) {
    double* at = values + place;
    const int step = 2 + 3 * column.below;
    for (int r = 0; r < 3; ++r) {
        at[r] += K[r][lane];
        at[step + r] += K[3 + r][lane];
        at[2 * step - 1 + r] += K[6 + r][lane];
    }
}

inline void scatter_below_transposed(const Lanes (&K)[9], int lane, int place, const VertexColumn& column,
                                     double* values) {
    double* at = values + place;
    const int step = 2 + 3 * column.below;
    for (int r = 0; r < 3; ++r) {
        at[r] += K[3 * r][lane];
        at[step + r] += K[3 * r + 1][lane];
        at[2 * step - 1 + r] += K[3 * r + 2][lane];
    }
}

template <class Group, int Vertices>
void scatter_stiffness(const Group& group, const StiffnessLanes<Vertices>& K, const VertexColumn* columns,
                       double* values) {
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int a = 0, pair = 0; a < Vertices; ++a) {
            const VertexColumn& column = columns[group.vertex[a][lane]];
            if (column.diagonal >= 0) scatter_diagonal(K.diagonal[a], lane, column, values);
            for (int b = 0; b < a; ++b, ++pair) {
                const int place = group.pair[pair][lane];
                if (place >= 0)
                    scatter_below(K.below[pair], lane, place, columns[group.vertex[b][lane]], values);
                else if (place != kDropped)
                    scatter_below_transposed(K.below[pair], lane, ~place, column, values);
            }
        }
    }
}

}  // namespace

double elastic_energy(const FemModel& model, const Eigen::VectorXd& u) {
    assert(u.size() == 3 * model.vertex_count());
    const ElementBlocks& elements = model.blocks();
    // Blocks are summed in their order, so that the sum does not depend on who was first.
    std::vector<double> of_block(elements.blocks.size());
    tbb::parallel_for(std::size_t{0}, of_block.size(), [&](std::size_t i) {
        Lanes sum = {};
        for_each_group(elements, elements.blocks[i], [&](auto& loader, int g) {
            Lanes energy;
            element_energy(loader.load(g, u.data()), energy);
            sum += energy;
        });
        of_block[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    });
    double total = 0;
    for (const double energy : of_block)
        total += energy;
    return total;
}

void internal_force(const FemModel& model, const Eigen::VectorXd& u, Eigen::VectorXd& out) {
    assert(u.size() == 3 * model.vertex_count());
    const ElementBlocks& elements = model.blocks();
    out.setZero(u.size());
    sweep(elements, [&](int i) {
        for_each_group(elements, elements.blocks[i], [&]<class Loader>(Loader& loader, int g) {
            const auto& element = loader.load(g, u.data());
            Lanes f[std::extent_v<decltype(Loader::Element::d)>][3];
            element_force(element, f);
            scatter_force(loader.group(g).vertex, f, out.data());
        });
    });
}

SparseMatrix matrix_pattern(const FemModel& model) {
    return scalar_matrix(model.blocks().pattern);
}

void force_and_stiffness(const FemModel& model, const Eigen::VectorXd& u, Eigen::VectorXd& out_force,
                         SparseMatrix& out_stiffness) {
    assert(u.size() == 3 * model.vertex_count());
    const ElementBlocks& elements = model.blocks();
    if (out_stiffness.size() == 0)
        out_stiffness = matrix_pattern(model);
    else
        out_stiffness.coeffs().setZero();
    assert(out_stiffness.rows() == model.free_dofs() && out_stiffness.isCompressed());
    assert(out_stiffness.nonZeros() ==
           2 * model.free_dofs() + 9 * Eigen::Index(elements.pattern.rows.size()));
    out_force.setZero(u.size());
    double* values = out_stiffness.valuePtr();
    sweep(elements, [&](int i) {
        for_each_group(elements, elements.blocks[i], [&]<class Loader>(Loader& loader, int g) {
            constexpr int vertices = std::extent_v<decltype(Loader::Element::d)>;
            const auto& element = loader.load(g, u.data());
            Lanes f[vertices][3];
            StiffnessLanes<vertices> K;
            element_force_and_stiffness(element, f, K);
            scatter_force(loader.group(g).vertex, f, out_force.data());
            scatter_stiffness(loader.group(g), K, elements.columns.data(), values);
        });
    });
}

}  // namespace limber::build
