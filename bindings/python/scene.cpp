// SPDX-License-Identifier: Apache-2.0
// simulate and validate: whole runs, as the programs of the same names do them.
#include "bindings/python/json.h"
#include "bindings/python/parts.h"
#include "bindings/python/progress.h"
#include "build/scene/simulate.h"
#include "build/validate/validate.h"

#include <limber/settings/json_cursor.h>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

namespace limber::python {
namespace {

using Path = std::filesystem::path;

build::Scene scene_of(const py::object& scene, const Path& folder) {
    if (!py::isinstance<py::dict>(scene)) {
        if (!py::isinstance<py::str>(scene) && !py::hasattr(scene, "__fspath__"))
            throw InputError{
                "simulate",
                fmt::format("{} is neither a dictionary nor the name of a scene file", shown(scene)), ""};
        const Path path = path_of(scene, "simulate");
        return without_lock([&] { return build::read_scene(path); });
    }
    const std::string json = json_text_of(json_of(scene, "scene"));
    return without_lock([&] { return build::read_scene(json, "scene", folder); });
}

// Of a body that flies.
void add_flight(py::dict& out, const std::string& name, build::RigidMotion flight, py::ssize_t frames) {
    out[py::str(name + ".potential")] = adopt(std::move(flight.potential));
    out[py::str(name + ".c")] = adopt<double>(std::move(flight.centre), {frames, 3});
    out[py::str(name + ".r")] = adopt<double>(std::move(flight.orientation), {frames, 4});
    out[py::str(name + ".p")] = adopt<double>(std::move(flight.momentum), {frames, 3});
    out[py::str(name + ".l")] = adopt<double>(std::move(flight.angular_momentum), {frames, 3});
}

// The arrays of the .npz file of limber simulate, under their names there.
py::dict arrays_of(const build::Scene& scene, build::Recording recording) {
    const auto frames = static_cast<py::ssize_t>(recording.times.size());
    py::dict out;
    out["t"] = adopt<double>(std::move(recording.times), {frames});
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        build::RecordedBody& body = recording.bodies[b];
        const std::string& name = scene.bodies[b].name;
        const py::ssize_t rank = body.q.rows();
        // A column per frame, contiguous: a row of the array.
        out[py::str(name + ".q")] = adopt<double>(std::move(body.q), {frames, rank});
        out[py::str(name + ".kinetic")] = adopt(std::move(body.kinetic));
        out[py::str(name + ".elastic")] = adopt(std::move(body.elastic));
        if (body.flight) add_flight(out, name, std::move(*body.flight), frames);
    }
    for (std::size_t p = 0; p < scene.probes.size(); ++p)
        out[py::str(scene.probes[p].name)] = adopt<double>(std::move(recording.probes[p]), {frames, 3});
    return out;
}

void warn(const std::string& text) {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) throw py::error_already_set();
}

py::dict simulate(const py::object& scene_given, const Path& folder, const std::optional<Path>& output,
                  int threads, const py::object& progress) {
    if (threads < 0 || threads > 1024)
        throw InputError{"simulate: threads", fmt::format("{} is not from 0 to 1024", threads),
                         "0: all cores"};
    if (output) build::check_recording_name(*output);
    const build::Scene scene = scene_of(scene_given, folder);
    const build::Progress tell_python = progress_of(progress);
    std::vector<std::string> warnings;
    build::Recording recording = without_lock([&] {
        build::Recording done = build::simulate(scene, tell_python, threads);
        if (output) warnings = build::write_recording(*output, scene, done);
        return done;
    });
    for (const std::string& warning : warnings)
        warn(warning);
    if (recording.not_converged > 0)
        warn(fmt::format("{} steps did not converge; the first: {}", recording.not_converged,
                         recording.problems.front()));
    return arrays_of(scene, std::move(recording));
}

py::dict trajectory(const build::Trajectory& t) {
    const py::ssize_t frames = t.probe.cols();
    return py::dict(py::arg("probe") = adopt<double>(Eigen::MatrixXd(t.probe), {frames, 3}),
                    py::arg("kinetic") = adopt(t.kinetic), py::arg("elastic") = adopt(t.elastic),
                    py::arg("frequency_hz") = t.frequency_hz, py::arg("amplitude") = t.amplitude,
                    py::arg("seconds") = t.seconds);
}

py::dict compliance_point(const build::CompliancePoint& p) {
    return py::dict(py::arg("vertex") = p.vertex, py::arg("position") = adopt(Eigen::VectorXd(p.position)),
                    py::arg("normal") = adopt(Eigen::VectorXd(p.normal)),
                    py::arg("patch_vertices") = p.patch_vertices, py::arg("full") = p.full,
                    py::arg("reduced") = p.reduced, py::arg("ratio") = p.ratio());
}

py::dict compliance_dict(const build::LocalCompliance& local) {
    py::list points;
    for (const build::CompliancePoint& p : local.points)
        points.append(compliance_point(p));
    const py::object worst = local.points.empty() ? py::object(py::none()) : compliance_point(local.worst());
    return py::dict(py::arg("radius") = local.radius, py::arg("rank") = local.rank,
                    py::arg("points") = points, py::arg("worst") = worst);
}

