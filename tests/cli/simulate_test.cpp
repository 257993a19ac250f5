// SPDX-License-Identifier: Apache-2.0
// limber simulate as a user runs it.
#include "run_limber.h"

#include <sstream>

namespace limber::test {
namespace {

class SimulateCommand : public InFolder {
 protected:
    void SetUp() override {
        InFolder::SetUp();
        result_of({"build", bar("4,1,1", "1,0.2,0.2"), "-o", path("bar.glb"), "--fix", "x<0.001", "--poisson",
                   "0.3", "--modes", "2", "--rank", "4"});
    }
    void scene(const std::string& beside, const std::string& in_body = "") const {
        write("scene.json", R"({"dt": 0.002, "duration": 0.1, "gravity": [0, 0, -9.81],
          "bodies": [{"name": "b", "model": "bar.glb")" +
                                in_body + R"(}], "probes": [{"name": "tip", "at": "x>0.999"}])" + beside +
                                "}");
    }
    nlohmann::json simulate(const std::string& output) const {
        return result_of({"simulate", path("scene.json"), "-o", path(output)});
    }
};

TEST_F(SimulateCommand, TheCsvHasTheColumnsOfTheContract) {
    scene(R"(, "every": 10)");
    const auto result = simulate("out.csv");
    EXPECT_EQ(result["steps"], 50);
    EXPECT_EQ(result["not_converged"], 0);
    for (const char* key : {"seconds", "steps_per_second", "max_iterations", "energies"})
        EXPECT_TRUE(result.contains(key)) << key;
    std::istringstream lines(file_text(path("out.csv")));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "t,b.q0,b.q1,b.q2,b.q3,b.kinetic,b.elastic,tip.x,tip.y,tip.z");
    std::vector<std::string> rows;
    while (std::getline(lines, line))
        rows.push_back(line);
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows[0], "0,0,0,0,0,0,0,0,0,0");
    EXPECT_EQ(rows[5].substr(0, 4), "0.1,");
    EXPECT_EQ(rows[5].find("nan"), std::string::npos);
    const double z = std::stod(rows[5].substr(rows[5].rfind(',') + 1));
    EXPECT_LT(z, -0.001);  // it falls
}

TEST_F(SimulateCommand, OtherOutputsAppearAndTheGlbIsAModelAgain) {
    scene("", R"(, "position": [1, 2, 3], "rotation": [0, 0, 1, 0])");
    simulate("out.npz");
    EXPECT_EQ(file_text(path("out.npz")).substr(0, 4), "PK\3\4");
    simulate("out.glb");
    EXPECT_EQ(result_of({"info", path("out.glb")})["rank"], 4);
    const std::string glb = file_text(path("out.glb"));
    EXPECT_NE(glb.find("\"weights\""), std::string::npos);
    EXPECT_NE(glb.find("\"translation\":[1.0,2.0,3.0]"), std::string::npos);
}

TEST_F(SimulateCommand, SeveralBodiesShareOneFile) {
    write("scene.json", R"({"dt": 0.002, "duration": 0.02, "bodies": [
        {"name": "left", "model": "bar.glb", "v": [1, 0, 0, 0]},
        {"name": "right", "model": "bar.glb", "position": [0, 1, 0]}]})");
    const auto result = simulate("two.glb");
    EXPECT_TRUE(result["energies"].contains("left"));
    EXPECT_TRUE(result["energies"].contains("right"));
    // A surface reader sees both, each with the triangles of one.
    const auto one = result_of({"mesh", "info", path("bar.glb")});
    const auto two = result_of({"mesh", "info", path("two.glb")});
    EXPECT_EQ(two["triangles"].get<int>(), 2 * one["triangles"].get<int>());
    EXPECT_NEAR(two["bounds"][1][1].get<double>(), 1.2, 1e-6);  // the second stands 1 m aside
}

TEST_F(SimulateCommand, AnUnconvergedStepIsToldAndTheFilesAreStillWritten) {
    scene(R"(, "forces": [{"at": "x>0.999", "force": [0, 0, -1e12]}])", R"(, "newton": 0)");
    const Ran ran = run_limber({"simulate", path("scene.json"), "-o", path("out.csv"), "--json"});
    EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
    const auto result = ran.json();
    EXPECT_GT(result["not_converged"].get<int>(), 0);
    EXPECT_NE(result["problems"][0].get<std::string>().find("body b"), std::string::npos);
    EXPECT_NE(file_text(path("out.csv")), "");
    EXPECT_EQ(file_text(path("out.csv")).find("nan"), std::string::npos);
}

