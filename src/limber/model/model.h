// SPDX-License-Identifier: Apache-2.0
// A model: everything that a soft body needs at run time, frozen and shareable between bodies and threads.
// Built by limber::build, kept in one glTF file (model_file.h). Symbols: docs/math/reduced_stvk.md.
#pragma once
#include <limber/model/appearance.h>
#include <limber/model/brick_quadrature.h>
#include <limber/model/domains_model.h>
#include <limber/model/material.h>
#include <limber/model/stvk_model.h>
#include <limber/model/up_axis.h>
#include <limber/model/warp_model.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

// A material and the inertia of what is made of it. What a method adds for each group stands in its part.
struct ModelGroup {
    std::string name;
    Material material;                                        // as built
    double volume = 0;                                        // m^3
    Eigen::Vector3d first_moment = Eigen::Vector3d::Zero();   // integral of x, m^4
    Eigen::Matrix3d second_moment = Eigen::Matrix3d::Zero();  // integral of x xᵀ, m^5
};

// How a file keeps the basis of the surface: once, as the floats of the morph targets, or as doubles beside
// them.
enum class SurfaceBasis { Float, Double };
const char* surface_basis_text(SurfaceBasis kept);  // "float", "double"

// What is shown.
struct ModelSurface {
    std::vector<Eigen::Vector3d> vertices;  // rest positions, m
    std::vector<std::array<std::int32_t, 3>> triangles;
    // The vertex of the user's file that each vertex came from: seams split vertices.
    std::vector<std::int32_t> input_vertex;
    Eigen::MatrixXd basis;  // 3s x r, rows 3·vertex + component
    SurfaceBasis kept_as = SurfaceBasis::Float;
    Appearance appearance;
    // The order of its triangles in the tree for contact (surface_tree.h); empty: made when it is needed.
    std::vector<std::int32_t> tree_order{};
};

// What was simulated; empty in lean files.
struct ModelVolume {
    std::vector<Eigen::Vector3d> vertices;  // m
    std::vector<std::array<std::int32_t, 4>> tets;
    std::vector<std::array<std::int32_t, 8>> bricks;  // elements are numbered tets first
    std::vector<std::int32_t> group_of_element;       // into Model::groups
    // The filled fraction of each element, above 0 and at most 1; empty: all 1.
    std::vector<float> fraction;
    std::vector<std::int32_t> fixed_vertices;  // ascending
    Eigen::MatrixXd basis;                     // 3n x r, UᵀMU = I
};

// r⁴/8 coefficients of each modulus: a file of 4 GiB ends far below.
inline constexpr int kMostRank = 1000;

struct Model {
    std::string name;
    UpAxis up = UpAxis::Z;           // of its coordinates
    std::string command;             // how it was built, to build it again
    std::vector<ModelGroup> groups;  // at least one
    ModelSurface surface;
    ModelVolume volume;

    // The basis U. Without one (r = 0, neither stvk nor warp) the model is the surface of a rigid body.
    int rank = 0;            // r, at most kMostRank
    int modes = 0;           // linear modes that the basis was made from; 0: none
    std::string basis_kind;  // "modal-derivatives", "modes", "file", "pick", "sketch"
    // r: morph target i is target_scale_i U_i, its weight q_i / target_scale_i; empty: not chosen yet.
    Eigen::VectorXd target_scale;
    Eigen::VectorXd frequencies_hz;  // of the linear modes
    Eigen::VectorXd spectrum;        // singular values of mass-PCA, descending: what r buys; may be empty
    bool free_body = false;          // nothing is fixed: rigid motion is not in the basis
    bool lumped_mass = false;
    BrickQuadrature quadrature = BrickQuadrature::Standard;
    // Counts of the volume mesh, kept in lean files too.
    std::int64_t volume_vertices = 0, volume_elements = 0;
    // Of a part that was built alone: where an assembly may attach children, by name. In a tree the parts
    // of `domains` have their own.
    std::vector<DomainInterface> interfaces;

    // What the methods need, each null in models that were built without it (model_parts.h lists the arrays).
    std::shared_ptr<const StvkModel> stvk;  // the reduced energy
    std::shared_ptr<const WarpModel> warp;  // the modes and their rotations
    // A tree: then the model itself has no basis and no volume, and its surface is that of all domains at
    // rest, one after another.
    std::shared_ptr<const DomainsModel> domains;
};

// "stvk", "warp": how a soft body of the model can move. Any model with a closed surface can be a rigid body.
std::vector<std::string> methods_of(const Model& model);
// Why it cannot run as `method`, "stvk" or "warp", if it cannot.
std::optional<InputError> method_problem(const Model& model, const std::string& method);

// One scale for each shape (columns of 3s rows), so that weight 1 of its morph target moves the surface by a
// tenth of its bounding diagonal (where it moves most); 1 for a shape that does not move it.
Eigen::VectorXd target_scale_of(const std::vector<Eigen::Vector3d>& vertices, const Eigen::MatrixXd& shapes);
// Sets target_scale to that of the surface's basis.
void choose_target_scale(Model& model);

// Rounds the basis of the surface to what a file of SurfaceBasis::Float gives back, target_i / target_scale_i
// with target_i = float(target_scale_i U_i); target_scale must be chosen. Doing it twice changes nothing.
void round_surface_basis(Model& model);

// What is wrong, if anything: sizes, indices, numbers that are not finite or so large that energies would not
// be, materials, a mass or stiffness that is not definite. Volume and target_scale may be missing, and the
// surface too if there is a basis.
std::optional<InputError> model_problem(const Model& model, const std::string& where = "the model");

}  // namespace limber
