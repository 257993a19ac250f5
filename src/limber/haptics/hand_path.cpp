// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/hand_path.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace limber {

std::optional<InputError> hand_path_problem(const HandPath& path) {
    if (path.empty()) return InputError{"path", "it has no positions", "one { time, position } at least"};
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::string where = "path[" + std::to_string(i) + "]";
        if (!std::isfinite(path[i].time)) return InputError{where, "its time is not finite", ""};
        if (!path[i].position.allFinite()) return InputError{where, "its position is not finite", ""};
        if (i > 0 && !(path[i].time > path[i - 1].time))
            return InputError{
                where,
                "its time, " + number(path[i].time) + " s, is not after " + number(path[i - 1].time) + " s",
                "times that ascend"};
    }
    return std::nullopt;
}

Eigen::Vector3d position_at(const HandPath& path, double time) {
    if (!(time > path.front().time)) return path.front().position;
    if (time >= path.back().time) return path.back().position;
    const auto after = std::upper_bound(path.begin(), path.end(), time,
                                        [](double t, const HandKey& key) { return t < key.time; });
    const HandKey &a = *(after - 1), &b = *after;
    return a.position + (time - a.time) / (b.time - a.time) * (b.position - a.position);
}

}  // namespace limber
