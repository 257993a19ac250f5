// SPDX-License-Identifier: Apache-2.0
#include "tests/limber/contact/surfaces.h"
#include "tests/limber/reduced/allocation_counter.h"

#include <limber/contact/detect.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace limber::test {
namespace {

using Eigen::Vector3d;

struct Found {
    std::vector<ContactPoint> contacts;
    DetectReport report;
};
Found found(const SurfaceMoment& surface, const ObstacleMoment& obstacle, const DetectOptions& options = {}) {
    DetectWork work;
    Found out;
    out.report = detect({&surface, 1}, {&obstacle, 1}, options, work, out.contacts);
    return out;
}

double least_gap(const std::vector<ContactPoint>& contacts) {
    double least = 1e9;
    for (const ContactPoint& c : contacts)
        least = std::min(least, c.gap);
    return least;
}
// What a foundation of stiffness 1 pushes with, all directions counted alike.
double push_of(const std::vector<ContactPoint>& contacts) {
    double sum = 0;
    for (const ContactPoint& c : contacts)
        sum += c.area * std::max(-c.gap, 0.0);
    return sum;
}

TEST(ObstacleContacts, ABoxOnAPlaneTouchesWithTheAreaOfItsFace) {
    for (const int n : {1, 3, 8}) {
        const auto surface = shared(rigid_model(box_surface({0.3, 0.2, 0.1}, n)), SurfaceMotion::Rigid);
        const Shape plane = PlaneShape{};
        const auto [contacts, report] = found(at_rest(*surface, moved({1, 2, 0.05 - 1e-5})), standing(plane));
        EXPECT_EQ(report.contacts, std::size_t((n + 1) * (n + 1)));
        double on_face = 0;
        for (const ContactPoint& c : contacts) {
            EXPECT_NEAR(c.gap, -1e-5, 1e-15);
            EXPECT_EQ(c.normal, Vector3d::UnitZ());
            EXPECT_NEAR(c.position.z(), 0, 1e-15);
            on_face += c.area;
        }
        EXPECT_NEAR(on_face, 0.06, 1e-12);
    }
}

TEST(ObstacleContacts, ASmallBallPressedIntoALargeTriangleIsFound) {
    const auto surface = shared(rigid_model(box_surface({1, 1, 1}, 1)), SurfaceMotion::Rigid);
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-0.45, 0.45);
    for (const double radius : {0.3, 0.02, 0.002})
        for (int i = 0; i < 30; ++i) {
            const Shape ball = SphereShape{radius};
            const double depth = 0.2 * radius;
            const auto [contacts, report] =
                found(at_rest(*surface, {}),
                      standing(ball, moved({uniform(engine), uniform(engine), 0.5 + radius - depth})));
            ASSERT_FALSE(contacts.empty());
            // Between points of the lattice the ball may sink by 0.5% of their distance unseen.     (25)
            const double piece = std::max(radius, std::numbers::sqrt2 / 32);
            EXPECT_GE(least_gap(contacts), -depth - 1e-12);
            EXPECT_LE(least_gap(contacts), -depth + 0.005 * piece);
        }
}

TEST(ObstacleContacts, AnEdgeOfABoxPressedIntoALargeTriangleIsFound) {
    const auto surface = shared(rigid_model(box_surface({1, 1, 1}, 1)), SurfaceMotion::Rigid);
    const Shape box = BoxShape{{0.1, 0.1, 0.4}};
    // Standing on its long edge, which lies along y, turned a little about the vertical.
    const Eigen::Quaterniond turn = exp_rotation({0, 0, 0.3}) * exp_rotation({0, std::numbers::pi / 4, 0}) *
                                    exp_rotation({std::numbers::pi / 2, 0, 0});
    const double depth = 0.01;
    const Pose pose{{0.05, -0.03, 0.5 + 0.1 / std::numbers::sqrt2 - depth}, turn};
    const auto [contacts, report] = found(at_rest(*surface, {}), standing(box, pose));
    ASSERT_FALSE(contacts.empty());
    // On the surface, halfway between the two faces of the edge, both are depth/√2 away.
    EXPECT_NEAR(least_gap(contacts), -depth / std::numbers::sqrt2, 1e-6);
    double least = 1, most = -1;  // contacts all along the edge, so that it does not rock
    for (const ContactPoint& c : contacts)
        if (c.gap < -0.707 * depth) {
            EXPECT_LT((c.normal + Vector3d::UnitZ()).norm(), 1e-3);
            const double along = (turn.conjugate() * (c.position - pose.position)).z();
            least = std::min(least, along);
            most = std::max(most, along);
        }
    EXPECT_LT(least, -0.1);
    EXPECT_GT(most, 0.1);
}

