// SPDX-License-Identifier: Apache-2.0
#include "limber/world/world.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/world/test_world.h"

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

using namespace test;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kGravity(0.1, -0.2, -0.5);
constexpr double kStep = 5e-3;  // s

TEST(World, AWorldOfOneStvkBodyIsTheBody) {
    World world({.gravity = kGravity});
    const BodyId id = added(world, {.model = soft_model(), .start = StartAcceleration::Zero});
    StvkBody body = body_of(soft_model(), {.gravity = kGravity});
    applied(world, SetForces{id, {{4, {1, 2, 3}}}, {}});
    ASSERT_TRUE(body.add_force({4, {1, 2, 3}}).ok());
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(world.step(kStep).not_converged, 0);
        body.step(kStep);
    }
    EXPECT_EQ(world.body(id)->q(), body.state().q);
    EXPECT_EQ(world.body(id)->v(), body.state().v);
    EXPECT_EQ(world.body(id)->elastic_energy(), body.elastic_energy());
    EXPECT_EQ(world.steps(), 200);
}

TEST(World, AWorldOfOneWarpedBodyIsTheBody) {
    World world({.gravity = kGravity});
    const ModelPtr model = soft_model();
    const BodyId id = added(world, {.model = model, .method = Method::Warp});
    auto made = make_warp_body(model->warp, {.gravity = kGravity});
    ASSERT_TRUE(made.ok());
    WarpBody& body = made.value();
    Constraints constraints;
    constraints.positions = {{7, {0.1, 0, 0.05}}};
    applied(world, SetConstraints{id, constraints, 0});
    ASSERT_TRUE(body.set_constraints(constraints).ok());
    for (int i = 0; i < 200; ++i) {
        world.step(kStep);
        body.step(kStep);
    }
    EXPECT_EQ(world.body(id)->q(), body.state().q);
    ASSERT_NE(world.body(id)->constraint_report(), nullptr);
    EXPECT_EQ(world.body(id)->constraint_report()->position_error, body.constraint_report().position_error);
    for (int vertex = 0; vertex < 30; ++vertex)
        EXPECT_EQ(world.body(id)->displacement(vertex), body.displacement(vertex));
}

// A turned body under turned loads moves as the upright one does.
TEST(World, APoseTurnsABodyAndNothingElse) {
    const Pose pose{{5, -3, 2}, Quaterniond(Eigen::AngleAxisd(1.1, Vector3d(1, 2, 3).normalized()))};
    for (const Method method : {Method::Stvk, Method::Warp, Method::Linear}) {
        World upright({.gravity = kGravity}), turned({.gravity = pose.orientation * kGravity});
        const ModelPtr model = soft_model();
        const BodyId a = added(upright, {.model = model, .method = method});
        const BodyId b = added(turned, {.model = model, .method = method, .pose = pose});
        const Vector3d force(1, -2, 0.5), target(0.4, 0.1, -0.2);
        applied(upright, SetForces{a, {{2, force}}, {}});
        applied(turned, SetForces{b, {{2, pose.orientation * force}}, {}});
        applied(upright, SetSprings{a, {{11, target, 20}}});
        applied(turned, SetSprings{b, {{11, pose * target, 20}}});
        for (int i = 0; i < 100; ++i) {
            upright.step(kStep);
            turned.step(kStep);
        }
        const VectorXd& q = upright.body(a)->q();
        EXPECT_GT(q.norm(), 1e-3);
        EXPECT_LE((turned.body(b)->q() - q).norm(), 1e-11 * q.norm());  // rounding of the turned loads
        EXPECT_LE((turned.body(b)->position(5) - (pose * upright.body(a)->position(5))).norm(), 1e-11);
    }
}

