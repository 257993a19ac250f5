// SPDX-License-Identifier: Apache-2.0
// Trees of domains that touch: bodies, obstacles, each other. docs/math/contact.md, section 5.
#include "branching.h"

#include "../../limber/rigid/box_surface.h"

#include <limber/contact/tree_coordinates.h>
#include <limber/domains/domains_body.h>
#include <limber/world/world.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

namespace limber::build::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kGravity = 9.81;

// A column of 0.2 x 0.2 x 0.9 m, in so many domains one above the other, fixed at z = 0.
std::shared_ptr<const Model> column(int domains, double young = 2e6) {
    std::vector<Block> blocks;
    for (int k = 0; k < domains; ++k)
        blocks.push_back({{0, 0, 9 * k / domains}, {2, 2, 9 * (k + 1) / domains}, k});
    return built_tree(blocks_mesh(blocks, 0.1, {.young = young, .poisson = 0.3, .density = 1000}), 10)
        .built.model;
}

BodyId added(World& world, BodyDef def) {
    const Result<BodyId> made = world.add(std::move(def));
    EXPECT_TRUE(made.ok()) << made.error().where << ": " << made.error().problem;
    return made.ok() ? made.value() : BodyId{};
}

BodyId add_tree(World& world, std::shared_ptr<const Model> model, const Pose& pose = {}, double beta = 0.01) {
    BodyDef def;
    def.model = std::move(model);
    def.method = Method::Domains;
    def.pose = pose;
    DomainsSettings settings;
    settings.beta = beta;
    def.settings = settings;
    return added(world, std::move(def));
}

BodyId add_box(World& world, const Vector3d& size, const Vector3d& place, double density = 500) {
    BodyDef def;
    def.model = limber::test::box_model(size);
    def.method = Method::Rigid;
    def.settings = RigidSettings{.density = density};
    def.pose.position = place;
    return added(world, std::move(def));
}

World world_with_contact(Sleeping sleep = Sleeping::Off) {
    ContactSettings contact;
    contact.sleep = sleep;
    return World({.gravity = Vector3d(0, 0, -kGravity), .contact = contact});
}

void run(World& world, double seconds, double dt = 1e-3) {
    for (int k = 0; k < int(std::lround(seconds / dt)); ++k) {
        world.step(dt);
        ASSERT_EQ(world.report().not_converged, 0) << k;
        ASSERT_EQ(world.report().contact.not_converged, 0) << k;
    }
}

TEST(TreeContact, AColumnOfThreeDomainsCarriesTheWeightOfABox) {
    World world = world_with_contact();
    const BodyId tree = add_tree(world, column(3));
    const BodyId box = add_box(world, {0.15, 0.15, 0.1}, {0.1, 0.1, 0.951});
    run(world, 2);
    const double weight = 500 * 0.15 * 0.15 * 0.1 * kGravity;
    const BodyContacts on_box = world.body(box)->contacts(), on_tree = world.body(tree)->contacts();
    std::printf("force over weight - 1: %.1e, points %d, depth %.1e m\n", on_box.force.z() / weight - 1,
                on_box.points, on_box.depth);
    EXPECT_NEAR(on_box.force.z(), weight, 1e-3 * weight);
    EXPECT_LE((on_box.force + on_tree.force).norm(), 1e-12 * weight);
    EXPECT_LE(on_box.depth, 1e-3);
}

