// SPDX-License-Identifier: Apache-2.0
// limber solve dynamic: the motion of a body under loads, or let go from a loaded shape.
#include "build/fem/dynamics.h"

#include "build/fem/statics.h"
#include "cli/body.h"
#include "cli/energy_balance.h"
#include "cli/motion_files.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

constexpr double kMostSteps = 1e9;

struct SolveDynamic {
    BodyOptions body;
    LoadOptions loads;
    bool release = false;
    double dt = 0, duration = 0;  // s
    std::string damping;          // "alpha beta"
    std::string integrator = "newmark", mass = "consistent";
    int newton = 0;  // 0: until the tolerance is met
    double tolerance = build::DynamicOptions{}.tolerance;
    std::string csv;
    int every = 1;
};

// What the motion came to.
struct Course {
    long long steps = 0;
    int max_newton_iterations = 0;
    double max_displacement = 0;  // m, over vertices and steps
    double energy_drift = 0;
    double stable_dt = 0;  // s
    bool converged = true;
    std::string problem;  // empty if it converged
    build::FullState end;
    std::size_t frames = 0;
};

build::DynamicOptions dynamic_options(const SolveDynamic& options) {
    build::DynamicOptions out;
    out.integrator = options.integrator == "central" ? build::Integrator::CentralDifferences
                     : options.integrator == "euler" ? build::Integrator::BackwardEuler
                                                     : build::Integrator::Newmark;
    out.dt = options.dt;
    out.tolerance = options.tolerance;
    out.mass = options.mass == "lumped" ? build::MassKind::Lumped : build::MassKind::Consistent;
    if (options.newton > 0) {
        out.max_newton = options.newton;
        out.fixed_newton = true;
    }
    if (!options.damping.empty()) {
        const auto numbers = parse_numbers(options.damping, 2, "--damping");
        if (numbers[0] < 0 || numbers[1] < 0)
            throw InputError{
                "--damping",
                fmt::format("{} is negative; it would add energy", std::min(numbers[0], numbers[1])),
                "--damping \"0.1 0.001\""};
        out.alpha = numbers[0];
        out.beta = numbers[1];
    }
    return out;
}

long long step_count(const SolveDynamic& options, Console& console) {
    const double ratio = options.duration / options.dt;
    if (!(ratio <= kMostSteps))
        throw InputError{
            "--duration",
            fmt::format("{:g} steps of {:g} s; the limit is {:g}", ratio, options.dt, kMostSteps),
            "a longer --dt or a shorter --duration"};
    const long long steps = std::max(1LL, std::llround(ratio));
    const double covered = static_cast<double>(steps) * options.dt;
    if (std::abs(covered - options.duration) > 1e-9 * covered)
        console.note(fmt::format("{} steps of {:g} s make {:g} s instead of {:g} s", steps, options.dt,
                                 covered, options.duration));
    return steps;
}

Course simulate(const SolveDynamic& options, const StvkBody& body, const Loads& loads, long long steps,
                Console& console) {
    const build::FemModel& model = body.model;
    const build::DynamicOptions dynamic = dynamic_options(options);
    const auto progress = console.progress();
    Course course;
    Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * model.vertex_count());
    if (options.release) {
        const auto bent = build::solve_static(model, loads.pulls + loads.gravity, {.progress = progress});
        if (!bent.converged) {
            course.converged = false;
            course.problem = "the equilibrium to release from was not found: " + bent.problem;
            course.end.u = u;
            return course;
        }
        u = bent.u;
    }
    // Gravity cannot let go.
    const Eigen::VectorXd f = options.release ? loads.gravity : Eigen::VectorXd(loads.pulls + loads.gravity);

    build::DynamicSolver solver(model, dynamic);
    course.stable_dt = solver.stable_dt();
    if (options.dt > course.stable_dt)
        console.note(fmt::format(
            "--dt {:g} s is above the stability limit of central differences, {:.4g} s; expect it to "
            "blow up",
            options.dt, course.stable_dt));
    build::FullState state = solver.start(u, Eigen::VectorXd::Zero(u.size()), f);
    EnergyBalance balance(model, dynamic, solver, state, f);
    MotionFiles files({options.body.out, options.body.vtu, options.csv}, model.mesh());
    files.frame(0, state.u);
    files.probe(0, mean_displacement(state.u, body.probe));
    course.max_displacement = max_displacement(state.u);

    while (course.steps < steps) {
        build::tell(progress, "stepping", static_cast<double>(course.steps) / static_cast<double>(steps));
        const auto report = solver.step(state, f);
        course.max_newton_iterations = std::max(course.max_newton_iterations, report.iterations);
        if (!report.converged) {
            course.converged = false;
            course.problem = fmt::format(
                "step {} (t = {:g} s) did not converge: residual {:.2e} after {} iterations; "
                "try a smaller --dt",
                course.steps + 1, state.time + options.dt, report.residual, report.iterations);
            break;
        }
        ++course.steps;
        balance.record(state, f);
        course.max_displacement = std::max(course.max_displacement, max_displacement(state.u));
        files.probe(state.time, mean_displacement(state.u, body.probe));
        if (course.steps % options.every == 0) files.frame(state.time, state.u);
    }
    files.commit();
    course.frames = files.frames();
    course.energy_drift = balance.drift();
    course.end = std::move(state);
    return course;
}