// stiffness (target − x), x where Newmark's method takes it (newmark.md (13)); in the frame it turns with the
// frame.
TEST(World, SpringsPullFromWhereTheBodyWillBe) {
    const Pose pose{{1, 0, 0}, Quaterniond(Eigen::AngleAxisd(0.7, Vector3d::UnitZ()))};
    World world, by_hand;
    const ModelPtr model = soft_model();
    const BodyDef def{.model = model, .pose = pose, .start = StartAcceleration::Zero};
    const BodyId a = added(world, def), b = added(by_hand, def);
    const Spring in_world{3, {0.2, 0.3, 0.4}, 15, Spring::Space::World};
    const Spring in_frame{9, {-0.5, 0.1, 0}, 8, Spring::Space::Frame};
    applied(world, SetSprings{a, {in_world, in_frame}});
    for (int i = 0; i < 50; ++i) {
        const WorldBody& body = *by_hand.body(b);
        EXPECT_LE((world.body(a)->spring_force(0) - 15 * (in_world.target - body.position(3))).norm(), 1e-9);
        const StvkState& state = std::get<StvkBody>(body.kind()).state();
        const auto stretch = [&](const Spring& spring, double h) {
            const VectorXd q = state.q + h * state.v + 0.25 * h * h * state.a;
            const Vector3d x = model->surface.vertices[std::size_t(spring.vertex)] +
                               model->surface.basis.middleRows<3>(3 * spring.vertex) * q;
            return spring.space == Spring::Space::World
                       ? Vector3d(spring.stiffness * (spring.target - pose * x))
                       : Vector3d(pose.orientation * (spring.stiffness * (spring.target - x)));
        };
        EXPECT_LE((world.body(a)->spring_force(1) - stretch(in_frame, 0)).norm(), 1e-9);
        applied(by_hand, SetForces{b, {{3, stretch(in_world, kStep)}, {9, stretch(in_frame, kStep)}}, {}});
        world.step(kStep);
        by_hand.step(kStep);
    }
    EXPECT_LE((world.body(a)->q() - by_hand.body(b)->q()).norm(), 1e-10);
    applied(world, SetSprings{a, {}});
    EXPECT_TRUE(world.body(a)->springs().empty());
}

// Hundreds of small swings on a spring, with every integrator that keeps energy. s = h² k w is 0.04, w the
// largest inverse mass of the vertex: the energy is off by s/4, 1%, and does not drift. A force from the
// start of the step is late and makes it larger by s or s/2 of itself in every step.
TEST(World, ASpringKeepsTheEnergyOfAHeldBody) {
    constexpr double kDt = 2e-3;
    struct Case {
        Method method;
        StvkIntegrator integrator;
    };
    for (const auto& [method, integrator] :
         {Case{Method::Stvk, StvkIntegrator::Newmark}, Case{Method::Stvk, StvkIntegrator::CentralDifferences},
          Case{Method::Stvk, StvkIntegrator::EnergyPreserving}, Case{Method::Warp, {}},
          Case{Method::Linear, {}}}) {
        World world;
        BodyDef def{.model = soft_model(), .method = method};
        if (method == Method::Stvk)
            def.settings = StvkSettings{.integrator = integrator, .newton = 0};
        else
            def.settings = WarpSettings{.step = OscillatorStep::ClosedForm};
        const BodyId id = added(world, def);
        const double k = 0.16 * world.body(id)->suggest_pull_stiffness(3, kDt).value();  // of s = 0.25
        const Vector3d target = world.body(id)->position(3) + Vector3d(0.005, 0.002, -0.01);
        applied(world, SetSprings{id, {{3, target, k}}});
        const auto energy = [&] {
            const WorldBody& body = *world.body(id);
            return body.kinetic_energy() + body.elastic_energy() +
                   0.5 * k * (body.position(3) - target).squaredNorm();
        };
        const double start = energy();
        double most = 0, least = start;
        for (int i = 0; i < 12600; ++i) {
            ASSERT_EQ(world.step(kDt).not_converged, 0) << i;
            most = std::max(most, energy());
            least = std::min(least, energy());
        }
        EXPECT_LE(most / start, 1.02) << static_cast<int>(integrator);
        EXPECT_GE(least / start, 0.98) << static_cast<int>(integrator);
    }
}

