// SPDX-License-Identifier: Apache-2.0
// Saved states of bodies that touch, and the step that the native library makes from each, for
// contact.test.js:
//     write_contact_reference CONTACT.json BALL.glb HELD.glb WARPED.glb BLOCK.glb STATES.json STEPS.f64
// A state is a list of inputs: contact begins anew, then place and shape of every body.
#include "bindings/wasm/test/motion_file.h"
#include "tests/limber/contact/surfaces.h"
#include "tests/limber/reduced/free_points.h"
#include "tests/limber/warp/random_warp_model.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

using nlohmann::json;

namespace {

using limber::test::add_model;
using limber::test::MotionFile;

std::vector<double> list(const Eigen::VectorXd& x) {
    return {x.begin(), x.end()};
}

// A ball of a metre instead of the points of a model; its shapes are of the size of mass-orthonormal ones.
void use_ball(limber::Model& model) {
    limber::ModelSurface ball = limber::test::ball_surface(1, 4);
    ball.basis = 0.02 * limber::test::smooth_basis(ball, model.rank, 3);
    model.surface = std::move(ball);
}

// Modes of that size with rotations of their own, and companions.
void warp_ball(limber::Model& model) {
    use_ball(model);
    const limber::ModelSurface& ball = model.surface;
    limber::WarpModel warp =
        limber::test::random_warp_model(8, 20, static_cast<int>(ball.vertices.size()), 5);
    warp.surface_modes = ball.basis;
    warp.surface_rotations = 0.05 * limber::test::smooth_basis(ball, 8, 4);
    warp.surface_companions = 0.02 * limber::test::smooth_basis(ball, 5, 5);
    model.warp = std::make_shared<const limber::WarpModel>(std::move(warp));
}

json inputs_of(const limber::World& world, const json& contact) {
    json out = json::array({{{"contact", contact}}});
    for (const limber::WorldBody& body : world.bodies()) {
        json input = {{"body", body.name()}};
        if (const auto flight = body.flight())
            input["place"] = {{"position", list(body.pose().position)},
                              {"rotation", list(body.pose().orientation.coeffs())},
                              {"velocity", list(flight->velocity)},
                              {"angular_velocity", list(flight->angular_velocity)}};
        if (body.q().size() > 0) input["state"] = {{"q", list(body.q())}, {"v", list(body.v())}};
        out.push_back(std::move(input));
    }
    return out;
}

limber::Status apply_all(limber::Session& session, const json& inputs) {
    for (const json& input : inputs)
        if (limber::Status done = session.apply(input); !done.ok()) return done;
    return {};
}

// Bodies that fly are thrown up again from time to time, so that states are of flights, impacts and rest.
json throws(const limber::World& world, std::mt19937& engine) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    json out = json::array();
    for (const limber::WorldBody& body : world.bodies())
        if (body.flies())
            out.push_back(
                {{"body", body.name()},
                 {"place",
                  {{"position", {2 * uniform(engine), 2 * uniform(engine), 4 + 2 * uniform(engine)}},
                   {"velocity", {uniform(engine), uniform(engine), uniform(engine)}},
                   {"angular_velocity", {uniform(engine), uniform(engine), uniform(engine)}}}}});
    return out;
}

// Returns in how many of the steps something touched.
limber::Result<int> write_steps(const json& scenario, limber::Session& goes_on, limber::Session& fresh,
                                json& states, MotionFile& out) {
    std::mt19937 engine(3);
    int touching = 0;
    for (int i = 0; i < scenario["states"].get<int>(); ++i) {
        if (i % scenario["throw_every"].get<int>() == 0)
            if (const limber::Status done = apply_all(goes_on, throws(goes_on.world(), engine)); !done.ok())
                return done.error();
        goes_on.step(scenario["steps_between"].get<int>());
        states.push_back(inputs_of(goes_on.world(), scenario["contact"]));
        if (const limber::Status done = apply_all(fresh, states.back()); !done.ok()) return done.error();
        fresh.step(1);
        const limber::WorldReport& report = fresh.world().report();
        if (report.not_converged + report.contact.not_converged > 0)
            return limber::InputError{"state " + std::to_string(i), "its step was refused", ""};
        touching += report.contact.touching > 0 ? 1 : 0;
        out.add_world(fresh.world());
    }
    return touching;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 8) return 1;
    std::ifstream file(argv[1]);
    const json scenario = json::parse(file);

    limber::Model ball = limber::test::free_points(8, 5), held = limber::test::random_body(8, 5);
    use_ball(ball);
    use_ball(held);
    limber::Model warped = held;
    warp_ball(warped);
    limber::Model block = *limber::test::rigid_model(limber::test::box_surface({1, 0.8, 0.6}, 3));
    block.groups[0].name = "all";

    limber::Session sessions[2];
    limber::Status done;
    for (limber::Session& session : sessions) {
        if (done.ok()) done = add_model(session, "ball", ball, argv[2]);
        if (done.ok()) done = add_model(session, "held", held, argv[3]);
        if (done.ok()) done = add_model(session, "warped", warped, argv[4]);
        if (done.ok()) done = add_model(session, "block", block, argv[5]);
        if (done.ok()) done = apply_all(session, scenario["inputs"]);
    }
    json states = json::array();
    MotionFile out(argv[7]);
    limber::Result<int> touching = done.ok() ? write_steps(scenario, sessions[0], sessions[1], states, out)
                                             : limber::Result<int>(done.error());
    if (!touching.ok())
        return std::cerr << touching.error().where << ": " << touching.error().problem << '\n', 1;
    std::cout << touching.value() << " of " << states.size() << " steps with contact\n";
    std::ofstream(argv[6]) << states;
    return out.good() && 2 * touching.value() > static_cast<int>(states.size()) ? 0 : 1;
}
