// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/shape_gap.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

// A least value of a convex function on [0, 1], from values and slopes: where the tangents at the ends of the
// bracket meet, the function is no lower, so the search ends when the best value is there.
struct LeastOnSegment {
    double at = 0, value = 0;
};
LeastOnSegment least_on_segment(const Shape& shape, const Vector3d& from, const Vector3d& to) {
    const Vector3d along = to - from;
    const double length = along.norm();
    struct Sample {
        double at, value, slope;
    };
    const auto sample = [&](double t) {
        const SignedDistance d = signed_distance(shape, from + t * along);
        return Sample{t, d.distance, d.gradient.dot(along)};
    };
    Sample low = sample(0);
    if (!(low.slope < 0)) return {low.at, low.value};
    Sample high = sample(1);
    if (!(high.slope > 0)) return {high.at, high.value};
    constexpr int kMostSamples = 30;
    const double enough = 1e-10 * length;
    Sample best = low.value < high.value ? low : high;
    for (int i = 0; i < kMostSamples; ++i) {
        double t =
            (low.value - high.value + high.slope * high.at - low.slope * low.at) / (high.slope - low.slope);
        const double bound = low.value + low.slope * (t - low.at);
        if (best.value - bound <= enough) break;
        // Every third time the middle: tangents may creep along a function that is not convex.
        if (i % 3 == 2 || !(t > low.at && t < high.at)) t = (low.at + high.at) / 2;
        const Sample next = sample(t);
        if (next.value < best.value) best = next;
        if (next.slope == 0) break;
        (next.slope < 0 ? low : high) = next;
    }
    return {best.at, best.value};
}

}  // namespace

std::optional<double> first_hit(const Shape& shape, const Vector3d& from, const Vector3d& direction,
                                double length) {
    // Steps of the distance never pass the surface. A field's slope is at most √3.
    const double share = std::holds_alternative<MeshShape>(shape) ? 0.577 : 1.0;
    const double touching = 1e-9 * length + 1e-12;
    constexpr int kMostSteps = 200;
    double t = 0;
    for (int i = 0; i < kMostSteps && t <= length; ++i) {
        const double d = signed_distance(shape, from + t * direction).distance;
        if (d <= touching) return t;
        t += std::max(share * d, touching);
    }
    return std::nullopt;
}

Gap gap_of_point(const Shape& shape, const Vector3d& now, const Vector3d& start, const Vector3d* remembered) {
    const SignedDistance here = signed_distance(shape, now);
    return gap_on_side(shape, {here.distance, here.gradient}, now, start, remembered);
}

Gap gap_on_side(const Shape& shape, const Gap& plain, const Vector3d& now, const Vector3d& start,
                const Vector3d* remembered) {
    if (std::holds_alternative<PlaneShape>(shape)) return plain;
    const auto beyond = [&](const Vector3d& hit) -> Gap {  // (21)
        const Vector3d normal = signed_distance(shape, hit).gradient;
        return {normal.dot(now - hit), normal};
    };
    // On another side than before: behind the shape, seen from where it came?                         (23)
    const auto from_side = [&](const Vector3d& side) -> Gap {
        const Eigen::AlignedBox3d box = bounds(shape);
        const double far = (now - box.center()).norm() + 2 * box.diagonal().norm();
        const auto hit = first_hit(shape, now + far * side, -side, far);
        return hit ? beyond(now + (far - *hit) * side) : plain;
    };
    if (remembered) return remembered->dot(plain.normal) < 0 ? from_side(*remembered) : plain;
    const Vector3d path = 2 * (now - start);
    const double length = path.norm();
    if (!(length > thickness(shape) / 8)) return plain;
    const SignedDistance before = signed_distance(shape, start);
    if (before.distance <= 0)
        return before.gradient.dot(plain.normal) < 0 ? from_side(before.gradient) : plain;
    const auto hit = first_hit(shape, start, path / length, length);
    return hit ? beyond(start + *hit / length * path) : plain;  // (22)
}

