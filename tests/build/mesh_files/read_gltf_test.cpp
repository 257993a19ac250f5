// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/files.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace limber::build::read_gltf_test {
namespace {

namespace fs = std::filesystem;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    static_assert(std::endian::native == std::endian::little);
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
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

// A square in the xy plane: 48 bytes of positions, then 12 bytes of indices.
const std::string kPositions = bytes_of<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
const std::string kIndices = bytes_of<std::uint16_t>({0, 1, 2, 0, 2, 3});
const std::string kBinary = kPositions + kIndices;
const std::string kJson =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"name":"square","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"buffers":[{"byteLength":60}]})";
const std::vector<Triangle> kTwo = {{0, 1, 2}, {0, 2, 3}};

SurfaceMesh read(const std::string& json, const std::string& binary = kBinary) {
    return read_glb(glb(json, binary), "a.glb");
}
// Of kJson with one piece of text exchanged.
SurfaceMesh read_changed(const std::string& from, const std::string& to) {
    return read(with(kJson, from, to));
}
InputError refused(const std::string& from, const std::string& to, const std::string& where,
                   const std::string& problem) {
    return expect_refused([&] { read_changed(from, to); }, where, problem);
}

TEST(ReadGltf, SquareWithItsName) {
    const auto mesh = read(kJson);
    EXPECT_EQ(mesh.vertices, (std::vector<Vertex>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh.triangles, kTwo);
    ASSERT_EQ(mesh.triangle_groups.size(), 1u);
    EXPECT_EQ(mesh.triangle_groups[0].name, "square");
    EXPECT_EQ(mesh.triangle_groups[0].ids, (std::vector<int>{0, 1}));
}

TEST(ReadGltf, TransformationsOfParentsApplyAfterThoseOfChildren) {
    // Child: scaled by (2,1,1), turned by 90° about z, moved by (0,0,5). Parent, a matrix: x += 10.
    const auto mesh =
        read_changed(R"([{"mesh":0}])", R"([{"children":[1],"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 10,0,0,1]},
        {"mesh":0,"scale":[2,1,1],"rotation":[0,0,0.7071067811865476,0.7071067811865476],"translation":[0,0,5]}])");
    EXPECT_TRUE(mesh.vertices[1].isApprox(Vertex(10, 2, 5), 1e-14)) << mesh.vertices[1];  // rounding
    EXPECT_TRUE(mesh.vertices[3].isApprox(Vertex(9, 0, 5), 1e-14)) << mesh.vertices[3];
}

TEST(ReadGltf, MirroredMeshKeepsItsOutside) {
    const auto mesh = read_changed(R"({"mesh":0})", R"({"mesh":0,"scale":[-1,1,1]})");
    const Triangle& t = mesh.triangles[0];
    const Vertex &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    EXPECT_GT((b - a).cross(c - a).z(),
              0);  // the plain square has its normal along +z; so has its mirror image in x
}

TEST(ReadGltf, InstancesOfOneMeshAreCopied) {
    const auto mesh =
        read(with(with(kJson, R"([{"mesh":0}])", R"([{"mesh":0},{"mesh":0,"translation":[0,0,1]}])"),
                  R"("nodes":[0])", R"("nodes":[1,0])"));
    ASSERT_EQ(mesh.triangles.size(), 4u);
    EXPECT_EQ(mesh.vertices[0].z(), 1);  // in the scene's order
    EXPECT_EQ(mesh.triangle_groups.size(), 1u);
    EXPECT_EQ(mesh.triangle_groups[0].ids, (std::vector<int>{0, 1, 2, 3}));
}

TEST(ReadGltf, OnlyTheDefaultSceneIsRead) {
    const std::string two =
        with(with(kJson, R"([{"mesh":0}])", R"([{"mesh":0},{"mesh":0,"translation":[0,0,1]}])"),
             R"([{"nodes":[0]}])", R"([{"nodes":[0]},{"nodes":[1]}])");
    EXPECT_EQ(read(two).vertices[0].z(), 0);
    EXPECT_EQ(read(with(two, R"("scene":0)", R"("scene":1)")).vertices[0].z(), 1);
    EXPECT_EQ(read(with(two, R"("scene":0,)", "")).triangles.size(), 2u);
}

