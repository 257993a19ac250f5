// SPDX-License-Identifier: Apache-2.0
// Air that moves past bodies: a mean velocity, and gusts that are a smooth function of place, time and a
// seed. docs/math/domains.md, section 9.
#pragma once
#include <limber/result.h>

#include <Eigen/Core>
#include <array>
#include <optional>

namespace limber {

struct WindSettings {
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // mean, m/s, world axes
    double drag = 1;                                     // coefficient C of (26)
    double gusts = 0;  // standard deviation of each component over the mean speed
    int seed = 0;      // of the gusts
};
std::optional<InputError> wind_problem(const WindSettings& settings);

inline constexpr double kAirDensity = 1.2;    // kg/m³, at 20 °C by the sea
inline constexpr double kFastestWind = 1000;  // m/s
inline constexpr int kMostSeed = 1000000000;
inline constexpr double kMostWindDrag = 1000, kMostGusts = 100;  // of C, and of gusts

// Settings with the waves that its gusts are made of: frozen.
class Wind {
 public:
    explicit Wind(const WindSettings& settings);  // without a problem
    const WindSettings& settings() const { return settings_; }
    // Velocity of the air at a place in the world, m, `time` s after the gusts began.                  (27)
    Eigen::Vector3d at(double time, const Eigen::Vector3d& place) const;

 private:
    // |V| g a_k (sine sin θ + cosine cos θ), θ = rate · t − number · x.
    struct Wave {
        double rate = 0;                                                // rad/s
        Eigen::Vector3d number = Eigen::Vector3d::Zero();               // rad/m
        Eigen::Vector3d sine = Eigen::Vector3d::Zero(), cosine = sine;  // m/s
    };
    WindSettings settings_;
    std::array<Wave, 8> waves_{};
};

}  // namespace limber