// At 100 m/s and 1 kHz the middle of the step is 5 cm on.
TEST(ObstacleContacts, AtAHundredMetresPerSecondAPlateOfAMillimetreIsSeen) {
    const auto surface = shared(rigid_model(box_surface({0.01, 0.01, 0.01}, 2)), SurfaceMotion::Rigid);
    const Shape plate = BoxShape{{1, 1, 0.001}};
    for (double start = 0.0056; start < 0.105; start += 0.0031) {
        SurfaceMoment moment = at_rest(*surface, moved({0.1, 0.2, start}));
        moment.now.pose.position.z() -= 0.05;
        const auto [contacts, report] = found(moment, standing(plate));
        ASSERT_GE(contacts.size(), 9u) << start;
        double least = 1;
        for (const ContactPoint& c : contacts) {
            EXPECT_GT(c.normal.z(), 0.99) << start;
            least = std::min(least, c.gap);
        }
        EXPECT_NEAR(least, start - 0.05 - 0.005 - 0.0005, 1e-9);
    }
    // Past it, and away: nothing.
    SurfaceMoment moment = at_rest(*surface, moved({0.1, 0.2, 0.16}));
    moment.now.pose.position.z() -= 0.05;
    EXPECT_TRUE(found(moment, standing(plate)).contacts.empty());
    moment = at_rest(*surface, moved({0.1, 0.2, 0.02}));
    moment.now.pose.position.z() += 0.05;
    EXPECT_TRUE(found(moment, standing(plate)).contacts.empty());
    moment = at_rest(*surface, moved({0.6, 0.2, 0.02}));
    moment.now.pose.position.z() -= 0.05;
    EXPECT_TRUE(found(moment, standing(plate)).contacts.empty());
}

TEST(ObstacleContacts, AContactStaysOnItsSideOfAPlateHoweverDeep) {
    const auto surface = shared(rigid_model(box_surface({0.01, 0.01, 0.01}, 1)), SurfaceMotion::Rigid);
    const Shape plate = BoxShape{{1, 1, 0.001}};
    std::vector<ContactPoint> before;
    for (double z = 0.0055; z > -0.03; z -= 1e-4) {
        DetectOptions options;
        options.before = before;
        const auto contacts =
            found(at_rest(*surface, moved({0.1, 0.2, z})), standing(plate), options).contacts;
        ASSERT_GE(contacts.size(), 4u) << z;
        EXPECT_NEAR(least_gap(contacts), z - 0.0055, 1e-8);
        for (const ContactPoint& c : contacts)
            if (c.gap < 0) {
                EXPECT_GT(c.normal.z(), 0.99) << z;
            }
        before = contacts;
    }
}