TEST(ReadGltf, WithoutScenesEveryRootIsRead) {
    EXPECT_EQ(read_changed(R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}])",
                           R"("nodes":[{"children":[1]},{"mesh":0},{"mesh":0}])")
                  .triangles.size(),
              4u);
    EXPECT_EQ(
        read_changed(R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)", "").triangles.size(), 2u);
}

TEST(ReadGltf, PrimitivesThatShareAnAccessorShareVertices) {
    const auto mesh =
        read_changed(R"("indices":1}])", R"("indices":1},{"attributes":{"POSITION":0},"indices":1}])");
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 4u);
}

TEST(ReadGltf, StripsFansAndNoIndices) {
    const std::string plain = R"("indices":1)";
    EXPECT_EQ(read_changed(plain, R"("mode":5)").triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}));
    EXPECT_EQ(read_changed(plain, R"("mode":6)").triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(read_changed(plain, R"("mode":4)").triangles,
              (std::vector<Triangle>{{0, 1, 2}}));  // a fourth vertex is left over
    // 0 1 2 0 2 3 as a strip: every second triangle is turned round, and (2, 0, 2) has no area.
    EXPECT_EQ(read_changed(plain, R"("indices":1,"mode":5)").triangles,
              (std::vector<Triangle>{{0, 1, 2}, {2, 1, 0}, {2, 0, 3}}));
}

TEST(ReadGltf, PointsAndLinesArePassedOver) {
    const auto mesh = read_changed(
        R"("primitives":[)",
        R"("primitives":[{"attributes":{"POSITION":0},"mode":0},{"attributes":{"POSITION":0},"mode":1},)");
    EXPECT_EQ(mesh.triangles, kTwo);
    refused(R"("indices":1)", R"("indices":1,"mode":3)", "a.glb", "no triangles");
}

TEST(ReadGltf, IndicesOfAnyWidth) {
    const auto json = [](int type, int length) {
        std::string out = with(kJson, "5123", std::to_string(type));
        out = with(out, R"("byteLength":12)", R"("byteLength":)" + std::to_string(length));
        return with(out, R"("byteLength":60)", R"("byteLength":)" + std::to_string(48 + length));
    };
    EXPECT_EQ(read(json(5121, 6), kPositions + bytes_of<std::uint8_t>({0, 1, 2, 0, 2, 3})).triangles, kTwo);
    EXPECT_EQ(read(json(5125, 24), kPositions + bytes_of<std::uint32_t>({0, 1, 2, 0, 2, 3})).triangles, kTwo);
}

TEST(ReadGltf, InterleavedAndOffsetData) {
    std::vector<float> interleaved = {9, 9, 9};  // 12 bytes before the first element
    for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
        interleaved.insert(interleaved.end(), {float(x), float(y), 0, 8, 8});
    interleaved.resize(interleaved.size() - 2);  // the last element needs no whole stride
    std::string json =
        with(kJson, R"({"buffer":0,"byteLength":48})", R"({"buffer":0,"byteLength":84,"byteStride":20})");
    json = with(json, R"({"bufferView":0,)", R"({"bufferView":0,"byteOffset":12,)");
    json = with(with(json, R"("byteOffset":48)", R"("byteOffset":84)"), R"("byteLength":60)",
                R"("byteLength":96)");
    EXPECT_EQ(read(json, bytes_of(interleaved) + kIndices).vertices, read(kJson).vertices);
}

TEST(ReadGltf, QuantizedPositions) {
    const std::string json =
        with(with(kJson, R"("componentType":5126)", R"("componentType":5122,"normalized":true)"),
             R"({"buffer":0,"byteLength":48})", R"({"buffer":0,"byteLength":48,"byteStride":8})");
    const auto mesh =
        read(with(json, R"("scene":0)", R"("extensionsRequired":["KHR_mesh_quantization"],"scene":0)"),
             bytes_of<std::int16_t>({0, 0, 0, 0, 32767, 0, 0, 0, -32767, -32768, 0, 0, 0, 16384, 0, 0}) +
                 std::string(16, '\0') + kIndices);
    EXPECT_EQ(mesh.vertices[1], Vertex(1, 0, 0));
    EXPECT_EQ(mesh.vertices[2], Vertex(-1, -1, 0));  // max(c/32767, -1), glTF 2.0 section 3.11
    EXPECT_NEAR(mesh.vertices[3].y(), 16384 / 32767.0, 1e-16);
}

