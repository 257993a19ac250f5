// SPDX-License-Identifier: Apache-2.0
// Animated nodes: poses against transformations written out, files that are sound, and files that are not.
#include "build/animation/node_tree.h"

#include "build/file/atomic_file.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>

namespace limber::build {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    static_assert(std::endian::native == std::endian::little);
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string u32(std::size_t value) {
    return bytes_of(std::vector<std::uint32_t>{static_cast<std::uint32_t>(value)});
}

std::string glb(std::string json, std::string binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4);
    return "glTF" + u32(2) + u32(28 + json.size() + binary.size()) + u32(json.size()) + "JSON" + json +
           u32(binary.size()) + std::string("BIN\0", 4) + binary;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Times 0, 1; three numbers each: a way of 1 m along x; quaternions: a quarter turn about z.
const float kHalf = std::sqrt(0.5f);
const std::string kBinary = bytes_of<float>({0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, kHalf, kHalf});
const std::string kJson =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"name":"hips","children":[1],"translation":[0,0,2]},{"name":"hand","translation":[0,1,0],"scale":[2,2,2]}],
"animations":[{"name":"walk","samplers":[{"input":0,"output":1},{"input":0,"output":2}],
"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}},{"sampler":1,"target":{"node":0,"path":"rotation"}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":0,"byteOffset":32,"componentType":5126,"count":2,"type":"VEC4"}],
"bufferViews":[{"buffer":0,"byteLength":64}],"buffers":[{"byteLength":64}]})";

NodeTree read(const std::string& json, const std::string& binary = kBinary) {
    return read_animated_glb(glb(json, binary), "m.glb");
}
NodeTree read_changed(const std::string& from, const std::string& to) {
    return read(with(kJson, from, to));
}
InputError refused(const std::string& from, const std::string& to, const std::string& where,
                   const std::string& problem) {
    return expect_refused([&] { read_changed(from, to); }, where, problem);
}

TEST(NodeTree, PosesOfChildrenFollowTheirParents) {
    const NodeTree tree = read(kJson);
    EXPECT_EQ(tree.animation, "walk");
    EXPECT_EQ(end_of(tree), 1);
    const int hand = find_node(tree, "hand", "w");
    // Half way: the parent is at (1/2, 0, 0), turned by 45 degrees; the child 1 m along its y.
    const Pose pose = pose_of(tree, hand, 0.5);
    EXPECT_LE((pose.position - Vector3d(0.5 - kHalf, kHalf, 0)).norm(), 1e-7);  // floats of the file
    EXPECT_LE(pose.orientation.angularDistance(Quaterniond(AngleAxisd(M_PI / 4, Vector3d::UnitZ()))), 1e-6);
    // Its own scale does not move it.
    EXPECT_LE((pose_of(tree, hand, 0).position - Vector3d(0, 1, 0)).norm(), 1e-7);
}

TEST(NodeTree, AnEvenScaleAboveMovesTheChildAndAnUnevenOneIsRefused) {
    const NodeTree even = read_changed(R"("translation":[0,0,2])", R"("scale":[0.01,0.01,0.01])");
    EXPECT_LE((pose_of(even, 1, 0).position - Vector3d(0, 0.01, 0)).norm(), 1e-9);
    const NodeTree uneven = read_changed(R"("translation":[0,0,2])", R"("scale":[1,1,2])");
    EXPECT_NO_THROW(find_node(uneven, "hips", "w"));
    const InputError error = expect_refused([&] { find_node(uneven, "hand", "w"); }, "w", "rigid");
    EXPECT_NE(error.problem.find("hips"), std::string::npos);
}

TEST(NodeTree, AScaleThatIsAnimatedAboveANodeIsRefused) {
    const NodeTree tree = read(with(kJson, R"("path":"rotation")", R"("path":"scale")"));
    EXPECT_NO_THROW(find_node(tree, "hips", "w"));
    expect_refused([&] { find_node(tree, "hand", "w"); }, "w", "changes its scale");
}

