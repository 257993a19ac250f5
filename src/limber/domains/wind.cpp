// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/wind.h"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace limber {

using Eigen::Vector3d;

namespace {

constexpr double kSlowestGust = 0.1;       // Hz
constexpr double kGustRatio = 1.8;         // of one wave's frequency to that of the next: up to 6 Hz
constexpr double kGustExponent = 1.0 / 3;  // amplitude ~ f^(−1/3): the spectrum of the inertial range

// splitmix64 by Steele, Lea and Flood, which is the same everywhere; numbers in [0, 1).
class Numbers {
 public:
    explicit Numbers(int seed) : state_(std::uint64_t(seed)) {}
    double next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }

 private:
    std::uint64_t state_;
};

}  // namespace

std::optional<InputError> wind_problem(const WindSettings& settings) {
    if (!(settings.velocity.norm() <= kFastestWind))
        return InputError{"wind: velocity",
                          "it is not finite, or faster than " + number(kFastestWind) + " m/s", "3 0 0"};
    if (!(settings.drag >= 0 && settings.drag <= kMostWindDrag))
        return InputError{
            "wind: drag",
            "it is " + number(settings.drag) + "; it must be from 0 to " + number(kMostWindDrag), "1"};
    if (!(settings.gusts >= 0 && settings.gusts <= kMostGusts))
        return InputError{"wind: gusts",
                          "it is " + number(settings.gusts) + "; it must be from 0 to " + number(kMostGusts),
                          "0.3"};
    if (settings.seed < 0 || settings.seed > kMostSeed)
        return InputError{"wind: seed",
                          "it is " + std::to_string(settings.seed) + "; it must be from 0 to 1e9", "1"};
    return std::nullopt;
}

Wind::Wind(const WindSettings& settings) : settings_(settings) {
    const double speed = settings.velocity.norm();
    if (speed == 0 || settings.gusts == 0) return;
    const Vector3d along = settings.velocity / speed;
    const Vector3d across = along.unitOrthogonal(), up = along.cross(across);
    Numbers random(settings.seed);
    const double turn = 2 * std::numbers::pi;
    double square = 0, frequency = kSlowestGust;
    for (Wave& wave : waves_) {
        const double f = frequency * (0.8 + 0.4 * random.next());
        const double amplitude = std::pow(f, -kGustExponent);
        square += 0.5 * amplitude * amplitude;
        wave.rate = turn * f;
        // The mean wind carries the gusts along; they are about as wide as they are long.
        const double a = 2 * random.next() - 1, b = 2 * random.next() - 1;
        wave.number = wave.rate / speed * (along + a * across + b * up);
        for (int k = 0; k < 3; ++k) {
            const double phase = turn * random.next();
            wave.sine[k] = amplitude * std::cos(phase);
            wave.cosine[k] = amplitude * std::sin(phase);
        }
        frequency *= kGustRatio;
    }
    const double scale = settings.gusts * speed / std::sqrt(square);
    for (Wave& wave : waves_) {
        wave.sine *= scale;
        wave.cosine *= scale;
    }
}

Vector3d Wind::at(double time, const Vector3d& place) const {
    Vector3d out = settings_.velocity;
    for (const Wave& wave : waves_) {
        if (wave.rate == 0) break;
        const double angle = wave.rate * time - wave.number.dot(place);
        out += std::sin(angle) * wave.sine + std::cos(angle) * wave.cosine;
    }
    return out;
}

}  // namespace limber
