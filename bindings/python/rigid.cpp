// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in free flight.
#include "bindings/python/one_body.h"

#include <limber/rigid/rigid_body.h>

#include <pybind11/stl.h>

namespace limber::python {
namespace {

struct PythonRigidBody : OneBody {
    explicit PythonRigidBody(OneBody one) : OneBody(std::move(one)) {}
    const RigidBody& rigid() const { return kind<RigidBody>(); }
    const RigidState& state() const { return rigid().state(); }
};

const std::vector<std::string> kPlaceWords = {"position", "rotation", "velocity", "angular_velocity"};

// Where the model's origin stands, and how the body flies: what the words do not name is as in `now`.
PlaceBody place_of(const Words& words, PlaceBody now) {
    now.pose.position = words.vector3("position").value_or(now.pose.position);
    if (words.has("rotation"))
        now.pose.orientation = quaternion_of(words["rotation"], words.where("rotation"));
    now.velocity = words.vector3("velocity").value_or(now.velocity);
    now.angular_velocity = words.vector3("angular_velocity").value_or(now.angular_velocity);
    return now;
}

PythonRigidBody new_body(const PythonModel& model, const py::kwargs& given) {
    py::dict placing, others;
    for (const auto& [key, value] : given) {
        const bool places =
            std::find(kPlaceWords.begin(), kPlaceWords.end(), text_of(key, "RigidBody")) != kPlaceWords.end();
        (places ? placing : others)[key] = value;
    }
    const PlaceBody place = place_of(Words(placing, "RigidBody", kPlaceWords), {});
    const RigidSettings settings = read_words(others, "RigidBody", *model.model, RigidSettings{});
    return PythonRigidBody(OneBody({.model = model.model,
                                    .method = Method::Rigid,
                                    .settings = settings,
                                    .pose = place.pose,
                                    .velocity = place.velocity,
                                    .angular_velocity = place.angular_velocity},
                                   settings.gravity));
}

void place(PythonRigidBody& self, const py::kwargs& given) {
    const RigidBody& now = self.rigid();
    self.apply(place_of(Words(given, "place", kPlaceWords),
                        {self.id, now.pose(), now.velocity(), now.angular_velocity()}));
}

py::dict saved(const PythonRigidBody& self) {
    const RigidState& s = self.state();
    return py::dict(py::arg("time") = s.time, py::arg("position") = numbers(s.position),
                    py::arg("orientation") = numbers(s.orientation),
                    py::arg("momentum") = numbers(s.momentum),
                    py::arg("angular_momentum") = numbers(s.angular_momentum));
}

void restore(PythonRigidBody& self, const py::dict& given) {
    const Words words(given, "state", {"time", "position", "orientation", "momentum", "angular_momentum"});
    RigidState state = self.state();
    state.time = words.number("time").value_or(state.time);
    state.position = words.vector3("position").value_or(state.position);
    if (words.has("orientation"))
        state.orientation = quaternion_of(words["orientation"], words.where("orientation"));
    state.momentum = words.vector3("momentum").value_or(state.momentum);
    state.angular_momentum = words.vector3("angular_momentum").value_or(state.angular_momentum);
    self.apply(RestoreState{self.id, state});
}

py::array_t<double> inertia(const PythonRigidBody& self) {
    return adopt<double>(Eigen::Matrix3d(self.rigid().inertia()), {3, 3});  // symmetric
}

}  // namespace

void add_rigid_bodies(py::module_& module) {
    py::class_<PythonRigidBody> type(
        module, "RigidBody",
        "The model's closed surface, filled and rigid, in free flight in a world of its own.\n\n"
        "RigidBody(model, *, density=1000, gravity=None, position=None, rotation=None, velocity=None,\n"
        "          angular_velocity=None)\n"
        "position and rotation (x y z w): world from the model's coordinates; velocity: of the centre of\n"
        "mass, m/s; angular_velocity: rad/s, world axes.");
    type.def(py::init(&new_body), py::arg("model"))
        .def(
            "set", [](PythonRigidBody& self, const py::kwargs& words) { set<RigidSettings>(self, words); },
            "set(*, density=None, gravity=None): what is not named stays, velocities too.")
        .def(
            "place", &place,
            "place(*, position=None, rotation=None, velocity=None, angular_velocity=None): as at the start;\n"
            "what is not named stays.")
        .def_property_readonly(
            "mass", [](const PythonRigidBody& self) { return self.rigid().mass(); }, "kg")
        .def_property_readonly("inertia", &inertia, "in body axes, about the centre of mass, kg m², (3, 3)")
        .def_property_readonly(
            "position", [](const PythonRigidBody& self) { return numbers(self.state().position); },
            "of the centre of mass, m")
        .def_property_readonly(
            "orientation", [](const PythonRigidBody& self) { return numbers(self.state().orientation); },
            "world from body, x y z w")
        .def_property_readonly(
            "velocity", [](const PythonRigidBody& self) { return numbers(self.rigid().velocity()); },
            "of the centre of mass, m/s")
        .def_property_readonly(
            "angular_velocity",
            [](const PythonRigidBody& self) { return numbers(self.rigid().angular_velocity()); },
            "rad/s, world axes")
        .def_property_readonly(
            "momentum", [](const PythonRigidBody& self) { return numbers(self.state().momentum); }, "kg m/s")
        .def_property_readonly(
            "angular_momentum",
            [](const PythonRigidBody& self) { return numbers(self.state().angular_momentum); },
            "about the centre of mass, kg m²/s, world axes")
        .def("state", &saved,
             "time, position, orientation, momentum, angular_momentum: what restore() takes.")
        .def("restore", &restore, py::arg("state"),
             "With the same settings and forces the motion goes on bit by bit.")
        .def(
            "surface_positions",
            [](const PythonRigidBody& self) { return surface_positions_in_world(self.body()); },
            "in the world, (s, 3), m")
        .def(
            "surface_normals",
            [](const PythonRigidBody& self) { return surface_normals_in_world(self.body()); },
            "in world axes, (s, 3) float32, unit length")
        .def("__repr__", [](const PythonRigidBody& self) {
            return fmt::format("<limber.RigidBody of '{}': {:g} kg, t = {:g} s>", self.model().name,
                               self.rigid().mass(), self.body().time());
        });
    add_shared_functions(type);
}

}  // namespace limber::python
