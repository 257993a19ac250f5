// SPDX-License-Identifier: Apache-2.0
// Models and their arrays in C.
#include "bindings/c/calls.h"

#include <limber/domains/shared_vertices.h>
#include <limber/model/model_file.h>
#include <limber/model/surface_normals.h>
#include <limber/reduced/modes.h>
#include <limber/settings/field.h>
#include <limber/settings/read_settings.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace limber::c {
namespace {

using Edge = std::array<std::int32_t, 2>;

constexpr std::array<std::array<int, 2>, 6> kTetEdges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
// VTK order: round the bottom 0 1 2 3, above them 4 5 6 7.
constexpr std::array<std::array<int, 2>, 12> kBrickEdges = {
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

template <class Elements, class Corners>
void add_edges(const Elements& elements, const Corners& corners, std::vector<Edge>& out) {
    for (const auto& element : elements)
        for (const auto& [a, b] : corners) {
            const std::int32_t from = element[static_cast<std::size_t>(a)];
            const std::int32_t to = element[static_cast<std::size_t>(b)];
            out.push_back({std::min(from, to), std::max(from, to)});
        }
}

// Each edge of an element once.
std::vector<Edge> edges_of(const ModelVolume& volume) {
    std::vector<Edge> edges;
    add_edges(volume.tets, kTetEdges, edges);
    add_edges(volume.bricks, kBrickEdges, edges);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

void copy_points(const std::vector<Eigen::Vector3d>& points, float* out) {
    for (const Eigen::Vector3d& x : points)
        out = std::copy_n(x.cast<float>().eval().data(), 3, out);
}
template <class Matrix>
void copy_columns(const Matrix& matrix, float* out) {
    Eigen::Map<Eigen::MatrixXf>(out, matrix.rows(), matrix.cols()) = matrix.template cast<float>();
}

// Calls f with the model of each part of a tree; not at all for other models.
template <class F>
void for_each_part(const Model& model, const F& f) {
    if (model.domains)
        for (const DomainPart& part : model.domains->parts)
            f(*part.model);
}

std::size_t floats_count(const Model& model, std::int32_t which, Arguments& in) {
    const WarpModel* warp = model.warp.get();
    std::size_t sum = 0;
    switch (which) {
        case LIMBER_REST_POSITIONS:
        case LIMBER_REST_NORMALS:
            return 3 * model.surface.vertices.size();
        case LIMBER_BASIS:
            return static_cast<std::size_t>(model.surface.basis.size());
        case LIMBER_WARP_MODES:
            return warp ? static_cast<std::size_t>(warp->surface_modes.size()) : 0;
        case LIMBER_WARP_ROTATIONS:
            return warp ? static_cast<std::size_t>(warp->surface_rotations.size()) : 0;
        case LIMBER_WARP_COMPANIONS:
            return warp ? static_cast<std::size_t>(warp->surface_companions.size()) : 0;
        case LIMBER_MESH_POSITIONS:
            return 3 * model.volume.vertices.size();
        case LIMBER_MESH_BASIS:
            return static_cast<std::size_t>(model.volume.basis.size());
        case LIMBER_PART_POSITIONS:
            for_each_part(model, [&](const Model& part) { sum += 3 * part.surface.vertices.size(); });
            return sum;
        case LIMBER_PART_BASES:
            for_each_part(model, [&](const Model& part) {
                sum += static_cast<std::size_t>(part.surface.basis.size());
            });
            return sum;
        default:
            in.refuse("which", "there is no array " + std::to_string(which));
            return 0;
    }
}

void copy_floats(const Model& model, std::int32_t which, float* out) {
    switch (which) {
        case LIMBER_REST_POSITIONS:
            return copy_points(model.surface.vertices, out);
        case LIMBER_REST_NORMALS:
            return copy_points(SurfaceNormals(model.surface).at_rest(), out);
        case LIMBER_BASIS:
            return copy_columns(model.surface.basis, out);
        case LIMBER_WARP_MODES:
            return copy_columns(model.warp->surface_modes, out);
        case LIMBER_WARP_ROTATIONS:
            return copy_columns(model.warp->surface_rotations, out);
        case LIMBER_WARP_COMPANIONS:
            return copy_columns(model.warp->surface_companions, out);
        case LIMBER_MESH_POSITIONS:
            return copy_points(model.volume.vertices, out);
        case LIMBER_MESH_BASIS:
            return copy_columns(model.volume.basis, out);
        case LIMBER_PART_POSITIONS:
            return for_each_part(model, [&](const Model& part) {
                copy_points(part.surface.vertices, out);
                out += 3 * part.surface.vertices.size();
            });
        default:
            return for_each_part(model, [&](const Model& part) {
                copy_columns(part.surface.basis, out);
                out += part.surface.basis.size();
            });
    }
}

template <class Arrays>
std::vector<std::int32_t> flat(const Arrays& arrays) {
    std::vector<std::int32_t> out;
    for (const auto& array : arrays)
        out.insert(out.end(), array.begin(), array.end());
    return out;
}

std::vector<std::int32_t> ints_of(const Model& model, std::int32_t which, Arguments& in) {
    switch (which) {
        case LIMBER_TRIANGLES:
            return flat(model.surface.triangles);
        case LIMBER_INPUT_VERTICES:
            return model.surface.input_vertex;
        case LIMBER_MESH_EDGES:
            return flat(edges_of(model.volume));
        case LIMBER_MESH_FIXED:
            return model.volume.fixed_vertices;
        case LIMBER_SHARED_VERTICES:
            return shared_vertices(model);
        default:
            in.refuse("which", "there is no array " + std::to_string(which));
            return {};
    }
}

nlohmann::json info_of(const Model& model) {
    using Json = nlohmann::json;
    Json groups = Json::array();
    for (const ModelGroup& group : model.groups)
        groups.push_back({{"name", group.name},
                          {"young", group.material.young},
                          {"poisson", group.material.poisson},
                          {"density", group.material.density},
                          {"volume", group.volume}});
    const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    return {{"name", model.name},
            {"up", up_text(model.up)},
            {"rank", model.rank},
            {"modes", model.modes},
            {"basis", model.basis_kind},
            {"vertices", model.surface.vertices.size()},
            {"triangles", model.surface.triangles.size()},
            {"free_body", model.free_body},
            {"can_be_free", model.free_body && (model.domains || (model.stvk && model.stvk->has_tensors()))},
            {"methods", methods_of(model)},
            {"mass", total_mass(model)},
            {"warp_modes", model.warp ? model.warp->modes() : 0},
            {"warp_companions", model.warp ? model.warp->companions() : 0},
            {"volume_vertices", model.volume_vertices},
            {"volume_elements", model.volume_elements},
            {"command", model.command},
            {"spectrum", list(model.spectrum)},
            {"frequencies_hz", list(model.frequencies_hz)},
            {"target_scale", list(model.target_scale)},
            {"groups", groups},
            {"domains", model.domains ? model.domains->domains.size() : 0},
            {"coordinates", model.domains ? coordinates_of(*model.domains) : 0}};
}

nlohmann::json tree_of(const Model& model) {
    using Json = nlohmann::json;
    if (!model.domains) return nullptr;
    Json parts = Json::array(), domains = Json::array();
    for_each_part(model, [&](const Model& part) {
        parts.push_back({{"name", part.name},
                         {"rank", part.rank},
                         {"vertices", part.surface.vertices.size()},
                         {"triangles", part.surface.triangles.size()}});
    });
    const std::vector<RestPlacement> rest = rest_placements(*model.domains);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const Domain& d = model.domains->domains[i];
        const Eigen::Vector3d& x = rest[i].position;
        const Eigen::Vector4d& turn = rest[i].rotation.coeffs();
        domains.push_back({{"name", d.name},
                           {"part", d.part},
                           {"parent", d.parent},
                           {"position", std::vector<double>(x.begin(), x.end())},
                           {"rotation", std::vector<double>(turn.begin(), turn.end())},
                           {"scale", rest[i].scale}});
    }
    return {{"parts", parts}, {"domains", domains}};
}

}  // namespace
}  // namespace limber::c

