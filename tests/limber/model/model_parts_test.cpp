// SPDX-License-Identifier: Apache-2.0
// The lists of arrays: the table of docs/model_file.md says the same, and every array of a file is in one.
#include "tests/limber/model/open_glb.h"
#include "tests/limber/model/sample_model.h"
#include "tests/paths.h"

#include <gtest/gtest.h>
#include <limber/model/model_parts.h>
#include <limber/model/surface_tree.h>

#include <fstream>
#include <set>
#include <sstream>

namespace limber {
namespace {

struct ListedArray {
    ModelArray info;
    std::string type;
};

// All arrays in the order of the lists; those that are numbered follow the surface's.
std::vector<ListedArray> listed_arrays() {
    std::vector<ListedArray> out;
    const auto visit = [&]<class List>(const List& list, const auto& of_model) {
        using Part = std::remove_cvref_t<decltype(of_model)>;
        const auto add = [&]<class Instance>(const Instance& part) {
            for_each_array(list, part, [&](const ModelArray& info, const auto& value) {
                out.push_back({info, LayoutOf<decltype(value)>::kInFile});
            });
        };
        if constexpr (requires { of_model[0].name; })
            add(ModelGroup());
        else if constexpr (std::is_same_v<Part, std::shared_ptr<const StvkModel>>)
            add(StvkGroup());
        else if constexpr (requires { *of_model; })
            add(*of_model);
        else
            add(of_model);
        if constexpr (std::is_same_v<Part, ModelSurface>) {
            out.push_back({kTextureCoordinateArray, kFloat32});
            out.push_back({kTargetArray, kFloat32});
        }
    };
    Model model;
    model.warp = std::make_shared<WarpModel>();
    for_each_part(std::as_const(model), visit);
    return out;
}

std::string row_of(const ListedArray& array) {
    return std::string("| `") + array.info.name + "` | " + array.type + " " + array.info.shape +
           (array.info.presence == Presence::Optional ? ", optional" : "") + " | " + array.info.meaning +
           " |\n";
}

TEST(ModelParts, TheTableOfTheDocumentationIsMadeOfTheLists) {
    std::string table = "| array | type and shape | meaning |\n|---|---|---|\n";
    for (const ListedArray& array : listed_arrays())
        table += row_of(array);
    std::ifstream in(test::source_dir() + "/docs/model_file.md");
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_NE(text.str().find(table + "\n"), std::string::npos)
        << "docs/model_file.md must hold this table:\n"
        << table;
}

TEST(ModelParts, NoNameStandsTwiceAndOptionalArraysHaveASet) {
    std::set<std::string> names;
    for (const ListedArray& array : listed_arrays()) {
        EXPECT_TRUE(names.insert(array.info.name).second) << array.info.name;
        EXPECT_EQ(array.info.presence == Presence::Optional, *array.info.set != '\0') << array.info.name;
    }
}

// With everything that can be optional: the arrays of a file are those of the lists.
TEST(ModelParts, AFileHasTheArraysOfTheListsAndNoOthers) {
    Model model = with_tensors(warped(textured(sample_model({.rank = 1}))));
    model.volume.fraction.assign(3, 0.5f);
    model.surface.appearance.colors.assign(model.surface.vertices.size(), VertexColor{1, 1, 1, 1});
    model.surface.tree_order = order_triangles(model.surface);
    std::set<std::string> found, expected;
    for (const Model& kept : {model, in_floats(model)}) {
        OpenGlb glb = open_glb(file_bytes(kept));
        for (const auto& [name, array] : glb.extension()["arrays"].items())
            found.insert(name);
    }
    for (const ListedArray& array : listed_arrays()) {
        const std::string name = array.info.name;
        expected.insert(name.ends_with(".i") ? numbered(array.info, 0) : name);
    }
    EXPECT_EQ(found, expected);
}

TEST(KnownLengths, ALetterTakesTheLengthOfTheFirstArrayThatHasIt) {
    EXPECT_EQ(letters_of("s × 3 × m"), (std::vector<std::string_view>{"s", "3", "m"}));
    KnownLengths lengths;
    lengths.set("s", 7);
    EXPECT_EQ(lengths.find("3"), 3);
    EXPECT_EQ(lengths.find("m"), KnownLengths::kUnknown);
    EXPECT_EQ(lengths.expected({"s", "3", "m"}, {1, 2, 5}), (Lengths{7, 3, 5}));
    lengths.learn({"s", "3", "m", "any"}, {7, 3, 5, 9});
    EXPECT_EQ(lengths.find("m"), 5);
    EXPECT_EQ(lengths.find("any"), KnownLengths::kUnknown);
}

}  // namespace
}  // namespace limber
