// SPDX-License-Identifier: Apache-2.0
// The impulse of one contact point as a function of its relative velocity at the end of the step.
// docs/math/contact.md, section 4; equation numbers are that page's.
#pragma once
#include <Eigen/Core>

namespace limber {

// An approach or a separation faster than this, m/s, keeps the energy of an elastic contact exactly; slower
// ones look half a step ahead, which loses energy, so that things come to rest.
inline constexpr double kRestSpeed = 0.1;

enum class NormalRegime { Fast, Slow };

// Of one point in one step.
struct NormalLaw {
    double dt = 0;              // h, s
    double stiffness = 0;       // k_i = k area, N/m
    double dissipation = 0;     // d, s/m
    double gap = 0;             // φ at the half-drifted pose, m; negative: overlap
    double start_velocity = 0;  // v_n⁻, m/s; positive: apart
    NormalRegime regime = NormalRegime::Slow;
};
inline NormalRegime regime_of(double start_velocity) {
    return start_velocity > kRestSpeed || start_velocity < -kRestSpeed ? NormalRegime::Fast
                                                                       : NormalRegime::Slow;
}

struct NormalImpulse {
    double impulse = 0;  // γ >= 0, N s
    double slope = 0;    // dγ/dv <= 0, so the potential is convex, kg
};
// At the velocity v_n⁺ = v, m/s.                                                           (41), (42)
NormalImpulse normal_impulse(const NormalLaw& law, double v);

// A spring in the tangent plane from where the contact stuck, cut at the radius γ_t = µγ.               (44)
struct FrictionLaw {
    double dt = 0;                                     // h, s
    double stiffness = 0;                              // k_t, N/m
    double radius = 0;                                 // γ_t, N s
    Eigen::Vector2d anchor = Eigen::Vector2d::Zero();  // s: from the anchor to the point, m
};

struct FrictionImpulse {
    double potential = 0;     // kg m²/s² · s/s: J
    Eigen::Vector2d impulse;  // minus its gradient, N s
    Eigen::Matrix2d hessian;  // symmetric, not negative, kg
};
// At the tangential velocity v, m/s.
FrictionImpulse friction_impulse(const FrictionLaw& law, const Eigen::Vector2d& v);
// s after the step: moved on with v, and no longer than what the radius holds.                        (45)
Eigen::Vector2d next_anchor(const FrictionLaw& law, const Eigen::Vector2d& v);

}  // namespace limber
