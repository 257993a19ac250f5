// SPDX-License-Identifier: Apache-2.0
// Body, WarpBody and RigidBody of Python: each a world of one body.
#pragma once
#include "bindings/python/json.h"
#include "bindings/python/parts.h"

#include <limber/integrate/step_report.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>
#include <limber/settings/read_settings.h>
#include <limber/world/input_json.h>
#include <limber/world/world.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace limber::python {

inline void check(const Status& status) {
    if (!status.ok()) throw status.error();
}

double checked_dt(double dt);
int checked_steps(int steps);
// Ctrl-C is heard; `i` counts the steps.
void between_steps(int i);

// Four numbers, x y z w.
Eigen::Quaterniond quaternion_of(const py::object& value, const std::string& where);
// One vertex of the surface: its number, or a SELECT of one.
int one_vertex_of(const py::object& at, const Model& model, const std::string& where);

template <class Vector>
py::array_t<double> numbers(const Vector& x) {
    return adopt(Eigen::VectorXd(x));
}
inline py::array_t<double> numbers(const Eigen::Quaterniond& q) {
    return numbers(q.coeffs());
}

// Of the surface of a body, (s, 3): from rest in its frame; and where it is, in the frame or in the world.
py::array_t<float> surface_displacement(const WorldBody& body);
py::array_t<float> surface_normals(const WorldBody& body);
py::array_t<float> surface_normals_in_world(const WorldBody& body);
py::array_t<double> surface_positions(const WorldBody& body);
py::array_t<double> surface_positions_in_world(const WorldBody& body);
py::object constraint_report(const WorldBody& body);  // None: not constrained

class OneBody {
 public:
    // At rest until its first step. Its gravity becomes the world's.
    OneBody(BodyDef def, const Eigen::Vector3d& gravity);

    World world;
    BodyId id;

    const WorldBody& body() const { return *world.body(id); }
    const Model& model() const { return *body().model(); }
    template <class Kind>
    const Kind& kind() const {
        return std::get<Kind>(body().kind());
    }
    void apply(const Input& input) { check(world.apply(input)); }
    // A second one in the same state, under the same forces, constraints and settings.
    OneBody clone() const;

    // The report of the last step; stops at the first that does not converge.
    StepReport step(double dt, int steps);
    // At a surface vertex, several, or a SELECT; they share the force.
    void add_force(const py::object& at, const py::object& force);
    void add_coordinate_force(const py::object& force);  // on q
    void clear_forces();
    // What the words do not name is at rest.
    void set_frame(const py::kwargs& words);

 private:
    OneBody(World of, BodyId body) : world(std::move(of)), id(body) {}
};

// What the words do not name stays.
template <class Settings>
Settings read_words(const py::dict& words, const std::string& where, const Model& model, Settings settings) {
    check(read_settings(json_of_words(words, where), where, model, settings));
    return settings;
}

template <class Settings>
void set(OneBody& self, const py::kwargs& words) {
    const Settings settings =
        read_words(words, "set", self.model(), std::get<Settings>(self.body().settings()));
    std::vector<Input> inputs = {SetSettings{self.id, settings}};
    if (settings.gravity != self.world.gravity()) inputs.emplace_back(SetGravity{settings.gravity});
    check(apply_all(self.world, inputs));
}

// What all three have. Python's classes are made from structs that only name the kind.
template <class Self>
void add_shared_functions(py::class_<Self>& type) {
    type.def(
            "step", [](Self& self, double dt, int steps) { return self.step(dt, steps); }, py::arg("dt"),
            py::arg("steps") = 1,
            "Steps of dt seconds. Returns the report of the last; stops at the first that does not converge.")
        .def(
            "add_force",
            [](Self& self, const py::object& at, const py::object& force) { self.add_force(at, force); },
            py::arg("at"), py::arg("force"),
            "Pulls until clear_forces(), N in world axes. at: a surface vertex, several, or a SELECT; they\n"
            "share the force.")
        .def(
            "clear_forces", [](Self& self) { self.clear_forces(); }, "Gravity stays.")
        .def_property_readonly(
            "time", [](const Self& self) { return self.body().time(); }, "s")
        .def_property_readonly(
            "kinetic_energy", [](const Self& self) { return self.body().kinetic_energy(); }, "J")
        .def(
            "clone", [](const Self& self) { return Self{self.clone()}; },
            "A second body in the same state under the same settings, forces and constraints; it goes on "
            "bit\n"
            "by bit.");
}

// Of a body that deforms, in the axes of the support that it hangs on.
template <class Self>
void add_soft_functions(py::class_<Self>& type) {
    type.def(
            "set_frame", [](Self& self, const py::kwargs& words) { self.set_frame(words); },
            "set_frame(*, orientation=None, velocity=None, acceleration=None, angular_velocity=None,\n"
            "          angular_acceleration=None): how the rigid support moves until it is changed, in\n"
            "world axes; what is not named is at rest. orientation: x y z w.")
        .def_property_readonly(
            "elastic_energy", [](const Self& self) { return self.body().elastic_energy(); }, "J")
        .def(
            "surface_displacement", [](const Self& self) { return surface_displacement(self.body()); },
            "(s, 3) float32, m")
        .def(
            "surface_positions", [](const Self& self) { return surface_positions(self.body()); }, "(s, 3), m")
        .def(
            "surface_normals", [](const Self& self) { return surface_normals(self.body()); },
            "(s, 3) float32, unit length");
}

}  // namespace limber::python
