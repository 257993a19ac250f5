// SPDX-License-Identifier: Apache-2.0
// The looks of a Wavefront OBJ: texture coordinates (vt), and of its material library (MTL) the diffuse
// colour Kd, the opacity d or Tr, and the picture map_Kd.
#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/gltf_uri.h"
#include "build/mesh_files/obj_text.h"
#include "build/mesh_files/polygon.h"
#include "build/mesh_files/read_appearance.h"

#include <fmt/format.h>
#include <limber/model/gltf_appearance.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>

namespace limber::build {
namespace {

// MTL's light is older than metallic and roughness: a dull plastic stands for it.
constexpr double kMetallic = 0, kRoughness = 0.5;
constexpr std::size_t kMostMaterials = 100'000;
constexpr double kLargestCoordinate = 1e30;  // a float holds it

// v grows upward in OBJ and downward in glTF. What is no number counts as zero.
std::vector<TextureCoordinate> read_texture_coordinates(std::string_view bytes, const std::string& name) {
    const auto number = [](std::string_view word) {
        double x = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
        return error == std::errc() && std::abs(x) < kLargestCoordinate ? x : 0;
    };
    std::vector<TextureCoordinate> out;
    TextScanner scan(bytes, name);
    while (!scan.at_end()) {
        const std::string_view statement = scan.token_on_line();
        if (statement == "vt") {
            const double u = number(next_obj_word(scan));
            const double v = number(next_obj_word(scan));
            out.push_back({static_cast<float>(u), static_cast<float>(1 - v)});
        }
        skip_obj_statement(scan, statement);
    }
    return out;
}

// The picture of a map_ statement: what follows its options, of which each takes its known number of words.
std::string picture_name(std::string_view text) {
    const std::map<std::string_view, int> options = {
        {"-blendu", 1}, {"-blendv", 1}, {"-boost", 1}, {"-mm", 2},      {"-o", 3},    {"-s", 3}, {"-t", 3},
        {"-texres", 1}, {"-clamp", 1},  {"-bm", 1},    {"-imfchan", 1}, {"-type", 1}, {"-cc", 1}};
    const auto skip_blanks = [&] {
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    const auto take_word = [&] {
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(end);
        skip_blanks();
        return word;
    };
    skip_blanks();
    while (text.starts_with('-')) {
        const auto option = options.find(take_word());
        if (option == options.end()) continue;
        for (int i = 0; i < option->second; ++i)
            take_word();
    }
    return std::string(text);
}

// The materials of the libraries that an OBJ names, with their pictures.
class MaterialLibrary {
 public:
    MaterialLibrary(std::filesystem::path folder, ShownSurface& out)
        : folder_(std::move(folder)), out_(out) {}

    void open(const std::string& file) {
        if (const auto bytes = load(file, "the material library")) read(*bytes, file);
    }
    // Into Appearance::materials; -1 if no library has it.
    int find(const std::string& material) const {
        const auto found = index_of_.find(material);
        return found == index_of_.end() ? -1 : found->second;
    }

 private:
    // A file of the folder; nothing, and a note, if it cannot be read. Each is opened once.
    std::optional<std::string> load(std::string file, const std::string& what) {
        std::replace(file.begin(), file.end(), '\\', '/');  // as Windows writes it
        if (!opened_.insert(file).second) return std::nullopt;
        try {
            return read_file(file_of_uri(file, folder_, file));
        } catch (const InputError& error) {
            out_.notes.push_back(fmt::format("{} is left out: {}", what, error.problem));
            return std::nullopt;
        }
    }

    void read(const std::string& bytes, const std::string& file) {
        try {
            read_statements(bytes, file);
        } catch (const InputError& error) {
            out_.notes.push_back(fmt::format("the rest of the material library is left out: {}: {}",
                                             error.where, error.problem));
        }
    }

    void read_statements(const std::string& bytes, const std::string& file) {
        auto& materials = out_.appearance.materials;
        SurfaceMaterial* material = nullptr;
        TextScanner scan(bytes, file);
        const auto share = [&] {
            return std::clamp(scan.to_finite_number(scan.token_on_line(), "a number of a material"), 0.0,
                              1.0);
        };
        while (!scan.at_end()) {
            const std::string_view statement = scan.token_on_line();
            if (statement == "newmtl") {
                if (materials.size() == kMostMaterials) scan.fail("there are too many materials");
                const std::string name(scan.rest_of_line());
                index_of_.try_emplace(name, static_cast<int>(materials.size()));
                materials.push_back({.name = name, .metallic = kMetallic, .roughness = kRoughness});
                material = &materials.back();
                continue;
            }
            if (material && statement == "Kd") {
                const std::string_view word = scan.token_on_line();
                const bool plain = word != "spectral" && word != "xyz";
                if (plain && material->base_color_texture.texture < 0) {
                    material->base_color[0] =
                        std::clamp(scan.to_finite_number(word, "a colour of a material"), 0.0, 1.0);
                    // One number stands for all three.
                    for (int c = 1; c < 3; ++c)
                        material->base_color[c] = scan.at_end_of_line() ? material->base_color[0] : share();
                }
            } else if (material && (statement == "d" || statement == "Tr")) {
                const double x = share();
                material->base_color[3] = statement == "d" ? x : 1 - x;
                material->alpha_mode = material->base_color[3] < 1 ? AlphaMode::Blend : AlphaMode::Opaque;
            } else if (material && statement == "map_Kd") {
                material->base_color_texture = {texture(picture_name(scan.rest_of_line())), 0};
                // The picture has the colour; programs write any Kd beside it, black too.
                if (material->base_color_texture.texture >= 0)
                    std::fill_n(material->base_color.begin(), 3, 1.0);
                continue;
            }
            scan.skip_line();
        }
    }

    // A texture that shows the picture; -1 if it cannot be shown.
    std::int32_t texture(const std::string& file) {
        const auto [entry, is_new] = texture_of_.try_emplace(file, -1);
        if (!is_new) return entry->second;
        auto bytes = load(file, fmt::format("the picture '{}'", printable(file)));
        if (!bytes) return -1;
        const auto type = image_type(*bytes);
        if (!type) {
            out_.notes.push_back(
                fmt::format("the picture '{}' is left out: it is neither PNG nor JPEG", printable(file)));
            return -1;
        }
        Appearance& look = out_.appearance;
        look.textures.push_back({.image = static_cast<std::int32_t>(look.images.size())});
        look.images.push_back({std::filesystem::path(file).stem().string(), *type, std::move(*bytes)});
        return entry->second = static_cast<std::int32_t>(look.textures.size()) - 1;
    }

    std::filesystem::path folder_;
    ShownSurface& out_;
    std::map<std::string, int> index_of_;
    std::map<std::string, std::int32_t> texture_of_;
    std::set<std::string> opened_;
};

// The vertices of the file, and a copy for each further texture coordinate that one is used with.
class SeamSplitter {
 public:
    SeamSplitter(const std::vector<TextureCoordinate>& coordinates, ShownSurface& out)
        : coordinates_(coordinates), out_(out), first_use_(out.vertices.size(), kUnused) {
        out.appearance.texture_coordinates.assign(1, std::vector<TextureCoordinate>(out.vertices.size()));
    }
    // The vertex that shows `vertex` with this texture coordinate (-1: none).
    int operator()(int vertex, int coordinate) {
        auto& shown = out_.appearance.texture_coordinates[0];
        const TextureCoordinate uv = coordinate < 0 ? TextureCoordinate{0, 0} : coordinates_[coordinate];
        if (first_use_[vertex] == kUnused) {
            first_use_[vertex] = coordinate;
            shown[vertex] = uv;
        }
        if (first_use_[vertex] == coordinate) return vertex;
        const auto [entry, is_new] =
            copies_.try_emplace({vertex, coordinate}, static_cast<int>(out_.vertices.size()));
        if (is_new) {
            out_.vertices.push_back(Vertex(out_.vertices[vertex]));
            out_.input_vertex.push_back(vertex);
            shown.push_back(uv);
        }
        return entry->second;
    }

 private:
    static constexpr int kUnused = -2;
    const std::vector<TextureCoordinate>& coordinates_;
    ShownSurface& out_;
    std::vector<int> first_use_;  // the coordinate of the vertex itself
    std::map<std::pair<int, int>, int> copies_;
};

// "v x y z r g b": as Meshlab, ZBrush and Blender write colours, which OBJ itself does not have. With another
// number of words there is none.
std::optional<VertexColor> obj_color(TextScanner ahead) {
    std::array<double, 6> numbers{};
    std::size_t count = 0;
    for (auto word = next_obj_word(ahead); !word.empty() && word[0] != '#'; word = next_obj_word(ahead)) {
        if (count == numbers.size()) return std::nullopt;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), numbers[count++]);
        if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    }
    if (count != numbers.size()) return std::nullopt;
    VertexColor out = {1, 1, 1, 1};
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(numbers[3 + k] >= 0 && numbers[3 + k] <= 1)) return std::nullopt;
        out[k] = linear_color(numbers[3 + k]);
    }
    return out;
}

}  // namespace

