// SPDX-License-Identifier: Apache-2.0
#include "tests/limber/contact/surfaces.h"

#include <limber/contact/moved_surface.h>
#include <limber/contact/shape_gap.h>
#include <limber/model/model_file.h>
#include <limber/model/surface_tree.h>
#include <limber/warp/rotation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace limber::test {
namespace {

using Eigen::Vector3d;

#ifdef LIMBER_MANY_SHAPES
constexpr int kShapes = 10000;
#else
constexpr int kShapes = 60;
#endif

struct Kind {
    const char* name;
    std::shared_ptr<Model> model;
    SurfaceMotion motion;
};
// A ball, a long bar, and a soup of triangles with a basis of noise.
std::vector<Kind> kinds() {
    ModelSurface noise = ball_surface(0.3, 3);
    std::mt19937 engine(9);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Vector3d& x : noise.vertices)
        x += 0.3 * Vector3d(uniform(engine), uniform(engine), uniform(engine));
    auto noisy = soft_model(noise, 6);
    noisy->surface.basis = Eigen::MatrixXd::NullaryExpr(noisy->surface.basis.rows(), 6,
                                                        [&](Eigen::Index) { return uniform(engine); });
    auto noisy_warp = warp_model(noise, 4, 3);
    auto warp = std::make_shared<WarpModel>(*noisy_warp->warp);
    for (WarpRows* rows : {&warp->surface_modes, &warp->surface_rotations, &warp->surface_companions})
        *rows =
            WarpRows::NullaryExpr(rows->rows(), rows->cols(), [&](Eigen::Index) { return uniform(engine); });
    noisy_warp->warp = warp;
    const ModelSurface bar = box_surface({2, 0.1, 0.1}, 7), ball = ball_surface(0.5, 5);
    return {{"ball stvk", soft_model(ball, 8), SurfaceMotion::Reduced},
            {"ball warp", warp_model(ball, 5, 3), SurfaceMotion::Warped},
            {"ball rigid", rigid_model(ball), SurfaceMotion::Rigid},
            {"bar stvk", soft_model(bar, 15), SurfaceMotion::Reduced},
            {"bar warp", warp_model(bar, 6, 2), SurfaceMotion::Warped},
            {"bar rigid", rigid_model(bar), SurfaceMotion::Rigid},
            {"noise stvk", noisy, SurfaceMotion::Reduced},
            {"noise warp", noisy_warp, SurfaceMotion::Warped},
            {"noise rigid", rigid_model(noise), SurfaceMotion::Rigid}};
}

// From tiny to a thousand times the body.
std::vector<double> random_coordinates(Eigen::Index count, std::mt19937& engine) {
    std::uniform_real_distribution<double> uniform(-1, 1), power(-3, 3);
    const double size = std::pow(10, power(engine));
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double& x : out)
        x = size * uniform(engine);
    return out;
}

struct Coordinates {
    std::vector<double> q, p, z;
    SurfaceConfiguration at;
};
Coordinates random_shape(const ContactSurface& surface, std::mt19937& engine, bool linear) {
    Coordinates out;
    out.q = random_coordinates(surface.modes(), engine);
    if (!linear) out.p = random_coordinates(surface.rotations(), engine);
    if (!linear) out.z = random_coordinates(surface.companions(), engine);
    out.at = {moved({0.3, -1, 2}, {0.5, 1, -0.2}), out.q, out.p, out.z};
    return out;
}

