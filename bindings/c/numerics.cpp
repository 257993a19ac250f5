// SPDX-License-Identifier: Apache-2.0
// Modes, statics, selections and principal shapes in C.
#include "bindings/c/calls.h"

#include <limber/reduced/modes.h>
#include <limber/select/select_on_model.h>
#include <limber/settings/read_settings.h>

#include <algorithm>
#include <cmath>

namespace limber::c {
namespace {

// The materials that settings name; empty: as built.
std::vector<Material> materials_of(const Model& model, std::string_view settings, Arguments& in) {
    if (!in.ok()) return {};
    if (!model.stvk) {
        in.refuse("model", "it was built without the reduced energy");
        return {};
    }
    StvkSettings read;
    if (settings.empty()) return {};
    const Status status = read_settings_text(settings, "settings", model, read);
    if (!status.ok()) in.refuse(status.error().where.c_str(), status.error().problem);
    return read.materials;
}

template <class Matrix>
void copy_doubles(const Matrix& matrix, double* out) {
    std::copy_n(matrix.data(), matrix.size(), out);
}

limber_status give_ids(const Result<std::vector<int>>& found, int32_t* out, size_t room, size_t* count) {
    if (!found.ok()) return fail(LIMBER_REFUSED, found.error());
    const std::vector<int>& ids = found.value();
    *count = ids.size();
    Arguments in;
    if (ids.size() > room)
        return fail(LIMBER_WRONG_SIZE, "out",
                    std::to_string(ids.size()) + " were found; there is room for " + std::to_string(room));
    if (in.memory_for(out, ids.size(), "out")) std::copy(ids.begin(), ids.end(), out);
    return in.status();
}

bool has_vertex(const LinearStatics& statics, int32_t vertex, Arguments& in) {
    if (in.ok() && (vertex < 0 || vertex >= statics.vertices()))
        in.refuse("vertex", "there is no surface vertex " + std::to_string(vertex));
    return in.ok();
}

}  // namespace
}  // namespace limber::c

using namespace limber::c;

limber_status limber_model_modes(limber_model* model, const char* settings, size_t size, double* frequencies,
                                 size_t frequency_count, double* shapes, size_t shape_count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        const std::string_view text = in.text(settings, size, "settings");
        if (!in.ok()) return in.status();
        const auto materials = materials_of(*of->model, text, in);
        const auto r = static_cast<std::size_t>(of->model->rank);
        in.array(frequencies, frequency_count, r, "frequencies");
        if (!in.array(shapes, shape_count, r * r, "shapes")) return in.status();
        const limber::ReducedModes found = limber::reduced_modes(*of->model, materials);
        copy_doubles(found.frequencies_hz, frequencies);
        copy_doubles(found.shapes, shapes);
        return LIMBER_OK;
    });
}

limber_status limber_model_modal_derivative(limber_model* model, const char* settings, size_t size, int32_t i,
                                            int32_t j, double* out, size_t count) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        const std::string_view text = in.text(settings, size, "settings");
        if (!in.ok()) return in.status();
        const auto materials = materials_of(*of->model, text, in);
        if (!in.array(out, count, static_cast<std::size_t>(of->model->rank), "out")) return in.status();
        const auto found = limber::modal_derivative(*of->model, limber::reduced_modes(*of->model, materials),
                                                    i, j, materials);
        if (!found.ok()) return fail(LIMBER_REFUSED, found.error());
        copy_doubles(found.value(), out);
        return LIMBER_OK;
    });
}

limber_status limber_model_rayleigh_frequency(limber_model* model, const char* settings, size_t size,
                                              const double* q, size_t count, double* frequency) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        const std::string_view text = in.text(settings, size, "settings");
        if (!in.one(frequency, "frequency")) return in.status();
        const auto materials = materials_of(*of->model, text, in);
        if (!in.array(q, count, static_cast<std::size_t>(of->model->rank), "q")) return in.status();
        const Eigen::VectorXd shape = Eigen::Map<const Eigen::VectorXd>(q, of->model->rank);
        if (!shape.allFinite()) return fail(LIMBER_REFUSED, "q", "it is not finite");
        *frequency = limber::rayleigh_frequency_hz(*of->model, shape, materials);
        return LIMBER_OK;
    });
}

limber_status limber_model_select(limber_model* model, const char* text, size_t size, int32_t* out,
                                  size_t room, size_t* found) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        const std::string_view asked = in.text(text, size, "text");
        in.memory_for(out, room, "out");
        if (!in.one(found, "found")) return in.status();
        return give_ids(limber::select_on_model(asked, *of->model), out, room, found);
    });
}

limber_status limber_select_points(const char* text, size_t size, const double* positions,
                                   size_t position_count, int32_t* out, size_t room, size_t* found) {
    return guarded([&] {
        Arguments in;
        const std::string_view asked = in.text(text, size, "text");
        in.array(positions, position_count, position_count / 3 * 3, "positions");
        in.memory_for(out, room, "out");
        if (!in.one(found, "found")) return in.status();
        std::vector<Eigen::Vector3d> points(position_count / 3);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        return give_ids(limber::select_points(asked, points), out, room, found);
    });
}

limber_status limber_statics_create(limber_model* model, limber_statics** statics) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const auto* of = in.handle<ModelHandle>(model, "model");
        if (!in.handle_out(statics, "statics")) return in.status();
        auto made = limber::make_linear_statics(of->model);
        if (!made.ok()) return fail(LIMBER_REFUSED, made.error());
        return give_handle(StaticsHandle{std::move(made).value()}, statics);
    });
}