// Bodies that share their coefficients are evaluated together.
TEST(World, BodiesOfOneModelMoveAsIfTheyWereByThemselves) {
    constexpr int kBodies = 7;  // no whole number of registers
    const ModelPtr model = random_body_ptr(6, 1);
    for (const StvkSettings& settings :
         {StvkSettings{}, StvkSettings{.newton = 3, .alpha = 0.1, .beta = 0.002, .strain_rate = 0.001},
          StvkSettings{.newton = 0}, StvkSettings{.integrator = StvkIntegrator::BackwardEuler},
          StvkSettings{.integrator = StvkIntegrator::EnergyPreserving},
          StvkSettings{.precision = StvkPrecision::Float}}) {
        World world;
        std::vector<StvkBody> alone;
        for (int i = 0; i < kBodies; ++i) {
            const VectorXd q = random_vector(6, 100 + unsigned(i), 0.5),
                           v = random_vector(6, 200 + unsigned(i));
            const BodyId id = added(world, {.model = model, .settings = settings, .q = q, .v = v});
            applied(world, SetForces{id, {{i, {1, 2, -1}}}, {}});
            alone.push_back(body_of(model, settings));
            ASSERT_TRUE(alone.back().set_state({0, q, v, VectorXd::Zero(6)}).ok());
            ASSERT_TRUE(alone.back().add_force({i, {1, 2, -1}}).ok());
            alone.back().set_acceleration_from_forces();
        }
        for (int step = 0; step < 200; ++step) {
            ASSERT_EQ(world.step(kStep).not_converged, 0);
            for (StvkBody& body : alone)
                ASSERT_TRUE(body.step(kStep).converged);
        }
        // 200 steps of other roundings; where Newton's method ends by its tolerance, the residual differs
        // too.
        const double tolerance = settings.precision == StvkPrecision::Float ? 1e-3
                                 : settings.newton == 0                     ? 1e-6
                                                                            : 1e-12;
        for (int i = 0; i < kBodies; ++i) {
            const VectorXd& q = alone[std::size_t(i)].state().q;
            EXPECT_LE((world.bodies()[std::size_t(i)].q() - q).norm(), tolerance * q.norm());
        }
    }
}

TEST(World, ABodyWithItsOwnMaterialsStepsByItself) {
    const ModelPtr model = random_body_ptr(6, 1);
    World world;
    const BodyId first = added(world, {.model = model}), second = added(world, {.model = model});
    added(world, {.model = model, .v = random_vector(6, 5)});
    StvkBody other = body_of(model);
    StvkSettings settings = other.settings();
    settings.materials[0].young *= 2;
    applied(world, SetSettings{second, settings});
    ASSERT_TRUE(other.set(settings).ok());
    const VectorXd v = random_vector(6, 7);
    applied(world, SetState{second, {}, v, StartAcceleration::Zero});
    ASSERT_TRUE(other.set_state({0, VectorXd::Zero(6), v, VectorXd::Zero(6)}).ok());
    for (int step = 0; step < 20; ++step) {
        world.step(kStep);
        other.step(kStep);
    }
    EXPECT_EQ(world.body(second)->q(), other.state().q);
    EXPECT_EQ(world.body(first)->q().norm(), 0);
}

TEST(World, OneBodyThatBlowsUpLeavesTheOthersAsTheyAre) {
    const ModelPtr model = random_body_ptr(6, 1);
    World world, quiet;
    const VectorXd v = random_vector(6, 3);
    const BodyId id = added(world, {.model = model, .v = v});
    added(world, {.model = model, .v = VectorXd::Constant(6, 1e300)});
    const BodyId same = added(quiet, {.model = model, .v = v});
    EXPECT_EQ(world.step(kStep).not_converged, 1);
    EXPECT_EQ(world.bodies()[1].report().problem, StepProblem::BlowUp);
    quiet.step(kStep);
    for (int step = 0; step < 20; ++step) {
        world.step(kStep);
        quiet.step(kStep);
    }
    EXPECT_LE((world.body(id)->q() - quiet.body(same)->q()).norm(), 1e-12 * quiet.body(same)->q().norm());
    EXPECT_TRUE(world.bodies()[1].q().allFinite());
    EXPECT_EQ(world.time(), quiet.time());  // the clock goes on
}

TEST(World, PointsHaveTheVelocityOfTheirPositions) {
    World world({.gravity = kGravity});
    const BodiesOfEveryKind bodies(world);
    const Shake shake{Vector3d::UnitY(), 0.1, 2, 10};
    for (const BodyId id : {bodies.stvk, bodies.warp})
        applied(world, SetSupport{id,
                                  {{0.1, 0.2, 0.3}, Quaterniond::Identity()},
                                  {.velocity = {1, -2, 3}, .angular_velocity = {0, 0, 0}}});
    applied(world, FollowPath{bodies.linear, shake});
    for (int i = 0; i < 40; ++i)
        world.step(kStep);
    // Backward over a short step from here: the velocity at its end, to first order in the step.
    for (const BodyId id : bodies.all()) {
        WorldState state = world.save();
        const Vector3d before = world.body(id)->position(6), v = world.body(id)->velocity(6);
        const double h = 1e-6;
        world.step(h);
        Vector3d moved = (world.body(id)->position(6) - before) / h;
        // A support that is set stands where it is, whatever its velocity.
        if (id == bodies.stvk || id == bodies.warp) moved += Vector3d(1, -2, 3);
        EXPECT_LE((moved - v).norm(), 1e-3 * (1 + v.norm())) << world.body(id)->name();
        ASSERT_TRUE(world.restore(state).ok());
    }
}

