// SPDX-License-Identifier: Apache-2.0
// One of two surfaces that may touch, and what is asked of its triangles. For the sources of this folder.
#pragma once
#include "limber/contact/detect_data.h"

#include <Eigen/Geometry>
#include <array>
#include <cstdint>

namespace limber {

using Corners3 = std::array<Eigen::Vector3d, 3>;

inline std::size_t place_of(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

struct SurfaceSide {
    std::int32_t body;
    const SurfaceMoment& moment;
    MovedSurface& moved;
    const ContactSurface& surface;

    Corners3 now(std::int32_t triangle) const {
        const auto& t = surface.triangles[place_of(triangle)];
        return {moved.now(t[0]), moved.now(t[1]), moved.now(t[2])};
    }
    Corners3 start(std::int32_t triangle) const {
        const auto& t = surface.triangles[place_of(triangle)];
        return {moved.start(t[0]), moved.start(t[1]), moved.start(t[2])};
    }
    const Eigen::Vector3d& normal(std::int32_t triangle) const { return moved.face(triangle).normal; }
};

inline Eigen::Vector3d mix(const Corners3& x, const Eigen::Vector3d& w) {
    return w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
}
inline Eigen::Vector3d unit_normal(const Corners3& x) {
    return (x[1] - x[0]).cross(x[2] - x[0]).stableNormalized();
}

}  // namespace limber
