// SPDX-License-Identifier: Apache-2.0
#include "tests/soak/pile.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace limber::soak {
namespace {

using Eigen::Vector3d;

constexpr double kRoom = 0.14;   // m: from body to body, more than the longest of them
constexpr double kThick = 0.05;  // m, of the walls

void add_walls(World& world, double side) {
    const auto add = [&](const char* name, const Vector3d& size, const Vector3d& place) {
        ObstacleDef def;
        def.name = name;
        def.shape = BoxShape{size};
        def.pose.position = place;
        world.add(def).value();
    };
    const double out = side / 2 + kThick / 2, tall = 2 * side;
    add("floor", {side + 2 * kThick, side + 2 * kThick, kThick}, {0, 0, -kThick / 2});
    add("left", {kThick, side, tall}, {-out, 0, tall / 2});
    add("right", {kThick, side, tall}, {out, 0, tall / 2});
    add("front", {side + 2 * kThick, kThick, tall}, {0, -out, tall / 2});
    add("back", {side + 2 * kThick, kThick, tall}, {0, out, tall / 2});
}

}  // namespace

bool Pile::step(double dt) {
    const WorldReport& report = world.step(dt);
    deepest = std::max(deepest, report.contact.depth);
    return report.not_converged == 0 && report.contact.not_converged == 0;
}

Pile pour(const std::vector<SmallBody>& kinds, int count, const ParallelFor& parallel_for) {
    Pile pile{World(
        {.gravity = {0, 0, -9.81}, .contact = ContactSettings{}, .wind = {}, .parallel_for = parallel_for})};
    const int across = std::max(1, static_cast<int>(std::lround(std::cbrt(count / 1.6))));
    pile.side = kRoom * across;
    add_walls(pile.world, pile.side);
    std::mt19937 engine(7);
    std::normal_distribution<double> normal;
    for (int i = 0; i < count; ++i) {
        const int layer = i / (across * across), x = i % across, y = i / across % across;
        Pose pose;
        pose.position = {kRoom * (x + 0.5) - pile.side / 2, kRoom * (y + 0.5) - pile.side / 2,
                         kRoom * (layer + 0.5)};
        pose.orientation =
            Eigen::Quaterniond(normal(engine), normal(engine), normal(engine), normal(engine)).normalized();
        pile.world.add(free_body(kinds[static_cast<std::size_t>(i) % kinds.size()], pose)).value();
    }
    return pile;
}

std::string problem_of(const Pile& pile) {
    const double outside = 0.5 * pile.side * 1.02;
    for (const WorldBody& body : pile.world.bodies()) {
        const Eigen::AlignedBox3d box = bounds_of(body);
        if (!box.min().allFinite() || !box.max().allFinite()) return body.name() + " is not finite";
        if (box.min().z() < -0.01 * pile.side || box.min().head<2>().minCoeff() < -outside ||
            box.max().head<2>().maxCoeff() > outside)
            return body.name() + " is outside the box";
    }
    return {};
}

}  // namespace limber::soak
