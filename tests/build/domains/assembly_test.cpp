// SPDX-License-Identifier: Apache-2.0
// Trees that are assembled from parts: against rebuilt parts, against one mesh, and what is refused.
#include "build/domains/assembly.h"

#include "build/basis/rest_solver.h"
#include "build/domains/tree_frequencies.h"
#include "build/recipe/recipe.h"
#include "models/models.h"

#include <limber/domains/make_tree.h>
#include <limber/domains/tree_dynamics.h>
#include <limber/model/model_file.h>
#include <limber/reduced/modes.h>

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <Eigen/Dense>
#include <fstream>
#include <numbers>

namespace limber::build::test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A bar along z on its foot, of bricks.
VolumeMesh upright_bar(double scale, double length = 1) {
    VolumeMesh mesh = models::bar({2, 2, int(10 * length)}, scale * Vector3d(0.2, 0.2, length),
                                  models::BarElements::Bricks);
    for (Vertex& v : mesh.vertices)
        v -= scale * Vector3d(0.1, 0.1, 0);
    return mesh;
}

Recipe bar_recipe(double scale, double length = 1) {
    Recipe recipe;
    recipe.fix = {"z < 1e-6"};
    recipe.modes = 4;
    recipe.rank = RankChoice{8, {}};
    recipe.interfaces = {fmt::format("end: z > {}", scale * length - 1e-6)};
    recipe.materials.base = {.young = 1e7, .poisson = 0.3, .density = 1000};
    recipe.method = MethodChoice::Stvk;
    return recipe;
}

AssemblyPart bar_part(const std::string& name = "bar", double scale = 1) {
    const Built built = build_model({upright_bar(scale), name, {}}, bar_recipe(scale));
    return {name, built.model, false};
}

AssemblyPart rigid(AssemblyPart part) {
    part.name = "rod";
    part.rigid = true;
    return part;
}

AssemblyInstance instance(const std::string& name, int part, int parent, const std::string& interface) {
    AssemblyInstance out;
    out.name = name;
    out.part = part;
    out.parent = parent;
    out.interface = interface;
    return out;
}

// Six attachment modes: what a force or a torque at the interface does statically is exact.
TEST(Assembly, AnInterfaceAnswersLoadsAsTheFullElementsDo) {
    const VolumeMesh mesh = upright_bar(1);
    const AssemblyPart part = bar_part();
    const Model* const model = part.model.get();
    ASSERT_EQ(model->rank, 14);  // 8 and six
    ASSERT_EQ(model->interfaces.size(), 1u);
    const DomainInterface& end = model->interfaces[0];
    EXPECT_LE((end.centre - Vector3d(0, 0, 1)).norm(), 1e-12);

    std::vector<int> fixed;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v].z() < 1e-6) fixed.push_back(int(v));
    MaterialMap materials;
    materials.groups[0].material = {.young = 1e7, .poisson = 0.3, .density = 1000};
    materials.group_of_element.assign(mesh.element_count(), 0);
    const FemModel fem(mesh, materials, fixed);
    // A force along x on the interface's vertices in the shares that its centre has of them: areas.
    VectorXd load = VectorXd::Zero(3 * fem.vertex_count());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vector3d& x = mesh.vertices[v];
        if (x.z() < 1 - 1e-6) continue;
        const bool edge_x = std::abs(std::abs(x.x()) - 0.1) < 1e-9,
                   edge_y = std::abs(std::abs(x.y()) - 0.1) < 1e-9;
        load[3 * Eigen::Index(v)] = (edge_x ? 0.25 : 0.5) * (edge_y ? 0.25 : 0.5);
    }
    const VectorXd full =
        all_rows(fem, RestSolver(fem, MassKind::Consistent).solve(free_rows(fem, load))).col(0);
    const MatrixXd K = reduced_stiffness(*model);
    // The patch's shares are those of its triangles, whose diagonals differ from corner to corner: compare
    // the energies that go with the interface's own shares instead of single vertices.
    const VectorXd f = end.shift.transpose().col(0);
    const double compliance = f.dot(K.ldlt().solve(f));
    EXPECT_NEAR(compliance, load.dot(full), 2e-2 * compliance);
}

