// SPDX-License-Identifier: Apache-2.0
// Writes models and the motion of a world by the native library, for limber.test.js to compare with:
//     write_reference SCENARIO.json SOFT.glb BOX.glb POINTS.glb MOTION.f64
// A motion: for every step and body q, v, energies, pose; then, of the steps after a restored state, the same
// twice; then displacement and normals of each body.
#include "bindings/wasm/test/motion_file.h"
#include "tests/limber/reduced/free_points.h"
#include "tests/limber/reduced/test_model.h"
#include "tests/limber/rigid/box_surface.h"
#include "tests/limber/warp/random_warp_model.h"

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

using limber::test::add_model;
using limber::test::MotionFile;

limber::Status make_steps(limber::Session& session, int count, MotionFile& out) {
    for (int i = 0; i < count; ++i) {
        if (session.step(1) != 1)
            return session.replay_problem().value_or(limber::InputError{"step", "it was not made", ""});
        if (session.world().report().not_converged > 0)
            return limber::InputError{"step " + std::to_string(session.world().steps()), "it was refused",
                                      ""};
        out.add_world(session.world());
    }
    return {};
}

limber::Status write_motion(const json& scenario, limber::Session& session, MotionFile& out) {
    const json& scene = scenario["scene"];
    limber::Status done = session.start_replay(scene, "scene");
    if (done.ok()) done = make_steps(session, scene["recording"]["steps"].get<int>(), out);
    if (!done.ok()) return done;
    session.stop_replay();
    const limber::WorldState saved = session.world().save();
    for (int pass = 0; pass < 2; ++pass) {
        done = session.world().restore(saved);
        for (const json& input : scenario["after"])
            if (done.ok()) done = session.apply(input);
        if (done.ok()) done = make_steps(session, scenario["steps_after"].get<int>(), out);
        if (!done.ok()) return done;
    }
    for (const limber::WorldBody& body : session.world().bodies()) {
        Eigen::VectorXf u, n;
        body.surface_shape(u, n);
        out.add(u);
        out.add(n);
    }
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 1;
    std::ifstream file(argv[1]);
    const json scenario = json::parse(file);

    limber::Model soft = limber::test::random_body(8, 5);
    soft.warp = std::make_shared<const limber::WarpModel>(
        limber::test::random_warp_model(6, 12, static_cast<int>(soft.surface.vertices.size()), 4));
    soft.up = limber::UpAxis::MinusX;
    limber::Model box = *limber::test::box_model({0.3, 0.2, 0.1}, {0.1, 0, 0});
    box.groups.emplace_back().name = "all";

    limber::Session session;
    MotionFile out(argv[5]);
    limber::Status done = add_model(session, "soft", soft, argv[2]);
    if (done.ok()) done = add_model(session, "box", box, argv[3]);
    if (done.ok()) done = add_model(session, "points", limber::test::free_points(8, 5), argv[4]);
    if (done.ok()) done = write_motion(scenario, session, out);
    if (!done.ok()) return std::cerr << done.error().where << ": " << done.error().problem << '\n', 1;
    return out.good() ? 0 : 1;
}
