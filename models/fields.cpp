// SPDX-License-Identifier: Apache-2.0
#include "models/fields.h"

#include <algorithm>
#include <cmath>

namespace limber::models {

using Eigen::Vector3d;

double join(double a, double b, double blend) {
    const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
    return std::min(a, b) - h * h * blend / 4;
}

double field_of(const Chain& chain, const Vector3d& p, double blend) {
    double least = 1e9;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        const Vector3d side = chain[i + 1].at - chain[i].at;
        const double t = std::clamp((p - chain[i].at).dot(side) / side.squaredNorm(), 0.0, 1.0);
        const double radius = chain[i].radius + t * (chain[i + 1].radius - chain[i].radius);
        least = join(least, (p - chain[i].at - t * side).norm() - radius, blend);
    }
    return least;
}

double ellipsoid(const Vector3d& p, const Vector3d& centre, const Vector3d& radii) {
    const Vector3d d = p - centre;
    const double scaled = d.cwiseQuotient(radii).norm();
    const double slope = d.cwiseQuotient(radii.cwiseProduct(radii)).norm();
    return slope < 1e-9 ? -radii.minCoeff() : scaled * (scaled - 1) / slope;
}

Chain smooth(const Chain& rough, int steps) {
    Chain fine;
    for (std::size_t i = 0; i + 1 < rough.size(); ++i) {
        const Bead &b = rough[i], &c = rough[i + 1];
        const Bead &a = rough[i == 0 ? 0 : i - 1], &d = rough[std::min(i + 2, rough.size() - 1)];
        for (int s = 0; s < steps; ++s) {
            const double t = static_cast<double>(s) / steps, t2 = t * t, t3 = t2 * t;
            const auto blend = [&](const auto& pa, const auto& pb, const auto& pc, const auto& pd) {
                return 0.5 * (2 * pb + (pc - pa) * t + (2 * pa - 5 * pb + 4 * pc - pd) * t2 +
                              (3 * pb - pa - 3 * pc + pd) * t3);
            };
            fine.push_back(
                {Vector3d(blend(a.at, b.at, c.at, d.at)), blend(a.radius, b.radius, c.radius, d.radius)});
        }
    }
    fine.push_back(rough.back());
    return fine;
}

}  // namespace limber::models
