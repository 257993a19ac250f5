// SPDX-License-Identifier: Apache-2.0
// solve_modes, solve_static and solve_dynamic of the full model.
#include "bindings/python/parts.h"
#include "bindings/python/progress.h"
#include "build/fem/dynamics.h"
#include "build/fem/modes.h"
#include "build/fem/statics.h"
#include "build/recipe/selection.h"

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace limber::python {
namespace {

using build::FemModel;

constexpr double kMostSteps = 1e9;
constexpr double kMostNumbers = 1e9;  // 8 GB of doubles

std::vector<std::string> with_body_words(std::vector<std::string> words) {
    words.insert(words.end(), kBodyWords.begin(), kBodyWords.end());
    return words;
}

// An array of forces on all vertices, or {SELECT: total force, shared equally}.
Eigen::VectorXd load_of(const Words& words, const FemModel& model) {
    const py::object given = words["load"];
    Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * model.vertex_count());
    if (given.is_none()) return f;
    if (!py::isinstance<py::dict>(given))
        return vertex_vectors_of(given, model.vertex_count(), words.where("load"));
    for (const auto& [select, force] : py::dict(given)) {
        const std::string text = text_of(py::str(select), words.where("load"));
        f += build::shared_force(model, build::select_some("load", text, model.mesh()),
                                 vector3_of(force, fmt::format("load '{}'", text)));
    }
    return f;
}

Eigen::VectorXd gravity_of(const Words& words, const FemModel& model) {
    const auto acceleration = words.vector3("gravity");
    if (!acceleration) return Eigen::VectorXd::Zero(3 * model.vertex_count());
    return build::gravity_force(model, *acceleration);
}

py::array_t<double> per_vertex(Eigen::VectorXd u) {
    const Shape shape = {u.size() / 3, 3};
    return adopt<double>(std::move(u), shape);
}

struct Modes {
    build::ModesResult result;
    py::ssize_t vertices;
};

// 3n x K by columns is K x n x 3 by rows.
py::array_t<double> shapes_view(const Eigen::MatrixXd& shapes, py::ssize_t vertices,
                                const py::object& owner) {
    return view(shapes.data(), {shapes.cols(), vertices, 3}, owner);
}

Modes solve_modes(const py::object& body, const py::object& progress, const py::kwargs& given) {
    const Words words(given, "solve_modes", with_body_words({"count", "mass"}));
    const FemPointer model = fem_of(body, words);
    build::ModesOptions options;
    options.count = words.whole_number("count", 1, 100000).value_or(options.count);
    options.mass = mass_kind(words.text("mass").value_or("consistent"));
    options.progress = progress_of(progress);
    return {without_lock([&] { return build::solve_modes(*model, options); }), model->vertex_count()};
}

build::StaticResult solve_static(const py::object& body, const py::object& progress,
                                 const py::kwargs& given) {
    const Words words(given, "solve_static",
                      with_body_words({"load", "gravity", "tolerance", "max_iterations", "start"}));
    const FemPointer model = fem_of(body, words);
    const Eigen::VectorXd f = load_of(words, *model) + gravity_of(words, *model);
    Eigen::VectorXd start;
    if (words.has("start"))
        start = vertex_vectors_of(words["start"], model->vertex_count(), words.where("start"));
    build::StaticOptions options;
    options.tolerance = words.number("tolerance").value_or(options.tolerance);
    if (!(options.tolerance > 0))
        throw InputError{words.where("tolerance"), fmt::format("{}; it must be positive", options.tolerance),
                         ""};
    options.max_iterations =
        words.whole_number("max_iterations", 1, 1000000).value_or(options.max_iterations);
    options.progress = progress_of(progress);
    return without_lock([&] { return build::solve_static(*model, f, options, start); });
}

struct Motion {
    Eigen::MatrixXd displacements;  // 3n x frames
    std::vector<double> times, kinetic, elastic;
    long long steps = 0;
    int max_newton_iterations = 0;
    bool converged = true;
    std::string problem;
    double stable_dt = 0;
};

build::DynamicOptions dynamic_options(const Words& words) {
    build::DynamicOptions options;
    const std::string integrator = words.choice("integrator", {"newmark", "central", "euler"});
    options.integrator = integrator == "central" ? build::Integrator::CentralDifferences
                         : integrator == "euler" ? build::Integrator::BackwardEuler
                                                 : build::Integrator::Newmark;
    options.mass = mass_kind(words.text("mass").value_or("consistent"));
    options.tolerance = words.number("tolerance").value_or(options.tolerance);
    if (const auto newton = words.whole_number("newton", 0, 1000); newton && *newton > 0) {
        options.max_newton = *newton;
        options.fixed_newton = true;
    }
    if (words.has("damping")) {
        const Eigen::VectorXd pair = vector_of(words["damping"], 2, words.where("damping"));
        options.alpha = pair[0];
        options.beta = pair[1];
    }
    const auto dt = words.number("dt");
    if (!dt) throw InputError{words.where("dt"), "it is missing", "the time step in s"};
    options.dt = *dt;
    return options;
}

long long step_count(const Words& words, double dt) {
    const auto duration = words.number("duration");
    if (!duration)
        throw InputError{words.where("duration"), "it is missing", "how long the motion lasts, in s"};
    if (!(dt > 0)) throw InputError{words.where("dt"), fmt::format("{} s; it must be positive", dt), ""};
    if (!(*duration > 0 && *duration / dt <= kMostSteps))
        throw InputError{
            words.where("duration"),
            fmt::format("{} s are no number of steps of {} s from 1 to {:g}", *duration, dt, kMostSteps), ""};
    return std::max(1LL, std::llround(*duration / dt));
}

void record(const FemModel& model, const build::DynamicSolver& solver, const build::FullState& state,
            Motion& motion) {
    motion.displacements.col(static_cast<Eigen::Index>(motion.times.size())) = state.u;
    motion.times.push_back(state.time);
    motion.kinetic.push_back(solver.kinetic_energy(state));
    motion.elastic.push_back(build::elastic_energy(model, state.u));
}

Motion motion_of(const FemModel& model, const build::DynamicOptions& options, Eigen::VectorXd u,
                 const Eigen::VectorXd& v, const Eigen::VectorXd& f, long long steps, int every,
                 const build::Progress& progress) {
    Motion motion;
    build::DynamicSolver solver(model, options);
    motion.stable_dt = solver.stable_dt();
    build::FullState state = solver.start(u, v, f);
    motion.displacements.resize(u.size(), static_cast<Eigen::Index>(1 + steps / every));
    record(model, solver, state, motion);
    while (motion.steps < steps) {
        build::tell(progress, "stepping", static_cast<double>(motion.steps) / static_cast<double>(steps));
        const StepReport report = solver.step(state, f);
        motion.max_newton_iterations = std::max(motion.max_newton_iterations, report.iterations);
        if (!report.converged) {
            motion.converged = false;
            motion.problem =
                fmt::format("step {} (t = {:g} s) did not converge: residual {:.2e} after {} iterations",
                            motion.steps + 1, state.time + options.dt, report.residual, report.iterations);
            break;
        }
        ++motion.steps;
        if (motion.steps % every == 0) record(model, solver, state, motion);
    }
    motion.displacements.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(motion.times.size()));
    return motion;
}

