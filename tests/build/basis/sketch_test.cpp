// SPDX-License-Identifier: Apache-2.0
// Sketches: the file, the separated subsets, the shapes, and resuming.
#include "build/basis/sketch.h"

#include "build/fem/statics.h"
#include "tests/build/basis/bodies.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>
#include <unistd.h>

#include <fstream>

namespace limber::build {
namespace {

namespace fs = std::filesystem;

std::string complaint(const auto& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.where + " | " + error.problem + " | " + error.try_this;
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// A folder that goes with the test.
struct Folder {
    fs::path path = fs::temp_directory_path() / ("limber-sketch-" + std::to_string(getpid()));
    Folder() { fs::remove_all(path); }
    ~Folder() { fs::remove_all(path); }
};

TEST(SketchFile, IsReadAsDocumented) {
    const Sketch sketch = read_sketch(R"({"forces": [
        {"name": "press", "loads": [{"vertex": 3, "force": [0, -5, 0.5]}]},
        {"loads": [{"at": "x>0.9", "force": [1, 0, 0]}, {"vertex": 0, "force": [0, 0, 2]}]}]})",
                                      "s.json");
    ASSERT_EQ(sketch.size(), 2u);
    EXPECT_EQ(sketch[0].name, "press");
    EXPECT_EQ(sketch[1].name, "force 1");
    EXPECT_EQ(sketch[0].pushes[0].vertex, 3);
    EXPECT_EQ(sketch[0].pushes[0].force, Eigen::Vector3d(0, -5, 0.5));
    EXPECT_EQ(sketch[1].pushes[0].at, "x>0.9");
    EXPECT_EQ(sketch[1].pushes[0].vertex, -1);
}

TEST(SketchFile, MistakesAreNamedWithTheirPlace) {
    const auto reads = [](const std::string& text) {
        return complaint([&] { read_sketch(text, "s.json"); });
    };
    const auto push = [&](const std::string& text) {
        return reads(R"({"forces": [{"loads": [)" + text + "]}]}");
    };
    EXPECT_EQ(push(R"({"vertex": 1, "force": [0, 0, 1]})"), "");
    EXPECT_TRUE(contains(reads("{\n\"forces\": [\n}"), "s.json:3"));
    EXPECT_NE(reads(""), "");
    EXPECT_NE(reads("[]"), "");
    EXPECT_TRUE(contains(reads("{}"), "'forces' is missing"));
    EXPECT_NE(reads(R"({"forces": []})"), "");
    EXPECT_NE(reads(R"({"forces": 3})"), "");
    EXPECT_TRUE(contains(reads(R"({"force": []})"), "did you mean 'forces'"));
    EXPECT_TRUE(contains(reads(R"({"forces": [{"loads": [{"vertx": 1, "force": [0,0,1]}]}]})"), "'vertex'"));
    EXPECT_TRUE(contains(push(R"({"vertex": 1, "force": [0, 0]})"), "forces[0].loads[0].force"));
    EXPECT_NE(push(R"({"vertex": 1, "force": [0, 0, "1"]})"), "");
    EXPECT_NE(push(R"({"vertex": 1, "force": [0, 0, 1e999]})"), "");
    EXPECT_NE(push(R"({"vertex": 1})"), "");
    EXPECT_NE(push(R"({"force": [0, 0, 1]})"), "");
    EXPECT_NE(push(R"({"vertex": 1, "at": "all", "force": [0, 0, 1]})"), "");
    EXPECT_NE(push(R"({"vertex": -1, "force": [0, 0, 1]})"), "");
    EXPECT_NE(push(R"({"vertex": 1.5, "force": [0, 0, 1]})"), "");
    EXPECT_NE(push(R"({"vertex": 99999999999, "force": [0, 0, 1]})"), "");
    EXPECT_NE(push(R"({"at": 4, "force": [0, 0, 1]})"), "");
    EXPECT_NE(push("7"), "");
    EXPECT_NE(reads(R"({"forces": [{"name": 4, "loads": [{"vertex": 1, "force": [0,0,1]}]}]})"), "");
    EXPECT_NE(complaint([] { read_sketch(fs::path("/nowhere/sketch.json")); }), "");
}

