// SPDX-License-Identifier: Apache-2.0
// A space station about 30 m across, drifting: a hub, two arms of four truss segments, four solar panels on
// each, five modules and two dishes. Lengths in m; each part stands with its foot at the origin along z.
#include "models/parts.h"
#include "models/trees.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

namespace limber::models {
namespace {

using build::SurfaceMesh;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const build::Material kFrame{.young = 2e7, .poisson = 0.3, .density = 300};
const build::Material kSheet{.young = 2e7, .poisson = 0.3, .density = 150};

constexpr double kSegment = 3.0;  // of the arms

// A vessel with domed ends and rings, from z = 0.
SurfaceMesh vessel(double radius, double length) {
    SurfaceMesh mesh;
    const double neck = 0.55 * radius;
    add_tube(mesh,
             {{0, 0, 0},
              {0, 0, 0.3},
              {0, 0, 0.31},
              {0, 0, 0.6},
              {0, 0, length - 0.6},
              {0, 0, length - 0.31},
              {0, 0, length - 0.3},
              {0, 0, length}},
             {neck, neck, 0.8 * radius, radius, radius, 0.8 * radius, neck, neck}, 20);
    for (const double z : {0.35 * length, 0.65 * length})
        add_tube(mesh, {{0, 0, z - 0.1}, {0, 0, z + 0.1}}, {1.08 * radius, 1.08 * radius}, 20);
    return mesh;
}

SurfaceMesh hub() {
    SurfaceMesh mesh;
    add_tube(mesh, {{0, 0, -1.5}, {0, 0, -1.2}, {0, 0, 1.2}, {0, 0, 1.5}}, {0.7, 1.3, 1.3, 0.7}, 20);
    for (const Vector3d& axis : {Vector3d(1, 0, 0), Vector3d(0, 1, 0)})
        add_tube(mesh, {-1.7 * axis, 1.7 * axis}, {0.7, 0.7}, 16);
    return mesh;
}

SurfaceMesh truss() {
    SurfaceMesh mesh;
    constexpr double kHalf = 0.5, kWidth = 0.16;
    const Vector3d corners[4] = {
        {kHalf, kHalf, 0}, {-kHalf, kHalf, 0}, {-kHalf, -kHalf, 0}, {kHalf, -kHalf, 0}};
    for (int k = 0; k < 4; ++k) {
        const Vector3d &a = corners[k], &b = corners[(k + 1) % 4], up = Vector3d::UnitZ();
        add_beam(mesh, a, a + kSegment * up, kWidth, kWidth, Vector3d::UnitX());
        for (const double z : {0.08, 1.5, kSegment - 0.08})
            add_beam(mesh, a + z * up, b + z * up, kWidth, kWidth);
        add_beam(mesh, a + 0.08 * up, b + 1.5 * up, kWidth, kWidth);
        add_beam(mesh, b + 1.5 * up, a + (kSegment - 0.08) * up, kWidth, kWidth);
    }
    return mesh;
}

// A mast, a frame and cells with gaps between them.
SurfaceMesh panel() {
    SurfaceMesh mesh;
    constexpr double kLong = 5, kWide = 1.1, kThick = 0.09;
    add_box(mesh, {-0.09, -0.09, 0}, {0.09, 0.09, kLong});
    for (int k = 0; k < 4; ++k) {
        const double z = 0.6 + 1.1 * k;
        add_box(mesh, {-kWide / 2, -kThick / 2, z}, {kWide / 2, kThick / 2, z + 1.0});
    }
    return mesh;
}

SurfaceMesh dish() {
    SurfaceMesh mesh;
    add_rod(mesh, {0, 0, 0}, {0, 0, 0.9}, 0.11, 10);
    add_tube(mesh, {{0, 0, 0.75}, {0, 0, 0.9}, {0, 0, 1.25}, {0, 0, 1.4}}, {0.12, 0.45, 1.0, 1.15}, 20);
    add_rod(mesh, {0, 0, 1.3}, {0, 0, 2.0}, 0.1, 8);
    return mesh;
}

// Turned so that z lies along `along` and y along `side`.
Quaterniond turned(const Vector3d& along, const Vector3d& side) {
    Eigen::Matrix3d R;
    R << side.cross(along), side, along;
    return Quaterniond(R);
}

}  // namespace

SampleTree station() {
    SampleTree tree;
    enum Part { Hub, Truss, Panel, Habitat, Lab, Dish };
    tree.parts = {{"hub", hub(), 14, "", kFrame, 6, 16, {}},
                  {"truss", truss(), 19, "z < 0.1", kFrame, 6, 14, {"end: z > 2.9"}},
                  {"panel", panel(), 55, "z < 0.12", kSheet, 8, 20, {}},
                  {"habitat", vessel(1.2, 4.5), 18, "z < 0.2", kFrame, 6, 14, {"end: z > 4.3"}},
                  {"lab", vessel(0.95, 3.2), 16, "z < 0.2", kFrame, 6, 20, {}},
                  {"dish", dish(), 20, "z < 0.12", kSheet, 6, 16, {}}};
    tree.root = Hub;
    const auto add = [&](std::string name, Part part, int parent, std::string interface,
                         const Vector3d& position, const Quaterniond& rotation) {
        tree.instances.push_back(
            {std::move(name), part, parent, std::move(interface), position, rotation, 1});
        return int(tree.instances.size()) - 1;
    };
    const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
    const Quaterniond straight = Quaterniond::Identity();
    int panels = 0;
    for (const double side : {1.0, -1.0}) {
        int parent = -1;
        for (int k = 0; k < 4; ++k) {
            const std::string name = fmt::format("{}{}", side > 0 ? "port" : "starboard", k + 1);
            parent = k == 0 ? add(name, Truss, -1, "", 1.65 * side * x, turned(side * x, y))
                            : add(name, Truss, parent, "end", kSegment * z, straight);
            for (const double up : {1.0, -1.0})
                for (const double at : {0.75, 2.25})
                    add(fmt::format("panel{}", ++panels), Panel, parent, "", {0, 0.5 * up, at},
                        turned(up * y, up * x));
        }
    }
    const int first = add("habitat1", Habitat, -1, "", 1.45 * z, straight);
    const int second = add("habitat2", Habitat, first, "end", 4.5 * z, straight);
    const int below = add("lab1", Lab, -1, "", -1.45 * z, turned(-z, y));
    add("lab2", Lab, -1, "", 1.65 * y, turned(y, z));
    add("lab3", Lab, -1, "", -1.65 * y, turned(-y, z));
    add("dish1", Dish, second, "end", 4.45 * z, straight);
    add("dish2", Dish, below, "", 3.15 * z, straight);
    return tree;
}

}  // namespace limber::models
