// SPDX-License-Identifier: Apache-2.0
// Trees in files and in worlds.
#include "branching.h"

#include <limber/domains/domains_body.h>
#include <limber/domains/make_tree.h>
#include <limber/domains/shared_vertices.h>
#include <limber/model/model_file.h>
#include <limber/world/input_json.h>
#include <limber/world/world.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace limber::build::test {
namespace {

using Eigen::Vector3d;

const BuiltTree& sample_tree() {
    static const BuiltTree tree = built_tree(branching(), 6);
    return tree;
}

std::shared_ptr<Model> changed(const std::function<void(DomainsModel&)>& change) {
    auto model = std::make_shared<Model>(*sample_tree().built.model);
    auto tree = std::make_shared<DomainsModel>(*model->domains);
    change(*tree);
    model->domains = tree;
    return model;
}

TEST(TreeModel, AFileGivesBackEveryNumber) {
    const Model& model = *sample_tree().built.model;
    const auto written = write_model(model);
    ASSERT_TRUE(written.ok()) << written.error().problem;
    EXPECT_EQ(write_model(model).value().bytes, written.value().bytes);
    const auto read = read_model(written.value().bytes, "tree.glb");
    ASSERT_TRUE(read.ok()) << read.error().where << ": " << read.error().problem;
    const DomainsModel &a = *model.domains, &b = *read.value()->domains;
    ASSERT_EQ(a.domains.size(), b.domains.size());
    EXPECT_EQ(a.frequencies_hz, b.frequencies_hz);
    EXPECT_EQ(model.surface.vertices, read.value()->surface.vertices);
    for (std::size_t i = 0; i < a.domains.size(); ++i) {
        EXPECT_EQ(a.domains[i].name, b.domains[i].name);
        EXPECT_EQ(a.domains[i].parent, b.domains[i].parent);
        EXPECT_EQ(a.domains[i].interface, b.domains[i].interface);
        EXPECT_EQ(a.domains[i].position, b.domains[i].position);
        const DomainPart &p = a.parts[std::size_t(a.domains[i].part)],
                         &q = b.parts[std::size_t(b.domains[i].part)];
        EXPECT_EQ(p.model->stvk->groups[0].bulk, q.model->stvk->groups[0].bulk);
        EXPECT_EQ(p.model->stvk->groups[0].second_tensor, q.model->stvk->groups[0].second_tensor);
        ASSERT_EQ(p.interfaces.size(), q.interfaces.size());
        for (std::size_t k = 0; k < p.interfaces.size(); ++k) {
            EXPECT_EQ(p.interfaces[k].turn, q.interfaces[k].turn);
            EXPECT_EQ(p.interfaces[k].centre, q.interfaces[k].centre);
        }
    }
    EXPECT_EQ(write_model(*read.value()).value().bytes, written.value().bytes);
}

TEST(TreeModel, InstancesShareTheirPart) {
    // The last branch once more, on the same interface, smaller: the file grows by a node only.
    const auto model = changed([](DomainsModel& tree) {
        Domain twin = tree.domains.back();
        twin.name = "twin";
        twin.scale = 0.5;
        twin.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitZ()));
        tree.domains.push_back(twin);
    });
    const auto whole = tree_model(model->domains);
    ASSERT_TRUE(whole.ok());
    const auto written = write_model(whole.value());
    ASSERT_TRUE(written.ok()) << written.error().problem;
    const std::size_t before = write_model(*sample_tree().built.model).value().bytes.size();
    EXPECT_LT(written.value().bytes.size(), before + 2000);
    const auto read = read_model(written.value().bytes, "tree.glb");
    ASSERT_TRUE(read.ok()) << read.error().problem;
    EXPECT_EQ(read.value()->domains->domains.back().scale, 0.5);
    // Ids of instances are their own: none of them is shared by two domains.
    const std::vector<std::int32_t>& ids = read.value()->surface.input_vertex;
    const std::size_t twin = ids.size() - model->domains->parts.back().model->surface.vertices.size();
    const std::set<std::int32_t> others(ids.begin(), ids.begin() + std::ptrdiff_t(twin));
    for (std::size_t v = twin; v < ids.size(); ++v)
        EXPECT_FALSE(others.count(ids[v]));
}

TEST(TreeModel, DomainsCutFromOneMeshKeepItsIds) {
    const BuiltTree& tree = sample_tree();
    const ModelSurface& surface = tree.built.model->surface;
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        EXPECT_LE((surface.vertices[v] - tree.cut.mesh.vertices[std::size_t(surface.input_vertex[v])]).norm(),
                  1e-12);
}