TEST(ReadGltf, SparseAccessorsChangeTheirBase) {
    const std::string values = bytes_of<float>({5, 6, 7});
    const std::string sparse =
        R"("sparse":{"count":1,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":3}},)";
    const std::string views =
        R"("byteLength":12},{"buffer":0,"byteOffset":60,"byteLength":1},{"buffer":0,"byteOffset":64,"byteLength":12}])";
    std::string json =
        with(with(kJson, R"("byteLength":12}])", views), R"("byteLength":60)", R"("byteLength":76)");
    const std::string binary = kBinary + std::string("\2\0\0\0", 4) + values;

    const auto changed = read(with(json, R"({"bufferView":0,)", R"({"bufferView":0,)" + sparse), binary);
    EXPECT_EQ(changed.vertices, (std::vector<Vertex>{{0, 0, 0}, {1, 0, 0}, {5, 6, 7}, {0, 1, 0}}));
    const auto from_zero = read(with(json, R"({"bufferView":0,)", "{" + sparse), binary);
    EXPECT_EQ(from_zero.vertices, (std::vector<Vertex>{{0, 0, 0}, {0, 0, 0}, {5, 6, 7}, {0, 0, 0}}));

    const std::string outside = kBinary + std::string("\4\0\0\0", 4) + values;
    expect_refused([&] { read(with(json, R"({"bufferView":0,)", R"({"bufferView":0,)" + sparse), outside); },
                   "accessor 0 (sparse)", "index 4");
    // Zeros that no byte of the file stands for.
    const std::string many =
        with(with(json, R"({"bufferView":0,)", "{" + sparse), R"("count":4)", R"("count":900000)");
    expect_refused([&] { read(many, binary); }, "accessor 0", "900000 zeros");
}

TEST(ReadGltf, SkinnedMeshIsNotMovedByItsNode) {
    EXPECT_EQ(read_changed(R"({"mesh":0})", R"({"mesh":0,"skin":0,"translation":[5,5,5]})").vertices[0],
              Vertex(0, 0, 0));
}

TEST(ReadGltf, DataUri) {
    // 48 bytes of positions and 12 of indices in base64.
    std::string base64;
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kBinary.size(); i += 3) {
        const unsigned b = (kBinary[i] & 255u) << 16 | (kBinary[i + 1] & 255u) << 8 | (kBinary[i + 2] & 255u);
        for (int shift : {18, 12, 6, 0})
            base64 += digits[b >> shift & 63];
    }
    const auto gltf = [&](const std::string& uri) {
        return read_gltf(with(kJson, R"("byteLength":60)", R"("byteLength":60,"uri":")" + uri + "\""),
                         "a.gltf", "");
    };
    EXPECT_EQ(gltf("data:application/octet-stream;base64," + base64).vertices, read(kJson).vertices);
    EXPECT_EQ(gltf("data:;base64," + base64).triangles, kTwo);
    expect_refused([&] { gltf("data:application/octet-stream;base64," + base64.substr(0, 40)); },
                   "a.gltf: buffer 0", "60 bytes");
    expect_refused([&] { gltf("data:application/octet-stream;base64,!" + base64); }, "a.gltf: buffer 0",
                   "base64");
    expect_refused([&] { gltf("data:text/plain,hello"); }, "a.gltf: buffer 0", "not base64");
    expect_refused([&] { gltf("data:"); }, "a.gltf: buffer 0", "not base64");
}

class GltfFolder : public testing::Test {
 protected:
    void SetUp() override {
        root_ = fs::temp_directory_path() / ("limber_gltf_" + std::to_string(getpid()));
        fs::create_directories(root_ / "mine" / "sub");
        for (const char* file : {"mine/my mesh.bin", "mine/sub/a.bin", "secret.bin"})
            std::ofstream(root_ / file, std::ios::binary) << kBinary;
        fs::create_symlink("../secret.bin", root_ / "mine" / "link.bin");
        fs::create_symlink("sub/a.bin", root_ / "mine" / "inner.bin");
        fs::create_directory_symlink("..", root_ / "mine" / "up");
    }
    void TearDown() override { fs::remove_all(root_); }
    SurfaceMesh read_uri(const std::string& uri) {
        return read_gltf(with(kJson, R"("byteLength":60)", R"("byteLength":60,"uri":")" + uri + "\""),
                         "a.gltf", root_ / "mine");
    }
    fs::path root_;
};