TEST(ObstacleContacts, GapsAreContinuousInThePose) {
    const std::vector<std::pair<Shape, double>> shapes = {{PlaneShape{}, 0.0},
                                                          {SphereShape{0.07}, 0.07},
                                                          {CapsuleShape{0.05, 0.2}, 0.15},
                                                          {BoxShape{{0.2, 0.15, 0.1}}, 0.05},
                                                          {CylinderShape{0.08, 0.1}, 0.05}};
    for (const int n : {1, 4}) {
        const auto surface = shared(rigid_model(box_surface({0.3, 0.3, 0.3}, n)), SurfaceMotion::Rigid);
        for (const auto& [shape, height] : shapes) {
            // Slides over the obstacle, turns and sinks.
            const auto pose_at = [&height = height](double t) {
                return moved({0.25 - 0.4 * t, 0.03 * t, 0.15 + height + 0.002 - 0.012 * t},
                             {0.02 + 0.05 * t, -0.03 + 0.06 * t, 0.8 * t});
            };
            std::vector<ContactPoint> last;
            std::vector<double> pushes;
            double worst = -1;
            constexpr int kSteps = 150;
            for (int i = 0; i <= kSteps; ++i) {
                const Pose pose = pose_at(double(i) / kSteps), before = pose_at(double(i - 1) / kSteps);
                const auto now = found(at_rest(*surface, pose), standing(shape)).contacts;
                double step = 0;
                for (const Vector3d& x : surface->rest)
                    step = std::max(step, (pose * x - before * x).norm());
                if (i > 0) worst = std::max(worst, excess_change(last, now, step));
                pushes.push_back(push_of(now));
                last = now;
            }
            EXPECT_LE(worst, 1e-6) << shape.index() << ", n " << n;  // what the search for the deepest leaves
            // Where normals have no jumps inside either, the whole push has none: a jump would stay as large
            // in a part of a step.
            if (shape.index() > 2) continue;
            const double largest = *std::max_element(pushes.begin(), pushes.end());
            ASSERT_GT(largest, 0);
            for (int i = 0; i < kSteps; ++i) {
                const double change = std::abs(pushes[std::size_t(i) + 1] - pushes[std::size_t(i)]);
                if (change < 0.05 * largest) continue;
                constexpr int kParts = 50;
                double before = pushes[std::size_t(i)], most = 0;
                for (int j = 1; j <= kParts; ++j) {
                    const Pose pose = pose_at((i + double(j) / kParts) / kSteps);
                    const double push = push_of(found(at_rest(*surface, pose), standing(shape)).contacts);
                    most = std::max(most, std::abs(push - before));
                    before = push;
                }
                EXPECT_LT(most, 0.2 * change) << "shape " << shape.index() << ", n " << n << ", step " << i;
            }
        }
    }
}

