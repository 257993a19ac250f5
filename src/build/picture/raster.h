// SPDX-License-Identifier: Apache-2.0
// Which samples of a grid lie in a triangle.
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace limber::build {

// Samples [x0, x1) x [y0, y1); sample (x, y) stands at (x + 1/2, y + 1/2).
struct SampleWindow {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// Calls visit(x, y, wa, wb, wc) for every sample of the window in the triangle a b c, rows first. The weights
// are barycentric and sum to one. Samples on a shared edge are visited for both triangles, so there are
// no cracks; the depth test decides. Triangles without area visit nothing.
template <class Visit>
void rasterize(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c,
               const SampleWindow& window, Visit&& visit) {
    const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    if (!(std::abs(area) > 1e-12)) return;

    const Eigen::Vector2d low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    const auto first = [](double edge, int least, int most) {
        return static_cast<int>(std::clamp<double>(std::ceil(edge - 0.5), least, most));
    };
    const auto end = [](double edge, int least, int most) {
        return static_cast<int>(std::clamp<double>(std::floor(edge - 0.5) + 1, least, most));
    };
    const int x0 = first(low.x(), window.x0, window.x1), x1 = end(high.x(), window.x0, window.x1);
    const int y0 = first(low.y(), window.y0, window.y1), y1 = end(high.y(), window.y0, window.y1);

    // wa and wb are affine in x and y, relative to corner c; wc is what is left of one.
    const double wa_x = (b.y() - c.y()) / area, wa_y = (c.x() - b.x()) / area;
    const double wb_x = (c.y() - a.y()) / area, wb_y = (a.x() - c.x()) / area;
    constexpr double kRounding = -1e-9;
    for (int y = y0; y < y1; ++y) {
        const double dy = y + 0.5 - c.y();
        for (int x = x0; x < x1; ++x) {
            const double dx = x + 0.5 - c.x();
            const double wa = wa_x * dx + wa_y * dy;
            const double wb = wb_x * dx + wb_y * dy;
            const double wc = 1 - wa - wb;
            if (wa >= kRounding && wb >= kRounding && wc >= kRounding) visit(x, y, wa, wb, wc);
        }
    }
}

}  // namespace limber::build
