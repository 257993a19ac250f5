// SPDX-License-Identifier: Apache-2.0
// An independent solver agrees: CalculiX (Debian's calculix-ccx). With *ELASTIC and NLGEOM its law is StVK,
// its C3D8 is the 2x2x2 brick and its C3D4 the one-point tet, so only the digits that it prints (seven) and
// its own convergence limit separate us: 1e-6 of the largest value.
#include "build/fem/assemble.h"
#include "build/fem/modes.h"
#include "build/fem/statics.h"
#include "build/mesh/check.h"
#include "build/mesh_files/files.h"
#include "tests/build/fem/bars.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace limber::build {
namespace {

namespace fs = std::filesystem;
using namespace limber::build::testing;
using Eigen::Vector3d;

constexpr double kPrinted = 1e-6;

// One problem, for both programs: a bar along x, clamped at x = 0.
struct Problem {
    VolumeMesh mesh;
    MaterialMap materials;
    std::vector<int> fixed, tip;

    FemModel model() const { return FemModel(mesh, materials, fixed); }
};

Problem clamped(VolumeMesh mesh, const std::vector<Material>& halves) {
    Problem problem{std::move(mesh), {}, {}, {}};
    for (std::size_t v = 0; v < problem.mesh.vertices.size(); ++v) {
        if (problem.mesh.vertices[v].x() < 1e-9) problem.fixed.push_back(static_cast<int>(v));
        if (problem.mesh.vertices[v].x() > 1 - 1e-9) problem.tip.push_back(static_cast<int>(v));
    }
    // With two materials every second element has the other one: interfaces everywhere.
    problem.materials.groups.clear();
    for (std::size_t g = 0; g < halves.size(); ++g) {
        problem.materials.groups.push_back({fmt::format("part{}", g), halves[g]});
        problem.mesh.element_groups.push_back({fmt::format("part{}", g), {}});
    }
    for (std::size_t e = 0; e < problem.mesh.element_count(); ++e) {
        const int g = static_cast<int>(e % halves.size());
        problem.materials.group_of_element.push_back(g);
        problem.mesh.element_groups[static_cast<std::size_t>(g)].ids.push_back(static_cast<int>(e));
    }
    return problem;
}

// Runs ccx on the mesh that limber writes and the given step; returns what it printed to its .dat file.
class Calculix : public ::testing::Test {
 protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / fmt::format("limber-ccx-{}", getpid());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string run(const Problem& problem, const std::string& step) {
        write_volume(folder_ / "mesh.inp", problem.mesh);
        std::ofstream deck(folder_ / "job.inp");
        deck << "*INCLUDE, INPUT=mesh.inp\n";
        for (const auto& [name, ids] : {std::pair{"FIXED", problem.fixed}, std::pair{"TIP", problem.tip}}) {
            deck << "*NSET, NSET=" << name << "\n";
            for (int id : ids)
                deck << id + 1 << ",\n";
        }
        for (const auto& group : problem.materials.groups)
            deck << fmt::format(
                "*MATERIAL, NAME={0}\n*ELASTIC\n{1:.12g}, {2:.12g}\n*DENSITY\n{3:.12g}\n"
                "*SOLID SECTION, ELSET={0}, MATERIAL={0}\n",
                group.name, group.material.young, group.material.poisson, group.material.density);
        deck << "*BOUNDARY\nFIXED, 1, 3\n" << step << "*END STEP\n";
        deck.close();
        const std::string command =
            fmt::format("cd '{}' && OMP_NUM_THREADS=1 ccx job >ccx.log 2>&1", folder_.string());
        EXPECT_EQ(std::system(command.c_str()), 0) << text(folder_ / "ccx.log");
        return text(folder_ / "job.dat");
    }

    // The displacements at the end of a nonlinear static step.
    Eigen::VectorXd run_static(const Problem& problem, const std::string& load) {
        std::istringstream dat(run(problem,
                                   "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.0, 1e-8, 0.25\n"
                                   "*CONTROLS, PARAMETERS=FIELD\n1e-10, 1e-10\n" +
                                       load + "*NODE PRINT, NSET=NALL, FREQUENCY=1000\nU\n"));
        Eigen::VectorXd u =
            Eigen::VectorXd::Constant(3 * static_cast<Eigen::Index>(problem.mesh.vertices.size()), NAN);
        for (std::string line; std::getline(dat, line);) {
            std::istringstream row(line);
            Eigen::Index node = 0;
            Vector3d value;
            if (row >> node >> value[0] >> value[1] >> value[2]) u.segment<3>(3 * (node - 1)) = value;
        }
        return u;
    }

    std::vector<double> run_frequencies(const Problem& problem, int count) {
        std::istringstream dat(run(problem, fmt::format("*STEP\n*FREQUENCY\n{}\n", count)));
        std::vector<double> hz;
        for (std::string line; std::getline(dat, line) && static_cast<int>(hz.size()) < count;) {
            std::istringstream row(line);
            double mode = 0, eigenvalue = 0, omega = 0, cycles = 0, imaginary = 0;
            if (row >> mode >> eigenvalue >> omega >> cycles >> imaginary) hz.push_back(cycles);
        }
        return hz;
    }