// Every vertex of a deformed body that is within the margin and faces the obstacle, and no other; for all
// kinds of body and all shapes.
TEST(ObstacleContacts, VerticesFoundAreThoseOfBruteForce) {
    const ModelSurface mesh = box_surface({0.3, 0.2, 0.25}, 2);
    const auto field = make_distance_field(mesh.vertices, mesh.triangles, {.cells = 24}).value();
    const std::vector<Shape> shapes = {PlaneShape{},
                                       SphereShape{0.2},
                                       CapsuleShape{0.1, 0.3},
                                       BoxShape{{0.3, 0.2, 0.4}},
                                       CylinderShape{0.15, 0.3},
                                       MeshShape{field}};
    const ModelSurface ball = ball_surface(0.3, 6);
    const std::vector<std::shared_ptr<const ContactSurface>> surfaces = {
        shared(rigid_model(ball), SurfaceMotion::Rigid), shared(soft_model(ball, 6), SurfaceMotion::Reduced),
        shared(warp_model(ball, 4, 3), SurfaceMotion::Warped)};
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::size_t compared = 0;
    for (const Shape& shape : shapes)
        for (const auto& surface : surfaces)
            for (int i = 0; i < 30; ++i) {
                std::vector<double> q(std::size_t(surface->modes())), p(std::size_t(surface->rotations())),
                    z(std::size_t(surface->companions()));
                for (auto* list : {&q, &p, &z})
                    for (double& x : *list)
                        x = 0.3 * uniform(engine);
                SurfaceMoment moment =
                    at_rest(*surface, moved(0.4 * Vector3d(uniform(engine), uniform(engine), uniform(engine)),
                                            2 * Vector3d(uniform(engine), uniform(engine), uniform(engine))));
                moment.now.q = moment.start.q = q;
                moment.now.p = moment.start.p = p;
                moment.now.z = moment.start.z = z;
                const Pose pose = moved({0.1, 0.2, -0.1}, {0.3, uniform(engine), 0.1});
                DetectOptions options;
                options.margin = 0.01;
                std::set<std::int32_t> expected, found_vertices;
                std::vector<Vector3d> x;
                for (std::int32_t v = 0; v < surface->vertices(); ++v)
                    x.push_back(inverse(pose) * (moment.now.pose * deformed(*surface, moment.now, v)));
                for (std::int32_t v = 0; v < surface->vertices(); ++v) {
                    const SignedDistance d = signed_distance(shape, x[std::size_t(v)]);
                    bool faces = d.distance < 0 && shape.index() > 0;
                    for (std::int32_t j = surface->fan_start[std::size_t(v)];
                         j < surface->fan_start[std::size_t(v) + 1]; ++j) {
                        const auto& t = surface->triangles[std::size_t(surface->fan[std::size_t(j)])];
                        const Vector3d normal = (x[std::size_t(t[1])] - x[std::size_t(t[0])])
                                                    .cross(x[std::size_t(t[2])] - x[std::size_t(t[0])]);
                        faces = faces || normal.dot(d.gradient) < 0;
                    }
                    if (d.distance < options.margin && faces) expected.insert(surface->shown[std::size_t(v)]);
                }
                for (const ContactPoint& c : found(moment, standing(shape, pose), options).contacts)
                    for (int corner = 0; corner < 3; ++corner)
                        if (c.a.weights[corner] == 1)
                            found_vertices.insert(c.a.vertices[std::size_t(corner)]);
                EXPECT_EQ(found_vertices, expected) << shape.index();
                compared += expected.size();
            }
    EXPECT_GT(compared, 1000u);
}

TEST(ObstacleContacts, TheOrderAndTheBytesAreTheSameEveryTime) {
    const auto soft = shared(soft_model(ball_surface(0.1, 8), 5), SurfaceMotion::Reduced);
    const Shape plane = PlaneShape{}, ball = SphereShape{0.05};
    const std::vector<double> q = {0.1, -0.05, 0.02, 0.04, -0.1};
    std::vector<SurfaceMoment> moments;
    for (std::uint32_t i = 0; i < 4; ++i) {
        moments.push_back(at_rest(*soft, moved({0.15 * i, 0, 0.099}), i));
        moments.back().now.q = moments.back().start.q = q;
    }
    const std::vector<ObstacleMoment> obstacles = {standing(plane), standing(ball, moved({0.2, 0, 0.2}), 1)};
    DetectWork work;
    std::vector<ContactPoint> one, two;
    detect(moments, obstacles, {}, work, one);
    detect(moments, obstacles, {}, work, two);
    ASSERT_GT(one.size(), 10u);
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].key, two[i].key);
        EXPECT_EQ(one[i].gap, two[i].gap);
        EXPECT_EQ(one[i].normal, two[i].normal);
        EXPECT_EQ(one[i].area, two[i].area);
        const auto order = [](const ContactPoint& c) {
            return std::make_tuple(c.body_a, c.body_b, c.obstacle, c.key);
        };
        if (i > 0) {
            EXPECT_LT(order(one[i - 1]), order(one[i]));
        }
    }
    // Another order of the bodies: the same contacts under the same keys.
    std::vector<SurfaceMoment> turned(moments.rbegin(), moments.rend());
    detect(turned, obstacles, {}, work, two);
    ASSERT_EQ(one.size(), two.size());
    for (ContactPoint& c : two) {
        c.body_a = 3 - c.body_a;
        if (c.body_b >= 0) c.body_b = 3 - c.body_b;
        if (c.body_b >= 0) std::swap(c.body_a, c.body_b);
    }
    std::sort(two.begin(), two.end(), [](const ContactPoint& a, const ContactPoint& b) {
        return std::tie(a.body_a, a.body_b, a.obstacle, a.key) <
               std::tie(b.body_a, b.body_b, b.obstacle, b.key);
    });
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].body_a, two[i].body_a);
        EXPECT_EQ(one[i].body_b, two[i].body_b);
        EXPECT_EQ(one[i].key, two[i].key);
        EXPECT_EQ(one[i].gap, two[i].gap);
    }
}

