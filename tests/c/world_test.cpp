// SPDX-License-Identifier: Apache-2.0
// Worlds in C: what the interface does equals what the library does, to the last bit.
#include "tests/c/c_models.h"
#include "tests/limber/reduced/free_points.h"

#include <thread>

extern "C" limber_status ten_steps_in_c(const void* bytes, size_t size, double* q, size_t count);

namespace limber::test {
namespace {

using Json = nlohmann::json;

std::vector<double> list_of(const Eigen::VectorXd& x) {
    return {x.begin(), x.end()};
}
std::vector<double> list_of(const Pose& pose) {
    std::vector<double> out(pose.position.begin(), pose.position.end());
    out.insert(out.end(), pose.orientation.coeffs().begin(), pose.orientation.coeffs().end());
    return out;
}

TEST(CWorld, EveryNumberOfEveryBodyIsThatOfTheLibrary) {
    Session session({.gravity = {0, -1, 0.2}});
    run_session(session);
    const OpenWorld world;
    run_in_c(world);
    ASSERT_EQ(session.world().bodies().size(), 4u);
    for (const WorldBody& body : session.world().bodies()) {
        const std::uint32_t number = body.id().number;
        EXPECT_EQ(world.numbers(number, LIMBER_Q), list_of(body.q())) << body.name();
        EXPECT_EQ(world.numbers(number, LIMBER_V), list_of(body.v()));
        Eigen::VectorXd shape;
        body.shape_coordinates(shape);
        EXPECT_EQ(world.numbers(number, LIMBER_SHAPE_COORDINATES), list_of(shape));
        EXPECT_EQ(world.numbers(number, LIMBER_SHAPE_ROTATIONS), list_of(body.shape_rotations()));
        EXPECT_EQ(world.numbers(number, LIMBER_POSE), list_of(body.pose()));
        EXPECT_EQ(world.numbers(number, LIMBER_SUPPORT_POSE), list_of(body.support().pose));
        EXPECT_EQ(world.numbers(number, LIMBER_ENERGIES),
                  (std::vector<double>{body.kinetic_energy(), body.elastic_energy()}));
        EXPECT_EQ(world.numbers(number, LIMBER_SPRING_FORCES).size(), 3 * body.springs().size());
        EXPECT_EQ(world.numbers(number, LIMBER_MOMENTA).size(), body.rigid_state() ? 6u : 0u);
        std::vector<double> flight;
        if (const auto motion = body.flight()) {
            flight = {motion->mass};
            for (const Eigen::Vector3d& x :
                 {body.rigid_state()->position, motion->velocity, motion->angular_velocity})
                flight.insert(flight.end(), x.begin(), x.end());
        }
        EXPECT_EQ(flight.size(), body.flies() ? 10u : 0u);
        EXPECT_EQ(world.numbers(number, LIMBER_FLIGHT), flight);
        const std::vector<std::int32_t> vertices = {3, 6};
        std::vector<double> out(6);
        ASSERT_EQ(
            limber_body_vertices(world.handle, number, LIMBER_POSITION, vertices.data(), 2, out.data(), 6),
            LIMBER_OK);
        EXPECT_EQ(Eigen::Vector3d(out[3], out[4], out[5]), body.position(6));
        ASSERT_EQ(
            limber_body_vertices(world.handle, number, LIMBER_VELOCITY, vertices.data(), 2, out.data(), 6),
            LIMBER_OK);
        EXPECT_EQ(Eigen::Vector3d(out[0], out[1], out[2]), body.velocity(3));
        Eigen::VectorXf u, n;
        body.surface_shape(u, n);
        Eigen::VectorXf found(u.size()), normals(u.size());
        ASSERT_EQ(
            limber_body_surface(world.handle, number, found.data(), normals.data(), std::size_t(u.size())),
            LIMBER_OK);
        EXPECT_EQ(found, u);
        EXPECT_EQ(normals, n);
        double stiffness = 0;
        ASSERT_EQ(limber_body_suggest_pull_stiffness(world.handle, number, 3, 0.01, &stiffness), LIMBER_OK);
        EXPECT_EQ(stiffness, body.suggest_pull_stiffness(3, 0.01).value());
        EXPECT_GT(stiffness, 0);
    }
    limber_clock clock{};
    ASSERT_EQ(limber_world_clock(world.handle, &clock), LIMBER_OK);
    EXPECT_EQ(clock.time, session.world().time());
    EXPECT_EQ(clock.steps, 80);
    EXPECT_EQ(clock.dt, 0.01);
    EXPECT_EQ(clock.gravity[2], -2);
    limber_constraint_report constrained{};
    ASSERT_EQ(limber_body_constraints(world.handle, 2, &constrained), LIMBER_OK);
    EXPECT_EQ(constrained.is_constrained, 1);
    EXPECT_EQ(constrained.position_error, session.world().bodies()[1].constraint_report()->position_error);
}

// k dt² w = 0.25 with the inverse mass w at the point of a free rigid body: of a ball's pole (any point) 1/m
// and 1/m + a²/J; here a corner of a box, from its moments by hand.
TEST(CWorld, ARigidBodyIsPulledAsItsMassAllows) {
    const OpenModel soft(soft_bytes()), box(box_bytes());
    const OpenWorld world;
    world.add_models(soft, box);
    world.apply(R"({"add": {"model": "box", "method": "rigid", "density": 1000}})");
    const double m = 1000 * 0.3 * 0.2 * 0.1;
    const Eigen::Vector3d a(0.15, 0.1, 0.05), s(0.3, 0.2, 0.1);  // corner 7
    const Eigen::Vector3d J = m / 12 *
                              Eigen::Vector3d(s.y() * s.y() + s.z() * s.z(), s.x() * s.x() + s.z() * s.z(),
                                              s.x() * s.x() + s.y() * s.y());
    Eigen::Matrix3d W = Eigen::Matrix3d::Identity() / m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const Eigen::Vector3d torque = a.cross(Eigen::Vector3d::Unit(j));
            W(i, j) += torque.cwiseQuotient(J).cross(a)[i];
        }
    const double w = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(W).eigenvalues()[2];
    double stiffness = 0;
    ASSERT_EQ(limber_body_suggest_pull_stiffness(world.handle, 1, 7, 0.01, &stiffness), LIMBER_OK);
    EXPECT_NEAR(stiffness, 0.25 / (w * 1e-4), 1e-9 * stiffness);
}

// Of a body that flies: its pose moves, and its momenta change by gravity only.
TEST(CWorld, AFreeBodyFlies) {
    const OpenModel points(bytes_of(free_points(6, 1)));
    const OpenWorld world;
    EXPECT_EQ(limber_world_add_model(world.handle, "points", 6, points.handle), LIMBER_OK);
    world.apply(R"({"add": {"model": "points", "mount": "free", "velocity": [1, 0, 0],
                            "angular_velocity": [0, 1, 0.5]}})");
    const std::vector<double> before = world.numbers(1, LIMBER_MOMENTA);
    ASSERT_EQ(before.size(), 6u);
    ASSERT_EQ(limber_world_set_dt(world.handle, 0.01), LIMBER_OK);
    limber_steps steps{};
    ASSERT_EQ(limber_world_step(world.handle, 50, &steps), LIMBER_OK);
    EXPECT_EQ(steps.not_converged, 0);
    const std::vector<double> after = world.numbers(1, LIMBER_MOMENTA), pose = world.numbers(1, LIMBER_POSE);
    const double m = before[0];  // at 1 m/s; gravity is (0, -1, 0.2)
    EXPECT_NEAR(after[0], m, 1e-12 * m);
    EXPECT_NEAR(after[1], -0.5 * m, 1e-12 * m);
    EXPECT_NEAR(after[2], 0.1 * m, 1e-12 * m);
    for (std::size_t i = 3; i < 6; ++i)
        EXPECT_EQ(after[i], before[i]);
    EXPECT_GT(std::abs(pose[0]), 0.1);
    EXPECT_EQ(world.numbers(1, LIMBER_STABLE_DT).size(), 0u);
    EXPECT_EQ(apply_text(world.handle, R"({"add": {"model": "points", "integrator": "newmark"}})"),
              LIMBER_REFUSED);
}

