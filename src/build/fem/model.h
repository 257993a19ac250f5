// SPDX-License-Identifier: Apache-2.0
// A frozen finite-element model: rest geometry at the quadrature points, materials, fixed vertices and
// the sparsity pattern. Everything that does not depend on the displacement is computed here, once.
// Symbols and equations: docs/math/stvk.md.
//
// Vectors over vertices (u, forces) have 3n entries, ordered 3·vertex + component, fixed vertices included.
// Matrices live on the free degrees of freedom, 3·free_index(vertex) + component.
#pragma once
#include "build/mesh/material.h"
#include "build/mesh/volume_mesh.h"

#include <limber/model/brick_quadrature.h>
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

namespace limber::build {

struct ElementBlocks;  // element_blocks.h: what assembly needs

// Lower triangle only; column-major as CHOLMOD takes it. selfadjointView<Eigen::Lower>() multiplies.
using SparseMatrix = Eigen::SparseMatrix<double>;

struct FemOptions {
    BrickQuadrature brick_quadrature = BrickQuadrature::Standard;
};

class FemModel {
 public:
    // Throws InputError for unsound meshes (require_sound), materials out of range, ids out of range.
    // `materials.group_of_element` may be empty: then all elements have group 0.
    FemModel(VolumeMesh mesh, MaterialMap materials, std::vector<int> fixed_vertices,
             FemOptions options = {});

    const VolumeMesh& mesh() const { return mesh_; }
    const MaterialMap& materials() const { return materials_; }
    const std::vector<int>& fixed_vertices() const { return fixed_; }  // ascending, unique
    BrickQuadrature quadrature() const { return quadrature_; }

    Eigen::Index vertex_count() const { return static_cast<Eigen::Index>(mesh_.vertices.size()); }
    Eigen::Index free_vertex_count() const { return static_cast<Eigen::Index>(vertex_of_free_.size()); }
    Eigen::Index free_dofs() const { return 3 * free_vertex_count(); }
    // -1: fixed. A vertex that belongs to no element has no equation: it counts as not free as well.
    int free_index(int vertex) const { return free_of_vertex_[static_cast<std::size_t>(vertex)]; }

    Eigen::VectorXd restrict_to_free(const Eigen::VectorXd& full) const;  // 3n -> free dofs
    Eigen::VectorXd expand_from_free(const Eigen::VectorXd& free) const;  // zero on fixed vertices

    const ElementBlocks& blocks() const { return *blocks_; }

 private:
    VolumeMesh mesh_;
    MaterialMap materials_;
    std::vector<int> fixed_;
    BrickQuadrature quadrature_;
    std::vector<int> free_of_vertex_, vertex_of_free_;
    std::shared_ptr<const ElementBlocks> blocks_;  // never written again: copies and threads share it
};

}  // namespace limber::build
