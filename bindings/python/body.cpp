// SPDX-License-Identifier: Apache-2.0
// Bodies that move, one or many of a model.
#include "bindings/python/body_parts.h"
#include "build/scene/scene.h"

#include <limber/reduced/crowd.h>
#include <limber/reduced/stvk_body.h>

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace limber::python {
namespace {

const std::vector<std::string> kSettings = {"materials", "rank",    "coordinates", "integrator", "newton",
                                            "tolerance", "damping", "gravity",     "precision"};

using Json = nlohmann::json;

Json materials_of(const Words& words) {
    Json out = Json::object();
    const py::object given = words["materials"];
    if (given.is_none()) return out;
    if (!py::isinstance<py::dict>(given))
        throw InputError{words.where("materials"), "a dictionary of material groups was expected",
                         "{\"default\": {\"young\": 2e6}}"};
    for (const auto& [name, value] : py::dict(given)) {
        const std::string group = text_of(py::str(name), words.where("materials"));
        const std::string where = fmt::format("{} '{}'", words.where("materials"), group);
        if (!py::isinstance<py::dict>(value))
            throw InputError{where, "a dictionary of constants was expected", ""};
        const Words constants(py::reinterpret_borrow<py::dict>(value), where,
                              {"young", "poisson", "density"});
        out[group] = Json::object();
        for (const char* constant : {"young", "poisson", "density"})
            if (const auto number = constants.number(constant)) out[group][constant] = *number;
    }
    return out;
}

Json change_of(const Words& words) {
    Json change = {{"materials", materials_of(words)}};
    if (const auto rank = words.whole_number("rank", 1, std::numeric_limits<int>::max()))
        change["rank"] = *rank;
    if (const auto newton = words.whole_number("newton", 0, 1000)) change["newton"] = *newton;
    if (words.has("integrator"))
        change["integrator"] = words.choice("integrator", {"newmark", "central", "euler", "energy"});
    if (const auto damping = words.words("damping", {"alpha", "beta", "strain_rate"}))
        for (const char* key : {"alpha", "beta", "strain_rate"})
            if (const auto number = damping->number(key)) change["damping"][key] = *number;
    return change;
}

// What the words do not name stays.
StvkSettings settings_of(StvkSettings settings, const Words& words, const Model& model) {
    settings = build::changed(std::move(settings), change_of(words), model, words.where());
    if (words.has("coordinates")) {
        if (words.has("rank"))
            throw InputError{words.where("coordinates"), "rank chooses the basis vectors too",
                             "leave one of them out"};
        settings.coordinates =
            indices_of(words["coordinates"], 1, std::numeric_limits<int>::max(), words.where("coordinates"));
    }
    settings.tolerance = words.number("tolerance").value_or(settings.tolerance);
    settings.gravity = words.vector3("gravity").value_or(settings.gravity);
    if (words.has("precision"))
        settings.precision = words.choice("precision", {"double", "float"}) == "float"
                                 ? StvkPrecision::Float
                                 : StvkPrecision::Double;
    return settings;
}

StvkBody new_body(const PythonModel& model, const py::kwargs& given) {
    Result<StvkBody> made =
        make_stvk_body(model.model, settings_of({}, Words(given, "Body", kSettings), *model.model));
    if (!made.ok()) throw made.error();
    return std::move(made).value();
}

// A part of the state, as a property that is copied out and checked in.
template <Eigen::VectorXd StvkState::*kPart>
py::array_t<double> get(const StvkBody& body) {
    return adopt(Eigen::VectorXd(body.state().*kPart));
}

template <Eigen::VectorXd StvkState::*kPart>
void put(StvkBody& body, const py::object& value) {
    StvkState state = body.state();
    state.*kPart = vector_of(value, body.model().rank, "the state");
    check(body.set_state(state));
}

py::dict saved(const StvkBody& body) {
    const StvkState& s = body.state();
    return py::dict(py::arg("time") = s.time, py::arg("q") = adopt(Eigen::VectorXd(s.q)),
                    py::arg("v") = adopt(Eigen::VectorXd(s.v)), py::arg("a") = adopt(Eigen::VectorXd(s.a)));
}

void restore(StvkBody& body, const py::dict& given) {
    const Words words(given, "state", {"time", "q", "v", "a"});
    StvkState state = body.state();
    state.time = words.number("time").value_or(state.time);
    const auto take = [&](const char* word, Eigen::VectorXd& out) {
        if (words.has(word)) out = vector_of(words[word], body.model().rank, words.where(word));
    };
    take("q", state.q);
    take("v", state.v);
    take("a", state.a);
    check(body.set_state(state));
}

py::array_t<float> surface_displacement(const StvkBody& body) {
    Eigen::VectorXf u;
    body.surface_displacement(u);
    return floats(std::move(u));
}

py::array_t<double> surface_positions(const StvkBody& body) {
    Eigen::VectorXf u;
    body.surface_displacement(u);
    return moved(body.model().surface, u);
}

py::array_t<float> surface_normals(const StvkBody& body) {
    Eigen::VectorXf u, normals;
    body.surface_displacement(u);
    body.surface_normals(u, normals);
    return floats(std::move(normals));
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
    py::class_<StvkBody>(
        module, "Body",
        "A soft body at rest: M q'' + D(q, q') + R(q) = f.\n\n"
        "Body(model, *, materials=None, rank=None, coordinates=None, integrator='newmark', newton=1,\n"
        "     tolerance=1e-8, damping=None, gravity=None, precision='double')\n"
        "materials: {'default': {'young': 2e6}}. damping: {'alpha', 'beta', 'strain_rate'}.\n"
        "integrator: 'newmark', 'euler', 'central' or 'energy'. newton=0: until the tolerance is met.")
        .def(py::init(&new_body), py::arg("model"))
        .def(
            "set",
            [](StvkBody& body, const py::kwargs& given) {
                check(body.set(settings_of(body.settings(), Words(given, "set", kSettings), body.model())));
            },
            "Changes settings between two steps, exactly; what is not named stays.")
        .def(
            "step", &step<StvkBody>, py::arg("dt"), py::arg("steps") = 1,
            "Steps of dt seconds. Returns the report of the last; stops at the first that does not converge.")
        .def(
            "set_frame",
            [](StvkBody& body, const py::kwargs& given) {
                check(body.set_frame(frame_of(Words(given, "set_frame", kFrameWords))));
            },
            "set_frame(*, orientation=None, acceleration=None, angular_velocity=None,\n"
            "          angular_acceleration=None): how the rigid support moves until it is changed, in\n"
            "world axes; what is not named is at rest. orientation: x y z w.")
        .def(
            "add_force",
            [](StvkBody& body, const py::object& at, const py::object& force) {
                add_force(body, body.model(), at, force);
            },
            py::arg("at"), py::arg("force"),
            "Pulls until clear_forces(). at: a surface vertex, several, or a SELECT; they share the force "
            "(N).")
        .def(
            "add_reduced_force",
            [](StvkBody& body, const py::object& force) {
                check(body.add_reduced_force(vector_of(force, body.model().rank, "force")));
            },
            py::arg("force"), "Uᵀ f, (r,).")
        .def("clear_forces", &StvkBody::clear_forces, "Gravity stays.")
        .def("set_acceleration_from_forces", &StvkBody::set_acceleration_from_forces,
             "Before the first step of a body that does not start at rest and in balance.")
        .def_property("q", &get<&StvkState::q>, &put<&StvkState::q>, "reduced coordinates, (r,); a copy")
        .def_property("v", &get<&StvkState::v>, &put<&StvkState::v>, "their velocities, (r,); a copy")
        .def_property("a", &get<&StvkState::a>, &put<&StvkState::a>, "their accelerations, (r,); a copy")
        .def_property_readonly(
            "time", [](const StvkBody& body) { return body.state().time; }, "s")
        .def("state", &saved, "time, q, v, a: what restore() takes.")
        .def("restore", &restore, py::arg("state"),
             "With the same settings, frame and forces the motion goes on bit by bit.")
        .def_property_readonly("kinetic_energy", &StvkBody::kinetic_energy, "J")
        .def_property_readonly("elastic_energy", &StvkBody::elastic_energy, "J")
        .def_property_readonly("stable_dt", &StvkBody::stable_dt,
                               "s, of central differences at the present state")
        .def("surface_displacement", &surface_displacement, "(s, 3) float32, m")
        .def("surface_positions", &surface_positions, "(s, 3), m")
        .def("surface_normals", &surface_normals, "(s, 3) float32, unit length")
        .def("clone", &StvkBody::clone, "A second body in the same state under the same forces.")
        .def("__repr__", [](const StvkBody& body) {
            return fmt::format("<limber.Body of '{}': rank {} of {}, t = {:g} s>", body.model().name,
                               body.settings().coordinates.size(), body.model().rank, body.state().time);
        });
}

void add_crowd_class(py::module_& module) {
    py::class_<Crowd>(module, "Crowd", "Copies of a body, stepped together: Crowd(body, count).")
        .def(py::init([](const StvkBody& first, int count) {
                 CrowdResult made = make_crowd(first, count);
                 if (!made) throw made.error;
                 return std::move(*made.crowd);
             }),
             py::arg("body"), py::arg("count"))
        .def("__len__", &Crowd::size)
        .def(
            "__getitem__",
            [](Crowd& crowd, int i) -> StvkBody& {
                if (i < 0) i += crowd.size();
                if (i < 0 || i >= crowd.size()) throw py::index_error(fmt::format("{} bodies", crowd.size()));
                return crowd[i];
            },
            py::arg("i"), py::return_value_policy::reference_internal)
        .def(
            "step", [](Crowd& crowd, double dt) { return crowd.step(checked_dt(dt)); }, py::arg("dt"),
            "One step of every body, with a report for each.");
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
    const auto numbers = [](const auto& x) { return adopt(Eigen::VectorXd(x)); };
    return py::dict(py::arg("orientation") = numbers(motion.orientation.coeffs()),
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
    add_crowd_class(module);
}

}  // namespace limber::python
