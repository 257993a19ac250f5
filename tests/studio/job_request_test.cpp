// SPDX-License-Identifier: Apache-2.0
#include "studio/job_request.h"

#include "studio/json_request.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>

namespace limber::studio {
namespace {

JobRequest parsed(const std::string& text) {
    return parse_job_request(parse_object(text));
}

InputError refusal_of(const std::string& text) {
    try {
        parsed(text);
    } catch (const InputError& error) {
        return error;
    }
    ADD_FAILURE() << "not refused: " << text;
    return {};
}

TEST(JobRequest, AWholeBuildIsRead) {
    const auto request = std::get<BuildRequest>(parsed(
        R"({"kind": "build", "upload": "u-obj-12", "name": "<b>", "unit": "mm", "filling": {"tets": {"max_volume": 1e-9}},
            "fix": ["x<0.1", "#1,2"], "materials": {"young": 1e6, "poisson": null},
            "groups": [{"select": "z>1", "density": 2000}], "modes": 10, "rank": "auto:1%", "basis": "modes",
            "method": "both", "sample": null, "improve": ["near:0,1,2"],
            "sketch": [{"name": "tip", "loads": [{"vertex": 3, "force": [0, 1, 2]}]}]})"));
    EXPECT_EQ(request.upload, "u-obj-12");
    EXPECT_EQ(request.name, "<b>");
    EXPECT_EQ(request.unit, "mm");
    EXPECT_EQ(std::get<FillWithTets>(request.filling).max_volume, 1e-9);
    EXPECT_EQ(request.fix, (std::vector<std::string>{"x<0.1", "#1,2"}));
    EXPECT_EQ(request.material.young, 1e6);
    EXPECT_FALSE(request.material.poisson);
    ASSERT_EQ(request.groups.size(), 1u);
    EXPECT_EQ(request.groups[0].second.density, 2000);
    EXPECT_EQ(request.modes, 10);
    EXPECT_EQ(request.rank, "auto:1%");
    EXPECT_EQ(nlohmann::json::parse(request.sketch)["forces"][0]["loads"][0]["vertex"], 3);
    EXPECT_EQ(request.improve, (std::vector<std::string>{"near:0,1,2"}));
}

TEST(JobRequest, ACutIsACountOrRunsOfLabels) {
    const auto counted = std::get<BuildRequest>(
        parsed(R"({"kind": "build", "upload": "a", "domains": {"count": 8}, "rank": "log:200"})"));
    EXPECT_EQ(counted.domains->count, 8);
    EXPECT_EQ(counted.rank, "log:200");
    const auto painted = std::get<FillRequest>(parsed(
        R"({"kind": "fill", "upload": "a", "domains": {"labels": [[0, 2], [3, 1]]}, "fix": ["z<0"]})"));
    EXPECT_EQ(painted.domains->labels, (std::vector<int>{0, 0, 3}));
    EXPECT_EQ(painted.fix, (std::vector<std::string>{"z<0"}));
    for (const char* domains :
         {R"({})", R"({"count": 0})", R"({"count": 8, "labels": [[0, 2]]})", R"({"labels": []})",
          R"({"labels": [[0]]})", R"({"labels": [[-1, 2]]})", R"({"labels": [[0, 0]]})",
          R"({"labels": [[0, 30000000]]})", R"({"labels": [[0.5, 2]]})", R"({"labels": [0, 1]})"})
        EXPECT_TRUE(refusal_of(R"({"kind": "build", "upload": "a", "domains": )" + std::string(domains) + "}")
                        .where.starts_with("domains"))
            << domains;
}

TEST(JobRequest, AUnitMayBeANumberOfMetres) {
    EXPECT_EQ(std::get<CheckRequest>(parsed(R"({"kind": "check", "upload": "a", "unit": 10000})")).unit,
              "10000");
    const auto build = std::get<BuildRequest>(parsed(R"({"kind": "build", "upload": "a", "unit": 0.0005})"));
    EXPECT_EQ(build.unit, "0.0005");
    EXPECT_EQ(build.up, "");
    EXPECT_EQ(std::get<BuildRequest>(parsed(R"({"kind": "build", "upload": "a", "up": "-x"})")).up, "-x");
}

TEST(JobRequest, AnUnknownKeyIsRefusedWithTheNearestOne) {
    const InputError error = refusal_of(R"({"kind": "check", "upload": "a", "units": "m"})");
    EXPECT_NE(error.problem.find("'units'"), std::string::npos);
    EXPECT_EQ(error.try_this, "unit");
    EXPECT_EQ(
        refusal_of(R"({"kind": "build", "upload": "a", "groups": [{"select": "x>0", "yuong": 1}]})").where,
        "groups[0]");
}

TEST(JobRequest, NoSelectionNamesAFile) {
    for (const char* request : {R"({"kind": "build", "upload": "a", "fix": ["file:/etc/passwd"]})",
                                R"({"kind": "build", "upload": "a", "fix": [" file:x"]})",
                                R"({"kind": "build", "upload": "a", "groups": [{"select": "file:x"}]})",
                                R"({"kind": "build", "upload": "a", "sketch": [{"loads":
                                    [{"at": "file:x", "force": [0, 0, 1]}]}]})",
                                R"({"kind": "build", "upload": "a", "improve": ["file:x"]})",
                                R"({"kind": "build", "upload": "a", "basis": "file:x.npy"})",
                                R"({"kind": "build", "upload": "a", "basis": "sketch:/etc/passwd"})"})
        EXPECT_NE(refusal_of(request).problem, "") << request;
}

