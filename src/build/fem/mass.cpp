// SPDX-License-Identifier: Apache-2.0
// Mass of tetrahedra and bricks, exact. docs/math/stvk.md, section 5.
#include "build/fem/assemble.h"
#include "build/fem/brick_gauss.h"
#include "build/fem/element_blocks.h"
#include "build/fem/element_mass.h"
#include "build/mesh/check.h"
#include "build/mesh/element_shape.h"

#include <Eigen/LU>

namespace limber::build {

// ∫ N_a N_b = V/20 (1 + δ_ab)                                                                 (16)
TetMass tet_mass(const VolumeMesh& mesh, const Tet& tet) {
    return tet_volume(mesh, tet) / 20 * (TetMass::Ones() + TetMass::Identity());
}

// ∫ N_a N_b: of degree 4 in each coordinate on any hexahedron, so 3x3x3 points are exact.         (17)
BrickMass brick_mass(const VolumeMesh& mesh, std::size_t brick) {
    static const std::vector<GaussPoint> gauss = brick_gauss_points(3);
    const BrickPoints corners = points_of(mesh, mesh.bricks[brick]);
    BrickMass m = BrickMass::Zero();
    for (const GaussPoint& point : gauss) {
        const BrickWeights N = brick_weights(point.xi);
        const Eigen::Matrix3d J = corners * brick_gradients(point.xi);
        m += point.weight * J.determinant() * N * N.transpose();
    }
    return mesh.fraction_of(brick) * m;
}

namespace {

// Calls visit(vertices, mass matrix) for every element, in the mesh's order.
template <class Visit>
void for_each_mass(const FemModel& model, Visit visit) {
    const VolumeMesh& mesh = model.mesh();
    for (int e = 0; e < int(mesh.tets.size()); ++e)
        visit(mesh.tets[e], (model.materials().of(e).density * tet_mass(mesh, mesh.tets[e])).eval());
    for (int e = 0; e < int(mesh.bricks.size()); ++e)
        visit(mesh.bricks[e],
              (model.materials().of(mesh.tets.size() + e).density * brick_mass(mesh, std::size_t(e))).eval());
}

// m times the unit matrix at the block of the free vertices i >= j.
void add_scaled_identity(const VertexPattern& pattern, int i, int j, double m, double* values) {
    if (i == j) {
        double* at = values + pattern.diagonal(j);
        const int below = 3 * pattern.blocks_below(j);
        at[0] += m;
        at[3 + below] += m;
        at[5 + 2 * below] += m;
    } else {
        double* at = values + pattern.below(i, j);
        const int step = 2 + 3 * pattern.blocks_below(j);
        at[0] += m;
        at[step + 1] += m;
        at[2 * step - 1 + 2] += m;
    }
}

}  // namespace

SparseMatrix mass_matrix(const FemModel& model, MassKind kind) {
    const VertexPattern& pattern = model.blocks().pattern;
    SparseMatrix out = scalar_matrix(pattern);
    double* values = out.valuePtr();
    for_each_mass(model, [&](const auto& vertices, const auto& m) {
        for (int a = 0; a < int(vertices.size()); ++a) {
            const int i = model.free_index(vertices[a]);
            if (i < 0) continue;
            if (kind == MassKind::Lumped) {
                add_scaled_identity(pattern, i, i, m.row(a).sum(), values);
                continue;
            }
            for (int b = 0; b < int(vertices.size()); ++b) {
                const int j = model.free_index(vertices[b]);
                if (j >= 0 && j <= i) add_scaled_identity(pattern, i, j, m(a, b), values);
            }
        }
    });
    return out;
}

double total_mass(const FemModel& model) {
    double total = 0;
    for_each_mass(model, [&](const auto&, const auto& m) { total += m.sum(); });
    return total;
}

Eigen::VectorXd gravity_force(const FemModel& model, const Eigen::Vector3d& acceleration) {
    // f_a = ∫ ρ N_a g: the row sums of the mass matrix, the columns of fixed vertices included.        (18)
    Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * model.vertex_count());
    for_each_mass(model, [&](const auto& vertices, const auto& m) {
        for (int a = 0; a < int(vertices.size()); ++a)
            f.segment<3>(3 * vertices[a]) += m.row(a).sum() * acceleration;
    });
    return f;
}

}  // namespace limber::build