// Written out: X + R̃(Ψp) (Φq + Γz) from the model's own arrays.                                   (2), (4)
Vector3d written_out(const Kind& kind, const Coordinates& c, Eigen::Index vertex) {
    const Vector3d& X = kind.model->surface.vertices[static_cast<std::size_t>(vertex)];
    const auto q = Eigen::Map<const Eigen::VectorXd>(c.q.data(), static_cast<Eigen::Index>(c.q.size()));
    if (kind.motion == SurfaceMotion::Rigid) return X;
    if (kind.motion == SurfaceMotion::Reduced)
        return X + kind.model->surface.basis.middleRows<3>(3 * vertex) * q;
    const WarpModel& warp = *kind.model->warp;
    Vector3d u = warp.surface_modes.middleRows<3>(3 * vertex) * q;
    if (!c.z.empty())
        u += warp.surface_companions.middleRows<3>(3 * vertex) *
             Eigen::Map<const Eigen::VectorXd>(c.z.data(), static_cast<Eigen::Index>(c.z.size()));
    if (c.p.empty()) return X + u;
    const Vector3d w = warp.surface_rotations.middleRows<3>(3 * vertex) *
                       Eigen::Map<const Eigen::VectorXd>(c.p.data(), static_cast<Eigen::Index>(c.p.size()));
    return X + mean_rotation(w) * u;
}

TEST(SurfaceTree, NoVertexLeavesANodeThatHoldsItWhateverTheShape) {
    for (const Kind& kind : kinds()) {
        const auto surface = shared(kind.model, kind.motion);
        std::mt19937 engine(1);
        const bool rigid = kind.motion == SurfaceMotion::Rigid;
        for (int shape = 0; shape < (rigid ? 1 : kShapes); ++shape) {
            const Coordinates c = random_shape(*surface, engine, shape % 5 == 0);
            ASSERT_TRUE(fits(c.at, *surface));
            NodeBoxes boxes;
            boxes.prepare(*surface, c.at);
            std::vector<Vector3d> x;
            for (std::int32_t v = 0; v < surface->vertices(); ++v)
                x.push_back(written_out(kind, c, surface->shown[std::size_t(v)]));
            for (std::size_t n = 0; n < surface->nodes.size(); ++n) {
                const TreeNode& node = surface->nodes[n];
                const NodeBox box = boxes(static_cast<std::int32_t>(n));
                bool holds = true;
                for (std::int32_t t = node.first; t < node.first + node.count; ++t)
                    for (const std::int32_t v : surface->triangles[std::size_t(t)])
                        holds =
                            holds &&
                            ((x[std::size_t(v)] - box.center).cwiseAbs().array() <= box.half.array()).all();
                ASSERT_TRUE(holds) << kind.name << ", node " << n << ", shape " << shape;
            }
        }
    }
}

TEST(SurfaceTree, PositionsAreThoseOfTheModel) {
    for (const Kind& kind : kinds()) {
        const auto surface = shared(kind.model, kind.motion);
        std::mt19937 engine(2);
        for (int i = 0; i < 5; ++i) {
            const Coordinates c = random_shape(*surface, engine, i == 0);
            for (std::int32_t v = 0; v < surface->vertices(); v += 7) {
                const Vector3d expected = written_out(kind, c, surface->shown[std::size_t(v)]);
                EXPECT_LT((deformed(*surface, c.at, v) - expected).norm(), 1e-12 * (1 + expected.norm()));
            }
        }
    }
}

TEST(SurfaceTree, NoPointIsFartherFromItsStartThanTheDrift) {
    for (const Kind& kind : kinds()) {
        const auto surface = shared(kind.model, kind.motion);
        std::mt19937 engine(3);
        for (int i = 0; i < 40; ++i) {
            const Coordinates from = random_shape(*surface, engine, i % 5 == 0);
            Coordinates to = random_shape(*surface, engine, i % 5 == 0);
            to.at.pose = moved({0.4, -1.1, 2.3}, {0.4, 0.9, -0.1 * i});
            MovedSurface body;
            body.prepare(*surface, to.at, from.at);
            for (std::int32_t v = 0; v < surface->vertices(); ++v)
                ASSERT_LE((body.now(v) - body.start(v)).norm(), body.drift() * (1 + 1e-9)) << kind.name;
        }
    }
}

TEST(SurfaceTree, AnOrderHasEveryTriangleOnceAndIsTheSameEveryTime) {
    for (const Kind& kind : kinds()) {
        const auto order = order_triangles(kind.model->surface);
        EXPECT_TRUE(is_order(order, kind.model->surface.triangles.size()));
        EXPECT_EQ(order, order_triangles(kind.model->surface));
    }
    EXPECT_TRUE(is_order({}, 0));
    EXPECT_FALSE(is_order({0, 0}, 2));
    EXPECT_FALSE(is_order({0, 2}, 2));
    EXPECT_FALSE(is_order({-1, 0}, 2));
    EXPECT_FALSE(is_order({0}, 2));
}