// Each step the box's momentum changes by its weight and the impulses that are told; a box that is dropped
// comes to rest on the tree and does not fall through it.
TEST(TreeContact, ABoxThatIsDroppedOnATreeStaysThere) {
    World world = world_with_contact();
    add_tree(world, column(3));
    const BodyId box = add_box(world, {0.12, 0.12, 0.12}, {0.1, 0.1, 1.2});
    const double mass = world.body(box)->flight()->mass;
    Vector3d momentum = Vector3d::Zero();
    bool touched = false;
    for (int k = 0; k < 2000; ++k) {
        world.step(1e-3);
        ASSERT_EQ(world.report().not_converged, 0) << k;
        const Vector3d next = mass * world.body(box)->flight()->velocity;
        const Vector3d impulse = world.body(box)->contacts().impulse;
        touched |= impulse.norm() > 0;
        const Vector3d expected = momentum + impulse + Vector3d(0, 0, -mass * kGravity * 1e-3);
        EXPECT_LE((next - expected).norm(), 1e-10 * mass);  // of 1 m/s
        momentum = next;
    }
    EXPECT_TRUE(touched);
    const double height = world.body(box)->pose().position.z();
    EXPECT_GT(height, 0.93);
    EXPECT_LT(height, 0.97);
}

// The part of a tree of one domain is a model by itself. Its energy-preserving step and the midpoint rule of
// trees are both of second order, so the heights of a box that falls on them differ by O(dt²).
TEST(TreeContact, ATreeOfOneDomainTouchesLikeANonlinearBody) {
    const auto model = column(1);
    const auto part = model->domains->parts[0].model;
    // By mass: that by stiffness is of the shape at rest in trees, of the present one in other bodies.
    constexpr double kDamping = 100;  // 1/s
    struct Fall {
        std::vector<double> heights;
        double force;  // on the column, at the end
    };
    const auto fall_on = [&](Method method, double height, double dt, double seconds) {
        World world = world_with_contact();
        BodyDef def;
        def.model = method == Method::Domains ? model : part;
        def.method = method;
        def.mount = Mount::Fixed;
        // Newton's method far below the error of the steps: what is left is the difference of the two rules.
        if (method == Method::Domains) {
            DomainsSettings settings;
            settings.alpha = kDamping;
            settings.tolerance = 1e-9;
            def.settings = settings;
        } else {
            StvkSettings settings;
            settings.integrator = StvkIntegrator::EnergyPreserving;
            settings.alpha = kDamping;
            settings.tolerance = 1e-9;
            for (const ModelGroup& group : part->groups)
                settings.materials.push_back(group.material);
            def.settings = settings;
        }
        // The tree's frame is that of the root: where the part's own origin is.
        const BodyId soft = added(world, def);
        const BodyId box = add_box(world, {0.15, 0.15, 0.1}, {0.12, 0.1, height});
        Fall out;
        for (int k = 0; k < int(std::lround(seconds / dt)); ++k) {
            world.step(dt);
            out.heights.push_back(world.body(box)->pose().position.z());
        }
        out.force = world.body(soft)->contacts().force.z();
        return out;
    };
    // The worst over falls that meet the column at ten moments of a step: at 1 m/s a step is 1 mm. Until 90
    // ms after the first touch; each later impact of a box off the centre multiplies whatever difference
    // there is, by an amount that depends on the start.
    const auto worst_with = [&](double dt) {
        double worst = 0;
        for (int k = 0; k < 10; ++k) {
            const double height = 1 + 1e-4 * k;
            const Fall tree = fall_on(Method::Domains, height, dt, 0.19);
            const Fall plain = fall_on(Method::Stvk, height, dt, 0.19);
            for (std::size_t i = 0; i < tree.heights.size(); ++i)
                worst = std::max(worst, std::abs(tree.heights[i] - plain.heights[i]));
        }
        return worst;
    };
    const double worst = worst_with(1e-3), finer = worst_with(5e-4);
    const Fall tree = fall_on(Method::Domains, 1, 1e-3, 0.4), plain = fall_on(Method::Stvk, 1, 1e-3, 0.4);
    std::printf("heights differ by %.1e m, with half the step by %.1e m, the last force by %.1e\n", worst,
                finer, tree.force / plain.force - 1);
    EXPECT_LE(worst, 2e-5);
    EXPECT_LE(finer, worst / 3);                     // second order: a quarter
    EXPECT_NEAR(tree.force / plain.force, 1, 1e-3);  // at rest both carry the box
}