// Two bars on each other against one of twice the length, in full elements: what rigid interfaces and bases
// of parts that were built alone cost.
TEST(Assembly, TwoBarsVibrateAsOneOfTwiceTheLength) {
    const AssemblyPart part = bar_part();
    const Assembly assembly{{part}, 0, {instance("child", 0, -1, "end")}};
    const VectorXd tree = assemble(assembly, "bars").model->frequencies_hz;
    const VolumeMesh mesh = upright_bar(1, 2);
    std::vector<int> fixed;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v].z() < 1e-6) fixed.push_back(int(v));
    MaterialMap materials;
    materials.groups[0].material = {.young = 1e7, .poisson = 0.3, .density = 1000};
    materials.group_of_element.assign(mesh.element_count(), 0);
    const FemModel fem(mesh, materials, fixed);
    const VectorXd full = solve_modes(fem, {.count = 5}).frequencies_hz;
    for (int k = 0; k < 5; ++k) {
        fmt::print("mode {}: {:.4f} Hz, full {:.4f} Hz, {:+.2f}%\n", k, tree[k], full[k],
                   100 * (tree[k] / full[k] - 1));
        EXPECT_NEAR(tree[k], full[k], 0.05 * full[k]);  // the design page measured 4%
    }
}

// Block Lanczos in linear time against all eigenvalues of dense matrices, fixed and free.
TEST(Assembly, FrequenciesOfLargeTreesAreThoseOfDenseMatrices) {
    const AssemblyPart part = bar_part();
    auto root = bar_recipe(1);
    for (const bool free : {false, true}) {
        if (free) root.fix = {"none"};
        const Built built = build_model({upright_bar(1), "root", {}}, root);
        const AssemblyPart base{"root", built.model, false};
        Assembly assembly{{base, part}, 0, {}};
        for (int k = 0; k < 50; ++k) {
            assembly.instances.push_back(instance(fmt::format("bar{}", k), 1, (k - 2) / 2 - 1, "end"));
            assembly.instances.back().scale = 0.9;
            assembly.instances.back().rotation = Eigen::Quaterniond(
                Eigen::AngleAxisd(k % 2 ? 0.4 : -0.5, Vector3d(1, 0.3 * (k % 3), 0).normalized()));
        }
        const auto model = assemble(assembly, "tree").model;
        const DomainTree tree = make_tree(*model->domains);
        const Eigen::Index n = tree.coordinates, all = n + (free ? 6 : 0);
        ASSERT_GT(n, 600);
        const std::vector<DomainState> domains(tree.size());
        TreeWork work(tree);
        const VectorXd zero = VectorXd::Zero(n);
        evaluate_tree(tree, domains, {}, zero, zero, {}, work);
        MatrixXd M(all, all), K = MatrixXd::Zero(all, all);
        for (Eigen::Index k = 0; k < all; ++k) {
            VectorXd a = zero;
            Vector6d A = Vector6d::Zero();
            (k < n ? a[k] : A[k - n]) = 1;
            tree_residual(tree, domains, Coupling::Exact, {}, zero, a, A, work);
            M.col(k).head(n) = work.residual;
            if (free) M.col(k).tail<6>() = work.nodes[0].F;
        }
        for (const TreeDomain& d : tree.domains)
            K.block(d.first, d.first, d.rank, d.rank) =
                Eigen::Map<MatrixXd>(work.K.data() + d.first_square, d.rank, d.rank);
        const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(K, 0.5 * (M + M.transpose()),
                                                                       Eigen::EigenvaluesOnly);
        const VectorXd dense =
            eigen.eigenvalues().segment(free ? 6 : 0, 20).cwiseSqrt() / (2 * std::numbers::pi);
        ASSERT_EQ(model->frequencies_hz.size(), 20);
        const double worst = ((model->frequencies_hz - dense).array() / dense.array()).abs().maxCoeff();
        fmt::print("{}: worst of 20 frequencies {:.1e}\n", free ? "free" : "fixed", worst);
        EXPECT_LE(worst, 1e-6);  // Lanczos ends at residuals of 1e-8
    }
}

TEST(Assembly, ARigidPartHasNoCoordinates) {
    const AssemblyPart part = bar_part();
    Assembly assembly{{part, rigid(part)}, 0, {instance("rod", 1, -1, "end"), instance("bar", 0, 0, "end")}};
    const auto model = assemble(assembly, "tree").model;
    EXPECT_EQ(coordinates_of(*model->domains), 2 * part.model->rank);
    EXPECT_EQ(model->domains->parts[1].model->rank, 0);
    const auto written = write_model(*model);
    ASSERT_TRUE(written.ok()) << written.error().where << written.error().problem;
    const auto read = read_model(written.value().bytes, "tree.glb");
    ASSERT_TRUE(read.ok()) << read.error().where << ": " << read.error().problem;
    EXPECT_EQ(read.value()->domains->parts[1].interfaces.size(), 1u);
}

