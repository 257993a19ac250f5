// SPDX-License-Identifier: Apache-2.0
// The recordings that every way to run limber must follow alike: tests/data/recordings/README.md.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/scene/simulate.h"
#include "tests/build/scene/scene_folder.h"
#include "tests/paths.h"

namespace limber::test {
namespace {

using namespace build;

class Recordings : public InSceneFolder {
 protected:
    static void SetUpTestSuite() {
        InSceneFolder::SetUpTestSuite();
        const Result<ModelBytes> file = write_model(*tiny_free_model());
        ASSERT_TRUE(file.ok()) << file.error().problem;
        write_file(folder / "free.glb", file.value().bytes);
        for (const char* name : {"box.obj", "every_input.json", "touching.json", "version_1.json"})
            write_file(folder / name,
                       read_file(std::filesystem::path(test::test_data_dir()) / "recordings" / name));
    }
};

TEST_F(Recordings, EveryInputIsPlayedAndEveryBodyMoves) {
    const Scene s = read_scene(folder / "every_input.json");
    const Recording recording = simulate(s);
    EXPECT_EQ(recording.not_converged, 0);
    ASSERT_EQ(recording.times.size(), 201u);
    EXPECT_NEAR(recording.times.back(), 60 * 0.002 + 140 * 0.001, 1e-12);
    for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_GT(recording.bodies[b].q.col(200).norm(), 1e-5) << b;
        EXPECT_TRUE(recording.bodies[b].q.allFinite()) << b;
    }
    // Step 130 puts the soft body at a q of its own: after one step of 1 ms it is still near it.
    Eigen::VectorXd put = Eigen::VectorXd::Zero(6);
    put[0] = 0.01;
    EXPECT_LE((recording.bodies[0].q.col(131) - put).norm(), 1e-3);
    EXPECT_GT((recording.bodies[0].q.col(130) - put).norm(), 1e-3);
    // The box was placed before step 120: its centre is its origin. It falls freely from there, at 1 m/s
    // along x.
    const RigidMotion& flight = *recording.bodies[3].flight;
    const double t = 0.001 * 80;
    const Eigen::Vector3d g(0, 1, -4);
    const Eigen::Vector3d expected =
        Eigen::Vector3d(0, 3, 1) + Eigen::Vector3d(1, 0, 0) * t + 0.5 * g * t * t;
    EXPECT_LE((flight.centre.col(200) - expected).norm(), 1e-12);
}

TEST_F(Recordings, BodiesTouchTheFloorTheBallAndTheDevice) {
    const Recording recording = simulate(read_scene(folder / "touching.json"));
    EXPECT_EQ(recording.not_converged, 0);
    EXPECT_EQ(recording.contact_not_converged, 0);
    ASSERT_EQ(recording.times.size(), 301u);
    for (std::size_t b = 0; b < 3; ++b) {
        ASSERT_TRUE(recording.bodies[b].touch) << b;
        EXPECT_GT(recording.bodies[b].touch->contacts.maxCoeff(), 0) << b;
        // The ball, at 1 m/s, sinks into the box by 5 mm: contact is as soft as the softest body.
        EXPECT_LT(recording.bodies[b].touch->depth.maxCoeff(), 6e-3) << b;
    }
    // The box comes to lie on its lower face, half its height above the floor.
    EXPECT_NEAR(recording.bodies[2].flight->centre(2, 190), 0.0625, 1e-4);
    // The ball comes at it from the right and pushes it to the left; friction slows it down.
    const auto momentum = recording.bodies[2].flight->momentum.row(0);
    EXPECT_LT(momentum(210), -5);  // kg m/s
    EXPECT_GT(momentum(270), momentum(230));
    // The stylus presses the bar down, and the hand is pushed up by as much.
    EXPECT_GT(recording.devices[0].force(2, 70), 1);  // N
    EXPECT_LE((recording.devices[0].force.col(70) + recording.bodies[1].touch->force.col(70)).norm(), 1e-9);
    // Without contact the free body falls: no force but its weight.
    const Eigen::Vector3d change =
        recording.bodies[0].flight->momentum.col(300) - recording.bodies[0].flight->momentum.col(290);
    const double mass = 1000 * 0.2 * 0.2;  // kg
    EXPECT_LE((change - mass * 0.01 * Eigen::Vector3d(0, 0, -9.81)).norm(), 1e-9);
}

TEST_F(Recordings, VersionOneIsTranslated) {
    const Recording recording = simulate(read_scene(folder / "version_1.json"));
    EXPECT_EQ(recording.not_converged, 0);
    EXPECT_NEAR(recording.times.back(), 60 * 0.002 + 90 * 0.001, 1e-12);
    // Constraints from step 90 to 120, of the warped body only.
    EXPECT_FALSE(recording.bodies[0].missed);
    ASSERT_TRUE(recording.bodies[1].missed);
    EXPECT_EQ(recording.bodies[0].q.row(5).norm(), 0);  // rank 5 of 6
}

TEST_F(Recordings, TheSameFileGivesTheSameBytes) {
    for (const char* name : {"every_input", "touching", "version_1"}) {
        for (const char* out : {"one.csv", "two.csv"}) {
            const Scene s = read_scene(folder / (name + std::string(".json")));
            write_recording(folder / out, s, simulate(s));
        }
        EXPECT_EQ(read_file(folder / "one.csv"), read_file(folder / "two.csv")) << name;
    }
}

}  // namespace
}  // namespace limber::test
