// SPDX-License-Identifier: Apache-2.0
// limber solve static against the theory of rods.
#include "build/file/npy.h"
#include "run_limber.h"

#include <cmath>

namespace limber::test {
namespace {

class SolveStatic : public InFolder {
 protected:
    // A bar of 1 x 0.1 x 0.1 m, held at x = 0, nu = 0: a rod.
    Arguments rod(Arguments extra) const {
        Arguments all = {"solve",   "static", bar("4,1,1", "1,0.1,0.1"), "--fix", "x<0.001", "--poisson", "0",
                         "--probe", "x>0.999"};
        all.insert(all.end(), extra.begin(), extra.end());
        return all;
    }
};

TEST_F(SolveStatic, AxialPullStretchesByFLOverEA) {
    const auto result = result_of(rod({"--young", "1e6", "--load", "x>0.999: 1 0 0"}));
    for (const char* key : {"converged", "iterations", "residual", "max_displacement", "probe", "load_steps",
                            "indefinite_tangents", "stable", "problem", "seconds", "total_mass"})
        EXPECT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result["converged"], true);
    EXPECT_EQ(result["stable"], true);
    EXPECT_LE(result["residual"].get<double>(), 1e-8);
    // F L / (E A) = 1e-4 m at a strain of 1e-4; StVK differs from the linear rod by 3/2 of the strain.
    EXPECT_NEAR(result["probe"][0].get<double>(), 1e-4, 2e-4 * 1e-4);
    EXPECT_NEAR(result["probe"][1].get<double>(), 0, 1e-12);
    EXPECT_NEAR(result["max_displacement"].get<double>(), 1e-4, 2e-4 * 1e-4);
    EXPECT_NEAR(result["total_mass"].get<double>(), 10, 1e-9);
}

TEST_F(SolveStatic, LargePullFollowsTheCubicLawOfStVK) {
    // A rod of StVK with nu = 0, stretched by s: F / A = E/2 (s^2 - 1) s.
    const double s = 1.3, force = 0.01 * 1e6 / 2 * (s * s - 1) * s;
    const auto result =
        result_of(rod({"--young", "1e6", "--load", "x>0.999: " + std::to_string(force) + " 0 0"}));
    EXPECT_NEAR(result["probe"][0].get<double>(), 0.3, 1e-7);  // the force has six decimals
}

TEST_F(SolveStatic, OwnWeightStretchesByHalfRhoGLSquaredOverE) {
    const auto result = result_of(rod({"--young", "1e8", "--gravity", "9.81 0 0"}));
    const double expected = 1000 * 9.81 / (2 * 1e8);
    EXPECT_NEAR(result["probe"][0].get<double>(), expected,
                3e-4 * expected);  // 3/2 of the strain of 1e-4, and more
}

TEST_F(SolveStatic, LoadsAddUpAndSplitAtTheLastColon) {
    const auto once = result_of(rod({"--young", "1e6", "--load", "x>0.999: 2 0 0"}));
    const auto twice =
        result_of(rod({"--young", "1e6", "--load", "x>0.999: 1 0 0", "--load", "x>0.999:1,0,0"}));
    EXPECT_NEAR(once["probe"][0].get<double>(), twice["probe"][0].get<double>(), 1e-12);
    const auto near = result_of(rod({"--load", "near:1,0,0: 0.1 0 0"}));
    EXPECT_GT(near["probe"][0].get<double>(), 0);
}

TEST_F(SolveStatic, OutAndVtuHoldTheDisplacement) {
    const auto result =
        result_of(rod({"--load", "x>0.999: 1 0 0", "--out", path("u.npy"), "--vtu", path("u.vtu")}));
    const auto u = build::read_npy(std::filesystem::path(path("u.npy")));
    EXPECT_EQ(u.shape, (std::vector<std::size_t>{20, 3}));
    double mean = 0;
    for (std::size_t v : {4, 9, 14, 19})
        mean += u.values[3 * v] / 4;  // the end; x runs fastest
    EXPECT_NEAR(mean, result["probe"][0].get<double>(), 1e-15);
    EXPECT_EQ(u.values[0], 0);
    EXPECT_NE(file_text(path("u.vtu")).find("displacement"), std::string::npos);
}

TEST_F(SolveStatic, NothingFixedIsAnError) {
    const auto error = error_of({"solve", "static", bar("2,1,1", "1,0.5,0.5"), "--gravity", "0 0 -9.81"});
    EXPECT_EQ(error["where"], "--fix");
    EXPECT_NE(error["problem"].get<std::string>().find("nothing is fixed"), std::string::npos);
    // One vertex: the body can still turn.
    error_of({"solve", "static", path("bar.vtu"), "--fix", "#0", "--gravity", "0 0 -9.81"});
}

TEST_F(SolveStatic, LoadsOnFixedVerticesAreIgnoredAndSaid) {
    // Half of the eight vertices are fixed: half of the force works.
    const auto half = run_limber(rod({"--young", "1e6", "--load", "x<0.001 || x>0.999: 2 0 0", "--json"}));
    EXPECT_EQ(half.status, 0);
    EXPECT_NE(half.err.find("4 of its 8 vertices are fixed"), std::string::npos) << half.err;
    EXPECT_NEAR(half.json()["probe"][0].get<double>(), 1e-4, 2e-4 * 1e-4);
    EXPECT_EQ(half.json()["notes"].size(), 1u);
    const auto none = run_limber(rod({"--load", "x<0.001: 2 0 0", "--json"}));
    EXPECT_EQ(none.status, 0) << none.err;
    EXPECT_EQ(none.json()["max_displacement"], 0);
    EXPECT_EQ(none.json()["converged"], true);
    EXPECT_EQ(none.json()["residual"], 0);
}

TEST_F(SolveStatic, NoConvergenceIsStatusTwoWithTheJsonAndTheReason) {
    // One iteration cannot bend a bar by more than its thickness.
    const Ran ran = run_limber(rod({"--young", "1e6", "--load", "x>0.999: 0 0 -5", "--max-iterations", "1",
                                    "--json", "--out", path("u.npy")}));
    EXPECT_EQ(ran.status, 2) << ran.err;
    const auto result = ran.json();
    EXPECT_EQ(result["converged"], false);
    EXPECT_NE(result["problem"], "");
    EXPECT_GT(result["residual"].get<double>(), 1e-8);
    const auto u = build::read_npy(std::filesystem::path(path("u.npy")));
    for (double value : u.values)
        EXPECT_TRUE(std::isfinite(value));
}

TEST_F(SolveStatic, ToleranceIsKept) {
    const auto loose = result_of(rod({"--young", "1e6", "--load", "x>0.999: 0 0 -1", "--tolerance", "0.01"}));
    EXPECT_LE(loose["residual"].get<double>(), 0.01);
    const auto tight = result_of(rod({"--young", "1e6", "--load", "x>0.999: 0 0 -1"}));
    EXPECT_LE(loose["iterations"].get<int>(), tight["iterations"].get<int>());
}

TEST_F(SolveStatic, BadLoadsAreRefused) {
    for (const char* load :
         {"x>0.999", "x>0.999: 1 0", "x>0.999: 1 0 0 0", "x>0.999: a b c", "x>0.999: nan 0 0",
          "x>0.999: inf 0 0", "x>9: 1 0 0", ": 1 0 0", "x>: 1 0 0", ""})
        error_of(rod({"--load", load}));
    EXPECT_EQ(error_of(rod({"--gravity", "0 0"}))["where"], "--gravity");
    EXPECT_EQ(error_of(rod({"--gravity", "0 0 nan"}))["where"], "--gravity");
}

TEST_F(SolveStatic, OddScalesAreNotedOnStandardError) {
    // A bar of 1000 km: surely millimetres.
    const Ran ran = run_limber({"solve", "static", bar("2,1,1", "1e6,1e5,1e5"), "--fix", "x<1", "--young",
                                "1e12", "--load", "x>9e5: 1 0 0", "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.err.find("note: "), std::string::npos);
    EXPECT_FALSE(ran.json()["notes"].empty());
}

}  // namespace
}  // namespace limber::test