TEST(NodeTree, AMatrixIsTakenApart) {
    // A quarter turn about x times 3, moved by (5, 6, 7); the hand is not animated.
    const NodeTree tree = read_changed(R"("translation":[0,1,0],"scale":[2,2,2])",
                                       R"("matrix":[3,0,0,0, 0,0,3,0, 0,-3,0,0, 5,6,7,1])");
    const Pose pose = pose_of(tree, 1, 0);
    EXPECT_LE((pose.position - Vector3d(5, 6, 7)).norm(), 1e-12);
    EXPECT_LE(pose.orientation.angularDistance(Quaterniond(AngleAxisd(M_PI / 2, Vector3d::UnitX()))), 1e-7);
    const NodeTree sheared = read_changed(R"("translation":[0,1,0],"scale":[2,2,2])",
                                          R"("matrix":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1])");
    expect_refused([&] { find_node(sheared, "hand", "w"); }, "w", "matrix");
}

TEST(NodeTree, NodesAreFoundByNameOrNumber) {
    const NodeTree tree = read(kJson);
    EXPECT_EQ(find_node(tree, "hips", "w"), 0);
    EXPECT_EQ(find_node(tree, "1", "w"), 1);
    EXPECT_EQ(expect_refused([&] { find_node(tree, "hipps", "w"); }, "w", "hipps").try_this, "'hips'");
    EXPECT_NE(expect_refused([&] { find_node(tree, "tail", "w"); }, "w", "tail").try_this.find("hips, hand"),
              std::string::npos);
    expect_refused([&] { find_node(tree, "2", "w"); }, "w", "no node '2'");
    const NodeTree twins = read_changed(R"("name":"hand")", R"("name":"hips")");
    expect_refused([&] { find_node(twins, "hips", "w"); }, "w", "nodes 0 and 1");
}

TEST(NodeTree, TheAnimationIsChosenByName) {
    EXPECT_EQ(read_animated_glb(glb(kJson, kBinary), "m.glb", "walk").animation, "walk");
    const InputError error = expect_refused([&] { read_animated_glb(glb(kJson, kBinary), "m.glb", "run"); },
                                            "m.glb", "no animation 'run'");
    EXPECT_NE(error.try_this.find("walk"), std::string::npos);
    expect_refused([&] { read(with(kJson, "\"animations\"", "\"unused\"")); }, "m.glb", "no animation");
}

TEST(NodeTree, WhatIsWrittenIsReadAgain) {
    const NodeTree tree = read(kJson);
    const NodeTree again = read_animated_glb(write_animated_glb(tree), "again.glb");
    ASSERT_EQ(again.nodes.size(), 2u);
    for (double t = 0; t <= 1; t += 0.25) {
        const Pose a = pose_of(tree, 1, t), b = pose_of(again, 1, t);
        EXPECT_LE((a.position - b.position).norm(), 1e-7);
        EXPECT_LE(a.orientation.angularDistance(b.orientation), 1e-6);
    }
}

TEST(NodeTree, AFileTurnsUpToYAndIsReadInItsOwnCoordinates) {
    NodeTree tree = read(kJson);
    EXPECT_EQ(tree.up, UpAxis::Y);  // another program's
    tree.up = UpAxis::Z;
    const std::string bytes = write_animated_glb(tree);
    const NodeTree again = read_animated_glb(bytes, "again.glb");
    EXPECT_EQ(again.up, UpAxis::Z);
    std::string of_others = bytes;
    of_others.replace(of_others.find("\"limber\""), 8, "\"Blend7\"");
    const NodeTree turned = read_animated_glb(of_others, "others.glb");
    for (double t = 0; t <= 1; t += 0.25)
        for (const char* node : {"hips", "hand", "1"}) {  // numbers stay, too
            const Pose a = pose_of(tree, find_node(tree, node, ""), t);
            const Pose b = pose_of(again, find_node(again, node, ""), t);
            const Pose c = pose_of(turned, find_node(turned, node, ""), t);
            EXPECT_LE((a.position - b.position).norm(), 1e-7);  // floats
            EXPECT_LE(a.orientation.angularDistance(b.orientation), 1e-6);
            const Vector3d upright(a.position.x(), a.position.z(), -a.position.y());
            EXPECT_LE((upright - c.position).norm(), 1e-7);
        }
}