TEST(World, ABodyOnAMovedSupportIsPushedByItsInertia) {
    const FrameMotion motion{.orientation = Quaterniond(Eigen::AngleAxisd(0.4, Vector3d::UnitX())),
                             .acceleration = {1, 2, -1}};
    for (const Method method : {Method::Stvk, Method::Warp}) {
        World world({.gravity = kGravity});
        const ModelPtr model = soft_model();
        const BodyId id = added(world, {.model = model, .method = method, .start = StartAcceleration::Zero});
        applied(world, SetSupport{id, {{1, 1, 1}, motion.orientation}, motion});
        const auto compare = [&](auto body) {
            ASSERT_TRUE(body.set_frame(motion).ok());
            for (int i = 0; i < 50; ++i) {
                world.step(kStep);
                body.step(kStep);
            }
            EXPECT_LE((world.body(id)->q() - body.state().q).norm(), 1e-13 * body.state().q.norm());
        };
        if (method == Method::Stvk)
            compare(body_of(model, {.gravity = kGravity}));
        else
            compare(body_of(WarpModel(*model->warp), {.gravity = kGravity}));
        EXPECT_LE((world.body(id)->pose().position - Vector3d(1, 1, 1)).norm(), 0);
    }
}

TEST(World, ASupportFollowsItsPathAndStands) {
    World world;
    const ModelPtr model = soft_model();
    const BodyId id = added(world, {.model = model, .method = Method::Warp});
    PosePath path;
    path.rate = 10;
    for (int i = 0; i <= 10; ++i)
        path.poses.push_back({{0.1 * i, 0, 0}, Quaterniond::Identity()});
    applied(world, FollowPath{id, path});
    for (int i = 0; i < 100; ++i)
        world.step(0.01);
    EXPECT_NEAR(world.body(id)->pose().position.x(), 1, 1e-12);
    EXPECT_GT(world.body(id)->q().norm(), 0);
    for (int i = 0; i < 10; ++i)
        world.step(0.01);
    EXPECT_NEAR(world.body(id)->pose().position.x(), 1, 1e-12);
    EXPECT_FALSE(world.body(id)->support().path.has_value());
}

TEST(World, ConstraintsAreApproachedSmoothly) {
    World world;
    const BodyId id = added(world, {.model = soft_model(), .method = Method::Warp});
    Constraints wanted;
    wanted.positions = {{7, {0.2, 0.1, 0}}};
    wanted.positions_by = PositionMethod::Newton;
    applied(world, SetConstraints{id, wanted, 0.06});
    world.step(kStep);
    const Vector3d after_one = world.body(id)->constraints()->positions[0].displacement;
    EXPECT_LT(after_one.norm(), 0.1 * wanted.positions[0].displacement.norm());
    for (int i = 0; i < 400; ++i)
        world.step(kStep);
    EXPECT_EQ(world.body(id)->constraints()->positions[0].displacement, wanted.positions[0].displacement);
    EXPECT_LE(world.body(id)->constraint_report()->position_error, 1e-6);
    applied(world, SetConstraints{id, {}, 0.06});
    EXPECT_EQ(world.body(id)->constraints(), nullptr);
}

TEST(World, ReleasedBodiesBeginInBalance) {
    World world({.gravity = kGravity});
    const ModelPtr model = soft_model();
    const std::vector<VertexForce> forces = {{4, {0.3, 0, 0.2}}};
    const BodyId id = added(world, {.model = model, .release = forces});
    EXPECT_TRUE(world.body(id)->report().converged);
    EXPECT_GT(world.body(id)->q().norm(), 0);
    // Held, it stays.
    const VectorXd q = world.body(id)->q();
    applied(world, SetForces{id, forces, {}});
    for (int i = 0; i < 50; ++i)
        world.step(kStep);
    EXPECT_LE((world.body(id)->q() - q).norm(), 1e-8 * q.norm());  // the tolerance of the balance
}