using namespace limber::c;

limber_status limber_fields(const char** json) {
    return guarded([&] {
        Arguments in;
        return in.one(json, "json") ? give_text(limber::describe_fields_json(), json) : in.status();
    });
}

limber_status limber_model_load(const void* bytes, size_t size, limber_model** model) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const std::string_view all = in.text(static_cast<const char*>(bytes), size, "bytes");
        if (!in.handle_out(model, "model")) return in.status();
        auto read = limber::read_model(all, "model");
        if (!read.ok()) return fail(LIMBER_REFUSED, read.error());
        return give_handle(ModelHandle{std::move(read).value()}, model);
    });
}

limber_status limber_model_free(limber_model* model) {
    return guarded([&] { return free_handle<ModelHandle>(model, "model"); });
}

limber_status limber_model_info(limber_model* model, const char** json) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        return in.one(json, "json") ? give_text(limber::json_text_of(info_of(*of->model)), json)
                                    : in.status();
    });
}

limber_status limber_model_floats_count(limber_model* model, int32_t which, size_t* count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        if (!in.one(count, "count")) return in.status();
        const std::size_t found = floats_count(*of->model, which, in);
        if (in.ok()) *count = found;
        return in.status();
    });
}

limber_status limber_model_floats(limber_model* model, int32_t which, float* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        if (!in.ok()) return in.status();
        const std::size_t needed = floats_count(*of->model, which, in);
        if (in.array(out, count, needed, "out") && needed > 0) copy_floats(*of->model, which, out);
        return in.status();
    });
}

limber_status limber_model_ints_count(limber_model* model, int32_t which, size_t* count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        if (!in.one(count, "count")) return in.status();
        const std::size_t found = ints_of(*of->model, which, in).size();
        if (in.ok()) *count = found;
        return in.status();
    });
}

limber_status limber_model_ints(limber_model* model, int32_t which, int32_t* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        if (!in.ok()) return in.status();
        const std::vector<std::int32_t> found = ints_of(*of->model, which, in);
        if (in.array(out, count, found.size(), "out")) std::copy(found.begin(), found.end(), out);
        return in.status();
    });
}

limber_status limber_model_tree(limber_model* model, const char** json) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        return in.one(json, "json") ? give_text(limber::json_text_of(tree_of(*of->model)), json)
                                    : in.status();
    });
}
