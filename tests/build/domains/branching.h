// SPDX-License-Identifier: Apache-2.0
// A structure of eight domains, depth 3, of cubes of 0.1 m: a trunk of three, four branches, one of two.
//
//                 | T2 |== D0 (-y)
//         C0 (+y)=|    |
//   B0 ===========| T1 |== A0 == A1
//                 | T0 |  fixed at z = 0
#pragma once
#include "build/domains/build_domains.h"
#include "build/fem/assemble.h"
#include "build/mesh/boundary.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace limber::build::test {

struct Block {
    std::array<int, 3> from, to;  // cells, the end excluded
    int label;
};

struct CutMesh {
    VolumeMesh mesh;
    std::vector<int> labels, fixed;
    MaterialMap materials;
};

inline CutMesh blocks_mesh(const std::vector<Block>& blocks, double side, const Material& material) {
    CutMesh out;
    std::map<std::array<int, 3>, int> vertex;
    const auto at = [&](int x, int y, int z) {
        const auto [found, fresh] = vertex.emplace(std::array{x, y, z}, int(out.mesh.vertices.size()));
        if (fresh) {
            out.mesh.vertices.emplace_back(side * x, side * y, side * z);
            if (z == 0) out.fixed.push_back(found->second);
        }
        return found->second;
    };
    for (const Block& b : blocks)
        for (int z = b.from[2]; z < b.to[2]; ++z)
            for (int y = b.from[1]; y < b.to[1]; ++y)
                for (int x = b.from[0]; x < b.to[0]; ++x) {
                    out.mesh.bricks.push_back({at(x, y, z), at(x + 1, y, z), at(x + 1, y + 1, z),
                                               at(x, y + 1, z), at(x, y, z + 1), at(x + 1, y, z + 1),
                                               at(x + 1, y + 1, z + 1), at(x, y + 1, z + 1)});
                    out.labels.push_back(b.label);
                }
    out.materials.groups[0].material = material;
    out.materials.group_of_element.assign(out.labels.size(), 0);
    return out;
}

inline CutMesh branching() {
    return blocks_mesh({{{0, 0, 0}, {2, 2, 10}, 0},
                        {{0, 0, 10}, {2, 2, 20}, 1},
                        {{0, 0, 20}, {2, 2, 30}, 2},
                        {{2, 0, 14}, {10, 2, 16}, 3},
                        {{10, 0, 14}, {18, 2, 16}, 4},
                        {{-12, 0, 14}, {0, 2, 16}, 5},
                        {{0, 2, 24}, {2, 14, 26}, 6},
                        {{0, -10, 24}, {2, 0, 26}, 7}},
                       0.1, {.young = 1e8, .poisson = 0.3, .density = 1000});
}

struct BuiltTree {
    CutMesh cut;
    Boundary skin;
    BuiltDomains built;
    // Surface vertices of the tree that show a volume vertex: the first of each.
    std::vector<int> shown_at;
};

inline BuiltTree built_tree(CutMesh cut, int rank, DomainBasis basis = DomainBasis::Loaded) {
    BuiltTree out;
    out.cut = std::move(cut);
    out.skin = boundary_of(out.cut.mesh);
    const std::vector<std::int32_t> input_vertex(out.skin.volume_vertex.begin(),
                                                 out.skin.volume_vertex.end());
    const Decomposition parts = decompose(out.cut.mesh, out.cut.labels, {}, out.cut.fixed);
    DomainsRecipe recipe;
    recipe.ranks.number = rank;
    recipe.basis = basis;
    recipe.surface_basis = SurfaceBasis::Double;
    out.built = build_domains(
        {out.cut.mesh, out.cut.materials, out.cut.fixed, out.skin.surface, input_vertex}, parts, recipe);
    out.shown_at.assign(out.cut.mesh.vertices.size(), -1);
    const auto& shown = out.built.model->surface.input_vertex;
    for (std::size_t v = 0; v < shown.size(); ++v)
        if (out.shown_at[std::size_t(shown[v])] < 0) out.shown_at[std::size_t(shown[v])] = int(v);
    return out;
}

}  // namespace limber::build::test
