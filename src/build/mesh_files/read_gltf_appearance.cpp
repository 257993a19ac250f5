// SPDX-License-Identifier: Apache-2.0
// The looks of a glTF scene: materials, textures, images, up to two sets of texture coordinates, vertex
// colours.
#include "build/file/read_file.h"
#include "build/mesh_files/gltf_scene.h"
#include "build/mesh_files/gltf_uri.h"
#include "build/mesh_files/packed_bytes.h"
#include "build/mesh_files/read_appearance.h"

#include <fmt/format.h>
#include <limber/model/glb.h>
#include <limber/model/gltf_appearance.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace limber::build {
namespace {

using Json = GltfDocument::Json;

constexpr std::int64_t kNone = -1;
// Of the texture coordinates, and last that of the colours; kNone: none.
using Accessors = std::array<std::int64_t, kMostTextureSets + 1>;

float finite_float(double x) {
    const auto out = static_cast<float>(std::isfinite(x) ? x : 0);
    return std::isfinite(out) ? out : 0;
}

// All bytes of a data URI in base64.
std::string decode_data_uri(const std::string& uri, const std::string& where) {
    const std::string_view payload = std::string_view(uri).substr(std::min(uri.find(',') + 1, uri.size()));
    const auto padding = std::count(payload.begin(), payload.end(), '=');
    const std::size_t bytes = payload.size() / 4 * 3;
    return bytes_of_data_uri(uri, bytes - std::min<std::size_t>(bytes, padding), where);
}

class AppearanceReader {
 public:
    AppearanceReader(GltfDocument& gltf, std::string name, std::filesystem::path folder)
        : gltf_(gltf),
          name_(std::move(name)),
          folder_(std::move(folder)),
          scene_(read_gltf_scene(gltf, name_)) {}

    ShownSurface read() {
        Appearance& look = out_.appearance;
        read_gltf_materials(gltf_.root(), look);
        find_texture_coordinates();
        place_runs();
        read_images();
        remove_missing_textures(look);
        if (look.materials.empty()) std::fill(material_.begin(), material_.end(), -1);
        arrange_parts(out_, material_);
        return std::move(out_);
    }

 private:
    void note(const std::string& what) { out_.notes.push_back(what); }

    // The accessors of each run, those that cannot be used left out.
    void find_texture_coordinates() {
        std::size_t sets = 0;
        for (const GltfRun& run : scene_.runs) {
            const Json& primitive = gltf_.item("meshes", run.mesh)["primitives"][run.primitive];
            const Json& attributes = primitive["attributes"];
            Accessors accessors;
            for (std::size_t set = 0; set < kMostTextureSets; ++set) {
                accessors[set] = kNone;
                const Json* accessor = gltf_.member(attributes, fmt::format("TEXCOORD_{}", set).c_str());
                if (!accessor || !accessor->is_number_unsigned()) continue;
                const auto index = accessor->get<std::uint64_t>();
                if (index >= gltf_.count("accessors") || !load(index, run.vertices.count)) continue;
                accessors[set] = static_cast<std::int64_t>(index);
                sets = std::max(sets, set + 1);
            }
            accessors.back() = find_colors(attributes, run.vertices.count);
            has_colors_ = has_colors_ || accessors.back() != kNone;
            accessors_of_run_.push_back(accessors);
        }
        out_.appearance.texture_coordinates.resize(sets);
    }

    // COLOR_0, red, green and blue with or without alpha.
    std::int64_t find_colors(const Json& attributes, int vertices) {
        const Json* accessor = gltf_.member(attributes, "COLOR_0");
        if (!accessor || !accessor->is_number_unsigned()) return kNone;
        const auto index = accessor->get<std::uint64_t>();
        if (index >= gltf_.count("accessors")) return kNone;
        const auto [entry, is_new] = colors_.try_emplace(index);
        if (is_new) {
            try {
                const std::string type = gltf_.text(gltf_.item("accessors", index), "type", "COLOR_0");
                const std::size_t width = type == "VEC3" ? 3 : 4;
                const std::vector<double> numbers = gltf_.vectors(index, static_cast<int>(width));
                for (std::size_t i = 0; i + width <= numbers.size(); i += width) {
                    VertexColor color = {1, 1, 1, 1};
                    for (std::size_t k = 0; k < width; ++k)
                        color[k] = static_cast<float>(std::clamp(numbers[i + k], 0.0, 1.0));
                    entry->second.push_back(color);
                }
            } catch (const InputError& error) {
                note(fmt::format("vertex colours are left out: {}: {}", error.where, error.problem));
            }
        }
        return entry->second.size() == static_cast<std::size_t>(vertices) ? static_cast<std::int64_t>(index)
                                                                          : kNone;
    }

    // Each accessor is read once; it must have one pair for each of so many vertices.
    bool load(std::uint64_t accessor, int vertices) {
        const auto [entry, is_new] = pairs_.try_emplace(accessor);
        if (is_new) {
            try {
                entry->second = gltf_.pairs(accessor);
            } catch (const InputError& error) {
                note(fmt::format("texture coordinates are left out: {}: {}", error.where, error.problem));
            }
        }
        return entry->second.size() == 2 * static_cast<std::size_t>(vertices);
    }

