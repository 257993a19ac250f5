// SPDX-License-Identifier: Apache-2.0
// What a body promises besides its motion: settings, coordinates, materials, states, forces, its surface.
#include "limber/reduced/stvk_body.h"

#include "limber/shown_name.h"

#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using namespace test;
using Eigen::MatrixXd;
using Eigen::VectorXd;

StvkSettings lively() {
    return {.newton = 2, .alpha = 0.2, .beta = 0.003, .strain_rate = 0.004, .gravity = {0.3, -1, 0.5}};
}

// q after some steps under a force.
VectorXd run(StvkBody& body, int steps = 50) {
    EXPECT_TRUE(body.add_force({.vertex = 7, .force = {2, 1, -3}}).ok());
    for (int i = 0; i < steps; ++i)
        EXPECT_TRUE(body.step(0.02).converged);
    return body.state().q;
}

// The model of some of the basis vectors, by hand.
Model restricted(const Model& model, const std::vector<int>& chosen) {
    Model out = model;
    out.rank = static_cast<int>(chosen.size());
    for (StvkGroup& group : own_stvk(out).groups) {
        group.bulk = restrict_strain_form(group.bulk, model.rank, chosen);
        group.shear = restrict_strain_form(group.shear, model.rank, chosen);
        group.mass = MatrixXd(group.mass(chosen, chosen));
        group.weight = MatrixXd(group.weight(chosen, Eigen::all));
    }
    out.surface.basis = MatrixXd(model.surface.basis(Eigen::all, chosen));
    out.target_scale = VectorXd::Ones(out.rank);
    return out;
}

TEST(StvkBody, CoordinatesInUseMoveAsAModelMadeOfThem) {
    const ModelPtr model = random_body_ptr(7, 1);
    for (const std::vector<int>& chosen : {std::vector{0, 1, 2}, std::vector{5, 1, 6, 3}, std::vector{4}}) {
        StvkSettings settings = lively();
        settings.coordinates = chosen;
        StvkBody part = body_of(model, settings);
        const VectorXd q = run(part);
        StvkBody whole = body_of(std::make_shared<Model>(restricted(*model, chosen)), lively());
        const VectorXd expected = run(whole);
        EXPECT_EQ(VectorXd(q(chosen)), expected);
        EXPECT_NEAR(q.norm(), expected.norm(), 1e-15);  // the others stay zero
        EXPECT_EQ(part.elastic_energy(), whole.elastic_energy());
        Eigen::VectorXf u, v;
        part.surface_displacement(u);
        whole.surface_displacement(v);
        EXPECT_LE((u - v).norm(), 1e-6f * v.norm());  // floats, in another order
    }
    EXPECT_EQ(first_coordinates(3), (std::vector{0, 1, 2}));
}

TEST(StvkBody, CoordinatesThatAreLeftOutLater_LoseTheirPart) {
    const ModelPtr model = random_body_ptr(5, 2);
    StvkBody body = body_of(model, lively());
    const VectorXd q = run(body);
    StvkSettings settings = body.settings();
    settings.coordinates = {0, 3};
    ASSERT_TRUE(body.set(settings).ok());
    EXPECT_EQ(body.state().q[0], q[0]);
    EXPECT_EQ(body.state().q[3], q[3]);
    EXPECT_EQ(body.state().q[1], 0);
    EXPECT_EQ(body.state().v[4], 0);
}

TEST(StvkBody, NewMaterialsMoveAsAFreshModelOfThem) {
    const ModelPtr model = random_body_ptr(5, 3);
    const std::vector<Material> materials{{2e3, 0.2, 500}, {5e3, 0.45, 2000}};
    Model fresh = *model;  // built with these constants
    for (std::size_t g = 0; g < 2; ++g)
        fresh.groups[g].material = materials[g];
    StvkBody expected = body_of(std::make_shared<Model>(fresh), lively());

    StvkBody edited = body_of(model, lively());
    run(edited, 3);
    StvkSettings settings = lively();
    settings.materials = materials;
    ASSERT_TRUE(edited.set(settings).ok());
    ASSERT_TRUE(edited.set_state(expected.state()).ok());
    edited.clear_forces();
    EXPECT_EQ(run(edited), run(expected));
    EXPECT_EQ(edited.kinetic_energy(), expected.kinetic_energy());

    StvkBody unedited = body_of(model, lively());
    EXPECT_GT((run(unedited) - edited.state().q).norm(), 1e-3);
}

