// SPDX-License-Identifier: Apache-2.0
// limber solve dynamic against the theory of rods: let go from a pull, the end of a rod swings as a triangle
// wave of period 4 L / c with c = sqrt(E / rho).
#include "build/file/npy.h"
#include "run_limber.h"

#include <cmath>
#include <sstream>

namespace limber::test {
namespace {

// E = 1 MPa, rho = 1000 kg/m^3, L = 1 m.
const double kPeriod = 4 / std::sqrt(1e6 / 1000);
constexpr double kStretch = 1e-4;  // m, of a pull of 1 N on 0.01 m^2

struct Row {
    double t, x, y, z;
};

std::vector<Row> csv_rows(const std::string& file) {
    std::istringstream lines(file_text(file));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "t,ux,uy,uz");
    std::vector<Row> rows;
    while (std::getline(lines, line)) {
        Row row{};
        char comma = 0;
        std::istringstream(line) >> row.t >> comma >> row.x >> comma >> row.y >> comma >> row.z;
        rows.push_back(row);
    }
    return rows;
}

class SolveDynamic : public InFolder {
 protected:
    Arguments rod(int steps, Arguments extra, int steps_per_period = 200) const {
        Arguments all = {"solve",
                         "dynamic",
                         bar("10,1,1", "1,0.1,0.1"),
                         "--fix",
                         "x<0.001",
                         "--poisson",
                         "0",
                         "--dt",
                         number(kPeriod / steps_per_period),
                         "--duration",
                         number(kPeriod / steps_per_period * steps)};
        all.insert(all.end(), extra.begin(), extra.end());
        return all;
    }
    static std::string number(double value) {
        std::ostringstream text;
        text.precision(17);
        text << value;
        return text.str();
    }
};

TEST_F(SolveDynamic, AReleasedRodSwingsWithThePeriodOfTheory) {
    const auto result = result_of(
        rod(100, {"--load", "x>0.999: 1 0 0", "--release", "--probe", "x>0.999", "--csv", path("tip.csv")}));
    for (const char* key :
         {"steps", "max_newton_iterations", "energy_drift", "converged", "stable_dt", "probe", "seconds"})
        EXPECT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result["steps"], 100);
    EXPECT_EQ(result["converged"], true);
    EXPECT_TRUE(result["stable_dt"].is_null());
    EXPECT_GE(result["max_newton_iterations"].get<int>(), 1);
    // Newmark keeps the energy of a linear body; the strain of 1e-4 makes it nonlinear by as much.
    EXPECT_LE(result["energy_drift"].get<double>(), 1e-3);

    const auto rows = csv_rows(path("tip.csv"));
    ASSERT_EQ(rows.size(), 101u);
    EXPECT_EQ(rows[0].t, 0);
    EXPECT_NEAR(rows[0].x, kStretch, 2e-4 * kStretch);
    EXPECT_NEAR(rows[100].t, kPeriod / 2, 1e-12);
    // Ten elements round the wave's corners by a few per cent.
    EXPECT_NEAR(rows[50].x, 0, 0.05 * kStretch);
    EXPECT_NEAR(rows[25].x, kStretch / 2, 0.05 * kStretch);
    EXPECT_NEAR(rows[100].x, -kStretch, 0.1 * kStretch);
    EXPECT_NEAR(result["probe"][0].get<double>(), rows[100].x, 1e-18);
}

TEST_F(SolveDynamic, WithoutReleaseTheLoadActsFromTheStart) {
    // A force that acts suddenly swings the end between 0 and twice the static stretch.
    const auto result = result_of(rod(100, {"--load", "x>0.999: 1 0 0", "--probe", "x>0.999"}));
    EXPECT_NEAR(result["probe"][0].get<double>(), 2 * kStretch, 0.1 * 2 * kStretch);
    EXPECT_LE(result["energy_drift"].get<double>(), 1e-3);  // work of the load is counted
}

TEST_F(SolveDynamic, DampingTakesEnergyAndTheBookStillBalances) {
    for (const char* damping : {"20 0", "0 0.001", "5 0.0005"}) {
        const auto result = result_of(
            rod(100, {"--load", "x>0.999: 1 0 0", "--release", "--probe", "x>0.999", "--damping", damping}));
        EXPECT_GT(result["probe"][0].get<double>(), -0.9 * kStretch) << damping;
        EXPECT_LE(result["energy_drift"].get<double>(), 1e-3) << damping;
    }
}

TEST_F(SolveDynamic, ReleaseUnderGravityAloneStaysAtRest) {
    const Ran ran =
        run_limber(rod(5, {"--gravity", "9.81 0 0", "--release", "--probe", "x>0.999", "--json"}));
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.err.find("gravity stays"), std::string::npos);
    const double sag = 1000 * 9.81 / 2e6;                                // rho g L^2 / (2 E)
    EXPECT_NEAR(ran.json()["probe"][0].get<double>(), sag, 0.02 * sag);  // 3/2 of a strain of 0.5% to 1%
}

