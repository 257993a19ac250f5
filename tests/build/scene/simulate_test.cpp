// SPDX-License-Identifier: Apache-2.0
// Scenes in time, against statics and conservation.
#include "build/scene/simulate.h"

#include "tests/build/recipe/tiny_model.h"

#include <gtest/gtest.h>

namespace limber::test {
namespace {

using namespace build;

Scene bar_scene() {
    static const std::shared_ptr<const Model> model = tiny_model();
    Scene scene;
    scene.bodies.resize(1);
    scene.bodies[0].name = "bar";
    scene.bodies[0].model = model;
    scene.dt = 0.002;
    scene.duration = 0.2;
    return scene;
}

std::vector<int> tip(const Scene& scene) {
    return select_on_model("tip", "x>0.999", *scene.bodies[0].model);
}

std::vector<VertexForce> shared_by_the_tip(const Scene& scene, const Eigen::Vector3d& force) {
    std::vector<VertexForce> out;
    add_forces({tip(scene), force}, out);
    return out;
}

StvkSettings& settings(Scene& scene) {
    if (!std::holds_alternative<StvkSettings>(scene.bodies[0].settings))
        scene.bodies[0].settings = StvkSettings{};
    return std::get<StvkSettings>(scene.bodies[0].settings);
}

TEST(Simulate, ReleasedWithoutAnythingToLetGoItStaysInBalance) {
    // Gravity stays: a body released under gravity alone does not move.
    Scene scene = bar_scene();
    scene.gravity = {0, 0, -9.81};
    scene.bodies[0].release = shared_by_the_tip(scene, Eigen::Vector3d::Zero());
    settings(scene).newton = 0;
    const Recording recording = simulate(scene);
    EXPECT_EQ(recording.not_converged, 0);
    const Eigen::MatrixXd& q = recording.bodies[0].q;
    EXPECT_GT(q.col(0).norm(), 0);
    EXPECT_LE((q.rightCols(1) - q.col(0)).norm(), 1e-6 * q.col(0).norm());  // Newton's tolerance 1e-8
}

TEST(Simulate, AReleasedBodyKeepsItsEnergy) {
    Scene scene = bar_scene();
    scene.bodies[0].release = shared_by_the_tip(scene, {0, 0, -5});
    settings(scene).integrator = StvkIntegrator::EnergyPreserving;
    const Recording recording = simulate(scene);
    const RecordedBody& body = recording.bodies[0];
    ASSERT_EQ(recording.times.size(), 101u);
    EXPECT_EQ(body.kinetic[0], 0);
    const double start = body.elastic[0];
    EXPECT_GT(start, 0);
    for (Eigen::Index i = 0; i < body.kinetic.size(); ++i)
        EXPECT_NEAR(body.kinetic[i] + body.elastic[i], start, 1e-6 * start);  // Newton's tolerance
    EXPECT_GT(body.kinetic.maxCoeff(), 0.5 * start);                          // it does move
}

TEST(Simulate, ForcesActFromAndToTheirTimes) {
    Scene scene = bar_scene();
    scene.forces = {{0, {tip(scene), {0, 0, -1}}, 0.1, 0.12}};
    const Recording recording = simulate(scene);
    const Eigen::MatrixXd& q = recording.bodies[0].q;
    EXPECT_EQ(q.leftCols(51).norm(), 0);  // frame 50 is at 0.1 s
    EXPECT_GT(q.col(51).norm(), 0);
    // The impulse F·Δt = 0.02 N s is the work of the push; after it energy is constant (linear motion).
    const Eigen::VectorXd energy = recording.bodies[0].kinetic + recording.bodies[0].elastic;
    EXPECT_GT(energy[60], 0);
    EXPECT_NEAR(energy[100], energy[61], 1e-3 * energy[61]);
}

TEST(Simulate, AnEventThatStiffensTheBodyRaisesItsElasticEnergyExactlyInProportion) {
    // Young's modulus doubles at 0.1 s: the elastic energy at that shape doubles, the motion goes on.
    Scene scene = bar_scene();
    scene.bodies[0].release = shared_by_the_tip(scene, {0, 0, -5});
    settings(scene).integrator = StvkIntegrator::EnergyPreserving;
    SceneEvent event;
    event.time = 0.1;
    event.input["set"]["materials"]["default"]["young"] = 2e6;
    scene.events = {event};
    const Recording recording = simulate(scene);
    const Eigen::VectorXd energy = recording.bodies[0].kinetic + recording.bodies[0].elastic;
    // At frame 50 the energy is still the old one; what is added by the event is its elastic part.
    const double expected = energy[50] + recording.bodies[0].elastic[50];
    EXPECT_NEAR(energy[51], expected, 1e-6 * expected);
    EXPECT_NEAR(energy[100], expected, 1e-6 * expected);
}

TEST(Simulate, ARotatedBodyMovesAsTheSameBodyUnderRotatedForces) {
    Scene upright = bar_scene(), turned = bar_scene();
    upright.gravity = {0, 0, -9.81};
    upright.probes = {{"tip", 0, tip(upright)}};
    turned.probes = upright.probes;
    const Eigen::Quaterniond r(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()));
    turned.bodies[0].pose.orientation = r;
    turned.gravity = r * upright.gravity;
    const Recording a = simulate(upright), b = simulate(turned);
    const Eigen::MatrixXd expected = r.toRotationMatrix() * a.probes[0];
    EXPECT_GT(expected.norm(), 0);
    EXPECT_LE((b.probes[0] - expected).norm(), 1e-9 * expected.norm());
}

TEST(Simulate, FewerBasisVectorsLeaveTheOthersAtZero) {
    Scene scene = bar_scene();
    scene.gravity = {0, 0, -9.81};
    settings(scene).coordinates = first_coordinates(2);
    const Recording recording = simulate(scene);
    EXPECT_GT(recording.bodies[0].q.topRows(2).norm(), 0);
    EXPECT_EQ(recording.bodies[0].q.bottomRows(4).norm(), 0);
}

TEST(Simulate, AnAbsurdPushIsReportedAndLeavesNoNaN) {
    Scene scene = bar_scene();
    scene.dt = 0.1;
    scene.duration = 1;
    settings(scene).newton = 0;
    scene.forces = {{0, {tip(scene), {0, 0, -1e12}}, 0, 1}};
    const Recording recording = simulate(scene);
    EXPECT_TRUE(recording.bodies[0].q.allFinite());
    EXPECT_GT(recording.not_converged, 0);
    ASSERT_FALSE(recording.problems.empty());
    EXPECT_NE(recording.problems[0].find("t = 0.1 s, body bar"), std::string::npos);
}

}  // namespace
}  // namespace limber::test