TEST(World, AStepAllocatesNothing) {
    World world({.gravity = kGravity});
    const BodiesOfEveryKind bodies(world);
    Constraints constraints;
    constraints.positions = {{7, {0.1, 0, 0.05}}};
    constraints.orientations = {{9, Quaterniond(Eigen::AngleAxisd(0.2, Vector3d::UnitX()))}};
    applied(world, SetConstraints{bodies.warp, constraints, 0.05});
    applied(world, SetSprings{bodies.stvk, {{3, {1, 1, 1}, 5}}});
    applied(world, SetSprings{bodies.rigid, {{3, {1, 1, 1}, 5}}});
    applied(world, FollowPath{bodies.linear, Shake{Vector3d::UnitY(), 0.1, 2, 10}});
    for (int i = 0; i < 3; ++i)
        world.step(kStep);
    const long before = allocations_so_far();
    for (int i = 0; i < 20; ++i)
        world.step(i % 2 ? kStep : 2 * kStep);
    EXPECT_EQ(allocations_so_far(), before);
}

TEST(World, ATrialUnderAnImpulseIsAForceThroughTheStep) {
    for (const StvkIntegrator integrator : {StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving,
                                            StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences}) {
        StvkSettings settings;
        settings.integrator = integrator;
        StvkBody asked = body_of(soft_model(), settings), pushed = body_of(soft_model(), settings);
        const VectorXd impulse = random_vector(6, 4, 0.01), other = random_vector(6, 5);
        asked.trial(kStep, &other);
        EXPECT_EQ(asked.state().q.norm(), 0);  // nothing happened yet
        asked.trial(kStep, &impulse);
        asked.commit();
        // Newmark's and the explicit velocity take half of the force at the end, and the rest a step later.
        const bool half =
            integrator == StvkIntegrator::Newmark || integrator == StvkIntegrator::CentralDifferences;
        ASSERT_TRUE(pushed.add_reduced_force((half ? 2 : 1) / kStep * impulse).ok());
        pushed.step(kStep);
        EXPECT_LE((asked.state().q - pushed.state().q).norm(), 1e-14 * pushed.state().q.norm());
        EXPECT_LE((asked.state().v - pushed.state().v).norm(), 1e-13 * pushed.state().v.norm());
        if (!half) continue;
        // What is kept for the next step is without it.
        EXPECT_LT(asked.state().a.norm(), 0.9 * pushed.state().a.norm());
    }

    WarpBody modes = body_of(random_warp_model(5, 12, 30)), same = modes.clone();
    const VectorXd push = random_vector(5, 6, 0.01);
    modes.trial(kStep);
    modes.trial(kStep, &push);
    modes.commit();
    ASSERT_TRUE(same.add_modal_force(push / kStep).ok());
    same.step(kStep);
    EXPECT_LE((modes.state().q - same.state().q).norm(), 1e-14 * same.state().q.norm());
}

