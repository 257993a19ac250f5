// SPDX-License-Identifier: Apache-2.0
// Places at which the model shall have the local compliance of the full one: --improve SELECT.
#pragma once
#include "build/basis/basis.h"
#include "build/recipe/body_mesh.h"

#include <Eigen/Core>
#include <string>
#include <vector>

namespace limber::build {

// Vertices of the surface. Ids, groups and files are those of the user's mesh, which may be a volume.
// `option` stands in messages. Throws InputError where there are none.
std::vector<int> selected_on_surface(const std::string& option, const BodyMesh& body,
                                     const std::string& text);

// Three unit loads (along x, y, z; N) for each selection, shared by area over its vertices of the surface,
// 3n x 3·selections. A single vertex stands for the patch of patch_radius() around it. Throws InputError if a
// selection has no vertex on the surface.
Eigen::MatrixXd patch_loads(const BodyMesh& body, const std::vector<std::string>& selections);

// The basis with the static responses to these loads. docs/math/basis.md, section 7.
Basis improved(const FemModel& model, Basis basis, const BodyMesh& body,
               const std::vector<std::string>& selections, MassKind mass, const Progress& progress);

}  // namespace limber::build
