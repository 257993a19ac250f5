// SPDX-License-Identifier: Apache-2.0
// The built-in models, made by code: `limber models list`, `limber models make NAME -o FILE`.
#pragma once
#include "build/animation/node_tree.h"
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"
#include "build/mesh_files/files.h"
#include "models/trees.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace limber::models {

struct ModelInfo {
    std::string name;          // "spoon"
    std::string description;   // one line: what it is, its size in metres
    int resolution = 0;        // that gives the elements of the papers' tables; 0 for volumes
    std::string fix;           // a SELECT that holds it where one would hold it
    build::Material material;  // what it is made of; of an assembled tree: its first part
    int domains = 0;           // of a tree; 0: one body
};

const std::vector<ModelInfo>& list();
// Throws InputError with the nearest name if there is none.
const ModelInfo& find(const std::string& name);
// Of an assembled tree the surface of all its instances at rest.
build::AnyMesh make(const std::string& name);
// Trees of domains: their parts and instances, or how the mesh is cut; nothing for other models.
std::optional<SampleTree> tree(const std::string& name);
std::optional<SampleCut> cut(const std::string& name);
// The animated skeleton that the model follows; nothing for models without one.
std::optional<build::NodeTree> motion(const std::string& name);

enum class BarElements { Bricks, Tets };  // Tets: six to a cube
// A box of nx x ny x nz cubes with its corner at the origin; size in m.
build::VolumeMesh bar(std::array<int, 3> cells, const Eigen::Vector3d& size, BarElements elements);

build::SurfaceMesh spoon();
build::SurfaceMesh bridge();
build::SurfaceMesh tower();
build::SurfaceMesh heart();
build::VolumeMesh jelly_box();
build::SurfaceMesh potbelly();
// `cell`: about how far its vertices are apart, m; the finer, the more of them.
build::SurfaceMesh dinosaur(double cell = 0.00228);

}  // namespace limber::models
