// SPDX-License-Identifier: Apache-2.0
// One device in one world, in one loop: dynamics and contact at the rate of the device. docs/math/haptics.md.
#pragma once
#include "realtime/periodic_loop.h"

#include <limber/haptics/hand_path.h>
#include <limber/haptics/simulated_device.h>
#include <limber/world/world.h>

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace limber::realtime {

// A hand that a simulated device is in. None: the device is where the path says.
struct SimulatedHand {
    SimulatedDevice device;
    double stiffness = 0;  // N/m, to the path
    double damping = 0;    // N s/m
};

struct HapticRun {
    double rate_hz = 1000;
    double seconds = 10;
    HandPath path;  // begins anew after its last key
    std::optional<SimulatedHand> hand;
};

// What the loop publishes in each step, for slower readers.
struct HapticMoment {
    long long step = 0;
    double position[3] = {}, proxy[3] = {}, force[3] = {};  // m, m, N to the hand
    int contacts = 0;
};

struct HapticResult {
    LoopReport loop;
    double time_step = 0;      // s
    double largest_force = 0;  // N
    double work_of_hand = 0;   // J, on the coupling
    long long touching = 0;    // steps in which the proxy touched something
    int most_contacts = 0;     // points that pushed the proxy at once
    long long refused = 0;     // steps of bodies, and contact solves that did not converge
    // Of a simulated device: the energy that its held force gave it beyond its damping, by integration, J.
    double energy_given = 0;

    // Times faster than real time: the time step over the mean work.
    double real_time_factor() const;
};

// Runs the loop in a thread of its own; nobody else may use the world meanwhile. `shown` is called in the
// caller's thread ten times a second.
HapticResult run_haptics(World& world, DeviceId device, const HapticRun& run,
                         const std::function<void(const HapticMoment&)>& shown = {});

// A poke for a model that nobody recorded one for: the device begins clear of the body, goes at its softest
// vertex along the normal, in by 3% of the body's diagonal, rests, slides sideways and comes back, in 2 s.
struct Poke {
    HandPath path;
    DeviceSettings device;  // sized after the body, and passive with the device that is simulated
    SimulatedHand hand;
    // For the contact settings, m. The automatic one, a hundredth of the body, would list every triangle near
    // a small ball.
    double margin = 0;
};
struct PokeOptions {
    std::optional<double> radius{};     // of the proxy, m; none: 3% of the body's diagonal
    std::optional<double> stiffness{};  // of the coupling, N/m; none: as soft as the body
};
Result<Poke> make_poke(const World& world, BodyId body, double rate_hz, const PokeOptions& options = {});

}  // namespace limber::realtime
