// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/coupling.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Beyond these no device, hand or loop is meant, and squares of them stay finite.
constexpr double kMostCouplingStiffness = 1e12;  // N/m
constexpr double kMostCouplingDamping = 1e9;     // N s/m
constexpr double kMostPeriod = 1;                // s

std::optional<InputError> beyond_range(const char* where, double value, double most, const char* unit) {
    if (value >= 0 && value <= most) return std::nullopt;  // false for NaN
    return InputError{where, number(value) + " " + unit + " is not between 0 and " + number(most), ""};
}

// Periods that began since a reading whose answer is held: a delay of 1e-9 periods more is rounding.
double whole_periods(const DeviceHardware& hardware) {
    return std::ceil(hardware.delay / hardware.period - 1e-9);
}

}  // namespace

std::optional<InputError> coupling_problem(const VirtualCoupling& coupling) {
    if (auto problem = beyond_range("stiffness", coupling.stiffness, kMostCouplingStiffness, "N/m"))
        return problem;
    return beyond_range("damping", coupling.damping, kMostCouplingDamping, "N s/m");
}

std::optional<InputError> hardware_problem(const DeviceHardware& hardware) {
    if (auto problem = beyond_range("device_damping", hardware.damping, kMostCouplingDamping, "N s/m"))
        return problem;
    if (!(hardware.period > 0))
        return InputError{"period", number(hardware.period) + " s is not positive", "0.001"};
    if (auto problem = beyond_range("period", hardware.period, kMostPeriod, "s")) return problem;
    if (auto problem = beyond_range("delay", hardware.delay, kMostDelayPeriods * hardware.period, "s"))
        return problem;
    if (!(hardware.max_force > 0) || !std::isfinite(hardware.max_force))
        return InputError{"max_force", number(hardware.max_force) + " N is not positive and finite", "10"};
    return std::nullopt;
}

HeldForces held_forces(double delay, double period) {
    HeldForces out;
    out.periods = static_cast<std::size_t>(std::floor(delay / period + 1e-9));
    out.begins = std::max(0.0, delay - static_cast<double>(out.periods) * period);
    return out;
}

double damping_for_still_proxy(const VirtualCoupling& coupling, const DeviceHardware& hardware) {
    const double T = hardware.period;
    return coupling.stiffness * 0.5 * (T + hardware.delay + whole_periods(hardware) * T) + coupling.damping;
}

double damping_for_any_world(const VirtualCoupling& coupling, const DeviceHardware& hardware) {
    const double kappa = 0.5 * coupling.stiffness * hardware.period;
    const double sum = kappa + coupling.damping;
    if (sum <= 0) return 0;
    const double N = (1 + hardware.delay / hardware.period) * (1 + whole_periods(hardware));
    return sum + kappa * kappa * (N - 1) / sum;
}

double damping_to_be_passive(const VirtualCoupling& coupling, const DeviceHardware& hardware) {
    return std::max(damping_for_still_proxy(coupling, hardware), damping_for_any_world(coupling, hardware));
}

PassiveCoupling limit_to_passive(const VirtualCoupling& wanted, const DeviceHardware& hardware) {
    const double needed = damping_to_be_passive(wanted, hardware);
    if (needed <= hardware.damping) return {wanted, 1};
    const double scale = hardware.damping / needed;
    return {{wanted.stiffness * scale, wanted.damping * scale}, scale};
}

ProxyStep proxy_step(const VirtualCoupling& coupling, double proxy_mass, const ProxyMotion& proxy,
                     const Eigen::Vector3d& device_before, const Eigen::Vector3d& device_after, double dt) {
    ProxyStep out;
    out.A = proxy_mass + dt * (coupling.damping + dt * coupling.stiffness);
    if (!(out.A > 0)) return out;  // nothing moves it
    out.velocity_free =
        (proxy_mass * proxy.velocity + dt * coupling.stiffness * (device_after - proxy.position) +
         coupling.damping * (device_after - device_before)) /
        out.A;
    return out;
}

Eigen::Vector3d coupling_force(const VirtualCoupling& coupling, const Eigen::Vector3d& device_before,
                               const Eigen::Vector3d& device_after, const Eigen::Vector3d& proxy_before,
                               const Eigen::Vector3d& proxy_after, double dt) {
    return coupling.stiffness * (device_after - proxy_after) +
           coupling.damping / dt * ((device_after - device_before) - (proxy_after - proxy_before));
}

}  // namespace limber