TEST(World, BadInputIsRefusedAndChangesNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    World world({.gravity = kGravity}), other;
    const BodiesOfEveryKind bodies(world);
    const BodyId gone = added(world, {.model = bodies.soft});
    ASSERT_TRUE(world.remove(gone).ok());
    const BodyId foreign = added(other, {.model = bodies.soft});
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    const std::vector<double> before = numbers_of(world);
    const Pose nowhere{{nan, 0, 0}, Quaterniond::Identity()};
    Constraints far;
    far.positions = {{7, {nan, 0, 0}}};
    Constraints fine;
    fine.positions = {{7, {0.1, 0, 0}}};
    const std::vector<Input> refused = {
        BodyDef{.name = "x", .model = nullptr},
        BodyDef{.name = "stvk", .model = bodies.soft},
        BodyDef{.name = "x", .model = bodies.box},
        BodyDef{.name = "x", .model = bodies.box, .method = Method::Warp},
        BodyDef{.name = "x", .model = bodies.soft, .method = Method::Rigid},
        BodyDef{.name = "x", .model = bodies.soft, .pose = nowhere},
        BodyDef{.name = "x", .model = bodies.soft, .q = VectorXd::Zero(3)},
        BodyDef{.name = "x", .model = bodies.soft, .settings = RigidSettings{}},
        BodyDef{.name = "x", .model = bodies.soft, .settings = StvkSettings{.alpha = -1}},
        BodyDef{.name = "x", .model = bodies.soft, .q = VectorXd::Ones(6), .release = {{0, {1, 0, 0}}}},
        BodyDef{.name = "x", .model = bodies.soft, .release = {{99, {1, 0, 0}}}},
        BodyDef{.name = "x", .model = bodies.box, .method = Method::Rigid, .angular_velocity = {nan, 0, 0}},
        RemoveBody{gone},
        RemoveBody{foreign},
        RemoveBody{},
        SetGravity{{0, nan, 0}},
        SetSettings{bodies.stvk, WarpSettings{}},
        SetSettings{bodies.stvk, StvkSettings{.newton = -1}},
        SetSettings{bodies.rigid, RigidSettings{.density = 0}},
        SetSettings{foreign, StvkSettings{}},
        SetState{bodies.stvk, VectorXd::Constant(6, nan), {}},
        SetState{bodies.rigid, VectorXd::Ones(6), {}},
        SetState{bodies.warp, VectorXd::Ones(4), {}},
        PlaceBody{bodies.stvk, nowhere},
        PlaceBody{bodies.stvk, {}, {1, 0, 0}},
        PlaceBody{bodies.rigid, {}, {nan, 0, 0}},
        SetForces{bodies.stvk, {{30, {1, 0, 0}}}, {}},
        SetForces{bodies.stvk, {{3, {1, nan, 0}}}, {}},
        SetForces{bodies.stvk, {}, VectorXd::Ones(5)},
        SetForces{bodies.rigid, {}, VectorXd::Ones(6)},
        SetForces{gone, {}, {}},
        SetSprings{bodies.stvk, {{-1, {0, 0, 0}, 1}}},
        SetSprings{bodies.stvk, {{3, {nan, 0, 0}, 1}}},
        SetSprings{bodies.stvk, {{3, {0, 0, 0}, -1}}},
        SetSprings{bodies.stvk, {{3, {0, 0, 0}, 1e300}}},
        SetSprings{bodies.stvk, {{3, {0, 1e300, 0}, 1}}},
        SetConstraints{bodies.stvk, fine, 0},
        SetConstraints{bodies.warp, far, 0},
        SetConstraints{bodies.warp, fine, -1},
        SetConstraints{bodies.warp, fine, nan},
        SetSupport{bodies.rigid, {}, {}},
        SetSupport{bodies.warp, nowhere, {}},
        SetSupport{bodies.warp, {}, {.acceleration = {nan, 0, 0}}},
        FollowPath{bodies.warp, PosePath{}},
        FollowPath{bodies.warp, Shake{{2, 0, 0}, 1, 1, 1}},
        FollowPath{bodies.rigid, Shake{}},
        FollowPath{bodies.warp, Shake{}, -1},
    };
    for (std::size_t i = 0; i < refused.size(); ++i) {
        const Status done = world.apply(refused[i]);
        ASSERT_FALSE(done.ok()) << i;
        EXPECT_FALSE(done.error().problem.empty()) << i;
    }
    for (const double dt : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
        EXPECT_EQ(world.step(dt).not_converged, 5);
    EXPECT_EQ(numbers_of(world), before);
    EXPECT_EQ(world.body(gone), nullptr);
    EXPECT_EQ(world.body(foreign), nullptr);
    EXPECT_FALSE(world.restore(WorldState()).ok());
    EXPECT_FALSE(world.restore(other.save()).ok());
    EXPECT_EQ(numbers_of(world), before);
    // And goes on as if nothing had been asked.
    World same({.gravity = kGravity});
    const BodiesOfEveryKind twins(same);
    for (int i = 0; i < 5; ++i)
        same.step(kStep);
    world.step(kStep);
    same.step(kStep);
    EXPECT_EQ(numbers_of(world), numbers_of(same));
}

TEST(World, IdsAreNeverGivenTwice) {
    World world;
    const ModelPtr model = soft_model();
    const BodyId first = added(world, {.model = model});
    const WorldState state = world.save();
    const BodyId second = added(world, {.model = model});
    ASSERT_TRUE(world.restore(state).ok());
    EXPECT_NE(world.body(first), nullptr);
    EXPECT_EQ(world.body(second), nullptr);
    const BodyId third = added(world, {.model = model});
    EXPECT_NE(third, second);
    ASSERT_TRUE(world.remove(third).ok());
    EXPECT_NE(added(world, {.model = model}), third);
    EXPECT_LT(first, third);
}

}  // namespace
}  // namespace limber
