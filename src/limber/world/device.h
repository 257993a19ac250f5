// SPDX-License-Identifier: Apache-2.0
// Haptic devices of a world: each has a proxy, a sphere that touches bodies, coupled to where the hand holds
// the device. docs/math/haptics.md. What can happen to them are inputs of a world (input.h).
#pragma once
#include <limber/contact/shape.h>
#include <limber/haptics/coupling.h>
#include <limber/haptics/device_input.h>
#include <limber/haptics/device_settings.h>
#include <limber/haptics/passivity_observer.h>

#include <Eigen/Core>
#include <compare>
#include <cstdint>
#include <string>

namespace limber {

// Of one world; never used again after the device is gone.
struct DeviceId {
    std::uint32_t world = 0;   // 0: no device
    std::uint32_t number = 0;  // ascending in the order in which devices were added

    friend auto operator<=>(const DeviceId&, const DeviceId&) = default;  // NOLINT: takes 0 for a pointer
};

// Adding a device turns contact on, with default settings, where nothing was said about it.
struct DeviceDef {
    std::string name{};  // not that of a body, an obstacle or another device; empty: "device1", "device2", …
    DeviceSettings settings{};
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // where the device and its proxy start, m
};

struct RemoveDevice {
    DeviceId device;
};

struct SetDevice {
    DeviceId device;
    DeviceSettings settings;
};

// Where the device is at the end of the next steps, m, as it was read: also NaN or far away. Taken in every
// step as DeviceInput says.
struct MoveDevice {
    DeviceId device;
    Eigen::Vector3d position;
};

// Device and proxy stand here, at rest; what was counted and observed begins anew.
struct PlaceDevice {
    DeviceId device;
    Eigen::Vector3d position;  // m
};

class WorldDevice {
 public:
    DeviceId id() const { return id_; }
    const std::string& name() const { return name_; }
    const DeviceSettings& settings() const { return settings_; }

    // At the end of the last step.
    const Eigen::Vector3d& position() const { return input_.position; }  // of the device, checked, m
    const Eigen::Vector3d& proxy() const { return proxy_.position; }     // centre of the sphere, m
    const Eigen::Vector3d& proxy_velocity() const { return proxy_.velocity; }
    const Eigen::Vector3d& force() const { return force_; }  // to the hand, N
    int contacts() const { return contacts_; }               // points that push the proxy
    double depth() const { return depth_; }                  // of the deepest of them, m

    const DeviceInputReport& readings() const { return input_.report; }
    long long forces_cut() const { return forces_cut_; }  // to max_force, so far
    const PassivityObserver& passivity() const { return observer_; }
    // The coupling of the last step, and by how much it was scaled down to be passive.
    const PassiveCoupling& coupling() const { return coupling_; }
    // Passive for any hand and any passive world (docs/math/haptics.md, section 3).
    bool claims_passivity() const { return settings_.device_damping > 0; }

 private:
    friend class World;
    friend struct ContactStage;
    void stand_at(const Eigen::Vector3d& position) {
        reading_ = input_.position = proxy_.position = position;
        input_.has_begun = true;
    }
    // The device is read: where it is, what the hand did under the last force, how the proxy would move (9).
    void begin_step(double dt);
    // The proxy moves with v (m/s), at most as far as begin_step() said; the force follows.
    void end_step(const Eigen::Vector3d& v, double dt);

    DeviceId id_;
    std::string name_;
    DeviceSettings settings_;
    Shape shape_;                                        // the sphere
    Eigen::Vector3d reading_ = Eigen::Vector3d::Zero();  // the last, as it was given
    DeviceInput input_;
    ProxyMotion proxy_;
    PassivityObserver observer_;
    PassiveCoupling coupling_;
    Eigen::Vector3d force_ = Eigen::Vector3d::Zero();
    long long forces_cut_ = 0;
    int contacts_ = 0;
    double depth_ = 0;
    // Of the step that is under way.
    Eigen::Vector3d position_before_ = Eigen::Vector3d::Zero();
    ProxyStep step_;
    double most_distance_ = 0;  // how far the proxy may come in the step, m
};

}  // namespace limber
