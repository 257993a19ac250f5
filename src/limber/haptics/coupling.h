// SPDX-License-Identifier: Apache-2.0
// The virtual coupling: a spring and a damper between a haptic device and its proxy, and how stiff it may be
// without giving energy to the hand. Derivations, symbols and equation numbers: docs/math/haptics.md.
#pragma once
#include <limber/input_error.h>

#include <Eigen/Core>
#include <cstddef>
#include <optional>

namespace limber {

// F = k_c e + b_c ė, e from the proxy to the device; the hand feels −F. (1)
struct VirtualCoupling {
    double stiffness = 500;  // k_c, N/m
    double damping = 0;      // b_c, N s/m
};

// A loop whose answers come later is no haptic loop.
inline constexpr int kMostDelayPeriods = 15;

// What is known of the hardware.
struct DeviceHardware {
    double damping = 0;      // b: the least viscous damping of the device itself, N s/m
    double period = 0.001;   // T: from one reading to the next, s
    double delay = 0;        // τ: from a reading to the force that answers it, s; then it is held for T.
                             // At most kMostDelayPeriods periods
    double max_force = 1e9;  // N; what is beyond is cut to it, and reported
};

// Empty: they make sense. `where` is "stiffness", "damping", "device_damping", "period", "delay" or
// "max_force".
std::optional<InputError> coupling_problem(const VirtualCoupling& coupling);
std::optional<InputError> hardware_problem(const DeviceHardware& hardware);

// Which forces act between two readings: from `begins` (s after the first) on the one that answered the
// reading of `periods` before it, until then the one before that.
struct HeldForces {
    std::size_t periods = 0;
    double begins = 0;
};
HeldForces held_forces(double delay, double period);

// The damping b of a device that is passive for any hand while the proxy stands still, N s/m: (4)
//     b ≥ k_c (T + τ + ⌈τ/T⌉T)/2 + b_c,  which is k_c (T/2 + τ) + b_c for whole τ/T.
double damping_for_still_proxy(const VirtualCoupling& coupling, const DeviceHardware& hardware);
// The same for any hand and any passive world that the proxy touches, with κ = k_c T/2 and
// N = (1 + τ/T)(1 + ⌈τ/T⌉):  b ≥ κ + b_c + κ²(N − 1)/(κ + b_c). (8)
double damping_for_any_world(const VirtualCoupling& coupling, const DeviceHardware& hardware);
// The larger of both: what a claim of passivity needs.
double damping_to_be_passive(const VirtualCoupling& coupling, const DeviceHardware& hardware);

// The coupling scaled down until the device's damping is enough: (4) and (8) are proportional to (k_c, b_c).
// Without damping of the device nothing is passive, and the coupling is 0.
struct PassiveCoupling {
    VirtualCoupling coupling;
    double scale = 1;  // of both numbers; 1: as it was wanted
};
PassiveCoupling limit_to_passive(const VirtualCoupling& wanted, const DeviceHardware& hardware);

// One step of the proxy by itself, over h with the device going from x to x⁺:
//     A (v − v*) = contact impulses,  A = m_p + h b_c + h² k_c,
//     A v* = m_p v⁻ + h k_c (x⁺ − p) + b_c (x⁺ − x). (9)
// The proxy then goes to p + h v: backward Euler, stable for every stiffness, also for m_p = 0.
struct ProxyStep {
    double A = 0;                                             // kg
    Eigen::Vector3d velocity_free = Eigen::Vector3d::Zero();  // v*, m/s
};
struct ProxyMotion {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // p, m
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s
};
ProxyStep proxy_step(const VirtualCoupling& coupling, double proxy_mass, const ProxyMotion& proxy,
                     const Eigen::Vector3d& device_before, const Eigen::Vector3d& device_after, double dt);
// F = k_c (x⁺ − p⁺) + b_c ((x⁺ − x) − (p⁺ − p))/h: on the proxy, N. The hand feels −F. (2)
Eigen::Vector3d coupling_force(const VirtualCoupling& coupling, const Eigen::Vector3d& device_before,
                               const Eigen::Vector3d& device_after, const Eigen::Vector3d& proxy_before,
                               const Eigen::Vector3d& proxy_after, double dt);

}  // namespace limber
