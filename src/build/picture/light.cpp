// SPDX-License-Identifier: Apache-2.0
#include "build/picture/light.h"

#include "build/picture/raster.h"

#include <tbb/parallel_for.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

constexpr int kSkyDirections = 56;
constexpr int kKeyDirections = 28;
constexpr float kKeyRadius = 0.22F;  // of the soft box, as a tangent: about 12 degrees
constexpr double kGoldenAngle = 2.39996322972865332;

// Light on a matt white surface that faces it.
constexpr float kSky = 0.36F, kKey = 0.62F, kFill = 0.07F, kRim = 0.20F, kBounce = 0.16F;

// The mean over a square of the floor's map.
std::vector<float> blur(const std::vector<float>& map, int side) {
    const int reach = side / 50;
    const auto along = [&](const std::vector<float>& from, int step, int other) {
        std::vector<float> to(from.size());
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j) {
                float sum = 0;
                for (int k = -reach; k <= reach; ++k)
                    sum += from[static_cast<std::size_t>(i * other + std::clamp(j + k, 0, side - 1) * step)];
                to[static_cast<std::size_t>(i * other + j * step)] = sum / static_cast<float>(2 * reach + 1);
            }
        return to;
    };
    return along(along(map, 1, side), side, 1);
}

}  // namespace

Light::Light(const DrawnScene& scene, const std::vector<bool>& casts_shadow, const Camera& camera,
             const Eigen::Vector3d& up, int map_side)
    : side_(map_side), floor_side_(std::max(16, map_side / 2)), up_(up.cast<float>()) {
    double reach = 0, lowest = 0;
    for (const DrawnScene::Face& face : scene.faces)
        for (const int p : face.points) {
            const Eigen::Vector3d& at = scene.points[static_cast<std::size_t>(p)];
            reach = std::max(reach, at.norm());
            lowest = std::min(lowest, at.dot(up));
            shadows_ |= casts_shadow[static_cast<std::size_t>(face.surface)];
        }
    reach_ = static_cast<float>(1.01 * reach + 1e-3);
    floor_height_ = lowest - 2e-3;

    // The key light stands high on the left of the camera, the fill light low on its right, the rim light
    // behind.
    const Eigen::Vector3f right = camera.right.cast<float>(), above = camera.up.cast<float>(),
                          back = -camera.forward.cast<float>();
    key_ = (-0.65F * right + 0.75F * above + 0.55F * back + 0.35F * up_).normalized();
    fill_ = (0.9F * right + 0.1F * above + 0.5F * back).normalized();
    rim_ = (0.5F * right + 0.6F * above - 0.8F * back).normalized();

    const auto frame_of = [](Map& map) {
        map.across = map.toward.unitOrthogonal();
        map.along = map.toward.cross(map.across);
    };
    const Eigen::Vector3f sky_x = up_.unitOrthogonal(), sky_y = up_.cross(sky_x);
    for (int k = 0; k < kSkyDirections; ++k) {
        // Equal shares of the upper hemisphere's solid angle; the floor receives sum weight·height = kSky.
        const float height = (static_cast<float>(k) + 0.5F) / kSkyDirections;
        const float radius = std::sqrt(1 - height * height);
        const auto turn = static_cast<float>(std::fmod(kGoldenAngle * k, 6.28318530717958648));
        Map map{.toward = radius * (std::cos(turn) * sky_x + std::sin(turn) * sky_y) + height * up_,
                .across = {},
                .along = {},
                .weight = 2 * kSky / kSkyDirections,
                .of_key = false,
                .height = {}};
        frame_of(map);
        maps_.push_back(std::move(map));
    }
    const Eigen::Vector3f key_x = key_.unitOrthogonal(), key_y = key_.cross(key_x);
    for (int k = 0; k < kKeyDirections; ++k) {
        const float radius = kKeyRadius * std::sqrt((static_cast<float>(k) + 0.5F) / kKeyDirections);
        const auto turn = static_cast<float>(std::fmod(kGoldenAngle * k, 6.28318530717958648));
        Map map{.toward = (key_ + radius * (std::cos(turn) * key_x + std::sin(turn) * key_y)).normalized(),
                .across = {},
                .along = {},
                .weight = kKey / kKeyDirections,
                .of_key = true,
                .height = {}};
        frame_of(map);
        maps_.push_back(std::move(map));
    }
    if (!shadows_) return;
    tbb::parallel_for(std::size_t{0}, maps_.size(),
                      [&](std::size_t k) { fill_map(maps_[k], scene, casts_shadow); });
    fill_floor();
}

void Light::fill_map(Map& map, const DrawnScene& scene, const std::vector<bool>& casts_shadow) const {
    const auto side = static_cast<std::size_t>(side_);
    map.height.assign(side * side, 0);
    const double scale = side_ / (2.0 * reach_);
    const Eigen::Vector3d across = map.across.cast<double>(), along = map.along.cast<double>(),
                          toward = map.toward.cast<double>();
    for (const DrawnScene::Face& face : scene.faces) {
        if (!casts_shadow[static_cast<std::size_t>(face.surface)]) continue;
        Eigen::Vector2d flat[3];
        double height[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const Eigen::Vector3d& p = scene.points[static_cast<std::size_t>(face.points[k])];
            flat[k] = {(p.dot(across) + reach_) * scale, (p.dot(along) + reach_) * scale};
            height[k] = (p.dot(toward) + reach_) / height_unit() + 1;
        }
        rasterize(flat[0], flat[1], flat[2], {0, 0, side_, side_},
                  [&](int x, int y, double a, double b, double c) {
                      const auto h = static_cast<std::uint16_t>(
                          std::clamp(a * height[0] + b * height[1] + c * height[2], 1.0, 65535.0));
                      std::uint16_t& texel =
                          map.height[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)];
                      texel = std::max(texel, h);
                  });
    }
}

