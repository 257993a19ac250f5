// SPDX-License-Identifier: Apache-2.0
// A surface with a split seam, cut from a mesh with vertices inside.
#include "limber/select/select_on_model.h"

#include <gtest/gtest.h>

namespace limber::test {
namespace {

// Vertices 0 and 3 of the surface are vertex 5 of the mesh; 1 is 2, and 2 is 9.
Model seam_model() {
    Model model;
    model.surface.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 0}};
    model.surface.input_vertex = {5, 2, 9, 5};
    return model;
}

TEST(SelectOnModel, VerticesOfASeamAreTheFirstOfThem) {
    const Model model = seam_model();
    const auto selected = [&](const char* text) { return select_on_model(text, model).value(); };
    EXPECT_EQ(selected("x<0.5"), (std::vector<int>{0}));
    EXPECT_EQ(selected("all"), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(selected("near:1.9,0,0"), (std::vector<int>{2}));
    EXPECT_EQ(selected("x>5"), std::vector<int>{});
}

TEST(SelectOnModel, IdsAreThoseOfTheUsersMesh) {
    const Model model = seam_model();
    EXPECT_EQ(select_on_model("#9,5", model).value(), (std::vector<int>{0, 2}));
    EXPECT_EQ(select_on_model(" #2", model).value(), (std::vector<int>{1}));
    EXPECT_EQ(select_on_model("#3", model).error().problem, "vertex 3 of the mesh is not on the surface");
    EXPECT_EQ(select_on_model("#10", model).error().problem,
              "vertex 10 is not there; the mesh has 10 vertices");
    EXPECT_FALSE(select_on_model("#0", Model{}).ok());
    const SelectSources sources{.file = [](std::string_view, std::vector<bool>& marks) {
        return mark_ids("2 5", "ids.txt:1", marks);
    }};
    EXPECT_EQ(select_on_model("file:ids.txt", model, sources).value(), (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace limber::test
