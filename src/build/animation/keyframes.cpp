// SPDX-License-Identifier: Apache-2.0
#include "build/animation/keyframes.h"

#include <algorithm>
#include <utility>

namespace limber::build {
namespace {

template <int N>
using Values = Eigen::Matrix<double, N, 1>;

// The two keys around a time, and how far it is from the first to the second, 0 to 1.
struct Between {
    std::size_t first, second;
    double share;
    double seconds;  // from key to key
};

Between find(const std::vector<double>& times, double time) {
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    if (after == times.begin()) return {0, 0, 0, 0};
    const auto second = static_cast<std::size_t>(after - times.begin());
    if (after == times.end()) return {second - 1, second - 1, 0, 0};
    const double seconds = *after - times[second - 1];
    return {second - 1, second, (time - times[second - 1]) / seconds, seconds};
}

template <int N>
Values<N> stored(const Keyframes& keys, std::size_t place) {
    return Eigen::Map<const Values<N>>(keys.values->data() + N * place);
}

// glTF 2.0, appendix C.4.
template <int N>
Values<N> on_spline(const Keyframes& keys, const Between& at) {
    const double t = at.share, t2 = t * t, t3 = t2 * t;
    const Values<N> value = stored<N>(keys, 3 * at.first + 1), slope = stored<N>(keys, 3 * at.first + 2);
    const Values<N> next_slope = stored<N>(keys, 3 * at.second), next = stored<N>(keys, 3 * at.second + 1);
    return (2 * t3 - 3 * t2 + 1) * value + at.seconds * (t3 - 2 * t2 + t) * slope + (3 * t2 - 2 * t3) * next +
           at.seconds * (t3 - t2) * next_slope;
}

}  // namespace

Eigen::Vector3d vector_at(const Keyframes& keys, double time) {
    const Between at = find(*keys.times, time);
    if (keys.interpolation == Interpolation::CubicSpline) return on_spline<3>(keys, at);
    const Eigen::Vector3d value = stored<3>(keys, at.first);
    if (keys.interpolation == Interpolation::Step) return value;
    return value + at.share * (stored<3>(keys, at.second) - value);
}

Eigen::Quaterniond rotation_at(const Keyframes& keys, double time) {
    const Between at = find(*keys.times, time);
    if (keys.interpolation == Interpolation::CubicSpline)
        return Eigen::Quaterniond(on_spline<4>(keys, at)).normalized();
    const Eigen::Quaterniond value(stored<4>(keys, at.first));
    if (keys.interpolation == Interpolation::Step) return value.normalized();
    return value.normalized().slerp(at.share, Eigen::Quaterniond(stored<4>(keys, at.second)).normalized());
}

Keyframes smooth_keyframes(std::vector<double> times, std::vector<double> values, int width) {
    const std::size_t count = times.size();
    const auto n = static_cast<std::size_t>(width);
    const auto row = [&](std::size_t key) {
        return Eigen::Map<Eigen::VectorXd>(values.data() + n * key, width);
    };
    if (width == 4)
        for (std::size_t key = 1; key < count; ++key)
            if (row(key).dot(row(key - 1)) < 0) row(key) *= -1;
    std::vector<double> spline;
    for (std::size_t key = 0; key < count; ++key) {
        Eigen::VectorXd slope = Eigen::VectorXd::Zero(width);
        if (key > 0 && key + 1 < count)
            slope = (row(key + 1) - row(key - 1)) / (times[key + 1] - times[key - 1]);
        for (const Eigen::VectorXd& part : {slope, Eigen::VectorXd(row(key)), slope})
            spline.insert(spline.end(), part.begin(), part.end());
    }
    return {Interpolation::CubicSpline, std::make_shared<const std::vector<double>>(std::move(times)),
            std::make_shared<const std::vector<double>>(std::move(spline))};
}

}  // namespace limber::build
