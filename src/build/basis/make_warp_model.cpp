// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "build/basis/make_warp_model.h"

#include "build/basis/node_rotations.h"
#include "build/basis/warp_companions.h"
#include "build/fem/element_mass.h"

#include <limber/model/surface_normals.h>

#include <string>

namespace limber::build {
namespace {

// m_i = Σ_j M_ij and s_i = Σ_j M_ij X_j of all vertices, columns of fixed ones included.             (12)
struct NodeMass {
    std::vector<double> mass;
    std::vector<Eigen::Vector3d> moment;
};

NodeMass node_mass(const FemModel& model, MassKind kind) {
    const VolumeMesh& mesh = model.mesh();
    NodeMass out{std::vector<double>(mesh.vertices.size(), 0),
                 std::vector<Eigen::Vector3d>(mesh.vertices.size(), Eigen::Vector3d::Zero())};
    const auto add = [&](const auto& corners, const auto& m, double density) {
        for (std::size_t a = 0; a < corners.size(); ++a)
            for (std::size_t b = 0; b < corners.size(); ++b) {
                const auto i = std::size_t(corners[a]);
                const auto j = kind == MassKind::Lumped ? i : std::size_t(corners[b]);
                const double m_ab = density * m(Eigen::Index(a), Eigen::Index(b));
                out.mass[i] += m_ab;
                out.moment[i] += m_ab * mesh.vertices[j];
            }
    };
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        add(mesh.tets[e], tet_mass(mesh, mesh.tets[e]), model.materials().of(e).density);
    for (std::size_t e = 0; e < mesh.bricks.size(); ++e)
        add(mesh.bricks[e], brick_mass(mesh, e), model.materials().of(mesh.tets.size() + e).density);
    return out;
}

WarpRows on_surface(const Embedding& embedding, const Eigen::MatrixXd& columns) {
    WarpRows out(3 * Eigen::Index(embedding.anchors.size()), columns.cols());
    for (Eigen::Index i = 0; i < columns.cols(); ++i)
        out.col(i) = interpolate(embedding, columns.col(i));
    return out;
}

std::vector<Eigen::Vector3d> rest_normals(const SurfaceMesh& surface) {
    ModelSurface shown;
    shown.vertices = surface.vertices;
    for (const Triangle& t : surface.triangles)
        shown.triangles.push_back({t[0], t[1], t[2]});
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        shown.input_vertex.push_back(std::int32_t(v));
    return SurfaceNormals(shown).at_rest();
}

}  // namespace

WarpModel make_warp_model(const FemModel& model, const ModesResult& modes, MassKind mass,
                          const Embedding& surface) {
    if (modes.rigid_shapes.cols() > 0)
        throw InputError{"warping",
                         "the body can move as a whole in " + std::to_string(modes.rigid_shapes.cols()) +
                             " ways; modal warping needs a support",
                         "fix at least three vertices that are not in a line"};
    const Eigen::MatrixXd rotations = modal_rotations(model.mesh(), modes.shapes);
    const NodeMass carried = node_mass(model, mass);

    WarpModel out;
    out.eigenvalues = modes.eigenvalues;
    const Eigen::Index n = model.free_vertex_count();
    out.node_modes.resize(3 * n, modes.shapes.cols());
    out.node_rotations.resize(3 * n, modes.shapes.cols());
    out.node_mass.resize(n);
    out.node_moment.resize(std::size_t(n));
    for (int v = 0; v < int(model.vertex_count()); ++v) {
        const int i = model.free_index(v);
        if (i < 0) continue;
        out.node_modes.middleRows<3>(3 * i) = modes.shapes.middleRows<3>(3 * v);
        out.node_rotations.middleRows<3>(3 * i) = rotations.middleRows<3>(3 * v);
        out.node_mass[i] = carried.mass[std::size_t(v)];
        out.node_moment[std::size_t(i)] = carried.moment[std::size_t(v)];
    }
    out.surface_modes = on_surface(surface, modes.shapes);
    out.surface_rotations = on_surface(surface, rotations);
    const WarpCompanions companions = warp_companions(model, modes, rotations, mass);
    out.surface_companions = on_surface(surface, companions.shapes);
    out.companion_forms = companions.forms;
    return out;
}

WarpModel make_warp_model(const FemModel& model, const ModesResult& modes, MassKind mass,
                          const SurfaceMesh& surface) {
    WarpModel out = make_warp_model(model, modes, mass, embed(model.mesh(), surface.vertices));
    out.normals = rest_normals(surface);
    return out;
}

}  // namespace limber::build