    static std::string text(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path folder_;
};

double relative_difference(const Eigen::VectorXd& ours, const Eigen::VectorXd& theirs) {
    return (ours - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
}

const Material kCork{.young = 2e7, .poisson = 0.05, .density = 240};

// The distortion keeps the end faces x = 0 and x = 1 and prints exactly in the deck's 12 digits.
VolumeMesh rounded(VolumeMesh mesh) {
    for (Vertex& p : mesh.vertices)
        for (double& x : p)
            x = std::round(x * 1e9) * 1e-9;
    return mesh;
}

TEST_F(Calculix, BrickFrequenciesAgree) {
    const Problem problem = clamped(brick_bar(8, 2, 2, {1, 0.2, 0.25}), {kRubber, kCork});
    const auto theirs = run_frequencies(problem, 10);
    const auto ours = solve_modes(problem.model(), {.count = 10});
    ASSERT_EQ(theirs.size(), 10u);
    for (int i = 0; i < 10; ++i)
        EXPECT_NEAR(ours.frequencies_hz[i], theirs[static_cast<std::size_t>(i)],
                    kPrinted * theirs[static_cast<std::size_t>(i)]);
}

TEST_F(Calculix, TetFrequenciesAgreeWithItsOnePointMass) {
    // CalculiX gives every node pair of a C3D4 rho V / 16; ours is consistent, so the test builds theirs.
    const Problem problem = clamped(tet_bar(5, 2, 2, {1, 0.2, 0.25}), {kRubber});
    const FemModel model = problem.model();
    Eigen::VectorXd force;
    SparseMatrix lower;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), force, lower);
    const Eigen::MatrixXd K = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(K.rows(), K.cols());
    for (const Tet& tet : problem.mesh.tets)
        for (int a : tet)
            for (int b : tet)
                if (const int i = model.free_index(a), j = model.free_index(b); i >= 0 && j >= 0)
                    M.block<3, 3>(3 * i, 3 * j).diagonal().array() +=
                        kRubber.density * tet_volume(problem.mesh, tet) / 16;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> dense(K, M);
    const auto theirs = run_frequencies(problem, 6);
    ASSERT_EQ(theirs.size(), 6u);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(std::sqrt(dense.eigenvalues()[i]) / (2 * M_PI), theirs[static_cast<std::size_t>(i)],
                    kPrinted * theirs[static_cast<std::size_t>(i)]);
}

TEST_F(Calculix, LargeBrickBendAgrees) {
    const Problem problem = clamped(brick_bar(10, 2, 2, {1, 0.2, 0.25}), {kRubber});
    const Eigen::VectorXd theirs = run_static(problem, "*CLOAD\nTIP, 3, -20.0\nTIP, 2, 8.0\n");
    const FemModel model = problem.model();
    const double n = static_cast<double>(problem.tip.size());
    const auto ours =
        solve_static(model, shared_force(model, problem.tip, n * Vector3d(0, 8, -20)), {.tolerance = 1e-10});
    ASSERT_TRUE(ours.converged);
    EXPECT_GT(theirs.cwiseAbs().maxCoeff(), 0.1);  // a tenth of the length: far from linear
    EXPECT_LE(relative_difference(ours.u, theirs), kPrinted);
}

TEST_F(Calculix, LargeBendOfDistortedBricksOfTwoMaterialsAgrees) {
    VolumeMesh mesh = brick_bar(8, 2, 2, {1, 0.2, 0.25});
    for (Vertex& p : mesh.vertices) {  // general hexahedra: no face stays a parallelogram
        const double inside = p.x() * (1 - p.x());
        p += inside * Vector3d(0.2 * p.y(), 0.3 * p.z() * p.x(), 0.25 * p.y() * p.y() + 0.1 * p.x());
    }
    const Problem problem = clamped(rounded(std::move(mesh)), {kRubber, kCork});
    const Eigen::VectorXd theirs = run_static(problem, "*CLOAD\nTIP, 3, -30.0\n");
    const FemModel model = problem.model();
    const double n = static_cast<double>(problem.tip.size());
    const auto ours =
        solve_static(model, shared_force(model, problem.tip, n * Vector3d(0, 0, -30)), {.tolerance = 1e-10});
    ASSERT_TRUE(ours.converged);
    EXPECT_GT(theirs.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LE(relative_difference(ours.u, theirs), kPrinted);
}

TEST_F(Calculix, GravitySagOfTetsAgrees) {
    const Problem problem = clamped(tet_bar(8, 2, 2, {1, 0.2, 0.25}), {kRubber});
    const Eigen::VectorXd theirs = run_static(problem, "*DLOAD\nEALL, GRAV, 9.81, 0., 0., -1.\n");
    const FemModel model = problem.model();
    const auto ours = solve_static(model, gravity_force(model, {0, 0, -9.81}), {.tolerance = 1e-10});
    ASSERT_TRUE(ours.converged);
    EXPECT_GT(theirs.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LE(relative_difference(ours.u, theirs), kPrinted);
}

TEST_F(Calculix, GravitySagOfBricksAgrees) {
    const Problem problem = clamped(brick_bar(8, 2, 2, {1, 0.2, 0.25}), {kRubber});
    const Eigen::VectorXd theirs = run_static(problem, "*DLOAD\nEALL, GRAV, 9.81, 0., 0., -1.\n");
    const FemModel model = problem.model();
    const auto ours = solve_static(model, gravity_force(model, {0, 0, -9.81}), {.tolerance = 1e-10});
    ASSERT_TRUE(ours.converged);
    EXPECT_GT(theirs.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LE(relative_difference(ours.u, theirs), kPrinted);
}

}  // namespace
}  // namespace limber::build