// Two columns, one upright and one across above it, which sags onto it.
TEST(TreeContact, TreesRestOnOneAnother) {
    World world = world_with_contact();
    const auto model = column(3, 4e5);
    const BodyId upright = add_tree(world, column(2));
    const Pose across{{-0.55, 0.0, 1.14},
                      Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitY()))};
    const BodyId lying = add_tree(world, model, across);
    run(world, 2);
    const Vector3d up = world.body(lying)->contacts().force, down = world.body(upright)->contacts().force;
    std::printf("force %.3f N, depth %.1e m\n", up.z(), world.report().contact.depth);
    EXPECT_GT(up.z(), 1);
    EXPECT_LE((up + down).norm(), 1e-10 * up.norm());
    EXPECT_LE(world.report().contact.depth, 2e-3);
    for (const WorldContact& contact : world.contacts())
        EXPECT_TRUE(contact.a == upright && contact.b == lying);
}

std::vector<double> numbers_of(const World& world) {
    std::vector<double> out = {world.time()};
    for (const WorldBody& body : world.bodies()) {
        out.insert(out.end(), body.q().begin(), body.q().end());
        out.insert(out.end(), body.v().begin(), body.v().end());
        const Pose pose = body.pose();
        out.insert(out.end(), pose.position.begin(), pose.position.end());
        out.insert(out.end(), pose.orientation.coeffs().begin(), pose.orientation.coeffs().end());
    }
    for (const WorldContact& contact : world.contacts()) {
        out.insert(out.end(), contact.impulse.begin(), contact.impulse.end());
        out.insert(out.end(), contact.position.begin(), contact.position.end());
    }
    return out;
}

TEST(TreeContact, ARestoredCollisionGoesOnBitByBit) {
    World world = world_with_contact();
    add_tree(world, column(3));
    add_box(world, {0.12, 0.12, 0.12}, {0.14, 0.12, 1.0});
    while (world.contacts().empty())
        world.step(1e-3);
    for (int k = 0; k < 3; ++k)
        world.step(1e-3);
    const WorldState saved = world.save();
    World twin = world.clone();
    const auto hundred = [](World& of) {
        for (int k = 0; k < 100; ++k)
            of.step(1e-3);
        return numbers_of(of);
    };
    const std::vector<double> once = hundred(world);
    ASSERT_TRUE(world.restore(saved).ok());
    EXPECT_EQ(once, hundred(world));
    EXPECT_EQ(once, hundred(twin));
}

TEST(TreeContact, ATreeAtRestFallsAsleepWithWhatStandsOnItAndWakesWhenTouched) {
    World world = world_with_contact(Sleeping::On);
    const BodyId tree = add_tree(world, column(3));
    const BodyId box = add_box(world, {0.15, 0.15, 0.1}, {0.1, 0.1, 0.951});
    for (int k = 0; k < 4000 && !world.body(tree)->asleep(); ++k)
        world.step(1e-3);
    ASSERT_TRUE(world.body(tree)->asleep() && world.body(box)->asleep());
    add_box(world, {0.1, 0.1, 0.1}, {0.1, 0.1, 1.06});
    for (int k = 0; k < 200 && world.body(tree)->asleep(); ++k)
        world.step(1e-3);
    EXPECT_FALSE(world.body(tree)->asleep() || world.body(box)->asleep());
}

