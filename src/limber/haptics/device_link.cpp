// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/device_link.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

Vector3d vector_of(const std::array<double, 3>& numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

std::optional<InputError> device_link_problem(const DeviceLinkDef& def) {
    if (auto problem = hardware_problem(def.hardware)) return problem;
    if (auto problem = device_input_problem({def.max_speed, def.hardware.period})) return problem;
    if (!(def.stale_after > 0) || !std::isfinite(def.stale_after))
        return InputError{"stale_after", number(def.stale_after) + " s is not positive and finite", "0.1"};
    return std::nullopt;
}

DeviceLink::DeviceLink(const DeviceLinkDef& def) : def_(def) {}

DeviceLink::Exchanged DeviceLink::exchange(const Vector3d& position) {
    const double T = def_.hardware.period;
    std::uint32_t events = 0;

    // The reading. What the hand did under the force that was held until now is observed.
    const Vector3d before = input_.position;
    const bool began = input_.has_begun;
    const DeviceInputReport old = input_.report;
    const Vector3d now = take_reading({def_.max_speed, T}, position, input_);
    if (input_.report.not_finite != old.not_finite) events |= kReadingNotFinite;
    if (input_.report.jumps != old.jumps) events |= kReadingJumped;
    if (began) observer_.observe(held_, now - before, def_.hardware);
    if (input_.has_begun) readings_.write({{now.x(), now.y(), now.z()}, input_.report.readings});

    // The newest answer. Where the writer is in the way, the one before is still right.
    const std::uint64_t answers = answers_.writes();
    ++age_;
    if (answers != answers_seen_) {
        if (const auto answer = answers_.read()) {
            answers_seen_ = answers;
            age_ = 0;
            newest_ = vector_of(*answer);
        }
    }
    Vector3d force = newest_;
    if (!force.allFinite()) {
        force.setZero();
        events |= kForceNotFinite;
        ++so_far_.forces_not_finite;
    }
    const double size = force.stableNorm();
    if (size > def_.hardware.max_force) {
        force *= def_.hardware.max_force / size;
        events |= kForceCut;
        ++so_far_.forces_cut;
    }
    const double age = static_cast<double>(age_) * T / def_.stale_after;
    if (answers_seen_ > 0 && age > 1 + 1e-9) {
        force *= std::max(0.0, 2 - age);
        events |= kForceStale;
        ++so_far_.forces_stale;
    }
    held_ = force;

    so_far_.readings = input_.report.readings;
    so_far_.not_finite = input_.report.not_finite;
    so_far_.jumps = input_.report.jumps;
    so_far_.largest_jump = input_.report.largest_jump;
    so_far_.absorbed = observer_.absorbed();
    so_far_.dissipated = observer_.dissipated();
    so_far_.most_given = observer_.most_given();
    reports_.write(so_far_);
    return {force, events};
}

DeviceReading DeviceLink::reading() const {
    return readings_.read().value_or(DeviceReading{});
}

void DeviceLink::answer(const Vector3d& force_to_hand) {
    answers_.write({force_to_hand.x(), force_to_hand.y(), force_to_hand.z()});
}

DeviceReport DeviceLink::report() const {
    return reports_.read().value_or(DeviceReport{});
}

}  // namespace limber
