// SPDX-License-Identifier: Apache-2.0
// Contact in a world. Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_law.h"
#include "limber/world/world.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/world/contact_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using test::add_box;
using test::add_floor;
using test::mass_of;
using test::steps;

ContactSettings awake(double dissipation = 1, double friction = 0.5) {
    ContactSettings settings;
    settings.dissipation = dissipation;
    settings.friction = friction;
    settings.sleep = Sleeping::Off;
    return settings;
}

TEST(Contact, ABlockAtRestIsCarriedByItsWeight) {
    World world({.gravity = test::kDown, .contact = awake()});
    add_floor(world);
    const BodyId box = add_box(world, {.place = {0, 0, 0.0501}});
    steps(world, 2000);
    const double weight = 9.81 * mass_of(world, box);
    const BodyContacts& contacts = world.body(box)->contacts();
    EXPECT_NEAR(contacts.force.z(), weight, 1e-6 * weight);
    EXPECT_LE(contacts.force.head<2>().norm(), 1e-6 * weight);
    // Automatic: 10⁻⁴ of its height or so.
    EXPECT_GT(contacts.depth, 0);
    EXPECT_LE(contacts.depth, 1e-4);
    EXPECT_LE(world.body(box)->kinetic_energy(), 1e-15);
    EXPECT_GE(world.contacts().size(), 3u);
    Vector3d sum = Vector3d::Zero();
    for (const WorldContact& each : world.contacts()) {
        EXPECT_EQ(each.a, box);
        EXPECT_EQ(each.b.number, 0u);
        sum += each.force;
    }
    EXPECT_LE((sum - contacts.force).norm(), 1e-12 * weight);
}

TEST(Contact, ImpulsesAreTheChangeOfMomentum) {
    World world({.gravity = test::kDown, .contact = awake(0.5, 0.7)});
    add_floor(world, 0.3);
    const BodyId box = add_box(world, {.place = {0, 0, 0.3},
                                       .turned = Quaterniond(AngleAxisd(0.5, Vector3d(1, 1, 0).normalized())),
                                       .velocity = {1, 0.5, -2},
                                       .spin = {3, -5, 2}});
    const double mass = mass_of(world, box), dt = 1e-3;
    const Vector3d size = test::BoxAt{}.size, squares = size.cwiseAbs2();
    const Vector3d inertia = mass / 12 * (Vector3d::Constant(squares.sum()) - squares);
    bool touched = false;
    for (int i = 0; i < 1000; ++i) {
        const RigidState before = *world.body(box)->rigid_state();
        world.step(dt);
        const RigidState after = *world.body(box)->rigid_state();
        // The half-drifted pose, where impulses act: section 4.
        const Vector3d centre = before.position + 0.5 * dt / mass * before.momentum;
        const Vector3d spin =
            (before.orientation.conjugate() * before.angular_momentum).cwiseQuotient(inertia);
        const Quaterniond turned = before.orientation * exp_rotation(0.5 * dt * spin);
        Vector3d impulse = Vector3d::Zero(), angular = centre.cross(dt * mass * test::kDown);
        for (const WorldContact& contact : world.contacts()) {
            // The corner of the box; the position is below it on the floor.
            const Vector3d local = turned.conjugate() * (contact.position - centre);
            const Vector3d corner = 0.5 * size.cwiseProduct(local.array().sign().matrix());
            const Vector3d at = centre + turned * corner;
            ASSERT_LE((at - contact.position).cross(contact.normal).norm(), 1e-12);
            impulse += contact.impulse;
            angular += at.cross(contact.impulse);
            touched |= contact.impulse.norm() > 0;
        }
        const Vector3d gained = after.momentum - before.momentum - dt * mass * test::kDown;
        EXPECT_LE((gained - impulse).norm(), 1e-10 * (before.momentum.norm() + impulse.norm()));
        EXPECT_LE((world.body(box)->contacts().impulse - impulse).norm(), 1e-12 * (1 + impulse.norm()));
        const auto about_origin = [](const RigidState& s) -> Vector3d {
            return s.position.cross(s.momentum) + s.angular_momentum;
        };
        EXPECT_LE((about_origin(after) - about_origin(before) - angular).norm(),
                  1e-10 * (about_origin(before).norm() + angular.norm()));
    }
    EXPECT_TRUE(touched);
}

struct Slope {
    double friction;
    World world{{.gravity = test::kDown, .contact = awake()}};
    BodyId box;
    Vector3d down;

    explicit Slope(double mu) : friction(mu) {
        const double tilt = std::atan(0.5);
        const Quaterniond turned(AngleAxisd(tilt, Vector3d::UnitY()));
        add_floor(world, tilt, mu);
        box = add_box(world, {.place = turned * Vector3d(0, 0, 0.05), .turned = turned, .touch = {mu}});
        down = turned * Vector3d::UnitX();
    }
    double place() const { return world.body(box)->rigid_state()->position.dot(down); }
};

TEST(Contact, ABlockSticksOnASlopeBelowItsFrictionAngle) {
    Slope slope(0.51);
    steps(slope.world, 1000);
    const double start = slope.place();
    steps(slope.world, 60000);
    EXPECT_LE(std::abs(slope.place() - start), 1e-9);  // no creep; asked for: 1e-5 m
}

