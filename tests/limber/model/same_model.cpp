// SPDX-License-Identifier: Apache-2.0
#include "tests/limber/model/same_model.h"

#include <gtest/gtest.h>

#include <cstring>

namespace limber {
namespace {

// Bits, not values: -0 differs from 0.
template <class Matrix>
void expect_same_bits(const Matrix& a, const Matrix& b, const char* what) {
    ASSERT_EQ(a.rows(), b.rows()) << what;
    ASSERT_EQ(a.cols(), b.cols()) << what;
    if (a.size() > 0) {
        EXPECT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * a.size()), 0) << what;
    }
}

void expect_same_points(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        expect_same_bits(a[i], b[i], "a vertex");
}

void expect_same_look(const Appearance& a, const Appearance& b) {
    EXPECT_EQ(a.texture_coordinates, b.texture_coordinates);
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
        EXPECT_EQ(a.parts[i].first_triangle, b.parts[i].first_triangle);
        EXPECT_EQ(a.parts[i].triangle_count, b.parts[i].triangle_count);
        EXPECT_EQ(a.parts[i].material, b.parts[i].material);
    }
    ASSERT_EQ(a.images.size(), b.images.size());
    for (std::size_t i = 0; i < a.images.size(); ++i) {
        EXPECT_EQ(a.images[i].name, b.images[i].name);
        EXPECT_EQ(a.images[i].bytes, b.images[i].bytes);
        EXPECT_EQ(a.images[i].type, b.images[i].type);
    }
    ASSERT_EQ(a.textures.size(), b.textures.size());
    for (std::size_t i = 0; i < a.textures.size(); ++i) {
        EXPECT_EQ(a.textures[i].image, b.textures[i].image);
        EXPECT_EQ(a.textures[i].mag_filter, b.textures[i].mag_filter);
        EXPECT_EQ(a.textures[i].min_filter, b.textures[i].min_filter);
        EXPECT_EQ(a.textures[i].wrap_s, b.textures[i].wrap_s);
        EXPECT_EQ(a.textures[i].wrap_t, b.textures[i].wrap_t);
    }
    ASSERT_EQ(a.materials.size(), b.materials.size());
    for (std::size_t i = 0; i < a.materials.size(); ++i) {
        const SurfaceMaterial &x = a.materials[i], &y = b.materials[i];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.base_color, y.base_color);
        EXPECT_EQ(x.emissive, y.emissive);
        EXPECT_EQ(x.metallic, y.metallic);
        EXPECT_EQ(x.roughness, y.roughness);
        EXPECT_EQ(x.normal_scale, y.normal_scale);
        EXPECT_EQ(x.occlusion_strength, y.occlusion_strength);
        EXPECT_EQ(x.alpha_mode, y.alpha_mode);
        EXPECT_EQ(x.alpha_cutoff, y.alpha_cutoff);
        EXPECT_EQ(x.double_sided, y.double_sided);
        for (const auto use : {&SurfaceMaterial::base_color_texture,
                               &SurfaceMaterial::metallic_roughness_texture, &SurfaceMaterial::normal_texture,
                               &SurfaceMaterial::occlusion_texture, &SurfaceMaterial::emissive_texture}) {
            EXPECT_EQ((x.*use).texture, (y.*use).texture);
            EXPECT_EQ((x.*use).set, (y.*use).set);
            EXPECT_EQ((x.*use).transform, (y.*use).transform);
        }
        EXPECT_EQ(x.extensions, y.extensions);
    }
    EXPECT_EQ(a.colors, b.colors);
}

void expect_same_warp(const WarpModel& a, const WarpModel& b) {
    expect_same_bits(a.eigenvalues, b.eigenvalues, "eigenvalues");
    expect_same_bits(a.node_mass, b.node_mass, "node_mass");
    expect_same_points(a.node_moment, b.node_moment);
    expect_same_bits(a.node_modes, b.node_modes, "node_modes");
    expect_same_bits(a.node_rotations, b.node_rotations, "node_rotations");
    expect_same_bits(a.surface_modes, b.surface_modes, "surface_modes");
    expect_same_bits(a.surface_rotations, b.surface_rotations, "surface_rotations");
    expect_same_bits(a.surface_companions, b.surface_companions, "surface_companions");
    expect_same_bits(a.companion_forms, b.companion_forms, "companion_forms");
}

