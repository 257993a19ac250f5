// SPDX-License-Identifier: Apache-2.0
// How assembly walks over elements: colour after colour, four elements at a time. The kernels of
// stvk_element.h take what is loaded here.
#pragma once
#include "build/fem/element_blocks.h"
#include "build/fem/stvk_element.h"

#include <tbb/parallel_for.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace limber::build {

// Calls visit(index of block) for all blocks: colour after colour, the blocks of a colour in parallel.
template <class Visit>
void sweep(const ElementBlocks& elements, Visit visit) {
    for (std::size_t c = 0; c + 1 < elements.colour_begin.size(); ++c)
        tbb::parallel_for(elements.colour_begin[c], elements.colour_begin[c + 1], visit);
}

template <int Vertices, int Points>
inline void load_displacement(const int (&vertex)[Vertices][kLanes], const double* u,
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

// Loads the shape of a lane only where it differs from the group before: voxels load once per block. One
// point: the pressure bricks.
template <int Points>
class BrickLoader {
 public:
    using Element = ElementLanes<8, Points>;
    explicit BrickLoader(const ElementBlocks& elements)
        : groups_(Points == 1 ? elements.pressure_bricks : elements.bricks),
          points_(Points == 1 ? elements.pressure_points : elements.brick_points) {}
    const BrickGroup& group(int g) const { return groups_[g]; }

    const Element& load(int g, const double* u) {
        const BrickGroup& group = groups_[g];
        load_displacement(group.vertex, u, element_);
        for (int lane = 0; lane < kLanes; ++lane)
            if (shape_[lane] != group.shape[lane]) load_shape(lane, group.shape[lane]);
        element_.lambda = group.lambda;
        element_.mu = group.mu;
        return element_;
    }

 private:
    void load_shape(int lane, int shape) {
        const BrickPoint* points = points_.data() + std::size_t(shape) * Points;
        for (int q = 0; q < Points; ++q) {
            element_.weight[q][lane] = points[q].weight;
            element_.root_weight[q][lane] = std::sqrt(points[q].weight);
            for (int a = 0; a < 8; ++a)
                for (int i = 0; i < 3; ++i)
                    element_.b[q][a][i][lane] = points[q].b[a][i];
        }
        shape_[lane] = shape;
    }

    const std::vector<BrickGroup>& groups_;
    const std::vector<BrickPoint>& points_;
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
    else if (block.kind == Block::Kind::PressureBricks)
        for_each_group_of_kind<BrickLoader<1>>(elements, block, visit);
    else if (elements.points_per_brick == 8)
        for_each_group_of_kind<BrickLoader<8>>(elements, block, visit);
    else
        for_each_group_of_kind<BrickLoader<27>>(elements, block, visit);
}

template <int Vertices>
inline void scatter_force(const int (&vertex)[Vertices][kLanes], const Lanes (&f)[Vertices][3], double* out) {
    for (int a = 0; a < Vertices; ++a)
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < 3; ++i)
                out[3 * vertex[a][lane] + i] += f[a][i][lane];
}

}  // namespace limber::build