TEST(SketchLoads, ShareTheForceOfASelection) {
    const FemModel model = held_bar();
    Sketch sketch(1);
    sketch[0].pushes = {{-1, "x>0.99", {0, 9, 0}}, {5, "", {1, 2, 3}}};
    const Eigen::MatrixXd loads = sketch_loads(sketch, model.mesh());
    Eigen::Vector3d total = Eigen::Vector3d::Zero();
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
        total += loads.block<3, 1>(3 * v, 0);
    EXPECT_LE((total - Eigen::Vector3d(1, 11, 3)).norm(), 1e-14);
    EXPECT_EQ((loads.array() != 0).count(), 9 + 3);  // nine vertices at the end
    sketch[0].pushes = {{-1, "x>2", {0, 9, 0}}};
    EXPECT_TRUE(contains(complaint([&] { sketch_loads(sketch, model.mesh()); }), "selects no vertex"));
    sketch[0].pushes = {{1000, "", {0, 9, 0}}};
    EXPECT_TRUE(contains(complaint([&] { sketch_loads(sketch, model.mesh()); }), "vertex 1000 does not"));
}

// A surface vertex in the middle of a brick's face: its four corners share the force.
TEST(SketchLoads, OnTheSurfaceReachTheVolumeThatCarriesIt) {
    const VolumeMesh volume = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Bricks);
    SurfaceMesh surface;
    surface.vertices = {{0.5, 0.5, 1}};
    Sketch sketch(1);
    sketch[0].pushes = {{0, "", {0, 0, -8}}};
    const Eigen::MatrixXd loads = sketch_loads(sketch, surface, embed(volume, surface.vertices));
    for (Eigen::Index v = 0; v < 8; ++v)
        EXPECT_NEAR(loads(3 * v + 2, 0), volume.vertices[std::size_t(v)].z() > 0.5 ? -2 : 0, 1e-12);
}

// Pushes of the bar's end that bend it by up to half of its length, and one that stretches it.
Sketch end_pushes() {
    Sketch sketch;
    for (const Eigen::Vector3d& f :
         {Eigen::Vector3d(0, 0, 200), {0, 0, 201}, {0, 0, 600}, {0, 400, 0}, {0, -400, 0}, {300, 0, 0}}) {
        SketchForce recorded;
        recorded.pushes = {{-1, "x>0.99", f}};
        sketch.push_back(recorded);
    }
    return sketch;
}

TEST(SketchBasis, HoldsTheStaticShapesOfTheForces) {
    const FemModel model = held_bar();
    const auto loads = sketch_loads(end_pushes(), model.mesh());
    const SketchResult result = sketch_basis(model, loads, {.rank = 5}, {.shape_separation = 1e-4});
    // The second force is a half per cent from the first: left out.
    EXPECT_EQ(result.forces, (std::vector<int>{0, 2, 3, 4, 5}));
    EXPECT_EQ(result.shapes, (std::vector<int>{0, 2, 3, 4, 5}));
    EXPECT_EQ(result.solved, 5);
    EXPECT_EQ(result.reused, 0);
    EXPECT_TRUE(result.failed.empty());
    const Eigen::MatrixXd M = dense_mass(model, MassKind::Consistent), U = free_part(model, result.basis.U);
    EXPECT_LE((U.transpose() * M * U - Eigen::MatrixXd::Identity(5, 5)).norm(), 1e-10);
    for (const int i : result.forces) {
        const StaticResult full = solve_static(model, Eigen::VectorXd(loads.col(i)));
        ASSERT_TRUE(full.converged);
        const Eigen::VectorXd u = model.restrict_to_free(full.u), left = u - U * (U.transpose() * M * u);
        // Solves agree to the tolerance of statics, 1e-8 of the force, times the condition of bending.
        EXPECT_LE(std::sqrt(left.dot(M * left)), 1e-5 * std::sqrt(u.dot(M * u)));
    }
}

TEST(SketchBasis, KeepsShapesApartByTheirMassDistance) {
    const FemModel model = held_bar();
    const auto loads = sketch_loads(end_pushes(), model.mesh());
    const SketchResult all = sketch_basis(model, loads, {.rank = 1}, {.force_separation = 0});
    EXPECT_EQ(all.forces.size(), 6u);
    // Stretching (300 N along the bar) hardly moves it, and 200 and 201 N give nearly the same.
    EXPECT_EQ(all.shapes, (std::vector<int>{0, 2, 3, 4}));
}