void expect_same_stvk(const StvkModel& a, const StvkModel& b) {
    ASSERT_EQ(a.groups.size(), b.groups.size());
    for (std::size_t g = 0; g < a.groups.size(); ++g) {
        const StvkGroup &x = a.groups[g], &y = b.groups[g];
        expect_same_bits(x.bulk, y.bulk, "bulk");
        expect_same_bits(x.shear, y.shear, "shear");
        expect_same_bits(x.mass, y.mass, "mass");
        expect_same_bits(x.weight, y.weight, "weight");
        expect_same_bits(x.moment, y.moment, "moment");
        expect_same_bits(x.first_tensor, y.first_tensor, "first_tensor");
        expect_same_bits(x.second_tensor, y.second_tensor, "second_tensor");
    }
}

}  // namespace

void expect_same(const Model& a, const Model& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.up, b.up);
    EXPECT_EQ(a.rank, b.rank);
    EXPECT_EQ(a.modes, b.modes);
    EXPECT_EQ(a.basis_kind, b.basis_kind);
    EXPECT_EQ(a.command, b.command);
    EXPECT_EQ(a.volume_vertices, b.volume_vertices);
    EXPECT_EQ(a.volume_elements, b.volume_elements);
    EXPECT_EQ(a.free_body, b.free_body);
    EXPECT_EQ(a.lumped_mass, b.lumped_mass);
    EXPECT_EQ(a.quadrature, b.quadrature);
    expect_same_bits(a.target_scale, b.target_scale, "target_scale");
    expect_same_bits(a.frequencies_hz, b.frequencies_hz, "frequencies_hz");
    expect_same_bits(a.spectrum, b.spectrum, "spectrum");

    expect_same_points(a.surface.vertices, b.surface.vertices);
    EXPECT_EQ(a.surface.triangles, b.surface.triangles);
    EXPECT_EQ(a.surface.input_vertex, b.surface.input_vertex);
    EXPECT_EQ(a.surface.kept_as, b.surface.kept_as);
    EXPECT_EQ(a.surface.tree_order, b.surface.tree_order);
    expect_same_bits(a.surface.basis, b.surface.basis, "surface.basis");
    expect_same_look(a.surface.appearance, b.surface.appearance);

    expect_same_points(a.volume.vertices, b.volume.vertices);
    EXPECT_EQ(a.volume.tets, b.volume.tets);
    EXPECT_EQ(a.volume.bricks, b.volume.bricks);
    EXPECT_EQ(a.volume.group_of_element, b.volume.group_of_element);
    EXPECT_EQ(a.volume.fraction, b.volume.fraction);
    EXPECT_EQ(a.volume.fixed_vertices, b.volume.fixed_vertices);
    expect_same_bits(a.volume.basis, b.volume.basis, "volume.basis");

    ASSERT_EQ(a.warp == nullptr, b.warp == nullptr);
    if (a.warp) expect_same_warp(*a.warp, *b.warp);

    ASSERT_EQ(a.stvk == nullptr, b.stvk == nullptr);
    if (a.stvk) expect_same_stvk(*a.stvk, *b.stvk);
    ASSERT_EQ(a.groups.size(), b.groups.size());
    for (std::size_t g = 0; g < a.groups.size(); ++g) {
        const ModelGroup &x = a.groups[g], &y = b.groups[g];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.material.young, y.material.young);
        EXPECT_EQ(x.material.poisson, y.material.poisson);
        EXPECT_EQ(x.material.density, y.material.density);
        EXPECT_EQ(x.volume, y.volume);
        expect_same_bits(x.first_moment, y.first_moment, "first_moment");
        expect_same_bits(x.second_moment, y.second_moment, "second_moment");
    }
}

}  // namespace limber
