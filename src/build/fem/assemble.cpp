// SPDX-License-Identifier: Apache-2.0
#include "build/fem/assemble.h"

#include "build/fem/element_blocks.h"
#include "build/fem/stvk_element.h"

#include <tbb/parallel_for.h>

#include <cassert>
#include <cmath>

namespace limber::build {
namespace {

// Calls visit(index of block) for all blocks: colour after colour, the blocks of a colour in parallel.
template <class Visit>
void sweep(const ElementBlocks& elements, Visit visit) {
    for (std::size_t c = 0; c + 1 < elements.colour_begin.size(); ++c)
        tbb::parallel_for(elements.colour_begin[c], elements.colour_begin[c + 1], visit);
}

template <int Vertices, int Points>
void load_displacement(const int (&vertex)[Vertices][kLanes], const double* u,
                       ElementLanes<Vertices, Points>& out) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const double* origin = u + 3 * vertex[0][lane];
        for (int a = 0; a < Vertices; ++a)
            for (int i = 0; i < 3; ++i)
                out.d[a][i][lane] = u[3 * vertex[a][lane] + i] - origin[i];
    }
}

// The four elements of a group, rest data and displacements.
class TetLoader {
 public:
    using Element = ElementLanes<4, 1>;
    explicit TetLoader(const ElementBlocks& elements) : groups_(elements.tets) {
        element_.weight[0] = element_.root_weight[0] = Lanes{1, 1, 1, 1};
    }
    const TetGroup& group(int g) const { return groups_[g]; }

    const Element& load(int g, const double* u) {
        const TetGroup& group = groups_[g];
        load_displacement(group.vertex, u, element_);
        for (int i = 0; i < 3; ++i) {
            for (int a = 1; a < 4; ++a)
                element_.b[0][a][i] = group.b[a - 1][i];
            element_.b[0][0][i] = -(group.b[0][i] + group.b[1][i] + group.b[2][i]);
        }
        element_.lambda = group.lambda;
        element_.mu = group.mu;
        return element_;
    }

 private:
    const std::vector<TetGroup>& groups_;
    Element element_;
};

// Loads the shape of a lane only where it differs from the group before: voxels load once per block.
template <int Points>
class BrickLoader {
 public:
    using Element = ElementLanes<8, Points>;
    explicit BrickLoader(const ElementBlocks& elements) : elements_(elements) {}
    const BrickGroup& group(int g) const { return elements_.bricks[g]; }

    const Element& load(int g, const double* u) {
        const BrickGroup& group = elements_.bricks[g];
        load_displacement(group.vertex, u, element_);
        for (int lane = 0; lane < kLanes; ++lane)
            if (shape_[lane] != group.shape[lane]) load_shape(lane, group.shape[lane]);
        element_.lambda = group.lambda;
        element_.mu = group.mu;
        return element_;
    }

 private:
    void load_shape(int lane, int shape) {
        const BrickPoint* points = elements_.brick_points.data() + std::size_t(shape) * Points;
        for (int q = 0; q < Points; ++q) {
            element_.weight[q][lane] = points[q].weight;
            element_.root_weight[q][lane] = std::sqrt(points[q].weight);
            for (int a = 0; a < 8; ++a)
                for (int i = 0; i < 3; ++i)
                    element_.b[q][a][i][lane] = points[q].b[a][i];
        }
        shape_[lane] = shape;
    }

    const ElementBlocks& elements_;
    Element element_;
    int shape_[kLanes] = {-1, -1, -1, -1};
};

template <class Loader, class Visit>
void for_each_group_of_kind(const ElementBlocks& elements, const Block& block, const Visit& visit) {
    Loader loader(elements);
    for (int g = block.begin; g < block.end; ++g)
        visit(loader, g);
}

// Calls visit(loader, g) for every group of a block.
template <class Visit>
void for_each_group(const ElementBlocks& elements, const Block& block, const Visit& visit) {
    if (block.kind == Block::Kind::Tets)
        for_each_group_of_kind<TetLoader>(elements, block, visit);
    else if (elements.points_per_brick == 8)
        for_each_group_of_kind<BrickLoader<8>>(elements, block, visit);
    else
        for_each_group_of_kind<BrickLoader<27>>(elements, block, visit);
}

template <int Vertices>
void scatter_force(const int (&vertex)[Vertices][kLanes], const Lanes (&f)[Vertices][3], double* out) {
    for (int a = 0; a < Vertices; ++a)
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < 3; ++i)
                out[3 * vertex[a][lane] + i] += f[a][i][lane];
}

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
