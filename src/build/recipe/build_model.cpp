// SPDX-License-Identifier: Apache-2.0
// The stages of a build, in order: elements, modes, basis, reduction, the finished model.
#include "build/basis/basis.h"
#include "build/basis/make_warp_model.h"
#include "build/basis/sketch.h"
#include "build/fem/rigid_motions.h"
#include "build/file/npy.h"
#include "build/mesh/repair.h"
#include "build/recipe/body_mesh.h"
#include "build/recipe/build_tree.h"
#include "build/recipe/improve.h"
#include "build/recipe/interfaces.h"
#include "build/recipe/recipe.h"
#include "build/recipe/stage_cache.h"
#include "build/reduce/reduce.h"

#include <fmt/format.h>
#include <limber/model/surface_normals.h>
#include <limber/model/surface_tree.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace limber::build {
namespace {

constexpr int kModes = 20, kRank = 30;
// Writing and reading a result again takes a fraction of a second.
constexpr double kWorthKeeping = 3;  // s

class StageClock {
 public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

 private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

std::string kind_of(const BasisRecipe& basis) {
    constexpr const char* names[] = {"modal-derivatives", "modes", "pick", "file", "sketch"};
    return names[basis.index()];
}

std::uint64_t fingerprint_of(const FemModel& model, const Recipe& recipe) {
    Fingerprint print;
    const VolumeMesh& mesh = model.mesh();
    print.add({mesh.vertices.data()->data(), 3 * mesh.vertices.size()});
    print.add({reinterpret_cast<const int*>(mesh.tets.data()), 4 * mesh.tets.size()});
    print.add({reinterpret_cast<const int*>(mesh.bricks.data()), 8 * mesh.bricks.size()});
    print.add(std::span<const double>(mesh.fraction));
    print.add(std::span<const int>(model.fixed_vertices()));
    print.add(std::span<const int>(model.materials().group_of_element));
    for (const auto& group : model.materials().groups)
        print.add(std::vector<double>{group.material.young, group.material.poisson, group.material.density});
    print.add(std::vector<int>{static_cast<int>(recipe.mass), static_cast<int>(model.quadrature())});
    return print.value();
}

// Modes that the mesh has: free coordinates less the rigid motions.
int most_modes(const FemModel& model) {
    Eigen::Index rigid = 0;
    for (const LoosePart& part : loose_parts(model))
        rigid += part.motions.cols();
    return static_cast<int>(std::max<Eigen::Index>(0, model.free_dofs() - rigid));
}

int mode_count(const FemModel& model, const Recipe& recipe) {
    if (recipe.modes) return *recipe.modes;  // solve_modes refuses too many
    int wanted = kModes;
    if (std::holds_alternative<LinearModes>(recipe.basis) && recipe.rank && !recipe.rank->auto_fraction)
        wanted = recipe.rank->rank;
    if (const auto* picked = std::get_if<PickedModes>(&recipe.basis))
        wanted = *std::max_element(picked->modes.begin(), picked->modes.end());
    return std::holds_alternative<PickedModes>(recipe.basis) ? wanted : std::min(wanted, most_modes(model));
}

ModesResult modes_of(const FemModel& model, const Recipe& recipe, const StageCache& cache,
                     const Progress& progress) {
    const int count = mode_count(model, recipe);
    Fingerprint print;
    print.add(std::vector<int>{count});
    const std::uint64_t key = fingerprint_of(model, recipe) ^ print.value();
    const auto kept = cache.load("modes", key), kept_rigid = cache.load("rigid", key);
    if (kept && kept_rigid && kept->cols() == count && kept->rows() == 3 * model.vertex_count() + 2) {
        // Each column: eigenvalue, residual, shape.
        ModesResult modes;
        modes.eigenvalues = kept->row(0);
        modes.residuals = kept->row(1);
        modes.frequencies_hz = modes.eigenvalues.cwiseSqrt() / (2 * EIGEN_PI);
        modes.shapes = kept->bottomRows(3 * model.vertex_count());
        modes.rigid_shapes = kept_rigid->topRows(3 * model.vertex_count());
        modes.converged = true;
        return modes;
    }
    const StageClock clock;
    ModesResult modes = solve_modes(model, {.count = count, .mass = recipe.mass, .progress = progress});
    if (!modes.converged)
        throw InputError{"vibration modes", fmt::format("the search for {} modes did not converge", count),
                         "fewer --modes, or a mesh without loose parts"};
    Eigen::MatrixXd columns(modes.shapes.rows() + 2, modes.shapes.cols());
    columns << modes.eigenvalues.transpose(), modes.residuals.transpose(), modes.shapes;
    cache.store("rigid", key, modes.rigid_shapes, clock.seconds());
    cache.store("modes", key, columns, clock.seconds());
    return modes;
}

// The user's rank; without one, all that the shapes span, of which usual_rank() keeps the first.
RankChoice rank_choice(const Recipe& recipe, Eigen::Index shapes, const FemModel& model) {
    if (!recipe.rank) return {.rank = kRank, .auto_fraction = 1e-20};
    const Eigen::Index most = std::min<Eigen::Index>(shapes, most_modes(model));
    if (!recipe.rank->auto_fraction && recipe.rank->rank > most)
        throw InputError{"--rank",
                         fmt::format("{} basis vectors were asked for; there are {} shapes, and the mesh has "
                                     "{} coordinates that can deform",
                                     recipe.rank->rank, shapes, most_modes(model)),
                         fmt::format("--rank {} or less, or more --modes", most)};
    return *recipe.rank;
}

// Principal directions come in the order of their weight.
Basis usual_rank(Basis basis, const Recipe& recipe) {
    if (!recipe.rank && basis.U.cols() > kRank) basis.U = Eigen::MatrixXd(basis.U.leftCols(kRank));
    return basis;
}

struct BasisStage {
    const FemModel& model;
    const Recipe& recipe;
    const BodyMesh& body;
    const ModesResult& modes;
    const Progress& progress;
    std::vector<std::string>& notes;

