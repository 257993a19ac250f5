// SPDX-License-Identifier: Apache-2.0
#include "build/fem/element_blocks.h"

#include "build/mesh/check.h"
#include "sample_meshes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <set>

namespace limber::build {
namespace {

template <class Group>
void add_vertices(const Group& group, std::set<int>& out) {
    for (const auto& lanes : group.vertex)
        out.insert(std::begin(lanes), std::end(lanes));
}

TEST(ElementBlocks, BlocksOfAColourShareNoVertex) {
    for (const Cells cells : {Cells::Tets, Cells::Bricks, Cells::Mixed}) {
        const VolumeMesh mesh = box_mesh({9, 8, 8}, kSize, cells, 0.2);
        const FemModel model(mesh, two_materials(mesh), {0, 1});
        const ElementBlocks& elements = model.blocks();
        ASSERT_GT(elements.blocks.size(), 8u);
        ASSERT_EQ(elements.colour_begin.back(), int(elements.blocks.size()));
        for (std::size_t c = 0; c + 1 < elements.colour_begin.size(); ++c) {
            std::set<int> seen;
            for (int i = elements.colour_begin[c]; i < elements.colour_begin[c + 1]; ++i) {
                std::set<int> mine;
                const Block& block = elements.blocks[i];
                for (int g = block.begin; g < block.end; ++g) {
                    if (block.kind == Block::Kind::Tets)
                        add_vertices(elements.tets[g], mine);
                    else
                        add_vertices(elements.bricks[g], mine);
                }
                for (const int v : mine)
                    EXPECT_TRUE(seen.insert(v).second) << "vertex " << v << " colour " << c;
            }
        }
    }
}

TEST(ElementBlocks, EveryElementIsInExactlyOneBlock) {
    const VolumeMesh mesh = box_mesh({5, 5, 5}, kSize, Cells::Mixed, 0.2);
    const FemModel model(mesh, two_materials(mesh), {});
    const ElementBlocks& elements = model.blocks();
    const std::set<int> tets(elements.tet_order.begin(), elements.tet_order.end());
    const std::set<int> bricks(elements.brick_order.begin(), elements.brick_order.end());
    EXPECT_EQ(tets.size(), mesh.tets.size());
    EXPECT_EQ(bricks.size(), mesh.bricks.size());
    std::set<std::pair<Block::Kind, int>> groups;
    for (const Block& block : elements.blocks)
        for (int g = block.begin; g < block.end; ++g)
            EXPECT_TRUE(groups.insert({block.kind, g}).second);
    EXPECT_EQ(groups.size(), elements.tets.size() + elements.bricks.size());
}

TEST(ElementBlocks, TranslatedBricksShareOneShapeAndDistortedOnesHaveTheirOwn) {
    VolumeMesh mesh = box_mesh({4, 4, 4}, kSize, Cells::Bricks);
    for (Vertex& x : mesh.vertices)
        x += Eigen::Vector3d(3, 0.1, -7);
    EXPECT_EQ(FemModel(mesh, two_materials(mesh), {}).blocks().brick_points.size(), 8u);
    mesh =
        box_mesh({4, 4, 4}, kSize, Cells::Bricks, 0.2);  // all 64 bricks touch one of the 27 inner vertices
    EXPECT_EQ(FemModel(mesh, two_materials(mesh), {}).blocks().brick_points.size(), 64u * 8);
}

TEST(ElementBlocks, PlacesOfThePatternAreThoseOfTheScalarMatrix) {
    const VolumeMesh mesh = shuffled(box_mesh({2, 2, 2}, kSize, Cells::Mixed), 3);
    const FemModel model(mesh, two_materials(mesh), {4, 9});
    const VertexPattern& pattern = model.blocks().pattern;
    const SparseMatrix matrix = scalar_matrix(pattern);
    for (int j = 0; j < pattern.columns(); ++j) {
        EXPECT_EQ(pattern.diagonal(j), matrix.outerIndexPtr()[3 * j]);
        for (int p = pattern.column_begin[j]; p < pattern.column_begin[j + 1]; ++p) {
            const int row = pattern.rows[p];
            EXPECT_GT(row, j);
            EXPECT_EQ(matrix.innerIndexPtr()[pattern.below(row, j)], 3 * row);
        }
        for (int c = 0; c < 3; ++c)  // ascending rows from the diagonal on
            for (int k = matrix.outerIndexPtr()[3 * j + c]; k < matrix.outerIndexPtr()[3 * j + c + 1]; ++k)
                EXPECT_GE(matrix.innerIndexPtr()[k], k == matrix.outerIndexPtr()[3 * j + c]
                                                         ? 3 * j + c
                                                         : matrix.innerIndexPtr()[k - 1] + 1);
    }
}

TEST(ElementBlocks, ABrickThatIsFoldedInsideButNotAtItsCornersIsRefused) {
    // Found by a search: the Jacobian is above 0.1 at all corners and -0.30 at the Gauss point near corner 4.
    VolumeMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Bricks);
    const Brick& v = mesh.bricks[0];
    const Vertex corner[8] = {{1.13, 0.18, -0.67}, {2.11, 0.51, 0.40},  {1.49, 0.79, 0.40},
                              {-1.12, 1.49, 0.01}, {-0.13, 1.13, 0.62}, {0.54, -0.62, 0.52},
                              {0.25, 0.04, 2.09},  {-0.65, -0.08, 1.98}};
    for (int a = 0; a < 8; ++a)
        mesh.vertices[v[a]] = corner[a];
    EXPECT_NO_THROW(require_sound(mesh, "corners"));
    try {
        const FemModel model(mesh, two_materials(mesh), {});
        FAIL() << "a folded brick was taken";
    } catch (const InputError& error) {
        EXPECT_EQ(error.where, "brick 0");
        EXPECT_NE(error.problem.find("-0.303"), std::string::npos) << error.problem;
    }
}

}  // namespace
}  // namespace limber::build