TEST(Contact, ABlockSlidesDownASlopeAboveItsFrictionAngle) {
    Slope slope(0.49);
    steps(slope.world, 500);
    const double x0 = slope.place();
    const double v0 = slope.world.body(slope.box)->rigid_state()->momentum.dot(slope.down) /
                      mass_of(slope.world, slope.box);
    steps(slope.world, 1000);
    const double tilt = std::atan(0.5), expected = 9.81 * (std::sin(tilt) - 0.49 * std::cos(tilt));
    EXPECT_NEAR(2 * (slope.place() - x0 - v0), expected, 1e-3 * expected);  // asked for: 1e-2
}

// d v (1 + e) = ln((1 + d v)/(1 − d e v))                                                            (43)
double restitution(double d, double v) {
    if (d == 0) return 1;
    double low = 0, high = std::min(1.0, 1 / (d * v));
    for (int i = 0; i < 100; ++i) {
        const double e = 0.5 * (low + high);
        (d * v * (1 + e) > std::log((1 + d * v) / (1 - d * e * v)) ? low : high) = e;
    }
    return low;
}

TEST(Contact, ABlockBouncesAsTheDissipationSays) {
    for (const double d : {0.0, 0.3, 1.0}) {
        World world({.contact = awake(d, 0)});  // weightless
        // Soft enough for a dozen steps in contact.
        ContactSettings settings = awake(d, 0);
        settings.stiffness = 1e6;
        test::applied(world, SetContact{settings});
        add_floor(world);
        const BodyId box = add_box(world, {.place = {0, 0, 0.06}, .velocity = {0, 0, -1}});
        const double before = world.body(box)->kinetic_energy();
        double largest = 0;
        for (int i = 0; i < 100; ++i) {
            steps(world, 1);
            largest = std::max(largest, world.body(box)->kinetic_energy());
        }
        const double e = world.body(box)->rigid_state()->momentum.z() / mass_of(world, box);
        EXPECT_NEAR(e, restitution(d, 1), 0.05) << d;
        // At the turning point at most three steps are slow (ωh v = 0.1 m/s each): they look half a step
        // ahead, which takes up to ½ k h² v_rest² each of the ½ m v² = 2 J, and half of that share of e.
        if (d == 0) {
            const double share = 0.5 * 1e6 * 0.04 * 1e-6 * kRestSpeed * kRestSpeed / before;
            EXPECT_NEAR(e, 1, 3 * 0.5 * share);
        }
        EXPECT_LE(largest, before * (1 + 1e-4));
    }
}

TEST(Contact, FrictionlessBouncesNeverGainEnergy) {
    World world({.gravity = test::kDown, .contact = awake(0, 0)});
    add_floor(world);
    const BodyId box =
        add_box(world, {.place = {0, 0, 0.5}, .turned = Quaterniond(0.9, 0.3, 0.2, 0.1).normalized()});
    const double mass = mass_of(world, box);
    const auto energy = [&] {
        const WorldBody& body = *world.body(box);
        return body.kinetic_energy() + mass * 9.81 * body.rigid_state()->position.z();
    };
    const double start = energy();
    double most = start;
    for (int i = 0; i < 5000; ++i) {
        steps(world, 1);
        most = std::max(most, energy());
    }
    EXPECT_LE(most, start * (1 + 1e-4));
}

TEST(Contact, ABodyHalfSunkLeavesNoFasterThanTheDissipationAllows) {
    for (const double d : {0.5, 1.0, 2.0}) {
        World world({.contact = awake(d, 0.5)});
        add_floor(world);
        const BodyId box = add_box(world, {.place = {0, 0, 0}});
        double fastest = 0;
        for (int i = 0; i < 500; ++i) {
            steps(world, 1);
            fastest = std::max(fastest, world.body(box)->rigid_state()->momentum.z() / mass_of(world, box));
        }
        EXPECT_LE(fastest, 1.2 / d);
        EXPECT_GE(world.body(box)->rigid_state()->position.z(), 0.05);
    }
}

TEST(Contact, ABeltCarriesABlockByFriction) {
    World world({.gravity = test::kDown, .contact = awake()});
    const ObstacleId floor = add_floor(world);
    const BodyId box = add_box(world, {.place = {0, 0, 0.05}});
    FrameMotion motion;
    motion.velocity = {0.5, 0, 0};
    test::applied(world, MoveObstacle{floor, {}, motion});
    steps(world, 1000);
    EXPECT_NEAR(world.body(box)->rigid_state()->momentum.x() / mass_of(world, box), 0.5, 1e-6);
}

