// SPDX-License-Identifier: Apache-2.0
// limber haptics as a user runs it. The machine of the tests may be busy: nothing here asks for speed.
#include "run_limber.h"

#include <sstream>

namespace limber::test {
namespace {

class HapticsCommand : public InFolder {
 protected:
    void SetUp() override {
        InFolder::SetUp();
        result_of({"build", bar("4,1,1", "1,0.2,0.2"), "-o", path("bar.glb"), "--fix", "x<0.001", "--poisson",
                   "0.3", "--modes", "2", "--rank", "4"});
    }
};

TEST_F(HapticsCommand, TellsTheKeysOfTheContractAndTouchesTheBody) {
    const auto result = result_of({"haptics", path("bar.glb"), "--seconds", "1"});
    EXPECT_EQ(result["rate_hz"], 1000);
    EXPECT_EQ(result["steps"], 1000);
    EXPECT_GT(result["mean_us"], 0);
    EXPECT_GE(result["p999_us"], result["mean_us"]);
    EXPECT_GE(result["worst_us"], result["p999_us"]);
    EXPECT_GE(result["worst_at"], 0);
    EXPECT_LT(result["worst_at"], 1);
    EXPECT_GE(result["misses"], 0);
    EXPECT_NEAR(double(result["real_time_factor"]), 1000 / double(result["mean_us"]), 1e-6);
    long long counted = 0;
    for (const auto& bin : result["histogram_us"])
        counted += bin[1].get<long long>();
    EXPECT_EQ(counted, 1000);
    EXPECT_GT(result["touching_steps"], 100);
    EXPECT_GT(result["largest_force"], 0);
    EXPECT_EQ(result["is_passive"], true);
    EXPECT_LE(result["energy_given"], 1e-6);  // J, the issue's bound
}

TEST_F(HapticsCommand, PlaysARecordedPoke) {
    write("poke.csv", "t,x,y,z\n0,0.9,0.1,0.35\n0.1,0.9,0.1,0.2\n\n0.2,0.9,0.1,0.35\n");
    const auto result = result_of({"haptics", path("bar.glb"), "--seconds", "0.5", "--rate", "500",
                                   "--recording", path("poke.csv"), "--radius", "0.05"});
    EXPECT_EQ(result["steps"], 250);
    EXPECT_EQ(result["radius"], 0.05);
    EXPECT_EQ(result["is_passive"], false);  // nothing is known of the device
    EXPECT_GT(result["touching_steps"], 10);
}

// The first step of the next pass is the first that jumps back to the beginning, at more than the device's
// largest speed.
TEST_F(HapticsCommand, ARecordingPlayedOnceDoesNotBeginAnew) {
    write("poke.csv", "t,x,y,z\n0,0.9,0.1,0.35\n0.5,0.9,0.1,2.35\n");
    const auto jumps_in = [&](const std::string& seconds) {
        return result_of({"haptics", path("bar.glb"), "--seconds", seconds, "--recording", path("poke.csv"),
                          "--radius", "0.05"})["jumps"];
    };
    EXPECT_EQ(jumps_in("0.5"), 0);
    EXPECT_GE(jumps_in("0.502"), 1);
}

TEST_F(HapticsCommand, ALargeBallBeginsClearOfTheBody) {
    // The path comes from outside in 0.5 s: a ball that began inside would touch from the first step on.
    const auto result = result_of({"haptics", path("bar.glb"), "--seconds", "1", "--radius", "0.15"});
    EXPECT_EQ(result["radius"], 0.15);
    EXPECT_GT(result["touching_steps"], 100);
    EXPECT_LT(result["touching_steps"], 950);
}

TEST_F(HapticsCommand, SaysWhatIsWrong) {
    write("poke.csv", "t,x,y,z\n0,0.9,0.1,0.35\n0.1,0.9,zero,0.2\n");
    auto wrong = error_of({"haptics", path("bar.glb"), "--recording", path("poke.csv")});
    EXPECT_NE(std::string(wrong["where"]).find("poke.csv:3"), std::string::npos);
    write("poke.csv", "0,0,0,0\n0,1,0,0\n");
    wrong = error_of({"haptics", path("bar.glb"), "--recording", path("poke.csv")});
    EXPECT_NE(std::string(wrong["problem"]).find("is not after"), std::string::npos);
    error_of({"haptics", path("none.glb")});
    error_of({"haptics", path("bar.glb"), "--rate", "0"});
    error_of({"haptics", path("bar.glb"), "--seconds", "-1"});
}

// A scene moves a device along its path; the columns of the contract.
TEST_F(HapticsCommand, ADeviceOfASceneHasItsColumns) {
    write("scene.json", R"({"dt": 0.001, "duration": 0.4, "every": 10,
      "bodies": [{"name": "b", "model": "bar.glb"}],
      "devices": [{"name": "stylus", "radius": 0.05, "stiffness": 500, "damping": 2,
                   "path": [{"time": 0, "position": [0.9, 0.1, 0.3]}, {"time": 0.3, "position": [0.9, 0.1, 0.22]}]}]})");
    EXPECT_EQ(result_of({"simulate", path("scene.json"), "-o", path("out.csv")})["not_converged"], 0);
    std::istringstream lines(file_text(path("out.csv")));
    std::string line, last;
    std::getline(lines, line);
    EXPECT_NE(line.find(",stylus.x,stylus.y,stylus.z,stylus.fx,stylus.fy,stylus.fz"), std::string::npos);
    while (std::getline(lines, line))
        last = line;
    std::vector<double> numbers;
    std::istringstream row(last);
    for (std::string cell; std::getline(row, cell, ',');)
        numbers.push_back(std::stod(cell));
    // The ball rests on the bar, pressed by the coupling: F = k (x − p), up.
    const double z = numbers[numbers.size() - 4], force = numbers.back();
    EXPECT_GT(force, 0.1);
    EXPECT_NEAR(force, 500 * (z - 0.22), 0.05 * force);

    write("scene.json", R"({"bodies": [{"name": "b", "model": "bar.glb"}], "devices": [{"name": "b"}]})");
    const auto wrong = error_of({"simulate", path("scene.json"), "-o", path("out.csv")});
    EXPECT_NE(std::string(wrong["where"]).find("devices[0]"), std::string::npos);
}

}  // namespace
}  // namespace limber::test
