// SPDX-License-Identifier: Apache-2.0
// Free bodies in scenes: what is written of a flight.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/scene/gltf_parts.h"
#include "build/scene/scene_gltf.h"
#include "build/scene/simulate.h"
#include "tests/build/scene/scene_folder.h"

#include <sstream>

namespace limber::test {
namespace {

using namespace build;
using Eigen::Vector3d;

constexpr double kMassOfBar = 40;            // 1 x 0.2 x 0.2 m, 1000 kg/m³
const Vector3d kCentreOfBar(0.5, 0.1, 0.1);  // of the bar where it was built

class FreeScene : public InSceneFolder {
 protected:
    static void SetUpTestSuite() {
        InSceneFolder::SetUpTestSuite();
        Recipe recipe = tiny_recipe();
        recipe.fix.clear();
        const Built built = build_model(tiny_bar(), recipe);
        write_file(folder / "loose.glb", write_model(*built.model).value().bytes);
        // As an earlier limber wrote it.
        auto old = std::make_shared<Model>(*built.model);
        auto stvk = std::make_shared<StvkModel>(*old->stvk);
        for (StvkGroup& group : stvk->groups) {
            group.first_tensor.resize(0, 0);
            group.second_tensor.resize(0, 0);
        }
        old->stvk = stvk;
        old->command = "limber build loose.msh -o loose.glb";
        write_file(folder / "old.glb", write_model(*old).value().bytes);
    }
    static std::string bar(const std::string& in_body, const std::string& beside = "") {
        return R"({"dt": 0.002, "duration": 0.1, "bodies": [{"name": "bar", "model": "loose.glb")" +
               (in_body.empty() ? "" : ", " + in_body) + "}]" + (beside.empty() ? "" : ", " + beside) + "}";
    }
};

TEST_F(FreeScene, AThrownBarFollowsTheParabolaAndItsMomentaObeyTheirLaws) {
    const Scene s = read(bar(
        R"("mount": "free", "position": [1, 0, 2], "velocity": [3, -1, 4], "angular_velocity": [2, 5, -3])",
        R"("gravity": [0, 0, -9.81])"));
    EXPECT_TRUE(s.bodies[0].flies());
    EXPECT_EQ(s.bodies[0].coordinates(), 6);
    const Recording recording = simulate(s);
    EXPECT_EQ(recording.not_converged, 0);
    ASSERT_TRUE(recording.bodies[0].flight);
    const RigidMotion& flight = *recording.bodies[0].flight;
    const Vector3d c0 = kCentreOfBar + Vector3d(1, 0, 2), v(3, -1, 4), g(0, 0, -9.81);
    const Vector3d L0 = flight.angular_momentum.col(0);
    const RecordedBody& body = recording.bodies[0];
    const double energy = body.kinetic[0] + body.elastic[0] + flight.potential[0];
    for (Eigen::Index i = 0; i < flight.centre.cols(); ++i) {
        const double t = recording.times[static_cast<std::size_t>(i)];
        EXPECT_LE((flight.centre.col(i) - (c0 + v * t + 0.5 * g * t * t)).norm(), 1e-12) << t;
        EXPECT_LE((flight.momentum.col(i) - kMassOfBar * (v + g * t)).norm(), 1e-10) << t;
        EXPECT_LE(
            (flight.angular_momentum.col(i) - (L0 + (c0 * t + 0.5 * v * t * t).cross(kMassOfBar * g))).norm(),
            1e-10)
            << t;
        // Newton's tolerance of 1e-8 a step.
        EXPECT_NEAR(body.kinetic[i] + body.elastic[i] + flight.potential[i], energy, 1e-6 * energy) << t;
    }
    EXPECT_GT(body.elastic.maxCoeff(), 1e-6 * energy);  // the spin deforms it
}

TEST_F(FreeScene, ASoftBarThatFallsOnAFloorComesToRestUnderItsWeight) {
    const Scene s = read(
        R"({"dt": 0.002, "duration": 2, "every": 50, "gravity": [0, 0, -9.81], "contact": {"sleep": false},
        "obstacles": [{"name": "floor", "shape": {"plane": {"normal": [0, 0, 1], "offset": -0.02}}}],
        "bodies": [{"name": "bar", "model": "loose.glb", "damping": {"alpha": 2, "beta": 0.005}}]})");
    const Recording recording = simulate(s);
    EXPECT_EQ(recording.not_converged, 0);
    const RecordedBody& body = recording.bodies[0];
    ASSERT_TRUE(body.flight && body.touch);
    const Eigen::Index last = body.flight->momentum.cols() - 1;
    const double weight = kMassOfBar * 9.81;
    EXPECT_NEAR(body.touch->force(2, last), weight, 1e-3 * weight);
    EXPECT_GE(body.touch->contacts[last], 4);
    EXPECT_LE(body.kinetic[last], 1e-6);
    // Impulses of the floor and of gravity are the change of momentum: forces are means since the row before.
    Vector3d impulse(0, 0, -weight * recording.times.back());
    for (Eigen::Index i = 1; i <= last; ++i)
        impulse += body.touch->force.col(i) *
                   (recording.times[std::size_t(i)] - recording.times[std::size_t(i) - 1]);
    EXPECT_LE((body.flight->momentum.col(last) - impulse).norm(), 1e-10 * weight * recording.times.back());
    // Every point of the last frame, and what the file calls them.
    const RecordedContacts& contacts = recording.contacts;
    double points = 0, force = 0;
    for (std::size_t i = 0; i < contacts.frame.size(); ++i) {
        EXPECT_EQ(contacts.a[i], 0);
        EXPECT_EQ(contacts.b[i], -1);
        EXPECT_EQ(contacts.obstacle[i], 0);
        EXPECT_EQ(contacts.device[i], -1);
        EXPECT_NEAR(contacts.position[3 * i + 2], -0.02, 1e-12);  // on the floor
        EXPECT_EQ(contacts.normal[3 * i + 2], 1);
        EXPECT_NEAR(contacts.impulse[3 * i + 2], 0.002 * contacts.force[3 * i + 2], 1e-12 * weight);
        if (contacts.frame[i] != double(last)) continue;
        ++points;
        force += contacts.force[3 * i + 2];
    }
    EXPECT_EQ(points, body.touch->contacts[last]);
    EXPECT_NEAR(force, weight, 1e-3 * weight);
    write_recording(folder / "fallen.npz", s, recording);
    const std::string npz = read_file(folder / "fallen.npz");
    for (const char* name :
         {"frame", "a", "b", "obstacle", "device", "position", "normal", "impulse", "force", "depth"})
        EXPECT_NE(npz.find(std::string("contacts.") + name + ".npy"), std::string::npos) << name;
}

TEST_F(FreeScene, TheColumnsOfTheCsvAreThoseOfTheContract) {
    const Scene s = read(bar("", R"("probes": [{"name": "tip", "at": "near:1,0,0"}])"));
    write_recording(folder / "bar.csv", s, simulate(s));
    std::istringstream lines(read_file(folder / "bar.csv"));
    std::string head;
    std::getline(lines, head);
    EXPECT_EQ(
        head,
        "t,bar.q0,bar.q1,bar.q2,bar.q3,bar.q4,bar.q5,bar.kinetic,bar.elastic,bar.potential,bar.cx,bar.cy,"
        "bar.cz,bar.rx,bar.ry,bar.rz,bar.rw,bar.px,bar.py,bar.pz,bar.lx,bar.ly,bar.lz,tip.x,tip.y,tip.z");
    write_recording(folder / "bar.npz", s, simulate(s));
    const std::string npz = read_file(folder / "bar.npz");
    for (const char* name :
         {"bar.q.npy", "bar.potential.npy", "bar.c.npy", "bar.r.npy", "bar.p.npy", "bar.l.npy"})
        EXPECT_NE(npz.find(name), std::string::npos) << name;
}

TEST_F(FreeScene, AProbeContainsTheFlight) {
    const Scene s = read(bar(R"("position": [1, 0, 2], "rotation": [0, 0, 1, 0], "velocity": [3, 0, 0])",
                             R"("gravity": [0, 0, -2], "probes": [{"name": "tip", "at": "near:1,0,0"}])"));
    const Recording recording = simulate(s);
    EXPECT_LE(recording.probes[0].col(0).norm(), 1e-14);
    EXPECT_LE((recording.probes[0].col(50) - Vector3d(0.3, 0, -0.01)).norm(), 1e-12);  // 0.1 s
}

TEST_F(FreeScene, TheNodeMovesAndItsMorphTargetsBend) {
    const Scene s = read(bar(R"("velocity": [1, 0, 0], "angular_velocity": [0, 0, 5])"));
    const Recording recording = simulate(s);
    const Gltf gltf = split_gltf(scene_gltf(s, recording, "out.glb").bytes, "out.glb");
    std::set<std::string> paths;
    for (const auto& animation : gltf.document["animations"])
        for (const auto& channel : animation["channels"])
            paths.insert(channel["target"]["path"].get<std::string>());
    EXPECT_EQ(paths, (std::set<std::string>{"rotation", "translation", "weights"}));
    ASSERT_EQ(recording.bodies[0].poses.size(), 51u);
    EXPECT_LE((recording.bodies[0].poses[50] * kCentreOfBar - (kCentreOfBar + Vector3d(0.1, 0, 0))).norm(),
              1e-6);
}

TEST_F(FreeScene, MountsAreRefusedWithTheirPlace) {
    EXPECT_EQ(error_of(bar(R"("mount": "hung")")).where, "s.json: bodies[0].mount");
    EXPECT_EQ(error_of(bar(R"("mount": "moved")")).where, "s.json: bodies[0].mount");
    EXPECT_EQ(error_of(bar(R"("mount": "fixed", "velocity": [1, 0, 0])")).where,
              "s.json: bodies[0].velocity");
    EXPECT_EQ(error_of(bar(R"("integrator": "newmark")")).where, "s.json: bodies[0].integrator");
    EXPECT_EQ(error_of(bar(R"("newton": 1)")).where, "s.json: bodies[0].newton");
    EXPECT_EQ(error_of(bar(R"("support": "hand.glb#hand")")).where, "s.json: bodies[0].support");
    // A free model is not built for warping.
    EXPECT_EQ(error_of(bar(R"("method": "warp", "mount": "free")")).where, "s.json: bodies[0].method");
    EXPECT_NE(error_of(bar(R"("release": [{"at": "all", "force": [0, 0, 1]}])")).problem, "");
    EXPECT_FALSE(read(bar(R"("mount": "fixed")")).bodies[0].flies());
    EXPECT_FALSE(read(scene("")).bodies[0].flies());  // something of that bar is fixed
    // A file without tensors shows how to build it anew; fixed, it is what it was.
    const Scene old = read(R"({"bodies": [{"model": "old.glb"}]})");
    try {
        simulate(old);
        ADD_FAILURE() << "it flew";
    } catch (const InputError& error) {
        EXPECT_NE(error.try_this.find("limber build loose.msh -o loose.glb"), std::string::npos)
            << error.try_this;
    }
    EXPECT_EQ(simulate(read(R"({"duration": 0.01, "bodies": [{"model": "old.glb", "mount": "fixed"}]})"))
                  .not_converged,
              0);
}

TEST_F(FreeScene, BodiesOfOlderRecordingsStayWhereTheyAre) {
    const auto recorded = [&](int version) {
        return read(R"({"dt": 0.01, "gravity": [0, 0, -1], "bodies": [{"name": "bar", "model": "loose.glb",
            "method": "stvk", "integrator": "newmark", "newton": 1}], "recording": {"version": )" +
                    std::to_string(version) + R"(, "steps": 10, "inputs": []}})");
    };
    for (const int version : {1, 2}) {
        const Scene s = recorded(version);
        EXPECT_FALSE(s.bodies[0].flies());
        EXPECT_FALSE(simulate(s).bodies[0].flight);
    }
    EXPECT_THROW(recorded(3), InputError);  // a free body, whose integrator is not Newmark's
}

}  // namespace
}  // namespace limber::test
