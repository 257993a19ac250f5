// SPDX-License-Identifier: Apache-2.0
// From a user's mesh to a model that runs: elements, basis, reduction. What `limber build` does.
#pragma once
#include "build/basis/basis.h"
#include "build/domains/build_domains.h"
#include "build/mesh/voxelize.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/read_appearance.h"
#include "build/progress.h"
#include "build/recipe/materials.h"
#include "models/trees.h"

#include <limber/model/model.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace limber::build {

// What fills a surface.
struct Voxels {
    int resolution = 0;  // cubes along the longest side; 0: chosen by build time and thickness (filling.h)
    std::optional<VoxelFill> fill{};  // none: fraction; full for the built-in models, as in the papers
};
struct Tetrahedra {
    std::optional<double> max_volume;  // m^3; none: some thousand tetrahedra
};

// Where the basis comes from.
struct ModalDerivatives {};
struct LinearModes {};
struct PickedModes {
    std::vector<int> modes;  // 1-based
};
struct GivenShapes {
    std::filesystem::path file;  // .npy: shapes x n x 3 over the vertices of the volume mesh
};
struct Sketched {
    std::vector<std::filesystem::path> files;  // JSON; docs/sketch_file.md; all their forces count
};
using BasisRecipe = std::variant<ModalDerivatives, LinearModes, PickedModes, GivenShapes, Sketched>;

// What a model can run as. Both cost the same as only StVK, but for the size of the file.
enum class MethodChoice { Both, Stvk, Warp };

// How a mesh is cut into domains.
struct DomainGroups {};  // the element groups of a volume, the triangle groups of a surface
struct DomainPartition {
    int count = 0;  // about so many
};
struct DomainLabels {
    std::filesystem::path file;  // .npy: one integer for each element of a volume, each triangle of a surface
};
struct DomainSample {
    models::SampleCut cut;  // of a built-in model
};
struct DomainsChoice {
    std::variant<DomainGroups, DomainPartition, DomainLabels, DomainSample> cut;
    DomainRanks ranks;
    DomainBasis basis = DomainBasis::Loaded;
    std::vector<std::string> rigid{};  // names of domains that do not deform
};

struct Recipe {
    double metres_per_unit = 1;                // of the mesh's coordinates
    std::variant<Voxels, Tetrahedra> filling;  // of a surface; volumes are taken as they are
    std::vector<std::string> fix;              // SELECT; none: a free body
    MaterialRecipe materials;
    std::optional<int> modes;        // linear modes; none: 20, or as many as the mesh has
    std::optional<RankChoice> rank;  // none: 30, or as many as the shapes have
    BasisRecipe basis;
    std::optional<DomainsChoice> domains;  // none: one body
    std::vector<std::string>
        improve;  // SELECT: patches whose static responses join the basis, 3 vectors each
    // "NAME: SELECT": where children may be attached in an assembly; six attachment modes each.
    std::vector<std::string> interfaces;
    std::optional<MethodChoice> method;  // none: both where modes are at hand and cost little in the file
    MassKind mass = MassKind::Consistent;
    std::optional<BrickQuadrature> quadrature;  // none: Selective where cubes fill a thin body, else Standard
    std::optional<UpAxis> up;                   // none: the mesh's
    SurfaceBasis surface_basis = SurfaceBasis::Float;
    bool lean = false;    // leave the volume mesh and its basis out of the model
    std::string command;  // kept in the model, to build it again
    // A folder for the results of expensive stages: an interrupted build goes on from there. Empty: none.
    std::filesystem::path partial;
};

struct BuildInput {
    AnyMesh mesh;      // in the units of its file
    std::string name;  // of the file, for messages and for the model
    // What is shown of a surface: its vertices split along seams, materials, textures. Empty: the mesh as it
    // is.
    std::optional<ShownSurface> shown;
    // A built-in tree that is assembled from parts; the mesh is its surface.
    std::shared_ptr<const models::SampleTree> tree{};
};

// What a surface was filled with.
struct FillReport {
    std::string kind;         // "cubes", "tetrahedra"; empty: a volume, taken as it is
    int resolution = 0;       // cubes along the longest side
    double element_side = 0;  // m; of tetrahedra the edge of a regular one of the mean volume
    double volume = 0;        // m^3 of the elements, cubes by their filled fraction
    double thickness = 0;     // m; 2 volume / area of a closed surface; 0: open, so not known
    double seconds = 0;       // a guess of the CPU time of a usual build
    // Of cubes in a closed surface (bending.h): how many it is thick, and how many times too stiffly it
    // bends.
    double cubes_thick = 0, bending_excess = 1;
    BrickQuadrature quadrature = BrickQuadrature::Standard;
    int better_resolution = 0;  // where that is much; 0: it is not
};

// What --fix holds.
struct HeldReport {
    std::size_t nodes = 0;  // of the volume
    double area = 0;        // m^2 of the surface
    double surface = 0;     // m^2, all of it
};

// How a mesh was cut into domains.
struct CutReport {
    int asked = 0;         // auto:N; 0: the labels were given
    double area = 0;       // m^2 of all borders
    double imbalance = 1;  // elements of the largest domain over their mean
};

struct Built {
    std::shared_ptr<Model> model;
    FillReport filling;
    HeldReport held;
    std::vector<std::pair<std::string, double>> seconds;  // per stage, in order
    std::vector<std::string> notes;                       // what a user should know
    // Of a tree: of each domain's interface to its parent, 0 to 1.
    std::vector<double> deviation_from_rigidity;
    std::optional<CutReport> cut;  // of a tree of one mesh
    // Of a part: how far each of the model's interfaces deviates from rigid motion, 0 to 1.
    std::vector<double> interface_deviation;
    int static_responses = 0;  // how many basis vectors, the last ones, recipe.improve added
};

// Throws InputError; partial results stay in recipe.partial, which the caller removes when the model is safe
// on the disk.
Built build_model(const BuildInput& input, const Recipe& recipe, const Progress& progress = {});

// A mesh file, or the name of a built-in model (models/models.h), whose own resolution, supports and material
// then stand in `recipe` where it says nothing.
BuildInput open_input(const std::string& file_or_name, Recipe& recipe);

// "modal-derivatives", "modes", "file:SHAPES.npy", "pick:4,9", "sketch:FILE" or "sketch:FILE,FILE".
BasisRecipe parse_basis(const std::string& text);
// "groups", "auto:12", "file:labels.npy".
DomainsChoice parse_domains(const std::string& text);
// "30", "auto:1%".
RankChoice parse_rank(const std::string& text);

}  // namespace limber::build