TEST(StvkBody, ADensityEditGivesTheDenseMass) {
    // A fourth of the density doubles the frequency where all groups change.
    const ModelPtr model = springs(one(100));
    StvkBody body = body_of(model, {.materials = {{1e6, 0.45, 250}}});
    EXPECT_NEAR(body.stable_dt(), 2 / 20.0, 1e-14);
    place(body, one(1), one(3));
    EXPECT_NEAR(body.state().a[0], -100 / 0.25, 1e-10);
    EXPECT_NEAR(body.kinetic_energy(), 0.5 * 0.25 * 9, 1e-14);

    // Where one changes, the mass is the sum of the groups' parts.
    const ModelPtr two = random_body_ptr(4, 5);
    std::vector<Material> materials{two->groups[0].material, two->groups[1].material};
    materials[1].density *= 3;
    StvkBody heavy = body_of(two, {.materials = materials});
    const VectorXd v = random_vector(4, 6);
    place(heavy, VectorXd::Zero(4), v);
    const MatrixXd M =
        materials[0].density * two->stvk->groups[0].mass + materials[1].density * two->stvk->groups[1].mass;
    EXPECT_NEAR(heavy.kinetic_energy(), 0.5 * v.dot(M * v), 1e-13);
    EXPECT_GT((M - MatrixXd::Identity(4, 4)).norm(), 0.5);
}

TEST(StvkBody, ARestoredStateGoesOnBitByBit) {
    for (const StvkIntegrator integrator : {StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences,
                                            StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving})
        for (const int newton : {0, 1}) {
            StvkSettings settings = lively();
            settings.integrator = integrator;
            settings.newton = newton;
            StvkBody body = body_of(random_body_ptr(6, 4), settings);
            run(body, 20);
            const StvkState saved = body.state();
            for (int i = 0; i < 30; ++i)
                ASSERT_TRUE(body.step(0.01).converged);
            const StvkState once = body.state();
            ASSERT_TRUE(body.set_state(saved).ok());
            for (int i = 0; i < 30; ++i)
                ASSERT_TRUE(body.step(0.01).converged);
            EXPECT_TRUE(body.state().q == once.q && body.state().v == once.v && body.state().a == once.a &&
                        body.state().time == once.time);
            // In another body too.
            StvkBody other = body_of(random_body_ptr(6, 4), settings);
            ASSERT_TRUE(other.add_force({.vertex = 7, .force = {2, 1, -3}}).ok());
            ASSERT_TRUE(other.set_state(saved).ok());
            for (int i = 0; i < 30; ++i)
                ASSERT_TRUE(other.step(0.01).converged);
            EXPECT_EQ(other.state().q, once.q);
        }
}

TEST(StvkBody, ACloneMovesByItself) {
    StvkBody body = body_of(random_body_ptr(4, 4), lively());
    run(body, 5);
    StvkBody other = body.clone();
    const StvkState before = body.state();
    EXPECT_EQ(other.state().q, before.q);
    const VectorXd q = run(other, 5);
    EXPECT_EQ(body.state().q, before.q);
    EXPECT_NE(q, before.q);
}

TEST(StvkBody, ForcesOnVerticesAreProjectedAndStayUntilTheyAreCleared) {
    const ModelPtr model = random_body_ptr(5, 6);
    StvkBody body = body_of(model);
    const Eigen::Vector3d f(1, -2, 3), g(0.5, 0, 1);
    ASSERT_TRUE(body.add_force({.vertex = 4, .force = f}).ok());
    ASSERT_TRUE(body.add_force({.vertex = 29, .force = g}).ok());
    const VectorXd extra = random_vector(5, 8);
    ASSERT_TRUE(body.add_reduced_force(extra).ok());
    body.set_acceleration_from_forces();  // at rest, M = I: a = f
    const VectorXd expected = model->surface.basis.middleRows(12, 3).transpose() * f +
                              model->surface.basis.middleRows(87, 3).transpose() * g + extra;
    EXPECT_LE((body.state().a - expected).norm(), 1e-14 * expected.norm());
    body.clear_forces();
    body.set_acceleration_from_forces();
    EXPECT_EQ(body.state().a.norm(), 0);
}