// Momentum, and angular momentum about the origin, by impulses on vertices of two domains at the half-drifted
// pose: exact whatever Newton's method leaves.
TEST(TreeContact, ImpulsesOnPointsOfAFreeTreeChangeItsMomentaExactly) {
    DomainsSettings settings;
    settings.mount = RootMount::Free;
    settings.gravity = Vector3d(0, 0, -kGravity);
    auto made = make_domains_body(column(3), settings);
    ASSERT_TRUE(made.ok()) << made.error().problem;
    DomainsBody& body = made.value();
    ASSERT_TRUE(
        body.place({{1, 2, 3}, Quaterniond(0.8, 0, 0.6, 0)}, Vector3d(1, -2, 0.5), Vector3d(2, 1, -3)).ok());
    const double dt = 0.002;
    for (int k = 0; k < 20; ++k)
        body.step(dt);
    const TreeMomentum before = body.momentum();
    ASSERT_TRUE(body.trial(dt).converged);
    body.drift(dt / 2);
    struct Push {
        int domain, vertex;
        Vector3d impulse;
    };
    const std::vector<Push> pushes = {{0, 3, {0.5, 0.2, 3}}, {2, 7, {-1, 0.4, 2}}, {2, 1, {0.3, 0.3, -0.5}}};
    TreeCoordinates coordinates;
    Vector3d sum = dt * before.mass * settings.gravity, moment = Vector3d::Zero();
    for (const Push& push : pushes) {
        const TreeDomain& d = body.tree().domains[std::size_t(push.domain)];
        auto rows = coordinates.add(push.domain, d.rank);
        body.add_rows(push.domain, push.vertex, 1, Eigen::Matrix3d::Identity(), rows);
        const auto& surface = body.model().domains->parts[std::size_t(d.part)].model->surface;
        const Vector3d local =
            surface.vertices[std::size_t(push.vertex)] +
            surface.basis.middleRows<3>(3 * push.vertex) * body.touching().q.segment(d.first, d.rank);
        const auto at = std::size_t(push.domain);
        const Vector3d x = body.touching().positions[at] + body.touching().rotations[at] * local;
        sum += push.impulse;
        moment += x.cross(push.impulse);
    }
    TreePaths& paths = body.touch_domains(coordinates.find_domains());
    std::vector<double> impulses(std::size_t(paths.size()), 0.0);
    for (std::size_t p = 0; p < pushes.size(); ++p)
        coordinates.add_impulse(p, pushes[p].impulse, impulses);
    const VectorXd on = Eigen::Map<const VectorXd>(impulses.data(), paths.size());
    VectorXd y(paths.size()), free(paths.size()), start(paths.size()), real(paths.size());
    body.trial_velocities(free);
    body.start_velocities(start);
    ASSERT_TRUE(paths.respond(on, y));
    ASSERT_TRUE(body.trial_touching(dt, on).converged);
    body.trial_velocities(real);
    // The matrix is that of the step to first order.
    std::printf("response of the tree off by %.1e\n", (real - free - y).norm() / y.norm());
    EXPECT_LE((real - free - y).norm(), 0.03 * y.norm());
    body.commit();
    const TreeMomentum after = body.momentum();
    EXPECT_LE((after.momentum - before.momentum - sum).norm(), 1e-11 * before.momentum.norm());
    // Gravity acts on the centre, which goes from one to the other.
    moment +=
        dt * before.mass * (before.centre + 0.5 * dt / before.mass * before.momentum).cross(settings.gravity);
    const auto about_origin = [](const TreeMomentum& m) {
        return Vector3d(m.angular_momentum + m.centre.cross(m.momentum));
    };
    EXPECT_LE((about_origin(after) - about_origin(before) - moment).norm(),
              1e-11 * about_origin(before).norm());
}

TEST(TreeContact, LumpedCouplingsAreRefused) {
    World world = world_with_contact();
    BodyDef def;
    def.model = column(2);
    def.method = Method::Domains;
    DomainsSettings settings;
    settings.coupling = Coupling::Interface;
    def.settings = settings;
    const auto refused = world.add(def);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().problem.find("L1 or L2"), std::string::npos);
    def.touch.layers = 0;
    const auto id = world.add(def);
    ASSERT_TRUE(id.ok());
    EXPECT_FALSE(world.apply(SetTouch{id.value(), {}}).ok());
    settings.coupling = Coupling::Exact;
    ASSERT_TRUE(world.apply(SetSettings{id.value(), settings}).ok());
    ASSERT_TRUE(world.apply(SetTouch{id.value(), {}}).ok());
    settings.coupling = Coupling::Centre;
    EXPECT_FALSE(world.apply(SetSettings{id.value(), settings}).ok());
}

