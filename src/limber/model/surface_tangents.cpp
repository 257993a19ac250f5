// SPDX-License-Identifier: Apache-2.0
#include <limber/model/surface_tangents.h>

#include <Eigen/Geometry>

namespace limber {

// On a triangle x = a + (u − u_a) x_u + (v − v_a) x_v. Its edges give x_u and x_v:
//     x_u = (dv₂ e₁ − dv₁ e₂) / det,   x_v = (du₁ e₂ − du₂ e₁) / det,   det = du₁ dv₂ − du₂ dv₁.
// Only the sign of det is used, so that triangles count by their size.
std::vector<Eigen::Vector4d> surface_tangents(const ModelSurface& surface,
                                              const std::vector<Eigen::Vector3d>& normals, std::size_t set) {
    const auto& uv = surface.appearance.texture_coordinates[set];
    std::vector<Eigen::Vector3d> along_u(normals.size(), Eigen::Vector3d::Zero()), along_v = along_u;
    for (const auto& t : surface.triangles) {
        const Eigen::Vector3d e1 = surface.vertices[t[1]] - surface.vertices[t[0]];
        const Eigen::Vector3d e2 = surface.vertices[t[2]] - surface.vertices[t[0]];
        const double du1 = double{uv[t[1]][0]} - uv[t[0]][0], dv1 = double{uv[t[1]][1]} - uv[t[0]][1];
        const double du2 = double{uv[t[2]][0]} - uv[t[0]][0], dv2 = double{uv[t[2]][1]} - uv[t[0]][1];
        const double sign = du1 * dv2 - du2 * dv1 < 0 ? -1 : 1;
        for (const std::int32_t corner : t) {
            along_u[corner] += sign * (dv2 * e1 - dv1 * e2);
            along_v[corner] += sign * (du1 * e2 - du2 * e1);
        }
    }
    std::vector<Eigen::Vector4d> out;
    out.reserve(normals.size());
    for (std::size_t i = 0; i < normals.size(); ++i) {
        const Eigen::Vector3d& n = normals[i];
        Eigen::Vector3d tangent = (along_u[i] - n * n.dot(along_u[i])).stableNormalized();
        if (!tangent.allFinite() || tangent.norm() < 0.5) tangent = n.unitOrthogonal();
        // v grows downward in the picture.
        const double w = n.cross(tangent).dot(along_v[i]) > 0 ? -1 : 1;
        out.emplace_back(tangent.x(), tangent.y(), tangent.z(), w);
    }
    return out;
}

}  // namespace limber
