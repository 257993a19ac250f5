// SPDX-License-Identifier: Apache-2.0
#include "limber/contact/detect.h"

#include "limber/contact/detect_data.h"

#include <algorithm>
#include <tuple>

namespace limber {
namespace {

using Eigen::Vector3d;

// The world's box about a surface in the step.
Eigen::AlignedBox3d box_of(const MovedSurface& moved, double room) {
    const NodeBox root = moved.box(0);
    const Vector3d center = moved.to_world(root.center);
    const Vector3d half = moved.rotation().cwiseAbs() * root.half + Vector3d::Constant(room);
    return {center - half, center + half};
}

// Two surfaces of one body: never where the one hangs on the other, or both on a third.
bool may_touch(const SurfaceMoment& a, const SurfaceMoment& b, SelfContact self) {
    if (a.id != b.id || a.parent == kOnlySurface) return true;
    return self == SelfContact::On && a.parent != b.parent &&
           a.parent != static_cast<std::int32_t>(b.domain) && b.parent != static_cast<std::int32_t>(a.domain);
}

bool is_finite(const Pose& pose) {
    return pose.position.allFinite() && pose.orientation.coeffs().allFinite();
}

auto order_of(const ContactPoint& c) {
    return std::make_tuple(c.body_a, c.body_b, c.obstacle, c.key, c.gap);
}

// Numbers that lie side by side come far apart: of a face that lies flat, all parts are kept alike.
std::uint64_t scattered(std::uint64_t key) {
    key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
}

}  // namespace

// Those of equal width in a scattered order.
void ContactList::keep_narrowest() {
    if (points->size() <= most) return;
    left_out += points->size() - most;
    std::nth_element(points->begin(), points->begin() + static_cast<std::ptrdiff_t>(most), points->end(),
                     [](const ContactPoint& a, const ContactPoint& b) {
                         if (a.gap != b.gap) return a.gap < b.gap;
                         const std::uint64_t x = scattered(a.key), y = scattered(b.key);
                         return x != y ? x < y : order_of(a) < order_of(b);
                     });
    points->resize(most);
}

DetectWork::DetectWork() : data_(std::make_unique<Data>()) {}
DetectWork::~DetectWork() = default;
DetectWork::DetectWork(DetectWork&&) noexcept = default;
DetectWork& DetectWork::operator=(DetectWork&&) noexcept = default;

DetectReport detect(std::span<const SurfaceMoment> surfaces, std::span<const ObstacleMoment> obstacles,
                    const DetectOptions& options, DetectWork& scratch, std::vector<ContactPoint>& out) {
    DetectWork::Data& work = scratch.data();
    DetectReport report;
    out.clear();
    const std::size_t count = surfaces.size();
    if (work.surfaces.size() < count) work.surfaces.resize(count);
    work.sound.assign(count, 0);
    work.boxes.resize(count);
    work.by_x.clear();
    work.memory.prepare(options.before, count);
    work.nodes = work.cut_short = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const SurfaceMoment& moment = surfaces[i];
        if (!fits(moment.now, *moment.surface) || !fits(moment.start, *moment.surface)) {
            ++report.refused;
            continue;
        }
        work.sound[i] = 1;
        work.surfaces[i].prepare(*moment.surface, moment.now, moment.start);
        work.vertices.reserve(moment.surface->rest.size());
        // Of a tree only a few domains touch.
        if (moment.parent == kOnlySurface) work.surfaces[i].reserve();
        const double drift = work.surfaces[i].drift();
        work.boxes[i] = box_of(work.surfaces[i], options.margin + moment.extra_drift + 2 * drift +
                                                     work.memory.deepest(static_cast<std::int32_t>(i)));
        work.by_x.push_back(static_cast<std::int32_t>(i));
    }
    ContactList list{&out, options.most_contacts};

    for (std::size_t o = 0; o < obstacles.size(); ++o) {
        const ObstacleMoment& obstacle = obstacles[o];
        if (!is_finite(obstacle.now) || !is_finite(obstacle.start)) {
            ++report.refused;
            continue;
        }
        for (const std::int32_t i : work.by_x) {
            const SurfaceMoment& moment = surfaces[static_cast<std::size_t>(i)];
            if ((moment.layers & obstacle.layers) == 0 || (!moment.awake && !obstacle.awake)) continue;
            const std::size_t before = work.nodes;
            find_obstacle_contacts(i, moment, static_cast<std::int32_t>(o), obstacle, options, work, list);
            report.pairs += work.nodes > before + 1;
        }
    }

    work.triangle_pairs_left = kPairsOfAStep * options.most_triangle_pairs;
    work.most_nodes = work.nodes + kNodesPerTrianglePair * work.triangle_pairs_left;
    // Bodies whose boxes overlap, sorted along x.
    std::sort(work.by_x.begin(), work.by_x.end(), [&](std::int32_t a, std::int32_t b) {
        const double x = work.boxes[static_cast<std::size_t>(a)].min().x(),
                     y = work.boxes[static_cast<std::size_t>(b)].min().x();
        return x < y || (x == y && a < b);
    });
    for (std::size_t i = 0; i < work.by_x.size(); ++i) {
        const auto a = static_cast<std::size_t>(work.by_x[i]);
        if (options.self == SelfContact::On && surfaces[a].awake)
            find_own_contacts(work.by_x[i], surfaces[a], options, work, list);
        for (std::size_t j = i + 1; j < work.by_x.size(); ++j) {
            const auto b = static_cast<std::size_t>(work.by_x[j]);
            if (work.boxes[b].min().x() > work.boxes[a].max().x()) break;
            if (!may_touch(surfaces[a], surfaces[b], options.self) ||
                !work.boxes[a].intersects(work.boxes[b]))
                continue;
            if ((surfaces[a].layers & surfaces[b].layers) == 0 || (!surfaces[a].awake && !surfaces[b].awake))
                continue;
            ++report.pairs;
            find_body_contacts(work.by_x[i], surfaces[a], work.by_x[j], surfaces[b], options, work, list);
        }
    }
    list.keep_narrowest();
    report.left_out = list.left_out;
    std::sort(out.begin(), out.end(),
              [](const ContactPoint& a, const ContactPoint& b) { return order_of(a) < order_of(b); });
    report.contacts = out.size();
    report.nodes = work.nodes;
    report.cut_short = work.cut_short;
    return report;
}

}  // namespace limber
