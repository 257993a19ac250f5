// SPDX-License-Identifier: Apache-2.0
#include <limber/model/appearance.h>

#include <cmath>
#include <string_view>

namespace limber {

namespace {

bool is_share(double x) {
    return x >= 0 && x <= 1;
}

bool is_wrap(std::int32_t wrap) {
    return wrap == 33071 || wrap == 33648 || wrap == 10497;  // clamp, mirror, repeat
}

bool is_filter(const SurfaceTexture& texture) {
    const std::int32_t mag = texture.mag_filter, min = texture.min_filter;
    return (mag == 0 || mag == 9728 || mag == 9729) &&
           (min == 0 || min == 9728 || min == 9729 || (min >= 9984 && min <= 9987));
}

// Nothing, or what is wrong with it.
std::string material_fault(const SurfaceMaterial& m, std::size_t textures, std::size_t sets) {
    for (double x : m.base_color)
        if (!is_share(x)) return "a base colour is not between 0 and 1";
    for (double x : m.emissive)
        if (!is_share(x)) return "an emissive colour is not between 0 and 1";
    if (!is_share(m.metallic) || !is_share(m.roughness) || !is_share(m.occlusion_strength))
        return "metallic, roughness or occlusion is not between 0 and 1";
    if (!std::isfinite(m.normal_scale)) return "the scale of the normal map is not finite";
    if (!(m.alpha_cutoff >= 0) || !std::isfinite(m.alpha_cutoff)) return "the alpha cutoff is negative";
    for (const TextureUse& use : {m.base_color_texture, m.metallic_roughness_texture, m.normal_texture,
                                  m.occlusion_texture, m.emissive_texture}) {
        if (use.texture == -1) continue;
        if (use.texture < -1 || static_cast<std::size_t>(use.texture) >= textures)
            return "it uses texture " + std::to_string(use.texture) + ", but there are " +
                   std::to_string(textures);
        if (use.set < 0 || static_cast<std::size_t>(use.set) >= sets)
            return "it uses set " + std::to_string(use.set) + " of texture coordinates, but there are " +
                   std::to_string(sets);
        const TextureTransform& t = use.transform;
        for (const double x : {t.offset[0], t.offset[1], t.scale[0], t.scale[1], t.rotation})
            if (!std::isfinite(x)) return "the transformation of a texture is not finite";
    }
    return "";
}

}  // namespace

std::optional<ImageType> image_type(const std::string& bytes) {
    const std::string_view start(bytes);
    if (start.substr(0, 8) == "\x89PNG\r\n\x1a\n") return ImageType::Png;
    if (start.substr(0, 3) == "\xff\xd8\xff") return ImageType::Jpeg;
    return std::nullopt;
}

std::optional<InputError> appearance_problem(const Appearance& appearance, std::size_t vertices,
                                             std::size_t triangles, const std::string& where) {
    const auto problem = [&](const std::string& part, const std::string& text) {
        return InputError{where + ": " + part, text, ""};
    };
    std::size_t covered = 0;
    for (std::size_t p = 0; p < appearance.parts.size(); ++p) {
        const SurfacePart& part = appearance.parts[p];
        const std::string name = "part " + std::to_string(p) + " of the surface";
        if (part.first_triangle < 0 || static_cast<std::size_t>(part.first_triangle) != covered ||
            part.triangle_count <= 0)
            return problem(name, "the parts do not cover the triangles one after the other");
        covered += static_cast<std::size_t>(part.triangle_count);
        if (part.material < -1 ||
            (part.material >= 0 && static_cast<std::size_t>(part.material) >= appearance.materials.size()))
            return problem(name, "it uses material " + std::to_string(part.material) + ", but there are " +
                                     std::to_string(appearance.materials.size()));
    }
    if (!appearance.parts.empty() && covered != triangles)
        return problem("the parts of the surface", "they cover " + std::to_string(covered) + " of " +
                                                       std::to_string(triangles) + " triangles");

    const std::size_t sets = appearance.texture_coordinates.size();
    if (sets > kMostTextureSets)
        return problem("texture coordinates", std::to_string(sets) + " sets are too many");
    for (const auto& set : appearance.texture_coordinates) {
        if (set.size() != vertices)
            return problem("texture coordinates", "there are " + std::to_string(set.size()) + " for " +
                                                      std::to_string(vertices) + " vertices");
        for (const TextureCoordinate& uv : set)
            if (!std::isfinite(uv[0]) || !std::isfinite(uv[1]))
                return problem("texture coordinates", "one of them is not finite");
    }
    if (!appearance.colors.empty() && appearance.colors.size() != vertices)
        return problem("vertex colours", "there are " + std::to_string(appearance.colors.size()) + " for " +
                                             std::to_string(vertices) + " vertices");
    for (const VertexColor& color : appearance.colors)
        for (const float x : color)
            if (!is_share(x)) return problem("vertex colours", "one of them is not between 0 and 1");
    for (std::size_t m = 0; m < appearance.materials.size(); ++m) {
        const std::string fault = material_fault(appearance.materials[m], appearance.textures.size(), sets);
        if (!fault.empty()) return problem("material " + std::to_string(m), fault);
    }
    for (std::size_t t = 0; t < appearance.textures.size(); ++t) {
        const SurfaceTexture& texture = appearance.textures[t];
        const bool in_range =
            texture.image >= 0 && static_cast<std::size_t>(texture.image) < appearance.images.size();
        if (!in_range || !is_filter(texture) || !is_wrap(texture.wrap_s) || !is_wrap(texture.wrap_t))
            return problem("texture " + std::to_string(t), "its image, filter or wrap is unknown");
    }
    for (std::size_t i = 0; i < appearance.images.size(); ++i)
        if (image_type(appearance.images[i].bytes) != appearance.images[i].type)
            return problem("image " + std::to_string(i), "the bytes are not of its type, PNG or JPEG");
    return std::nullopt;
}

}  // namespace limber
