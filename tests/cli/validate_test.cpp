// SPDX-License-Identifier: Apache-2.0
// limber validate as a user runs it.
#include "build/file/npy.h"
#include "run_limber.h"

#include <algorithm>
#include <cmath>

namespace limber::test {
namespace {

class ValidateCommand : public InFolder {
 protected:
    void build(Arguments extra = {}) const {
        Arguments all = {"build",     bar("4,1,1", "1,0.2,0.2"),
                         "-o",        path("bar.glb"),
                         "--fix",     "x<0.001",
                         "--poisson", "0.3",
                         "--modes",   "3",
                         "--rank",    "6"};
        all.insert(all.end(), extra.begin(), extra.end());
        result_of(all);
    }
};

TEST_F(ValidateCommand, TheDefaultTestOfATinyBarIsCloseToTheFullModel) {
    build();
    const auto result = result_of(
        {"validate", path("bar.glb"), "--csv", path("r.csv"), "--out", path("full.npy"), "--periods", "2"});
    for (const char* key : {"frequency_error", "amplitude_error", "displacement_error", "shape_error",
                            "local_compliance", "timings", "test"})
        EXPECT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result["steps"], 200);
    // The paper saw 5 to 10% with its bases.
    EXPECT_LE(std::abs(result["frequency_error"].get<double>()), 0.1);
    EXPECT_LE(std::abs(result["amplitude_error"].get<double>()), 0.15);
    const std::string csv = file_text(path("r.csv"));
    EXPECT_EQ(csv.substr(0, 9), "t,full.x,");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 202);
    EXPECT_EQ(build::read_npy(path("full.npy")).shape, (std::vector<std::size_t>{201, 20, 3}));

    // The full motion as a basis: nearer than the modal derivatives, under the very same push.
    const auto test = result["test"];
    build({"--basis", "file:" + path("full.npy")});
    const std::string force = std::to_string(test["force"][0].get<double>()) + ' ' +
                              std::to_string(test["force"][1].get<double>()) + ' ' +
                              std::to_string(test["force"][2].get<double>());
    const auto again = result_of(
        {"validate", path("bar.glb"), "--push", "#" + std::to_string(test["push"][0].get<int>()), "--force",
         force, "--push-duration", test["push_duration"].dump(), "--dt", test["dt"].dump(), "--duration",
         test["duration"].dump(), "--damping", test["alpha"].dump() + ' ' + test["beta"].dump()});
    EXPECT_LT(again["displacement_error"].get<double>(), result["displacement_error"].get<double>());
}

TEST_F(ValidateCommand, TheReportIsOneFile) {
    build();
    result_of({"validate", path("bar.glb"), "--report", path("r.html"), "--periods", "0.3"});
    EXPECT_NE(file_text(path("r.html")).find("<svg"), std::string::npos);
    EXPECT_NE(file_text(path("r.html")).find("<img"), std::string::npos);
}

TEST_F(ValidateCommand, AnImprovedPlaceHasTheComplianceOfTheFullModel) {
    build();
    const Arguments look = {"validate", path("bar.glb"), "--local-only", "--at", "near:1,0.2,0.2", "--points",
                            "3",        "--map",         path("map.bin")};
    const auto before = result_of(look)["local_compliance"];
    ASSERT_EQ(before["points"].size(), 4u);
    for (const char* key :
         {"vertex", "position", "normal", "place", "patch_vertices", "full", "reduced", "ratio"})
        EXPECT_TRUE(before["worst"].contains(key)) << key;
    EXPECT_GT(before["radius"].get<double>(), 0.0);
    EXPECT_LT(before["points"][0]["ratio"].get<double>(), 0.99);
    for (const auto& point : before["points"])
        EXPECT_GE(point["ratio"].get<double>(), before["worst"]["ratio"].get<double>());
    // Counts, 20 vertices, 36 triangles, and a ratio of each vertex.
    EXPECT_EQ(file_text(path("map.bin")).size(), 12u + 20 * 12 + 36 * 12 + 20 * 4);

    build({"--improve", "near:1,0.2,0.2"});
    const auto info = result_of({"info", path("bar.glb")});
    EXPECT_EQ(info["rank"], 9);
    EXPECT_NE(info["command"].get<std::string>().find("--improve"), std::string::npos);
    const auto after = result_of(look)["local_compliance"];
    EXPECT_NEAR(after["points"][0]["ratio"].get<double>(), 1, 1e-6);
    EXPECT_NEAR(after["points"][0]["full"].get<double>(), before["points"][0]["full"].get<double>(),
                1e-9 * before["points"][0]["full"].get<double>());
    EXPECT_EQ(error_of({"validate", path("bar.glb"), "--local-only", "--csv", path("r.csv")})["where"],
              "--csv");
}

TEST_F(ValidateCommand, FreeBodiesHaveALocalComplianceToo) {
    result_of({"build", bar("4,1,1", "1,0.2,0.2"), "-o", path("free.glb"), "--modes", "3", "--rank", "6"});
    const auto local = result_of({"validate", path("free.glb"), "--local-only"})["local_compliance"];
    EXPECT_EQ(local["points"].size(), 12u);
    error_of({"validate", path("free.glb")});
}

TEST_F(ValidateCommand, LeanModelsAndBadNumbersAreRefused) {
    build({"--lean"});
    EXPECT_NE(error_of({"validate", path("bar.glb")})["try_this"].get<std::string>().find("--lean"),
              std::string::npos);
    build();
    EXPECT_EQ(error_of({"validate", path("bar.glb"), "--dt", "-1"})["where"], "--dt");
    EXPECT_EQ(error_of({"validate", path("bar.glb"), "--rank", "7"})["where"], "--rank");
    EXPECT_EQ(error_of({"validate", path("bar.glb"), "--force", "0 0 0"})["where"], "--force");
    error_of({"validate", path("bar.glb"), "--push", "x>7"});
}

}  // namespace
}  // namespace limber::test
