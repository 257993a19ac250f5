// SPDX-License-Identifier: Apache-2.0
// The total energy along a line. St.Venant-Kirchhoff energy is a quartic in the displacement, so three forces
// and one curvature give it exactly: no search is needed. docs/math/statics.md, equations (3) to (5).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

namespace limber::build {

// slope(s) = dPi(u + s d)/ds = c0 + c1 s + c2 s^2 + c3 s^3.
class LineEnergy {
 public:
    // slope(0), slope'(0) = dᵀK d, slope(1/2) and slope(1).
    LineEnergy(double at_0, double curvature_at_0, double at_half, double at_1) {
        const double one = at_1 - at_0 - curvature_at_0, half = at_half - at_0 - curvature_at_0 / 2;
        c_ = {at_0, curvature_at_0, 8 * half - one, 2 * one - 8 * half};
    }
    double slope(double s) const { return c_[0] + s * (c_[1] + s * (c_[2] + s * c_[3])); }
    // Pi(u + s d) - Pi(u), free of cancellation.
    double change(double s) const { return s * (c_[0] + s * (c_[1] / 2 + s * (c_[2] / 3 + s * c_[3] / 4))); }

    // The first minimum downhill from s = 0, at most `limit`; slope(0) < 0.
    double first_minimum(double limit) const {
        // Between the ends and the turning points of the slope it is monotonic.
        std::array<double, 3> ends{limit, limit, limit};
        const double a = 3 * c_[3], b = 2 * c_[2], discriminant = b * b - 4 * a * c_[1];
        if (discriminant > 0) {
            const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
            if (a != 0 && q / a > 0) ends[0] = std::min(limit, q / a);
            if (q != 0 && c_[1] / q > 0) ends[1] = std::min(limit, c_[1] / q);
        }
        std::sort(ends.begin(), ends.end());
        double low = 0;
        for (const double end : ends) {
            if (slope(end) > 0) {
                double high = end;
                for (int i = 0; i < 60; ++i) {
                    const double middle = 0.5 * (low + high);
                    (slope(middle) > 0 ? high : low) = middle;
                }
                return 0.5 * (low + high);
            }
            low = end;
        }
        return limit;
    }

 private:
    std::array<double, 4> c_;
};

}  // namespace limber::build
