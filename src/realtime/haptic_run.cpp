// SPDX-License-Identifier: Apache-2.0
#include "realtime/haptic_run.h"

#include <limber/haptics/latest_value.h>
#include <limber/model/surface_normals.h>
#include <limber/reduced/linear_statics.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber::realtime {

using Eigen::Vector3d;

double HapticResult::real_time_factor() const {
    const double mean = loop.statistics.work.mean();
    return mean > 0 ? time_step / mean : 0;
}

HapticResult run_haptics(World& world, DeviceId id, const HapticRun& run,
                         const std::function<void(const HapticMoment&)>& shown) {
    const double dt = 1 / run.rate_hz;
    HapticResult out;
    out.time_step = dt;
    const double length = run.path.back().time;
    // At the end of a pass the hand is still at the last key.
    const auto hand_at = [&](double time) {
        const double into = length > 0 ? std::fmod(time, length) : 0;
        return position_at(run.path, time >= 0.5 * length && into < 0.5 * dt ? length : into);
    };

    SimulatedDeviceState simulated;
    simulated.position = hand_at(0);
    Vector3d reading = simulated.position;
    LatestValue<HapticMoment> moments;

    LoopWork work;
    // What stands for the hardware: where the device is at the end of this step.
    work.before = [&](std::int64_t step) {
        const double time = static_cast<double>(step) * dt;
        if (!run.hand) {
            reading = hand_at(time + dt);
            return;
        }
        Hand hand;
        hand.stiffness = run.hand->stiffness;
        hand.damping = run.hand->damping;
        hand.target_before = hand_at(time);
        hand.target_after = hand_at(time + dt);
        if (step > 0) advance(run.hand->device, hand, world.device(id)->force(), simulated);
        out.energy_given = std::max(out.energy_given, simulated.work_of_force - simulated.dissipated);
        reading = simulated.position;
    };
    work.work = [&](std::int64_t) {
        [[maybe_unused]] const Status moved = world.apply(MoveDevice{id, reading});
        world.step(dt);
    };
    work.after = [&](const DeadlineStatistics& so_far) {
        const WorldDevice& device = *world.device(id);
        const WorldReport& report = world.report();
        out.largest_force = std::max(out.largest_force, device.force().norm());
        out.touching += device.contacts() > 0 ? 1 : 0;
        out.most_contacts = std::max(out.most_contacts, device.contacts());
        out.refused += report.not_converged + report.contact.not_converged;
        HapticMoment now;
        now.step = so_far.steps;
        for (int i = 0; i < 3; ++i) {
            now.position[i] = device.position()[i];
            now.proxy[i] = device.proxy()[i];
            now.force[i] = device.force()[i];
        }
        now.contacts = device.contacts();
        moments.write(now);
        return true;
    };
    work.meanwhile = [&] {
        if (const auto now = moments.read(); now && shown) shown(*now);
    };
    // What a world derives from its models in its first step (bounds of trees, some 0.1 s for a large one) is
    // not the loop's work.
    world.step(dt);
    const auto steps = static_cast<std::int64_t>(std::llround(run.seconds * run.rate_hz));
    out.loop = run_loop({run.rate_hz, std::max<std::int64_t>(steps, 1)}, work);
    out.work_of_hand = world.device(id)->passivity().absorbed();
    return out;
}

Result<Poke> make_poke(const World& world, BodyId id, double rate_hz, const PokeOptions& options) {
    const WorldBody& body = *world.body(id);
    const Model& model = *body.model();
    Eigen::AlignedBox3d box;
    for (const Vector3d& x : model.surface.vertices)
        box.extend(x);
    const double size = box.diagonal().norm();

    int vertex = 0;
    if (body.q().size() > 0) {
        auto statics = make_linear_statics(body.model());
        if (!statics.ok()) return statics.error();
        vertex = statics.value().softest_vertex();
    }
    auto pull = body.suggest_pull_stiffness(vertex, 1 / rate_hz);
    if (!pull.ok()) return pull.error();

    const Pose pose = body.pose();
    const Vector3d at = body.position(vertex);
    const Vector3d normal =
        pose.orientation * SurfaceNormals(model.surface).at_rest()[static_cast<std::size_t>(vertex)];
    const Vector3d aside = normal.unitOrthogonal();

    Poke out;
    out.device.radius = options.radius.value_or(0.03 * size);
    out.device.stiffness = options.stiffness.value_or(std::clamp(pull.value(), 1e-3, 1e9));
    out.device.damping = 0;
    out.device.max_force = std::min(1e12, 10 * out.device.stiffness * size);
    out.margin = 1e-4 * size;
    const double clear = out.device.radius + 0.015 * size, in = out.device.radius - 0.03 * size;
    out.path = {{0, at + clear * normal},   {0.5, at + in * normal},
                {1, at + in * normal},      {1.4, at + in * normal + 0.02 * size * aside},
                {1.7, at + clear * normal}, {2, at + clear * normal}};
    // As fast as the path goes, and a margin for the springs of hand and coupling.
    out.device.max_speed = std::max(5.0, 10 * size);

    // A device whose own oscillation on the coupling takes some sixty periods, with just the damping that
    // the claim of passivity needs, in a hand that is half as stiff and critically damped.
    const double T = 1 / rate_hz, k = out.device.stiffness;
    out.hand.device.period = T;
    out.hand.device.mass = k * T * T * 100;
    out.hand.device.damping = out.device.device_damping =
        damping_to_be_passive({k, 0}, {.damping = 0, .period = T});
    out.hand.stiffness = k / 2;
    out.hand.damping = 2 * std::sqrt(out.hand.stiffness * out.hand.device.mass);
    return out;
}

}  // namespace limber::realtime
