// SPDX-License-Identifier: Apache-2.0
// The animation that other programs play, read back as they would, against the motion that was recorded.
#include "build/scene/scene_gltf.h"

#include "build/scene/gltf_parts.h"
#include "tests/build/recipe/tiny_model.h"

#include <limber/model/model_file.h>
#include <limber/warp/warp_body.h>

#include <gtest/gtest.h>

#include <cstring>

namespace limber::test {
namespace {

using namespace build;
using Eigen::Vector3d;

std::vector<float> floats(const Gltf& gltf, std::size_t accessor) {
    const auto& a = gltf.document["accessors"][accessor];
    const auto& view = gltf.document["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::string type = a["type"];
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    std::vector<float> out(a["count"].get<std::size_t>() * width);
    const std::size_t start =
        view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0});
    std::memcpy(out.data(), gltf.binary.data() + start, sizeof(float) * out.size());
    return out;
}

// The channel of one path: its values, and the node.
std::pair<std::vector<float>, std::size_t> channel(const Gltf& gltf, const std::string& path) {
    const auto& animation = gltf.document["animations"][0];
    for (const auto& c : animation["channels"])
        if (c["target"]["path"] == path)
            return {floats(gltf, animation["samplers"][c["sampler"].get<std::size_t>()]["output"]),
                    c["target"]["node"]};
    ADD_FAILURE() << path;
    return {};
}

TEST(SceneGltf, AWarpedMotionIsShownWhereItWas) {
    static const std::shared_ptr<const Model> model = tiny_model();
    Scene scene;
    scene.bodies.resize(1);
    SceneBody& body = scene.bodies[0];
    body.name = "bar";
    body.model = model;
    body.method = Method::Warp;
    scene.dt = 0.01;
    scene.duration = 0.5;
    scene.gravity = {0, 0, -15};
    AnimatedNode node;
    const auto list = [](std::vector<double> values) {
        return std::make_shared<const std::vector<double>>(std::move(values));
    };
    node.moves = Keyframes{Interpolation::Linear, list({0, 1}), list({0, 0, 0, 2, 0, 0})};
    body.support = Guide{{{std::make_shared<const NodeTree>(NodeTree{{node}, ""}), 0}}};
    const Recording recording = simulate(scene);
    const SceneBytes file = scene_gltf(scene, recording, "out.glb");
    const Gltf gltf = split_gltf(file.bytes, "out.glb");
    EXPECT_FALSE(gltf.document.contains("extensions"));

    const auto [weights, mesh_node] = channel(gltf, "weights");
    const auto& primitive =
        gltf.document["meshes"][gltf.document["nodes"][mesh_node]["mesh"].get<std::size_t>()]["primitives"]
                     [0];
    const std::size_t targets = primitive["targets"].size(), frames = recording.times.size();
    ASSERT_EQ(weights.size(), targets * frames);
    const std::vector<float> rest = floats(gltf, primitive["attributes"]["POSITION"]);
    const double size = std::sqrt(1 + 0.04 + 0.04);
    double largest = 0;
    Result<WarpBody> warped = make_warp_body(model->warp);
    ASSERT_TRUE(warped.ok());
    for (std::size_t f = 0; f < frames; f += 10) {
        std::vector<float> shown = rest;
        for (std::size_t k = 0; k < targets; ++k) {
            const std::vector<float> target = floats(gltf, primitive["targets"][k]["POSITION"]);
            for (std::size_t i = 0; i < shown.size(); ++i)
                shown[i] += weights[f * targets + k] * target[i];
        }
        const Eigen::VectorXd q = recording.bodies[0].q.col(static_cast<Eigen::Index>(f));
        ASSERT_TRUE(warped.value().set_state({0, q, Eigen::VectorXd::Zero(q.size())}).ok());
        for (std::size_t v = 0; v < model->surface.vertices.size(); ++v) {
            const Vector3d u = warped.value().displacement(static_cast<int>(v));
            const Vector3d x(shown[3 * v], shown[3 * v + 1], shown[3 * v + 2]);
            largest = std::max(largest, u.norm());
            EXPECT_LE((x - model->surface.vertices[v] - u).norm(), 1.01e-4 * size);  // and floats
        }
    }
    EXPECT_GT(largest, 0.1);  // it bends far

    // The node above moves as the support: 2 m/s along x.
    const auto [positions, above] = channel(gltf, "translation");
    EXPECT_EQ(gltf.document["nodes"][above]["children"][0], mesh_node);
    for (std::size_t f = 0; f < frames; ++f)
        EXPECT_NEAR(positions[3 * f], 2 * recording.times[f], 1e-6);
}

TEST(SceneGltf, ANonlinearBodyOnASupportIsAModelStill) {
    Scene scene;
    scene.bodies.resize(1);
    scene.bodies[0].name = "bar";
    scene.bodies[0].model = tiny_model();
    AnimatedNode node;
    node.translation = {0, 0, 1};
    scene.bodies[0].support = Guide{{{std::make_shared<const NodeTree>(NodeTree{{node}, ""}), 0}}};
    scene.dt = 0.01;
    scene.duration = 0.05;
    const SceneBytes file = scene_gltf(scene, simulate(scene), "out.glb");
    EXPECT_TRUE(read_model(file.bytes, "out.glb").ok());
    const auto [positions, above] = channel(split_gltf(file.bytes, "out.glb"), "translation");
    EXPECT_EQ(positions[2], 1);
}

// Where another program shows the origin of a node: all rotations and places above it, in doubles.
Eigen::Affine3d shown_at(const nlohmann::json& document, std::size_t node) {
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    const auto& n = document["nodes"][node];
    if (n.contains("translation"))
        out.translate(Vector3d(n["translation"].get<std::vector<double>>().data()));
    if (n.contains("rotation"))
        out.rotate(Eigen::Quaterniond(n["rotation"].get<std::vector<double>>().data()));
    for (std::size_t above = 0; above < document["nodes"].size(); ++above)
        if (document["nodes"][above].contains("children"))
            for (const auto& child : document["nodes"][above]["children"])
                if (child == node) return shown_at(document, above) * out;
    return out;
}

// (x, y, z) of a scene that is z up stands at (x, z, -y) in glTF, whether one body is in it or two, at rest
// or placed; limber reads the file in the scene's own coordinates.
TEST(SceneGltf, TheSceneAsAWholeIsTurnedUpright) {
    for (const std::size_t bodies : {1u, 2u})
        for (const bool placed : {false, true}) {
            Scene scene;
            scene.bodies.resize(bodies);
            for (std::size_t b = 0; b < bodies; ++b) {
                scene.bodies[b].name = b == 0 ? "first" : "second";
                scene.bodies[b].model = tiny_model();
                if (placed) scene.bodies[b].pose.position = {1, 2, 3};
                if (placed) scene.bodies[b].pose.orientation = Eigen::AngleAxisd(0.5, Vector3d::UnitX());
            }
            scene.dt = 0.01;
            scene.duration = 0.02;
            const SceneBytes file = scene_gltf(scene, simulate(scene), "out.glb");
            const nlohmann::json document = split_gltf(file.bytes, "out.glb").document;
            EXPECT_EQ(document["asset"]["extras"]["up"], "z");
            EXPECT_EQ(document["scenes"][0]["nodes"].size(), 1u);
            const Pose pose = scene.bodies[0].pose_at(0);
            const Vector3d point(0.1, 0.2, 0.3);
            const Vector3d world = pose.position + pose.orientation * point;
            int meshes = 0;
            for (std::size_t n = 0; n < document["nodes"].size(); ++n) {
                if (!document["nodes"][n].contains("mesh")) continue;
                ++meshes;
                const Vector3d shown = shown_at(document, n) * point;
                EXPECT_LE((shown - Vector3d(world.x(), world.z(), -world.y())).norm(), 1e-14);
            }
            EXPECT_EQ(meshes, static_cast<int>(bodies));
            const SurfaceMesh read = read_glb(file.bytes, "out.glb");
            EXPECT_EQ(read.up, UpAxis::Z);
            const Vector3d first = scene.bodies[0].model->surface.vertices[0];
            EXPECT_LE((read.vertices[0] - (pose.position + pose.orientation * first)).norm(),
                      1e-7);  // floats
        }
}

TEST(SceneGltf, TheUpOfTheSceneWins) {
    Scene scene;
    scene.bodies.resize(1);
    scene.bodies[0].name = "bar";
    scene.bodies[0].model = tiny_model();
    scene.up = UpAxis::Y;
    scene.dt = 0.01;
    scene.duration = 0.02;
    const SceneBytes file = scene_gltf(scene, simulate(scene), "out.glb");
    const nlohmann::json document = split_gltf(file.bytes, "out.glb").document;
    EXPECT_EQ(document["asset"]["extras"]["up"], "y");
    for (const auto& node : document["nodes"])
        if (node.contains("rotation")) {
            EXPECT_EQ(node["rotation"], (std::vector<double>{0, 0, 0, 1}));
        }
    EXPECT_TRUE(read_model(file.bytes, "out.glb").ok());
}

}  // namespace
}  // namespace limber::test