TEST(Contact, LayersAndSwitchesLetBodiesThrough) {
    World world({.gravity = test::kDown});
    ObstacleDef def;
    def.shape = PlaneShape{};
    def.layers = 2;
    test::added(world, def);
    const BodyId through = add_box(world, {.place = {0, 0, 0.06}, .touch = {.layers = 1}});
    const BodyId held = add_box(world, {.place = {5, 0, 0.06}, .touch = {.layers = 3}});
    steps(world, 500);
    EXPECT_LT(world.body(through)->rigid_state()->position.z(), -1);
    EXPECT_NEAR(world.body(held)->rigid_state()->position.z(), 0.05, 1e-3);
    test::applied(world, SetContact{std::nullopt});
    steps(world, 500);
    EXPECT_LT(world.body(held)->rigid_state()->position.z(), -1);
}

TEST(Contact, ABlockAtRestFallsAsleepAndWakes) {
    World world({.gravity = test::kDown});
    const ObstacleId floor = add_floor(world);
    const BodyId box = add_box(world, {.place = {0, 0, 0.051}});
    steps(world, 3000);
    EXPECT_TRUE(world.body(box)->asleep());
    EXPECT_EQ(world.report().contact.asleep, 1);
    EXPECT_NEAR(world.body(box)->contacts().force.z(), 9.81 * mass_of(world, box), 1e-2);
    EXPECT_GE(world.contacts().size(), 3u);
    const Vector3d place = world.body(box)->rigid_state()->position;
    steps(world, 100);
    EXPECT_EQ(world.body(box)->rigid_state()->position, place);
    ASSERT_TRUE(world.remove(floor).ok());
    EXPECT_FALSE(world.body(box)->asleep());
    steps(world, 100);
    EXPECT_LT(world.body(box)->rigid_state()->position.z(), place.z() - 0.04);
}

TEST(Contact, SavedInMidCollisionItGoesOnBitByBit) {
    World world({.gravity = test::kDown, .contact = awake(0.3, 0.6)});
    add_floor(world, 0.2);
    add_box(world, {.place = {0, 0, 0.2}, .turned = Quaterniond(0.9, 0.3, 0.2, 0.1).normalized()});
    for (int i = 0; i < 2000 && world.report().contact.touching == 0; ++i)
        world.step(1e-3);
    ASSERT_GT(world.report().contact.touching, 0);
    const WorldState state = world.save();
    World copy = world.clone();
    steps(world, 300);
    steps(copy, 300);
    const std::vector<double> end = test::numbers_of(world);
    EXPECT_EQ(test::numbers_of(copy), end);
    ASSERT_TRUE(world.restore(state).ok());
    steps(world, 300);
    EXPECT_EQ(test::numbers_of(world), end);
}

TEST(Contact, AStepWithContactAllocatesNothing) {
    World world({.gravity = test::kDown, .contact = awake()});
    add_floor(world, 0.1);
    for (int i = 0; i < 5; ++i)
        add_box(world, {.place = {0, 0.5 * i, 0.06}});  // along the level lines
    steps(world, 300);
    ASSERT_GE(world.report().contact.touching, 15);
    const long before = test::allocations_so_far();
    for (int i = 0; i < 100; ++i)
        world.step(1e-3);
    EXPECT_EQ(test::allocations_so_far(), before);
}

TEST(Contact, BadInputIsRefusedAndChangesNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    World world;
    const auto refused = [&](const Input& input) {
        const Status done = world.apply(input);
        EXPECT_FALSE(done.ok());
        return done.ok() ? std::string() : done.error().where;
    };
    ContactSettings settings;
    for (const double stiffness : {0.0, -1.0, 1e30, nan}) {
        settings = {};
        settings.stiffness = stiffness;
        EXPECT_EQ(refused(SetContact{settings}), "contact.stiffness");
    }
    settings = {};
    settings.friction = -0.1;
    EXPECT_EQ(refused(SetContact{settings}), "contact.friction");
    settings = {};
    settings.dissipation = nan;
    EXPECT_EQ(refused(SetContact{settings}), "contact.dissipation");
    settings = {};
    settings.margin = 0;
    EXPECT_EQ(refused(SetContact{settings}), "contact.margin");
    ObstacleDef def;
    def.shape = SphereShape{0};
    refused(def);
    def.shape = BoxShape{{1, 0, 1}};
    refused(def);
    def.shape = MeshShape{};
    refused(def);
    def.shape = PlaneShape{};
    def.friction = -1;
    refused(def);
    def.friction = {};
    def.pose.position.x() = nan;
    refused(def);
    EXPECT_TRUE(world.obstacles().empty());
    EXPECT_FALSE(world.contact_settings());
    refused(RemoveObstacle{{1, 1}});
    const ObstacleId floor = add_floor(world);
    refused(MoveObstacle{floor, {{nan, 0, 0}, Quaterniond::Identity()}, {}});
    def = {};
    def.name = "floor";
    refused(def);
    EXPECT_TRUE(world.contact_settings());
    // A warped body in closed form takes no contact.
    WarpSettings closed;
    closed.step = OscillatorStep::ClosedForm;
    BodyDef warped{.name = "warped", .model = test::soft_model(), .method = Method::Warp, .settings = closed};
    EXPECT_EQ(refused(warped), "body warped: step");
    warped.touch.layers = 0;
    const BodyId id = test::added(world, warped);
    EXPECT_EQ(refused(SetTouch{id, {}}), "body warped: step");
}

}  // namespace
}  // namespace limber