    // Runs that share vertices share them here only if their texture coordinates and colours are the same
    // too.
    void place_runs() {
        std::map<std::pair<int, Accessors>, int> placed;
        for (std::size_t r = 0; r < scene_.runs.size(); ++r) {
            const GltfRun& run = scene_.runs[r];
            const auto [entry, is_new] = placed.try_emplace({run.vertices.first, accessors_of_run_[r]},
                                                            static_cast<int>(out_.vertices.size()));
            if (is_new) place_vertices(run, accessors_of_run_[r]);
            const int shift = entry->second - run.vertices.first;
            const int material = material_of(run);
            for (int t = run.first_triangle; t < run.first_triangle + run.triangle_count; ++t) {
                const Triangle& corners = scene_.mesh.triangles[t];
                out_.triangles.push_back({corners[0] + shift, corners[1] + shift, corners[2] + shift});
                material_.push_back(material);
            }
        }
    }

    void place_vertices(const GltfRun& run, const Accessors& accessors) {
        if (out_.vertices.size() + run.vertices.count > most_instanced(gltf_))
            throw InputError{name_, "the texture coordinates split the scene into too many vertices",
                             "export fewer copies"};
        auto& sets = out_.appearance.texture_coordinates;
        for (int k = 0; k < run.vertices.count; ++k) {
            out_.vertices.push_back(scene_.mesh.vertices[run.vertices.first + k]);
            out_.input_vertex.push_back(run.vertices.first + k);
            for (std::size_t set = 0; set < sets.size(); ++set) {
                TextureCoordinate uv = {0, 0};
                if (accessors[set] != kNone) {
                    const auto& pairs = pairs_.at(static_cast<std::uint64_t>(accessors[set]));
                    uv = {finite_float(pairs[2 * k]), finite_float(pairs[2 * k + 1])};
                }
                sets[set].push_back(uv);
            }
            if (!has_colors_) continue;
            const std::int64_t colors = accessors.back();
            out_.appearance.colors.push_back(colors == kNone ? VertexColor{1, 1, 1, 1}
                                                             : colors_.at(static_cast<std::uint64_t>(
                                                                   colors))[static_cast<std::size_t>(k)]);
        }
    }

    int material_of(const GltfRun& run) const {
        const Json& primitive = gltf_.item("meshes", run.mesh)["primitives"][run.primitive];
        const Json* material = gltf_.member(primitive, "material");
        if (!material || !material->is_number_unsigned()) return -1;
        const auto index = material->get<std::uint64_t>();
        return index < out_.appearance.materials.size() ? static_cast<int>(index) : -1;
    }

    // Images that name the same bytes become one.
    void read_images() {
        Appearance& look = out_.appearance;
        std::map<std::string, std::int32_t> first_of;
        std::vector<std::int32_t> same(look.images.size());
        for (std::size_t i = 0; i < look.images.size(); ++i) {
            same[i] = static_cast<std::int32_t>(i);
            const std::string where = fmt::format("image {}", i);
            try {
                const Json& image = gltf_.item("images", i);
                const auto view = gltf_.whole_number(image, "bufferView", where);
                const std::string uri = gltf_.text(image, "uri", where);
                const bool embedded = !view && is_data_uri(uri);
                const std::string source = view       ? fmt::format("view {}", *view)
                                           : embedded ? where
                                                      : file_of_uri(uri, folder_, where).string();
                const auto [entry, is_new] = first_of.try_emplace(source, same[i]);
                same[i] = entry->second;
                if (!is_new) continue;
                look.images[i].name = gltf_.text(image, "name", where);
                look.images[i].bytes = view       ? std::string(gltf_.view_bytes(*view))
                                       : embedded ? decode_data_uri(uri, where)
                                                  : read_file(source);
                if (!image_type(look.images[i].bytes))
                    note(fmt::format("{} is left out: it is neither PNG nor JPEG", where));
            } catch (const InputError& error) {
                note(fmt::format("{} is left out: {}", where, error.problem));
            }
        }
        for (SurfaceTexture& texture : look.textures)
            if (texture.image >= 0 && static_cast<std::size_t>(texture.image) < same.size())
                texture.image = same[texture.image];
    }

    GltfDocument& gltf_;
    std::string name_;
    std::filesystem::path folder_;
    GltfScene scene_;
    ShownSurface out_;
    std::vector<Accessors> accessors_of_run_;
    std::map<std::uint64_t, std::vector<double>> pairs_;  // by accessor; empty where it could not be read
    std::map<std::uint64_t, std::vector<VertexColor>> colors_;  // likewise
    bool has_colors_ = false;
    std::vector<int> material_;  // of each triangle
};

}  // namespace

ShownSurface read_glb_appearance(std::string_view bytes, const std::string& name) {
    const Result<GlbChunks> split = split_glb(bytes, name);
    if (!split.ok()) throw split.error();
    const GlbChunks& chunks = split.value();
    GltfDocument gltf(chunks.json, chunks.binary, name, {});
    return AppearanceReader(gltf, name, {}).read();
}

ShownSurface read_gltf_appearance(std::string_view bytes, const std::string& name,
                                  const std::filesystem::path& folder) {
    GltfDocument gltf(bytes, std::nullopt, name, folder);
    return AppearanceReader(gltf, name, folder).read();
}

}  // namespace limber::build