TEST(SketchBasis, ResumesFromTheShapesThatWereSolved) {
    const FemModel model = held_bar();
    const auto loads = sketch_loads(end_pushes(), model.mesh());
    const Folder folder;
    SketchOptions options;
    options.cache = folder.path / "deep" / "shapes";
    int told = 0;
    options.progress = [&](std::string_view, double) {
        if (++told == 4) throw std::runtime_error("interrupted");
    };
    EXPECT_THROW(sketch_basis(model, loads, {.rank = 4}, options), std::runtime_error);
    options.progress = {};
    const SketchResult resumed = sketch_basis(model, loads, {.rank = 4}, options);
    EXPECT_EQ(resumed.reused, 3);
    EXPECT_EQ(resumed.solved, 2);
    const SketchResult again = sketch_basis(model, loads, {.rank = 4}, options);
    EXPECT_EQ(again.reused, 5);
    EXPECT_EQ(again.solved, 0);
    EXPECT_EQ(again.basis.U, resumed.basis.U);
    const SketchResult fresh = sketch_basis(model, loads, {.rank = 4});
    EXPECT_EQ(fresh.basis.U, resumed.basis.U);

    // Another material is another body; a damaged file is solved again.
    EXPECT_EQ(sketch_basis(held_bar(Cells::Bricks, {2e6, 0.3, 1000}), loads, {.rank = 4}, options).reused, 0);
    for (const auto& entry : fs::directory_iterator(options.cache))
        fs::resize_file(entry.path(), 100);
    EXPECT_EQ(sketch_basis(model, loads, {.rank = 4}, options).solved, 5);

    // A refined sketch solves only what is new.
    Sketch more = end_pushes();
    more.push_back({"more", {{-1, "x>0.99", {0, 200, 500}}}});
    EXPECT_EQ(sketch_basis(model, sketch_loads(more, model.mesh()), {.rank = 4}, options).solved, 1);
}

TEST(SketchBasis, LeavesOutWhatDoesNotConvergeAndSaysSo) {
    const FemModel model = held_bar();
    const auto loads = sketch_loads(end_pushes(), model.mesh());
    const Folder folder;
    SketchOptions options;
    options.cache = folder.path;
    options.max_iterations = 4;  // enough for the stretch and small bends alone
    const SketchResult result = sketch_basis(model, loads, {.rank = 1}, options);
    ASSERT_FALSE(result.failed.empty());
    EXPECT_EQ(result.failed.size() + result.shapes.size(), 5u);
    EXPECT_FALSE(result.failed[0].problem.empty());
    EXPECT_EQ(result.basis.notes.size(), result.failed.size());
    const SketchResult again = sketch_basis(model, loads, {.rank = 1}, options);
    EXPECT_EQ(again.solved, 0);
    EXPECT_EQ(again.failed.size(), result.failed.size());
    options.max_iterations = 1;
    EXPECT_TRUE(
        contains(complaint([&] { sketch_basis(model, loads, {.rank = 1}, options); }), "none of its 5"));
}

TEST(SketchBasis, RefusesBadInput) {
    const FemModel model = held_bar();
    const auto loads = sketch_loads(end_pushes(), model.mesh());
    EXPECT_TRUE(contains(complaint([&] { sketch_basis(model, loads, {.rank = 5}); }), "at most 4"));
    EXPECT_NE(complaint([&] { sketch_basis(model, loads.topRows(9), {.rank = 1}); }), "");
    EXPECT_NE(complaint([&] { sketch_basis(model, loads, {.rank = 1}, {.force_separation = -1}); }), "");
    EXPECT_NE(complaint([&] { sketch_basis(model, loads, {.rank = 1}, {.shape_separation = 1}); }), "");
    Sketch on_fixed(1);
    on_fixed[0].pushes = {{-1, "x<0.01", {0, 0, 5}}};
    EXPECT_TRUE(contains(
        complaint([&] { sketch_basis(model, sketch_loads(on_fixed, model.mesh()), {.rank = 1}); }), "moves"));
    EXPECT_NE(complaint([&] { sketch_basis(free_bar(), loads, {.rank = 1}); }), "");
}

TEST(SketchBasis, GoesOnWithoutAFolderThatCannotBeWritten) {
    const FemModel model = held_bar();
    const auto loads = sketch_loads(end_pushes(), model.mesh());
    SketchOptions options;
    options.cache = "/dev/null/shapes";
    const SketchResult without = sketch_basis(model, loads, {.rank = 4}, options);
    EXPECT_EQ(without.solved, 5);
    EXPECT_EQ(without.basis.U, sketch_basis(model, loads, {.rank = 4}).basis.U);
}

}  // namespace
}  // namespace limber::build
