// SPDX-License-Identifier: Apache-2.0
// The warped body as exported functions; see exports.cpp for the conventions.
#include "bindings/wasm/handles.h"

#include <limber/settings/read_settings.h>

#include <cstring>

using limber::wasm::done;
using limber::wasm::fail;
using limber::wasm::ModelHandle;
using limber::wasm::text_out;

namespace {

using limber::WarpBody;

struct WarpHandle {
    std::shared_ptr<const limber::Model> model;
    WarpBody body;
    Eigen::VectorXf displacement, normals;
    Eigen::VectorXd coordinates;
};

// Column by column, 3 floats a vertex; `out` has room for all of them.
void copy_columns(const limber::WarpRows& rows, float* out) {
    Eigen::Map<Eigen::MatrixXf>(out, rows.rows(), rows.cols()) = rows.cast<float>();
}

}  // namespace

extern "C" {

LIMBER_EXPORT(limber_model_warp_modes) void limber_model_warp_modes(const ModelHandle* handle, float* out) {
    if (handle->model->warp) copy_columns(handle->model->warp->surface_modes, out);
}
LIMBER_EXPORT(limber_model_warp_rotations)
void limber_model_warp_rotations(const ModelHandle* handle, float* out) {
    if (handle->model->warp) copy_columns(handle->model->warp->surface_rotations, out);
}
LIMBER_EXPORT(limber_model_warp_companions)
void limber_model_warp_companions(const ModelHandle* handle, float* out) {
    if (handle->model->warp) copy_columns(handle->model->warp->surface_companions, out);
}

LIMBER_EXPORT(limber_warp_create)
WarpHandle* limber_warp_create(const ModelHandle* handle, const char* settings_json, std::size_t size) {
    if (!handle->model->warp)
        return fail({"method", "the model was built without modal warping", "build it with --method both"}),
               nullptr;
    limber::WarpSettings settings;
    const limber::Status read =
        limber::read_settings_text({settings_json, size}, "settings", *handle->model, settings);
    if (!read.ok()) return fail(read.error()), nullptr;
    limber::Result<limber::WarpBody> result = limber::make_warp_body(handle->model->warp, settings);
    if (!result.ok()) return fail(result.error()), nullptr;
    return new WarpHandle{handle->model, std::move(result).value(), {}, {}, {}};
}
LIMBER_EXPORT(limber_warp_clone) WarpHandle* limber_warp_clone(const WarpHandle* handle) {
    return new WarpHandle{handle->model, handle->body.clone(), {}, {}, {}};
}
LIMBER_EXPORT(limber_warp_destroy) void limber_warp_destroy(WarpHandle* handle) {
    delete handle;
}

LIMBER_EXPORT(limber_warp_set)
int limber_warp_set(WarpHandle* handle, const char* settings_json, std::size_t size) {
    limber::WarpSettings settings = handle->body.settings();
    const limber::Status read =
        limber::read_settings_text({settings_json, size}, "settings", *handle->model, settings);
    return done(read.ok() ? handle->body.set(settings) : read);
}
LIMBER_EXPORT(limber_warp_settings) const char* limber_warp_settings(const WarpHandle* handle) {
    text_out = limber::settings_text(*handle->model, handle->body.settings());
    return text_out.c_str();
}

LIMBER_EXPORT(limber_warp_step)
int limber_warp_step(WarpHandle* handle, double dt, int count, double* report) {
    return limber::wasm::make_steps(handle->body, dt, count, report);
}

// time, q, v, surplus: 2 + 2m numbers.
LIMBER_EXPORT(limber_warp_state) void limber_warp_state(const WarpHandle* handle, double* out) {
    const limber::WarpState& state = handle->body.state();
    *out++ = state.time;
    for (const Eigen::VectorXd* x : {&state.q, &state.v}) {
        std::memcpy(out, x->data(), static_cast<std::size_t>(x->size()) * sizeof(double));
        out += x->size();
    }
    *out = state.surplus;
}
LIMBER_EXPORT(limber_warp_set_state) int limber_warp_set_state(WarpHandle* handle, const double* numbers) {
    const Eigen::Index m = handle->body.model().modes();
    using Vector = Eigen::Map<const Eigen::VectorXd>;
    return done(handle->body.set_state(
        {numbers[0], Vector(numbers + 1, m), Vector(numbers + 1 + m, m), numbers[1 + 2 * m]}));
}
// q, z: m + k numbers.
LIMBER_EXPORT(limber_warp_shape_coordinates)
void limber_warp_shape_coordinates(WarpHandle* handle, double* out) {
    handle->body.shape_coordinates(handle->coordinates);
    std::memcpy(out, handle->coordinates.data(),
                static_cast<std::size_t>(handle->coordinates.size()) * sizeof(double));
}

LIMBER_EXPORT(limber_warp_set_frame)
int limber_warp_set_frame(WarpHandle* handle, const char* json, std::size_t size) {
    limber::FrameMotion frame;
    const limber::Status read = limber::read_frame_text({json, size}, "frame", frame);
    return done(read.ok() ? handle->body.set_frame(frame) : read);
}
LIMBER_EXPORT(limber_warp_clear_forces) void limber_warp_clear_forces(WarpHandle* handle) {
    handle->body.clear_forces();
}
LIMBER_EXPORT(limber_warp_add_force)
int limber_warp_add_force(WarpHandle* handle, int vertex, double x, double y, double z) {
    return done(handle->body.add_force({vertex, {x, y, z}}));
}
LIMBER_EXPORT(limber_warp_add_modal_force)
int limber_warp_add_modal_force(WarpHandle* handle, const double* force) {
    const Eigen::VectorXd copy = Eigen::Map<const Eigen::VectorXd>(force, handle->body.model().modes());
    return done(handle->body.add_modal_force(copy));
}

LIMBER_EXPORT(limber_warp_set_manipulation)
int limber_warp_set_manipulation(WarpHandle* handle, const char* json, std::size_t size) {
    limber::Constraints constraints;
    const limber::Status read = limber::read_constraints_text(
        {json, size}, "constraints", static_cast<int>(handle->body.model().vertices()), constraints);
    return done(read.ok() ? handle->body.set_constraints(constraints) : read);
}
LIMBER_EXPORT(limber_warp_move_position)
int limber_warp_move_position(WarpHandle* handle, int position, double x, double y, double z) {
    return done(handle->body.set_position_target(position, {x, y, z}));
}
LIMBER_EXPORT(limber_warp_turn_orientation)
int limber_warp_turn_orientation(WarpHandle* handle, int orientation, double x, double y, double z,
                                 double w) {
    return done(handle->body.set_orientation_target(orientation, Eigen::Quaterniond(w, x, y, z)));
}
// position_error, orientation_error, iterations, share.
LIMBER_EXPORT(limber_warp_manipulation_report)
void limber_warp_manipulation_report(const WarpHandle* handle, double* out) {
    const limber::ConstraintReport& report = handle->body.constraint_report();
    out[0] = report.position_error;
    out[1] = report.orientation_error;
    out[2] = report.iterations;
    out[3] = report.fraction;
}

LIMBER_EXPORT(limber_warp_kinetic_energy) double limber_warp_kinetic_energy(const WarpHandle* handle) {
    return handle->body.kinetic_energy();
}
LIMBER_EXPORT(limber_warp_elastic_energy) double limber_warp_elastic_energy(const WarpHandle* handle) {
    return handle->body.elastic_energy();
}

// 3s floats that stay valid until the next call.
LIMBER_EXPORT(limber_warp_displacement) const float* limber_warp_displacement(WarpHandle* handle) {
    handle->body.surface_shape(handle->displacement, handle->normals);
    return handle->displacement.data();
}
LIMBER_EXPORT(limber_warp_normals) const float* limber_warp_normals(WarpHandle* handle) {
    handle->body.surface_shape(handle->displacement, handle->normals);
    return handle->normals.data();
}
}
