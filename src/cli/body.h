// SPDX-License-Identifier: Apache-2.0
// What all solve commands share: the mesh, its materials, what is fixed, what pulls, where to look.
#pragma once
#include "build/fem/model.h"
#include "build/recipe/materials.h"
#include "cli/command.h"

#include <Eigen/Core>
#include <string>
#include <vector>

namespace limber::cli {

struct BodyOptions {
    std::string volume;
    std::vector<std::string> fix;  // SELECT
    build::MaterialRecipe materials;
    std::string quadrature = "standard";  // of bricks
    std::string probe, vtu, out;          // empty: not asked for
};

struct LoadOptions {
    std::vector<std::string> loads;  // "SELECT: fx fy fz"
    std::string gravity;             // "gx gy gz"; empty: none
};

// <volume>, --fix, materials, --quadrature, --probe, --vtu, --out. `out_shape` tells what the .npy holds,
// `vtu_files` which files --vtu writes if not just the one.
void add_body_options(Command& command, BodyOptions& options, const std::string& out_shape,
                      const std::string& vtu_meaning, Command::FilesOf vtu_files = {});
// --young, --poisson, --density, --material.
void add_material_options(Command& command, build::MaterialRecipe& options);
void add_load_options(Command& command, LoadOptions& options);

struct StvkBody {
    build::FemModel model;
    std::vector<int> probe;  // vertices
    double total_mass = 0;   // kg
};

// Reads the mesh and checks everything; notes on odd scales and slivers go to the console.
StvkBody read_body(const BodyOptions& options, Console& console);

struct Loads {
    Eigen::VectorXd pulls;    // 3n, N: all --load
    Eigen::VectorXd gravity;  // 3n, N
};
// Shares of a load on fixed vertices do nothing; the console says how many.
Loads read_loads(const LoadOptions& options, const build::FemModel& model, Console& console);

// Mean displacement of the probe; zero without one.
Eigen::Vector3d mean_displacement(const Eigen::VectorXd& u, const std::vector<int>& vertices);
// Longest displacement of a vertex, m.
double max_displacement(const Eigen::VectorXd& u);

// "bar.msh: 525 vertices, 320 elements, 40 kg"
std::string headline(const BodyOptions& options, const StvkBody& body);

}  // namespace limber::cli