TEST_F(SimulateCommand, AWarpedBodyFollowsASkeletonAndTellsHowWell) {
    const auto made =
        result_of({"models", "make", "jelly-box", "-o", path("box.msh"), "--motion", path("jump.glb")});
    EXPECT_EQ(made["motion"], path("jump.glb"));
    scene(R"(, "constraints": [{"at": "near:1,0,0", "follow": "jump.glb#head", "what": "both"}])",
          R"(, "method": "warp", "support": "jump.glb#pelvis")");
    const auto result = simulate("out.glb");
    const auto& errors = result["constraints"]["b"];
    for (const char* key : {"position_error", "position_time", "orientation_error", "orientation_time"})
        EXPECT_TRUE(errors[key].is_number()) << key;
    const std::string glb = file_text(path("out.glb"));
    for (const char* moved : {"\"weights\"", "\"translation\"", "\"rotation\""})
        EXPECT_NE(glb.find(std::string("\"path\":") + moved), std::string::npos) << moved;
    simulate("out.csv");
    const std::string csv = file_text(path("out.csv"));
    EXPECT_EQ(csv.substr(0, csv.find('\n')), "t,b.q0,b.q1,b.kinetic,b.elastic,tip.x,tip.y,tip.z");
    EXPECT_EQ(csv.find("nan"), std::string::npos);
}

TEST_F(SimulateCommand, TargetsThatAreMissedAreNotedAndAreNoFailure) {
    // Two modes of bending cannot make the bar twice as long.
    scene(R"(, "constraints": [{"at": "near:1,0,0", "position": [2, 0, 0]}])",
          R"(, "method": "warp", "damping": {"alpha": 5})");
    const auto result = simulate("out.csv");
    EXPECT_GT(result["constraints"]["b"]["position_error"].get<double>(), 0.5);
    EXPECT_NE(result["notes"].dump().find("position target was missed"), std::string::npos);
}

TEST_F(SimulateCommand, ARecordingOfTheStudioRuns) {
    write("scene.json", R"({"duration": 0.04, "dt": 0.002, "gravity": [0, 0, 0],
      "bodies": [{"name": "stvk", "model": "bar.glb", "method": "stvk", "newton": 1},
                 {"name": "warped", "model": "bar.glb", "method": "warp", "warping": "warped", "step": "semi-implicit",
                  "young_scale": 1, "density_scale": 1}],
      "recording": {"version": 1, "steps": 20, "inputs": [
        {"step": 0, "pull": {"vertex": 7, "target": [1, 0, 0.3], "stiffness": 10}},
        {"step": 10, "pull": null}, {"step": 12, "body": "stvk", "set": {"newton": 2}}]}})");
    const auto result = simulate("out.npz");
    EXPECT_EQ(result["steps"], 20);
    for (const char* body : {"stvk", "warped"})
        EXPECT_GT(result["energies"][body]["largest"].get<double>(), 0) << body;
}

// A cube of 8 m³ and 1000 kg/m³ that falls for 1 s: m g h = 8000 · 10 · 5 J.
TEST_F(SimulateCommand, ARigidBodyFalls) {
    write("cube.off",
          "OFF\n8 6 0\n0 0 0\n2 0 0\n0 2 0\n2 2 0\n0 0 2\n2 0 2\n0 2 2\n2 2 2\n"
          "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n");
    write("scene.json", R"({"dt": 0.01, "duration": 1, "gravity": [0, 0, -10],
      "bodies": [{"name": "cube", "method": "rigid", "model": "cube.off"}]})");
    const auto energies = simulate("out.glb")["energies"]["cube"];
    EXPECT_NEAR(energies["kinetic"][1].get<double>(), 4e5, 1e-6);
    EXPECT_NEAR(energies["potential"][0].get<double>() - energies["potential"][1].get<double>(), 4e5, 1e-6);
    const std::string glb = file_text(path("out.glb"));
    for (const char* moved : {"\"translation\"", "\"rotation\""})
        EXPECT_NE(glb.find(std::string("\"path\":") + moved), std::string::npos) << moved;
}

TEST_F(SimulateCommand, MistakesLeaveTheOutputAlone) {
    write("out.csv", "precious");
    const auto failing = [&](const std::string& output) {
        return error_of({"simulate", path("scene.json"), "-o", path(output)});
    };
    scene(R"(, "evry": 10)");
    EXPECT_EQ(failing("out.csv")["try_this"], "'every'");
    scene("", R"(, "rank": 5)");
    EXPECT_NE(failing("out.csv")["problem"].get<std::string>().find("has 4 basis vectors"),
              std::string::npos);
    write("scene.json", R"({"dt": -1, "bodies": [{"model": "bar.glb"}]})");
    EXPECT_NE(failing("out.csv")["where"].get<std::string>().find("dt"), std::string::npos);
    scene("");
    EXPECT_NE(failing("out.txt")["problem"].get<std::string>().find(".npz"), std::string::npos);
    write("bar.glb", "not a model");
    failing("out.csv");
    EXPECT_EQ(file_text(path("out.csv")), "precious");
}

}  // namespace
}  // namespace limber::test
