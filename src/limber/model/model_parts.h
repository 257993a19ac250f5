// SPDX-License-Identifier: Apache-2.0
// The parts of a model file and their arrays. A new part is a struct, a list of its arrays here, a
// (shared, maybe null) member of Model, and a line in for_each_part(): then it is read, written, checked for
// sizes and finite numbers, and must stand in the table of docs/model_file.md.
#pragma once
#include <limber/model/model.h>
#include <limber/model/model_array.h>

#include <cstddef>
#include <string>
#include <tuple>

namespace limber {

// Letters: r rank, g groups, s vertices and t triangles of the surface, n vertices and e elements of the
// volume, w = z(z+1)/2 with z = r + r(r+1)/2, h = r + 1, y = 3h, m modes to warp, k nodes with mass,
// d companions.

// Lengths that follow from the rank. 64 bits: Eigen::Index has 32 in WebAssembly.
inline void set_rank(KnownLengths& lengths, std::int64_t r) {
    const std::int64_t z = r + r * (r + 1) / 2;
    lengths.set("r", r);
    lengths.set("w", z * (z + 1) / 2);
    lengths.set("h", r + 1);
    lengths.set("y", 3 * (r + 1));
}

inline constexpr auto kSurfaceArrays =
    std::make_tuple(member_array({.name = "surface.vertices",
                                  .shape = "s × 3",
                                  .meaning = "rest positions, m",
                                  .largest = kLargestShown},
                                 &ModelSurface::vertices),
                    member_array({.name = "surface.triangles",
                                  .shape = "t × 3",
                                  .meaning = "the bytes that the primitives index with",
                                  .below = "s"},
                                 &ModelSurface::triangles),
                    member_array({.name = "surface.input_vertex",
                                  .shape = "s",
                                  .meaning = "the vertex of the user's file: seams split vertices",
                                  .below = "2147483647"},
                                 &ModelSurface::input_vertex),
                    member_array({.name = "surface.basis",
                                  .shape = "r × s × 3",
                                  .meaning = "U on the surface, 1/√kg; only with `--surface-basis double`",
                                  .presence = Presence::Optional,
                                  .set = "basis"},
                                 &ModelSurface::basis),
                    member_array(
                        {.name = "surface.parts",
                         .shape = "p × 3",
                         .meaning = "first triangle, triangles, material (−1: none); empty: one part"},
                        [](auto& surface) -> auto& { return surface.appearance.parts; }),
                    member_array(
                        {.name = "surface.colors",
                         .shape = "s × 4",
                         .meaning = "the bytes of `COLOR_0`, linear red, green, blue, alpha",
                         .presence = Presence::Optional,
                         .set = "colors"},
                        [](auto& surface) -> auto& { return surface.appearance.colors; }),
                    member_array({.name = "surface.tree_order",
                                  .shape = "t",
                                  .meaning = "the triangles in the order of the tree for contact "
                                             "([contact.md](math/contact.md), section 1); without it, made "
                                             "when it is needed",
                                  .presence = Presence::Optional,
                                  .set = "tree",
                                  .below = "t"},
                                 &ModelSurface::tree_order));

// Arrays of which there may be several: the letter i at the end of their names counts them from 0.
// U_i on the surface is target_i / s_i in doubles; the float targets replace surface.basis.
inline constexpr ModelArray kTargetArray = {
    .name = "surface.target.i",
    .shape = "s × 3",
    .meaning =
        "the bytes of morph target i, in place of `surface.basis`: U_i on the surface is target_i / s_i, "
        "in doubles, 1/√kg",
    .presence = Presence::Optional,
    .set = "targets"};
inline constexpr ModelArray kTextureCoordinateArray = {.name = "surface.texture_coordinates.i",
                                                       .shape = "s × 2",
                                                       .meaning = "the bytes of `TEXCOORD_i`, i = 0, 1",
                                                       .presence = Presence::Optional,
                                                       .set = "texture_coordinates"};
inline std::string numbered(const ModelArray& array, std::ptrdiff_t i) {
    std::string name = array.name;
    name.pop_back();
    return name + std::to_string(i);
}

// None of them in lean files.
inline constexpr auto kVolumeArrays = std::make_tuple(
    member_array({.name = "volume.vertices",
                  .shape = "n × 3",
                  .meaning = "vertices of the volume mesh, m",
                  .largest = kLargestShown},
                 &ModelVolume::vertices),
    member_array({.name = "volume.tets", .shape = "any × 4", .meaning = "its tetrahedra", .below = "n"},
                 &ModelVolume::tets),
    member_array({.name = "volume.bricks", .shape = "any × 8", .meaning = "its bricks", .below = "n"},
                 &ModelVolume::bricks),
    member_array({.name = "volume.group_of_element",
                  .shape = "e",
                  .meaning = "into `groups`, of the tetrahedra, then of the bricks",
                  .below = "g"},
                 &ModelVolume::group_of_element),
    member_array({.name = "volume.fraction",
                  .shape = "e",
                  .meaning = "the filled fraction, above 0 and at most 1; all 1 without it",
                  .presence = Presence::Optional,
                  .set = "fraction"},
                 &ModelVolume::fraction),
    member_array({.name = "volume.fixed_vertices", .shape = "any", .meaning = "ascending", .below = "n"},
                 &ModelVolume::fixed_vertices),
    member_array({.name = "volume.basis", .shape = "r × n × 3", .meaning = "U"}, &ModelVolume::basis));

// None of them in models for only StVK.
inline constexpr auto kWarpArrays = std::make_tuple(
    member_array({.name = "warp.eigenvalues", .shape = "m", .meaning = "λ of the m linear modes, 1/s²"},
                 &WarpModel::eigenvalues),
    member_array({.name = "warp.node_mass",
                  .shape = "k",
                  .meaning = "of the k free nodes, kg ([warping.md](math/warping.md) (12))"},
                 &WarpModel::node_mass),
    member_array({.name = "warp.node_moment", .shape = "k × 3", .meaning = "of the free nodes, kg m"},
                 &WarpModel::node_moment),
    member_array({.name = "warp.node_modes",
                  .shape = "k × 3 × m",
                  .meaning = "Φ at the free nodes",
                  .largest = kLargestShown},
                 &WarpModel::node_modes),
    member_array({.name = "warp.node_rotations",
                  .shape = "k × 3 × m",
                  .meaning = "Ψ at the free nodes",
                  .largest = kLargestShown},
                 &WarpModel::node_rotations),
    member_array({.name = "warp.surface_modes",
                  .shape = "s × 3 × m",
                  .meaning = "Φ on the surface",
                  .largest = kLargestShown},
                 &WarpModel::surface_modes),
    member_array({.name = "warp.surface_rotations",
                  .shape = "s × 3 × m",
                  .meaning = "Ψ on the surface",
                  .largest = kLargestShown},
                 &WarpModel::surface_rotations),
    member_array(
        {.name = "warp.companion_forms",
         .shape = "c × d",
         .meaning = "what the amplitudes of the d companions have of q_a q_b of the first modes, a ≤ b in "
                    "the order 00, 01, …, 11, … ([warping.md](math/warping.md) (27))",
         .presence = Presence::Optional,
         .set = "companions"},
        &WarpModel::companion_forms),
    member_array({.name = "warp.surface_companions",
                  .shape = "s × 3 × d",
                  .meaning = "Γ on the surface; there if `warp.companion_forms` is",
                  .presence = Presence::Optional,
                  .set = "companions",
                  .largest = kLargestShown},
                 &WarpModel::surface_companions));

// All groups share an array: its first length, g, counts them.
inline constexpr auto kMaterialArrays = std::make_tuple(
    member_array({.name = "groups.material", .shape = "g × 3", .meaning = "E (Pa), ν, ρ (kg/m³) as built"},
                 &ModelGroup::material));

// None of them in models without the reduced energy.
inline constexpr auto kStvkArrays = std::make_tuple(
    member_array(
        {.name = "groups.bulk",
         .shape = "g × w",
         .meaning = "W of κ = 1 Pa, packed upper triangles by columns "
                    "([reduced_stvk.md](math/reduced_stvk.md) (3), (5)); w = z(z+1)/2, z = r + r(r+1)/2"},
        &StvkGroup::bulk),
    member_array({.name = "groups.shear", .shape = "g × w", .meaning = "W of μ = 1 Pa"}, &StvkGroup::shear),
    member_array({.name = "groups.mass", .shape = "g × r × r", .meaning = "UᵀMU of ρ = 1"}, &StvkGroup::mass),
    member_array({.name = "groups.weight", .shape = "g × 3 × r", .meaning = "UᵀM(e_x e_y e_z) of ρ = 1"},
                 &StvkGroup::weight),
    member_array({.name = "groups.moment",
                  .shape = "g × 9 × r",
                  .meaning = "UᵀM(x_k e_j) of ρ = 1 in row j + 3k: what a turning support pushes with",
                  .presence = Presence::Optional,
                  .set = "moment"},
                 &StvkGroup::moment),
    member_array({.name = "groups.first_tensor",
                  .shape = "g × h × 3",
                  .meaning = "c_a = ∫Ŭ_a of ρ = 1, Ŭ = [X U], h = r + 1 "
                             "([reduced_stvk.md](math/reduced_stvk.md) (17c))",
                  .presence = Presence::Optional,
                  .set = "tensors"},
                 &StvkGroup::first_tensor),
    member_array({.name = "groups.second_tensor",
                  .shape = "g × y × y",
                  .meaning = "G_ab = ∫Ŭ_aŬ_bᵀ of ρ = 1 in rows 3a … 3a + 2 and columns 3b … 3b + 2, y = 3h; "
                             "there if `groups.first_tensor` is",
                  .presence = Presence::Optional,
                  .set = "tensors"},
                 &StvkGroup::second_tensor));

inline constexpr auto kInertiaArrays = std::make_tuple(
    member_array({.name = "groups.volume", .shape = "g", .meaning = "m³"}, &ModelGroup::volume),
    member_array({.name = "groups.first_moment", .shape = "g × 3", .meaning = "∫x, m⁴"},
                 &ModelGroup::first_moment),
    member_array({.name = "groups.second_moment", .shape = "g × 3 × 3", .meaning = "∫xxᵀ, m⁵"},
                 &ModelGroup::second_moment));

inline constexpr auto kBasisArrays = std::make_tuple(
    member_array({.name = "target_scale", .shape = "r", .meaning = "s_i", .presence = Presence::InFile},
                 &Model::target_scale),
    member_array({.name = "frequencies_hz", .shape = "any", .meaning = "of the linear modes"},
                 &Model::frequencies_hz),
    member_array({.name = "spectrum", .shape = "any", .meaning = "singular values of mass-PCA"},
                 &Model::spectrum));

// Of a part of a tree, in its own object: all its interfaces share an array, i counts them.
inline constexpr auto kInterfaceArrays = std::make_tuple(
    member_array({.name = "interfaces.centre",
                  .shape = "i × 3",
                  .meaning = "x̂, m ([domains.md](math/domains.md) (1))"},
                 &DomainInterface::centre),
    member_array({.name = "interfaces.covariance", .shape = "i × 3 × 3", .meaning = "C, m²"},
                 &DomainInterface::covariance),
    member_array({.name = "interfaces.shift", .shape = "i × r × 3", .meaning = "â"}, &DomainInterface::shift),
    member_array({.name = "interfaces.turn", .shape = "i × r × 9", .meaning = "Bˡ by columns"},
                 &DomainInterface::turn));

// The domains of a tree as a file has them, column by column.
struct DomainTable {
    std::vector<std::int32_t> part, parent, interface;
    std::vector<Eigen::Vector3d> position;
    std::vector<std::array<double, 4>> rotation;
    std::vector<double> scale;
    Eigen::VectorXd frequencies_hz;
};
// j counts the domains.
inline constexpr auto kDomainArrays = std::make_tuple(
    member_array({.name = "domains.part", .shape = "j", .meaning = "into `parts`"}, &DomainTable::part),
    member_array({.name = "domains.parent", .shape = "j", .meaning = "a domain before it; −1: the root"},
                 &DomainTable::parent),
    member_array({.name = "domains.interface", .shape = "j", .meaning = "of the parent's part; −1: the root"},
                 &DomainTable::interface),
    member_array({.name = "domains.position",
                  .shape = "j × 3",
                  .meaning = "of its origin in the parent's frame and units at rest",
                  .largest = kLargestShown},
                 &DomainTable::position),
    member_array(
        {.name = "domains.rotation", .shape = "j × 4", .meaning = "quaternion x, y, z, w, parent from child"},
        &DomainTable::rotation),
    member_array({.name = "domains.scale", .shape = "j", .meaning = "relative to the parent"},
                 &DomainTable::scale),
    member_array({.name = "frequencies_hz",
                  .shape = "any",
                  .meaning = "the lowest of the whole tree, linearised at rest"},
                 &DomainTable::frequencies_hz));

// Calls visit(list, part) in the order in which files have the arrays. A part is a struct, a list of groups,
// or a shared pointer that may be null. ModelT: Model or const Model.
template <class ModelT, class Visit>
void for_each_part(ModelT& model, Visit&& visit) {
    visit(kSurfaceArrays, model.surface);
    visit(kVolumeArrays, model.volume);
    visit(kWarpArrays, model.warp);
    visit(kMaterialArrays, model.groups);
    visit(kStvkArrays, model.stvk);
    visit(kInertiaArrays, model.groups);
    visit(kBasisArrays, model);
}

}  // namespace limber