Motion solve_dynamic(const py::object& body, const py::object& progress, const py::kwargs& given) {
    const Words words(
        given, "solve_dynamic",
        with_body_words({"dt", "duration", "load", "gravity", "release", "damping", "integrator", "mass",
                         "newton", "tolerance", "every", "start", "velocity"}));
    const build::DynamicOptions options = dynamic_options(words);
    const long long steps = step_count(words, options.dt);
    const int every = words.whole_number("every", 1, 1000000000).value_or(1);
    const FemPointer model = fem_of(body, words);
    const double numbers =
        3.0 * static_cast<double>(model->vertex_count()) * (1.0 + static_cast<double>(steps / every));
    if (numbers > kMostNumbers)
        throw InputError{words.where("every"), fmt::format("the frames would take {:.3g} GB", 8e-9 * numbers),
                         fmt::format("every={}", std::ceil(every * numbers / kMostNumbers))};
    const Eigen::VectorXd pulls = load_of(words, *model), gravity = gravity_of(words, *model);
    const bool release = words.flag("release");
    if (release && words.has("start"))
        throw InputError{words.where("start"), "release says where the body starts", "leave one of them out"};
    const auto given_or_zero = [&](const char* word) -> Eigen::VectorXd {
        if (!words.has(word)) return Eigen::VectorXd::Zero(pulls.size());
        return vertex_vectors_of(words[word], model->vertex_count(), words.where(word));
    };
    Eigen::VectorXd u = given_or_zero("start");
    const Eigen::VectorXd v = given_or_zero("velocity");
    const build::Progress tell_python = progress_of(progress);
    return without_lock([&] {
        if (!release) return motion_of(*model, options, u, v, pulls + gravity, steps, every, tell_python);
        const auto bent = build::solve_static(*model, pulls + gravity, {.progress = tell_python});
        if (bent.converged) return motion_of(*model, options, bent.u, v, gravity, steps, every, tell_python);
        Motion none;
        none.displacements.resize(u.size(), 0);
        none.converged = false;
        none.problem = "the equilibrium to release from was not found: " + bent.problem;
        return none;
    });
}

