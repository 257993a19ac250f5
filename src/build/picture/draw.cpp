// SPDX-License-Identifier: Apache-2.0
#include "build/picture/draw.h"

#include "build/picture/camera.h"
#include "build/picture/legend.h"
#include "build/picture/light.h"
#include "build/picture/render.h"
#include "build/picture/scene.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <algorithm>

namespace limber::build {
namespace {

constexpr int kLargestSide = 8192;  // px

void check_options(const DrawOptions& options) {
    for (const int side : {options.width, options.height})
        if (side < 1 || side > kLargestSide)
            throw InputError{"the picture",
                             fmt::format("{} x {} pixels cannot be drawn", options.width, options.height),
                             fmt::format("choose 1 to {} pixels for each side", kLargestSide)};
    const auto check_direction = [](const Eigen::Vector3d& v, const char* what) {
        if (!v.allFinite() || v.isZero(0))
            throw InputError{"the picture",
                             fmt::format("{} ({}, {}, {}) is no direction", what, v.x(), v.y(), v.z()),
                             "give three numbers that are not all zero"};
    };
    check_direction(options.up, "up");
    if (options.view_from) check_direction(*options.view_from, "view_from");
}

std::vector<Eigen::Vector3d> drawn_points(const DrawnScene& scene) {
    std::vector<bool> used(scene.points.size(), false);
    for (const DrawnScene::Face& face : scene.faces)
        for (const int p : face.points)
            used[static_cast<std::size_t>(p)] = true;
    std::vector<Eigen::Vector3d> points;
    for (std::size_t p = 0; p < used.size(); ++p)
        if (used[p]) points.push_back(scene.points[p]);
    return points;
}

Camera camera_of(const DrawnScene& scene, const DrawOptions& options) {
    const std::vector<Eigen::Vector3d> points = drawn_points(scene);
    const Eigen::Vector3d up = options.up.stableNormalized();
    int legend = 0;
    if (scene.has_values)
        legend = legend_width(options.width, options.height, options.legend, scene.least_value,
                              scene.largest_value);
    const Viewport viewport{0, 0, static_cast<double>(options.width - legend),
                            static_cast<double>(options.height)};
    return frame_points(points, options.view_from.value_or(choose_view(points, up)), up, viewport);
}

}  // namespace

Image draw(const std::vector<DrawnSurface>& surfaces, const DrawOptions& options) {
    check_options(options);
    const DrawnScene scene = prepare_scene(surfaces);
    const Camera camera = camera_of(scene, options);
    const Eigen::Vector3d up = options.up.stableNormalized();

    std::vector<bool> casts_shadow;
    for (const DrawnSurface& surface : surfaces)
        casts_shadow.push_back(surface.opacity >= 1);
    // A texel covers about two pixels; soft light needs no more.
    const int map_side = std::clamp(std::max(options.width, options.height) / 2, 16, 640);
    const Light light(scene, casts_shadow, camera, up, map_side);
    Image image = render(scene, surfaces, camera, light, up, options.width, options.height);
    if (scene.has_values) draw_legend(image, options.legend, scene.least_value, scene.largest_value);
    return image;
}

Camera camera_for(const std::vector<DrawnSurface>& surfaces, const DrawOptions& options) {
    check_options(options);
    const DrawnScene scene = prepare_scene(surfaces);
    Camera camera = camera_of(scene, options);
    camera.eye = scene.middle + scene.half_size * camera.eye;
    return camera;
}

}  // namespace limber::build
