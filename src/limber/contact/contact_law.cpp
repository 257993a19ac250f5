// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_law.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

struct Slope {
    double value = 0, slope = 0;
};

// The mean of (−φ)₊ on the straight line from φ₀ to φ₁, [W(φ₀) − W(φ₁)]/(φ₁ − φ₀) with W(φ) = ½(−φ)₊², and
// its slope in φ₁.
Slope mean_depth(double start, double end) {
    if (start <= 0 && end <= 0) return {-0.5 * (start + end), -0.5};
    if (start >= 0 && end >= 0) return {};
    const double distance = end - start;
    if (start < 0) {  // it leaves
        const double mean = 0.5 * start * start / distance;
        return {mean, -mean / distance};
    }
    const double mean = -0.5 * end * end / distance;  // it enters
    return {mean, -end / distance - mean / distance};
}

}  // namespace

NormalImpulse normal_impulse(const NormalLaw& law, double v) {
    const double h = law.dt;
    Slope depth;   // m, slope in v
    Slope factor;  // of the dissipation
    if (law.regime == NormalRegime::Fast) {
        depth = mean_depth(law.gap - 0.5 * h * law.start_velocity, law.gap + 0.5 * h * v);
        depth.slope *= 0.5 * h;
        factor = {1 - 0.5 * law.dissipation * (law.start_velocity + v), -0.5 * law.dissipation};
    } else {
        depth = {-law.gap - h * v, -h};
        factor = {1 - law.dissipation * v, -law.dissipation};
    }
    if (!(depth.value > 0) || !(factor.value > 0)) return {};
    const double scale = h * law.stiffness;
    return {scale * depth.value * factor.value,
            scale * (depth.slope * factor.value + depth.value * factor.slope)};
}

FrictionImpulse friction_impulse(const FrictionLaw& law, const Eigen::Vector2d& v) {
    const double h = law.dt, a = h * h * law.stiffness;
    const Eigen::Vector2d y = h * law.stiffness * (law.anchor + h * v);
    const double size = y.norm();
    if (size <= law.radius)  // it sticks
        return {0.5 * size * size / a, -y, a * Eigen::Matrix2d::Identity()};
    const Eigen::Vector2d along = y / size;
    const double beyond = size - law.radius;
    return {0.5 * (size * size - beyond * beyond) / a, -law.radius * along,
            a * law.radius / size * (Eigen::Matrix2d::Identity() - along * along.transpose())};
}

Eigen::Vector2d next_anchor(const FrictionLaw& law, const Eigen::Vector2d& v) {
    const Eigen::Vector2d s = law.anchor + law.dt * v;
    const double size = s.norm(), most = law.radius / (law.dt * law.stiffness);
    return size > most ? Eigen::Vector2d(most / size * s) : s;
}

}  // namespace limber