TEST(NodeTree, BuffersOutsideTheFoldersFileAreRefused) {
    const std::string json = with(kJson, R"({"byteLength":64}])", R"({"byteLength":64,"uri":"../m.bin"}])");
    std::string name = (std::filesystem::temp_directory_path() / "limber_motion_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    const std::filesystem::path folder = name;
    write_file(folder / "m.bin", kBinary);
    write_file(folder / "bad.gltf", json);
    write_file(folder / "good.gltf", with(json, "../m.bin", "m.bin"));
    expect_refused([&] { read_animated_file(folder / "bad.gltf"); }, "buffer 0", "inside the folder");
    EXPECT_EQ(read_animated_file(folder / "good.gltf").nodes.size(), 2u);
    expect_refused([&] { read_animated_file(folder / "m.obj"); }, "m.obj", ".glb");
    std::filesystem::remove_all(folder);
}

TEST(NodeTree, BrokenFilesAreRefusedWithThePlace) {
    refused(R"("children":[1])", R"("children":[7])", "node 0", "not there");
    refused(R"("children":[1])", R"("children":[1,1])", "node 1", "two parents");
    refused(R"("children":[1])", R"("children":[0])", "m.glb", "contains itself");
    refused(R"("node":0,"path":"rotation")", R"("node":9,"path":"rotation")", "channel 1", "node 9");
    refused(R"("path":"rotation")", R"("path":"translation")", "channel 1", "twice");
    refused(R"({"sampler":1)", R"({"sampler":2)", "channel 1", "sampler");
    refused(R"("input":0,"output":1})", R"("input":0,"output":2})", "accessor 2", "VEC3");
    refused(R"("input":0,"output":1})", R"("input":0,"output":1,"interpolation":"WAVY"})", "channel 0",
            "WAVY");
    refused(R"("input":0,"output":1})", R"("input":0,"output":1,"interpolation":"CUBICSPLINE"})", "channel 0",
            "2 values for 2 times");
    refused(R"("count":2,"type":"SCALAR")", R"("count":1,"type":"SCALAR")", "channel 0",
            "2 values for 1 times");
    refused(R"("count":2,"type":"VEC4")", R"("count":2000000000,"type":"VEC4")", "accessor 2", "fit");
    refused(R"("translation":[0,0,2])", R"("matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1])", "channel 0",
            "matrix");
    refused(R"("translation":[0,0,2])", R"("rotation":[0,0,0,0])", "node 0", "quaternion");
    // Numbers of the buffer: times that do not ascend or are not finite, rotations without length.
    const auto numbers = [](std::vector<float> values) { return bytes_of(values); };
    const float nan = std::nanf(""), h = kHalf;
    expect_refused(
        [&] {
            read(kJson, numbers({1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, h, h}));
        },
        "channel 0", "ascend");
    expect_refused(
        [&] {
            read(kJson, numbers({-1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, h, h}));
        },
        "channel 0", "ascend");
    expect_refused(
        [&] {
            read(kJson, numbers({0, nan, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, h, h}));
        },
        "accessor 0", "nan");
    expect_refused(
        [&] {
            read(kJson, numbers({0, 1, 0, nan, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, h, h}));
        },
        "accessor 1", "nan");
    expect_refused(
        [&] {
            read(kJson, numbers({0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, h, h}));
        },
        "channel 1", "quaternion");
}

// A chain so long that walking up from each node would take hours.
TEST(NodeTree, DeepChainsAreReadInLinearTime) {
    constexpr int kCount = 100000;
    std::string nodes;
    for (int n = 0; n < kCount; ++n)
        nodes += n + 1 < kCount ? R"({"children":[)" + std::to_string(n + 1) + "]}," : "{}";
    const std::string json = with(
        kJson,
        R"({"name":"hips","children":[1],"translation":[0,0,2]},{"name":"hand","translation":[0,1,0],"scale":[2,2,2]})",
        nodes);
    const NodeTree tree = read(json);
    EXPECT_LE((pose_of(tree, kCount - 1, 1).position - Vector3d(1, 0, 0)).norm(), 1e-6);
}

}  // namespace
}  // namespace limber::build