// Without a name the child stands on the vertices next to it, and instances at one place share them.
TEST(Assembly, WithoutAnInterfaceChildrenStandOnTheNearestSurface) {
    const AssemblyPart part = bar_part();
    Assembly assembly{{part}, 0, {}};
    for (int k = 0; k < 6; ++k) {
        assembly.instances.push_back(instance(fmt::format("bar{}", k), 0, -1, ""));
        assembly.instances.back().position = Vector3d(0.1, 0, k < 3 ? 0.5 : 0.8);
        assembly.instances.back().rotation =
            Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d(1, 0.1 * k, 0.2));
        assembly.instances.back().scale = 0.3;
    }
    const auto made = assemble(assembly, "tree");
    const DomainsModel& tree = *made.model->domains;
    EXPECT_EQ(tree.parts[0].interfaces.size(), 3u);  // "end", and two places
    EXPECT_TRUE(made.notes.empty());
    // They move with the bar: the centre's motion is that of the nearest vertices.
    const DomainInterface& on = tree.parts[0].interfaces[std::size_t(tree.domains[1].interface)];
    EXPECT_LE((on.centre - Vector3d(0.1, 0, 0.5)).norm(), 0.12);
    assembly.instances[0].position = Vector3d(2, 0, 0);
    EXPECT_EQ(assemble(assembly, "tree").notes.size(), 1u);
}

std::string problem_of(const Assembly& assembly) {
    try {
        assemble(assembly, "tree.json");
    } catch (const InputError& error) {
        return error.where + ": " + error.problem;
    }
    return "";
}

TEST(Assembly, WhatCannotBeATreeIsRefused) {
    const AssemblyPart part = bar_part();
    const Assembly good{
        {part}, 0, {instance("a", 0, -1, "end"), instance("b", 0, 0, "end"), instance("c", 0, 1, "end")}};
    EXPECT_EQ(problem_of(good), "");
    const auto expect = [&](const char* word, const std::function<void(Assembly&)>& change) {
        Assembly bad = good;
        change(bad);
        EXPECT_NE(problem_of(bad).find(word), std::string::npos) << word << ": " << problem_of(bad);
    };
    expect("a, c, b form a cycle", [](Assembly& of) { of.instances[0].parent = 2; });
    expect("a form a cycle", [](Assembly& of) { of.instances[0].parent = 0; });
    expect("no interface 'tip'", [](Assembly& of) { of.instances[1].interface = "tip"; });
    expect("scale is 0", [](Assembly& of) { of.instances[1].scale = 0; });
    expect("scale is -1", [](Assembly& of) { of.instances[1].scale = -1; });
    expect("twice", [](Assembly& of) { of.instances[1].name = "a"; });
    expect("no elements", [](Assembly& of) {
        auto model = std::make_shared<Model>(*of.parts[0].model);
        model->volume_elements = 0;
        of.parts[0].model = model;
    });
    expect("rank 0", [](Assembly& of) {
        auto model = std::make_shared<Model>(*of.parts[0].model);
        model->rank = 0;
        of.parts[0].model = model;
    });
    expect("nothing of it is fixed", [](Assembly& of) {
        auto model = std::make_shared<Model>(*of.parts[0].model);
        model->free_body = true;
        of.parts[0].model = model;
    });
    expect("modal warping only", [](Assembly& of) {
        auto model = std::make_shared<Model>(*of.parts[0].model);
        model->stvk = nullptr;
        of.parts[0].model = model;
    });
    expect("tree of domains itself", [](Assembly& of) {
        auto model = std::make_shared<Model>(*of.parts[0].model);
        model->domains = std::make_shared<const DomainsModel>();
        of.parts[0].model = model;
    });
}

// A thousand deep: nothing recurses, and nothing takes time that is not linear.
TEST(Assembly, AChainOfAThousandIsATree) {
    const AssemblyPart part = bar_part();
    Assembly assembly{{part}, 0, {}};
    for (int k = 0; k < 1000; ++k)
        assembly.instances.push_back(instance(fmt::format("bar{}", k), 0, k - 1, "end"));
    const auto model = assemble(assembly, "chain").model;
    EXPECT_EQ(depth_of(*model->domains), 1000);
    const auto written = write_model(*model);
    ASSERT_TRUE(written.ok());
    EXPECT_TRUE(read_model(written.value().bytes, "chain.glb").ok());
}

class AssemblyFile : public ::testing::Test {
 protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) / "limber_assembly";
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "bar.glb", std::ios::binary) << write_model(*bar_part().model).value().bytes;
    }
    std::string problem(const std::string& json) const {
        try {
            read_assembly(json, "tree.json", folder_);
        } catch (const InputError& error) {
            return error.where + ": " + error.problem;
        }
        return "";
    }
    std::filesystem::path folder_;
};

