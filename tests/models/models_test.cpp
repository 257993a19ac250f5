// SPDX-License-Identifier: Apache-2.0
#include "models/models.h"

#include "build/mesh/select.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>
#include <set>

namespace limber::models {
namespace {

TEST(Models, TheListNamesEveryModelOnceWithAMaterialThatCanBeSimulated) {
    std::set<std::string> names;
    for (const ModelInfo& info : list()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.description.empty());
        EXPECT_EQ(info.description.find('\n'), std::string::npos);
        EXPECT_NO_THROW(build::check_material(info.material, info.name));
        EXPECT_EQ(find(info.name).description, info.description);
    }
    EXPECT_EQ(names, (std::set<std::string>{"bar", "bar-tets", "spoon", "bridge", "tower", "heart",
                                            "jelly-box", "potbelly", "dinosaur", "flower", "word", "dragon",
                                            "station", "oak", "great-oak"}));
}

// The great oak has the parts of the oak and takes minutes under sanitizers.
constexpr int kMostDomainsMade = 2000;

TEST(Models, BarsAreVolumesAndTheOthersSurfacesWithAResolution) {
    for (const ModelInfo& info : list()) {
        if (info.domains > kMostDomainsMade) continue;
        const bool volume = info.name.starts_with("bar") || info.name == "jelly-box";
        EXPECT_EQ(std::holds_alternative<build::VolumeMesh>(make(info.name)), volume) << info.name;
        EXPECT_EQ(info.resolution > 0, !volume && !tree(info.name)) << info.name;
    }
}

TEST(Models, WhatIsHeldIsASmallPartOfEveryModel) {
    for (const ModelInfo& info : list()) {
        if (info.fix == "none" || info.domains > kMostDomainsMade) continue;
        const build::AnyMesh mesh = make(info.name);
        const auto [held, all] = std::visit(
            [&](const auto& m) {
                return std::pair(build::select_vertices(info.fix, m).size(), m.vertices.size());
            },
            mesh);
        EXPECT_GE(held, 3U) << info.name;
        EXPECT_LT(held, all / 4) << info.name;
    }
}

TEST(Models, AnUnknownNameIsAnsweredWithTheNearest) {
    for (const auto& [wrong, nearest] : {std::pair("spon", "spoon"), std::pair("Tower", "tower"),
                                         std::pair("brigde", "bridge"), std::pair("bar_tets", "bar-tets"),
                                         std::pair("hart", "heart"), std::pair("dinosaurus", "dinosaur")}) {
        for (const bool by_find : {true, false}) {
            try {
                by_find ? void(find(wrong)) : void(make(wrong));
                ADD_FAILURE() << wrong;
            } catch (const InputError& error) {
                EXPECT_NE(error.where.find(wrong), std::string::npos);
                EXPECT_EQ(error.try_this.find(nearest), 0U) << error.try_this;
            }
        }
    }
    EXPECT_THROW(find(""), InputError);
    EXPECT_THROW(find(std::string(100000, 'x')), InputError);
}

}  // namespace
}  // namespace limber::models