TEST(StvkBody, GravityIsTheWeightOfEveryGroup) {
    const ModelPtr model = random_body_ptr(5, 6);
    const Eigen::Vector3d g(1, -9.81, 2);
    StvkBody body = body_of(model, {.gravity = g});
    body.set_acceleration_from_forces();
    VectorXd expected = VectorXd::Zero(5);
    for (std::size_t group = 0; group < model->groups.size(); ++group)
        expected += model->groups[group].material.density * model->stvk->groups[group].weight * g;
    EXPECT_LE((body.state().a - expected).norm(), 1e-13 * expected.norm());
}

TEST(StvkBody, TheSurfaceMovesByUq) {
    const ModelPtr model = random_body_ptr(6, 9);
    StvkBody body = body_of(model);
    place(body, random_vector(6, 10), VectorXd::Zero(6));
    Eigen::VectorXf u;
    body.surface_displacement(u);
    const VectorXd expected = model->surface.basis * body.state().q;
    ASSERT_EQ(u.size(), 90);
    EXPECT_LE((u.cast<double>() - expected).norm(), 1e-6 * expected.norm());  // floats
}

// A tetrahedron with one face cut into two, and a seam along an edge: vertex 5 is vertex 1 again.
Model pyramid() {
    Model model = model_of(MatrixXd::Identity(2, 2), 1);
    model.surface.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0}, {1, 0, 0}};
    model.surface.triangles = {{0, 4, 1}, {0, 2, 4}, {0, 5, 3}, {0, 3, 2}, {5, 4, 3}, {4, 2, 3}};
    model.surface.input_vertex = {0, 1, 2, 3, 4, 1};
    model.surface.basis.setZero(18, 1);
    model.surface.basis(11, 0) = 1;  // the top moves up
    return model;
}

TEST(StvkBody, NormalsAreWeightedByAngleAndSharedAcrossSeams) {
    StvkBody body = body_of(std::make_shared<Model>(pyramid()));
    place(body, one(0.5), one(0));
    Eigen::VectorXf u, n;
    body.surface_displacement(u);
    body.surface_normals(u, n);
    const auto normal = [&](int v) -> Eigen::Vector3d { return n.segment<3>(3 * v).cast<double>(); };
    // At the corner three right angles meet: (-1,-1,-1)/sqrt(3). Area weights would give another direction.
    EXPECT_LE((normal(0) + Eigen::Vector3d::Ones() / std::sqrt(3)).norm(), 1e-6);
    // In the middle of the long edge, half a turn of the bottom and half a turn of the slanted face.
    const Eigen::Vector3d slanted = Eigen::Vector3d(1.5, 1.5, 1).normalized(), down(0, 0, -1);
    EXPECT_LE((normal(4) - (slanted + down).normalized()).norm(), 1e-6);
    EXPECT_EQ(normal(1), normal(5));
    for (int v = 0; v < 6; ++v)
        EXPECT_NEAR(normal(v).norm(), 1, 1e-6);
}

TEST(StvkBody, FlatTrianglesAndLoneVerticesStillHaveUnitNormals) {
    Model model = pyramid();
    model.surface.vertices.push_back({3, 3, 3});
    model.surface.input_vertex.push_back(6);
    model.surface.triangles.push_back({6, 6, 6});
    model.surface.basis.setZero(21, 1);
    StvkBody body = body_of(std::make_shared<Model>(model));
    Eigen::VectorXf n;
    body.surface_normals(Eigen::VectorXf::Zero(21), n);
    EXPECT_TRUE(n.allFinite());
    EXPECT_EQ(n.tail<3>(), Eigen::Vector3f::UnitZ());
}

