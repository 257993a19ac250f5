// SPDX-License-Identifier: Apache-2.0
// The run-time library as a WebAssembly module: plain functions over numbers, pointers and JSON. limber.js
// wraps them; what each does is said there and in limber.d.ts. Pointers come from this module alone. A
// function that can fail returns 0 (a pointer, or "not done") and leaves the reason in limber_error().
#include "bindings/wasm/handles.h"

#include <limber/model/model_file.h>
#include <limber/model/surface_normals.h>
#include <limber/reduced/stvk_body.h>
#include <limber/settings/read_settings.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace limber::wasm {

std::string last_error, text_out;

int fail(const InputError& error) {
    last_error = json_text_of(json_of(error));
    return 0;
}
int done(const Status& status) {
    return status.ok() ? 1 : fail(status.error());
}

}  // namespace limber::wasm

using limber::wasm::done;
using limber::wasm::fail;
using limber::wasm::ModelHandle;
using limber::wasm::text_out;

namespace {

using limber::StvkBody;

struct BodyHandle {
    std::shared_ptr<const limber::Model> model;
    StvkBody body;
    Eigen::VectorXf displacement, normals;
    Eigen::VectorXd force;
};

}  // namespace

extern "C" {

LIMBER_EXPORT(limber_alloc) void* limber_alloc(std::size_t bytes) {
    return std::malloc(bytes);
}
LIMBER_EXPORT(limber_free) void limber_free(void* memory) {
    std::free(memory);
}
LIMBER_EXPORT(limber_error) const char* limber_error() {
    return limber::wasm::last_error.c_str();
}

// Of a StepProblem.
LIMBER_EXPORT(limber_problem_word) const char* limber_problem_word(int problem) {
    return limber::word_of(static_cast<limber::StepProblem>(problem));
}
LIMBER_EXPORT(limber_fields) const char* limber_fields() {
    text_out = limber::describe_fields_json();
    return text_out.c_str();
}

LIMBER_EXPORT(limber_load) ModelHandle* limber_load(const char* bytes, std::size_t size) {
    limber::Result<std::shared_ptr<const limber::Model>> read = limber::read_model({bytes, size}, "model");
    if (!read.ok()) return fail(read.error()), nullptr;
    return new ModelHandle{std::move(read).value()};
}
LIMBER_EXPORT(limber_model_destroy) void limber_model_destroy(ModelHandle* handle) {
    delete handle;
}
LIMBER_EXPORT(limber_model_json) const char* limber_model_json(const ModelHandle* handle) {
    using Json = nlohmann::json;
    const limber::Model& model = *handle->model;
    Json groups = Json::array();
    for (const limber::ModelGroup& group : model.groups)
        groups.push_back({{"name", group.name},
                          {"young", group.material.young},
                          {"poisson", group.material.poisson},
                          {"density", group.material.density},
                          {"volume", group.volume}});
    const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    const Json json = {{"name", model.name},
                       {"up", limber::up_text(model.up)},
                       {"rank", model.rank},
                       {"modes", model.modes},
                       {"basis", model.basis_kind},
                       {"vertices", model.surface.vertices.size()},
                       {"triangles", model.surface.triangles.size()},
                       {"free_body", model.free_body},
                       {"methods", limber::methods_of(model)},
                       {"warp_modes", model.warp ? model.warp->modes() : 0},
                       {"warp_companions", model.warp ? model.warp->companions() : 0},
                       {"volume_vertices", model.volume_vertices},
                       {"volume_elements", model.volume_elements},
                       {"command", model.command},
                       {"spectrum", list(model.spectrum)},
                       {"frequencies_hz", list(model.frequencies_hz)},
                       {"target_scale", list(model.target_scale)},
                       {"groups", groups}};
    text_out = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text_out.c_str();
}
// Rest positions (3 floats a vertex), triangles (3 ids each), and the basis, column by column (3 floats a
// vertex for each basis vector).
LIMBER_EXPORT(limber_model_positions) void limber_model_positions(const ModelHandle* handle, float* out) {
    for (const Eigen::Vector3d& x : handle->model->surface.vertices)
        for (int i = 0; i < 3; ++i)
            *out++ = static_cast<float>(x[i]);
}
LIMBER_EXPORT(limber_model_triangles)
void limber_model_triangles(const ModelHandle* handle, std::int32_t* out) {
    const auto& triangles = handle->model->surface.triangles;
    if (!triangles.empty()) std::memcpy(out, triangles.data(), triangles.size() * sizeof(triangles[0]));
}
LIMBER_EXPORT(limber_model_basis) void limber_model_basis(const ModelHandle* handle, float* out) {
    const Eigen::MatrixXd& basis = handle->model->surface.basis;
    Eigen::Map<Eigen::MatrixXf>(out, basis.rows(), basis.cols()) = basis.cast<float>();
}

LIMBER_EXPORT(limber_model_normals) void limber_model_normals(const ModelHandle* handle, float* out) {
    for (const Eigen::Vector3d& normal : limber::SurfaceNormals(handle->model->surface).at_rest())
        for (int i = 0; i < 3; ++i)
            *out++ = static_cast<float>(normal[i]);
}
LIMBER_EXPORT(limber_model_input_vertices)
void limber_model_input_vertices(const ModelHandle* handle, std::int32_t* out) {
    const auto& ids = handle->model->surface.input_vertex;
    std::copy(ids.begin(), ids.end(), out);
}

LIMBER_EXPORT(limber_body_create)
BodyHandle* limber_body_create(const ModelHandle* model, const char* settings_json, std::size_t size) {
    limber::StvkSettings settings;
    const limber::Status read =
        limber::read_settings_text({settings_json, size}, "settings", *model->model, settings);
    if (!read.ok()) return fail(read.error()), nullptr;
    limber::Result<limber::StvkBody> result = limber::make_stvk_body(model->model, settings);
    if (!result.ok()) return fail(result.error()), nullptr;
    return new BodyHandle{
        model->model, std::move(result).value(), {}, {}, Eigen::VectorXd(model->model->rank)};
}
LIMBER_EXPORT(limber_body_clone) BodyHandle* limber_body_clone(const BodyHandle* handle) {
    return new BodyHandle{handle->model, handle->body.clone(), {}, {}, handle->force};
}
LIMBER_EXPORT(limber_body_destroy) void limber_body_destroy(BodyHandle* handle) {
    delete handle;
}

LIMBER_EXPORT(limber_body_set)
int limber_body_set(BodyHandle* handle, const char* settings_json, std::size_t size) {
    limber::StvkSettings settings = handle->body.settings();
    const limber::Status read =
        limber::read_settings_text({settings_json, size}, "settings", *handle->model, settings);
    return done(read.ok() ? handle->body.set(std::move(settings)) : read);
}
LIMBER_EXPORT(limber_body_settings) const char* limber_body_settings(const BodyHandle* handle) {
    text_out = limber::settings_text(*handle->model, handle->body.settings());
    return text_out.c_str();
}

LIMBER_EXPORT(limber_body_step)
int limber_body_step(BodyHandle* handle, double dt, int count, double* report) {
    return limber::wasm::make_steps(handle->body, dt, count, report);
}
LIMBER_EXPORT(limber_body_set_frame)
int limber_body_set_frame(BodyHandle* handle, const char* json, std::size_t size) {
    limber::FrameMotion frame;
    const limber::Status read = limber::read_frame_text({json, size}, "frame", frame);
    return done(read.ok() ? handle->body.set_frame(frame) : read);
}

// time, q, v, a: 1 + 3r numbers.
LIMBER_EXPORT(limber_body_state) void limber_body_state(const BodyHandle* handle, double* out) {
    const limber::StvkState& state = handle->body.state();
    *out++ = state.time;
    for (const Eigen::VectorXd* x : {&state.q, &state.v, &state.a}) {
        std::memcpy(out, x->data(), static_cast<std::size_t>(x->size()) * sizeof(double));
        out += x->size();
    }
}
LIMBER_EXPORT(limber_body_set_state) int limber_body_set_state(BodyHandle* handle, const double* numbers) {
    const int r = handle->model->rank;
    using Vector = Eigen::Map<const Eigen::VectorXd>;
    return done(handle->body.set_state(
        {numbers[0], Vector(numbers + 1, r), Vector(numbers + 1 + r, r), Vector(numbers + 1 + 2 * r, r)}));
}
LIMBER_EXPORT(limber_body_set_acceleration) void limber_body_set_acceleration(BodyHandle* handle) {
    handle->body.set_acceleration_from_forces();
}

LIMBER_EXPORT(limber_body_clear_forces) void limber_body_clear_forces(BodyHandle* handle) {
    handle->body.clear_forces();
}
LIMBER_EXPORT(limber_body_add_force)
int limber_body_add_force(BodyHandle* handle, int vertex, double x, double y, double z) {
    return done(handle->body.add_force({vertex, {x, y, z}}));
}
LIMBER_EXPORT(limber_body_add_reduced_force)
int limber_body_add_reduced_force(BodyHandle* handle, const double* force) {
    handle->force = Eigen::Map<const Eigen::VectorXd>(force, handle->model->rank);
    return done(handle->body.add_reduced_force(handle->force));
}

LIMBER_EXPORT(limber_body_kinetic_energy) double limber_body_kinetic_energy(const BodyHandle* handle) {
    return handle->body.kinetic_energy();
}
LIMBER_EXPORT(limber_body_elastic_energy) double limber_body_elastic_energy(const BodyHandle* handle) {
    return handle->body.elastic_energy();
}
LIMBER_EXPORT(limber_body_stable_dt) double limber_body_stable_dt(const BodyHandle* handle) {
    return handle->body.stable_dt();
}

// 3s floats that stay valid until the next call.
LIMBER_EXPORT(limber_body_displacement) const float* limber_body_displacement(BodyHandle* handle) {
    handle->body.surface_displacement(handle->displacement);
    return handle->displacement.data();
}
LIMBER_EXPORT(limber_body_normals) const float* limber_body_normals(BodyHandle* handle) {
    handle->body.surface_displacement(handle->displacement);
    handle->body.surface_normals(handle->displacement, handle->normals);
    return handle->normals.data();
}
}
