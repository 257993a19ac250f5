// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/gltf_scene.h"

#include "build/mesh_files/named_groups.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/model/gltf_up.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace limber::build {
namespace {

using Json = GltfDocument::Json;

// Many nodes may show one mesh, so a short file can describe a forest. No more than this comes out of it:
// what the file's length suggests, and never more than the second bound, of vertices or of triangles.
constexpr std::uint64_t kInstancesFloor = 1'000'000, kInstancesPerByte = 4;
constexpr std::uint64_t kMostInstanced = 50'000'000;
constexpr std::uint64_t kMostPrimitives = 1'000'000;

enum Mode : std::uint64_t { kTriangles = 4, kStrip = 5, kFan = 6 };

// Column-major, as glTF stores it; T R S otherwise (glTF 2.0, section 3.5.3). `turned`: the rotation of a
// root is taken without its turn to +Y.
Eigen::Affine3d parent_from_node(const GltfDocument& gltf, const Json& node, std::optional<UpAxis> turned,
                                 const std::string& where) {
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    if (const auto m = gltf.numbers(node, "matrix", 16, where)) {
        const Eigen::Map<const Eigen::Matrix4d> matrix(m->data());
        if (matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1))
            gltf.fail(where, "the last row of the matrix is not 0 0 0 1");
        out.matrix() = matrix;
        return out;
    }
    if (const auto t = gltf.numbers(node, "translation", 3, where)) out.translate(Eigen::Vector3d(t->data()));
    if (const auto r = gltf.numbers(node, "rotation", 4, where)) {
        const Eigen::Quaterniond rotation(r->data());  // x y z w
        if (!(rotation.norm() > 1e-6) || !std::isfinite(rotation.norm()))
            gltf.fail(where, "the rotation is no unit quaternion");
        out.rotate(turned ? without_gltf_turn(rotation.normalized(), *turned) : rotation.normalized());
    }
    if (const auto s = gltf.numbers(node, "scale", 3, where)) out.scale(Eigen::Vector3d(s->data()));
    return out;
}

// Corners of the triangles of one primitive, by position in its list of indices (glTF 2.0, section 3.7.2.1).
std::vector<Triangle> assemble(std::uint64_t mode, const std::vector<std::uint32_t>& indices,
                               int first_vertex) {
    const auto corner = [&](std::size_t i) { return first_vertex + static_cast<int>(indices[i]); };
    std::vector<Triangle> out;
    if (mode == kTriangles) {
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
            out.push_back({corner(i), corner(i + 1), corner(i + 2)});
        return out;
    }
    for (std::size_t i = 0; i + 2 < indices.size(); ++i) {
        const Triangle t = mode == kFan ? Triangle{corner(0), corner(i + 1), corner(i + 2)}
                           : i % 2 == 0 ? Triangle{corner(i), corner(i + 1), corner(i + 2)}
                                        : Triangle{corner(i + 1), corner(i), corner(i + 2)};
        // Strips jump from one place to another by triangles without area.
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.push_back(t);
    }
    return out;
}

class SceneReader {
 public:
    explicit SceneReader(GltfDocument& gltf) : gltf_(gltf), up_(recorded_gltf_up(gltf.root())) {}

    GltfScene read() {
        mesh_.up = up_.value_or(UpAxis::Y);
        for (const std::uint64_t root : roots())
            pending_.push_back({root, Eigen::Affine3d::Identity(), up_});
        std::reverse(pending_.begin(), pending_.end());
        visited_.resize(gltf_.count("nodes"));
        while (!pending_.empty()) {
            const Visit visit = pending_.back();
            pending_.pop_back();
            read_node(visit);
        }
        if (gltf_.count("nodes") == 0)
            for (std::uint64_t mesh = 0; mesh < gltf_.count("meshes"); ++mesh)
                read_mesh(mesh, Eigen::Affine3d::Identity());
        mesh_.triangle_groups = groups_.take();
        return {std::move(mesh_), std::move(runs_)};
    }

 private:
    struct Visit {
        std::uint64_t node;
        Eigen::Affine3d world_from_parent;
        std::optional<UpAxis>
            turned;  // a root that turns the axis to +Y: limber's own coordinates are wanted
    };

