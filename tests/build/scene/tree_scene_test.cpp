// SPDX-License-Identifier: Apache-2.0
// Trees of domains in scenes: flight, wind, and a domain that comes off.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/scene/scene_gltf.h"
#include "build/scene/simulate.h"
#include "tests/build/scene/scene_folder.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace limber::test {
namespace {

using namespace build;
using Eigen::Vector3d;

constexpr double kMassOfTree = 40;  // 1 x 0.2 x 0.2 m, 1000 kg/m³

class TreeScene : public InSceneFolder {
 protected:
    static void SetUpTestSuite() {
        InSceneFolder::SetUpTestSuite();
        Recipe recipe = tiny_recipe();
        recipe.modes.reset();
        recipe.rank.reset();
        recipe.domains = parse_domains("auto:2");
        recipe.domains->ranks.number = 4;
        const Built fixed = build_model(tiny_bar(), recipe);
        write_file(folder / "tree.glb", write_model(*fixed.model).value().bytes);
        leaf = fixed.model->domains->domains[1].name;
        recipe.fix.clear();
        const Built loose = build_model(tiny_bar(), recipe);
        write_file(folder / "loose.glb", write_model(*loose.model).value().bytes);
    }
    static inline std::string leaf;
};

TEST_F(TreeScene, ALooseTreeFliesAndTheCsvHasItsMomenta) {
    const Scene s = read(R"({"dt": 0.005, "duration": 0.1, "gravity": [0, 0, -10],
        "bodies": [{"name": "a", "model": "loose.glb", "velocity": [1, 0, 2], "angular_velocity": [0, 3, 0]}]})");
    EXPECT_TRUE(s.bodies[0].flies());
    const Recording recording = simulate(s);
    EXPECT_EQ(recording.not_converged, 0);
    ASSERT_TRUE(recording.bodies[0].flight);
    EXPECT_LE((recording.bodies[0].flight->momentum.rightCols<1>() - kMassOfTree * Vector3d(1, 0, 1)).norm(),
              1e-9 * kMassOfTree);
    write_recording(folder / "a.csv", s, recording);
    std::istringstream lines(read_file(folder / "a.csv"));
    std::string head;
    std::getline(lines, head);
    EXPECT_EQ(
        head,
        "t,a.kinetic,a.elastic,a.potential,a.cx,a.cy,a.cz,a.rx,a.ry,a.rz,a.rw,a.px,a.py,a.pz,a.lx,a.ly,a.lz");
}

TEST_F(TreeScene, WindBendsATree) {
    const auto bent = [&](const std::string& wind) {
        const Scene s = read(R"({"dt": 0.005, "duration": 0.2, "bodies": [{"name": "a", "model": "tree.glb"}],
            "probes": [{"name": "tip", "at": "near:1,0.1,0.1"}])" +
                             wind + "}");
        return Vector3d(simulate(s).probes[0].rightCols<1>());
    };
    EXPECT_LE(bent("").norm(), 1e-15);
    EXPECT_GT(bent(R"(, "wind": {"velocity": [0, 30, 0]})").y(), 0);
    EXPECT_EQ(bent(R"(, "wind": {"velocity": [0, 30, 0], "gusts": 0.5, "seed": 3})"),
              bent(R"(, "wind": {"velocity": [0, 30, 0], "gusts": 0.5, "seed": 3})"));
    EXPECT_EQ(error_of(scene("", R"("wind": {"velocity": [0, 30]})")).where, "s.json: wind.velocity");
    EXPECT_EQ(error_of(scene("", R"("wind": {"speed": 3})")).where, "s.json: wind");
    EXPECT_NE(error_of(scene("", R"("wind": {"velocity": [0, 1e4, 0]})")).problem.find("1000 m/s"),
              std::string::npos);
}

TEST_F(TreeScene, AnEventTakesADomainOffAndLaterOnesNameIt) {
    const Scene s = read(R"({"dt": 0.005, "duration": 0.3, "gravity": [0, 0, -10],
        "bodies": [{"name": "a", "model": "tree.glb"}],
        "events": [{"time": 0.1, "body": "a", "set": {"domains": {")" +
                         leaf + R"(": {"detach": true}}}},
                   {"time": 0.2, "body": "a.)" +
                         leaf + R"(", "place": {"position": [0, 0, 5]}}]})");
    const Recording recording = simulate(s);
    EXPECT_EQ(recording.not_converged, 0);
    ASSERT_EQ(recording.bodies.size(), 1u);  // those of the scene
    EXPECT_EQ(recording.bodies[0].q.rows(), 8);
    // The piece has rows since it came off: p falls by m g t, between 0.1 s and 0.2 s and again after it.
    ASSERT_EQ(recording.pieces.size(), 1u);
    const RecordedPiece& piece = recording.pieces[0];
    EXPECT_EQ(piece.name, "a." + leaf);
    ASSERT_TRUE(piece.body.flight);
    const RigidMotion& flight = *piece.body.flight;
    const Eigen::Index off = 20;  // 0.1 s
    for (Eigen::Index f = 0; f <= off; ++f)
        EXPECT_TRUE(std::isnan(piece.body.kinetic[f]) && std::isnan(flight.centre(2, f)));
    ASSERT_TRUE(flight.centre.rightCols(40).allFinite());
    const double mass = (flight.momentum(2, off + 1) - flight.momentum(2, off + 11)) / (10 * 0.05);
    EXPECT_GT(mass, 0);
    EXPECT_NEAR(flight.momentum(2, off + 1) - flight.momentum(2, off + 6), mass * 10 * 0.025, 1e-9 * mass);
    EXPECT_NEAR(flight.centre(2, off + 21), 5, 1);  // placed there

    write_recording(folder / "piece.csv", s, recording);
    std::istringstream file(read_file(folder / "piece.csv"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    ASSERT_EQ(lines.size(), 62u);
    EXPECT_TRUE(lines[0].ends_with("a." + leaf + ".lz")) << lines[0];
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    EXPECT_TRUE(lines[1].ends_with(",,,,,,,,,,,,,")) << lines[1];
    EXPECT_FALSE(lines[40].ends_with(","));
    for (const std::string& line : lines)
        EXPECT_EQ(commas(line), commas(lines[0]));
    EXPECT_FALSE(scene_gltf(s, recording, "out.glb").bytes.empty());
}

}  // namespace
}  // namespace limber::test