TEST(CWorld, StatesGoOnBitByBitAndOutliveTheirWorld) {
    limber_state* state = nullptr;
    {
        const OpenWorld world;
        run_in_c(world);
        ASSERT_EQ(limber_world_save(world.handle, &state), LIMBER_OK);
        std::vector<std::vector<double>> first;
        for (int pass = 0; pass < 2; ++pass) {
            ASSERT_EQ(limber_world_restore(world.handle, state), LIMBER_OK) << limber_error();
            limber_clock clock{};
            ASSERT_EQ(limber_world_clock(world.handle, &clock), LIMBER_OK);
            EXPECT_EQ(clock.dt, 0.01);
            ASSERT_EQ(limber_world_set_dt(world.handle, 0.02), LIMBER_OK);
            world.apply(R"({"body": "warp", "remove": true})");
            ASSERT_EQ(limber_world_step(world.handle, 30, nullptr), LIMBER_OK);
            std::vector<std::vector<double>> now;
            for (const std::uint32_t body : {1u, 3u, 4u})
                for (const int which : {LIMBER_Q, LIMBER_V, LIMBER_POSE})
                    now.push_back(world.numbers(body, which));
            if (pass == 0)
                first = now;
            else
                EXPECT_EQ(now, first);
        }
    }
    const OpenWorld other;
    EXPECT_EQ(limber_world_restore(other.handle, state), LIMBER_REFUSED);
    EXPECT_EQ(limber_state_free(state), LIMBER_OK);
}

