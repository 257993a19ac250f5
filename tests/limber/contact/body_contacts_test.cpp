// SPDX-License-Identifier: Apache-2.0
#include "tests/limber/contact/surfaces.h"
#include "tests/limber/reduced/allocation_counter.h"

#include <limber/contact/detect.h>
#include <limber/contact/shape_gap.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>

namespace limber::test {
namespace {

using Eigen::Vector3d;

std::vector<ContactPoint> between(const std::vector<SurfaceMoment>& moments,
                                  const DetectOptions& options = {}) {
    DetectWork work;
    std::vector<ContactPoint> out;
    detect(moments, {}, options, work, out);
    return out;
}

Vector3d at(const SurfaceMoment& moment, const SurfacePoint& point) {
    // Rigid bodies: the model's vertices are where they rest.
    Vector3d sum = Vector3d::Zero();
    for (int c = 0; c < 3; ++c) {
        const auto found = std::find(moment.surface->shown.begin(), moment.surface->shown.end(),
                                     point.vertices[std::size_t(c)]);
        sum += point.weights[c] * moment.surface->rest[std::size_t(found - moment.surface->shown.begin())];
    }
    return moment.now.pose * sum;
}

// Whatever the meshes: the finer one's vertices carry its face.
TEST(BodyContacts, AFlatPatchHasItsArea) {
    const auto table = shared(rigid_model(box_surface({2, 2, 0.2}, 1)), SurfaceMotion::Rigid);
    for (const int n : {1, 2, 5}) {
        const auto plate = shared(rigid_model(box_surface({0.3, 0.3, 0.001}, n)), SurfaceMotion::Rigid);
        const auto contacts = between({at_rest(*table, moved({0, 0, -0.1}), 0),
                                       at_rest(*plate, moved({0.1, 0.05, 0.0005 - 1e-5}, {0, 0, 0.4}), 1)});
        double area = 0;
        for (const ContactPoint& c : contacts)
            if (c.gap < 0) {
                EXPECT_NEAR(c.gap, -1e-5, 1e-12);
                EXPECT_LT((c.normal + Vector3d::UnitZ()).norm(), 1e-9);  // from the plate to the table
                area += c.area;
            }
        EXPECT_NEAR(area, 0.09, 1e-9) << n;
    }
    // Two equal cubes, one on the other but for 1% and 2%: vertices beyond the edge do not count.
    const auto cube = shared(rigid_model(box_surface({0.1, 0.1, 0.1}, 10)), SurfaceMotion::Rigid);
    double area = 0;
    for (const ContactPoint& c :
         between({at_rest(*cube, {}, 0), at_rest(*cube, moved({0.001, 0.002, 0.1 - 1e-5}), 1)}))
        if (c.gap < 0) area += c.area;
    EXPECT_NEAR(area, 0.01 * 0.99 * 0.98, 0.12 * 0.01);
}

TEST(BodyContacts, PointsGapsAndNormalsFitTogether) {
    const auto ball = shared(rigid_model(ball_surface(0.1, 6)), SurfaceMotion::Rigid);
    const auto box = shared(rigid_model(box_surface({0.3, 0.2, 0.1}, 3)), SurfaceMotion::Rigid);
    std::mt19937 engine(1);
    std::normal_distribution<double> normal;
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
        const Vector3d axis(normal(engine), normal(engine), normal(engine));
        const Vector3d from = Vector3d(normal(engine), normal(engine), normal(engine)).normalized();
        const std::vector<SurfaceMoment> moments = {at_rest(*ball, moved(0.16 * from, axis), 0),
                                                    at_rest(*box, moved({0, 0, 0}, -axis), 1)};
        for (const ContactPoint& c : between(moments, {.margin = 0.005, .depth = 0.02})) {
            ++checked;
            EXPECT_EQ(c.body_a, 0);
            EXPECT_EQ(c.body_b, 1);
            EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
            EXPECT_NEAR(c.a.weights.sum(), 1, 1e-12);
            EXPECT_NEAR(c.b.weights.sum(), 1, 1e-12);
            const Vector3d x = at(moments[0], c.a), y = at(moments[1], c.b);
            EXPECT_LT((y - c.position).norm(), 1e-9);
            EXPECT_LT((x - y - c.gap * c.normal).norm(), 1e-9);
            EXPECT_LT((x - y - c.apart).norm(), 1e-12);
        }
    }
    EXPECT_GT(checked, 500);
}

// Two crossed edges touch before any vertex does.
TEST(BodyContacts, EdgesThatCrossAreFound) {
    const auto beam = shared(rigid_model(box_surface({1, 0.1, 0.1}, 1)), SurfaceMotion::Rigid);
    const double up = 0.1 / std::numbers::sqrt2;  // of an edge above the axis
    constexpr double quarter = std::numbers::pi / 4;
    for (const double gap : {0.0005, -0.003}) {
        const Pose lower{{0, 0, 0}, exp_rotation({quarter, 0, 0})};
        const Pose upper{{0.1, -0.07, 2 * up + gap},
                         exp_rotation({0, 0, 2 * quarter - 0.3}) * exp_rotation({quarter, 0, 0})};
        const auto contacts = between({at_rest(*beam, lower, 0), at_rest(*beam, upper, 1)});
        ASSERT_EQ(contacts.size(), 1u) << gap;
        EXPECT_NEAR(contacts[0].gap, gap, 1e-12);
        EXPECT_LT((contacts[0].normal + Vector3d::UnitZ()).norm(), 1e-12);  // from b to a, the lower one
        EXPECT_GT(contacts[0].area, 0.01);
    }
}

// A slightly tilted plate within the top of a block of many triangles: their edges are no edges of the block.
TEST(BodyContacts, EdgesWithinAFlatFaceDoNotCount) {  // (28)
    const auto block = shared(rigid_model(box_surface({1, 1, 1}, 8)), SurfaceMotion::Rigid);
    const auto plate = shared(rigid_model(box_surface({0.3, 0.3, 0.1}, 1)), SurfaceMotion::Rigid);
    std::mt19937 engine(2);
    std::uniform_real_distribution<double> uniform(-0.05, 0.05);
    int vertices = 0, edges = 0;
    for (int i = 0; i < 200; ++i) {
        const double x = uniform(engine), y = uniform(engine);
        const double up = 0.55 + 0.15 * (std::abs(x) + std::abs(y));  // its lowest corner is on the face
        const Pose pose{{x, y, up}, exp_rotation({x, y, 0}) * exp_rotation({0, 0, 20 * x})};
        for (const ContactPoint& c :
             between({at_rest(*block, {}, 0), at_rest(*plate, pose, 1)}, {.margin = 0.02})) {
            constexpr std::uint64_t kEdges = 4;  // the highest bits of a key
            ++(c.key >> 61 == kEdges ? edges : vertices);
        }
    }
    EXPECT_EQ(edges, 0);
    EXPECT_GT(vertices, 200);
}

// The gap of a vertex against a convex body is its distance from the box, inside and outside.
TEST(BodyContacts, GapsOfVerticesAreSignedDistances) {
    const auto spike = shared(rigid_model(ball_surface(0.05, 4)), SurfaceMotion::Rigid);
    const auto box = shared(rigid_model(box_surface({0.3, 0.2, 0.1}, 3)), SurfaceMotion::Rigid);
    const Shape exact = BoxShape{{0.3, 0.2, 0.1}};
    std::mt19937 engine(2);
    std::uniform_real_distribution<double> uniform(-0.18, 0.18);
    int inside = 0;
    for (int i = 0; i < 300; ++i) {
        const std::vector<SurfaceMoment> moments = {
            at_rest(*spike, moved({uniform(engine), uniform(engine), uniform(engine)}), 0),
            at_rest(*box, {}, 1)};
        DetectOptions options;
        options.margin = options.depth = 0.02;
        std::size_t found = 0;
        for (const ContactPoint& c : between(moments, options)) {
            if (c.a.weights.maxCoeff() < 1) continue;  // an edge, or a vertex of the box
            EXPECT_NEAR(c.gap, signed_distance(exact, at(moments[0], c.a)).distance, 1e-9);
            inside += c.gap < 0;
            ++found;
        }
        // All that are near enough and face the box.
        std::size_t expected = 0;
        for (const Vector3d& x : spike->rest) {
            const SignedDistance d = signed_distance(exact, moments[0].now.pose * x);
            expected += std::abs(d.distance) < 0.02 - 1e-9 && d.gradient.dot(x.normalized()) < -0.1;
        }
        EXPECT_GE(found, expected);
    }
    EXPECT_GT(inside, 100);
}

// The trees leave out no pair: vertices of the finer surface against every triangle of the other, both
// deformed by as much as their size.
TEST(BodyContacts, VerticesAtLargeDeformationsEqualBruteForce) {
    const auto ball = shared(soft_model(ball_surface(0.1, 6), 4, 1), SurfaceMotion::Reduced);
    const auto box = shared(soft_model(box_surface({0.3, 0.2, 0.1}, 3), 4, 2), SurfaceMotion::Reduced);
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random3 = [&] { return Vector3d(uniform(engine), uniform(engine), uniform(engine)); };
    std::size_t compared = 0;
    for (int i = 0; i < 60; ++i) {
        std::vector<double> q(4), p(4);
        for (double& x : q)
            x = uniform(engine);
        for (double& x : p)
            x = uniform(engine);
        std::vector<SurfaceMoment> moments = {at_rest(*ball, moved(0.15 * random3(), 3 * random3()), 0),
                                              at_rest(*box, moved({0, 0, 0}, 3 * random3()), 1)};
        moments[0].now.q = moments[0].start.q = q;
        moments[1].now.q = moments[1].start.q = p;
        const auto world = [&](std::size_t side, std::int32_t vertex) {
            const SurfaceMoment& moment = moments[side];
            return Vector3d(moment.now.pose * deformed(*moment.surface, moment.now, vertex));
        };
        DetectOptions options;
        options.margin = options.depth = 0.01;
        std::map<std::int32_t, double> listed;
        for (const ContactPoint& c : between(moments, options))
            for (int corner = 0; corner < 3; ++corner)
                if (c.a.weights[corner] == 1) listed[c.a.vertices[std::size_t(corner)]] = c.gap;
        const double in_the_surface = 0.01 * box->mean_edge;  // there the face is chosen by its direction
        for (std::int32_t v = 0; v < ball->vertices(); ++v) {
            const Vector3d x = world(0, v);
            double least = 1;
            Vector3d away = Vector3d::UnitZ();
            for (const auto& t : box->triangles) {
                const std::array<Vector3d, 3> corners = {world(1, t[0]), world(1, t[1]), world(1, t[2])};
                const Vector3d w = nearest_weights(corners, x);
                const Vector3d d = x - w[0] * corners[0] - w[1] * corners[1] - w[2] * corners[2];
                if (d.norm() >= least) continue;
                least = d.norm();
                away = d / least;
            }
            if (least < in_the_surface || least > 0.01 - 1e-9) continue;
            bool faces = false;  // some triangle of the vertex, from outside
            for (std::int32_t f = ball->fan_start[std::size_t(v)]; f < ball->fan_start[std::size_t(v) + 1];
                 ++f) {
                const auto& t = ball->triangles[std::size_t(ball->fan[std::size_t(f)])];
                const Vector3d normal =
                    (world(0, t[1]) - world(0, t[0])).cross(world(0, t[2]) - world(0, t[0]));
                faces = faces || normal.normalized().dot(away) < -1e-9;
            }
            const auto found = listed.find(ball->shown[std::size_t(v)]);
            if (faces) {
                EXPECT_TRUE(found != listed.end()) << i << " " << v << " " << least;
            }
            if (found == listed.end()) continue;
            EXPECT_NEAR(std::abs(found->second), least, 1e-12) << i << " " << v;
            ++compared;
        }
    }
    EXPECT_GT(compared, 200u);
}

TEST(BodyContacts, GapsAreContinuousInThePose) {
    const auto ball = shared(rigid_model(ball_surface(0.1, 5)), SurfaceMotion::Rigid);
    const auto box = shared(rigid_model(box_surface({0.3, 0.2, 0.1}, 2)), SurfaceMotion::Rigid);
    for (const auto& [upper, height] : {std::pair{ball, 0.15}, std::pair{box, 0.1}}) {
        const auto pose_at = [&height = height](double t) {
            return moved({0.2 - 0.3 * t, 0.1 * t, height + 0.004 - 0.01 * t}, {0.1 * t, 0.3 * t - 0.1, t});
        };
        constexpr int kSteps = 1000;
        std::vector<ContactPoint> last;
        double worst = -1;
        int compared = 0;
        for (int i = 0; i <= kSteps; ++i) {
            const Pose pose = pose_at(double(i) / kSteps), before = pose_at(double(i - 1) / kSteps);
            const auto now = between({at_rest(*box, {}, 0), at_rest(*upper, pose, 1)}, {.depth = 0.03});
            double step = 0;
            for (const Vector3d& x : upper->rest)
                step = std::max(step, (pose * x - before * x).norm());
            if (i > 0) worst = std::max(worst, excess_change(last, now, step));
            compared += int(now.size());
            last = now;
        }
        EXPECT_GT(compared, 1000);
        EXPECT_LE(worst, 1e-9);
    }
}

TEST(BodyContacts, AFastBodyDoesNotPassAThinOne) {
    const auto bullet = shared(rigid_model(box_surface({0.01, 0.01, 0.01}, 2)), SurfaceMotion::Rigid);
    const auto plate = shared(rigid_model(box_surface({1, 1, 0.001}, 8)), SurfaceMotion::Rigid);
    for (double start = 0.0056; start < 0.105; start += 0.0071) {
        std::vector<SurfaceMoment> moments = {at_rest(*bullet, moved({0.11, 0.23, start}), 0),
                                              at_rest(*plate, {}, 1)};
        moments[0].now.pose.position.z() -= 0.05;
        const auto contacts = between(moments);
        int front = 0;
        for (const ContactPoint& c : contacts)
            if (c.normal.z() > 0.99 && std::abs(c.gap - (start - 0.05 - 0.0055)) < 1e-9) ++front;
        EXPECT_GE(front, 9) << start;
    }
    // Beside the plate: no contact.
    std::vector<SurfaceMoment> moments = {at_rest(*bullet, moved({0.52, 0.23, 0.02}), 0),
                                          at_rest(*plate, {}, 1)};
    moments[0].now.pose.position.z() -= 0.05;
    for (const ContactPoint& c : between(moments))
        EXPECT_GT(c.gap, 0);
}

TEST(BodyContacts, AVertexStaysOnItsSideOfAThinBody) {
    const auto bullet = shared(rigid_model(box_surface({0.01, 0.01, 0.01}, 1)), SurfaceMotion::Rigid);
    const auto plate = shared(rigid_model(box_surface({1, 1, 0.001}, 8)), SurfaceMotion::Rigid);
    for (const bool first : {true, false}) {
        std::vector<ContactPoint> before;
        for (double z = 0.0055; z > -0.01; z -= 2e-4) {
            std::vector<SurfaceMoment> moments = {at_rest(*bullet, moved({0.11, 0.23, z}), 0),
                                                  at_rest(*plate, {}, 1)};
            if (!first) std::swap(moments[0], moments[1]);
            DetectOptions options;
            options.before = before;
            before = between(moments, options);
            int front = 0;
            for (const ContactPoint& c : before)
                if ((first ? 1 : -1) * c.normal.z() > 0.99 && std::abs(c.gap - (z - 0.0055)) < 1e-9) ++front;
            ASSERT_GE(front, 4) << z;
        }
    }
}

// It rested on the top, 0.1 mm deep, and is beside the block now: the top is 20 mm above it, not an overlap.
TEST(BodyContacts, AVertexThatLeftOverAnEdgeIsNotDeep) {
    const auto small = shared(rigid_model(box_surface({0.01, 0.01, 0.01}, 1)), SurfaceMotion::Rigid);
    const auto block = shared(rigid_model(box_surface({0.2, 0.2, 0.2}, 4)), SurfaceMotion::Rigid);
    std::vector<SurfaceMoment> moments = {at_rest(*small, moved({0.098, 0, 0.1049}), 0),
                                          at_rest(*block, {}, 1)};
    const std::vector<ContactPoint> before = between(moments);
    ASSERT_FALSE(before.empty());
    moments[0] = at_rest(*small, moved({0.1052, 0, 0.085}), 0);
    moments[0].extra_drift = 0.03;  // m: looks farther than the block's top
    DetectOptions options;
    options.before = before;
    const std::vector<ContactPoint> after = between(moments, options);
    ASSERT_FALSE(after.empty());
    for (const ContactPoint& c : after)
        EXPECT_GT(c.gap, 0);
}

TEST(BodyContacts, BodiesFarApartOrAsleepOrInOtherLayersDoNotTouch) {
    const auto cube = shared(rigid_model(box_surface({1, 1, 1}, 2)), SurfaceMotion::Rigid);
    std::vector<SurfaceMoment> moments = {at_rest(*cube, {}, 0), at_rest(*cube, moved({0, 0, 0.999}), 1)};
    EXPECT_FALSE(between(moments).empty());
    moments[0].awake = moments[1].awake = false;
    EXPECT_TRUE(between(moments).empty());
    moments[0].awake = true;
    EXPECT_FALSE(between(moments).empty());
    moments[0].layers = 1;
    moments[1].layers = 2;
    EXPECT_TRUE(between(moments).empty());
    moments[1].layers = 3;
    EXPECT_FALSE(between(moments).empty());
    moments[1].now.pose.position.z() = moments[1].start.pose.position.z() = 1.01;
    EXPECT_TRUE(between(moments).empty());
}

// Two large bodies in one another: the search ends at its limit, and the report says so.
TEST(BodyContacts, TheSearchOfAPairIsBounded) {
    const auto cube = shared(rigid_model(box_surface({1, 1, 1}, 20)), SurfaceMotion::Rigid);
    const std::vector<SurfaceMoment> moments = {at_rest(*cube, {}, 0), at_rest(*cube, moved({0.3, 0, 0}), 1),
                                                at_rest(*cube, moved({5, 0, 0}), 2),
                                                at_rest(*cube, moved({5.999, 0, 0}), 3)};
    DetectWork work;
    std::vector<ContactPoint> out;
    DetectOptions options;
    options.depth = 1;  // every triangle is near every other: 23 million pairs
    options.most_triangle_pairs = 10000;
    DetectReport report = detect(moments, {}, options, work, out);
    EXPECT_EQ(report.cut_short, 2u);
    EXPECT_EQ(report.left_out, 0u);
    EXPECT_LE(report.nodes, 2 * 8 * 10000u);
    // As a rule nothing is cut short.
    options = {};
    report = detect(moments, {}, options, work, out);
    EXPECT_EQ(report.cut_short, 0u);
    EXPECT_GE(out.size(), 19 * 19u);  // within the faces of the last two
}

// A strip of a box bent by a quadratic field until its ends meet; at rest nothing touches.
TEST(BodyContacts, ABodyMeetsItself) {
    ModelSurface bar = box_surface({1, 0.1, 0.05}, 20);
    const double turn = 2 * std::numbers::pi;
    // Basis: from rest to a ring of 359 degrees, and its radius.
    Eigen::MatrixXd basis(3 * Eigen::Index(bar.vertices.size()), 1);
    for (std::size_t v = 0; v < bar.vertices.size(); ++v) {
        const Vector3d& x = bar.vertices[v];
        const double radius = 1 / turn, angle = x.x() * turn;
        const Vector3d ring((radius - x.z()) * std::sin(angle), x.y(),
                            radius - (radius - x.z()) * std::cos(angle));
        basis.col(0).segment<3>(Eigen::Index(3 * v)) = ring - x;
    }
    auto model = std::make_shared<Model>();
    model->surface = bar;
    model->surface.basis = basis;
    model->rank = 1;
    const auto surface = shared(model, SurfaceMotion::Reduced);
    DetectOptions options;
    options.self = SelfContact::On;
    const std::vector<double> rest = {0}, closed = {1.0 - 1e-4};
    for (const auto& [q, touches] : {std::pair{rest, false}, {closed, true}}) {
        SurfaceMoment moment = at_rest(*surface, {});
        moment.now.q = moment.start.q = q;
        const auto contacts = between({moment}, options);
        EXPECT_EQ(!contacts.empty(), touches) << q[0];
        for (const ContactPoint& c : contacts) {
            EXPECT_EQ(c.body_a, c.body_b);
            EXPECT_GT(c.gap, -1e-6);
            EXPECT_GT(std::abs(c.normal.x()), 0.9);  // the ends face each other along x
        }
        if (touches) {
            double area = 0;
            for (const ContactPoint& c : contacts)
                area += c.area;
            // An end, and the sides of the last twentieths of the ring: they face the other end by sin 9°.
            EXPECT_NEAR(area, 0.1 * 0.05, 0.1 * 0.1 * 0.05);
            EXPECT_TRUE(between({moment}).empty());  // only if asked for
        }
    }
}

// The slopes are no less than those between any two points, and a certificate is never given to a body that
// does touch itself.
TEST(SelfBound, HoldsForRandomPointsAndCertifiesSmallDeformations) {
    for (const SurfaceMotion motion : {SurfaceMotion::Reduced, SurfaceMotion::Warped}) {
        const auto surface = shared(warp_model(box_surface({1, 0.3, 0.2}, 6), 4, 2), motion);
        const SelfBound bound = bound_self_contact(*surface);
        std::mt19937 engine(3);
        std::uniform_real_distribution<double> uniform(0, 1);
        std::uniform_int_distribution<std::size_t> any(0, surface->triangles.size() - 1);
        const auto random_weights = [&] {
            const Vector3d w(uniform(engine), uniform(engine), uniform(engine));
            return Vector3d(w / w.sum());
        };
        for (int i = 0; i < 20000; ++i) {
            const auto &t = surface->triangles[any(engine)], &u = surface->triangles[any(engine)];
            if (std::find_first_of(t.begin(), t.end(), u.begin(), u.end()) != t.end()) continue;
            const Vector3d a = random_weights(), b = random_weights();
            Vector3d x = Vector3d::Zero();
            std::vector<Vector3d> columns(std::size_t(surface->columns()), Vector3d::Zero());
            for (int c = 0; c < 3; ++c) {
                const auto v = t[std::size_t(c)], w = u[std::size_t(c)];
                x += a[c] * surface->rest[std::size_t(v)] - b[c] * surface->rest[std::size_t(w)];
                for (std::size_t k = 0; k < columns.size(); ++k)
                    columns[k] += a[c] * Eigen::Map<const Vector3d>(surface->row(v) + 4 * k) -
                                  b[c] * Eigen::Map<const Vector3d>(surface->row(w) + 4 * k);
            }
            for (std::size_t k = 0; k < columns.size(); ++k)
                ASSERT_LE(columns[k].norm(), bound.slope[Eigen::Index(k)] * x.norm() * (1 + 1e-12));
        }
        int certified = 0;
        for (int i = 0; i < 200; ++i) {
            std::vector<double> q, p, z;
            const double size = std::pow(10, -4 * uniform(engine));
            for (Eigen::Index k = 0; k < surface->modes(); ++k)
                q.push_back(size * (2 * uniform(engine) - 1));
            if (motion == SurfaceMotion::Warped) p = q;
            SurfaceConfiguration at{{}, q, p, z};
            if (!is_free_of_itself(bound, *surface, at)) continue;
            ++certified;
            for (int j = 0; j < 100; ++j) {
                const auto v = surface->triangles[any(engine)][0], w = surface->triangles[any(engine)][0];
                EXPECT_GE(
                    (deformed(*surface, at, v) - deformed(*surface, at, w)).norm(),
                    0.75 * (surface->rest[std::size_t(v)] - surface->rest[std::size_t(w)]).norm() - 1e-12);
            }
        }
        EXPECT_GT(certified, 20);
    }
}

TEST(SelfBound, ASearchThatIsTooLongCertifiesNothing) {
    const auto surface = shared(soft_model(box_surface({1, 0.3, 0.2}, 6), 3), SurfaceMotion::Reduced);
    const SelfBound bound = bound_self_contact(*surface, 100);
    for (const double slope : bound.slope)
        EXPECT_EQ(slope, std::numeric_limits<double>::infinity());
    const std::vector<double> q = {1e-9, 0, 0};
    EXPECT_FALSE(is_free_of_itself(bound, *surface, {{}, q, {}, {}}));
}

TEST(SelfBound, SparesTheSearch) {
    const auto surface = shared(soft_model(box_surface({1, 0.3, 0.2}, 6), 3), SurfaceMotion::Reduced);
    const SelfBound bound = bound_self_contact(*surface);
    const std::vector<double> q = {1e-3, -1e-3, 1e-3};
    SurfaceMoment moment = at_rest(*surface, {});
    moment.now.q = moment.start.q = q;
    DetectWork work;
    DetectOptions options;
    options.self = SelfContact::On;
    std::vector<ContactPoint> out;
    EXPECT_GT(detect({&moment, 1}, {}, options, work, out).nodes, 10u);
    EXPECT_TRUE(out.empty());
    moment.self_bound = &bound;
    EXPECT_EQ(detect({&moment, 1}, {}, options, work, out).nodes, 0u);
}

TEST(BodyContacts, AWarmDetectOfBodiesAllocatesNothing) {
    const auto soft = shared(soft_model(ball_surface(0.1, 8), 5), SurfaceMotion::Reduced);
    const std::vector<double> q = {0.1, -0.05, 0.02, 0.04, -0.1};
    std::vector<SurfaceMoment> moments;
    for (std::uint32_t i = 0; i < 3; ++i) {
        moments.push_back(at_rest(*soft, moved({0.19 * i, 0, 0}), i));
        moments.back().now.q = moments.back().start.q = q;
    }
    DetectWork work;
    DetectOptions options;
    options.self = SelfContact::On;
    std::vector<ContactPoint> out;
    detect(moments, {}, options, work, out);
    detect(moments, {}, options, work, out);
    const long start = allocations_so_far();
    detect(moments, {}, options, work, out);
    EXPECT_EQ(allocations_so_far(), start);
    EXPECT_GT(out.size(), 4u);
}

}  // namespace
}  // namespace limber::test
