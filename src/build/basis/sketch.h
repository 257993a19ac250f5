// SPDX-License-Identifier: Apache-2.0
// A basis from a sketch (paper 1, section 5.2): recorded forces, the shapes that they hold the full model in,
// and mass-PCA of those. docs/math/basis.md, section 6; the file: docs/sketch_file.md.
#pragma once
#include "build/basis/basis.h"
#include "build/mesh/embed.h"
#include "build/mesh/surface_mesh.h"

#include <Eigen/SparseCore>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

// A force on one vertex, or shared equally by those of a selection.
struct SketchPush {
    int vertex = -1;                                  // -1: `at` says where
    std::string at;                                   // SELECT (select.h)
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  // N
};
// What acted at one moment of the recording.
struct SketchForce {
    std::string name;  // for messages
    std::vector<SketchPush> pushes;
};
using Sketch = std::vector<SketchForce>;

// Throws InputError with the place in the file; unknown keys are named with the nearest known one.
Sketch read_sketch(std::string_view bytes, const std::string& name);
Sketch read_sketch(const std::filesystem::path& path);

// The forces on the vertices of the volume mesh, N, 3n x forces. Vertices and selections are those of the
// volume itself, or those of the surface that it carries.
Eigen::SparseMatrix<double> sketch_loads(const Sketch& sketch, const VolumeMesh& volume);
Eigen::SparseMatrix<double> sketch_loads(const Sketch& sketch, const SurfaceMesh& surface,
                                         const Embedding& embedding);

struct SketchOptions {
    MassKind mass = MassKind::Consistent;
    // Forces nearer to a kept one than this fraction of the largest are left out; rest counts as kept.
    double force_separation = 0.05;
    // The same for shapes, in the mass metric.
    double shape_separation = 0.05;
    double tolerance = 1e-8;           // of the static solves
    int max_iterations = 500;          // of each
    std::filesystem::path cache = {};  // a folder for solved shapes, made if need be; empty: none are kept
    Progress progress = {};
};

struct SketchFailure {
    int force;            // column of the loads
    std::string problem;  // in one sentence
};

struct SketchResult {
    Basis basis;
    std::vector<int> forces;  // columns of the loads that were kept, ascending
    std::vector<int> shapes;  // those whose shapes were kept
    int solved = 0;           // static solves in this run
    int reused = 0;           // shapes that were found in the cache
    std::vector<SketchFailure> failed;
};

// loads: 3n x forces, for instance several sketches side by side. Solves that do not converge are left out
// and told. Throws InputError if nothing remains, or if the body can move as a whole.
SketchResult sketch_basis(const FemModel& model, const Eigen::SparseMatrix<double>& loads,
                          const RankChoice& rank, const SketchOptions& options = {});

}  // namespace limber::build