TEST(CWorld, ARecordingIsReplayedBitByBit) {
    const OpenWorld world;
    run_in_c(world);
    const char* text = nullptr;
    ASSERT_EQ(limber_recording_text(world.handle, &text), LIMBER_OK);
    EXPECT_STREQ(text, "null");
    ASSERT_EQ(limber_recording_start(world.handle), LIMBER_OK) << limber_error();
    for (const std::string& input : kHappens) {
        world.apply(input);
        ASSERT_EQ(limber_world_step(world.handle, 7, nullptr), LIMBER_OK);
    }
    ASSERT_EQ(limber_recording_stop(world.handle, &text), LIMBER_OK);
    const std::string scene = text;
    const std::vector<double> live = world.numbers(1, LIMBER_Q), turned = world.numbers(4, LIMBER_POSE);
    ASSERT_EQ(limber_replay_start(world.handle, scene.data(), scene.size()), LIMBER_OK) << limber_error();
    limber_progress progress{};
    ASSERT_EQ(limber_replay_progress(world.handle, &progress), LIMBER_OK);
    EXPECT_EQ(progress.is_running, 1);
    EXPECT_EQ(progress.steps, 42);
    limber_steps steps{};
    ASSERT_EQ(limber_world_step(world.handle, 1000, &steps), LIMBER_OK);
    EXPECT_EQ(steps.steps, 42);
    std::uint32_t stvk = 0, rigid = 0;
    ASSERT_EQ(limber_world_find(world.handle, "stvk", 4, &stvk), LIMBER_OK);
    ASSERT_EQ(limber_world_find(world.handle, "rigid", 5, &rigid), LIMBER_OK);
    EXPECT_EQ(world.numbers(stvk, LIMBER_Q), live);
    EXPECT_EQ(world.numbers(rigid, LIMBER_POSE), turned);
    ASSERT_EQ(limber_replay_problem(world.handle, &text), LIMBER_OK);
    EXPECT_STREQ(text, "null");
}

TEST(CWorld, TextsDescribeModelsBodiesAndSettings) {
    const OpenModel soft(soft_bytes());
    const OpenWorld world;
    run_in_c(world);
    const char* text = nullptr;
    ASSERT_EQ(limber_model_info(soft.handle, &text), LIMBER_OK);
    EXPECT_EQ(Json::parse(text)["rank"], 6);
    ASSERT_EQ(limber_world_bodies(world.handle, &text), LIMBER_OK);
    const Json bodies = Json::parse(text);
    ASSERT_EQ(bodies.size(), 4u);
    EXPECT_EQ(bodies[1]["name"], "warp");
    EXPECT_EQ(bodies[1]["coordinates"], 5);
    EXPECT_EQ(bodies[1]["shape_coordinates"], 9);
    EXPECT_EQ(bodies[3]["model"], "box");
    ASSERT_EQ(limber_body_settings(world.handle, 1, &text), LIMBER_OK);
    EXPECT_EQ(Json::parse(text)["materials"]["soft"]["young"], 2000);
    ASSERT_EQ(limber_fields(&text), LIMBER_OK);
    EXPECT_TRUE(Json::parse(text).contains("RigidSettings"));
}

