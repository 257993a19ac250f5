// SPDX-License-Identifier: Apache-2.0
// A perspective camera that holds all points in the frame.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace limber::build {

// The part of the image that the points may fill, in pixels from the top left corner.
struct Viewport {
    double left = 0, top = 0, width = 0, height = 0;
};

// A point p (same coordinates as eye) has the depth t = (p - eye) . forward and stands at the pixel
// (centre.x + focal (p - eye).right / t,  centre.y - focal (p - eye).up / t); pixel (i, j) covers
// [i, i+1) x [j, j+1), j from the top.
struct Camera {
    Eigen::Vector3d eye{0, 0, 0}, right{1, 0, 0}, up{0, 0, 1}, forward{0, 1, 0};
    double focal = 1;  // px
    Eigen::Vector2d centre{0, 0};

    // x and y in pixels, z the depth.
    Eigen::Vector3d project(const Eigen::Vector3d& p) const {
        const Eigen::Vector3d d = p - eye;
        const double depth = d.dot(forward);
        return {centre.x() + focal * d.dot(right) / depth, centre.y() - focal * d.dot(up) / depth, depth};
    }
    // From the eye through a point of the image; not normalised: one unit of depth long.
    Eigen::Vector3d ray(double x, double y) const {
        return forward + right * ((x - centre.x()) / focal) - up * ((y - centre.y()) / focal);
    }
};

// Stands as near as it can in the direction `from` (not zero) with every point in the viewport, 6% of which
// is left free on every side. `up` points up in the picture; if it is parallel to `from`, another axis does.
Camera frame_points(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& from,
                    const Eigen::Vector3d& up, const Viewport& viewport);

// A direction that shows the longest horizontal side across and a little of the top; `up` has length one.
Eigen::Vector3d choose_view(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& up);

}  // namespace limber::build