// A cube of 5 x 5 x 5 cells whose middle 3 x 3 x 3 is a domain: only its own skin is shown, not its collar.
TEST(TreeModel, AnInnerDomainShowsItsOwnSkin) {
    CutMesh cut =
        blocks_mesh({{{0, 0, 0}, {5, 5, 5}, 0}}, 0.1, {.young = 1e6, .poisson = 0.3, .density = 1000});
    for (std::size_t e = 0; e < cut.labels.size(); ++e) {
        const auto in = [](std::size_t k) { return k >= 1 && k <= 3; };
        if (in(e % 5) && in(e / 5 % 5) && in(e / 25)) cut.labels[e] = 1;
    }
    const std::size_t volume = cut.mesh.vertices.size();
    const BuiltTree tree = built_tree(std::move(cut), 4);
    const DomainsModel& made = *tree.built.model->domains;
    ASSERT_EQ(made.domains.size(), 2u);
    const ModelSurface& inner = made.parts[std::size_t(made.domains[1].part)].model->surface;
    EXPECT_EQ(inner.vertices.size(), 56u);    // 4³ − 2³
    EXPECT_EQ(inner.triangles.size(), 108u);  // 6 · 9 · 2
    for (const std::int32_t id : inner.input_vertex)
        EXPECT_LT(std::size_t(id), volume);
    EXPECT_EQ(std::set(inner.input_vertex.begin(), inner.input_vertex.end()).size(), 56u);
}

// A rigid domain between soft ones has no coordinates, and the file keeps it.
TEST(TreeModel, NamedDomainsCanBeRigid) {
    const CutMesh cut = branching();
    const Boundary skin = boundary_of(cut.mesh);
    const std::vector<std::int32_t> input_vertex(skin.volume_vertex.begin(), skin.volume_vertex.end());
    const Decomposition parts = decompose(cut.mesh, cut.labels, {}, cut.fixed);
    DomainsRecipe recipe;
    recipe.ranks.number = 6;
    recipe.rigid = {"domain1"};
    const DomainsInput input{cut.mesh, cut.materials, cut.fixed, skin.surface, input_vertex};
    const auto model = build_domains(input, parts, recipe).model;
    EXPECT_EQ(coordinates_of(*model->domains), 7 * 6);
    EXPECT_GT(model->frequencies_hz[0], sample_tree().built.model->frequencies_hz[0]);  // stiffer
    const auto read = read_model(write_model(*model).value().bytes, "tree.glb");
    ASSERT_TRUE(read.ok()) << read.error().problem;
    EXPECT_EQ(coordinates_of(*read.value()->domains), 7 * 6);
    recipe.rigid = {"nothing"};
    EXPECT_THROW(build_domains(input, parts, recipe), InputError);
}

// The whole surface at once is that of its vertices one by one; domains meet where they share vertices.
TEST(TreeModel, TheSurfaceIsWhereItsVerticesAreAndHasNoCracks) {
    const auto model = sample_tree().built.model;
    const auto next = shared_vertices(*model);
    auto body = make_domains_body(model).value();
    TreeState state = body.state();
    std::mt19937 engine(3);
    std::normal_distribution<double> number(0, 0.02);
    for (double& x : state.q)
        x = number(engine);
    ASSERT_TRUE(body.set_state(state).ok());
    Eigen::VectorXf u, normals;
    // With a domain that is gone: its triangles are a point, and its neighbours stay where they are.
    DomainsSettings settings = body.settings();
    settings.domains.back().detached = true;
    auto torn = body.clone();
    ASSERT_TRUE(torn.set(settings).ok());
    torn.surface_shape(u, normals);
    for (std::size_t v = 0; v < next.size(); ++v)
        EXPECT_LE((u.segment<3>(3 * Eigen::Index(v)) - torn.displacement(int(v)).cast<float>()).norm(),
                  1e-6f);
    body.surface_shape(u, normals);
    std::size_t shared = 0;
    for (std::size_t v = 0; v < next.size(); ++v) {
        const Eigen::Vector3f own = u.segment<3>(3 * Eigen::Index(v));
        // Floats of a few metres.
        EXPECT_LE((own - body.displacement(int(v)).cast<float>()).norm(), 1e-6f);
        if (next[v] == int(v)) continue;
        ++shared;
        EXPECT_LE((own - u.segment<3>(3 * next[v])).norm(), 1e-6f);
        EXPECT_LE((model->surface.vertices[v] - model->surface.vertices[std::size_t(next[v])]).norm(), 1e-6);
    }
    EXPECT_GT(shared, 2 * model->domains->domains.size());
}

