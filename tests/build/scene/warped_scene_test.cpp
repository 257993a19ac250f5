// SPDX-License-Identifier: Apache-2.0
// What a scene file may say of warped bodies, supports, constraints and recordings.
#include "build/scene/constraint_targets.h"
#include "build/scene/simulate.h"
#include "tests/build/scene/scene_folder.h"

#include <limber/settings/read_settings.h>

namespace limber::test {
namespace {

using namespace build;
using WarpedScene = InSceneFolder;

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(WarpedScene, TheKeysOfAWarpedBodyAreRead) {
    const Scene s =
        read(scene(R"("method": "warp", "step": "closed-form", "damping": {"alpha": 1, "beta": 0.5},
        "coriolis": true, "young_scale": 2, "density_scale": 3, "priority": "orientation", "positions_by": "newton")"));
    const SceneBody& body = s.bodies[0];
    EXPECT_EQ(body.method, Method::Warp);
    const WarpSettings settings = std::get<WarpSettings>(body.settings);
    EXPECT_EQ(settings.step, OscillatorStep::ClosedForm);
    EXPECT_EQ(settings.alpha, 1);
    EXPECT_EQ(settings.beta, 0.5);
    EXPECT_EQ(settings.coriolis, LocalCoriolis::On);
    EXPECT_EQ(settings.young_scale, 2);
    EXPECT_EQ(settings.density_scale, 3);
    EXPECT_EQ(settings.warping, Warping::Warped);
    EXPECT_EQ(body.constraint_settings.priority, TaskPriority::OrientationFirst);
    EXPECT_EQ(body.constraint_settings.positions_by, PositionMethod::Newton);
    EXPECT_EQ(read(scene(R"("method": "linear")")).bodies[0].method, Method::Linear);
    EXPECT_EQ(read(scene("")).bodies[0].method, Method::Stvk);
}

TEST_F(WarpedScene, KeysOfTheOtherMethodAreRefusedWithWhatToTry) {
    for (const char* key : {R"("rank": 2)", R"("integrator": "euler")", R"("newton": 1)"}) {
        const InputError error = error_of(scene(R"("method": "warp", )" + std::string(key)));
        EXPECT_TRUE(says(error.problem, "nonlinear")) << error.problem;
        EXPECT_TRUE(says(error.try_this, "stvk")) << error.try_this;
    }
    for (const char* key :
         {R"("step": "closed-form")", R"("coriolis": true)", R"("young_scale": 2)", R"("density_scale": 2)",
          R"("warping": "linear")", R"("priority": "position")", R"("positions_by": "newton")"})
        EXPECT_TRUE(says(error_of(scene(key)).try_this, "warp")) << key;
    EXPECT_TRUE(says(error_of(scene(R"("method": "warp", "damping": {"strain_rate": 1})")).try_this, "beta"));
    EXPECT_TRUE(says(error_of(scene(R"("method": "wrap")")).try_this, "'warp'"));
    EXPECT_EQ(error_of(scene(R"("method": "warp", "coriolis": 1)")).where, "s.json: bodies[0].coriolis");
    EXPECT_EQ(error_of(scene(R"("method": "warp", "young_scale": 0)")).where,
              "s.json: bodies[0].young_scale");
    EXPECT_TRUE(says(
        error_of(scene("", R"("events": [{"time": 0, "set": {"step": "closed-form"}}])")).try_this, "warp"));
}

TEST_F(WarpedScene, MaterialsThatChangeAlikeBecomeScalesAndOthersAreRefused) {
    const Scene s =
        read(scene(R"("method": "warp", "materials": {"default": {"young": 4e6, "density": 500}})"));
    const Model& model = *s.bodies[0].model;  // built with 1e6 Pa and 1000 kg/m³
    const WarpSettings settings = std::get<WarpSettings>(s.bodies[0].settings);
    EXPECT_NEAR(settings.young_scale, 4, 1e-12);
    EXPECT_NEAR(settings.density_scale, 0.5, 1e-12);
    EXPECT_TRUE(
        says(error_of(scene(R"("method": "warp", "materials": {"default": {"poisson": 0.4}})")).problem,
             "Poisson"));
    EXPECT_TRUE(says(
        error_of(scene(R"("method": "warp", "young_scale": 2, "materials": {"default": {"young": 1e6}})"))
            .problem,
        "both"));
    // Two groups, of which one is changed.
    Model two = model;
    two.groups.push_back(two.groups[0]);
    two.groups[1].name = "other";
    nlohmann::json one;
    one["materials"]["other"]["young"] = 3e6;
    WarpSettings unchanged;
    const Status status = read_settings(one, "w", two, unchanged);
    ASSERT_FALSE(status.ok());
    EXPECT_TRUE(says(status.error().problem, "alike")) << status.error().problem;
}

TEST_F(WarpedScene, SupportsAreNodesOrFrames) {
    const Scene node = read(scene(R"("support": "hand.glb#hand", "position": [0, 0, 1])"));
    // The body stands 1 m along z in the node's frame, which is turned by 0.25 rad about x after 0.5 s.
    const Pose pose = node.bodies[0].pose_at(0.5);
    EXPECT_LE((pose.position - Eigen::Vector3d(5, 0.1 - std::sin(0.25), std::cos(0.25))).norm(), 1e-6);
    const Scene frames =
        read(scene(R"("method": "warp", "support": {"frames": [{"time": 0, "position": [0, 0, 0]},
        {"time": 2, "position": [4, 0, 0]}]})"));
    EXPECT_EQ(frames.bodies[0].pose_at(0.5).position, Eigen::Vector3d(1, 0, 0));
    EXPECT_EQ(frames.bodies[0].pose_at(9).position, Eigen::Vector3d(4, 0, 0));
    const Scene smooth =
        read(scene(R"("support": {"interpolation": "smooth", "frames": [{"time": 0, "position": [0, 0, 0]},
        {"time": 2, "position": [4, 0, 0]}]})"));
    EXPECT_EQ(smooth.bodies[0].pose_at(1).position, Eigen::Vector3d(2, 0, 0));
    EXPECT_NEAR(smooth.bodies[0].pose_at(0.01).position.x(), 4 * 3 * 0.005 * 0.005,
                1e-5);  // 3t² - 2t³, t = 0.005
    const Scene named = read(scene(R"("support": {"node": "hand.glb#hand", "animation": "reach"})"));
    EXPECT_LE((named.bodies[0].pose_at(0).position - Eigen::Vector3d(5, 0, 0)).norm(), 1e-12);
}

TEST_F(WarpedScene, BadSupportsAreNamedWithTheirPlace) {
    const auto support = [&](const std::string& value) { return error_of(scene(R"("support": )" + value)); };
    EXPECT_TRUE(says(support(R"("hand.glb")").try_this, "#node"));
    EXPECT_EQ(support(R"("hand.glb#hnd")").try_this, "'hand'");
    EXPECT_TRUE(says(support(R"("none.glb#hand")").where, "none.glb"));
    EXPECT_TRUE(says(support(R"("hand.obj#hand")").problem, ".glb"));
    EXPECT_TRUE(says(support(R"({"node": "hand.glb#hand", "animation": "run"})").problem, "run"));
    EXPECT_TRUE(says(support(R"({"frames": []})").problem, "no frame"));
    EXPECT_TRUE(
        says(support(R"({"frames": [{"time": 1, "position": [0,0,0]}, {"time": 1, "position": [0,0,0]}]})")
                 .problem,
             "does not come after"));
    EXPECT_TRUE(says(support(R"({"frames": [{"time": 0, "rotation": [0,0,0,3]}]})").problem, "length 3"));
    EXPECT_TRUE(says(support(R"({"frames": [{"time": 0}]})").problem, "no frame has"));
    EXPECT_EQ(support(R"({"frames": [{"time": 0, "positon": [0,0,0]}]})").try_this, "'position'");
    EXPECT_NE(support("3").problem, "");
    // Frames that rest: no animation at all. A model is a glTF file too.
    EXPECT_TRUE(says(support(R"("bar.glb#tiny")").problem, "no animation"));
}

TEST_F(WarpedScene, ConstraintsAreReadAndRefused) {
    const std::string warp = R"("method": "warp")";
    const auto constraint = [&](const std::string& text) {
        return scene(warp, R"("constraints": [{)" + text + "}]");
    };
    const Scene s =
        read(constraint(R"("at": "x>0.999", "follow": ["hand.glb#hand", "hand.glb#hand"], "what": "both",
        "exercised": "x>0.7", "from": 0.25, "to": 0.5)"));
    EXPECT_EQ(s.constraints[0].vertices.size(), 4u);
    EXPECT_EQ(s.constraints[0].exercised.size(), 8u);
    EXPECT_EQ(s.constraints[0].what, Constrained::Both);
    EXPECT_TRUE(s.constraints[0].fastened);
    EXPECT_EQ(s.constraints[0].from, 0.25);
    EXPECT_EQ(read(constraint(R"("at": "x>0.999", "position": [1, 0, 0])")).constraints[0].what,
              Constrained::Position);
    EXPECT_EQ(read(constraint(R"("at": "x>0.999", "rotation": [0, 0, 0, 1])")).constraints[0].what,
              Constrained::Orientation);

    EXPECT_TRUE(
        says(error_of(scene("", R"("constraints": [{"at": "x>0.999", "position": [1,0,0]}])")).problem,
             "nonlinear"));
    EXPECT_TRUE(says(error_of(constraint(R"("at": "x<0.001", "position": [1,0,0])")).problem, "fixed"));
    EXPECT_TRUE(says(error_of(constraint(R"("at": "x>9", "position": [1,0,0])")).where, "constraints[0].at"));
    EXPECT_TRUE(
        says(error_of(constraint(R"("at": "#99999", "position": [1,0,0])")).where, "constraints[0].at"));
    EXPECT_TRUE(says(error_of(constraint(R"("at": "x>0.999")")).problem, "follow"));
    EXPECT_TRUE(says(
        error_of(constraint(R"("at": "x>0.999", "follow": "hand.glb#hand", "position": [1,0,0])")).problem,
        "either"));
    EXPECT_EQ(error_of(constraint(R"("at": "x>0.999", "position": [1, 0, 1e999])")).where.substr(0, 6),
              "s.json");
    EXPECT_TRUE(
        says(error_of(constraint(R"("at": "x>0.999", "position": [1, null, 0])")).where, "position[1]"));
    EXPECT_TRUE(
        says(error_of(constraint(R"("at": "x>0.999", "rotation": [0, 0, 0, 0])")).problem, "length 0"));
    EXPECT_TRUE(says(error_of(constraint(R"("at": "x>0.999", "follow": "hand.glb#foot")")).problem, "foot"));
    EXPECT_TRUE(says(error_of(constraint(R"("at": "x>0.999", "position": [1,0,0], "what": "both")")).try_this,
                     "what"));
    EXPECT_TRUE(
        says(error_of(constraint(R"("at": "x>0.999", "position": [1,0,0], "from": 2, "to": 1)")).problem,
             "earlier"));
}

// Fastened to the hand at t = 0, a vertex goes with it: by the hand's motion about the hand.
TEST_F(WarpedScene, AFastenedVertexMovesWithTheNodeAsIfItWereRigid) {
    const Scene s =
        read(scene(R"("method": "warp", "position": [0, 0, 3])",
                   R"("constraints": [{"at": "near:1,0,0", "follow": "hand.glb#hand", "what": "both"}])"));
    const auto targets = targets_at(s.constraints[0], s.bodies[0], 0.5);
    // The vertex is at (1, 0, 3) in the world; the hand at (5, 0, 0) turns by 0.25 rad about x and goes 0.1
    // along y.
    const Eigen::Vector3d expected(0, -3 * std::sin(0.25) + 0.1, 3 * std::cos(0.25) - 3);
    EXPECT_LE((targets[0].displacement - expected).norm(), 1e-6);  // floats of the file
    const Eigen::AngleAxisd turn(0.25, Eigen::Vector3d::UnitX());
    EXPECT_LE(targets[0].orientation.angularDistance(Eigen::Quaterniond(turn)), 1e-6);
    EXPECT_LE(targets_at(s.constraints[0], s.bodies[0], 0)[0].displacement.norm(), 1e-12);
}

TEST_F(WarpedScene, RecordingsAreReadAndRefused) {
    const auto recording = [&](const std::string& inputs, const std::string& beside = "") {
        return scene("", R"("duration": 0, "recording": {"version": 1, "steps": 5, "inputs": [)" + inputs +
                             "]}" + beside);
    };
    const Scene s = read(recording(R"({"step": 0, "pull": {"vertex": 3, "target": [1, 0, 0], "stiffness": 2}},
        {"step": 2, "pull": null, "dt": 0.5, "gravity": [0, 0, 1], "frame": {}, "pins": null},
        {"step": 2, "set": {"newton": 2}})"));
    EXPECT_EQ(s.steps(), 5);
    EXPECT_NEAR(simulate(s).times[5], 2 * 0.001 + 3 * 0.5, 1e-12);
    EXPECT_TRUE(says(error_of(recording(R"({"step": 3}, {"step": 2})")).problem, "before"));
    EXPECT_TRUE(says(error_of(recording(R"({"step": -1})")).where, "inputs[0].step"));
    EXPECT_TRUE(
        says(error_of(recording(R"({"step": 0, "pull": {"vertex": 999, "target": [1,0,0], "stiffness": 1}})"))
                 .where,
             "pull.vertex"));
    EXPECT_TRUE(says(error_of(recording(R"({"step": 0, "frame": {"orientation": [0, 0, 0, 2]}})")).problem,
                     "length"));
    EXPECT_TRUE(
        says(error_of(recording("", R"(, "forces": [{"at": "all", "force": [0,0,1]}])")).problem, "both"));
    EXPECT_TRUE(says(error_of(scene("", R"("recording": {"version": 4, "steps": 1})")).problem, "version 4"));
    EXPECT_TRUE(says(error_of(scene("", R"("recording": {"version": 1, "steps": 0})")).where, "steps"));
}

// The same inputs in the words of both versions: docs/recording.md.
TEST_F(WarpedScene, RecordingsOfBothVersionsMoveAlike) {
    const auto recording = [&](const std::string& body, int version, const std::string& inputs) {
        return read(scene(body + R"(, "position": [0, 0, 1])",
                          R"("recording": {"version": )" + std::to_string(version) +
                              R"(, "steps": 40, "inputs": [)" + inputs + "]}"));
    };
    for (const std::string method : {R"("method": "stvk")", R"("method": "warp")"}) {
        const Recording first = simulate(
            recording(method, 1,
                      R"({"step": 0, "pull": {"vertex": 3, "target": [1, 0.2, 0.2], "stiffness": 30}},
               {"step": 5, "frame": {"acceleration": [0, 0, 4]}, "dt": 0.002},
               {"step": 20, "pull": null, "gravity": [0, 0, -9.81], "frame": {}})"));
        const Recording second = simulate(recording(
            method, 2,
            R"({"step": 0, "pull": {"vertex": 3, "target": [1, 0.2, 0.2], "stiffness": 30, "space": "frame"}},
               {"step": 5, "support": {"acceleration": [0, 0, 4]}, "dt": 0.002},
               {"step": 20, "pull": null, "gravity": [0, 0, -9.81], "support": null})"));
        EXPECT_GT(first.bodies[0].q.norm(), 0);
        EXPECT_EQ(first.bodies[0].q, second.bodies[0].q);
        EXPECT_EQ(first.times, second.times);
    }
}

// Events take what recordings take: a pull in the world, a change of gravity, a body that goes.
TEST_F(WarpedScene, EventsAreInputs) {
    const Recording pulled = simulate(read(scene(
        "",
        R"("dt": 0.002, "duration": 0.1, "events": [{"time": 0.02, "pull": {"vertex": 3, "target": [1, 1, 1],
              "stiffness": 5}}, {"time": 0.06, "gravity": [0, 0, -1], "pull": null}])")));
    EXPECT_EQ(pulled.bodies[0].q.leftCols(11).norm(), 0);  // until 0.02 s
    EXPECT_GT(pulled.bodies[0].q.col(12).norm(), 0);
    const Recording gone = simulate(
        read(scene("", R"("dt": 0.002, "duration": 0.1, "gravity": [0, 0, -1], "events": [{"time": 0.06,
              "remove": true}])")));
    EXPECT_EQ(gone.bodies[0].q.col(50), gone.bodies[0].q.col(30));
    EXPECT_NE(gone.bodies[0].q.col(30), gone.bodies[0].q.col(29));
    EXPECT_TRUE(says(error_of(scene("", R"("events": [{"time": 0}])")).problem, "nothing"));
    EXPECT_EQ(error_of(scene("", R"("events": [{"time": 0, "pul": null}])")).try_this, "'pull'");
    EXPECT_EQ(error_of(scene("", R"("events": [{"time": 0, "pull": {"vertex": 3}}])")).where,
              "s.json: events[0].pull");
    const std::string two =
        R"({"bodies": [{"name": "a", "model": "bar.glb"}, {"name": "b", "model": "bar.glb"}],
        "events": [{"time": 0, "set": {"newton": 2}}]})";
    EXPECT_TRUE(says(error_of(two).problem, "which of the bodies"));
}

// A file is read once however often it is named.
TEST_F(WarpedScene, BodiesOfOneFileShareTheirModel) {
    const Scene s =
        read(R"({"bodies": [{"name": "a", "model": "bar.glb"}, {"name": "b", "model": "./bar.glb"},
        {"name": "c", "method": "warp", "model": "bar.glb"}]})");
    EXPECT_EQ(s.bodies[0].model, s.bodies[1].model);
    EXPECT_EQ(s.bodies[0].model, s.bodies[2].model);
}

}  // namespace
}  // namespace limber::test