// A replay gives bodies and obstacles new ids: sums over the list must not change by a bit.
TEST(ObstacleContacts, TheOrderDoesNotDependOnIds) {
    const auto soft = shared(soft_model(ball_surface(0.1, 8), 5), SurfaceMotion::Reduced);
    const Shape plane = PlaneShape{}, ball = SphereShape{0.05};
    const std::vector<double> q = {0.1, -0.05, 0.02, 0.04, -0.1};
    std::vector<ContactPoint> lists[2];
    for (const std::uint32_t shift : {0u, 1u}) {
        std::vector<SurfaceMoment> moments;
        for (std::uint32_t i = 0; i < 4; ++i) {
            moments.push_back(at_rest(*soft, moved({0.15 * i, 0, 0.099}), i + shift * (7 + 3 * i)));
            moments.back().now.q = moments.back().start.q = q;
        }
        const std::vector<ObstacleMoment> obstacles = {standing(plane, {}, 1 + 5 * shift),
                                                       standing(ball, moved({0.2, 0, 0.2}), 2 + 9 * shift)};
        DetectWork work;
        detect(moments, obstacles, {}, work, lists[shift]);
    }
    ASSERT_GT(lists[0].size(), 100u);
    ASSERT_EQ(lists[0].size(), lists[1].size());
    for (std::size_t i = 0; i < lists[0].size(); ++i) {
        EXPECT_EQ(lists[0][i].key, lists[1][i].key);
        EXPECT_EQ(lists[0][i].position, lists[1][i].position);
        EXPECT_EQ(lists[0][i].gap, lists[1][i].gap);
    }
}

TEST(ObstacleContacts, AWarmDetectAllocatesNothing) {
    const auto soft = shared(soft_model(ball_surface(0.1, 8), 5), SurfaceMotion::Reduced);
    const Shape plane = PlaneShape{}, ball = SphereShape{0.05};
    const std::vector<double> q = {0.1, -0.05, 0.02, 0.04, -0.1};
    SurfaceMoment moment = at_rest(*soft, moved({0, 0, 0.099}));
    moment.now.q = moment.start.q = q;
    const std::vector<ObstacleMoment> obstacles = {standing(plane),
                                                   standing(ball, moved({0.05, 0, 0.22}), 1)};
    DetectWork work;
    std::vector<ContactPoint> out, before;
    for (int i = 0; i < 3; ++i) {
        const long start = allocations_so_far();
        DetectOptions options;
        options.before = before;
        detect({&moment, 1}, obstacles, options, work, out);
        if (i == 2) {
            EXPECT_EQ(allocations_so_far(), start);
        }
        before = out;
    }
    EXPECT_GT(out.size(), 1u);
}

TEST(ObstacleContacts, TooManyContactsAreReportedAndTheDeepestKept) {
    const auto surface = shared(rigid_model(box_surface({1, 1, 1}, 30)), SurfaceMotion::Rigid);
    const Shape plane = PlaneShape{};
    DetectOptions options;
    options.most_contacts = 50;
    const auto [contacts, report] =
        found(at_rest(*surface, moved({0, 0, 0.49}, {0.01, 0.02, 0})), standing(plane), options);
    EXPECT_EQ(contacts.size(), 50u);
    EXPECT_GT(report.left_out, 500u);
    const auto all = found(at_rest(*surface, moved({0, 0, 0.49}, {0.01, 0.02, 0})), standing(plane)).contacts;
    EXPECT_EQ(least_gap(all), least_gap(contacts));
}

