// SPDX-License-Identifier: Apache-2.0
// limber solve modes against beam and rod theory.
#include "build/file/npy.h"
#include "run_limber.h"

#include <cmath>
#include <numbers>

namespace limber::test {
namespace {

using SolveModes = InFolder;

TEST_F(SolveModes, FirstFrequencyOfACantileverIsThatOfBeamTheory) {
    const auto modes = result_of({"solve", "modes", bar("30,3,3", "1,0.1,0.1"), "--fix", "x<0.001", "--count",
                                  "2", "--young", "1e6", "--poisson", "0", "--density", "1000"});
    // Euler-Bernoulli: f = 1.8751^2 / (2 pi) sqrt(E I / (rho A L^4)), I / A = h^2 / 12.
    const double expected = 1.8751 * 1.8751 / (2 * std::numbers::pi) * std::sqrt(1e6 / 1000 * 0.01 / 12);
    // Three layers of linear bricks are too stiff by the parasitic shear G/E / n^2 = 0.5 / 9: 2.7% in
    // frequency; shear and rotary inertia of the real bar lower it by about 1%.
    EXPECT_NEAR(modes["frequencies_hz"][0].get<double>(), expected, 0.04 * expected);
    // A square section bends equally both ways.
    EXPECT_NEAR(modes["frequencies_hz"][1].get<double>(), modes["frequencies_hz"][0].get<double>(),
                1e-6 * expected);
    EXPECT_EQ(modes["rigid_modes"], 0);
    EXPECT_EQ(modes["converged"], true);
    EXPECT_NEAR(modes["total_mass"].get<double>(), 10, 1e-9);  // rho V
    EXPECT_EQ(modes["vertices"], 31 * 4 * 4);
    EXPECT_EQ(modes["elements"], 270);
}

TEST_F(SolveModes, KeysAgreeWithEachOther) {
    const auto modes =
        result_of({"solve", "modes", bar("3,1,1", "1,0.3,0.3"), "--fix", "x<0.001", "--count", "4"});
    for (const char* key : {"frequencies_hz", "eigenvalues", "residuals"})
        ASSERT_EQ(modes[key].size(), 4u) << key;
    for (std::size_t i = 0; i < 4; ++i) {
        const double f = modes["frequencies_hz"][i];
        EXPECT_NEAR(modes["eigenvalues"][i].get<double>(), std::pow(2 * std::numbers::pi * f, 2),
                    1e-9 * f * f * 40);
        EXPECT_LE(modes["residuals"][i].get<double>(), 1e-8);  // Lanczos ends far below
    }
}

TEST_F(SolveModes, AFreeBodyReportsItsSixRigidModesApart) {
    const auto modes = result_of({"solve", "modes", bar("3,1,1", "1,0.3,0.3"), "--count", "3"});
    EXPECT_EQ(modes["rigid_modes"], 6);
    EXPECT_GT(modes["frequencies_hz"][0].get<double>(), 1.0);  // E = 1 MPa: the elastic ones are tens of Hz
}

TEST_F(SolveModes, OutIsTheMassNormalisedShapesAsNumpyReadsThem) {
    const std::string mesh = bar("4,1,1", "1,0.2,0.2");
    const auto modes =
        result_of({"solve", "modes", mesh, "--fix", "x<0.001", "--count", "3", "--mass", "lumped", "--out",
                   path("m.npy"), "--vtu", path("m.vtu"), "--probe", "x>0.999"});
    const auto array = build::read_npy(std::filesystem::path(path("m.npy")));
    EXPECT_EQ(array.shape, (std::vector<std::size_t>{3, 20, 3}));
    // Lumped mass of a vertex: an eighth of each brick at it; the 4 vertices of an inner section share two
    // layers.
    const double brick = 1000.0 * 0.25 * 0.2 * 0.2;
    for (std::size_t k = 0; k < 3; ++k) {
        double norm = 0;
        for (std::size_t v = 0; v < 20; ++v) {
            const bool end = v % 5 == 0 || v % 5 == 4;  // x runs fastest
            for (std::size_t c = 0; c < 3; ++c) {
                const double u = array.values[(k * 20 + v) * 3 + c];
                norm += brick / 8 * (end ? 1 : 2) * u * u;
                EXPECT_TRUE(v % 5 != 0 || u == 0) << "a fixed vertex moves";
            }
        }
        EXPECT_NEAR(norm, 1, 1e-9);  // xᵀMx = 1
        // The probe is the mean of the four end vertices 4, 9, 14, 19.
        double mean = 0;
        for (std::size_t v : {4, 9, 14, 19})
            mean += array.values[(k * 20 + v) * 3 + 2] / 4;
        EXPECT_NEAR(modes["probe"][k][2].get<double>(), mean, 1e-12);
    }
    const std::string vtu = file_text(path("m.vtu"));
    for (const char* name : {"mode_1", "mode_2", "mode_3"})
        EXPECT_NE(vtu.find(name), std::string::npos);
    EXPECT_EQ(vtu.find("mode_4"), std::string::npos);
}

TEST_F(SolveModes, MaterialOptionsScaleTheFrequencies) {
    const std::string mesh = bar("3,1,1", "1,0.3,0.3");
    const auto first = [&](Arguments extra) {
        Arguments all = {"solve", "modes", mesh, "--fix", "x<0.001", "--count", "1"};
        all.insert(all.end(), extra.begin(), extra.end());
        return result_of(all)["frequencies_hz"][0].get<double>();
    };
    const double f = first({});
    // f ~ sqrt(E / rho); eigenvalues are solved to 1e-8 or better.
    EXPECT_NEAR(first({"--young", "4e6"}), 2 * f, 1e-6 * f);
    EXPECT_NEAR(first({"--density", "4000"}), f / 2, 1e-6 * f);
    EXPECT_NEAR(first({"--material", "all: young=4e6"}), 2 * f, 1e-6 * f);
    EXPECT_NEAR(first({"--young", "4e6", "--material", "x<2: density=4000"}), f,
                1e-6 * f);                                           // the base's E stays
    EXPECT_GT(first({"--material", "x<0.5: young=4e6"}), 1.05 * f);  // only the root is stiffer
    EXPECT_LT(first({"--material", "x<0.5: young=4e6"}), 2 * f);
    EXPECT_NEAR(first({"--quadrature", "exact"}), f, 1e-6 * f);  // 2x2x2 is exact for K at rest on boxes
}

TEST_F(SolveModes, TheFilesMaterialsApplyUnlessAnOptionReplacesThem) {
    // A Vega file with E = 4e6, nu = 0.3, rho = 500: one unit cube as a brick.
    write("cube.veg",
          "*VERTICES\n8 3 0 0\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"
          "*ELEMENTS\nCUBIC\n1 8 0\n1 1 2 3 4 5 6 7 8\n*MATERIAL stuff\nENU, 500, 4e6, "
          "0.3\n*REGION\nallElements, stuff\n");
    const auto from_file = result_of({"solve", "modes", path("cube.veg"), "--fix", "z<0.1", "--count", "1"});
    EXPECT_NEAR(from_file["total_mass"].get<double>(), 500, 1e-9);
    const auto given = result_of(
        {"solve", "modes", path("cube.veg"), "--fix", "z<0.1", "--count", "1", "--density", "2000"});
    EXPECT_NEAR(given["total_mass"].get<double>(), 2000, 1e-9);
    // Only the density changed: f ~ 1 / sqrt(rho).
    const double f = from_file["frequencies_hz"][0];
    EXPECT_NEAR(given["frequencies_hz"][0].get<double>(), f / 2, 1e-6 * f);
}

TEST_F(SolveModes, FixRepeatsAndTheUnionCounts) {
    const std::string mesh = bar("4,1,1", "1,0.2,0.2");
    const auto once = result_of({"solve", "modes", mesh, "--fix", "x<0.001 || x>0.999", "--count", "2"});
    const auto twice =
        result_of({"solve", "modes", "--fix", "x<0.001", "--fix", "x>0.999", mesh, "--count", "2"});
    EXPECT_EQ(once["frequencies_hz"], twice["frequencies_hz"]);
}

TEST_F(SolveModes, MoreModesThanTheMeshHasAreRefused) {
    const auto error =
        error_of({"solve", "modes", bar("1,1,1", "1,1,1"), "--fix", "x<0.001", "--count", "50"});
    EXPECT_NE(error["problem"].get<std::string>().find("50"), std::string::npos) << error;
}

TEST_F(SolveModes, TheTableForPeopleHasUnits) {
    const Ran ran =
        run_limber({"solve", "modes", bar("3,1,1", "1,0.3,0.3"), "--fix", "x<0.001", "--count", "2"});
    EXPECT_EQ(ran.status, 0);
    for (const char* piece : {"frequency (Hz)", "eigenvalue (1/s^2)", "kg", "residual"})
        EXPECT_NE(ran.out.find(piece), std::string::npos) << ran.out;
    EXPECT_NE(ran.err.find("reading ..."), std::string::npos) << "progress goes to standard error";
}

}  // namespace
}  // namespace limber::test