FaceGap gap_of_deepest(const Shape& shape, const Vector3d& x, const Vector3d& normal, double size) {
    // Beyond the kink from where the search for the deepest point ended.
    const double step = 1e-4 * size;
    const SignedDistance here = signed_distance(shape, x);
    Vector3d slope = here.gradient;
    for (int kink = 0; kink < 2; ++kink) {  // an edge has one, a corner two
        Vector3d along = slope - slope.dot(normal) * normal;
        const double steep = along.norm();
        if (steep < 1e-6) break;
        along /= steep;
        const Vector3d other = signed_distance(shape, x - step * along).gradient;
        const double back = -other.dot(along);
        if (!(back > 0)) break;  // no kink: the triangle's edge ends the slope
        slope = (back * slope + steep * other) / (steep + back);
    }
    const double sharpness = slope.norm();
    if (!(sharpness > 1e-3)) return {{here.distance, here.gradient}, 0};
    return {{here.distance, slope / sharpness}, sharpness};
}

// Ericson 2005, section 5.1.5.
Vector3d nearest_weights(const std::array<Vector3d, 3>& corners, const Vector3d& x) {
    const Vector3d &a = corners[0], &b = corners[1], &c = corners[2];
    const Vector3d ab = b - a, ac = c - a, ax = x - a, bx = x - b, cx = x - c;
    const double d1 = ab.dot(ax), d2 = ac.dot(ax);
    if (d1 <= 0 && d2 <= 0) return Vector3d::UnitX();
    const double d3 = ab.dot(bx), d4 = ac.dot(bx);
    if (d3 >= 0 && d4 <= d3) return Vector3d::UnitY();
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double t = d1 > d3 ? d1 / (d1 - d3) : 0;
        return {1 - t, t, 0};
    }
    const double d5 = ab.dot(cx), d6 = ac.dot(cx);
    if (d6 >= 0 && d5 <= d6) return Vector3d::UnitZ();
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double t = d2 > d6 ? d2 / (d2 - d6) : 0;
        return {1 - t, 0, t};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        const double t = (d4 - d3) + (d5 - d6) > 0 ? (d4 - d3) / ((d4 - d3) + (d5 - d6)) : 0;
        return {0, 1 - t, t};
    }
    const double sum = va + vb + vc;
    if (!(sum > 0)) return Vector3d::UnitX();
    return Vector3d(va, vb, vc) / sum;
}

DeepestPoint deepest_point(const Shape& shape, const std::array<Vector3d, 3>& corners) {
    if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
        const Vector3d w = nearest_weights(corners, Vector3d::Zero());
        return {w, (w[0] * corners[0] + w[1] * corners[1] + w[2] * corners[2]).norm() - sphere->radius};
    }
    // Golden section over lines parallel to the first edge; on each the least value.
    constexpr double kGolden = 0.6180339887498949;
    constexpr int kSections = 32;  // 2e-7 of the height is left
    const auto on_line = [&](double s) {
        return least_on_segment(shape, corners[0] + s * (corners[2] - corners[0]),
                                corners[1] + s * (corners[2] - corners[1]));
    };
    double low = 0, high = 1, s1 = 1 - kGolden, s2 = kGolden;
    LeastOnSegment one = on_line(s1), two = on_line(s2);
    LeastOnSegment best = on_line(0);
    double best_s = 0;
    const auto consider = [&](double s, const LeastOnSegment& found) {
        if (found.value < best.value) {
            best = found;
            best_s = s;
        }
    };
    consider(1, {0, signed_distance(shape, corners[2]).distance});
    consider(s1, one);
    consider(s2, two);
    for (int i = 0; i < kSections; ++i) {
        if (one.value <= two.value) {
            high = s2;
            s2 = s1;
            two = one;
            s1 = high - kGolden * (high - low);
            one = on_line(s1);
            consider(s1, one);
        } else {
            low = s1;
            s1 = s2;
            one = two;
            s2 = low + kGolden * (high - low);
            two = on_line(s2);
            consider(s2, two);
        }
    }
    return {{(1 - best_s) * (1 - best.at), (1 - best_s) * best.at, best_s}, best.value};
}

}  // namespace limber
