// SPDX-License-Identifier: Apache-2.0
#include "build/fem/brick_gauss.h"

#include <cassert>
#include <cmath>

namespace limber::build {

std::vector<GaussPoint> brick_gauss_points(int per_direction) {
    assert(per_direction == 2 || per_direction == 3);
    struct OnLine {
        double x, weight;  // in [-1, 1]
    };
    const std::vector<OnLine> line =
        per_direction == 2
            ? std::vector<OnLine>{{-std::sqrt(1.0 / 3), 1}, {std::sqrt(1.0 / 3), 1}}
            : std::vector<OnLine>{{-std::sqrt(0.6), 5.0 / 9}, {0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}};
    std::vector<GaussPoint> points;
    for (const OnLine& z : line)
        for (const OnLine& y : line)
            for (const OnLine& x : line)
                points.push_back(
                    {{(1 + x.x) / 2, (1 + y.x) / 2, (1 + z.x) / 2}, x.weight * y.weight * z.weight / 8});
    return points;
}

}  // namespace limber::build