TEST_F(SolveDynamic, OutAndVtuHoldFramesEveryNSteps) {
    const auto result = result_of(rod(10, {"--load", "x>0.999: 1 0 0", "--release", "--every", "4", "--out",
                                           path("u.npy"), "--vtu", path("swing.vtu")}));
    EXPECT_EQ(result["frames"], 3);  // steps 0, 4, 8
    const auto u = build::read_npy(std::filesystem::path(path("u.npy")));
    EXPECT_EQ(u.shape, (std::vector<std::size_t>{3, 44, 3}));
    EXPECT_NEAR(u.values[3 * 10], kStretch, 2e-4 * kStretch);  // frame 0, vertex 10 at x = 1
    const std::string pvd = file_text(path("swing.pvd"));
    for (const char* name : {"swing_000000.vtu", "swing_000001.vtu", "swing_000002.vtu"}) {
        EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
        EXPECT_NE(pvd.find(name), std::string::npos) << name;
    }
    EXPECT_FALSE(std::filesystem::exists(path("swing_000003.vtu")));
    EXPECT_FALSE(std::filesystem::exists(path("swing.vtu")));
}

TEST_F(SolveDynamic, CentralDifferencesReportTheirLimitAndRunBelowIt) {
    const auto coarse = result_of(rod(2, {"--integrator", "central", "--load", "x>0.999: 1 0 0"}, 2000));
    const double limit = coarse["stable_dt"];
    // 2 / omega_max of a lumped chain is at least h / (c sqrt 3) for cubes and at most h / c in one
    // dimension; h = 0.1.
    const double c = std::sqrt(1e6 / 1000);
    EXPECT_GT(limit, 0.5 * 0.1 / c / std::sqrt(3.0));
    EXPECT_LT(limit, 1.01 * 0.1 / c);
    const int per_period = static_cast<int>(std::ceil(kPeriod / (0.5 * limit)));
    const auto result = result_of(
        rod(per_period / 2,
            {"--integrator", "central", "--load", "x>0.999: 1 0 0", "--release", "--probe", "x>0.999"},
            per_period));
    EXPECT_NEAR(result["probe"][0].get<double>(), -kStretch, 0.15 * kStretch);
    EXPECT_LE(result["energy_drift"].get<double>(), 0.2);  // its energy oscillates by (omega dt)^2
}

TEST_F(SolveDynamic, ABlowUpIsStatusTwoAndLeavesValidFiles) {
    // Steps of four times the limit of one dimension.
    const double dt = 4 * 0.1 / std::sqrt(1e6 / 1000);
    const Ran ran = run_limber({"solve",
                                "dynamic",
                                bar("10,1,1", "1,0.1,0.1"),
                                "--fix",
                                "x<0.001",
                                "--poisson",
                                "0",
                                "--dt",
                                number(dt),
                                "--duration",
                                number(3000 * dt),
                                "--load",
                                "x>0.999: 1 0 0",
                                "--integrator",
                                "central",
                                "--out",
                                path("u.npy"),
                                "--probe",
                                "x>0.999",
                                "--csv",
                                path("tip.csv"),
                                "--json"});
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_NE(ran.err.find("stability limit"), std::string::npos) << ran.err;
    const auto result = ran.json();
    EXPECT_EQ(result["converged"], false);
    EXPECT_NE(result["problem"], "");
    const auto steps = result["steps"].get<std::size_t>();
    EXPECT_LT(steps, 3000u);
    EXPECT_EQ(build::read_npy(std::filesystem::path(path("u.npy"))).shape[0], steps + 1);
    EXPECT_EQ(csv_rows(path("tip.csv")).size(), steps + 1);
    EXPECT_EQ(ran.out.find("nan"), std::string::npos);
}

TEST_F(SolveDynamic, BackwardEulerLosesEnergy) {
    const auto result = result_of(rod(100, {"--load", "x>0.999: 1 0 0", "--release", "--probe", "x>0.999",
                                            "--integrator", "euler", "--mass", "lumped"}));
    EXPECT_GT(result["probe"][0].get<double>(), -0.95 * kStretch);
    EXPECT_GT(result["energy_drift"].get<double>(), 1e-3);  // its damping is the method's, not the body's
}

TEST_F(SolveDynamic, OneNewtonIterationIsOneLinearisedStep) {
    const auto result =
        result_of(rod(20, {"--load", "x>0.999: 1 0 0", "--newton", "1", "--tolerance", "1e-6"}));
    EXPECT_EQ(result["max_newton_iterations"], 1);
    EXPECT_EQ(result["steps"], 20);
}

TEST_F(SolveDynamic, AFreeBodyFlies) {
    // Constant force on all vertices equally: u = a t^2 / 2 with a = F / m for the mean, m = 10 kg.
    const auto result = result_of({"solve", "dynamic", bar("10,1,1", "1,0.1,0.1"), "--gravity", "0 0 -10",
                                   "--dt", "0.01", "--duration", "0.1", "--probe", "all"});
    EXPECT_NEAR(result["probe"][2].get<double>(), -0.5 * 10 * 0.01, 1e-9);  // Newmark is exact for constant a
}

TEST_F(SolveDynamic, MistakesAreRefusedBeforeTheWork) {
    EXPECT_EQ(error_of(rod(2, {"--csv", path("tip.csv")}))["where"], "--csv");
    EXPECT_EQ(error_of(rod(2, {"--damping", "-1 0"}))["where"], "--damping");
    EXPECT_EQ(error_of(rod(2, {"--damping", "1"}))["where"], "--damping");
    EXPECT_EQ(error_of(rod(2, {"--integrator", "verlet"}))["where"], "--integrator");
    EXPECT_EQ(error_of(rod(2, {"--every", "0"}))["where"], "--every");
    EXPECT_EQ(error_of({"solve", "dynamic", path("bar.vtu"), "--dt", "1e-300", "--duration", "1"})["where"],
              "--duration");
    EXPECT_FALSE(std::filesystem::exists(path("tip.csv")));
}

}  // namespace
}  // namespace limber::test
