// SPDX-License-Identifier: Apache-2.0
// limber build: from a mesh to a model that runs in real time.
#include "build/file/atomic_file.h"
#include "build/recipe/output_name.h"
#include "build/recipe/recipe.h"
#include "build/recipe/stage_cache.h"
#include "cli/body.h"
#include "cli/command.h"
#include "cli/filling.h"
#include "cli/model_summary.h"
#include "cli/text.h"
#include "cli/unit.h"
#include "cli/up.h"

#include <limber/model/model_file.h>

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct Build {
    std::string mesh, output;
    std::string unit = "m";
    int resolution = 0;  // 0: not given
    std::string fill;    // empty: not given
    bool tets = false;
    std::optional<double> max_volume;
    std::vector<std::string> fix;
    build::MaterialRecipe materials;
    int modes = 0;  // 0: not given
    std::string rank;
    std::string basis = "modal-derivatives", method = "auto";
    std::vector<std::string> improve, interfaces, rigid;
    std::string domains, domain_basis = "loaded";  // empty: one body
    std::string mass = "consistent", quadrature;
    std::string up;  // empty: the mesh's
    std::string surface_basis = "float";
    bool lean = false, morph_normals = false;
};

const std::map<std::string, build::MethodChoice> kMethods = {{"stvk", build::MethodChoice::Stvk},
                                                             {"warp", build::MethodChoice::Warp},
                                                             {"both", build::MethodChoice::Both}};

build::Recipe recipe_of(const Build& options, const Console& console) {
    build::Recipe recipe;
    recipe.metres_per_unit = metres_per_unit(options.unit);
    if (options.tets && options.resolution > 0)
        throw InputError{"--resolution", "it counts cubes, and --tets asks for tetrahedra",
                         "--max-volume bounds the size of tetrahedra"};
    if (!options.tets && options.max_volume)
        throw InputError{"--max-volume", "it bounds the size of tetrahedra", "--tets"};
    if (options.tets && !options.fill.empty())
        throw InputError{"--fill", "it is about cubes, and --tets asks for tetrahedra",
                         "leave one of them out"};
    if (options.tets)
        recipe.filling = build::Tetrahedra{options.max_volume};
    else
        recipe.filling = build::Voxels{options.resolution, parse_fill(options.fill)};
    recipe.fix = options.fix;
    recipe.materials = options.materials;
    if (options.modes > 0) recipe.modes = options.modes;
    if (!options.domains.empty()) {
        recipe.domains = build::parse_domains(options.domains);
        if (!options.rank.empty()) recipe.domains->ranks = build::parse_domain_ranks(options.rank);
        if (options.domain_basis == "fixed") recipe.domains->basis = build::DomainBasis::Fixed;
        recipe.domains->rigid = options.rigid;
    } else if (!options.rank.empty()) {
        recipe.rank = build::parse_rank(options.rank);
    }
    if (options.domains.empty() && !options.rigid.empty())
        throw InputError{"--rigid", "it names domains of a tree", "--domains"};
    recipe.basis = build::parse_basis(options.basis);
    recipe.improve = options.improve;
    recipe.interfaces = options.interfaces;
    recipe.mass = options.mass == "lumped" ? build::MassKind::Lumped : build::MassKind::Consistent;
    recipe.quadrature = parse_quadrature(options.quadrature);
    if (options.method != "auto") recipe.method = kMethods.at(options.method);
    recipe.up = parse_up(options.up);
    if (options.surface_basis == "double") recipe.surface_basis = SurfaceBasis::Double;
    recipe.lean = options.lean;
    recipe.command = console.command;
    return recipe;
}

std::filesystem::path output_name(const Build& options) {
    if (!options.output.empty()) return options.output;
    return build::model_file_beside(options.mesh);
}

std::filesystem::path output_of(const Build& options) {
    const std::filesystem::path output = output_name(options);
    if (output.extension() != ".glb")
        throw InputError{output.string(), "a model is a .glb file", "-o " + output.stem().string() + ".glb"};
    return output;
}

ExitStatus run(const Build& options, Console& console) {
    const Stopwatch watch;
    build::Recipe recipe = recipe_of(options, console);
    const std::filesystem::path output = output_of(options);
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::BuildInput input = build::open_input(options.mesh, recipe);
    recipe.partial = output.string() + ".partial";
    std::error_code none;
    if (std::filesystem::exists(recipe.partial, none))
        console.note(fmt::format("an earlier build was interrupted; what it had finished is in {}",
                                 recipe.partial.string()));
    const double reading = watch.seconds();
    const build::Built built = build::build_model(input, recipe, progress);
    for (const std::string& note : built.notes)
        console.note(note);

    build::tell(progress, "writing", 0);
    const Stopwatch writing;
    const Result<ModelBytes> written =
        write_model(*built.model, {}, {.morph_normals = options.morph_normals}, output.string());
    if (!written.ok()) throw written.error();
    const ModelBytes& file = written.value();
    for (const std::string& warning : file.warnings)
        console.note(warning);
    build::write_file(output, file.bytes);
    build::remove_caches(recipe.partial);

    nlohmann::json json = model_json(*built.model, file.bytes.size());
    json["output"] = output.string();
    json["static_responses"] = built.static_responses;
    if (built.model->domains) json["deviation_from_rigidity"] = built.deviation_from_rigidity;
    const std::vector<DomainInterface>& interfaces = built.model->interfaces;
    for (std::size_t i = 0; i < interfaces.size(); ++i)
        json["interfaces"][i]["deviation_from_rigidity"] = built.interface_deviation[i];
    if (built.cut) {
        json["cut"] = {{"area", built.cut->area}, {"imbalance", built.cut->imbalance}};
        if (built.cut->asked > 0) json["cut"]["asked"] = built.cut->asked;
    }
    json["filling"] = to_json(built.filling);
    json["fixed"] = to_json(built.held);
    json["seconds"] = {{"reading", reading}, {"writing", writing.seconds()}, {"total", watch.seconds()}};
    std::string times = fmt::format("reading {:.1f}", reading);
    for (const auto& [stage, seconds] : built.seconds) {
        json["seconds"][stage] = seconds;
        times += fmt::format(", {} {:.1f}", stage, seconds);
    }
    std::vector<std::pair<std::string, std::string>> more;
    for (std::size_t i = 0; i < interfaces.size(); ++i)
        more.emplace_back(fmt::format("interface {}", interfaces[i].name),
                          fmt::format("deviates from rigid motion by {:.2g}% of its motion",
                                      100 * built.interface_deviation[i]));
    more.emplace_back("seconds",
                      fmt::format("{:.1f} ({}, writing {:.1f})", watch.seconds(), times, writing.seconds()));
    console.result(std::move(json),
                   fmt::format("{}\n", output.string()) + model_text(*built.model, file.bytes.size(), more));
    return ExitStatus::Done;
}

}  // namespace

