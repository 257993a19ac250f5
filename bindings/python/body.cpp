// SPDX-License-Identifier: Apache-2.0
// Reduced St.Venant-Kirchhoff bodies, and what steps report.
#include "bindings/python/one_body.h"

#include <limber/reduced/stvk_body.h>

#include <pybind11/stl.h>

#include <array>

namespace limber::python {
namespace {

struct PythonBody : OneBody {
    explicit PythonBody(OneBody one) : OneBody(std::move(one)) {}
    const StvkState& state() const { return kind<StvkBody>().state(); }
};

PythonBody new_body(const PythonModel& model, const py::kwargs& words) {
    const StvkSettings settings = read_words(words, "Body", *model.model, StvkSettings{});
    return PythonBody(
        OneBody({.model = model.model, .mount = Mount::Fixed, .settings = settings}, settings.gravity));
}

// A part of the state, as a property that is copied out and checked in.
template <Eigen::VectorXd StvkState::*kPart>
py::array_t<double> get(const PythonBody& self) {
    return numbers(self.state().*kPart);
}

template <Eigen::VectorXd StvkState::*kPart>
void put(PythonBody& self, const py::object& value) {
    StvkState state = self.state();
    state.*kPart = vector_of(value, state.q.size(), "the state");
    self.apply(RestoreState{self.id, std::move(state)});
}

py::dict saved(const PythonBody& self) {
    const StvkState& s = self.state();
    return py::dict(py::arg("time") = s.time, py::arg("q") = numbers(s.q), py::arg("v") = numbers(s.v),
                    py::arg("a") = numbers(s.a));
}

void restore(PythonBody& self, const py::dict& given) {
    const Words words(given, "state", {"time", "q", "v", "a"});
    StvkState state = self.state();
    state.time = words.number("time").value_or(state.time);
    const auto take = [&](const char* word, Eigen::VectorXd& out) {
        if (words.has(word)) out = vector_of(words[word], out.size(), words.where(word));
    };
    take("q", state.q);
    take("v", state.v);
    take("a", state.a);
    self.apply(RestoreState{self.id, std::move(state)});
}

void set_acceleration_from_forces(PythonBody& self) {
    StvkBody balanced = self.kind<StvkBody>().clone();
    balanced.set_acceleration_from_forces();
    self.apply(RestoreState{self.id, balanced.state()});
}

void add_report(py::module_& module) {
    py::class_<StepReport>(module, "StepReport", "What a step says about itself.")
        .def_readonly("converged", &StepReport::converged, "False: nothing moved, and time stands")
        .def_readonly("iterations", &StepReport::iterations, "Newton's corrections")
        .def_readonly("residual", &StepReport::residual, "relative to the largest force at work")
        .def_readonly("shifts", &StepReport::shifts, "Newton matrices that were not positive definite")
        .def_readonly("line_searches", &StepReport::line_searches, "corrections that were shortened")
        .def_property_readonly(
            "problem", [](const StepReport& r) { return word_of(r.problem); },
            "'none', 'time-step', 'not-solved' or 'blow-up' (the body was stopped)")
        .def("__repr__", [](const StepReport& r) {
            return fmt::format("<limber.StepReport: {}, {} iterations, residual {:.2g}>",
                               r.converged ? "converged" : word_of(r.problem), r.iterations, r.residual);
        });
}

void add_body_class(py::module_& module) {
    py::class_<PythonBody> type(
        module, "Body",
        "A soft body at rest, in a world of its own: M q'' + D(q, q') + R(q) = f.\n\n"
        "Body(model, *, materials=None, rank=None, coordinates=None, integrator='newmark', newton=1,\n"
        "     tolerance=1e-8, damping=None, gravity=None, precision='double')\n"
        "materials: {'default': {'young': 2e6}}. damping: {'alpha', 'beta', 'strain_rate'}.\n"
        "integrator: 'newmark', 'euler', 'central' or 'energy'. newton=0: until the tolerance is met.");
    type.def(py::init(&new_body), py::arg("model"))
        .def(
            "set", [](PythonBody& self, const py::kwargs& words) { set<StvkSettings>(self, words); },
            "Changes settings between two steps, exactly; what is not named stays.")
        .def(
            "add_reduced_force",
            [](PythonBody& self, const py::object& force) { self.add_coordinate_force(force); },
            py::arg("force"), "Uᵀ f, (r,).")
        .def("set_acceleration_from_forces", &set_acceleration_from_forces,
             "Before the first step of a body that does not start at rest and in balance.")
        .def_property("q", &get<&StvkState::q>, &put<&StvkState::q>, "reduced coordinates, (r,); a copy")
        .def_property("v", &get<&StvkState::v>, &put<&StvkState::v>, "their velocities, (r,); a copy")
        .def_property("a", &get<&StvkState::a>, &put<&StvkState::a>, "their accelerations, (r,); a copy")
        .def("state", &saved, "time, q, v, a: what restore() takes.")
        .def("restore", &restore, py::arg("state"),
             "With the same settings, frame and forces the motion goes on bit by bit.")
        .def_property_readonly(
            "stable_dt", [](const PythonBody& self) { return self.kind<StvkBody>().stable_dt(); },
            "s, of central differences at the present state")
        .def("__repr__", [](const PythonBody& self) {
            return fmt::format("<limber.Body of '{}': rank {} of {}, t = {:g} s>", self.model().name,
                               self.kind<StvkBody>().settings().coordinates.size(), self.model().rank,
                               self.body().time());
        });
    add_shared_functions(type);
    add_soft_functions(type);
}

// (position, orientation) three times.
py::dict motion_of_poses(const std::vector<std::pair<py::object, py::object>>& given, double dt) {
    if (given.size() != 3)
        throw InputError{"motion_of", fmt::format("{} poses; it takes three, dt seconds apart", given.size()),
                         ""};
    std::array<Pose, 3> poses;
    for (std::size_t i = 0; i < 3; ++i)
        poses[i] = {vector3_of(given[i].first, "motion_of: position"),
                    quaternion_of(given[i].second, "motion_of: orientation")};
    const FrameMotion motion = motion_of(poses, dt);
    if (const auto problem = frame_problem(motion))
        throw InputError{"motion_of", "the poses are not finite or not of unit length, or dt is not positive",
                         ""};
    return py::dict(py::arg("orientation") = numbers(motion.orientation),
                    py::arg("acceleration") = numbers(motion.acceleration),
                    py::arg("angular_velocity") = numbers(motion.angular_velocity),
                    py::arg("angular_acceleration") = numbers(motion.angular_acceleration));
}

}  // namespace

void add_bodies(py::module_& module) {
    module.def(
        "motion_of", &motion_of_poses, py::arg("poses"), py::arg("dt"),
        "How a support moves at the middle one of three poses, dt seconds apart: what set_frame() takes.\n"
        "A pose is (position, orientation), m and x y z w.");
    add_report(module);
    add_body_class(module);
}

}  // namespace limber::python