py::dict local_compliance(const PythonModel& model, int points, const py::object& at,
                          const std::optional<int>& rank, const py::object& progress) {
    if (points < 0 || points > 1000)
        throw InputError{"local_compliance: points", fmt::format("{}; it must be 0 to 1000", points), ""};
    const build::LocalComplianceOptions options{
        .points = points, .at = selections_of(at, "local_compliance: at"), .rank = rank};
    const build::Progress tell_python = progress_of(progress);
    return compliance_dict(
        without_lock([&] { return build::local_compliance(*model.model, options, tell_python); }));
}

py::dict validate(const PythonModel& model, const py::object& progress, const py::kwargs& given) {
    const Words words(given, "validate",
                      {"push", "probe", "force", "bend", "push_duration", "periods", "duration", "dt",
                       "damping", "rank", "points", "at"});
    build::ValidateOptions options;
    options.push = words.text("push").value_or("");
    options.probe = words.text("probe").value_or("");
    options.force = words.vector3("force");
    if (options.force && options.force->isZero(0))
        throw InputError{words.where("force"), "a force of zero moves nothing", ""};
    const auto positive = [&](const char* word) {
        const auto number = words.number(word);
        if (number && !(*number > 0))
            throw InputError{words.where(word), fmt::format("{}; it must be positive", *number), ""};
        return number;
    };
    options.bend = positive("bend").value_or(options.bend);
    options.push_duration = positive("push_duration");
    options.periods = positive("periods").value_or(options.periods);
    options.duration = positive("duration");
    options.dt = positive("dt");
    if (words.has("damping")) {
        const Eigen::VectorXd pair = vector_of(words["damping"], 2, words.where("damping"));
        options.alpha = pair[0];
        options.beta = pair[1];
    }
    options.rank = words.whole_number("rank", 1, model.model->rank);
    options.points = words.whole_number("points", 0, 1000).value_or(options.points);
    options.at = selections_of(words["at"], words.where("at"));
    const build::Progress tell_python = progress_of(progress);
    const build::Validation v =
        without_lock([&] { return build::validate(model.model, options, tell_python); });
    Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(v.full.probe.cols(), 0, 1);
    times *= v.dt * static_cast<double>(std::max<Eigen::Index>(0, v.full.probe.cols() - 1));
    return py::dict(
        py::arg("frequency_error") = v.frequency_error, py::arg("amplitude_error") = v.amplitude_error,
        py::arg("displacement_error") = v.displacement_error, py::arg("shape_error") = v.shape_error,
        py::arg("local_compliance") = compliance_dict(v.local_compliance), py::arg("converged") = v.converged,
        py::arg("problem") = v.problem, py::arg("rank") = v.rank, py::arg("steps") = v.steps,
        py::arg("t") = adopt(std::move(times)), py::arg("full") = trajectory(v.full),
        py::arg("reduced") = trajectory(v.reduced),
        py::arg("test") = py::dict(
            py::arg("push") = v.pushed, py::arg("probe") = v.probed,
            py::arg("force") = adopt(Eigen::VectorXd(v.force)), py::arg("push_duration") = v.push_duration,
            py::arg("dt") = v.dt, py::arg("duration") = v.duration, py::arg("alpha") = v.alpha,
            py::arg("beta") = v.beta, py::arg("first_frequency_hz") = v.first_frequency_hz));
}

}  // namespace

void add_scenes(py::module_& module) {
    module.def(
        "simulate", &simulate, py::arg("scene"), py::kw_only(), py::arg("folder") = Path("."),
        py::arg("output") = py::none(), py::arg("threads") = 1, py::arg("progress") = py::none(),
        "A scene in time: the name of a scene file, or the same as a dictionary whose model files are\n"
        "relative to `folder`. Returns arrays: 't'; 'NAME.q' (frames, r), 'NAME.kinetic', 'NAME.elastic' of\n"
        "each body, of one that flies 'NAME.potential', '.c' (centre of mass), '.r' (orientation), '.p', "
        "'.l' "
        "(momenta);\n"
        "'NAME' (frames, 3) of each probe. output: a .glb, .csv or .npz to write too.\n"
        "threads: of a step, 0: all cores; results are the same.\n"
        "Steps that do not converge are told by a RuntimeWarning.");
    module.def(
        "validate", &validate, py::arg("model"), py::kw_only(), py::arg("progress") = py::none(),
        "The same push on the reduced and on the full model: `limber validate`.\n\n"
        "validate(model, *, push=None, probe=None, force=None, bend=0.25, push_duration=None, periods=5,\n"
        "         duration=None, dt=None, damping=None, rank=None, points=12, at=None, progress=None)\n"
        "Returns frequency_error, amplitude_error, displacement_error and shape_error (relative; None where\n"
        "nothing swings), local_compliance as the function of that name, the trajectories and the test as "
        "it\n"
        "was done. Vertices are those of the surface.");
    module.def(
        "local_compliance", &local_compliance, py::arg("model"), py::kw_only(), py::arg("points") = 12,
        py::arg("at") = py::none(), py::arg("rank") = py::none(), py::arg("progress") = py::none(),
        "How far small patches of the surface give way under a unit force along their normal, reduced and\n"
        "full, in linear statics at rest (m/N): `limber validate --local-only`. Free bodies too.\n"
        "points: how many, spread over the surface; at: one or more SELECT for places besides those.\n"
        "Returns radius (m), rank, points and worst; each point has vertex, position, normal,\n"
        "patch_vertices, full, reduced and ratio (1: exact).");
}

}  // namespace limber::python
