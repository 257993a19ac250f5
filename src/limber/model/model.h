// SPDX-License-Identifier: Apache-2.0
// A model: everything that a soft body needs at run time, frozen and shareable between bodies and threads.
// Built by limber::build, kept in one glTF file (model_file.h). Symbols: docs/math/reduced_stvk.md.
#pragma once
#include <limber/model/appearance.h>
#include <limber/model/material.h>
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

// What one material group adds to the reduced body, per unit of its constants: everything is linear in them.
struct ModelGroup {
    std::string name;
    Material material;  // as built
    // W of kappa = 1 Pa, and of mu = 1 Pa: V = ½ zᵀ (kappa bulk + mu shear) z. Packed upper triangles by
    // columns (strain_form.h), m(m+1)/2 entries, m = r + r(r+1)/2.
    Eigen::VectorXd bulk, shear;
    Eigen::MatrixXd mass;    // r x r, Uᵀ M U of rho = 1 kg/m^3
    Eigen::MatrixXd weight;  // r x 3, Uᵀ M (e_x e_y e_z) of rho = 1: gravity's force is rho weight g
    // r x 9, Uᵀ M (x_k e_j) of rho = 1 in column j + 3k: a field of acceleration linear in x, such as that of
    // a turning support, gives rho moment vec(field). Empty in files of format 1.
    Eigen::MatrixXd moment;
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
    int rank = 0;                    // r, at most kMostRank
    int modes = 0;                   // linear modes that the basis was made from; 0: none
    std::string basis_kind;          // "modal-derivatives", "modes", "file", "pick", "sketch"
    std::vector<ModelGroup> groups;  // at least one
    ModelSurface surface;
    ModelVolume volume;
    std::shared_ptr<const WarpModel> warp;  // the modes and their rotations; null: built for StVK alone
    // Counts of the volume mesh, kept in lean files too.
    std::int64_t volume_vertices = 0, volume_elements = 0;
    // r: morph target i is target_scale_i U_i, its weight q_i / target_scale_i; empty: not chosen yet.
    Eigen::VectorXd target_scale;
    Eigen::VectorXd frequencies_hz;  // of the linear modes
    Eigen::VectorXd spectrum;        // singular values of mass-PCA, descending: what r buys; may be empty
    bool free_body = false;          // nothing is fixed: rigid motion is not in the basis
    bool lumped_mass = false;
    bool exact_quadrature = false;  // bricks by 3x3x3 points instead of 2x2x2
    std::string command;            // how it was built, to build it again
};

// Was the energy reduced? False: built for warping alone, bulk and shear are empty.
inline bool runs_stvk(const Model& model) {
    return !model.groups.empty() && model.groups[0].bulk.size() > 0;
}

// "stvk", "warp": what a body of the model can run as.
std::vector<std::string> methods_of(const Model& model);

// Sets target_scale so that weight 1 of each morph target moves the surface by a tenth of its bounding
// diagonal (where it moves most); 1 for a basis vector that does not move it.
void choose_target_scale(Model& model);

// Rounds the basis of the surface to what a file of SurfaceBasis::Float gives back, target_i / target_scale_i
// with target_i = float(target_scale_i U_i); target_scale must be chosen. Doing it twice changes nothing.
void round_surface_basis(Model& model);

// What is wrong, if anything: sizes, indices, numbers that are not finite or so large that energies would not
// be, materials, a mass or stiffness that is not definite. Surface, volume and target_scale may be missing.
std::optional<InputError> model_problem(const Model& model, const std::string& where = "the model");

}  // namespace limber