// A trunk, and a piece with three interfaces of which all else is made: each carries three smaller ones.
std::shared_ptr<const Model> crown(std::size_t domains) {
    const auto built = built_tree(blocks_mesh({{{0, 0, 0}, {2, 2, 4}, 0},
                                               {{0, 0, 4}, {2, 2, 8}, 1},
                                               {{0, 0, 8}, {2, 2, 10}, 2},
                                               {{2, 0, 5}, {4, 2, 7}, 3},
                                               {{-2, 0, 5}, {0, 2, 7}, 4}},
                                              0.1, {.young = 5e7, .poisson = 0.3, .density = 700}),
                                  8)
                           .built.model;
    const DomainsModel& few = *built->domains;
    auto out = std::make_shared<DomainsModel>();
    out->parts = few.parts;
    out->domains = {few.domains[0], few.domains[1]};
    const int piece = few.domains[1].part;
    const auto& interfaces = few.parts[std::size_t(piece)].interfaces;
    for (std::size_t parent = 1; out->domains.size() < domains; ++parent)
        for (std::size_t k = 0; k < interfaces.size() && out->domains.size() < domains; ++k) {
            Domain child;
            child.name = "piece" + std::to_string(out->domains.size());
            child.part = piece;
            child.parent = int(parent);
            child.interface = int(k);
            child.position = interfaces[k].centre;
            child.scale = 0.7;
            // Outwards, and a quarter of a turn about that.
            const Vector3d from_axis(child.position.x(), child.position.y(), 0);
            const Vector3d out_of =
                from_axis.norm() > 0.05 ? from_axis.normalized() : Vector3d(Vector3d::UnitZ());
            child.rotation = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), out_of) *
                             Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitZ()));
            out->domains.push_back(std::move(child));
        }
    auto whole = tree_model(out);
    EXPECT_TRUE(whole.ok()) << whole.error().problem;
    return std::make_shared<const Model>(std::move(whole).value());
}

// Seconds per step, of the best of 20.
double seconds_per_step(World& world) {
    double best = 1;
    for (int k = 0; k < 20; ++k) {
        const auto start = std::chrono::steady_clock::now();
        world.step(1e-3);
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

TEST(TreeContact, ABoxFallsIntoACrownOfFiveHundredDomains) {
    const auto model = crown(500);
    double top = 0;
    for (const Vector3d& x : model->surface.vertices)
        top = std::max(top, x.z());
    World world = world_with_contact(), still({.gravity = Vector3d(0, 0, -kGravity)});
    add_tree(world, model);
    add_tree(still, model);
    const BodyId box = add_box(world, {0.2, 0.2, 0.2}, {0.1, 0.1, top + 0.12});
    const double apart = seconds_per_step(world), alone = seconds_per_step(still);
    double touching = 0;
    int points = 0, most = 0, touched = 0;
    for (int k = 0; k < 400; ++k) {
        const auto start = std::chrono::steady_clock::now();
        world.step(1e-3);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ASSERT_EQ(world.report().not_converged, 0) << k;
        if (world.report().contact.touching == 0) continue;
        touching += seconds;
        ++touched;
        points += world.report().contact.touching;
        most = std::max(most, world.report().contact.touching);
    }
    ASSERT_GT(touched, 20);
    std::printf(
        "500 domains, %d coordinates: a step %.2f ms without contact, %.2f ms with nothing near, "
        "%.2f ms touching (%.1f points, at most %d)\n",
        int(coordinates_of(*model->domains)), 1e3 * alone, 1e3 * apart, 1e3 * touching / touched,
        double(points) / touched, most);
    EXPECT_GT(world.body(box)->pose().position.z(), top - 0.3);
}

}  // namespace
}  // namespace limber::build::test