void add_results(py::module_& module) {
    py::class_<Modes>(module, "Modes", "What solve_modes found.")
        .def_property_readonly(
            "frequencies_hz",
            [](const py::object& s) { return view_vector(s.cast<const Modes&>().result.frequencies_hz, s); },
            "(K,)")
        .def_property_readonly(
            "eigenvalues",
            [](const py::object& s) { return view_vector(s.cast<const Modes&>().result.eigenvalues, s); },
            "(K,), 1/s^2")
        .def_property_readonly(
            "residuals",
            [](const py::object& s) { return view_vector(s.cast<const Modes&>().result.residuals, s); },
            "(K,), |Kx - lambda M x| / |Kx|")
        .def_property_readonly(
            "shapes",
            [](const py::object& s) {
                const auto& m = s.cast<const Modes&>();
                return shapes_view(m.result.shapes, m.vertices, s);
            },
            "(K, n, 3), mass-normalised, zero on fixed vertices")
        .def_property_readonly(
            "rigid_shapes",
            [](const py::object& s) {
                const auto& m = s.cast<const Modes&>();
                return shapes_view(m.result.rigid_shapes, m.vertices, s);
            },
            "(rigid motions, n, 3)")
        .def_property_readonly("converged", [](const Modes& m) { return m.result.converged; });

    using Static = build::StaticResult;
    py::class_<Static>(module, "StaticResult", "What solve_static found.")
        .def_property_readonly(
            "displacement", [](const Static& r) { return per_vertex(r.u); }, "(n, 3), m")
        .def_readonly("converged", &Static::converged)
        .def_readonly("iterations", &Static::iterations)
        .def_readonly("load_steps", &Static::load_steps)
        .def_readonly("residual", &Static::residual, "|f - R(u)| / |f|")
        .def_readonly("stable", &Static::stable, "K(u) is positive definite")
        .def_readonly("problem", &Static::problem, "why it did not converge; empty if it did")
        .def_readonly("warning", &Static::warning, "what makes a solution doubtful, or empty");

    const auto numbers = [](std::vector<double> Motion::*member) {
        return [member](const py::object& self) {
            const auto& list = self.cast<const Motion&>().*member;
            return view(list.data(), {static_cast<py::ssize_t>(list.size())}, self);
        };
    };
    py::class_<Motion>(module, "Motion", "What solve_dynamic found, frame by frame.")
        .def_property_readonly("times", numbers(&Motion::times), "(frames,), s")
        .def_property_readonly(
            "displacements",
            [](const py::object& self) {
                const auto& u = self.cast<const Motion&>().displacements;
                return view(u.data(), {u.cols(), u.rows() / 3, 3}, self);
            },
            "(frames, n, 3), m")
        .def_property_readonly("kinetic", numbers(&Motion::kinetic), "(frames,), J")
        .def_property_readonly("elastic", numbers(&Motion::elastic), "(frames,), J")
        .def_readonly("steps", &Motion::steps)
        .def_readonly("max_newton_iterations", &Motion::max_newton_iterations)
        .def_readonly("converged", &Motion::converged)
        .def_readonly("problem", &Motion::problem)
        .def_readonly("stable_dt", &Motion::stable_dt, "s, of central differences; infinite for the others");
}

}  // namespace

void add_solvers(py::module_& module) {
    add_results(module);
    const auto body = py::arg("body");
    const auto progress = py::arg("progress") = py::none();
    module.def("solve_modes", &solve_modes, body, py::kw_only(), progress,
               "Modes of small vibrations: K x = lambda M x.\n\n"
               "solve_modes(body, *, count=20, mass='consistent', progress=None, and for a mesh the words of "
               "FemModel)");
    module.def(
        "solve_static", &solve_static, body, py::kw_only(), progress,
        "The shape in which the loads are in balance: R(u) = f.\n\n"
        "solve_static(body, *, load=None, gravity=None, tolerance=1e-8, max_iterations=500, start=None,\n"
        "             progress=None, and for a mesh the words of FemModel)\n"
        "load: {SELECT: (fx, fy, fz)}, each a total force shared equally, or (n, 3).");
    module.def(
        "solve_dynamic", &solve_dynamic, body, py::kw_only(), progress,
        "M a + (alpha M + beta K(u)) v + R(u) = f in time.\n\n"
        "solve_dynamic(body, *, dt, duration, load=None, gravity=None, release=False, damping=(0, 0),\n"
        "              integrator='newmark', mass='consistent', newton=0, tolerance=1e-8, every=1,\n"
        "              start=None, velocity=None, progress=None, and for a mesh the words of FemModel)\n"
        "release: start in balance under the loads and let go of `load`; gravity stays.");
}

}  // namespace limber::python