void add_build(Command& limber) {
    auto options = std::make_shared<Build>();
    Command command = limber.add_command("build", "Turn a mesh into a soft body that runs in real time.",
                                         "limber build bridge.obj --fix \"z<3\" -o bridge.glb");
    command.group("Files");
    command.argument("mesh", options->mesh,
                     "a surface (.obj .stl .ply .off .gltf .glb), a volume\n"
                     "(.msh .node .mesh .veg .vtk .vtu), or a built-in model");
    command.output({"-o,--output", "model.glb", "the model", "beside the mesh"}, options->output,
                   [raw = options.get()](const std::string&) { return std::vector{output_name(*raw)}; });
    add_unit_option(command, options->unit);
    add_up_option(command, options->up);
    command.flag("--lean", "leave the volume mesh out of the file (no validate then)", options->lean);
    command.flag("--morph-normals", "morph targets of the normals too: twice the size",
                 options->morph_normals);
    command.word({"--surface-basis", "word",
                  "of what is shown: float (as the morph targets) or double\n"
                  "(beside them, three times the size)",
                  "float"},
                 {"float", "double"}, options->surface_basis);
    command.group("Elements");
    command.whole_number(
        {"--resolution", "n", "cubes along the longest side of a surface", "by time and thickness"}, 1, 1024,
        options->resolution);
    add_fill_option(command, options->fill);
    command.flag("--tets", "fill a closed surface with tetrahedra instead of cubes", options->tets);
    command.number({"--max-volume", "m^3", "largest tetrahedron", "1/1000 of the volume"}, positive_number(),
                   options->max_volume);
    command.texts({"--fix", "select",
                   "what does not move, such as \"z<0.01\" (in m); repeats,\n"
                   "the union counts. On a surface: the cells that hold\n"
                   "selected vertices, or any point of the surface at which\n"
                   "a condition holds",
                   "nothing: a free body"},
                  options->fix);
    add_material_options(command, options->materials);
    command.group("Basis");
    command.text({"--basis", "text",
                  "modal-derivatives, modes, pick:4,9 (modes and their\n"
                  "derivatives), file:SHAPES.npy, sketch:FORCES.json",
                  "modal-derivatives"},
                 options->basis);
    command.whole_number({"--modes", "k", "linear vibration modes", "20"}, 1, 1000, options->modes);
    command.text({"--rank", "r",
                  "basis vectors, or auto:1% of the spectrum left out;\n"
                  "a step costs r^4",
                  "30"},
                 options->rank);
    command.texts({"--improve", "select",
                   "static responses of a small patch here join the basis, 3\n"
                   "vectors more: the model gets the local compliance of the\n"
                   "full one there; repeats; \"near:x,y,z\" is a patch around\n"
                   "a vertex",
                   "none"},
                  options->improve);
    command.group("Domains");
    command.text({"--domains", "text",
                  "cut into a tree of domains, each with its own modes:\n"
                  "groups (of the mesh file), auto:12 (about so many) or\n"
                  "file:labels.npy (one integer per element, or per\n"
                  "triangle of a surface). --rank is then that of each\n"
                  "domain, 12 by default, or proportional:400 or log:400\n"
                  "for all together",
                  "one body"},
                 options->domains);
    command.word({"--domain-basis", "word",
                  "loaded (modes feel what hangs on the domain) or fixed\n"
                  "(the paper's: modes of the domain by itself)",
                  "loaded"},
                 {"loaded", "fixed"}, options->domain_basis);
    command.texts({"--interface", "name: select",
                   "of a part for limber assemble: where children may be\n"
                   "attached, by name. Six static responses join the basis;\n"
                   "repeats; \"near:x,y,z\" is a patch around a vertex",
                   "none"},
                  options->interfaces);
    command.texts({"--rigid", "name",
                   "a domain that does not deform: it has no coordinates;\n"
                   "repeats",
                   "none"},
                  options->rigid);
    command.group("Numerics");
    command.word({"--method", "word",
                  "what it can run as: stvk (cubic forces), warp (linear\n"
                  "modes with large rotations) or both",
                  "both where cheap"},
                 {"stvk", "warp", "both"}, options->method);
    command.word({"--mass", "word", "consistent or lumped", "consistent"}, {"consistent", "lumped"},
                 options->mass);
    command.word({"--quadrature", "word",
                  "of bricks: standard (2x2x2 points), exact (3x3x3), or\n"
                  "selective (one point for lambda: thin bodies bend right)",
                  "selective where thin"},
                 {kQuadratureTexts.begin(), kQuadratureTexts.end()}, options->quadrature);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
