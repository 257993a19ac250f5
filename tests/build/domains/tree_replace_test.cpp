// SPDX-License-Identifier: Apache-2.0
// A domain takes another part while its tree runs.
#include "build/domains/assembly.h"
#include "build/recipe/recipe.h"
#include "models/models.h"

#include <limber/domains/domains_body.h>
#include <limber/domains/replace.h>
#include <limber/model/model_file.h>
#include <limber/world/session.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace limber::build::test {
namespace {

using Eigen::Vector3d;
using Json = nlohmann::json;

AssemblyPart spare_bar(const std::string& name, double young, int cells = 6) {
    VolumeMesh mesh = models::bar({2, 2, cells}, Vector3d(0.2, 0.15, 0.9), models::BarElements::Bricks);
    Recipe recipe;
    recipe.fix = {"z < 1e-6"};
    recipe.modes = 4;
    recipe.rank = RankChoice{8, {}};
    recipe.interfaces = {"end: z > 0.899999"};
    recipe.materials.base = {.young = young, .poisson = 0.3, .density = 1000};
    recipe.method = MethodChoice::Stvk;
    return {name, build_model({std::move(mesh), name, {}}, recipe).model};
}

// bar - a - b, and two spare parts: a stiff one of the same size, and one of another.
std::shared_ptr<const Model> replaceable_tree(const std::string& middle = "bar") {
    static const std::vector<AssemblyPart> parts = {spare_bar("bar", 1e7), spare_bar("stiff", 3e8),
                                                    spare_bar("fine", 1e7, 8)};
    Assembly assembly{parts, 0, {}};
    for (const char* name : {"a", "b"}) {
        AssemblyInstance& made = assembly.instances.emplace_back();
        made.name = name;
        made.interface = "end";
        made.parent = int(assembly.instances.size()) - 2;
        made.part = name[0] == 'a' && middle == "stiff" ? 1 : 0;
    }
    return assemble(assembly, "bars").model;
}

Session replaceable_session() {
    Session session;
    session.add_model("tree", replaceable_tree());
    EXPECT_TRUE(session.apply({{"gravity", {1, 2, -5}}}).ok());
    EXPECT_TRUE(
        session.apply({{"add", {{"name", "t"}, {"model", "tree"}, {"damping", {{"beta", 0.01}}}}}}).ok());
    EXPECT_TRUE(session.set_dt(0.005).ok());
    return session;
}

Json replacing(const std::string& domain, const std::string& part) {
    return {{"body", "t"}, {"set", {{"domains", {{domain, {{"replace", part}}}}}}}};
}

const WorldBody& body_t(const Session& session) {
    return *session.world().body(*session.world().find("t"));
}

TEST(TreeReplace, ATreeWithAReplacedDomainMovesLikeOneThatWasBuiltSo) {
    DomainsSettings settings{.tolerance = 1e-8, .gravity = Vector3d(1, 2, -5)};
    settings.domains.resize(3);
    DomainsBody built = make_domains_body(replaceable_tree("stiff"), settings).value();
    DomainsBody body = make_domains_body(replaceable_tree(), settings).value();
    settings.domains[1].part = "stiff";
    ASSERT_TRUE(body.set(settings).ok());
    DomainsBody at_once = make_domains_body(replaceable_tree(), settings).value();
    DomainsBody plain =
        make_domains_body(replaceable_tree(), {.tolerance = 1e-8, .gravity = Vector3d(1, 2, -5)}).value();
    for (int k = 0; k < 50; ++k)
        for (DomainsBody* each : {&built, &body, &at_once, &plain})
            ASSERT_TRUE(each->step(0.005).converged);
    EXPECT_LE((body.state().q - built.state().q).norm(), 1e-12 * built.state().q.norm());
    EXPECT_EQ(body.state().q, at_once.state().q);
    EXPECT_GT((plain.state().q - built.state().q).norm(), 0.1 * built.state().q.norm());
    EXPECT_EQ(body.model().name, plain.model().name);
    // Back again: that it stands in the way it was built.
    settings.domains[1].part.clear();
    ASSERT_TRUE(body.set(settings).ok());
    EXPECT_EQ(body.shared_model(), body.model_as_built());
}

TEST(TreeReplace, TheDomainIsAtRestInItsFrameAndTheOthersGoOn) {
    Session session = replaceable_session();
    session.step(60);
    const Eigen::VectorXd before = body_t(session).q();
    const Vector3d place = body_t(session).position(0);
    ASSERT_TRUE(session.apply(replacing("a", "stiff")).ok());
    const Eigen::VectorXd after = body_t(session).q();
    const Eigen::Index r = before.size() / 3;
    EXPECT_GT(before.segment(r, r).norm(), 0);
    EXPECT_EQ(after.segment(r, r).norm(), 0);
    EXPECT_EQ(after.head(r), before.head(r));
    EXPECT_EQ(after.tail(r), before.tail(r));
    EXPECT_EQ(body_t(session).position(0), place);
    session.step(100);
    EXPECT_TRUE(body_t(session).q().allFinite());
}

TEST(TreeReplace, StatesAndRecordingsCarryIt) {
    Session session = replaceable_session();
    session.step(20);
    ASSERT_TRUE(session.apply({{"body", "t"}, {"forces", {{{"vertex", 5}, {"force", {0, 3, 0}}}}}}).ok());
    ASSERT_TRUE(session.apply(replacing("b", "stiff")).ok());
    session.step(20);
    World clone = session.world().clone();
    const WorldState saved = session.world().save();
    session.step(30);
    const Eigen::VectorXd end = body_t(session).q();
    for (int k = 0; k < 30; ++k)
        clone.step(0.005);
    EXPECT_EQ(clone.bodies()[0].q(), end);
    // A state from before and one from after it.
    ASSERT_TRUE(session.apply(replacing("b", "")).ok());
    session.step(3);
    ASSERT_TRUE(session.world().restore(saved).ok());
    session.step(30);
    EXPECT_EQ(body_t(session).q(), end);
    // A recording that begins when it has happened, and one in which it happens.
    Session again = replaceable_session();
    ASSERT_TRUE(again.start_recording().ok());
    again.step(5);
    ASSERT_TRUE(again.apply(replacing("b", "stiff")).ok());
    again.step(20);
    const Json recorded = again.stop_recording();
    Session played;
    played.add_model("tree", replaceable_tree());
    ASSERT_TRUE(played.start_replay(recorded, "recording").ok());
    played.step(25);
    EXPECT_FALSE(played.replay_problem());
    EXPECT_EQ(body_t(played).q(), body_t(again).q());
    ASSERT_TRUE(again.start_recording().ok());
    again.step(20);
    const Json later = again.stop_recording();
    ASSERT_TRUE(played.start_replay(later, "recording").ok());
    played.step(20);
    EXPECT_FALSE(played.replay_problem());
    EXPECT_EQ(body_t(played).q(), body_t(again).q());
}

TEST(TreeReplace, WhatDoesNotFitIsRefusedWithItsPlaceAndNothingChanges) {
    Session session = replaceable_session();
    session.step(10);
    const Eigen::VectorXd before = body_t(session).q();
    const auto expect = [&](const std::string& domain, const std::string& part, const char* text) {
        const Status set = session.apply(replacing(domain, part));
        ASSERT_FALSE(set.ok()) << text;
        EXPECT_NE(set.error().problem.find(text), std::string::npos) << set.error().problem;
        EXPECT_NE(set.error().where.find("domains." + domain), std::string::npos) << set.error().where;
        EXPECT_EQ(body_t(session).q(), before);
    };
    expect("a", "leaf", "no part 'leaf'");
    expect("a", "fine", "vertices");
    expect("root", "stiff", "root cannot be replaced");
    EXPECT_TRUE(session.apply(replacing("a", "bar")).ok());  // it is
    EXPECT_EQ(body_t(session).q(), before);
}

TEST(TreeReplace, SparePartsAreKeptInTheFile) {
    const auto model = replaceable_tree();
    ASSERT_EQ(model->domains->parts.size(), 3u);
    const auto written = write_model(*model, {}, {}, "tree.glb");
    ASSERT_TRUE(written.ok());
    const auto read = read_model(written.value().bytes, "tree.glb");
    ASSERT_TRUE(read.ok()) << read.error().problem;
    EXPECT_EQ(read.value()->domains->parts[2].model->name, "fine");
    EXPECT_EQ(coordinates_of(*read.value()->domains), coordinates_of(*model->domains));
}

}  // namespace
}  // namespace limber::build::test