TEST(JobRequest, IdsHaveTheFormOfIds) {
    for (const char* id : {"", "..", "../x", "A", "a/b", "a.b", "a b", "\\u0000"})
        EXPECT_NE(refusal_of(std::string(R"({"kind": "check", "upload": ")") + id + "\"}").problem, "") << id;
    EXPECT_NE(refusal_of(R"({"kind": "validate", "model": ")" + std::string(65, 'a') + "\"}").problem, "");
    EXPECT_NE(refusal_of(R"({"kind": "validate", "model": 3})").problem, "");
    EXPECT_NE(refusal_of(R"({"kind": "quality", "model": "../x"})").problem, "");
}

TEST(JobRequest, NumbersOutsideTheirRangeAreRefused) {
    for (const char* part :
         {R"("modes": 0)", R"("modes": 1.5)", R"("modes": "3")", R"("modes": 1e99)", R"("rank": -1)",
          R"("rank": "30; rm")", R"("materials": {"young": -1})", R"("materials": {"poisson": 0.6})",
          R"("materials": {"density": "heavy"})", R"("filling": {"voxels": {"resolution": 100000}})",
          R"("filling": {"voxels": {}, "tets": {}})", R"("unit": "ft")", R"("unit": 0)", R"("unit": -1)",
          R"("up": "w")", R"("fix": "x<1")"})
        EXPECT_NE(refusal_of(R"({"kind": "build", "upload": "a", )" + std::string(part) + "}").problem, "")
            << part;
}

TEST(JobRequest, TextThatIsNoRequestIsRefused) {
    for (const char* text : {"", "{", "[]", "3", "null", "{\"kind\": 3}", "{\"kind\": \"buld\"}", "\xff\xfe",
                             R"({"kind": "build"})", R"({"kind": "build", "upload": "a", "sample": "b"})"})
        EXPECT_NE(refusal_of(text).problem, "") << text;
}

TEST(JobRequest, DeepNestingIsRefusedWithoutDeepRecursion) {
    const std::size_t depth = 500'000;  // a recursive reader needs tens of megabytes of stack for it
    EXPECT_NE(refusal_of("{\"kind\":" + std::string(depth, '[') + std::string(depth, ']') + "}").problem, "");
    EXPECT_NE(refusal_of("{\"kind\":" + std::string(depth, '[')).problem, "");
}

TEST(JobRequest, WhatBecomesMuchMoreThanItsTextIsRefused) {
    std::string text = R"({"kind": "build", "upload": "a", "sketch": [)";
    for (int i = 0; i < 300'000; ++i)
        text += "{},";
    text.back() = ']';
    EXPECT_NE(refusal_of(text + '}').problem.find("more than 200000 values"), std::string::npos);
}

TEST(JobRequest, AVariantTakesWhatIsNotGivenFromTheModelsOwnRequest) {
    const auto base = [](const std::string& model) {
        EXPECT_EQ(model, "bunny-1");
        return nlohmann::json{{"kind", "build"}, {"upload", "u-1"}, {"modes", 5}, {"name", "bunny"}};
    };
    const nlohmann::json variant =
        with_base({{"kind", "build"}, {"from_model", "bunny-1"}, {"modes", 9}}, base);
    EXPECT_EQ(variant,
              (nlohmann::json{{"kind", "build"}, {"upload", "u-1"}, {"modes", 9}, {"name", "bunny"}}));
}

TEST(JobRequest, AVariantIsImprovedAtItsOwnPlacesToo) {
    const auto base = [](const std::string&) {
        return nlohmann::json{{"kind", "build"}, {"upload", "u-1"}, {"improve", {"near:0,0,0"}}};
    };
    const nlohmann::json variant =
        with_base({{"kind", "build"}, {"from_model", "bunny-1"}, {"improve", {"near:1,0,0"}}}, base);
    EXPECT_EQ(variant["improve"], (nlohmann::json{"near:0,0,0", "near:1,0,0"}));
}

}  // namespace
}  // namespace limber::studio