limber_status limber_statics_free(limber_statics* statics) {
    return guarded([&] { return free_handle<StaticsHandle>(statics, "statics"); });
}

limber_status limber_statics_info(limber_statics* statics, limber_statics_numbers* numbers) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<StaticsHandle>(statics, "statics");
        if (in.one(numbers, "numbers"))
            *numbers = {static_cast<std::int32_t>(of->statics.rank()), of->statics.is_modal(),
                        of->statics.softest_vertex()};
        return in.status();
    });
}

limber_status limber_statics_coordinates(limber_statics* statics, const int32_t* vertices,
                                         const double* forces, size_t force_count, double* q, size_t count) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const auto* of = in.handle<StaticsHandle>(statics, "statics");
        in.memory_for(vertices, force_count, "vertices");
        in.memory_for(forces, 3 * force_count, "forces");
        if (!in.ok()) return in.status();
        if (!in.array(q, count, static_cast<std::size_t>(of->statics.rank()), "q")) return in.status();
        const auto found = of->statics.coordinates(forces_of(vertices, forces, force_count));
        if (!found.ok()) return fail(LIMBER_REFUSED, found.error());
        copy_doubles(found.value(), q);
        return LIMBER_OK;
    });
}

limber_status limber_statics_compliance(limber_statics* statics, int32_t vertex, double* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<StaticsHandle>(statics, "statics");
        in.array(out, count, 9, "out");
        if (in.ok() && has_vertex(of->statics, vertex, in))
            copy_doubles(of->statics.vertex_compliance(vertex), out);
        return in.status();
    });
}

limber_status limber_statics_spring_force(limber_statics* statics, int32_t vertex, const double* distance,
                                          double* force, int32_t* is_fixed) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<StaticsHandle>(statics, "statics");
        in.memory_for(distance, 3, "distance");
        in.memory_for(force, 3, "force");
        if (!in.one(is_fixed, "is_fixed") || !has_vertex(of->statics, vertex, in)) return in.status();
        const Eigen::Vector3d to = Eigen::Map<const Eigen::Vector3d>(distance);
        if (!to.allFinite()) return fail(LIMBER_REFUSED, "distance", "it is not finite");
        const auto found = of->statics.spring_force(vertex, to);
        *is_fixed = !found;
        copy_doubles(found.value_or(Eigen::Vector3d::Zero()), force);
        return LIMBER_OK;
    });
}

limber_status limber_shapes_create(limber_field field, void* user, size_t size, size_t frames,
                                   double tolerance, int32_t most, limber_shapes** shapes) {
    return guarded([&]() -> limber_status {
        constexpr std::size_t kMostNumbers = std::size_t{1} << 28;
        Arguments in;
        if (!field) return fail(LIMBER_NULL, "field", "it is null");
        if (!in.handle_out(shapes, "shapes")) return in.status();
        if (!(tolerance >= 0) || !std::isfinite(tolerance))
            return fail(LIMBER_REFUSED, "tolerance", "it is not a number from 0 up");
        if (most < 0) return fail(LIMBER_REFUSED, "most", "it is below 0");
        if (size % 3 != 0 || size > kMostNumbers || frames > kMostNumbers)
            return fail(LIMBER_WRONG_SIZE, "size", "it takes 3 numbers a vertex, and at most 2^28 of each");
        limber_status asked = LIMBER_OK;
        const auto rows = static_cast<Eigen::Index>(size);
        const auto frame_of = [&](Eigen::Index frame) {
            Eigen::VectorXd out = Eigen::VectorXd::Zero(rows);
            if (asked != LIMBER_OK) return out;  // it failed: what follows is not used
            if (field(user, static_cast<std::size_t>(frame), out.data(), size) != 0)
                asked = fail(LIMBER_REFUSED, "field", "it failed at frame " + std::to_string(frame));
            else if (!out.allFinite())
                asked = fail(LIMBER_REFUSED, "field", "frame " + std::to_string(frame) + " is not finite");
            if (asked != LIMBER_OK) out.setZero();
            return out;
        };
        limber::PrincipalShapes found =
            limber::principal_shapes(frame_of, static_cast<Eigen::Index>(frames), tolerance, most);
        return asked == LIMBER_OK ? give_handle(ShapesHandle{std::move(found)}, shapes) : asked;
    });
}

limber_status limber_shapes_free(limber_shapes* shapes) {
    return guarded([&] { return free_handle<ShapesHandle>(shapes, "shapes"); });
}

limber_status limber_shapes_info(limber_shapes* shapes, limber_shapes_numbers* numbers) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ShapesHandle>(shapes, "shapes");
        if (in.one(numbers, "numbers"))
            *numbers = {of->found.error, static_cast<std::int32_t>(of->found.shapes.cols()),
                        static_cast<std::int32_t>(of->found.weights.cols())};
        return in.status();
    });
}

limber_status limber_shapes_copy(limber_shapes* shapes, float* out, size_t count, double* weights,
                                 size_t weight_count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<ShapesHandle>(shapes, "shapes");
        if (!in.ok()) return in.status();
        const limber::PrincipalShapes& found = of->found;
        in.array(out, count, static_cast<std::size_t>(found.shapes.size()), "out");
        if (!in.array(weights, weight_count, static_cast<std::size_t>(found.weights.size()), "weights"))
            return in.status();
        Eigen::Map<Eigen::MatrixXf>(out, found.shapes.rows(), found.shapes.cols()) =
            found.shapes.cast<float>();
        copy_doubles(found.weights, weights);
        return LIMBER_OK;
    });
}