    Basis operator()(const ModalDerivatives&) const {
        const Eigen::Index k = modes.shapes.cols();
        return usual_rank(
            modal_derivative_basis(model, modes, rank_choice(recipe, k + k * (k + 1) / 2, model), recipe.mass,
                                   progress),
            recipe);
    }
    Basis operator()(const LinearModes&) const {
        const int count = static_cast<int>(modes.shapes.cols());
        return modes_basis(modes, recipe.rank ? rank_choice(recipe, count, model).rank : count);
    }
    Basis operator()(const PickedModes& picked) const {
        if (recipe.rank)
            throw InputError{"--rank", "chosen modes and their derivatives make a basis as they are",
                             "leave --rank out"};
        return picked_basis(model, modes, picked.modes, recipe.mass, progress);
    }
    Basis operator()(const GivenShapes& given) const {
        const NpyArray shapes = read_npy(given.file);
        Basis basis = shapes_basis(model, shapes, given.file.string(),
                                   rank_choice(recipe, most_modes(model), model), recipe.mass);
        notes.insert(notes.end(), basis.notes.begin(), basis.notes.end());
        return usual_rank(std::move(basis), recipe);
    }
    Basis operator()(const Sketched& sketched) const {
        Sketch sketch;
        for (const auto& file : sketched.files) {
            const Sketch more = read_sketch(file);
            sketch.insert(sketch.end(), more.begin(), more.end());
        }
        const auto loads = body.filled ? sketch_loads(sketch, body.surface, body.embedding)
                                       : sketch_loads(sketch, model.mesh());
        SketchOptions options;
        options.mass = recipe.mass;
        options.cache = recipe.partial;
        options.progress = progress;
        const SketchResult result =
            sketch_basis(model, loads, rank_choice(recipe, loads.cols(), model), options);
        notes.push_back(fmt::format("{} of {} forces and {} of their shapes are far enough apart",
                                    result.forces.size(), loads.cols(), result.shapes.size()));
        if (result.reused > 0)
            notes.push_back(fmt::format("{} shapes were solved by an earlier build", result.reused));
        for (const SketchFailure& failure : result.failed)
            notes.push_back(
                fmt::format("force {} of the sketch was left out: {}", failure.force, failure.problem));
        return usual_rank(result.basis, recipe);
    }
};

// Derivatives are the most expensive stage of a usual build, and depend on the body, the modes and the rank.
Basis kept_or_made_basis(const BasisStage& stage, const StageCache& cache) {
    const Recipe& recipe = stage.recipe;
    if (!std::holds_alternative<ModalDerivatives>(recipe.basis)) return std::visit(stage, recipe.basis);
    const RankChoice rank = recipe.rank.value_or(RankChoice{0, {}});
    Fingerprint print;
    print.add(std::vector<int>{static_cast<int>(stage.modes.shapes.cols()), rank.rank});
    print.add(std::vector<double>{rank.auto_fraction.value_or(0)});
    const std::uint64_t key = fingerprint_of(stage.model, recipe) ^ print.value();
    const auto kept = cache.load("basis", key), spectrum = cache.load("spectrum", key);
    if (kept && spectrum && kept->rows() == 3 * stage.model.vertex_count() && spectrum->cols() == 1) {
        Basis basis;
        basis.U = *kept;
        basis.spectrum = *spectrum;
        basis.frequencies_hz = stage.modes.frequencies_hz;
        return basis;
    }
    const StageClock clock;
    Basis basis = std::visit(stage, recipe.basis);
    cache.store("spectrum", key, basis.spectrum, clock.seconds());
    cache.store("basis", key, basis.U, clock.seconds());
    return basis;
}

// The volume, its groups numbered without those that have no elements, as model_groups() leaves them.
ModelVolume volume_of(const FemModel& model, const Eigen::MatrixXd& U) {
    ModelVolume volume;
    const VolumeMesh& mesh = model.mesh();
    volume.vertices = mesh.vertices;
    volume.tets.assign(mesh.tets.begin(), mesh.tets.end());
    volume.bricks.assign(mesh.bricks.begin(), mesh.bricks.end());
    if (!mesh.fraction.empty()) {
        volume.fraction.assign(mesh.tets.size(), 1.0F);
        volume.fraction.insert(volume.fraction.end(), mesh.fraction.begin(), mesh.fraction.end());
    }
    const auto& of_element = model.materials().group_of_element;
    const std::vector<int> new_group = model_group_of(model);
    for (const int group : of_element)
        volume.group_of_element.push_back(new_group[static_cast<std::size_t>(group)]);
    volume.fixed_vertices.assign(model.fixed_vertices().begin(), model.fixed_vertices().end());
    volume.basis = U;
    return volume;
}

ModelSurface surface_of(const BodyMesh& body, const Eigen::MatrixXd& U) {
    ModelSurface surface;
    surface.vertices = body.surface.vertices;
    surface.triangles.assign(body.surface.triangles.begin(), body.surface.triangles.end());
    surface.input_vertex = body.input_vertex;
    surface.basis.resize(3 * static_cast<Eigen::Index>(surface.vertices.size()), U.cols());
    for (Eigen::Index i = 0; i < U.cols(); ++i)
        surface.basis.col(i) = interpolate(body.embedding, U.col(i));
    return surface;
}

// Three rows for each vertex that is shown.
template <class Matrix>
void split_rows(const std::vector<int>& input_vertex, Matrix& rows) {
    Matrix split(3 * static_cast<Eigen::Index>(input_vertex.size()), rows.cols());
    for (std::size_t i = 0; i < input_vertex.size(); ++i)
        split.template middleRows<3>(3 * static_cast<Eigen::Index>(i)) =
            rows.template middleRows<3>(3 * input_vertex[i]);
    rows = std::move(split);
}

// Splits the vertices along the seams of the user's file, and takes its materials and textures.
void show(const ShownSurface& shown, ModelSurface& surface) {
    ModelSurface split;
    split.triangles.assign(shown.triangles.begin(), shown.triangles.end());
    split.appearance = shown.appearance;
    for (const int v : shown.input_vertex) {
        split.vertices.push_back(surface.vertices[static_cast<std::size_t>(v)]);
        split.input_vertex.push_back(v);
    }
    split.basis = std::move(surface.basis);
    split_rows(shown.input_vertex, split.basis);
    surface = std::move(split);
}

// As the file keeps it: what is built is what is read again.
void round_to_floats(WarpRows& rows) {
    rows = rows.cast<float>().cast<double>().eval();
}

std::shared_ptr<const WarpModel> warp_of(const FemModel& model, const ModesResult& modes,
                                         const Recipe& recipe, const BodyMesh& body, const BuildInput& input,
                                         const ModelSurface& surface) {
    WarpModel warp = make_warp_model(model, modes, recipe.mass, body.embedding);
    for (WarpRows* rows : {&warp.surface_modes, &warp.surface_rotations, &warp.surface_companions})
        if (input.shown) split_rows(input.shown->input_vertex, *rows);
    for (WarpRows* rows : {&warp.node_modes, &warp.node_rotations, &warp.surface_modes,
                           &warp.surface_rotations, &warp.surface_companions})
        round_to_floats(*rows);
    warp.normals = SurfaceNormals(surface).at_rest();
    return std::make_shared<const WarpModel>(std::move(warp));
}

// Six floats for each mode, node and vertex that is shown; there are up to two companions for each mode, of
// three floats for each vertex that is shown.
double warp_megabytes(const FemModel& model, const ModesResult& modes, const BodyMesh& body) {
    return 24e-6 * static_cast<double>(modes.shapes.cols()) *
           (static_cast<double>(model.free_vertex_count()) +
            2 * static_cast<double>(body.surface.vertices.size()));
}

// Without the user's word: both, unless modes are missing or the file would become much larger.
MethodChoice method_of(const FemModel& model, const ModesResult& modes, const Recipe& recipe,
                       const BodyMesh& body, std::vector<std::string>& notes) {
    constexpr double kLittle = 64;  // MB
    if (recipe.method) return *recipe.method;
    if (modes.shapes.cols() == 0 || modes.rigid_shapes.cols() > 0) return MethodChoice::Stvk;
    const double megabytes = warp_megabytes(model, modes, body);
    if (megabytes <= kLittle) return MethodChoice::Both;
    notes.push_back(fmt::format(
        "modal warping is left out: it would take {:.0f} MB in the file; --method both adds it", megabytes));
    return MethodChoice::Stvk;
}

void require_fitting(const Recipe& recipe) {
    if (recipe.method != MethodChoice::Warp) return;
    if (!std::holds_alternative<ModalDerivatives>(recipe.basis) &&
        !std::holds_alternative<LinearModes>(recipe.basis))
        throw InputError{"--method warp", "modal warping runs on linear modes and takes no other basis",
                         "--method both, or leave --basis out"};
    if (recipe.rank)
        throw InputError{"--method warp", "modal warping has as many coordinates as modes",
                         "--modes instead of --rank"};
    if (!recipe.improve.empty())
        throw InputError{"--method warp", "modal warping takes no static responses; --improve adds them",
                         "--method both"};
    if (!recipe.interfaces.empty())
        throw InputError{"--method warp", "modal warping is no part of a tree; --interface is for parts",
                         "--method stvk"};
}

std::string held_note(const FemModel& model) {
    if (model.fixed_vertices().empty())
        return "Nothing is held: a free body. It flies as it deforms; warped, it only deforms. --fix SELECT "
               "holds a part of it.";
    const std::size_t loose = loose_parts(model).size();
    if (loose == 0) return "";
    if (loose == 1) return "One separate piece is not held. It can deform but not move away.";
    return fmt::format("{} separate pieces are not held. They can deform but not move away.", loose);
}

}  // namespace

Built build_model(const BuildInput& input, const Recipe& recipe, const Progress& progress) {
    if (input.tree) return build_assembled(input, recipe, progress);
    Built built;
    StageClock clock;
    const auto finish = [&](const char* stage) {
        built.seconds.emplace_back(stage, clock.seconds());
        clock = StageClock();
    };
    const StageCache cache(recipe.partial, kWorthKeeping);
    require_fitting(recipe);

    const BodyMesh body = prepare_body(input, recipe, progress);
    built.notes = body.notes;
    built.filling = body.filling;
    built.held = body.held;
    const FemModel model(body.volume, body.materials, body.fixed,
                         {.brick_quadrature = body.filling.quadrature});
    if (input.shown)
        built.notes.insert(built.notes.end(), input.shown->notes.begin(), input.shown->notes.end());
    if (const std::string note = held_note(model); !note.empty()) built.notes.push_back(note);
    finish("elements");
    if (recipe.domains) {
        build_tree(body, input, recipe, progress, built);
        finish("domains");
        return built;
    }

    const bool needs_modes = recipe.method.value_or(MethodChoice::Stvk) != MethodChoice::Stvk ||
                             (!std::holds_alternative<GivenShapes>(recipe.basis) &&
                              !std::holds_alternative<Sketched>(recipe.basis));
    const ModesResult modes = needs_modes ? modes_of(model, recipe, cache, progress) : ModesResult{};
    const MethodChoice method = method_of(model, modes, recipe, body, built.notes);
    finish("modes");

    tell(progress, "basis", 0);
    Basis basis = method == MethodChoice::Warp
                      ? modes_basis(modes, static_cast<int>(modes.shapes.cols()))
                      : kept_or_made_basis({model, recipe, body, modes, progress, built.notes}, cache);
    const Eigen::Index before = basis.U.cols();
    if (!recipe.improve.empty()) {
        basis.notes.clear();  // told already
        basis = improved(model, std::move(basis), body, recipe.improve, recipe.mass, progress);
        built.notes.insert(built.notes.end(), basis.notes.begin(), basis.notes.end());
        built.static_responses = static_cast<int>(basis.U.cols() - before);
    }
    const std::vector<DeclaredInterface> declared = declared_interfaces(body, recipe.interfaces);
    if (!declared.empty())
        basis = with_static_responses(model, std::move(basis), attachment_loads(body, declared), recipe.mass,
                                      progress);
    if (method != MethodChoice::Warp) basis = without_rigid_motions(model, std::move(basis), recipe.mass);
    finish("basis");

    tell(progress, "reduction", 0);
    auto out = std::make_shared<Model>();
    out->groups = model_groups(model);
    if (method != MethodChoice::Warp)
        out->stvk = std::make_shared<const StvkModel>(reduce(model, basis.U, recipe.mass, progress));
    finish("reduction");

    tell(progress, "surface", 0);
    out->name = std::filesystem::path(input.name).stem().string();
    out->rank = static_cast<int>(basis.U.cols());
    out->modes = static_cast<int>(modes.shapes.cols());
    out->basis_kind = method == MethodChoice::Warp ? "modes" : kind_of(recipe.basis);
    out->surface = surface_of(body, basis.U);
    if (input.shown) {
        show(*input.shown, out->surface);
        orient_outward(out->surface.vertices, out->surface.triangles);
    }
    out->interfaces = interfaces_of(body, declared, basis.U, built.interface_deviation);
    if (!recipe.lean) out->volume = volume_of(model, basis.U);
    out->volume_vertices = model.vertex_count();
    out->volume_elements = static_cast<std::int64_t>(model.mesh().element_count());
    out->frequencies_hz = basis.frequencies_hz.size() > 0 ? basis.frequencies_hz : modes.frequencies_hz;
    out->spectrum = basis.spectrum;
    out->free_body = model.fixed_vertices().empty();
    out->lumped_mass = recipe.mass == MassKind::Lumped;
    out->quadrature = model.quadrature();
    out->command = recipe.command;
    out->up = recipe.up.value_or(std::visit([](const auto& mesh) { return mesh.up; }, input.mesh));
    choose_target_scale(*out);
    out->surface.kept_as = recipe.surface_basis;
    if (recipe.surface_basis == SurfaceBasis::Float) round_surface_basis(*out);
    out->surface.tree_order = order_triangles(out->surface);
    finish("surface");

    if (method != MethodChoice::Stvk) {
        tell(progress, "warping", 0);
        out->warp = warp_of(model, modes, recipe, body, input, out->surface);
        finish("warping");
    }
    built.model = std::move(out);
    return built;
}

}  // namespace limber::build
