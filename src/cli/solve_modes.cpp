// SPDX-License-Identifier: Apache-2.0
// limber solve modes: frequencies and shapes of small vibrations.
#include "build/fem/modes.h"

#include "build/file/npy.h"
#include "build/mesh_files/files.h"
#include "cli/body.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct SolveModes {
    BodyOptions body;
    int count = 20;
    std::string mass = "consistent";
};

void write_files(const BodyOptions& options, const build::VolumeMesh& mesh, const Eigen::MatrixXd& shapes) {
    const auto modes = static_cast<std::size_t>(shapes.cols());
    const auto size = static_cast<std::size_t>(shapes.size());
    // 3n x K by columns is K x n x 3 by rows.
    if (!options.out.empty())
        build::write_npy(options.out, {modes, mesh.vertices.size(), 3}, {shapes.data(), size});
    if (options.vtu.empty()) return;
    std::vector<build::VertexField> fields;
    for (std::size_t i = 0; i < modes; ++i) {
        const auto shape = shapes.col(static_cast<Eigen::Index>(i));
        fields.push_back({fmt::format("mode_{}", i + 1), 3, {shape.begin(), shape.end()}});
    }
    build::write_vtu(options.vtu, mesh, fields);
}

std::string for_people(const build::ModesResult& result) {
    std::string out;
    if (result.rigid_shapes.cols() > 0)
        out += fmt::format("{} rigid motions at 0 Hz, not listed\n", result.rigid_shapes.cols());
    out += fmt::format("{:>6}  {:>16}  {:>18}  {:>10}\n", "mode", "frequency (Hz)", "eigenvalue (1/s^2)",
                       "residual");
    for (Eigen::Index i = 0; i < result.eigenvalues.size(); ++i)
        out += fmt::format("{:>6}  {:>16.8g}  {:>18.8g}  {:>10.1e}\n", i + 1, result.frequencies_hz[i],
                           result.eigenvalues[i], result.residuals[i]);
    if (!result.converged) out += "NOT CONVERGED: trust only modes with a small residual\n";
    return out;
}

ExitStatus run(const SolveModes& options, Console& console) {
    const Stopwatch watch;
    const StvkBody body = read_body(options.body, console);
    const auto mass = options.mass == "lumped" ? build::MassKind::Lumped : build::MassKind::Consistent;
    const build::ModesResult result = build::solve_modes(
        body.model, {.count = options.count, .mass = mass, .progress = console.progress()});
    write_files(options.body, body.model.mesh(), result.shapes);

    nlohmann::json json = {{"frequencies_hz", to_json(result.frequencies_hz)},
                           {"eigenvalues", to_json(result.eigenvalues)},
                           {"residuals", to_json(result.residuals)},
                           {"rigid_modes", result.rigid_shapes.cols()},
                           {"converged", result.converged},
                           {"vertices", body.model.mesh().vertices.size()},
                           {"elements", body.model.mesh().element_count()},
                           {"total_mass", body.total_mass},
                           {"seconds", watch.seconds()}};
    if (!body.probe.empty()) {
        json["probe"] = nlohmann::json::array();
        for (Eigen::Index i = 0; i < result.shapes.cols(); ++i)
            json["probe"].push_back(
                to_json(Eigen::VectorXd(mean_displacement(result.shapes.col(i), body.probe))));
    }
    console.result(std::move(json), headline(options.body, body) + for_people(result));
    return result.converged ? ExitStatus::Done : ExitStatus::NotConverged;
}

}  // namespace

void add_solve_modes(Command& solve) {
    auto options = std::make_shared<SolveModes>();
    Command command = solve.add_command("modes", "Compute frequencies and shapes of small vibrations.",
                                        "limber solve modes bar.msh --fix \"x<0.001\" --count 5 --json");
    add_body_options(command, options->body, "K x n x 3, mass-normalised",
                     "the mesh with fields mode_1, mode_2 ...");
    command.whole_number(
        {"--count", "k", "elastic modes; a body that can move as a whole\nhas rigid ones on top", "20"}, 1,
        100000, options->count);
    command.word({"--mass", "word", "consistent or lumped", "consistent"}, {"consistent", "lumped"},
                 options->mass);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