std::string for_people(const SolveDynamic& options, const Course& course, const StvkBody& body) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"converged", course.converged ? "yes" : "NO: " + course.problem},
        {"steps", fmt::format("{} of {:g} s, {:g} s in all", course.steps, options.dt, course.end.time)},
        {"Newton iterations", fmt::format("at most {} in a step", course.max_newton_iterations)},
        {"energy drift", fmt::format("{:.3e} of the energy", course.energy_drift)},
        {"largest displacement", fmt::format("{:.8g} m", course.max_displacement)}};
    if (!body.probe.empty()) {
        const Eigen::Vector3d p = mean_displacement(course.end.u, body.probe);
        rows.emplace_back("probe at the end", fmt::format("{:.8g} {:.8g} {:.8g} m (mean of {} vertices)",
                                                          p.x(), p.y(), p.z(), body.probe.size()));
    }
    if (options.integrator == "central")
        rows.emplace_back("stable up to", fmt::format("--dt {:.6g} s", course.stable_dt));
    return two_columns(rows);
}

ExitStatus run(const SolveDynamic& options, Console& console) {
    const Stopwatch watch;
    if (!options.csv.empty() && options.body.probe.empty())
        throw InputError{"--csv", "there is nothing to write: no --probe is given",
                         "--probe \"near:x,y,z\" or another selection"};
    const long long steps = step_count(options, console);
    const StvkBody body = read_body(options.body, console);
    const Loads loads = read_loads(options.loads, body.model, console);
    if (options.release && loads.pulls.isZero(0))
        console.note("--release lets go of the --load forces, but there are none; gravity stays");
    const Course course = simulate(options, body, loads, steps, console);

    nlohmann::json json = {{"steps", course.steps},
                           {"max_newton_iterations", course.max_newton_iterations},
                           {"energy_drift", course.energy_drift},
                           {"converged", course.converged},
                           {"problem", course.problem},
                           {"stable_dt", nullptr},
                           {"time", course.end.time},
                           {"frames", course.frames},
                           {"max_displacement", course.max_displacement},
                           {"probe", nullptr},
                           {"vertices", body.model.mesh().vertices.size()},
                           {"elements", body.model.mesh().element_count()},
                           {"total_mass", body.total_mass},
                           {"seconds", watch.seconds()}};
    if (std::isfinite(course.stable_dt) && course.stable_dt > 0) json["stable_dt"] = course.stable_dt;
    if (!body.probe.empty())
        json["probe"] = to_json(Eigen::VectorXd(mean_displacement(course.end.u, body.probe)));
    console.result(std::move(json), headline(options.body, body) + for_people(options, course, body));
    return course.converged ? ExitStatus::Done : ExitStatus::NotConverged;
}

}  // namespace

void add_solve_dynamic(Command& solve) {
    auto options = std::make_shared<SolveDynamic>();
    Command command = solve.add_command(
        "dynamic", "Compute the motion under loads, or after their release.",
        "limber solve dynamic bar.msh --fix \"x<0.001\" --load \"x>0.999: 0 0 -10\" --release --dt 0.001 \\\n"
        "            --duration 1 --probe \"x>0.999\" --csv tip.csv");
    command.group("Time");
    command.required_number({"--dt", "s", "time step", ""}, positive_number(), options->dt);
    command.required_number({"--duration", "s", "how long the motion lasts", ""}, positive_number(),
                            options->duration);
    add_load_options(command, options->loads);
    command.flag("--release",
                 "start from the equilibrium under the loads, then let go\nof --load at t = 0; gravity stays",
                 options->release);
    add_body_options(command, options->body, "frames x n x 3", "a series file_000000.vtu ... and file.pvd",
                     MotionFiles::of_series);
    command.text({"--damping", "pair", "\"alpha beta\" of alpha M + beta K(u), in 1/s and s", "0 0"},
                 options->damping);
    command.word(
        {"--integrator", "word",
         "newmark, central (explicit; the largest stable step\nis reported) or euler (backward)", "newmark"},
        {"newmark", "central", "euler"}, options->integrator);
    command.word({"--mass", "word", "consistent or lumped (central: always lumped)", "consistent"},
                 {"consistent", "lumped"}, options->mass);
    command.whole_number({"--newton", "n", "number of Newton iterations in each step", "as needed"}, 1, 1000,
                         options->newton);
    command.number({"--tolerance", "ratio", "on the residual of a step, relative to the forces", "1e-8"},
                   {1e-15, 1, "a number from 1e-15 to 1"}, options->tolerance);
    command.group("Files");
    command.output({"--csv", "file", "the probe after every step: t,ux,uy,uz", ""}, options->csv);
    command.whole_number({"--every", "n", "steps from one frame of --out and --vtu to the next", "1"}, 1,
                         1000000000, options->every);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