TEST_F(GltfFolder, FilesInsideAreRead) {
    for (const char* uri : {"my%20mesh.bin", "my mesh.bin", "sub/a.bin", "./sub/a.bin", "inner.bin"})
        EXPECT_EQ(read_uri(uri).triangles, kTwo) << uri;
}

TEST_F(GltfFolder, FilesOutsideAreRefused) {
    for (const std::string uri :
         {"../secret.bin", "sub/../../secret.bin", "%2e%2e/secret.bin", "link.bin", "up/secret.bin", "..",
          ".", "", "/etc/passwd", "file:///etc/passwd", "http://example.org/a.bin", "..\\\\secret.bin",
          "C:/a.bin", "sub", "a\\u0000b"})
        expect_refused([&] { read_uri(uri); }, "a.gltf: buffer 0", "is not inside the folder");
    expect_refused([&] { read_uri((root_ / "mine" / "sub" / "a.bin").string()); }, "a.gltf: buffer 0",
                   "is not inside the folder");
    expect_refused([&] { read_uri("missing.bin"); }, "a.gltf: buffer 0",
                   "cannot find the file 'missing.bin'");
    const std::string here = with(kJson, R"("byteLength":60)", R"("byteLength":60,"uri":"my mesh.bin")");
    expect_refused([&] { read_gltf(here, "a.gltf", ""); }, "a.gltf: buffer 0", "is not inside");
    expect_refused([&] { read(here); }, "a.glb: buffer 0", "is not inside");
}

TEST_F(GltfFolder, ShortFileIsRefused) {
    std::ofstream(root_ / "mine" / "sub" / "a.bin", std::ios::binary) << "short";
    expect_refused([&] { read_uri("sub/a.bin"); }, "a.gltf: buffer 0",
                   "byteLength is 60, but there are 5 bytes");
}

TEST(ReadGltf, TruncatedFilesAreRefused) {
    const std::string whole = glb(kJson, kBinary);
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_TRUE(is_refused([&] { read_glb(whole.substr(0, n), "a.glb"); })) << n;
    for (std::size_t n = 0; n < kJson.size(); ++n)
        EXPECT_TRUE(is_refused([&] { read_gltf(kJson.substr(0, n), "a.gltf", ""); })) << n;
}

TEST(ReadGltf, BadContainersAreRefused) {
    const std::string good = glb(kJson, kBinary);
    const auto changed = [&](std::size_t at, std::uint32_t value) {
        std::string out = good;
        std::memcpy(out.data() + at, &value, 4);
        return out;
    };
    const auto refuse = [](const std::string& bytes, const char* where, const char* problem) {
        expect_refused([&] { read_glb(bytes, "a.glb"); }, where, problem);
    };
    refuse("", "a.glb", "does not start as GLB");
    refuse("hello world, this is no mesh", "a.glb", "does not start as GLB");
    refuse(changed(4, 1), "a.glb: byte 4", "version is 1");
    refuse(changed(8, 0xffffffff), "a.glb: byte 8", "4294967295 bytes");
    refuse(changed(12, 0xffffffff), "a.glb: byte 12", "longer than the file");
    refuse(changed(16, 0), "a.glb", "no JSON chunk");
}

TEST(ReadGltf, TextThatIsNoGltfIsRefused) {
    const auto refuse = [](const std::string& json, const char* where, const char* problem) {
        expect_refused([&] { read_gltf(json, "a.gltf", ""); }, where, problem);
    };
    refuse("", "a.gltf: byte", "not JSON");
    refuse("{\"asset\": }", "a.gltf: byte 11", "not JSON");
    refuse("[]", "a.gltf", "no object");
    refuse("{}", "a.gltf", "no asset");
    refuse(R"({"asset":7})", "a.gltf", "asset must be an object");
    refuse(R"({"asset":{"version":2}})", "a.gltf: asset", "must be a text");
    refuse(R"({"asset":{"version":"1.0"}})", "a.gltf: asset", "'1.0'");
    refuse(R"({"asset":{"version":"2.0"}})", "a.gltf", "no triangles");
    refuse(R"({"asset":{"version":"2.0"},"x":1e999})", "a.gltf", "too large");
    // A stack or a copy per level would not survive this.
    refuse(std::string(1'000'000, '['), "a.gltf", "nested more than");
    refuse(R"({"asset":{"version":"2.0"},"extras":)" + std::string(200, '[') + std::string(200, ']') + "}",
           "a.gltf", "nested more than");
}

