// SPDX-License-Identifier: Apache-2.0
// Bodies of linear modes, warped: large rotations, and vertices that are dragged and turned.
#include "bindings/python/one_body.h"

#include <limber/warp/warp_body.h>

#include <pybind11/stl.h>

namespace limber::python {
namespace {

using Json = nlohmann::json;

struct PythonWarpBody : OneBody {
    explicit PythonWarpBody(OneBody one) : OneBody(std::move(one)) {}
    const WarpState& state() const { return kind<WarpBody>().state(); }
};

PythonWarpBody new_body(const PythonModel& model, const py::kwargs& words) {
    const WarpSettings settings = read_words(words, "WarpBody", *model.model, WarpSettings{});
    return PythonWarpBody(OneBody({.model = model.model, .method = method_of(settings), .settings = settings},
                                  settings.gravity));
}

// [(at, target), …] as a list of { "vertex", KEY: target }.
Json targets_of(const py::handle& list, const Model& model, const std::string& where, const char* key,
                const char* example) {
    const auto is_list = [](const py::handle& value) {
        return py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value) &&
               !py::isinstance<py::bytes>(value);
    };
    const auto fail = [&](const py::handle& value, const char* expected) {
        throw InputError{where, fmt::format("{} is no {}", shown(value), expected), example};
    };
    Json out = Json::array();
    if (!is_list(list)) fail(list, "list of pairs: a vertex and its target");
    for (const py::handle entry : list) {
        if (!is_list(entry) || py::len(entry) != 2) fail(entry, "pair of a vertex and its target");
        const auto pair = py::reinterpret_borrow<py::sequence>(entry);
        out.push_back({{"vertex", one_vertex_of(pair[0], model, where)}, {key, json_of(pair[1], where)}});
    }
    return out;
}

// Places may be SELECTs; all else is as in a scene.
Constraints constraints_of(const py::kwargs& words, const Model& model) {
    const std::string where = "set_constraints";
    const auto others = py::reinterpret_steal<py::dict>(PyDict_Copy(words.ptr()));
    Json given = Json::object();
    const auto take = [&](const char* word, const auto& read) {
        if (!words.contains(word)) return;
        others.attr("pop")(word);
        const py::object value = words[word];
        if (!value.is_none()) given[word] = read(value, where + ": " + word);
    };
    take("positions", [&](const py::object& value, const std::string& at) {
        return targets_of(value, model, at, "displacement", "[(12, (0, 0, 0.01))]");
    });
    take("orientations", [&](const py::object& value, const std::string& at) {
        return targets_of(value, model, at, "orientation", "[(12, (0, 0, 0, 1))]");
    });
    take("exercised", [&](const py::object& value, const std::string& at) {
        return Json(surface_vertices_of(value, model, at));
    });
    given.update(json_of_words(others, where));
    std::optional<InputError> problem;
    Constraints out =
        read_constraints(JsonCursor(given, where, problem), static_cast<int>(model.surface.vertices.size()));
    if (problem) throw std::move(*problem);
    return out;
}

// The targets as they are, to be changed: `which` must be one of them.
template <class Target>
Constraints with_target(const PythonWarpBody& self, std::vector<Target> Constraints::*list, int which,
                        const char* where) {
    const Constraints* present = self.body().constraints();
    const auto count = present ? static_cast<int>((present->*list).size()) : 0;
    if (which < 0 || which >= count)
        throw InputError{where, fmt::format("there is no constraint {}; the list has {}", which, count),
                         "set_constraints() first"};
    return *present;
}

void set_position_target(PythonWarpBody& self, int position, const py::object& displacement) {
    Constraints next = with_target(self, &Constraints::positions, position, "position");
    next.positions[std::size_t(position)].displacement = vector3_of(displacement, "displacement");
    self.apply(SetConstraints{self.id, std::move(next)});
}

void set_orientation_target(PythonWarpBody& self, int orientation, const py::object& target) {
    Constraints next = with_target(self, &Constraints::orientations, orientation, "orientation");
    next.orientations[std::size_t(orientation)].orientation = quaternion_of(target, "target");
    self.apply(SetConstraints{self.id, std::move(next)});
}

template <Eigen::VectorXd WarpState::*kPart>
py::array_t<double> get(const PythonWarpBody& self) {
    return numbers(self.state().*kPart);
}

// Another motion begins: nothing is remembered of earlier steps.
template <Eigen::VectorXd WarpState::*kPart>
void put(PythonWarpBody& self, const py::object& value) {
    const WarpState& now = self.state();
    WarpState state{.time = now.time, .q = now.q, .v = now.v};
    state.*kPart = vector_of(value, now.q.size(), "the state");
    self.apply(RestoreState{self.id, std::move(state)});
}

py::dict saved(const PythonWarpBody& self) {
    const WarpState& s = self.state();
    std::vector<double> rotations;
    for (const Eigen::Vector3d& w : s.rotations)
        rotations.insert(rotations.end(), w.begin(), w.end());
    const auto count = static_cast<py::ssize_t>(s.rotations.size());
    return py::dict(py::arg("time") = s.time, py::arg("q") = numbers(s.q), py::arg("v") = numbers(s.v),
                    py::arg("surplus") = s.surplus, py::arg("previous_q") = numbers(s.previous_q),
                    py::arg("rotations") = adopt<double>(std::move(rotations), {count, 3}));
}

// time, q and v stay where they are not named; what the body remembers of earlier steps does not.
void restore(PythonWarpBody& self, const py::dict& given) {
    const Words words(given, "state", {"time", "q", "v", "surplus", "previous_q", "rotations"});
    const WarpState& now = self.state();
    WarpState state{.time = now.time, .q = now.q, .v = now.v};
    state.time = words.number("time").value_or(state.time);
    const auto take = [&](const char* word, Eigen::VectorXd& out) {
        if (words.has(word)) out = vector_of(words[word], now.q.size(), words.where(word));
    };
    take("q", state.q);
    take("v", state.v);
    state.surplus = words.number("surplus").value_or(0);
    if (words.has("previous_q") && py::len(words["previous_q"]) > 0) take("previous_q", state.previous_q);
    if (words.has("rotations") && py::len(words["rotations"]) > 0)
        state.rotations = points_of(words["rotations"], words.where("rotations"));
    self.apply(RestoreState{self.id, std::move(state)});
}

py::array_t<double> shape_coordinates(const PythonWarpBody& self) {
    Eigen::VectorXd out;
    self.body().shape_coordinates(out);
    return adopt(std::move(out));
}

// Also of a body without constraints: then nothing is wrong.
py::object report(const PythonWarpBody& self) {
    const py::object report = constraint_report(self.body());
    if (!report.is_none()) return report;
    return py::dict(py::arg("position_error") = 0.0, py::arg("orientation_error") = 0.0,
                    py::arg("iterations") = 0, py::arg("share") = 1.0);
}

void add_motion(py::class_<PythonWarpBody>& type) {
    type.def(
            "set", [](PythonWarpBody& self, const py::kwargs& words) { set<WarpSettings>(self, words); },
            "Changes settings between two steps; what is not named stays.")
        .def_property("q", &get<&WarpState::q>, &put<&WarpState::q>, "modal coordinates, (m,); a copy")
        .def_property("v", &get<&WarpState::v>, &put<&WarpState::v>, "their velocities, (m,); a copy")
        .def("state", &saved, "time, q, v, surplus, previous_q and rotations: what restore() takes.")
        .def("restore", &restore, py::arg("state"),
             "With the same settings, frame, forces and constraints the motion goes on bit by bit.")
        .def_property_readonly("shape_coordinates", &shape_coordinates,
                               "q and the amplitudes z of the companions, (m + k,)")
        .def(
            "add_modal_force",
            [](PythonWarpBody& self, const py::object& force) { self.add_coordinate_force(force); },
            py::arg("force"), "(m,)")
        .def("__repr__", [](const PythonWarpBody& self) {
            return fmt::format("<limber.WarpBody of '{}': {} modes, t = {:g} s>", self.model().name,
                               self.state().q.size(), self.body().time());
        });
}

void add_constraints(py::class_<PythonWarpBody>& type) {
    type.def(
            "set_constraints",
            [](PythonWarpBody& self, const py::kwargs& words) {
                self.apply(SetConstraints{self.id, constraints_of(words, self.model())});
            },
            "set_constraints(*, positions=None, orientations=None, exercised=None, priority='position',\n"
            "                positions_by='predicted'): vertices that are dragged and turned in the next\n"
            "steps, instead of those before; nothing lets go. positions: [(at, displacement)] in m from\n"
            "rest, orientations: [(at, (x, y, z, w))]; at: a vertex or a SELECT of one.\n"
            "exercised: vertices that the forces act on; None: forces and torques at the constrained ones.\n"
            "positions_by: 'newton' meets positions, 'predicted' leaves an error, 'previous' is a step "
            "late;\n"
            "'method' is its old spelling.")
        .def("set_position_target", &set_position_target, py::arg("position"), py::arg("displacement"),
             "By its number in the list.")
        .def("set_orientation_target", &set_orientation_target, py::arg("orientation"), py::arg("target"),
             "By its number in the list; x y z w.")
        .def_property_readonly(
            "constraint_report", &report,
            "position_error (m), orientation_error (rad), iterations and share of the last step");
}

}  // namespace

void add_warp_bodies(py::module_& module) {
    py::class_<PythonWarpBody> type(
        module, "WarpBody",
        "A body of linear modes at rest, warped by their own rotations, in a world of its own.\n\n"
        "WarpBody(model, *, materials=None, warping='warped', step='semi-implicit', damping=None,\n"
        "         gravity=None, coriolis=False, young_scale=1, density_scale=1)\n"
        "warping: 'warped', 'local' (the paper's shape, without companions) or 'linear' (plain modes).\n"
        "step: 'semi-implicit' or 'closed-form'; stable for any dt.\n"
        "damping: {'alpha', 'beta'}. The scales multiply all moduli and densities of the model.");
    type.def(py::init(&new_body), py::arg("model"));
    add_motion(type);
    add_constraints(type);
    add_shared_functions(type);
    add_soft_functions(type);
}

}  // namespace limber::python
