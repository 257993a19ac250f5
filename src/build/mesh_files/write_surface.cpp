// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/write_surface.h"

#include "build/mesh_files/recorded_up.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/model/gltf_up.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace limber::build {
namespace {

template <class T>
void append(std::string& out, T value) {
    static_assert(std::is_arithmetic_v<T>);
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (std::endian::native != std::endian::little) std::reverse(raw.begin(), raw.end());
    out.append(raw.data(), raw.size());
}

std::vector<Eigen::Vector3f> as_floats(const SurfaceMesh& mesh, const std::string& name) {
    std::vector<Eigen::Vector3f> out;
    out.reserve(mesh.vertices.size());
    for (const Vertex& v : mesh.vertices) {
        if (v.cwiseAbs().maxCoeff() > std::numeric_limits<float>::max())
            throw InputError{
                name,
                fmt::format("vertex {} at ({}, {}, {}) m is beyond the range of this format's numbers",
                            out.size(), v.x(), v.y(), v.z()),
                "write .ply or .obj, or scale the mesh"};
        out.push_back(v.cast<float>());
    }
    return out;
}

}  // namespace

std::vector<std::string> group_statements(const SurfaceMesh& mesh) {
    std::vector<std::string> out(mesh.triangles.size());
    for (const Group& group : mesh.triangle_groups) {
        std::string name = group.name;
        for (char& c : name)
            if (c == ' ' || c == '\t' || c == '\r' || c == '\n') c = '_';
        if (name.empty()) continue;
        for (int id : group.ids)
            out[id] += " " + name;
    }
    return out;
}

std::string obj_bytes(const SurfaceMesh& mesh) {
    std::string out = fmt::format("# {}\n", up_comment(mesh.up));
    auto end = std::back_inserter(out);
    for (const Vertex& v : mesh.vertices)
        fmt::format_to(end, "v {} {} {}\n", v.x(), v.y(), v.z());
    const std::vector<std::string> groups = group_statements(mesh);
    std::string current;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (groups[t] != current) fmt::format_to(end, "g{}\n", groups[t]);
        current = groups[t];
        const Triangle& c = mesh.triangles[t];
        fmt::format_to(end, "f {} {} {}\n", c[0] + std::int64_t{1}, c[1] + std::int64_t{1},
                       c[2] + std::int64_t{1});
    }
    return out;
}

std::string off_bytes(const SurfaceMesh& mesh) {
    std::string out =
        fmt::format("OFF\n# {}\n{} {} 0\n", up_comment(mesh.up), mesh.vertices.size(), mesh.triangles.size());
    auto end = std::back_inserter(out);
    for (const Vertex& v : mesh.vertices)
        fmt::format_to(end, "{} {} {}\n", v.x(), v.y(), v.z());
    for (const Triangle& t : mesh.triangles)
        fmt::format_to(end, "3 {} {} {}\n", t[0], t[1], t[2]);
    return out;
}

double screen_color(float linear) {
    const double x = std::clamp<double>(linear, 0, 1);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

std::string ply_bytes(const SurfaceMesh& mesh, const std::vector<VertexColor>& colors) {
    std::string out = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment {}\n"
        "element vertex {}\nproperty double x\nproperty double y\nproperty double z\n{}"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        up_comment(mesh.up), mesh.vertices.size(),
        colors.empty()
            ? ""
            : "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n",
        mesh.triangles.size());
    const auto byte = [](double part) { return static_cast<std::uint8_t>(std::lround(255 * part)); };
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (double x : mesh.vertices[v])
            append(out, x);
        if (colors.empty()) continue;
        for (std::size_t k = 0; k < 3; ++k)
            append(out, byte(screen_color(colors[v][k])));
        append(out, byte(std::clamp<double>(colors[v][3], 0, 1)));
    }
    for (const Triangle& t : mesh.triangles) {
        append(out, std::uint8_t{3});
        for (std::int32_t corner : t)
            append(out, corner);
    }
    return out;
}

std::string stl_bytes(const SurfaceMesh& mesh, const std::string& name) {
    const std::vector<Eigen::Vector3f> vertices = as_floats(mesh, name);
    std::string out = "binary STL " + up_comment(mesh.up);  // "solid" here would make it look like ASCII
    out.resize(80, ' ');
    append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const Triangle& t : mesh.triangles) {
        const Vertex &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        const Eigen::Vector3d normal =
            (b - a).cross(c - a).stableNormalized();  // zero for a triangle without area
        for (double x : normal)
            append(out, std::isfinite(x) ? static_cast<float>(x) : 0.0f);
        for (int corner : t)
            for (float x : vertices[corner])
                append(out, x);
        append(out, std::uint16_t{0});
    }
    return out;
}

// One node, one mesh, one primitive: positions (with the bounds that glTF demands) and indices in one buffer.
std::string glb_bytes(const SurfaceMesh& mesh, const std::string& name) {
    const std::vector<Eigen::Vector3f> vertices = as_floats(mesh, name);
    Eigen::AlignedBox3f bounds;
    std::string binary;
    for (const Eigen::Vector3f& v : vertices) {
        bounds.extend(v);
        for (float x : v)
            append(binary, x);
    }
    const std::size_t position_bytes = binary.size();
    for (const Triangle& t : mesh.triangles)
        for (int corner : t)
            append(binary, static_cast<std::uint32_t>(corner));
    if (binary.size() > 0xf0000000u)  // GLB counts bytes in 32 bits
        throw InputError{name, fmt::format("{} bytes are more than a .glb file can hold", binary.size()),
                         "write .ply"};

    constexpr int kFloat = 5126, kUnsignedInt = 5125, kArrayBuffer = 34962, kElementArrayBuffer = 34963;
    const auto triple = [](const Eigen::Vector3f& v) { return nlohmann::json::array({v.x(), v.y(), v.z()}); };
    nlohmann::json document = {
        {"asset", gltf_asset(mesh.up)},
        {"scene", 0},
        {"scenes", {{{"nodes", {0}}}}},
        {"nodes", {{{"mesh", 0}}}},
        {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
        {"accessors",
         {{{"bufferView", 0},
           {"componentType", kFloat},
           {"count", vertices.size()},
           {"type", "VEC3"},
           {"min", triple(bounds.min())},
           {"max", triple(bounds.max())}},
          {{"bufferView", 1},
           {"componentType", kUnsignedInt},
           {"count", 3 * mesh.triangles.size()},
           {"type", "SCALAR"}}}},
        {"bufferViews",
         {{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", position_bytes}, {"target", kArrayBuffer}},
          {{"buffer", 0},
           {"byteOffset", position_bytes},
           {"byteLength", binary.size() - position_bytes},
           {"target", kElementArrayBuffer}}}},
        {"buffers", {{{"byteLength", binary.size()}}}}};
    turn_to_gltf_up(document["nodes"][0], mesh.up);
    std::string json = document.dump();
    json.resize((json.size() + 3) / 4 * 4,
                ' ');  // chunks are multiples of 4 bytes; the binary one is already

    std::string out = "glTF";
    append(out, std::uint32_t{2});
    append(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
    append(out, static_cast<std::uint32_t>(json.size()));
    out += "JSON";
    out += json;
    append(out, static_cast<std::uint32_t>(binary.size()));
    out.append("BIN\0", 4);
    return out += binary;
}

}  // namespace limber::build
