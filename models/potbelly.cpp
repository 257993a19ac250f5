// SPDX-License-Identifier: Apache-2.0
// The torso of a man with a potbelly, 0.7 m high, about the pelvis of the skeleton that it belongs to; the
// belly at -y. One closed surface, the zero of a field, cut flat under the pelvis.
#include "models/fields.h"
#include "models/isosurface.h"
#include "models/models.h"

#include <algorithm>
#include <cmath>

namespace limber::models {
namespace {

using Eigen::Vector3d;

constexpr double kCut = -0.12;  // m, the lower end

double field(const Vector3d& at) {
    const Vector3d p(std::abs(at.x()), at.y(), at.z());
    static const Chain kNeck = {{{0, 0.02, 0.45}, 0.06}, {{0, 0.02, 0.56}, 0.055}};
    static const Chain kShoulder = {{{0.08, 0.02, 0.43}, 0.075}, {{0.19, 0.02, 0.43}, 0.065}};
    const double pelvis = ellipsoid(p, {0, 0.01, -0.03}, {0.17, 0.125, 0.15});
    const double waist = ellipsoid(p, {0, 0.01, 0.14}, {0.16, 0.12, 0.17});
    const double chest = ellipsoid(p, {0, 0.02, 0.33}, {0.175, 0.12, 0.17});
    const double belly = ellipsoid(p, {0, -0.11, 0.1}, {0.175, 0.165, 0.15});
    double least = join(join(pelvis, waist, 0.04), chest, 0.04);
    least = join(least, belly, 0.03);
    least = join(join(least, field_of(kShoulder, p, 0.02), 0.03), field_of(kNeck, p, 0.02), 0.03);
    return std::max(least, kCut - p.z());
}

}  // namespace

build::SurfaceMesh potbelly() {
    build::SurfaceMesh mesh =
        isosurface(field, {Vector3d(-0.32, -0.36, -0.2), Vector3d(0.32, 0.24, 0.7)}, 0.031);
    // Surface nets round the cut off; its vertices lie in it.
    for (Vector3d& v : mesh.vertices)
        if (v.z() < kCut + 0.01) v.z() = kCut;
    return mesh;
}

}  // namespace limber::models
