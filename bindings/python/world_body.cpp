// SPDX-License-Identifier: Apache-2.0
// The bodies of a world.
#include "bindings/python/python_world.h"

namespace limber::python {
namespace {

using Json = nlohmann::json;

py::object model_of(const BodyHandle& self) {
    const std::shared_ptr<const Model>& model = self.body().model();
    for (const auto& [name, known] : self.world->models)
        if (known->model == model) return py::cast(known);
    return py::none();
}

py::object settings_of(const BodyHandle& self) {
    return python_of(write_body_settings(self.body()));
}

void apply_to_body(const BodyHandle& self, Json input, const std::string& where) {
    input["body"] = self.body().name();
    check(self.world->session.apply(input, where));
}

void set_settings(const BodyHandle& self, const py::kwargs& words) {
    apply_to_body(self, {{"set", json_of_words(words, "set")}}, "");
}

void apply_words(const BodyHandle& self, const py::object& input, const py::kwargs& words) {
    const py::dict given = merged(input, words);
    if (given.contains("body")) throw InputError{"apply: body", "it is this one", "world.apply()"};
    apply_to_body(self, input_of(*self.world, given, "apply"), "apply");
}

template <Eigen::VectorXd SetState::*kPart>
void put(const BodyHandle& self, const py::object& value) {
    const WorldBody& body = self.body();
    const bool is_q = kPart == &SetState::q;
    const Eigen::VectorXd given = vector_of(value, body.q().size(), is_q ? "q" : "v");
    const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    const Json state = {{"q", list(is_q ? given : body.q())}, {"v", list(is_q ? body.v() : given)}};
    apply_to_body(self, {{"state", state}}, "");
}

py::tuple pose_of(const BodyHandle& self) {
    const Pose pose = self.body().pose();
    return py::make_tuple(numbers(pose.position), numbers(pose.orientation));
}

py::object rigid_state(const BodyHandle& self) {
    const auto flight = self.body().flight();
    if (!flight) return py::none();
    const RigidState s = *self.body().rigid_state();
    return py::dict(
        py::arg("position") = numbers(s.position), py::arg("orientation") = numbers(s.orientation),
        py::arg("momentum") = numbers(s.momentum), py::arg("angular_momentum") = numbers(s.angular_momentum),
        py::arg("velocity") = numbers(flight->velocity),
        py::arg("angular_velocity") = numbers(flight->angular_velocity), py::arg("mass") = flight->mass);
}

py::dict body_contacts(const BodyHandle& self) {
    const BodyContacts& contacts = self.body().contacts();
    return py::dict(py::arg("points") = contacts.points, py::arg("force") = numbers(contacts.force),
                    py::arg("impulse") = numbers(contacts.impulse), py::arg("depth") = contacts.depth);
}

py::list inputs_of(const BodyHandle& self) {
    py::list out;
    for (const Json& input : write_inputs(self.body()))
        out.append(python_of(input));
    return out;
}

template <Eigen::Vector3d (WorldBody::*kOf)(int) const>
py::array_t<double> at_vertex(const BodyHandle& self, const py::object& at) {
    const WorldBody& body = self.body();
    return numbers((body.*kOf)(one_vertex_of(at, *body.model(), "at")));
}

}  // namespace

void add_world_bodies(py::module_& module) {
    py::class_<BodyHandle>(module, "WorldBody", "A body of a World, as long as the world has it.")
        .def_property_readonly("name", [](const BodyHandle& self) { return self.body().name(); })
        .def_property_readonly(
            "method", [](const BodyHandle& self) { return word_of(self.body().method()); },
            "'stvk', 'warp', 'linear' or 'rigid'")
        .def_property_readonly(
            "mount", [](const BodyHandle& self) { return word_of(self.body().mount()); },
            "'fixed', 'moved' (by its support) or 'free' (it flies)")
        .def_property_readonly("model", &model_of)
        .def_property_readonly("settings", &settings_of, "a dictionary: what set() takes")
        .def("set", &set_settings, "Changes settings of its method, as World.add() names them.")
        .def("apply", &apply_words, py::arg("input") = py::none(), "World.apply() for this body.")
        .def_property(
            "q", [](const BodyHandle& self) { return numbers(self.body().q()); }, &put<&SetState::q>,
            "reduced coordinates; a copy, empty of a rigid body. Where it is set, another motion begins.")
        .def_property(
            "v", [](const BodyHandle& self) { return numbers(self.body().v()); }, &put<&SetState::v>,
            "their velocities; a copy")
        .def_property_readonly(
            "time", [](const BodyHandle& self) { return self.body().time(); }, "s, of the steps it made")
        .def_property_readonly("pose", &pose_of, "(position, orientation): world from body, m and x y z w")
        .def("position", &at_vertex<&WorldBody::position>, py::arg("at"),
             "In the world, m. at: a surface vertex, or a SELECT of one.")
        .def("velocity", &at_vertex<&WorldBody::velocity>, py::arg("at"), "In the world, m/s.")
        .def("displacement", &at_vertex<&WorldBody::displacement>, py::arg("at"),
             "From rest, in the body's frame, m.")
        .def(
            "surface_displacement", [](const BodyHandle& self) { return surface_displacement(self.body()); },
            "from rest, in the body's frame, (s, 3) float32, m")
        .def(
            "surface_positions",
            [](const BodyHandle& self) { return surface_positions_in_world(self.body()); },
            "in the world, (s, 3), m")
        .def(
            "surface_normals", [](const BodyHandle& self) { return surface_normals_in_world(self.body()); },
            "in world axes, (s, 3) float32, unit length")
        .def_property_readonly(
            "kinetic_energy", [](const BodyHandle& self) { return self.body().kinetic_energy(); }, "J")
        .def_property_readonly(
            "elastic_energy", [](const BodyHandle& self) { return self.body().elastic_energy(); }, "J")
        .def_property_readonly("rigid_state", &rigid_state,
                               "position and velocity of the centre of mass, orientation, angular_velocity,\n"
                               "momentum, angular_momentum and mass of a rigid or free body; None of others")
        .def_property_readonly(
            "report", [](const BodyHandle& self) { return self.body().report(); }, "of the last step")
        .def_property_readonly(
            "constraint_report", [](const BodyHandle& self) { return constraint_report(self.body()); },
            "position_error (m), orientation_error (rad), iterations and share; None: not constrained")
        .def_property_readonly(
            "contacts", &body_contacts,
            "points that push, total force (N) and impulse (N s) of the last step, depth (m)")
        .def_property_readonly(
            "asleep", [](const BodyHandle& self) { return self.body().asleep(); },
            "at rest with all that it touches: not stepped until something wakes it")
        .def_property_readonly("inputs", &inputs_of, "what acts on it now, as inputs")
        .def("__eq__",
             [](const BodyHandle& self, const py::object& other) {
                 return py::isinstance<BodyHandle>(other) && other.cast<const BodyHandle&>().id == self.id;
             })
        .def("__hash__",
             [](const BodyHandle& self) {
                 return (static_cast<std::size_t>(self.id.world) << 32U) ^ self.id.number;
             })
        .def("__repr__", [](const BodyHandle& self) {
            const WorldBody* body = self.world->world().body(self.id);
            if (body == nullptr) return std::string("<limber.WorldBody that was removed>");
            return fmt::format("<limber.WorldBody '{}': {} of '{}', t = {:g} s>", body->name(),
                               word_of(body->method()), body->model()->name, body->time());
        });
}

}  // namespace limber::python