    // The roots of the default scene, or of the first; without scenes, every node that is nobody's child.
    std::vector<std::uint64_t> roots() const {
        if (gltf_.count("scenes") > 0) {
            const std::uint64_t scene = gltf_.whole_number(gltf_.root(), "scene", "the document").value_or(0);
            return node_list(gltf_.item("scenes", scene), "nodes", fmt::format("scene {}", scene));
        }
        std::vector<bool> is_child(gltf_.count("nodes"));
        for (std::uint64_t n = 0; n < is_child.size(); ++n)
            for (const std::uint64_t child :
                 node_list(gltf_.item("nodes", n), "children", fmt::format("node {}", n)))
                is_child[child] = true;
        std::vector<std::uint64_t> out;
        for (std::uint64_t n = 0; n < is_child.size(); ++n)
            if (!is_child[n]) out.push_back(n);
        return out;
    }

    std::vector<std::uint64_t> node_list(const Json& owner, const char* key, const std::string& where) const {
        std::vector<std::uint64_t> out;
        const Json* list = gltf_.array(owner, key, where);
        if (!list) return out;
        for (const Json& entry : *list) {
            if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() >= gltf_.count("nodes"))
                gltf_.fail(where, fmt::format("{} names a node that is not there; there are {}", key,
                                              gltf_.count("nodes")));
            out.push_back(entry.get<std::uint64_t>());
        }
        return out;
    }

    void read_node(const Visit& visit) {
        const std::string where = fmt::format("node {}", visit.node);
        if (visited_[visit.node])
            gltf_.fail(where, "the node is reached twice: it has two parents or contains itself");
        visited_[visit.node] = true;
        const Json& node = gltf_.item("nodes", visit.node);
        const Eigen::Affine3d world_from_node =
            visit.world_from_parent * parent_from_node(gltf_, node, visit.turned, where);
        if (!world_from_node.matrix().allFinite()) gltf_.fail(where, "the transformation is not finite");

        if (const auto mesh = gltf_.whole_number(node, "mesh", where)) {
            const bool skinned =
                gltf_.member(node, "skin") != nullptr;  // then its own transformation does not count
            read_mesh(*mesh, skinned ? Eigen::Affine3d::Identity() : world_from_node);
        }
        const std::vector<std::uint64_t> children = node_list(node, "children", where);
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            pending_.push_back({*child, world_from_node, {}});
    }

    void read_mesh(std::uint64_t index, const Eigen::Affine3d& world_from_mesh) {
        const std::string where = fmt::format("mesh {}", index);
        const Json& mesh = gltf_.item("meshes", index);
        const Json* primitives = gltf_.array(mesh, "primitives", where);
        if (!primitives) return;
        first_vertex_.clear();
        const std::size_t first = mesh_.triangles.size();
        primitives_asked_ += primitives->size();
        if (primitives_asked_ > kMostPrimitives)
            gltf_.fail(where, fmt::format("the scene shows more than {} primitives", kMostPrimitives),
                       "export fewer copies");
        for (std::size_t p = 0; p < primitives->size(); ++p) {
            const auto first_triangle = static_cast<int>(mesh_.triangles.size());
            const auto vertices =
                read_primitive((*primitives)[p], world_from_mesh, fmt::format("{}, primitive {}", where, p));
            const int triangles = static_cast<int>(mesh_.triangles.size()) - first_triangle;
            if (triangles > 0) runs_.push_back({index, p, vertices, first_triangle, triangles});
        }
        const std::string name = gltf_.text(mesh, "name", where);
        if (name.empty() || first == mesh_.triangles.size()) return;
        const std::size_t group = groups_.index_of(name);
        for (std::size_t t = first; t < mesh_.triangles.size(); ++t)
            groups_.add(group, static_cast<int>(t));
    }

    // Returns where the vertices stand; nothing is added for what has no triangles.
    GltfVertices read_primitive(const Json& primitive, const Eigen::Affine3d& world_from_mesh,
                                const std::string& where) {
        if (!primitive.is_object()) gltf_.fail(where, "a primitive must be an object");
        const std::uint64_t mode = gltf_.whole_number(primitive, "mode", where).value_or(kTriangles);
        if (mode > kFan) gltf_.fail(where, fmt::format("unknown mode {}", mode));
        if (mode < kTriangles) return {};  // points and lines
        const Json* attributes = gltf_.object(primitive, "attributes", where);
        const auto position = attributes ? gltf_.whole_number(*attributes, "POSITION", where) : std::nullopt;
        if (!position) return {};  // drawn by an extension; glTF says to pass it over

        const std::uint64_t vertex_count = gltf_.accessor_count(*position);
        const auto index_accessor = gltf_.whole_number(primitive, "indices", where);
        const std::uint64_t corner_count =
            index_accessor ? gltf_.accessor_count(*index_accessor) : vertex_count;
        const std::uint64_t triangle_count = mode == kTriangles ? corner_count / 3 : corner_count;
        const int first_vertex = place_vertices(*position, vertex_count, world_from_mesh, where);
        triangles_asked_ += triangle_count;
        bound(triangles_asked_, "triangles", where);

        std::vector<std::uint32_t> indices;
        if (index_accessor) {
            indices = gltf_.indices(*index_accessor);
        } else {
            indices.resize(static_cast<std::size_t>(vertex_count));
            for (std::uint32_t i = 0; i < vertex_count; ++i)
                indices[i] = i;
        }
        for (std::size_t i = 0; i < indices.size(); ++i)
            if (indices[i] >= vertex_count)
                gltf_.fail(where, fmt::format("index {} names vertex {}, but there are {}", i, indices[i],
                                              vertex_count));

        const bool mirrored =
            world_from_mesh.linear().determinant() < 0;  // then outside is on the other side
        for (Triangle& t : assemble(mode, indices, first_vertex)) {
            if (mirrored) std::swap(t[1], t[2]);
            mesh_.triangles.push_back(t);
        }
        return {first_vertex, static_cast<int>(vertex_count)};
    }

    // Primitives of one mesh that share an accessor share the vertices too. Returns the first one.
    int place_vertices(std::uint64_t position, std::uint64_t vertex_count,
                       const Eigen::Affine3d& world_from_mesh, const std::string& where) {
        const auto [entry, is_new] =
            first_vertex_.try_emplace(position, static_cast<int>(mesh_.vertices.size()));
        if (!is_new) return entry->second;
        bound(mesh_.vertices.size() + vertex_count, "vertices", where);
        const std::vector<double> coordinates = gltf_.positions(position);
        for (std::size_t i = 0; i < coordinates.size(); i += 3) {
            const Vertex vertex =
                world_from_mesh * Vertex(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
            if (!vertex.allFinite())
                gltf_.fail(where,
                           fmt::format("vertex {} is not finite after its node's transformation", i / 3));
            mesh_.vertices.push_back(vertex);
        }
        return entry->second;
    }

    void bound(std::uint64_t count, const char* what, const std::string& where) const {
        const std::uint64_t most = most_instanced(gltf_);
        if (count > most)
            gltf_.fail(where, fmt::format("the scene repeats its meshes into more than {} {}", most, what),
                       "export fewer copies");
    }

    GltfDocument& gltf_;
    std::optional<UpAxis> up_;  // where limber wrote the file
    SurfaceMesh mesh_;
    std::vector<GltfRun> runs_;
    NamedGroups groups_;
    std::vector<Visit> pending_;
    std::vector<bool> visited_;
    std::uint64_t primitives_asked_ = 0;
    std::uint64_t triangles_asked_ = 0;          // also those without area, which strips drop
    std::map<std::uint64_t, int> first_vertex_;  // accessor -> vertex, within one mesh of one node
};

}  // namespace

std::uint64_t most_instanced(const GltfDocument& gltf) {
    return std::min(kMostInstanced, kInstancesFloor + kInstancesPerByte * gltf.size());
}

GltfScene read_gltf_scene(GltfDocument& gltf, const std::string& name) {
    GltfScene scene = SceneReader(gltf).read();
    if (scene.mesh.triangles.empty())
        throw InputError{name, "the scene has no triangles", "check that the export included the mesh"};
    return scene;
}

}  // namespace limber::build
