// SPDX-License-Identifier: Apache-2.0
// Bodies of linear modes, warped: large rotations, and vertices that are dragged and turned.
#include "bindings/python/body_parts.h"

#include <limber/warp/warp_body.h>

#include <pybind11/stl.h>

namespace limber::python {
namespace {

const std::vector<std::string> kSettings = {"warping",  "step",        "damping",      "gravity",
                                            "coriolis", "young_scale", "density_scale"};

// The body, and the model whose surface names its vertices.
struct PythonWarpBody {
    std::shared_ptr<const Model> model;
    WarpBody body;
};

Warping warping_of(const std::string& word) {
    if (word == "linear") return Warping::Linear;
    return word == "local" ? Warping::Local : Warping::Warped;
}

// What the words do not name stays.
WarpSettings settings_of(WarpSettings settings, const Words& words) {
    if (words.has("warping"))
        settings.warping = warping_of(words.choice("warping", {"warped", "local", "linear"}));
    if (words.has("step"))
        settings.step = words.choice("step", {"semi-implicit", "closed-form"}) == "closed-form"
                            ? OscillatorStep::ClosedForm
                            : OscillatorStep::SemiImplicit;
    if (const auto damping = words.words("damping", {"alpha", "beta"})) {
        settings.alpha = damping->number("alpha").value_or(settings.alpha);
        settings.beta = damping->number("beta").value_or(settings.beta);
    }
    settings.gravity = words.vector3("gravity").value_or(settings.gravity);
    if (words.has("coriolis"))
        settings.coriolis = words.flag("coriolis") ? LocalCoriolis::On : LocalCoriolis::Off;
    settings.young_scale = words.number("young_scale").value_or(settings.young_scale);
    settings.density_scale = words.number("density_scale").value_or(settings.density_scale);
    return settings;
}

PythonWarpBody new_body(const PythonModel& model, const py::kwargs& given) {
    if (!model.model->warp)
        throw InputError{"WarpBody", "the model was built without modal warping",
                         "build it with method='both'"};
    Result<WarpBody> made =
        make_warp_body(model.model->warp, settings_of({}, Words(given, "WarpBody", kSettings)));
    if (!made.ok()) throw made.error();
    return {model.model, std::move(made).value()};
}

// One vertex of the surface for each constraint.
int vertex_of(const py::object& at, const Model& model, const std::string& where) {
    const std::vector<int> vertices = surface_vertices_of(at, model, where);
    if (vertices.size() != 1)
        throw InputError{where, fmt::format("{} vertices; a constraint holds one", vertices.size()),
                         "near:x,y,z takes the nearest"};
    return vertices[0];
}

using Target = std::pair<py::object, py::object>;  // where, and to what

// [(at, target), …]
std::vector<Target> targets_of(const Words& words, const char* word, const char* example) {
    const auto is_list = [](const py::handle& value) {
        return py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value) &&
               !py::isinstance<py::bytes>(value);
    };
    const auto fail = [&](const py::handle& value, const char* expected) {
        throw InputError{words.where(word), fmt::format("{} is no {}", python::shown(value), expected),
                         example};
    };
    std::vector<Target> out;
    if (!words.has(word)) return out;
    const py::object list = words[word];
    if (!is_list(list)) fail(list, "list of pairs: a vertex and its target");
    for (const py::handle entry : list) {
        if (!is_list(entry) || py::len(entry) != 2) fail(entry, "pair of a vertex and its target");
        const auto pair = py::reinterpret_borrow<py::sequence>(entry);
        out.emplace_back(pair[0], pair[1]);
    }
    return out;
}

Constraints constraints_of(const Words& words, const Model& model) {
    Constraints out;
    for (const auto& [at, displacement] : targets_of(words, "positions", "[(12, (0, 0, 0.01))]"))
        out.positions.push_back({vertex_of(at, model, words.where("positions")),
                                 vector3_of(displacement, words.where("positions"))});
    for (const auto& [at, orientation] : targets_of(words, "orientations", "[(12, (0, 0, 0, 1))]"))
        out.orientations.push_back({vertex_of(at, model, words.where("orientations")),
                                    quaternion_of(orientation, words.where("orientations"))});
    if (words.has("exercised"))
        out.exercised = surface_vertices_of(words["exercised"], model, words.where("exercised"));
    if (words.choice("priority", {"position", "orientation"}) == "orientation")
        out.priority = TaskPriority::OrientationFirst;
    const std::string method = words.choice("method", {"predicted", "newton", "previous"});
    out.positions_by = method == "newton"     ? PositionMethod::Newton
                       : method == "previous" ? PositionMethod::Previous
                                              : PositionMethod::Predicted;
    return out;
}

template <Eigen::VectorXd WarpState::*kPart>
py::array_t<double> get(const PythonWarpBody& self) {
    return adopt(Eigen::VectorXd(self.body.state().*kPart));
}

template <Eigen::VectorXd WarpState::*kPart>
void put(PythonWarpBody& self, const py::object& value) {
    WarpState state = self.body.state();
    state.*kPart = vector_of(value, self.body.model().modes(), "the state");
    state.surplus = 0;  // another motion begins
    state.previous_q.resize(0);
    state.rotations.clear();
    check(self.body.set_state(state));
}

py::array_t<double> shape_coordinates(const PythonWarpBody& self) {
    Eigen::VectorXd out;
    self.body.shape_coordinates(out);
    return adopt(std::move(out));
}

py::dict saved(const PythonWarpBody& self) {
    const WarpState& s = self.body.state();
    return py::dict(py::arg("time") = s.time, py::arg("q") = adopt(Eigen::VectorXd(s.q)),
                    py::arg("v") = adopt(Eigen::VectorXd(s.v)), py::arg("surplus") = s.surplus);
}

void restore(PythonWarpBody& self, const py::dict& given) {
    const Words words(given, "state", {"time", "q", "v", "surplus"});
    WarpState state = self.body.state();
    state.time = words.number("time").value_or(state.time);
    if (words.has("q")) state.q = vector_of(words["q"], self.body.model().modes(), words.where("q"));
    if (words.has("v")) state.v = vector_of(words["v"], self.body.model().modes(), words.where("v"));
    state.surplus = words.number("surplus").value_or(0);
    state.previous_q.resize(0);
    state.rotations.clear();
    check(self.body.set_state(state));
}

struct Shown {
    Eigen::VectorXf displacement, normals;
};
Shown shown(const PythonWarpBody& self) {
    Shown out;
    self.body.surface_shape(out.displacement, out.normals);
    return out;
}

py::dict report(const PythonWarpBody& self) {
    const ConstraintReport& r = self.body.constraint_report();
    return py::dict(py::arg("position_error") = r.position_error,
                    py::arg("orientation_error") = r.orientation_error, py::arg("iterations") = r.iterations,
                    py::arg("share") = r.fraction);
}

void add_motion(py::class_<PythonWarpBody>& type) {
    type.def(
            "set",
            [](PythonWarpBody& self, const py::kwargs& given) {
                check(self.body.set(settings_of(self.body.settings(), Words(given, "set", kSettings))));
            },
            "Changes settings between two steps; what is not named stays.")
        .def(
            "step",
            [](PythonWarpBody& self, double dt, int steps) { return python::step(self.body, dt, steps); },
            py::arg("dt"), py::arg("steps") = 1, "Steps of dt seconds, stable for any dt.")
        .def_property("q", &get<&WarpState::q>, &put<&WarpState::q>, "modal coordinates, (m,); a copy")
        .def_property("v", &get<&WarpState::v>, &put<&WarpState::v>, "their velocities, (m,); a copy")
        .def_property_readonly(
            "time", [](const PythonWarpBody& self) { return self.body.state().time; }, "s")
        .def("state", &saved, "time, q, v and surplus: what restore() takes.")
        .def("restore", &restore, py::arg("state"),
             "With the same settings, frame and forces the motion goes on bit by bit, but not under\n"
             "constraints, whose memory of earlier steps is not in the state: then clone() does.")
        .def_property_readonly(
            "kinetic_energy", [](const PythonWarpBody& self) { return self.body.kinetic_energy(); }, "J")
        .def_property_readonly(
            "elastic_energy", [](const PythonWarpBody& self) { return self.body.elastic_energy(); }, "J")
        .def_property_readonly("shape_coordinates", &shape_coordinates,
                               "q and the amplitudes z of the companions, (m + k,)")
        .def(
            "surface_displacement",
            [](const PythonWarpBody& self) { return floats(shown(self).displacement); }, "(s, 3) float32, m")
        .def(
            "surface_positions",
            [](const PythonWarpBody& self) { return moved(self.model->surface, shown(self).displacement); },
            "(s, 3), m")
        .def(
            "surface_normals", [](const PythonWarpBody& self) { return floats(shown(self).normals); },
            "(s, 3) float32, unit length")
        .def(
            "clone",
            [](const PythonWarpBody& self) {
                return PythonWarpBody{self.model, self.body.clone()};
            },
            "A second body in the same state under the same forces and constraints; it goes on bit by bit.")
        .def("__repr__", [](const PythonWarpBody& self) {
            return fmt::format("<limber.WarpBody of '{}': {} modes, t = {:g} s>", self.model->name,
                               self.body.model().modes(), self.body.state().time);
        });
}

void add_forces(py::class_<PythonWarpBody>& type) {
    type.def(
            "set_frame",
            [](PythonWarpBody& self, const py::kwargs& given) {
                check(self.body.set_frame(frame_of(Words(given, "set_frame", kFrameWords))));
            },
            "As Body.set_frame.")
        .def(
            "add_force",
            [](PythonWarpBody& self, const py::object& at, const py::object& force) {
                python::add_force(self.body, *self.model, at, force);
            },
            py::arg("at"), py::arg("force"), "As Body.add_force; N, in world axes.")
        .def(
            "add_modal_force",
            [](PythonWarpBody& self, const py::object& force) {
                check(self.body.add_modal_force(vector_of(force, self.body.model().modes(), "force")));
            },
            py::arg("force"), "(m,)")
        .def(
            "clear_forces", [](PythonWarpBody& self) { self.body.clear_forces(); }, "Gravity stays.")
        .def(
            "set_constraints",
            [](PythonWarpBody& self, const py::kwargs& given) {
                const Words words(given, "set_constraints",
                                  {"positions", "orientations", "exercised", "priority", "method"});
                check(self.body.set_constraints(constraints_of(words, *self.model)));
            },
            "set_constraints(*, positions=None, orientations=None, exercised=None, priority='position',\n"
            "                 method='predicted'): vertices that are dragged and turned in the next steps,\n"
            "instead of those before; nothing lets go. positions: [(at, displacement)] in m from rest,\n"
            "orientations: [(at, (x, y, z, w))]; at: a vertex or a SELECT of one.\n"
            "exercised: vertices that the forces act on; None: forces and torques at the constrained ones.\n"
            "method: 'newton' meets positions, 'predicted' leaves an error, 'previous' is a step late.")
        .def(
            "set_position_target",
            [](PythonWarpBody& self, int position, const py::object& displacement) {
                check(self.body.set_position_target(position, vector3_of(displacement, "displacement")));
            },
            py::arg("position"), py::arg("displacement"), "By its number in the list.")
        .def(
            "set_orientation_target",
            [](PythonWarpBody& self, int orientation, const py::object& target) {
                check(self.body.set_orientation_target(orientation, quaternion_of(target, "target")));
            },
            py::arg("orientation"), py::arg("target"), "By its number in the list; x y z w.")
        .def_property_readonly(
            "constraint_report", &report,
            "position_error (m), orientation_error (rad), iterations and share of the last step");
}

}  // namespace

void add_warp_bodies(py::module_& module) {
    py::class_<PythonWarpBody> type(
        module, "WarpBody",
        "A body of linear modes at rest, warped by their own rotations.\n\n"
        "WarpBody(model, *, warping='warped', step='semi-implicit', damping=None, gravity=None,\n"
        "         coriolis=False, young_scale=1, density_scale=1)\n"
        "warping: 'warped', 'local' (the paper's shape, without companions) or 'linear' (plain modes).\n"
        "step: 'semi-implicit' or 'closed-form'.\n"
        "damping: {'alpha', 'beta'}. The scales multiply all moduli and densities of the model.");
    type.def(py::init(&new_body), py::arg("model"));
    add_motion(type);
    add_forces(type);
}

}  // namespace limber::python
