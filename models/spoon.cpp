// SPDX-License-Identifier: Apache-2.0
// A table spoon, 0.2 m long, along x: the end of the handle at x = 0, the tip of the bowl at x = 0.2.
// One closed surface, lofted from cross-sections that are bent strips of varying width and thickness.
#include "models/models.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using Eigen::Vector3d;

constexpr double kLength = 0.2;       // m
constexpr double kBowlStart = 0.135;  // where the bowl begins
constexpr double kBowlHalf = 0.021;   // half the bowl's width
constexpr double kBowlDepth = 0.0105;
constexpr int kStations = 82, kAround = 40;

double smooth_step(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// The egg-shaped outline of the bowl, widest a little before its middle, with hollow shoulders at the neck;
// 0 outside.
double bowl_outline(double x) {
    const double start = kBowlStart - 0.008;
    const double t = (x - start) / (kLength - start);
    if (t <= 0 || t >= 1) return 0;
    const double c = 2 * t - 1;  // -1..1
    const double shoulders = std::sqrt(smooth_step(-0.02, 0.36, t));
    return kBowlHalf * std::sqrt(1 - c * c) * (1 - 0.16 * c) * shoulders;
}

double half_width(double x) {
    // The handle: slim at the neck, a paddle towards its end, which is round.
    const double paddle = 0.0036 + 0.0044 * (1 - smooth_step(0.012, 0.100, x));
    const double end = x < 0.010 ? std::sqrt(std::max(0.0, 1 - std::pow(1 - x / 0.010, 2))) : 1.0;
    const double handle = paddle * end * (1 - smooth_step(kBowlStart, kBowlStart + 0.02, x));
    return std::hypot(handle, bowl_outline(x));
}

// Height of the middle line: the handle rises from the neck in an arch, its end turns down a little.
double height(double x) {
    const double t =
        std::clamp((kBowlStart - x) / kBowlStart, 0.0, 1.0);  // 0 at the neck, 1 at the handle's end
    const double tip = std::max(0.0, (x - 0.16) / 0.04);
    return 0.024 * std::pow(std::sin(0.62 * std::numbers::pi * t), 2) * (1 - 0.15 * t) + 0.0025 * tip * tip;
}

double dish(double x) {
    const double start = kBowlStart - 0.010;
    const double t = (x - start) / (kLength - start);
    if (t <= 0 || t >= 1) return 0;
    return kBowlDepth * std::pow(std::sin(std::numbers::pi * std::pow(t, 0.85)), 1.15);
}

// Thickest at the neck, where a spoon breaks; rounded off at both ends.
double thickness(double x) {
    const double neck = (x - kBowlStart) / 0.018;
    const double body = 0.0012 + 0.0010 * (1 - smooth_step(0.02, 0.15, x)) + 0.0012 * std::exp(-neck * neck);
    const double inset = std::min({x / (body / 2), (kLength - x) / (body / 2), 1.0});
    return body * std::sqrt(1 - (1 - inset) * (1 - inset));
}

}  // namespace

build::SurfaceMesh spoon() {
    build::SurfaceMesh mesh;
    // Stations crowd at both ends, where the outline closes.
    const auto station = [](int s) {
        const double t = static_cast<double>(s) / (kStations + 1);
        return kLength * (0.08 * t + 0.92 * (1 - std::cos(std::numbers::pi * t)) / 2);
    };
    for (int s = 1; s <= kStations; ++s) {
        const double x = station(s), w = half_width(x);
        const double t = thickness(x);
        for (int k = 0; k < kAround; ++k) {
            const double angle = 2 * std::numbers::pi * k / kAround;
            const double across = std::cos(angle), up = std::sin(angle);
            // Round at the rim, of nearly even thickness between.
            const double half = t / 2 * std::copysign(std::pow(std::abs(up), 0.6), up);
            const double y = w * across;
            const double depth = dish(x) * (1 - across * across);
            mesh.vertices.emplace_back(x, y, height(x) - depth + half);
        }
    }
    const auto ring = [](int s, int k) { return s * kAround + k % kAround; };
    for (int s = 0; s + 1 < kStations; ++s)
        for (int k = 0; k < kAround; ++k) {
            mesh.triangles.push_back({ring(s, k), ring(s, k + 1), ring(s + 1, k + 1)});
            mesh.triangles.push_back({ring(s, k), ring(s + 1, k + 1), ring(s + 1, k)});
        }
    const int handle_end = static_cast<int>(mesh.vertices.size()), tip = handle_end + 1;
    mesh.vertices.emplace_back(0, 0, height(0));
    mesh.vertices.emplace_back(kLength, 0, height(kLength));
    for (int k = 0; k < kAround; ++k) {
        mesh.triangles.push_back({handle_end, ring(0, k + 1), ring(0, k)});
        mesh.triangles.push_back({tip, ring(kStations - 1, k), ring(kStations - 1, k + 1)});
    }
    return mesh;
}

}  // namespace limber::models