// Coordinates, poses, drifts and memories of any size: it ends, and what comes out is finite.
TEST(ObstacleContacts, HugeNumbersGiveFiniteContactsOrNone) {
    const ModelSurface mesh = box_surface({0.3, 0.2, 0.25}, 2);
    const auto field = make_distance_field(mesh.vertices, mesh.triangles, {.cells = 8}).value();
    const std::vector<Shape> shapes = {PlaneShape{},
                                       SphereShape{1e-9},
                                       CapsuleShape{1e9, 1e-9},
                                       BoxShape{{1e9, 1, 1e-9}},
                                       CylinderShape{0.5, 1e9},
                                       MeshShape{field}};
    const ModelSurface ball = ball_surface(0.3, 2);
    const std::vector<std::shared_ptr<const ContactSurface>> surfaces = {
        shared(soft_model(ball, 3), SurfaceMotion::Reduced),
        shared(warp_model(ball, 3, 2), SurfaceMotion::Warped)};
    std::mt19937 engine(11);
    std::uniform_real_distribution<double> uniform(-1, 1), power(-30, 30);
    const auto any = [&] { return uniform(engine) * std::pow(10, power(engine)); };
    DetectWork work;
    std::vector<ContactPoint> out, before;
    for (int i = 0; i < 20; ++i) {
        std::vector<std::vector<double>> numbers;
        std::vector<SurfaceMoment> moments;
        numbers.reserve(100);
        for (std::uint32_t body = 0; body < 3; ++body) {
            const ContactSurface& surface = *surfaces[body % 2];
            const auto list = [&](Eigen::Index count) -> std::span<const double> {
                std::vector<double>& x = numbers.emplace_back();
                for (Eigen::Index k = 0; k < count; ++k)
                    x.push_back(any());
                return x;
            };
            SurfaceMoment moment = at_rest(surface, moved({any(), any(), any()}, {any(), 1, 2}), body);
            moment.now = {moment.now.pose, list(surface.modes()), list(surface.rotations()),
                          list(surface.companions())};
            moment.start = i % 2
                               ? moment.now
                               : SurfaceConfiguration{moved({any(), any(), any()}), list(surface.modes()),
                                                      list(surface.rotations()), list(surface.companions())};
            moment.extra_drift = std::abs(any());
            moments.push_back(moment);
        }
        std::vector<ObstacleMoment> obstacles;
        for (const Shape& shape : shapes)
            obstacles.push_back(standing(shape, moved({any(), any(), any()})));
        DetectOptions options;
        options.before = before;
        options.self = SelfContact::On;
        options.most_contacts = 500;
        detect(moments, obstacles, options, work, out);
        EXPECT_LE(out.size(), 500u);
        for (const ContactPoint& c : out)
            EXPECT_TRUE(c.position.allFinite() && c.normal.allFinite() && std::isfinite(c.gap) &&
                        std::isfinite(c.area) && c.a.weights.allFinite() && c.b.weights.allFinite());
        before = out;
    }
}

TEST(ObstacleContacts, NumbersThatAreNotFiniteAreLeftOut) {
    const auto surface = shared(soft_model(box_surface({1, 1, 1}, 2), 2), SurfaceMotion::Reduced);
    const Shape plane = PlaneShape{};
    const std::vector<double> bad = {0, std::numeric_limits<double>::quiet_NaN()}, few = {0.0};
    SurfaceMoment moment = at_rest(*surface, {});
    moment.now.q = moment.start.q = bad;
    EXPECT_EQ(found(moment, standing(plane)).report.refused, 1u);
    moment.now.q = moment.start.q = few;
    EXPECT_EQ(found(moment, standing(plane)).report.refused, 1u);
    const std::vector<double> good = {0, 0};
    moment.now.q = moment.start.q = good;
    EXPECT_EQ(found(moment, standing(plane)).report.refused, 0u);
    EXPECT_EQ(
        found(moment, standing(plane, moved({0, 0, std::numeric_limits<double>::infinity()}))).report.refused,
        1u);
}

}  // namespace
}  // namespace limber::test