TEST(CWorld, AProgramInPlainCMovesTheSameBody) {
    Session session({.gravity = {0, 0, -1}});
    session.add_model("m", model_of_bytes(soft_bytes()));
    ASSERT_TRUE(
        session.apply(Json::parse(R"({"add": {"model": "m", "name": "spoon", "method": "stvk"}})")).ok());
    ASSERT_TRUE(session.apply(Json::parse(R"({"forces": [{"vertex": 3, "force": [0.2, 0, 0.1]}]})")).ok());
    ASSERT_TRUE(session.set_dt(0.01).ok());
    ASSERT_EQ(session.step(10), 10);
    std::vector<double> q(6);
    ASSERT_EQ(ten_steps_in_c(soft_bytes().data(), soft_bytes().size(), q.data(), 6), LIMBER_OK)
        << limber_error();
    EXPECT_EQ(q, list_of(session.world().bodies()[0].q()));
}

TEST(CWorld, ThreadsWithWorldsOfTheirOwnShareAModelAndHaveErrorsOfTheirOwn) {
    const OpenModel soft(soft_bytes()), box(box_bytes());
    std::vector<std::vector<double>> found(4);
    std::vector<std::string> errors(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int again = 0; again < 20; ++again) {
                const OpenWorld world;
                world.add_models(soft, box);
                world.apply(kAddAll[0]);
                const std::string wrong = "{\"body\": \"thread" + std::to_string(i) + "\"}";
                EXPECT_EQ(apply_text(world.handle, wrong), LIMBER_REFUSED);
                EXPECT_EQ(limber_world_step(world.handle, 5, nullptr), LIMBER_OK);
                found[i] = world.numbers(1, LIMBER_Q);
                errors[i] = limber_error();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(found[i], found[0]);
        EXPECT_NE(errors[i].find("thread" + std::to_string(i)), std::string::npos) << errors[i];
    }
}

TEST(CWorld, SettingsOfContactAndWindAreReadBackAsTheyWereApplied) {
    const OpenWorld world, other;
    using Read = limber_status (*)(limber_world*, const char**);
    const auto read = [](const OpenWorld& from, Read call) {
        const char* text = nullptr;
        EXPECT_EQ(call(from.handle, &text), LIMBER_OK) << limber_error();
        return Json::parse(text);
    };
    const Read contact = limber_world_contact_settings, wind = limber_world_wind;
    EXPECT_TRUE(read(world, contact).is_null());
    EXPECT_TRUE(read(world, wind).is_null());
    world.apply(R"({"contact": {"friction": 0.25, "stiffness": 1e8, "self": true, "sleep": false},
                    "wind": {"velocity": [3, 0, 0], "gusts": 0.2, "seed": 7, "elapsed": 2}})");
    const Json touching = read(world, contact), blowing = read(world, wind);
    // What was left out is the default of docs/scene_file.md.
    EXPECT_EQ(touching, Json::parse(R"({"enabled": true, "stiffness": 1e8, "dissipation": 1.0,
        "friction": 0.25, "self": true, "margin": "auto", "sleep": false})"));
    EXPECT_EQ(blowing,
              Json::parse(
                  R"({"velocity": [3.0, 0.0, 0.0], "drag": 1.0, "gusts": 0.2, "seed": 7, "elapsed": 2.0})"));
    // What is read is an input: another world takes it.
    other.apply(Json({{"contact", touching}, {"wind", blowing}}).dump().c_str());
    EXPECT_EQ(read(other, contact), touching);
    EXPECT_EQ(read(other, wind), blowing);
    world.apply(R"({"contact": null, "wind": null})");
    EXPECT_TRUE(read(world, contact).is_null());
    EXPECT_TRUE(read(world, wind).is_null());
    world.apply(R"({"add_obstacle": {"shape": {"plane": {}}}})");  // turns contact on
    EXPECT_EQ(read(world, contact)["friction"], 0.5);
}

