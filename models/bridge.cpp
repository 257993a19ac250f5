// SPDX-License-Identifier: Apache-2.0
// A suspension bridge, 256 m long along x: two towers, two main cables in parabolas, hangers, a deck on
// stiffening trusses, railings, and blocks at both ends. A soup of closed parts that run into each other.
#include "models/models.h"
#include "models/parts.h"

#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using build::SurfaceMesh;
using Eigen::Vector3d;

constexpr double kHalfLength = 128;  // m
constexpr double kTowerAt = 70;      // towers stand at x = -70 and 70
constexpr double kTowerTop = 58;
constexpr double kDeck = 18;        // height of the road
constexpr double kCableSide = 6.4;  // cables and trusses run at y = -6.4 and 6.4
constexpr double kSaddle = kTowerTop - 1.2,
                 kLowest = kDeck + 3.4;  // the cable's height on the tower and at midspan
constexpr double kHangerStep = 4;

// Under a load that is even along x a cable hangs in a parabola; the side spans are nearly straight.
double cable_height(double x) {
    const double a = std::abs(x);
    if (a <= kTowerAt) return kLowest + (kSaddle - kLowest) * (a / kTowerAt) * (a / kTowerAt);
    const double t = (a - kTowerAt) / (kHalfLength - kTowerAt);
    return kSaddle + (kDeck + 0.5 - kSaddle) * t - 9.0 * t * (1 - t);
}

void add_cables(SurfaceMesh& mesh, double y) {
    constexpr int kSegments = 256, kSides = 20;
    std::vector<Vector3d> path;
    for (int i = 0; i <= kSegments; ++i) {
        const double x = -kHalfLength + 2 * kHalfLength * i / kSegments;
        path.emplace_back(x, y, cable_height(x));
    }
    add_tube(mesh, path, std::vector<double>(path.size(), 0.55), kSides);
    // Hangers, each with a clamp round the cable.
    for (double x = -kHalfLength + 2 * kHangerStep; x <= kHalfLength - 2 * kHangerStep; x += kHangerStep) {
        if (std::abs(std::abs(x) - kTowerAt) < 3.5) continue;
        const Vector3d top(x, y, cable_height(x));
        add_rod(mesh, top, {x, y, kDeck - 0.5}, 0.16, 14);
        const Vector3d slope =
            Vector3d(1, 0, (cable_height(x + 0.1) - cable_height(x - 0.1)) / 0.2).normalized();
        add_rod(mesh, top - 0.5 * slope, top + 0.5 * slope, 0.68, 16);
    }
}

// Road, cross-beams below it, lane lines of kerbs and railings along its sides.
void add_deck(SurfaceMesh& mesh) {
    const double side = kCableSide - 0.6;
    constexpr int kPanels = 64;
    for (int i = 0; i < kPanels; ++i) {
        const double x0 = -kHalfLength + 2 * kHalfLength * i / kPanels, x1 = x0 + 2 * kHalfLength / kPanels;
        add_box(mesh, {x0, -side, kDeck - 0.5}, {x1, side, kDeck});
        add_beam(mesh, {x0 + 2, -kCableSide, kDeck - 1.0}, {x0 + 2, kCableSide, kDeck - 1.0}, 0.5, 1.0);
    }
    for (const double y : {-side + 0.2, side - 0.2}) {
        for (const double z : {0.55, 1.1})
            add_beam(mesh, {-kHalfLength, y, kDeck + z}, {kHalfLength, y, kDeck + z}, 0.12, 0.12);
        for (double x = -kHalfLength + 0.5; x < kHalfLength; x += 1)
            add_beam(mesh, {x, y, kDeck - 0.1}, {x, y, kDeck + 1.15}, 0.1, 0.1, {1, 0, 0});
    }
}

