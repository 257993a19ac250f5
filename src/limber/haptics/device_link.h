// SPDX-License-Identifier: Apache-2.0
// Between the thread of a device's driver and the thread of the simulation, without locks: positions go one
// way, forces the other. Neither side waits for the other, and nothing takes memory after it was made.
//
//     driver, 1 kHz:  force = link.exchange(position)
//     simulation:     reading = link.reading(); ... step ...; link.answer(force)
//
// The force that exchange() returns is the newest that was answered, so a simulation at the same rate adds a
// delay of up to one period; DeviceHardware::delay should contain it.
#pragma once
#include <limber/haptics/coupling.h>
#include <limber/haptics/device_input.h>
#include <limber/haptics/latest_value.h>
#include <limber/haptics/passivity_observer.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>

namespace limber {

struct DeviceLinkDef {
    DeviceHardware hardware{};
    double max_speed = 5;      // m/s: DeviceInputLimits
    double stale_after = 0.1;  // s; a force as old as that fades to 0 within the same time again
};
std::optional<InputError> device_link_problem(const DeviceLinkDef& def);

// What happened in one exchange; bits.
enum DeviceEvent : std::uint32_t {
    kReadingNotFinite = 1,  // the last position was kept
    kReadingJumped = 2,     // it was followed at max_speed
    kForceCut = 4,          // to max_force
    kForceStale = 8,        // the simulation has not answered for stale_after
    kForceNotFinite = 16,   // what the simulation answered is no force: 0 was given
};

// So far; a value that one thread writes and any may read.
struct DeviceReport {
    std::int64_t readings = 0, not_finite = 0, jumps = 0;
    double largest_jump = 0;  // m
    std::int64_t forces_cut = 0, forces_stale = 0, forces_not_finite = 0;
    double absorbed = 0, dissipated = 0, most_given = 0;  // J: PassivityObserver
};

struct DeviceReading {
    std::array<double, 3> position{};  // m, checked: finite, without jumps
    std::int64_t readings = 0;         // so far; 0: there was none
};

class DeviceLink {
 public:
    explicit DeviceLink(const DeviceLinkDef& def);  // of a def without problem

    // The driver's thread: where the device is, m; returns the force to give the hand, N. Takes less than a
    // microsecond, always.
    struct Exchanged {
        Eigen::Vector3d force;
        std::uint32_t events;  // DeviceEvent
    };
    Exchanged exchange(const Eigen::Vector3d& position);

    // The simulation's thread.
    DeviceReading reading() const;
    void answer(const Eigen::Vector3d& force_to_hand);

    // Any thread.
    DeviceReport report() const;
    const DeviceLinkDef& def() const { return def_; }

 private:
    DeviceLinkDef def_;
    // Of the driver's thread.
    DeviceInput input_;
    PassivityObserver observer_;
    DeviceReport so_far_;
    Eigen::Vector3d held_ = Eigen::Vector3d::Zero();
    Eigen::Vector3d newest_ = Eigen::Vector3d::Zero();
    std::uint64_t answers_seen_ = 0;
    std::int64_t age_ = 0;  // periods since the newest answer
    // Between threads.
    LatestValue<DeviceReading> readings_;
    LatestValue<std::array<double, 3>> answers_;  // forces
    LatestValue<DeviceReport> reports_;
};

}  // namespace limber