// Two prongs that lie side by side at rest and move apart: no run has triangles of both below the first few.
TEST(SurfaceTree, WhatMovesApartIsSplitFirst) {
    ModelSurface prongs = box_surface({1, 0.02, 0.02}, 10);
    const ModelSurface other = prongs;
    const auto count = static_cast<std::int32_t>(prongs.vertices.size());
    for (const Vector3d& x : other.vertices)
        prongs.vertices.push_back(x + Vector3d(0, 0.021, 0));
    for (const auto& t : other.triangles)
        prongs.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
    prongs.basis = Eigen::MatrixXd::Zero(Eigen::Index(3 * prongs.vertices.size()), 1);
    for (std::int32_t v = 0; v < 2 * count; ++v)
        prongs.basis(3 * v + 1, 0) = v < count ? -1 : 1;
    const auto order = order_triangles(prongs);
    const auto triangles = static_cast<std::int32_t>(prongs.triangles.size());
    // Widest are 1, 1/2 and 1/4 m of length, then the motion of 2 x 0.1 m: the fourth halving splits it, but
    // for the few that the end faces have more on one side.
    for (std::int32_t part = 0; part < 16; ++part) {
        int of_first = 0, all = 0;
        for (std::int32_t i = triangles * part / 16; i < triangles * (part + 1) / 16; ++i, ++all)
            of_first += prongs.triangles[std::size_t(order[std::size_t(i)])][0] < count;
        EXPECT_LT(std::min(of_first, all - of_first), 0.2 * all) << part;
    }
}

TEST(SurfaceTree, SeamsAreWeldedAndTrianglesWithoutAreaLeftOut) {
    const ModelSurface box = box_surface({1, 1, 1}, 2);
    ModelSurface soup;
    for (const auto& t : box.triangles) {
        const auto first = static_cast<std::int32_t>(soup.vertices.size());
        for (const std::int32_t v : t) {
            soup.vertices.push_back(box.vertices[std::size_t(v)]);
            soup.input_vertex.push_back(v);
        }
        soup.triangles.push_back({first, first + 1, first + 2});
        soup.triangles.push_back({first, first, first + 1});  // no area
    }
    const auto surface = shared(rigid_model(soup), SurfaceMotion::Rigid);
    EXPECT_EQ(surface->rest.size(), box.vertices.size());
    EXPECT_EQ(surface->triangles.size(), box.triangles.size());
    EXPECT_EQ(surface->edges.size(), box.triangles.size() * 3 / 2);
    for (const SurfaceEdge& edge : surface->edges)
        EXPECT_GE(edge.triangles[1], 0);
    EXPECT_NEAR(std::accumulate(surface->vertex_area.begin(), surface->vertex_area.end(), 0.0), 6, 1e-12);
    // In one place, but with motions of their own: two vertices.
    auto split = soft_model(soup, 1);
    split->surface.basis.setZero();
    split->surface.basis(0, 0) = 1;
    EXPECT_EQ(shared(split, SurfaceMotion::Reduced)->rest.size(), box.vertices.size() + 1);
}

TEST(SurfaceTree, SurfacesWithoutWhatTheyNeedAreRefused) {
    const auto model = rigid_model(box_surface({1, 1, 1}, 1));
    EXPECT_FALSE(share_contact_surface(model, SurfaceMotion::Reduced).ok());
    EXPECT_FALSE(share_contact_surface(model, SurfaceMotion::Warped).ok());
    auto flat = rigid_model(box_surface({1, 1, 1}, 1));
    for (auto& x : flat->surface.vertices)
        x.setZero();
    EXPECT_FALSE(share_contact_surface(flat, SurfaceMotion::Rigid).ok());
}

}  // namespace
}  // namespace limber::test
