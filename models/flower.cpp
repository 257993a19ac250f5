// SPDX-License-Identifier: Apache-2.0
// A flower 0.6 m high: a stem of two domains, two leaves, the head and seven petals. z up, m.
#include "models/fields.h"
#include "models/limbs.h"
#include "models/trees.h"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kPetals = 7;

// The head faces up and towards +x.
const Vector3d kHead(0.075, 0, 0.56);

Matrix3d facing() {
    return Eigen::AngleAxisd(0.6, Vector3d::UnitY()).toRotationMatrix();
}

TreeLimbs flower_limbs() {
    const Chain stem = smooth({{{0, 0, -0.02}, 0.022},
                               {{-0.01, 0, 0.15}, 0.019},
                               {{0, 0, 0.30}, 0.018},
                               {{0.03, 0, 0.45}, 0.017},
                               {{0.07, 0, 0.55}, 0.018}},
                              8);
    const auto middle = stem.begin() + 17;
    TreeLimbs out;
    out.push_back({"stem1", -1, along({stem.begin(), middle})});
    out.push_back({"stem2", 0, along({middle - 1, stem.end()})});
    const Matrix3d head = facing();
    out.push_back({"head", 1, turned_ellipsoid(kHead, head, {0.052, 0.052, 0.026})});
    for (int k = 0; k < kPetals; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / kPetals;
        Matrix3d axes;  // along the petal, across, normal; the petals rise a little
        axes << Vector3d(std::cos(angle), std::sin(angle), 0.25).normalized(),
            Vector3d(-std::sin(angle), std::cos(angle), 0), Vector3d::Zero();
        axes.col(2) = axes.col(0).cross(axes.col(1));
        axes = head * axes;
        out.push_back({fmt::format("petal{}", k + 1), 2,
                       turned_ellipsoid(kHead + 0.118 * axes.col(0), axes, {0.085, 0.042, 0.013})});
    }
    for (const double side : {1.0, -1.0}) {
        const double height = side > 0 ? 0.14 : 0.19;
        Matrix3d axes;
        axes << Vector3d(0.15, side, 0.75).normalized(), Vector3d::UnitX(), Vector3d::Zero();
        axes.col(1) = (axes.col(1) - axes.col(0) * axes.col(0).x()).normalized();
        axes.col(2) = axes.col(0).cross(axes.col(1));
        out.push_back(
            {side > 0 ? "leaf1" : "leaf2", 0,
             turned_ellipsoid(Vector3d(0, 0, height) + 0.115 * axes.col(0), axes, {0.115, 0.036, 0.013})});
    }
    return out;
}

}  // namespace

build::SurfaceMesh flower() {
    const Field body = joined(flower_limbs(), 0.02);
    const Eigen::AlignedBox3d box(Vector3d(-0.16, -0.24, -0.01), Vector3d(0.28, 0.24, 0.74));
    return isosurface([&](const Vector3d& p) { return std::max(body(p), -p.z()); }, box, 0.0065);
}

SampleCut flower_cut() {
    const TreeLimbs all = flower_limbs();
    return {names_of(all), [all](const build::VolumeMesh& mesh) { return labels_of(all, mesh); }, {}};
}

}  // namespace limber::models