ShownSurface read_obj_appearance(std::string_view bytes, const std::string& name,
                                 const std::filesystem::path& folder) {
    ShownSurface out;
    out.vertices = read_obj(bytes, name).vertices;  // which also refuses what is no OBJ
    out.input_vertex.resize(out.vertices.size());
    std::iota(out.input_vertex.begin(), out.input_vertex.end(), 0);
    const std::size_t vertices = out.vertices.size();
    const std::vector<TextureCoordinate> coordinates = read_texture_coordinates(bytes, name);

    MaterialLibrary library(folder, out);
    SeamSplitter split(coordinates, out);
    PolygonCutter cutter;
    std::size_t vertices_so_far = 0, coordinates_so_far = 0;
    std::vector<int> material_of_triangle, corners, places;
    std::vector<VertexColor> colors;          // of the file's vertices
    std::vector<std::string> material_names;  // of usemtl statements; libraries may come after them
    std::vector<std::string> libraries;
    std::vector<Vertex> polygon;
    std::vector<Triangle> cut;
    TextScanner scan(bytes, name);
    while (!scan.at_end()) {
        const std::string_view statement = scan.token_on_line();
        if (statement == "v") {
            if (const auto color = obj_color(scan); color && vertices_so_far < vertices) {
                colors.resize(vertices, VertexColor{1, 1, 1, 1});
                colors[vertices_so_far] = *color;
            }
            ++vertices_so_far;
        } else if (statement == "vt") {
            ++coordinates_so_far;
        } else if (statement == "mtllib") {
            libraries.emplace_back(scan.rest_of_line());
            continue;
        } else if (statement == "usemtl") {
            material_names.emplace_back(scan.rest_of_line());
            continue;
        } else if (statement == "f" || statement == "fo") {
            corners.clear();
            polygon.clear();
            for (auto word = next_obj_word(scan); !word.empty() && word[0] != '#';
                 word = next_obj_word(scan)) {
                const int vertex = obj_vertex(scan, word, vertices_so_far, vertices);
                polygon.push_back(out.vertices[vertex]);
                corners.push_back(
                    split(vertex, obj_texture_coordinate(word, coordinates_so_far, coordinates.size())));
            }
            // By place in the polygon, so that a vertex may come twice with different coordinates.
            places.resize(corners.size());
            std::iota(places.begin(), places.end(), 0);
            cut.clear();
            cutter.cut(polygon, places, cut);
            for (const Triangle& t : cut) {
                out.triangles.push_back({corners[t[0]], corners[t[1]], corners[t[2]]});
                material_of_triangle.push_back(static_cast<int>(material_names.size()) - 1);
            }
            scan.skip_line();
            continue;
        }
        skip_obj_statement(scan, statement);
    }

    for (const std::string& file : libraries)
        library.open(file);
    std::vector<int> material_of_name;
    for (const std::string& material : material_names)
        material_of_name.push_back(library.find(material));
    for (int& material : material_of_triangle)
        material = material < 0 ? -1 : material_of_name[material];
    if (coordinates.empty()) out.appearance.texture_coordinates.clear();
    if (!colors.empty())
        for (const int v : out.input_vertex)
            out.appearance.colors.push_back(colors[static_cast<std::size_t>(v)]);
    remove_missing_textures(out.appearance);
    arrange_parts(out, material_of_triangle);
    return out;
}

}  // namespace limber::build