TEST(StvkBody, BadModelsAndSettingsAreNamedAndChangeNothing) {
    EXPECT_FALSE(make_stvk_body(ModelPtr()).ok());
    Model broken = random_body(3, 1);
    own_stvk(broken).groups[1].bulk.conservativeResize(5);
    EXPECT_FALSE(make_stvk_body(std::make_shared<Model>(broken)).ok());
    Model weightless = random_body(3, 1);
    own_stvk(weightless).groups[0].mass.setZero();
    own_stvk(weightless).groups[1].mass.setZero();
    EXPECT_FALSE(make_stvk_body(std::make_shared<Model>(weightless)).ok());

    StvkBody body = body_of(random_body_ptr(3, 1), lively());
    const auto refused = [&](const std::string& where, const auto& edit) {
        StvkSettings settings = body.settings();
        edit(settings);
        const Status set = body.set(settings);
        ASSERT_FALSE(set.ok()) << where;
        const InputError& problem = set.error();
        EXPECT_NE(problem.where.find(where), std::string::npos) << problem.where;
        EXPECT_FALSE(problem.problem.empty());
        EXPECT_EQ(body.settings().alpha, 0.2);
        EXPECT_FALSE(make_stvk_body(random_body_ptr(3, 1), settings).ok()) << where;
    };
    refused("coordinates", [](StvkSettings& s) { s.coordinates = first_coordinates(4); });
    refused("coordinates", [](StvkSettings& s) { s.coordinates = {0, 0}; });
    refused("coordinates", [](StvkSettings& s) { s.coordinates = {-1}; });
    refused("materials", [](StvkSettings& s) { s.materials.pop_back(); });
    refused("hard", [](StvkSettings& s) { s.materials[1].poisson = 0.5; });
    refused("soft", [](StvkSettings& s) { s.materials[0].density = kNaN; });
    refused("damping", [](StvkSettings& s) { s.beta = -1; });
    refused("damping", [](StvkSettings& s) { s.strain_rate = kNaN; });
    refused("newton", [](StvkSettings& s) { s.newton = -1; });
    refused("tolerance", [](StvkSettings& s) { s.tolerance = 0; });
    refused("gravity", [](StvkSettings& s) { s.gravity[1] = kNaN; });
}

TEST(StvkBody, BadStatesAndForcesAreRefused) {
    StvkBody body = body_of(random_body_ptr(3, 1), lively());
    run(body, 3);
    const StvkState before = body.state();
    const auto refused = [&](const auto& edit) {
        StvkState state = before;
        edit(state);
        EXPECT_FALSE(body.set_state(state).ok());
        EXPECT_EQ(body.state().q, before.q);
    };
    refused([](StvkState& s) { s.q[1] = kNaN; });
    refused([](StvkState& s) { s.v[0] = std::numeric_limits<double>::infinity(); });
    refused([](StvkState& s) { s.a[2] = kNaN; });
    refused([](StvkState& s) { s.q *= 1e200; });
    refused([](StvkState& s) { s.v.resize(2); });
    refused([](StvkState& s) { s.time = kNaN; });

    EXPECT_FALSE(body.add_force({.vertex = 30, .force = {1, 0, 0}}).ok());
    EXPECT_FALSE(body.add_force({.vertex = -1, .force = {1, 0, 0}}).ok());
    EXPECT_FALSE(body.add_force({.vertex = 0, .force = {kNaN, 0, 0}}).ok());
    EXPECT_FALSE(body.add_reduced_force(VectorXd::Constant(3, kNaN)).ok());
    EXPECT_FALSE(body.add_reduced_force(VectorXd::Zero(2)).ok());
}

TEST(StvkBody, StrainRateDampingCanBeTurnedOnLater) {
    StvkSettings settings = lively();
    StvkBody expected = body_of(random_body_ptr(4, 1), settings);
    settings.strain_rate = 0;
    StvkBody body = body_of(random_body_ptr(4, 1), settings);
    ASSERT_TRUE(body.set(lively()).ok());
    EXPECT_EQ(run(body), run(expected));
}

// The name of a group comes from a file, and may be anything.
TEST(StvkBody, AProblemDoesNotQuoteALongName) {
    Model model = random_body(2, 1);
    for (const std::string& name : {std::string(1'000'000, 'x'), std::string(59, 'x') + "\u00e4\u00e4",
                                    std::string("a\x1b[31m\nb\x7f")}) {
        model.groups[0].name = name;
        const Result<StvkBody> made = make_stvk_body(std::make_shared<Model>(model),
                                                     {.materials = {{-1, 0.3, 1000}, {1e6, 0.3, 1000}}});
        ASSERT_FALSE(made.ok());
        EXPECT_LT(made.error().where.size(), 100u);
        for (const char c : made.error().where)
            EXPECT_TRUE(static_cast<unsigned char>(c) >= 32 && c != 127);
    }
    EXPECT_EQ(shown_name(std::string(59, 'x') + "\u00e4\u00e4"), std::string(59, 'x') + "...");
    EXPECT_EQ(shown_name("Geh\u00e4use"), "Geh\u00e4use");
}

}  // namespace
}  // namespace limber