TEST(ReadGltf, BracketsInsideTextsAreNoNesting) {
    EXPECT_EQ(read_changed(R"("name":"square")", R"("name":"\")" + std::string(500, '[') + "\"").triangles,
              kTwo);
}

TEST(ReadGltf, ExtensionsThatChangeTheShapeAreRefused) {
    for (const std::string extension :
         {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "VENDOR_anything"}) {
        const auto error =
            refused(R"("scene":0)", R"("extensionsRequired":[")" + extension + R"("],"scene":0)",
                    "a.glb: extensionsRequired", extension);
        EXPECT_NE(error.try_this.find("without"), std::string::npos);
    }
    EXPECT_EQ(
        read_changed(R"("scene":0)",
                     R"("extensionsRequired":["KHR_materials_unlit","KHR_texture_transform"],"scene":0)")
            .triangles,
        kTwo);
    refused(R"("scene":0)", R"("extensionsRequired":[5],"scene":0)", "extensionsRequired", "?");
}

TEST(ReadGltf, NodesThatFormNoTreeAreRefused) {
    refused(R"([{"mesh":0}])", R"([{"mesh":0,"children":[0]}])", "node 0", "reached twice");
    refused(R"([{"mesh":0}])", R"([{"mesh":0,"children":[1]},{"children":[2]},{"children":[1]}])", "node 1",
            "reached twice");
    refused(R"([{"mesh":0}])", R"([{"children":[1,1]},{"mesh":0}])", "node 1", "reached twice");
    refused(R"([{"mesh":0}])", R"([{"mesh":0,"children":[1]}])", "node 0", "not there");
    refused(R"("nodes":[0])", R"("nodes":[0,0])", "node 0", "reached twice");
    refused(R"("nodes":[0])", R"("nodes":[1])", "scene 0", "not there");
    refused(R"("nodes":[0])", R"("nodes":["0"])", "scene 0", "not there");
    refused(R"("scene":0)", R"("scene":3)", "a.glb", "entry 3 of scenes");
}

TEST(ReadGltf, DeepTreesDoNotOverflowTheStack) {
    std::string nodes = "[";
    const int depth = 100'000;
    for (int i = 0; i < depth; ++i)
        nodes += R"({"children":[)" + std::to_string(i + 1) + "]},";
    EXPECT_EQ(read_changed(R"([{"mesh":0}])", nodes + R"({"mesh":0}])").triangles, kTwo);
}

TEST(ReadGltf, BadTransformationsAreRefused) {
    const auto node = [](const std::string& text, const std::string& problem) {
        refused(R"({"mesh":0})", R"({"mesh":0,)" + text + "}", "node ", problem);
    };
    node(R"("scale":[1,2])", "scale must have 3 numbers");
    node(R"("scale":[1,2,"3"])", "scale must have 3 numbers");
    node(R"("scale":7)", "must be an array");
    node(R"("rotation":[0,0,0,0])", "no unit quaternion");
    node(R"("matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,2])", "last row");
    node(R"("scale":[1e300,1,1],"children":[1]},{"scale":[1e300,1,1])", "not finite");
    refused(R"({"mesh":0})", R"({"mesh":0,"scale":[1e308,1,1],"translation":[1.7e308,0,0]})", "mesh 0",
            "vertex 1 is not finite");
}

