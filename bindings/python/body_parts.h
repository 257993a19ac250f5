// SPDX-License-Identifier: Apache-2.0
// What bodies of both kinds share.
#pragma once
#include "bindings/python/parts.h"

#include <limber/integrate/step_report.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace limber::python {

inline void check(const Status& status) {
    if (!status.ok()) throw status.error();
}

inline double checked_dt(double dt) {
    if (!(dt > 0 && dt < std::numeric_limits<double>::infinity()))
        throw InputError{"dt", fmt::format("a time step of {} s; it must be positive", dt), ""};
    return dt;
}

// The report of the last step; stops at the first that does not converge.
template <class AnyBody>
StepReport step(AnyBody& body, double dt, int steps) {
    constexpr int kBetweenSignals = 256;
    if (steps < 1) throw InputError{"steps", fmt::format("{} steps; at least one was expected", steps), ""};
    checked_dt(dt);
    StepReport report;
    for (int i = 0; i < steps; ++i) {
        if (i % kBetweenSignals == kBetweenSignals - 1 && PyErr_CheckSignals() != 0)
            throw py::error_already_set();
        report = body.step(dt);
        if (!report.converged) break;
    }
    return report;
}

// At a surface vertex, several, or a SELECT; they share the force.
template <class AnyBody>
void add_force(AnyBody& body, const Model& model, const py::object& at, const py::object& force) {
    const auto vertices = surface_vertices_of(at, model, "at");
    const Eigen::Vector3d share =
        vector3_of(force, "force") / static_cast<double>(std::max<std::size_t>(1, vertices.size()));
    for (const int v : vertices)
        check(body.add_force({v, share}));
}

inline py::array_t<float> floats(Eigen::VectorXf values) {
    const Shape shape = {values.size() / 3, 3};
    return adopt<float>(std::move(values), shape);
}

// Where the surface is, m.
inline py::array_t<double> moved(const ModelSurface& surface, const Eigen::VectorXf& displacement) {
    Eigen::VectorXd x = displacement.cast<double>();
    for (std::size_t i = 0; i < surface.vertices.size(); ++i)
        x.segment<3>(static_cast<Eigen::Index>(3 * i)) += surface.vertices[i];
    const Shape shape = {static_cast<py::ssize_t>(surface.vertices.size()), 3};
    return adopt<double>(std::move(x), shape);
}

// Four numbers, x y z w.
inline Eigen::Quaterniond quaternion_of(const py::object& value, const std::string& where) {
    return Eigen::Quaterniond(Eigen::Vector4d(vector_of(value, 4, where)));
}

inline const std::vector<std::string> kFrameWords = {"orientation", "acceleration", "angular_velocity",
                                                     "angular_acceleration"};

// What the words do not name is at rest.
inline FrameMotion frame_of(const Words& words) {
    FrameMotion frame;
    if (words.has("orientation"))
        frame.orientation = quaternion_of(words["orientation"], words.where("orientation"));
    frame.acceleration = words.vector3("acceleration").value_or(frame.acceleration);
    frame.angular_velocity = words.vector3("angular_velocity").value_or(frame.angular_velocity);
    frame.angular_acceleration = words.vector3("angular_acceleration").value_or(frame.angular_acceleration);
    return frame;
}

}  // namespace limber::python