TEST_F(AssemblyFile, IsReadWithParentsInAnyOrder) {
    const Assembly read = read_assembly(
        R"({"parts": {"bar": "bar.glb", "rod": {"model": "bar.glb", "rigid": true}}, "root": "bar",
            "instances": [{"name": "b", "part": "bar", "parent": "a", "position": [0, 0, 1], "scale": 0.5},
                          {"name": "a", "part": "rod", "parent": "root", "position": [0.1, 0, 0.5],
                           "rotation": [0, 0, 1, 0]}]})",
        "tree.json", folder_);
    ASSERT_EQ(read.instances.size(), 2u);
    EXPECT_EQ(read.instances[0].parent, 1);
    EXPECT_EQ(read.instances[1].parent, -1);
    EXPECT_EQ(read.instances[0].scale, 0.5);
    EXPECT_TRUE(read.parts[1].rigid);
    EXPECT_EQ(read.parts[0].model, read.parts[1].model);  // one file is read once
    const auto model = assemble(read, "tree.json").model;
    EXPECT_EQ(model->domains->domains[1].name, "a");
    EXPECT_EQ(model->domains->domains[2].parent, 1);
}

TEST_F(AssemblyFile, NamedInterfacesComeFromThePartsOwnFile) {
    const Assembly read = read_assembly(
        R"({"parts": {"bar": "bar.glb"}, "root": "bar",
            "instances": [{"name": "a", "part": "bar", "interface": "end"}]})",
        "tree.json", folder_);
    const AssemblyPart part = bar_part();
    ASSERT_EQ(read.parts[0].model->interfaces.size(), 1u);
    const DomainInterface &kept = read.parts[0].model->interfaces[0], &built = part.model->interfaces[0];
    EXPECT_EQ(kept.name, "end");
    EXPECT_EQ(kept.centre, built.centre);
    EXPECT_EQ(kept.covariance, built.covariance);
    EXPECT_EQ(kept.shift, built.shift);
    EXPECT_EQ(kept.turn, built.turn);
    const auto from_file = assemble(read, "tree.json").model;
    const auto direct = assemble({{part}, 0, {instance("a", 0, -1, "end")}}, "direct").model;
    EXPECT_EQ(from_file->domains->frequencies_hz, direct->domains->frequencies_hz);
    EXPECT_EQ(from_file->domains->domains[1].position, Vector3d(built.centre));
    // A tree has them in its parts only, and its file is read again.
    EXPECT_TRUE(from_file->domains->parts[0].model->interfaces.empty());
    const auto written = write_model(*from_file, {}, {}, "tree.glb");
    ASSERT_TRUE(written.ok());
    const auto again = read_model(written.value().bytes, "tree.glb");
    ASSERT_TRUE(again.ok()) << again.error().problem;
    EXPECT_EQ(again.value()->domains->parts[0].interfaces[0].turn, built.turn);
}

TEST_F(AssemblyFile, MistakesNameTheirPlace) {
    const std::string head = R"({"parts": {"bar": "bar.glb"}, "root": "bar", "instances": [)";
    const auto expect = [&](const std::string& json, const char* place, const char* word) {
        const std::string told = problem(json);
        EXPECT_NE(told.find(place), std::string::npos) << told;
        EXPECT_NE(told.find(word), std::string::npos) << told;
    };
    expect("[", "tree.json", "");
    expect("{}", "tree.json", "parts");
    expect(R"({"parts": {}, "root": "bar"})", "parts", "no part");
    expect(R"({"parts": {"bar": "bar.glb"}, "root": "baz"})", "root", "no part 'baz'");
    expect(R"({"parts": {"bar": "none.glb"}, "root": "bar"})", "none.glb", "");
    expect(R"({"parts": {"bar": 3}, "root": "bar"})", "parts.bar", "");
    expect(head + R"({"part": "leaf"}]})", "instances[0].part", "no part 'leaf'");
    expect(head + R"({"part": "bar"}]})", "instances[0]", "neither");
    expect(head + R"({"part": "bar", "interface": "end", "parent": "x"}]})", "instances[0].parent",
           "no instance 'x'");
    expect(head + R"({"part": "bar", "interface": "end", "scale": 0}]})", "instances[0].scale", "");
    expect(head + R"({"part": "bar", "interface": "end", "scale": -1}]})", "instances[0].scale", "");
    expect(head + R"({"part": "bar", "interface": "end", "rotation": [0, 0, 0, 3]}]})",
           "instances[0].rotation", "");
    expect(
        head +
            R"({"name": "a", "part": "bar", "interface": "end"}, {"name": "a", "part": "bar", "interface": "end"}]})",
        "instances[1]", "two instances have the name 'a'");
    expect(head + R"({"name": "root", "part": "bar", "interface": "end"}]})", "instances[0]", "root");
    expect(head + R"({"part": "bar", "interface": "end", "color": 1}]})", "instances[0]", "color");
    std::string many = head;
    for (std::size_t k = 0; k < kMostDomains; ++k)
        many += k == 0 ? "{}" : ",{}";
    expect(many + "]}", "instances", "at most 100000");
}

}  // namespace
}  // namespace limber::build::test
