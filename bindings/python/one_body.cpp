// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/one_body.h"

#include <algorithm>
#include <cmath>

namespace limber::python {
namespace {

struct SurfaceArrays {
    Eigen::VectorXf displacement, normals;
};

SurfaceArrays shape_of(const WorldBody& body) {
    SurfaceArrays out;
    body.surface_shape(out.displacement, out.normals);
    return out;
}

py::array_t<float> floats(Eigen::VectorXf values) {
    const Shape shape = {values.size() / 3, 3};
    return adopt<float>(std::move(values), shape);
}

py::array_t<double> positions_at(const WorldBody& body, const Pose& pose) {
    const std::vector<Eigen::Vector3d>& rest = body.model()->surface.vertices;
    Eigen::VectorXd x = shape_of(body).displacement.cast<double>();
    for (std::size_t i = 0; i < rest.size(); ++i) {
        auto at = x.segment<3>(static_cast<Eigen::Index>(3 * i));
        at = pose * Eigen::Vector3d(rest[i] + at);
    }
    const Shape shape = {static_cast<py::ssize_t>(rest.size()), 3};
    return adopt<double>(std::move(x), shape);
}

}  // namespace

double checked_dt(double dt) {
    if (!(dt > 0) || !std::isfinite(dt))
        throw InputError{"dt", fmt::format("a time step of {} s; it must be positive", dt), ""};
    return dt;
}

int checked_steps(int steps) {
    if (steps < 1) throw InputError{"steps", fmt::format("{} steps; at least one was expected", steps), ""};
    return steps;
}

void between_steps(int i) {
    constexpr int kBetweenSignals = 256;
    if (i % kBetweenSignals == kBetweenSignals - 1 && PyErr_CheckSignals() != 0)
        throw py::error_already_set();
}

Eigen::Quaterniond quaternion_of(const py::object& value, const std::string& where) {
    return Eigen::Quaterniond(Eigen::Vector4d(vector_of(value, 4, where)));
}

int one_vertex_of(const py::object& at, const Model& model, const std::string& where) {
    const std::vector<int> vertices = surface_vertices_of(at, model, where);
    if (vertices.size() != 1)
        throw InputError{where, fmt::format("{} vertices; one was expected", vertices.size()),
                         "near:x,y,z takes the nearest"};
    return vertices[0];
}

py::array_t<float> surface_displacement(const WorldBody& body) {
    return floats(shape_of(body).displacement);
}

py::array_t<float> surface_normals(const WorldBody& body) {
    return floats(shape_of(body).normals);
}

py::array_t<float> surface_normals_in_world(const WorldBody& body) {
    Eigen::VectorXf normals = shape_of(body).normals;
    const Eigen::Matrix3f R = body.pose().orientation.toRotationMatrix().cast<float>();
    for (Eigen::Index i = 0; i + 2 < normals.size(); i += 3)
        normals.segment<3>(i) = (R * normals.segment<3>(i)).eval();
    return floats(std::move(normals));
}

py::array_t<double> surface_positions(const WorldBody& body) {
    return positions_at(body, Pose{});
}

py::array_t<double> surface_positions_in_world(const WorldBody& body) {
    return positions_at(body, body.pose());
}

py::object constraint_report(const WorldBody& body) {
    const ConstraintReport* r = body.constraint_report();
    if (r == nullptr) return py::none();
    return py::dict(py::arg("position_error") = r->position_error,
                    py::arg("orientation_error") = r->orientation_error,
                    py::arg("iterations") = r->iterations, py::arg("share") = r->fraction);
}

OneBody::OneBody(BodyDef def, const Eigen::Vector3d& gravity) : world(WorldDef{gravity}) {
    def.name = def.model->name;
    def.start = StartAcceleration::Zero;
    const Result<BodyId> added = world.add(std::move(def));
    if (!added.ok()) throw added.error();
    id = added.value();
}

OneBody OneBody::clone() const {
    World copy = world.clone();
    const BodyId body = copy.bodies().front().id();
    return {std::move(copy), body};
}

StepReport OneBody::step(double dt, int steps) {
    checked_steps(steps);
    checked_dt(dt);
    for (int i = 0; i < steps; ++i) {
        between_steps(i);
        world.step(dt);
        if (!body().report().converged) break;
    }
    return body().report();
}

void OneBody::add_force(const py::object& at, const py::object& force) {
    const std::vector<int> vertices = surface_vertices_of(at, model(), "at");
    const Eigen::Vector3d share =
        vector3_of(force, "force") / static_cast<double>(std::max<std::size_t>(1, vertices.size()));
    SetForces input{id, body().forces(), body().reduced_force()};
    for (const int v : vertices)
        input.forces.push_back({v, share});
    apply(input);
}

void OneBody::add_coordinate_force(const py::object& force) {
    Eigen::VectorXd sum = vector_of(force, body().q().size(), "force");
    if (body().reduced_force().size() > 0) sum += body().reduced_force();
    apply(SetForces{id, body().forces(), std::move(sum)});
}

void OneBody::clear_forces() {
    apply(SetForces{id, {}, {}});
}

void OneBody::set_frame(const py::kwargs& words) {
    const nlohmann::json given = json_of_words(words, "set_frame");
    std::optional<InputError> problem;
    const FrameMotion motion = read_frame(JsonCursor(given, "set_frame", problem));
    if (problem) throw std::move(*problem);
    apply(SetSupport{id, {Eigen::Vector3d::Zero(), motion.orientation}, motion});
}

}  // namespace limber::python
