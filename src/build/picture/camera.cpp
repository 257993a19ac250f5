// SPDX-License-Identifier: Apache-2.0
#include "build/picture/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

constexpr double kFreeBorder = 0.06;       // of the viewport, on every side
constexpr double kHalfAngleTangent = 0.3;  // along the viewport's longer side: a mild tele lens

// The camera's place along one axis of the image. Coordinates x across and z along the view; the eye is
// at (shift, -distance), and |x - shift| <= tangent (z + distance) must hold for all points.
struct Reach {
    double plus = -std::numeric_limits<double>::infinity();   // max of  x - tangent z
    double minus = -std::numeric_limits<double>::infinity();  // max of -x - tangent z

    void add(double x, double z, double tangent) {
        plus = std::max(plus, x - tangent * z);
        minus = std::max(minus, -x - tangent * z);
    }
    double distance(double tangent) const { return (plus + minus) / (2 * tangent); }
};

Eigen::Vector3d axis_least_along(const Eigen::Vector3d& v) {
    Eigen::Index least = 0;
    v.cwiseAbs().minCoeff(&least);
    return Eigen::Vector3d::Unit(least);
}

}  // namespace

Camera frame_points(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& from,
                    const Eigen::Vector3d& up, const Viewport& viewport) {
    Camera camera;
    camera.forward = -from.stableNormalized();
    Eigen::Vector3d right = camera.forward.cross(up.stableNormalized());
    if (right.norm() < 1e-6) right = camera.forward.cross(axis_least_along(camera.forward));
    camera.right = right.normalized();
    camera.up = camera.right.cross(camera.forward);
    camera.focal = std::max(viewport.width, viewport.height) / (2 * kHalfAngleTangent);
    camera.centre = {viewport.left + viewport.width / 2, viewport.top + viewport.height / 2};

    const double used = 1 - 2 * kFreeBorder;
    const double tangent_x = used * viewport.width / (2 * camera.focal);
    const double tangent_y = used * viewport.height / (2 * camera.focal);
    Reach across, along;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Eigen::Vector3d& p : points) {
        const double z = p.dot(camera.forward);
        across.add(p.dot(camera.right), z, tangent_x);
        along.add(p.dot(camera.up), z, tangent_y);
        nearest = std::min(nearest, z);
    }
    if (points.empty()) {
        camera.eye = -camera.forward;
        return camera;
    }
    // The eye keeps clear of the nearest point, also of a needle seen end on.
    const double distance = std::max({across.distance(tangent_x), along.distance(tangent_y), 0.05 - nearest});

    // The axis that does not decide the distance has room to spare: share it equally, by bisection, since the
    // picture moves one way as the eye moves the other.
    const auto centred = [&](const Reach& reach, double tangent, const Eigen::Vector3d& axis) {
        double low = reach.plus - tangent * distance, high = tangent * distance - reach.minus;
        for (int pass = 0; pass < 40 && high - low > 1e-9; ++pass) {
            const double shift = (low + high) / 2;
            double least = std::numeric_limits<double>::infinity(), most = -least;
            for (const Eigen::Vector3d& p : points) {
                const double seen = (p.dot(axis) - shift) / (p.dot(camera.forward) + distance);
                least = std::min(least, seen);
                most = std::max(most, seen);
            }
            (least + most > 0 ? low : high) = shift;
        }
        return (low + high) / 2;
    };
    const double x = centred(across, tangent_x, camera.right), y = centred(along, tangent_y, camera.up);
    camera.eye = camera.right * x + camera.up * y - camera.forward * distance;
    return camera;
}

Eigen::Vector3d choose_view(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& up) {
    const Eigen::Vector3d first = axis_least_along(up);
    const Eigen::Vector3d a = (first - up * first.dot(up)).normalized();
    const Eigen::Vector3d b = up.cross(a);
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& p : points)
        box.extend(Eigen::Vector3d(p.dot(a), p.dot(b), p.dot(up)));
    if (box.isEmpty()) return a;

    const Eigen::Vector3d size = box.sizes();
    const bool a_is_longer = size.x() >= size.y();
    const Eigen::Vector3d long_axis = a_is_longer ? a : b;
    const Eigen::Vector3d away = a_is_longer ? Eigen::Vector3d(-b) : a;
    // Flat things are seen from higher up.
    const double flatness = size.z() / std::max(size.maxCoeff(), 1e-300);
    const double rise = flatness < 0.2 ? 0.75 : 0.4;
    return (away + 0.45 * long_axis + rise * up).normalized();
}

}  // namespace limber::build