TEST(ReadGltf, AccessorsThatTheirBytesDoNotHoldAreRefused) {
    refused(R"("count":4)", R"("count":5)", "accessor 0", "5 elements of 12 bytes");
    refused(R"("count":4)", R"("count":2147483647)", "mesh 0", "more than");
    refused(R"("count":4)", R"("count":4294967295)", "accessor 0", "count must be between");
    refused(R"("count":4)", R"("count":18446744073709551615)", "accessor 0", "count must be between");
    refused(R"("count":4)", R"("count":0)", "accessor 0", "count must be between");
    refused(R"("count":4)", R"("count":-4)", "accessor 0", "not negative");
    refused(R"("count":4)", R"("count":"4")", "accessor 0", "whole number");
    refused(R"("count":4)", R"("count":4.5)", "accessor 0", "whole number");
    refused(R"("count":6)", R"("count":7)", "accessor 1", "7 elements of 2 bytes");
    refused(R"({"bufferView":0,)", R"({"bufferView":0,"byteOffset":4,)", "accessor 0", "from byte 4");
    refused(R"({"bufferView":0,)", R"({"bufferView":0,"byteOffset":18446744073709551615,)", "accessor 0",
            "do not fit");
    refused(R"({"bufferView":0,)", R"({"bufferView":9,)", "a.glb", "entry 9 of bufferViews");
    refused(R"({"bufferView":0,)", "{", "accessor 0", "no data");
    refused(R"("componentType":5126)", R"("componentType":5125)", "accessor 0",
            "5125 cannot be used for positions");
    refused(R"("componentType":5123)", R"("componentType":5126)", "accessor 1",
            "5126 cannot be used for indices");
    refused(R"("componentType":5126)", R"("componentType":1)", "accessor 0", "componentType 1");
    refused(R"("type":"VEC3")", R"("type":"VEC2")", "accessor 0", "'VEC2'");
    refused(R"("byteLength":48)", R"("byteLength":61)", "bufferView 0", "outside buffer 0");
    refused(R"("byteOffset":48)", R"("byteOffset":18446744073709551615)", "bufferView 1", "outside buffer 0");
    refused(R"("byteLength":48)", R"("byteLength":48,"byteStride":4)", "bufferView 0", "byteStride is 4");
    refused(R"("byteLength":48)", R"("byteLength":48,"byteStride":4000000000)", "bufferView 0",
            "byteStride is 4000000000");
    refused(R"("byteLength":60)", R"("byteLength":6000000000)", "buffer 0", "6000000000");
    refused(R"("buffers":[{"byteLength":60}])", R"("buffers":[3])", "a.glb", "must be an object");
    refused(R"("POSITION":0)", R"("POSITION":7)", "a.glb", "entry 7 of accessors");
    refused(R"({"mesh":0})", R"({"mesh":1})", "a.glb", "entry 1 of meshes");
}

TEST(ReadGltf, BadIndicesAndCoordinatesAreRefused) {
    expect_refused(
        [&] {
            read(kJson, kPositions + bytes_of<std::uint16_t>({0, 1, 2, 0, 2, 4}));
        },
        "mesh 0, primitive 0", "index 5 names vertex 4, but there are 4");
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    expect_refused(
        [&] {
            read(kJson, bytes_of<float>({0, 0, 0, 1, nan, 0, 1, 1, 0, 0, 1, 0}) + kIndices);
        },
        "accessor 0", "vertex 1 is nan");
    expect_refused(
        [&] {
            read(kJson, bytes_of<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, -inf}) + kIndices);
        },
        "accessor 0", "vertex 3 is -inf");
}

TEST(ReadGltf, CopiesBeyondMeasureAreRefused) {
    // 60 nodes that show a mesh of 100 primitives, each of 1,000 vertices: 6 million from 21 kB.
    std::string roots = "0", nodes = R"({"mesh":0})", primitives, accessors;
    for (int i = 1; i < 60; ++i) {
        roots += "," + std::to_string(i);
        nodes += R"(,{"mesh":0})";
    }
    for (int i = 0; i < 100; ++i) {
        primitives += std::string(i ? "," : "") + R"({"attributes":{"POSITION":)" + std::to_string(i) + "}}";
        accessors +=
            std::string(i ? "," : "") + R"({"bufferView":0,"componentType":5126,"count":1000,"type":"VEC3"})";
    }
    const std::string json =
        R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[)" + roots + R"(]}],"nodes":[)" + nodes +
        R"(],"meshes":[{"primitives":[)" + primitives + R"(]}],"accessors":[)" + accessors +
        R"(],"bufferViews":[{"buffer":0,"byteLength":12000}],"buffers":[{"byteLength":12000}]})";
    expect_refused([&] { read(json, std::string(12000, '\0')); }, "mesh 0", "repeats its meshes");
}

TEST(ReadGltf, EmptyScenesAreRefused) {
    refused(R"({"mesh":0})", "{}", "a.glb", "no triangles");
    refused(R"("nodes":[0])", R"("nodes":[])", "a.glb", "no triangles");
    refused(R"("count":6)", R"("count":2)", "a.glb", "no triangles");
    refused(R"({"POSITION":0})", "{}", "a.glb", "no triangles");
}

}  // namespace
}  // namespace limber::build::read_gltf_test
