// SPDX-License-Identifier: Apache-2.0
// limber solve static: the shape in which the loads and the body's own forces are in balance.
#include "build/fem/statics.h"

#include "build/file/npy.h"
#include "build/mesh_files/files.h"
#include "cli/body.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct SolveStatic {
    BodyOptions body;
    LoadOptions loads;
    double tolerance = build::StaticOptions{}.tolerance;
    int max_iterations = build::StaticOptions{}.max_iterations;
};

void write_files(const BodyOptions& options, const build::VolumeMesh& mesh, const Eigen::VectorXd& u) {
    const std::span<const double> values(u.data(), static_cast<std::size_t>(u.size()));
    if (!options.out.empty()) build::write_npy(options.out, {mesh.vertices.size(), 3}, values);
    if (!options.vtu.empty())
        build::write_vtu(options.vtu, mesh, {{"displacement", 3, {values.begin(), values.end()}}});
}

std::string for_people(const build::StaticResult& result, const StvkBody& body) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"converged", result.converged ? "yes" : "NO: " + result.problem},
        {"Newton iterations", fmt::format("{} in {} load steps", result.iterations, result.load_steps)},
        {"residual", fmt::format("{:.2e} of the load", result.residual)},
        {"largest displacement", fmt::format("{:.8g} m", max_displacement(result.u))}};
    if (!body.probe.empty()) {
        const Eigen::Vector3d p = mean_displacement(result.u, body.probe);
        rows.emplace_back("probe", fmt::format("{:.8g} {:.8g} {:.8g} m (mean of {} vertices)", p.x(), p.y(),
                                               p.z(), body.probe.size()));
    }
    rows.emplace_back("equilibrium", result.stable
                                         ? "stable"
                                         : "NOT stable: the tangent stiffness is not positive definite");
    if (result.indefinite_tangents > 0)
        rows.emplace_back("indefinite tangents", fmt::format("in {} iterations", result.indefinite_tangents));
    return two_columns(rows);
}

ExitStatus run(const SolveStatic& options, Console& console) {
    const Stopwatch watch;
    const StvkBody body = read_body(options.body, console);
    if (body.model.fixed_vertices().empty())
        throw InputError{"--fix", "nothing is fixed: the body would fly away, there is no equilibrium",
                         fmt::format("--fix with a selection; the mesh spans {}",
                                     describe(bounds_of(body.model.mesh().vertices)))};
    const Loads loads = read_loads(options.loads, body.model, console);
    const Eigen::VectorXd force = loads.pulls + loads.gravity;
    if (body.model.restrict_to_free(force).isZero(0)) console.note("no force acts: the body stays as it is");

    const build::StaticResult result = build::solve_static(body.model, force,
                                                           {.tolerance = options.tolerance,
                                                            .max_iterations = options.max_iterations,
                                                            .progress = console.progress()});
    write_files(options.body, body.model.mesh(), result.u);

    nlohmann::json json = {{"converged", result.converged},
                           {"iterations", result.iterations},
                           {"residual", result.residual},
                           {"max_displacement", max_displacement(result.u)},
                           {"probe", nullptr},
                           {"load_steps", result.load_steps},
                           {"indefinite_tangents", result.indefinite_tangents},
                           {"stable", result.stable},
                           {"problem", result.problem},
                           {"vertices", body.model.mesh().vertices.size()},
                           {"elements", body.model.mesh().element_count()},
                           {"total_mass", body.total_mass},
                           {"seconds", watch.seconds()}};
    if (!body.probe.empty())
        json["probe"] = to_json(Eigen::VectorXd(mean_displacement(result.u, body.probe)));
    console.result(std::move(json), headline(options.body, body) + for_people(result, body));
    return result.converged ? ExitStatus::Done : ExitStatus::NotConverged;
}

}  // namespace

void add_solve_static(Command& solve) {
    auto options = std::make_shared<SolveStatic>();
    Command command = solve.add_command(
        "static", "Compute the equilibrium under loads, large deformations included.",
        "limber solve static bar.msh --fix \"x<0.001\" --load \"x>0.999: 0 0 -10\" --probe \"x>0.999\"");
    add_load_options(command, options->loads);
    add_body_options(command, options->body, "n x 3", "the mesh with the field displacement");
    command.number({"--tolerance", "ratio", "on |f_ext - f_int| / |f_ext|", "1e-8"},
                   {1e-15, 1, "a number from 1e-15 to 1"}, options->tolerance);
    command.whole_number(
        {"--max-iterations", "n", "Newton iterations in all", fmt::format("{}", options->max_iterations)}, 1,
        1000000, options->max_iterations);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
