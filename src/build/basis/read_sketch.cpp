// SPDX-License-Identifier: Apache-2.0
// The JSON of a sketch: docs/sketch_file.md.
#include "build/basis/sketch.h"
#include "build/file/nearest_word.h"
#include "build/file/read_file.h"
#include "build/mesh/select.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

using Json = nlohmann::json;

void check_keys(const Json& object, const std::string& where, const std::vector<std::string>& known) {
    if (!object.is_object()) throw InputError{where, "an object { … } is expected here", ""};
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string nearest = nearest_word(key, known);
        throw InputError{where, fmt::format("the key '{}' is not known", key),
                         nearest.empty() ? fmt::format("keys here are: {}", fmt::join(known, ", "))
                                         : fmt::format("did you mean '{}'?", nearest)};
    }
}

const Json& list_of(const Json& object, const std::string& key, const std::string& where) {
    const auto found = object.find(key);
    if (found == object.end()) throw InputError{where, fmt::format("the key '{}' is missing", key), ""};
    if (!found->is_array() || found->empty())
        throw InputError{where + "." + key, "a list [ … ] with at least one entry is expected here", ""};
    return *found;
}

Eigen::Vector3d read_force(const Json& push, const std::string& where) {
    const Json& numbers = list_of(push, "force", where);
    Eigen::Vector3d force;
    for (std::size_t c = 0; c < 3; ++c) {
        if (numbers.size() != 3 || !numbers[c].is_number())
            throw InputError{where + ".force", "three numbers in N are expected here",
                             "for instance [0, -5, 0]"};
        force[Eigen::Index(c)] = numbers[c].get<double>();
    }
    if (!force.allFinite()) throw InputError{where + ".force", "it is not finite", ""};
    return force;
}

SketchPush read_push(const Json& push, const std::string& where) {
    check_keys(push, where, {"vertex", "at", "force"});
    SketchPush out;
    out.force = read_force(push, where);
    if (push.contains("vertex") == push.contains("at"))
        throw InputError{where, "either 'vertex' or 'at' must say where the force acts",
                         R"({"vertex": 12, "force": [0, -5, 0]} or {"at": "near:0,0,1", "force": …})"};
    if (push.contains("at")) {
        if (!push["at"].is_string())
            throw InputError{where + ".at", "a SELECT in quotes is expected here", ""};
        out.at = push["at"].get<std::string>();
        return out;
    }
    const Json& vertex = push["vertex"];
    if (!vertex.is_number_unsigned() || vertex.get<std::uint64_t>() > std::numeric_limits<int>::max())
        throw InputError{where + ".vertex", "a vertex id, 0 or more, is expected here", ""};
    out.vertex = vertex.get<int>();
    return out;
}

SketchForce read_recorded(const Json& recorded, const std::string& where, std::size_t index) {
    check_keys(recorded, where, {"name", "loads"});
    SketchForce out{.name = fmt::format("force {}", index), .pushes = {}};
    if (recorded.contains("name")) {
        if (!recorded["name"].is_string())
            throw InputError{where + ".name", "a text in quotes is expected", ""};
        out.name = recorded["name"].get<std::string>();
    }
    const Json& loads = list_of(recorded, "loads", where);
    for (std::size_t i = 0; i < loads.size(); ++i)
        out.pushes.push_back(read_push(loads[i], fmt::format("{}.loads[{}]", where, i)));
    return out;
}

// The forces on the vertices of a mesh, 3·vertices entries.
template <class Mesh>
Eigen::VectorXd on_vertices(const SketchForce& recorded, const Mesh& mesh) {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * Eigen::Index(mesh.vertices.size()));
    for (const SketchPush& push : recorded.pushes) {
        std::vector<int> vertices = {push.vertex};
        if (push.vertex < 0) vertices = select_vertices(push.at, mesh);
        if (vertices.empty())
            throw InputError{recorded.name, fmt::format("'{}' selects no vertex", push.at), ""};
        if (push.vertex >= int(mesh.vertices.size()))
            throw InputError{recorded.name,
                             fmt::format("vertex {} does not exist; the mesh has vertices 0 to {}",
                                         push.vertex, mesh.vertices.size() - 1),
                             "vertex ids start at 0; they belong to the mesh that is built from"};
        for (const int v : vertices)
            f.segment<3>(3 * Eigen::Index(v)) += push.force / double(vertices.size());
    }
    return f;
}

template <class LoadOf>
Eigen::SparseMatrix<double> sparse_columns(const Sketch& sketch, Eigen::Index rows, const LoadOf& load_of) {
    Eigen::SparseMatrix<double> out(rows, Eigen::Index(sketch.size()));
    for (std::size_t i = 0; i < sketch.size(); ++i) {
        const Eigen::VectorXd f = load_of(sketch[i]);
        out.startVec(Eigen::Index(i));
        for (Eigen::Index row = 0; row < f.size(); ++row)
            if (f[row] != 0) out.insertBack(row, Eigen::Index(i)) = f[row];
    }
    out.finalize();
    return out;
}

}  // namespace

Sketch read_sketch(std::string_view bytes, const std::string& name) {
    Json document;
    try {
        document = Json::parse(bytes);
    } catch (const Json::parse_error& error) {
        const auto end = bytes.begin() + std::ptrdiff_t(std::min(error.byte, bytes.size()));
        throw InputError{fmt::format("{}:{}", name, 1 + std::count(bytes.begin(), end, '\n')),
                         "the file is not valid JSON", "docs/sketch_file.md describes sketch files"};
    } catch (const Json::out_of_range&) {
        throw InputError{name, "a number in it is too large", "forces are in N"};
    }
    check_keys(document, name, {"forces"});
    const Json& forces = list_of(document, "forces", name);
    Sketch sketch;
    for (std::size_t i = 0; i < forces.size(); ++i)
        sketch.push_back(read_recorded(forces[i], fmt::format("{}: forces[{}]", name, i), i));
    return sketch;
}

Sketch read_sketch(const std::filesystem::path& path) {
    return read_sketch(read_file(path), path.string());
}

Eigen::SparseMatrix<double> sketch_loads(const Sketch& sketch, const VolumeMesh& volume) {
    return sparse_columns(sketch, 3 * Eigen::Index(volume.vertices.size()),
                          [&](const SketchForce& recorded) { return on_vertices(recorded, volume); });
}

Eigen::SparseMatrix<double> sketch_loads(const Sketch& sketch, const SurfaceMesh& surface,
                                         const Embedding& embedding) {
    return sparse_columns(sketch, 3 * Eigen::Index(embedding.volume_vertices),
                          [&](const SketchForce& recorded) {
                              return spread_forces(embedding, on_vertices(recorded, surface));
                          });
}

}  // namespace limber::build
