// SPDX-License-Identifier: Apache-2.0
// Scenes: what a scene file may say, and every mistake in it named where it stands.
#include "build/scene/scene.h"

#include "tests/build/scene/scene_folder.h"

namespace limber::test {
namespace {

using namespace build;

using SceneFile = InSceneFolder;

TEST_F(SceneFile, OneBodyIsEnoughAndTheRestHasDefaults) {
    const Scene s = read(scene(""));
    ASSERT_EQ(s.bodies.size(), 1u);
    EXPECT_EQ(s.bodies[0].name, "bar");
    EXPECT_EQ(s.bodies[0].model->rank, 6);
    EXPECT_EQ(s.every, 1);
    EXPECT_TRUE(s.gravity.isZero(0));
}

TEST_F(SceneFile, EveryKeyOfTheDesignIsRead) {
    const Scene s = read(R"({ "duration": 2.0, "dt": 0.002, "gravity": [0, -9.81, 0],
      "bodies": [ { "name": "b", "model": "bar.glb", "method": "stvk", "rank": 4,
                    "integrator": "euler", "newton": 3, "damping": { "alpha": 0.1, "beta": 0.001 },
                    "materials": { "default": { "young": 2e6, "poisson": 0.4, "density": 900 } },
                    "position": [1, 2, 3], "rotation": [0, 0, 0, 1] } ],
      "forces": [ { "body": "b", "at": "near:1,0,0", "force": [0, -5, 0], "from": 0.1, "to": 0.2 } ],
      "events": [ { "time": 1.5, "body": "b", "set": { "rank": 2 } },
                  { "time": 1.0, "body": "b", "set": { "materials": { "default": { "young": 3e6 } } } } ],
      "probes": [ { "name": "tip", "body": "b", "at": "x>0.999" } ],
      "every": 10 })");
    EXPECT_EQ(s.steps(), 1000);
    const SceneBody& body = s.bodies[0];
    const StvkSettings settings = std::get<StvkSettings>(body.settings);
    EXPECT_EQ(settings.coordinates, first_coordinates(4));
    EXPECT_EQ(settings.integrator, StvkIntegrator::BackwardEuler);
    EXPECT_EQ(settings.newton, 3);
    EXPECT_EQ(settings.beta, 0.001);
    EXPECT_EQ(settings.materials[0].young, 2e6);
    EXPECT_EQ(body.pose.position, Eigen::Vector3d(1, 2, 3));
    ASSERT_EQ(s.forces.size(), 1u);
    ASSERT_EQ(s.forces[0].pull.vertices.size(), 1u);
    EXPECT_EQ(body.model->surface.vertices[static_cast<std::size_t>(s.forces[0].pull.vertices[0])],
              Eigen::Vector3d(1, 0, 0));
    EXPECT_EQ(s.probes[0].vertices.size(), 4u);  // the corners of the end
    EXPECT_EQ(s.events[0].time, 1.0);            // sorted
    EXPECT_EQ(s.events[1].time, 1.5);
}

TEST_F(SceneFile, UnknownKeysAreRefusedWithTheNearestOne) {
    EXPECT_EQ(error_of(R"({"bodies": [], "durration": 1})").problem, "unknown key 'durration'");
    EXPECT_EQ(error_of(R"({"bodies": [], "durration": 1})").try_this, "'duration'");
    const InputError in_body = error_of(scene(R"("integrater": "newmark")"));
    EXPECT_EQ(in_body.where, "s.json: bodies[0]");
    EXPECT_EQ(in_body.try_this, "'integrator'");
    EXPECT_EQ(error_of(scene(R"("damping": {"alfa": 1})")).try_this, "'alpha'");
    EXPECT_EQ(error_of(scene(R"("materials": {"default": {"yong": 1}})")).try_this, "'young'");
    EXPECT_EQ(error_of(scene("", R"("forces": [{"at": "all", "forc": [0,0,1]}])")).try_this, "'force'");
    EXPECT_EQ(error_of(scene("", R"("events": [{"time": 0, "set": {"dampin": {}}}])")).try_this, "'damping'");
    EXPECT_EQ(error_of(scene(R"("materials": {"defalt": {"young": 1}})")).try_this, "'default'");
}

TEST_F(SceneFile, ValuesOutOfRangeAreNamedWithTheirPlace) {
    const auto where = [](const std::string& json) { return error_of(json).where; };
    EXPECT_EQ(where(scene("", R"("dt": -0.001)")), "s.json: dt");
    EXPECT_NE(error_of(scene("", R"("dt": -0.001)")).problem.find("-0.001"), std::string::npos);
    EXPECT_EQ(where(scene("", R"("dt": 0)")), "s.json: dt");
    EXPECT_EQ(where(scene("", R"("duration": "long")")), "s.json: duration");
    EXPECT_EQ(where(scene("", R"("every": 1.5)")), "s.json: every");
    EXPECT_EQ(where(scene("", R"("gravity": [0, 1])")), "s.json: gravity");
    EXPECT_EQ(where(scene("", R"("gravity": [0, "a", 1])")), "s.json: gravity[1]");
    EXPECT_EQ(where(scene(R"("newton": -1)")), "s.json: bodies[0].newton");
    EXPECT_EQ(where(scene(R"("rank": 0)")), "s.json: bodies[0].rank");
    EXPECT_EQ(where(scene(R"("rotation": [0, 0, 0, 2])")), "s.json: bodies[0].rotation");
    EXPECT_EQ(where(scene(R"("damping": {"alpha": -1})")), "s.json: bodies[0].damping.alpha");
    EXPECT_EQ(where(scene(R"("q": [1, 2])")), "s.json: bodies[0].q");
    EXPECT_EQ(where(scene("", R"("forces": [{"at": "x>9", "force": [0,0,1]}])")),
              "s.json: forces[0].at 'x>9'");
    EXPECT_EQ(where(scene("", R"("forces": [{"at": "all", "force": [0,0,1], "from": 2, "to": 1}])")),
              "s.json: forces[0]");
    EXPECT_EQ(where(scene("", R"("forces": [{"body": "ba", "at": "all", "force": [0,0,1]}])")),
              "s.json: forces[0].body");
    EXPECT_NE(error_of(scene(R"("materials": {"default": {"poisson": 0.5}})")).problem.find("0.5"),
              std::string::npos);
}

TEST_F(SceneFile, ARankAboveTheModelsIsRefused) {
    const InputError error = error_of(scene(R"("rank": 7)"));
    EXPECT_EQ(error.problem, "rank 7 was asked for; the model has 6 basis vectors");
    EXPECT_NE(error_of(scene("", R"("events": [{"time": 0, "set": {"rank": 7}}])")).problem.find("rank 7"),
              std::string::npos);
}

TEST_F(SceneFile, TextThatIsNoSceneIsRefusedWithItsLine) {
    EXPECT_EQ(error_of("{\n\"bodies\": [,]}").where, "s.json:2");
    EXPECT_EQ(error_of("").where, "s.json:1");
    EXPECT_NE(error_of("[1, 2]").problem, "");
    EXPECT_NE(error_of("{}").problem.find("bodies"), std::string::npos);
    EXPECT_NE(error_of(R"({"bodies": []})").problem.find("no body"), std::string::npos);
    EXPECT_NE(error_of(R"({"dt": 1, "dt": 2, "bodies": []})").problem.find("twice"), std::string::npos);
    EXPECT_NE(error_of(std::string(100000, '[')).problem, "");
    EXPECT_NE(error_of(std::string(100, '[') + std::string(100, ']')).problem.find("deep"),
              std::string::npos);
    EXPECT_NE(error_of(R"({"bodies": [{"model": "none.glb"}]})").where.find("none.glb"), std::string::npos);
}

TEST_F(SceneFile, NamesMustDiffer) {
    EXPECT_NE(error_of(R"({"bodies": [{"model": "bar.glb"}, {"model": "bar.glb"}]})").problem.find("name"),
              std::string::npos);
    EXPECT_NE(error_of(scene("", R"("probes": [{"name": "bar", "at": "all"}])")).problem.find("bar"),
              std::string::npos);
    EXPECT_NE(error_of(scene(R"("name": "a,b")")).problem, "");
    EXPECT_NE(error_of(scene("", R"("probes": [{"name": "t", "at": "all"}])")).problem, "");
}

TEST_F(SceneFile, IdsAreThoseOfTheUsersMesh) {
    // A bar of 4 x 1 x 1 cubes has no vertex inside: every id is on the surface, in another order.
    const auto model = load_model(folder / "bar.glb");
    for (const int id : {0, 7, 19}) {
        const auto found = select_on_model("at", "#" + std::to_string(id), *model);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(model->surface.input_vertex[static_cast<std::size_t>(found[0])], id);
    }
    EXPECT_THROW(select_on_model("at", "#20", *model), InputError);
}

TEST_F(SceneFile, UpIsTheFirstModelsUnlessTheSceneSaysIt) {
    EXPECT_EQ(read(scene("")).up, UpAxis::Z);
    Model model = *tiny_model();
    model.up = UpAxis::MinusX;
    write_file(folder / "other.glb", write_model(model).value().bytes);
    EXPECT_EQ(read(R"({"bodies": [{"model": "other.glb"}, {"model": "bar.glb"}]})").up, UpAxis::MinusX);
    EXPECT_EQ(read(R"({"up": "y", "bodies": [{"model": "other.glb"}]})").up, UpAxis::Y);
    const InputError error = error_of(scene("", R"("up": "w")"));
    EXPECT_EQ(error.where, "s.json: up");
    EXPECT_NE(error.problem.find("x, y, z"), std::string::npos);
    error_of(scene("", R"("up": 2)"));
}

}  // namespace
}  // namespace limber::test
