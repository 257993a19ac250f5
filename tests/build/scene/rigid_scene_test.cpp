// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in scenes, against the parabola of a throw and the laws of momentum.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/scene/gltf_parts.h"
#include "build/scene/scene_gltf.h"
#include "build/scene/simulate.h"
#include "tests/build/scene/scene_folder.h"

#include <fmt/format.h>

#include <sstream>

namespace limber::test {
namespace {

using namespace build;
using Eigen::Vector3d;

// A box of 0.4 x 0.3 x 0.1 m with a corner at the origin; without its last face it is open.
std::string box_obj(bool closed = true) {
    std::string text;
    for (const double z : {0.0, 0.1})
        for (const double y : {0.0, 0.3})
            for (const double x : {0.0, 0.4})
                text += fmt::format("v {} {} {}\n", x, y, z);
    text += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n";
    return closed ? text + "f 2 4 8 6\n" : text;
}
constexpr double kMass = 0.4 * 0.3 * 0.1 * 500;  // kg
const Vector3d kCentre(0.2, 0.15, 0.05);

class RigidScene : public InSceneFolder {
 protected:
    static void SetUpTestSuite() {
        InSceneFolder::SetUpTestSuite();
        write_file(folder / "box.obj", box_obj());
        write_file(folder / "open.obj", box_obj(false));
    }
    static std::string box(const std::string& in_body, const std::string& beside = "") {
        return R"({"dt": 0.01, "duration": 0.5, "bodies": [{"name": "box", "method": "rigid", "model": "box.obj",
            "density": 500)" +
               (in_body.empty() ? "" : ", " + in_body) + "}]" + (beside.empty() ? "" : ", " + beside) + "}";
    }
};

// c = c₀ + v t + g t²/2, p = m (v + g t), L = L₀ + (c₀ t + v t²/2) × m g about the world's origin. The step
// is the midpoint rule, exact for these polynomials: only rounding is left.
TEST_F(RigidScene, AThrownBoxFollowsTheParabolaAndItsMomentaObeyTheirLaws) {
    const Scene s =
        read(box(R"("position": [1, 0, 2], "velocity": [3, -1, 4], "angular_velocity": [2, 5, -3])",
                 R"("gravity": [0, 0, -9.81])"));
    EXPECT_EQ(s.bodies[0].coordinates(), 0);
    const Recording recording = simulate(s);
    ASSERT_TRUE(recording.bodies[0].flight);
    const RigidMotion& flight = *recording.bodies[0].flight;
    const Vector3d c0 = kCentre + Vector3d(1, 0, 2), v(3, -1, 4), g(0, 0, -9.81);
    const Vector3d L0 = flight.angular_momentum.col(0);
    const double energy = recording.bodies[0].kinetic[0] + flight.potential[0];
    EXPECT_NEAR(flight.potential[0], kMass * 9.81 * c0.z(), 1e-12 * energy);
    for (Eigen::Index i = 0; i < flight.centre.cols(); ++i) {
        const double t = recording.times[static_cast<std::size_t>(i)];
        EXPECT_LE((flight.centre.col(i) - (c0 + v * t + 0.5 * g * t * t)).norm(), 1e-12) << t;
        EXPECT_LE((flight.momentum.col(i) - kMass * (v + g * t)).norm(), 1e-12) << t;
        EXPECT_LE(
            (flight.angular_momentum.col(i) - (L0 + (c0 * t + 0.5 * v * t * t).cross(kMass * g))).norm(),
            1e-11)
            << t;
        EXPECT_NEAR(flight.orientation.col(i).norm(), 1, 1e-12);
        EXPECT_NEAR(recording.bodies[0].kinetic[i] + flight.potential[i], energy, 1e-10 * energy) << t;
    }
    EXPECT_EQ(recording.bodies[0].elastic.norm(), 0);
    // It spins: 6 rad/s for half a second.
    EXPECT_LT(std::abs(flight.orientation.col(0).dot(flight.orientation.col(50))), 0.5);
}

TEST_F(RigidScene, AProbeTellsHowFarItIsFromWhereTheScenePlacedIt) {
    const Scene s =
        read(box(R"("position": [1, 0, 2], "rotation": [0, 0, 1, 0], "velocity": [3, 0, 0])",
                 R"("gravity": [0, 0, -2], "probes": [{"name": "corner", "at": "near:0.4,0,0"}])"));
    const Recording recording = simulate(s);
    EXPECT_LE(recording.probes[0].col(0).norm(), 1e-15);                               // rounding
    EXPECT_LE((recording.probes[0].col(50) - Vector3d(1.5, 0, -0.25)).norm(), 1e-12);  // 0.5 s
}

TEST_F(RigidScene, TheColumnsOfTheCsvAreThoseOfTheContract) {
    const Scene s =
        read(box(R"("velocity": [1, 2, 3])", R"("probes": [{"name": "corner", "at": "near:0,0,0"}])"));
    write_recording(folder / "box.csv", s, simulate(s));
    std::istringstream lines(read_file(folder / "box.csv"));
    std::string head, first;
    std::getline(lines, head);
    std::getline(lines, first);
    EXPECT_EQ(
        head,
        "t,box.kinetic,box.elastic,box.potential,box.cx,box.cy,box.cz,box.rx,box.ry,box.rz,box.rw,box.px,"
        "box.py,box.pz,box.lx,box.ly,box.lz,corner.x,corner.y,corner.z");
    EXPECT_EQ(std::count(first.begin(), first.end(), ','), std::count(head.begin(), head.end(), ','));
    write_recording(folder / "box.npz", s, simulate(s));
    const std::string npz = read_file(folder / "box.npz");
    for (const char* name : {"box.potential.npy", "box.c.npy", "box.r.npy", "box.p.npy", "box.l.npy"})
        EXPECT_NE(npz.find(name), std::string::npos) << name;
}

// Vertex X of the file is shown at translation + rotation X of the node above it.
TEST_F(RigidScene, TheNodeAboveTheBodyMoves) {
    const Scene s =
        read(box(R"("position": [0, 1, 0], "velocity": [1, 0, 0], "angular_velocity": [0, 0, 2])"));
    const Recording recording = simulate(s);
    const Gltf gltf = split_gltf(scene_gltf(s, recording, "out.glb").bytes, "out.glb");
    const auto& animation = gltf.document["animations"][0];
    std::set<std::string> paths;
    for (const auto& channel : animation["channels"]) {
        paths.insert(channel["target"]["path"].get<std::string>());
        const auto& node = gltf.document["nodes"][channel["target"]["node"].get<std::size_t>()];
        EXPECT_EQ(node["name"], "box in its place");
    }
    EXPECT_EQ(paths, (std::set<std::string>{"rotation", "translation"}));
    ASSERT_EQ(recording.bodies[0].poses.size(), 51u);
    const Pose& end = recording.bodies[0].poses[50];
    EXPECT_LE((end * kCentre - (kCentre + Vector3d(0.5, 1, 0))).norm(), 1e-12);
    EXPECT_NEAR(end.orientation.angularDistance(Eigen::Quaterniond::Identity()), 1, 1e-4);  // 2 rad/s, 0.5 s
    EXPECT_FALSE(gltf.document["meshes"][0]["primitives"][0].contains("targets"));
}

TEST_F(RigidScene, AModelIsARigidBodyToo) {
    const Scene s = read(scene(R"("method": "rigid", "density": 1000, "velocity": [0, 0, 1])"));
    const Recording recording = simulate(s);
    // A bar of 1 x 0.2 x 0.2 m: 40 kg.
    EXPECT_NEAR(recording.bodies[0].flight->momentum(2, 0), 40, 1e-4);  // vertices are floats in the file
    EXPECT_NEAR(recording.bodies[0].kinetic[0], 20, 1e-4);
}

TEST_F(RigidScene, WhatCannotBeARigidBodyIsRefusedWithItsPlace) {
    const auto of = [&](const std::string& body) { return error_of(R"({"bodies": [{)" + body + "}]}"); };
    const InputError open = of(R"("method": "rigid", "model": "open.obj")");
    EXPECT_EQ(open.where, "s.json: bodies[0].model");
    EXPECT_NE(open.problem.find("not closed"), std::string::npos) << open.problem;
    EXPECT_NE(open.try_this.find("limber mesh repair open.obj"), std::string::npos);
    const InputError soft = of(R"("model": "box.obj")");
    EXPECT_NE(soft.try_this.find("rigid"), std::string::npos);
    EXPECT_NE(of(R"("method": "rigid", "model": "none.obj")").where.find("none.obj"), std::string::npos);
    EXPECT_EQ(error_of(box(R"("support": "hand.glb#hand")")).where, "s.json: bodies[0].support");
    EXPECT_NE(error_of(box(R"("release": [{"at": "all", "force": [0, 0, 1]}])")).problem.find("bend"),
              std::string::npos);
    EXPECT_NE(error_of(box(R"("q": [1])")).problem, "");
    EXPECT_NE(error_of(box(R"("rank": 3)")).problem, "");
    EXPECT_EQ(of(R"("method": "rigid", "model": "box.obj", "density": 0)").where,
              "s.json: bodies[0].density");
    EXPECT_NE(error_of(box(R"("priority": "position")")).problem, "");
    EXPECT_NE(error_of(box("", R"("constraints": [{"at": "near:0,0,0", "position": [1, 0, 0]}])"))
                  .problem.find("rigid"),
              std::string::npos);
    EXPECT_EQ(error_of(scene(R"("velocity": [0, 0, 1])")).where, "s.json: bodies[0].velocity");
}

// A recording of bodies of every kind, twice: the same bytes.
TEST_F(RigidScene, ARecordingGivesTheSameBytesEachTime) {
    const std::string json = R"({"dt": 0.005, "gravity": [0, 0, -1], "every": 2,
        "bodies": [{"name": "box", "method": "rigid", "model": "box.obj", "angular_velocity": [1, 2, 3]},
                   {"name": "soft", "model": "bar.glb"}, {"name": "warped", "method": "warp", "model": "bar.glb"}],
        "recording": {"version": 2, "steps": 60, "inputs": [
            {"step": 0, "pull": {"vertex": 3, "target": [0, 1, 1], "stiffness": 20}},
            {"step": 20, "body": "soft", "set": {"materials": {"default": {"young": 5e5}}}},
            {"step": 30, "dt": 0.002, "pull": null},
            {"step": 40, "body": "warped", "constraints": {"positions": [{"vertex": 3, "displacement": [0, 0, 0.01]}],
             "smoothing": 0.05}}]}})";
    for (const char* name : {"one.csv", "two.csv"}) {
        const Scene s = read(json);
        write_recording(folder / name, s, simulate(s));
    }
    EXPECT_EQ(read_file(folder / "one.csv"), read_file(folder / "two.csv"));
}

}  // namespace
}  // namespace limber::test