TEST(CWorld, EveryContactIsTold) {
    const OpenWorld world;
    const OpenModel soft(soft_bytes()), box(box_bytes());
    world.add_models(soft, box);
    world.apply(R"({"gravity": [0, 0, -10], "contact": {"sleep": false}})");
    world.apply(R"({"add_obstacle": {"name": "floor", "shape": {"plane": {}}}})");
    world.apply(
        R"({"add": {"name": "box", "model": "box", "method": "rigid", "density": 1000, "position": [0, 0, 0.05]}})");
    ASSERT_EQ(limber_world_set_dt(world.handle, 0.001), LIMBER_OK);
    ASSERT_EQ(limber_world_step(world.handle, 2000, nullptr), LIMBER_OK);
    size_t count = 0;
    ASSERT_EQ(limber_world_contacts_count(world.handle, &count), LIMBER_OK);
    ASSERT_EQ(count, size_t(4 * LIMBER_CONTACT_NUMBERS));  // the corners of its base
    std::vector<double> numbers(count);
    ASSERT_EQ(limber_world_contacts(world.handle, numbers.data(), count), LIMBER_OK);
    const double weight = 10 * 1000 * 0.3 * 0.2 * 0.1;
    double force = 0;
    for (const double* each = numbers.data(); each != numbers.data() + count;
         each += LIMBER_CONTACT_NUMBERS) {
        EXPECT_EQ(each[0], 1);   // the box
        EXPECT_EQ(each[1], 0);   // no body
        EXPECT_EQ(each[2], 1);   // the floor
        EXPECT_EQ(each[17], 0);  // no device
        EXPECT_NEAR(std::abs(each[3]), 0.15, 1e-9);
        EXPECT_NEAR(std::abs(each[4]), 0.1, 1e-9);
        EXPECT_EQ(each[5], 0);
        EXPECT_EQ(each[8], 1);
        EXPECT_NEAR(each[11], 1e-3 * each[14], 1e-15);  // impulse and force along z
        EXPECT_GT(each[15], 0);
        EXPECT_LE(each[16], 1e-9);
        force += each[14];
    }
    EXPECT_NEAR(force, weight, 1e-6 * weight);
    const std::vector<double> sums = world.numbers(1, LIMBER_BODY_CONTACTS);
    ASSERT_EQ(sums.size(), 9u);
    EXPECT_EQ(sums[0], 4);
    EXPECT_NEAR(sums[3], force, 1e-12 * force);
    EXPECT_NEAR(sums[6], 1e-3 * force, 1e-12 * force);
    EXPECT_EQ(sums[8], 0);
    const char* text = nullptr;
    ASSERT_EQ(limber_world_contact_report(world.handle, &text), LIMBER_OK);
    const Json report = Json::parse(text);
    EXPECT_EQ(report["touching"], 4);
    for (const char* limit :
         {"not_converged", "speeds_off", "radii_unsettled", "reverted", "left_out", "cut_short", "refused"})
        EXPECT_EQ(report[limit], 0) << limit;
    world.apply(
        R"({"obstacle": "floor", "place": {"velocity": [0.5, 0, 0], "angular_velocity": [0, 0, 2]}})");
    ASSERT_EQ(limber_world_obstacles(world.handle, &text), LIMBER_OK);
    EXPECT_EQ(Json::parse(text)[0]["name"], "floor");
    ASSERT_EQ(limber_obstacle_inputs(world.handle, 1, &text), LIMBER_OK);
    const Json place = Json::parse(text)[0]["place"];
    EXPECT_EQ(place["velocity"], Json::parse("[0.5, 0.0, 0.0]"));
    EXPECT_EQ(place["angular_velocity"], Json::parse("[0.0, 0.0, 2.0]"));
    EXPECT_EQ(limber_obstacle_inputs(world.handle, 2, &text), LIMBER_REFUSED);
    EXPECT_NE(limber_world_contacts(world.handle, numbers.data(), count - 1), LIMBER_OK);
}

}  // namespace
}  // namespace limber::test