// The share of the light's map that lets light through to the point: four texels, bilinear.
float Light::visible(const Map& map, const Eigen::Vector3f& point) const {
    const float scale = static_cast<float>(side_) / (2 * reach_);
    const float x = (point.dot(map.across) + reach_) * scale - 0.5F;
    const float y = (point.dot(map.along) + reach_) * scale - 0.5F;
    const float limit = static_cast<float>(side_ - 1);
    if (!(x >= 0 && y >= 0 && x < limit && y < limit)) return 1;
    const float height = (point.dot(map.toward) + reach_) / height_unit() + 1;
    const auto column = static_cast<std::size_t>(x), row = static_cast<std::size_t>(y);
    const float fx = x - static_cast<float>(column), fy = y - static_cast<float>(row);
    const std::uint16_t* texel = map.height.data() + row * static_cast<std::size_t>(side_) + column;
    // One unit of height is the rounding of the map.
    const auto lit = [&](std::size_t offset) {
        return static_cast<float>(texel[offset]) <= height + 2 ? 1.0F : 0.0F;
    };
    const auto below = static_cast<std::size_t>(side_);
    return (1 - fy) * ((1 - fx) * lit(0) + fx * lit(1)) + fy * ((1 - fx) * lit(below) + fx * lit(below + 1));
}

Light::Received Light::at(const Eigen::Vector3f& point, const Eigen::Vector3f& flat,
                          const Eigen::Vector3f& smooth) const {
    // Off the surface by a little more than a texel's diagonal, or the surface would shade itself.
    const Eigen::Vector3f lifted = point + flat * (1.6F * 2 * reach_ / static_cast<float>(side_));
    float sum = 0, sky_all = 0, sky_seen = 0, key_all = 0, key_seen = 0;
    for (const Map& map : maps_) {
        const float cosine = smooth.dot(map.toward);
        if (cosine <= 0) continue;
        const float seen = shadows_ ? visible(map, lifted) : 1.0F;
        sum += map.weight * cosine * seen;
        (map.of_key ? key_all : sky_all) += cosine;
        (map.of_key ? key_seen : sky_seen) += cosine * seen;
    }
    // The lamps without shadows and the light from the floor count where the sky is open.
    const float open = sky_all > 0 ? sky_seen / sky_all : 1;
    const float bounce = kBounce * 0.5F * (1 - smooth.dot(up_));
    const float lamps = kFill * std::max(0.0F, smooth.dot(fill_)) + kRim * std::max(0.0F, smooth.dot(rim_));
    return {.diffuse = sum + bounce * (0.4F + 0.6F * open) + lamps * open,
            .key_visible = key_all > 0 ? key_seen / key_all : 0};
}

void Light::fill_floor() {
    // The soft box's shadow falls no farther than this from the middle.
    floor_reach_ = 3 * reach_;
    floor_x_ = up_.unitOrthogonal();
    floor_y_ = up_.cross(floor_x_);
    floor_.assign(static_cast<std::size_t>(floor_side_) * static_cast<std::size_t>(floor_side_), 1);
    const auto side = static_cast<float>(floor_side_);
    tbb::parallel_for(0, floor_side_, [&](int row) {
        for (int column = 0; column < floor_side_; ++column) {
            const float x = (2 * (static_cast<float>(column) + 0.5F) / side - 1) * floor_reach_;
            const float y = (2 * (static_cast<float>(row) + 0.5F) / side - 1) * floor_reach_;
            const Eigen::Vector3f point =
                x * floor_x_ + y * floor_y_ + static_cast<float>(floor_height_) * up_;
            float all = 0, seen = 0;
            for (const Map& map : maps_) {
                // Low light would draw long streaks: left out. The soft box counts half: contact shows, shape
                // does not.
                const float part =
                    map.weight * (map.of_key ? 0.5F : 1.0F) * std::max(0.0F, up_.dot(map.toward) - 0.3F);
                all += part;
                seen += part * visible(map, point);
            }
            floor_[static_cast<std::size_t>(row * floor_side_ + column)] = all > 0 ? seen / all : 1;
        }
    });
    // Faint shadows are the ones from far above, where the few directions of the sky show as blotches: these
    // are blurred. Dark ones are contacts and stay sharp.
    const std::vector<float> blurred = blur(blur(floor_, floor_side_), floor_side_);
    for (std::size_t i = 0; i < floor_.size(); ++i) {
        const float faint = std::clamp((floor_[i] - 0.3F) / 0.4F, 0.0F, 1.0F);
        floor_[i] += faint * (blurred[i] - floor_[i]);
    }
}

float Light::on_floor(const Eigen::Vector3d& point) const {
    if (!shadows_) return 1;
    const Eigen::Vector3f p = point.cast<float>();
    const auto side = static_cast<float>(floor_side_);
    const float x = (p.dot(floor_x_) / floor_reach_ + 1) * side / 2 - 0.5F;
    const float y = (p.dot(floor_y_) / floor_reach_ + 1) * side / 2 - 0.5F;
    if (!(x >= 0 && y >= 0 && x < side - 1 && y < side - 1)) return 1;
    const auto column = static_cast<std::size_t>(x), row = static_cast<std::size_t>(y);
    const float fx = x - static_cast<float>(column), fy = y - static_cast<float>(row);
    const auto below = static_cast<std::size_t>(floor_side_);
    const float* texel = floor_.data() + row * below + column;
    return (1 - fy) * ((1 - fx) * texel[0] + fx * texel[1]) +
           fy * ((1 - fx) * texel[below] + fx * texel[below + 1]);
}

}  // namespace limber::build