TEST(TreeModel, WhatIsNoTreeIsRefused) {
    using Change = std::function<void(DomainsModel&)>;
    const std::vector<std::pair<const char*, Change>> changes = {
        {"scale", [](DomainsModel& t) { t.domains[3].scale = 0; }},
        {"scale", [](DomainsModel& t) { t.domains[3].scale = -1; }},
        {"parent", [](DomainsModel& t) { t.domains[3].parent = 5; }},
        {"parent", [](DomainsModel& t) { t.domains[3].parent = -1; }},
        {"part", [](DomainsModel& t) { t.domains[3].part = 100; }},
        {"interface", [](DomainsModel& t) { t.domains[3].interface = 9; }},
        {"twice", [](DomainsModel& t) { t.domains[3].name = t.domains[2].name; }},
        {"finite", [](DomainsModel& t) { t.domains[3].position.x() = NAN; }},
        {"unit length", [](DomainsModel& t) { t.domains[3].rotation.w() = 2; }},
        {"origin", [](DomainsModel& t) { t.domains[0].position.x() = 0.1; }},
        {"origin",
         [](DomainsModel& t) {
             t.domains[0].rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.1, Vector3d::UnitX()));
         }},
        {"no domains", [](DomainsModel& t) { t.domains.clear(); }},
        {"no model", [](DomainsModel& t) { t.parts[1].model = nullptr; }},
        {"fit the rank", [](DomainsModel& t) { t.parts[0].interfaces[0].turn.resize(9, 2); }}};
    for (const auto& [word, change] : changes) {
        const auto problem = domains_problem(*changed(change)->domains, "tree");
        ASSERT_TRUE(problem) << word;
        EXPECT_NE(problem->problem.find(word), std::string::npos) << problem->problem;
    }
}

// Any bit of what limber computes with: refused, and nothing crashes.
TEST(TreeModel, DamagedFilesAreRefused) {
    const std::string bytes = write_model(*sample_tree().built.model).value().bytes;
    std::mt19937 engine(1);
    int refused = 0;
    for (int trial = 0; trial < 200; ++trial) {
        std::string damaged = bytes;
        damaged[engine() % damaged.size()] ^= char(1 << engine() % 8);
        refused += !read_model(damaged, "tree.glb").ok();
    }
    for (int trial = 0; trial < 50; ++trial)
        EXPECT_FALSE(read_model(bytes.substr(0, engine() % bytes.size()), "tree.glb").ok());
    EXPECT_GT(refused, 100);
}

// A body of a world: saved states go on bit by bit, settings come by name, energies and shapes are there.
TEST(TreeModel, AWorldRunsATree) {
    World world({.gravity = Vector3d(0, 0, -9.81)});
    const std::shared_ptr<const Model> model = sample_tree().built.model;
    BodyDef def;
    def.name = "tree";
    def.model = model;
    def.method = Method::Domains;
    const auto id = world.add(def);
    ASSERT_TRUE(id.ok()) << id.error().problem;
    const auto inputs =
        read_inputs(nlohmann::json::parse(R"({"set": {"coupling": "exact", "damping": {"beta": 0.01},
                                          "domains": {"domain5": {"young_scale": 0.5, "frozen": true}}}})"),
                    "inputs", world, {});
    ASSERT_TRUE(inputs.ok()) << inputs.error().problem;
    ASSERT_TRUE(apply_all(world, inputs.value()).ok());
    EXPECT_FALSE(read_inputs(nlohmann::json::parse(R"({"set": {"domains": {"domain55": {"frozen": true}}}})"),
                             "inputs", world, {})
                     .ok());
    for (int k = 0; k < 20; ++k)
        EXPECT_EQ(world.step(0.01).not_converged, 0);
    const WorldState saved = world.save();
    const auto state = [&] { return world.body(id.value())->q(); };
    for (int k = 0; k < 20; ++k)
        world.step(0.01);
    const Eigen::VectorXd once = state();
    ASSERT_TRUE(world.restore(saved).ok());
    for (int k = 0; k < 20; ++k)
        world.step(0.01);
    EXPECT_EQ(once, state());
    const WorldBody& body = *world.body(id.value());
    EXPECT_GT(body.elastic_energy(), 0);
    Eigen::VectorXf u, n;
    body.surface_shape(u, n);
    EXPECT_EQ(u.size(), 3 * Eigen::Index(model->surface.vertices.size()));
    EXPECT_TRUE(u.allFinite() && n.allFinite());
    EXPECT_GT(body.suggest_pull_stiffness(10, 0.01).value(), 0);
}

}  // namespace
}  // namespace limber::build::test
