// SPDX-License-Identifier: Apache-2.0
// How a surface looks: texture coordinates, colours, materials, textures and images, in the terms of glTF 2.0
// (sections 3.8 and 3.9). It is carried from the user's file into the model's; limber computes nothing with
// it.
#pragma once
#include <limber/input_error.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace limber {

// KHR_texture_transform: uv' = offset + R(rotation) (scale uv).
struct TextureTransform {
    std::array<double, 2> offset = {0, 0}, scale = {1, 1};
    double rotation = 0;  // rad, counter-clockwise
    bool operator==(const TextureTransform&) const = default;
};

struct TextureUse {
    std::int32_t texture = -1;  // into Appearance::textures; -1: none
    std::int32_t set = 0;       // which texture coordinates
    TextureTransform transform = {};
};

enum class AlphaMode { Opaque, Mask, Blend };

struct SurfaceMaterial {
    std::string name = "";
    std::array<double, 4> base_color = {1, 1, 1, 1};  // linear red, green, blue, alpha, 0 to 1
    std::array<double, 3> emissive = {0, 0, 0};       // linear, 0 to 1
    double metallic = 1, roughness = 1;               // 0 to 1
    double normal_scale = 1, occlusion_strength = 1;
    AlphaMode alpha_mode = AlphaMode::Opaque;
    double alpha_cutoff = 0.5;  // of AlphaMode::Mask
    bool double_sided = false;
    TextureUse base_color_texture = {}, metallic_roughness_texture = {}, normal_texture = {},
               occlusion_texture = {}, emissive_texture = {};
    // A JSON object of the extensions KHR_materials_..., as the file has them but for the indices of their
    // textures, which are those of Appearance::textures. Empty: none.
    std::string extensions = "";
};

// Filters and wraps are glTF's numbers (those of OpenGL).
struct SurfaceTexture {
    std::int32_t image = 0;                       // into Appearance::images
    std::int32_t mag_filter = 0, min_filter = 0;  // 0: not said
    std::int32_t wrap_s = 10497, wrap_t = 10497;  // repeat
};

enum class ImageType { Png, Jpeg };

struct SurfaceImage {
    std::string name;
    ImageType type = ImageType::Png;
    std::string bytes;  // the file, as it was
};

// Consecutive triangles of one material.
struct SurfacePart {
    std::int32_t first_triangle = 0, triangle_count = 0;
    std::int32_t material = -1;  // into Appearance::materials; -1: glTF's default
};

using TextureCoordinate = std::array<float, 2>;  // u to the right, v down, from the upper left corner
using VertexColor = std::array<float, 4>;        // linear red, green, blue, alpha, 0 to 1

struct Appearance {
    std::vector<SurfacePart> parts;  // all triangles, in order; empty: one part of the default material
    // Sets of one coordinate per vertex, at most kMostTextureSets of them.
    std::vector<std::vector<TextureCoordinate>> texture_coordinates;
    std::vector<VertexColor> colors;  // one per vertex, times the base colour; empty: none
    std::vector<SurfaceMaterial> materials;
    std::vector<SurfaceTexture> textures;
    std::vector<SurfaceImage> images;
};

inline constexpr std::size_t kMostTextureSets = 2;

// What the first bytes say; nothing if they are neither a PNG's nor a JPEG's.
std::optional<ImageType> image_type(const std::string& bytes);

// What is wrong with it for a surface of this size, if anything: counts, indices, values out of range.
std::optional<InputError> appearance_problem(const Appearance& appearance, std::size_t vertices,
                                             std::size_t triangles, const std::string& where);

}  // namespace limber
