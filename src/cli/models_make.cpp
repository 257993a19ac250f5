// SPDX-License-Identifier: Apache-2.0
// limber models make: writes a built-in model to a file.
#include "build/file/atomic_file.h"
#include "cli/command.h"
#include "cli/text.h"
#include "models/models.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace limber::cli {
namespace {

struct ModelsMake {
    std::string name, output, motion;
    std::string cells, size;  // empty: not given
    bool tets = false;
};

// Ten million bricks need some 4 GB as a file and in memory.
constexpr double kMostCells = 1e7;

build::VolumeMesh make_bar(const ModelsMake& options) {
    std::array<int, 3> cells = {20, 4, 4};
    Eigen::Vector3d size(1, 0.2, 0.2);
    if (!options.cells.empty()) {
        const auto numbers = parse_numbers(options.cells, 3, "--cells");
        double product = 1;
        for (std::size_t i = 0; i < 3; ++i) {
            product *= numbers[i];
            if (!(numbers[i] >= 1 && numbers[i] <= kMostCells) || numbers[i] != std::floor(numbers[i]))
                throw InputError{"--cells", fmt::format("{} is not a whole number of cells", numbers[i]),
                                 "--cells 20,4,4"};
            cells[i] = static_cast<int>(numbers[i]);
        }
        if (product > kMostCells)
            throw InputError{"--cells", fmt::format("{:g} cells; the limit is {:g}", product, kMostCells),
                             "--cells 100,20,20"};
    }
    if (!options.size.empty()) {
        size = parse_vector(options.size, "--size");
        if (!(size.minCoeff() > 0))
            throw InputError{"--size", fmt::format("a side of {} m; sides must be positive", size.minCoeff()),
                             "--size 1,0.2,0.2"};
    }
    return models::bar(
        cells, size,
        options.tets || options.name == "bar-tets" ? models::BarElements::Tets : models::BarElements::Bricks);
}

ExitStatus run(const ModelsMake& options, Console& console) {
    const models::ModelInfo& info = models::find(options.name);
    build::format_of(options.output);
    const bool is_bar = info.name == "bar" || info.name == "bar-tets";
    if (!is_bar && (!options.cells.empty() || !options.size.empty() || options.tets))
        throw InputError{info.name, "--cells, --size and --tets are for the bar only",
                         fmt::format("limber models make {} -o {}", info.name, options.output)};
    std::string skeleton;
    if (!options.motion.empty()) {
        const auto tree = models::motion(info.name);
        if (!tree)
            throw InputError{"--motion", fmt::format("the model '{}' follows no skeleton", info.name),
                             "jelly-box and potbelly do"};
        if (std::filesystem::path(options.motion).extension() != ".glb")
            throw InputError{"--motion", fmt::format("'{}' is no .glb file", options.motion),
                             "--motion skeleton.glb"};
        skeleton = build::write_animated_glb(*tree);
    }
    const build::AnyMesh mesh = is_bar ? build::AnyMesh(make_bar(options)) : models::make(info.name);

    nlohmann::json json = {{"name", info.name}, {"output", options.output}, {"fix", info.fix}};
    std::string text;
    if (const auto* volume = std::get_if<build::VolumeMesh>(&mesh)) {
        build::write_volume(options.output, *volume);
        json.update({{"vertices", volume->vertices.size()},
                     {"triangles", 0},
                     {"tets", volume->tets.size()},
                     {"bricks", volume->bricks.size()}});
        text = fmt::format("{}: {} vertices, {} tetrahedra, {} bricks\n", options.output,
                           volume->vertices.size(), volume->tets.size(), volume->bricks.size());
    } else {
        const auto& surface = std::get<build::SurfaceMesh>(mesh);
        build::write_surface(options.output, surface);
        json.update({{"vertices", surface.vertices.size()},
                     {"triangles", surface.triangles.size()},
                     {"tets", 0},
                     {"bricks", 0},
                     {"resolution", info.resolution}});
        text = fmt::format("{}: {} vertices, {} triangles\n", options.output, surface.vertices.size(),
                           surface.triangles.size());
    }
    if (!skeleton.empty()) {
        build::write_file(options.motion, skeleton);
        json["motion"] = options.motion;
        text += fmt::format("{}: its skeleton, moving\n", options.motion);
    }
    console.result(std::move(json), text);
    return ExitStatus::Done;
}

}  // namespace

void add_models_make(Command& models) {
    auto options = std::make_shared<ModelsMake>();
    Command command = models.add_command("make", "Write a built-in model to a file.",
                                         "limber models make bar --cells 40,4,4 --size 2,0.2,0.2 -o bar.msh");
    command.group("Files");
    command.argument("name", options->name, "one that \"limber models list\" shows");
    command.required_output(
        {"-o,--output", "file", "bars and jelly-box are volume meshes, the others surfaces", ""},
        options->output);
    command.output({"--motion", "skeleton.glb", "the animated skeleton as well (jelly-box, potbelly)", ""},
                   options->motion);
    command.group("Bars only");
    command.text({"--cells", "nx,ny,nz", "cubes along x, y and z", "20,4,4"}, options->cells);
    command.text({"--size", "a,b,c", "sides in m; one corner is at the origin", "1,0.2,0.2"}, options->size);
    command.flag("--tets", "six tetrahedra in place of each cube", options->tets);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