// A Warren truss with posts under each edge of the road.
void add_stiffening_truss(SurfaceMesh& mesh, double y) {
    constexpr double kStep = 4, kTop = kDeck - 0.4, kBottom = kDeck - 3.4;
    for (const double z : {kTop, kBottom})
        add_beam(mesh, {-kHalfLength, y, z}, {kHalfLength, y, z}, 0.6, 0.6);
    int panel = 0;
    for (double x = -kHalfLength; x < kHalfLength; x += kStep, ++panel) {
        const double from = panel % 2 == 0 ? kBottom : kTop, to = panel % 2 == 0 ? kTop : kBottom;
        add_rod(mesh, {x, y, from}, {x + kStep, y, to}, 0.2, 12);
        add_rod(mesh, {x + kStep, y, kBottom}, {x + kStep, y, kTop}, 0.18, 12);
    }
}

// Two legs that step back as they rise, portals between them, and X bracing below the road.
void add_tower(SurfaceMesh& mesh, double x) {
    const double foot = kCableSide + 0.6;
    add_box(mesh, {x - 5.5, -foot - 4, 0}, {x + 5.5, foot + 4, 3.5});  // the pier
    for (const double y : {-kCableSide, kCableSide}) {
        double z = 3;
        const double tops[] = {kDeck + 2, 36, 48, kTowerTop};
        double width = 4.4;
        for (const double top : tops) {
            add_box(mesh, {x - width / 2, y - width / 2.6, z}, {x + width / 2, y + width / 2.6, top});
            // Flutes on the faces that look along the bridge.
            for (const double face : {-1.0, 1.0})
                for (const double rib : {-0.32, 0.0, 0.32})
                    add_beam(mesh, {x + face * width / 2, y + rib * width, z},
                             {x + face * width / 2, y + rib * width, top - 0.6}, 0.35, 0.35, {1, 0, 0});
            z = top;
            width -= 0.55;
        }
        add_box(mesh, {x - 1.9, y - 1.3, kTowerTop}, {x + 1.9, y + 1.3, kTowerTop + 1.2});
        add_rod(mesh, {x, y - 0.9, kSaddle}, {x, y + 0.9, kSaddle}, 1.4, 24);
    }
    for (const double z : {kDeck + 12, kDeck + 25, kTowerTop - 2.4}) {
        add_beam(mesh, {x, -kCableSide, z}, {x, kCableSide, z}, 2.6, 3.0);
        for (double y = -kCableSide + 2; y <= kCableSide - 2; y += 1.2)
            add_beam(mesh, {x - 1.4, y, z}, {x + 1.4, y, z}, 0.4, 2.2);
    }
    for (const auto& [low, high] : {std::pair(3.5, 14.0)})
        for (const double sign : {-1.0, 1.0})
            add_beam(mesh, {x, -sign * kCableSide, low}, {x, sign * kCableSide, high}, 0.9, 0.9);
    add_beam(mesh, {x, -kCableSide, kDeck - 2}, {x, kCableSide, kDeck - 2}, 2.4, 2.4);
}

void add_abutment(SurfaceMesh& mesh, double end) {
    const double inner = end * (kHalfLength - 8), outer = end * kHalfLength, side = kCableSide + 2;
    add_box(mesh, {std::min(inner, outer), -side, 0}, {std::max(inner, outer), side, kDeck - 3.2});
    for (const double y : {-kCableSide, kCableSide})
        add_box(mesh, {std::min(inner + end * 2, outer), y - 1.6, kDeck - 3.3},
                {std::max(inner + end * 2, outer), y + 1.6, kDeck + 2.2});
}

}  // namespace

build::SurfaceMesh bridge() {
    SurfaceMesh mesh;
    add_deck(mesh);
    for (const double y : {-kCableSide, kCableSide}) {
        add_cables(mesh, y);
        add_stiffening_truss(mesh, y);
    }
    for (const double x : {-kTowerAt, kTowerAt})
        add_tower(mesh, x);
    for (const double end : {-1.0, 1.0})
        add_abutment(mesh, end);
    return mesh;
}

}  // namespace limber::models
