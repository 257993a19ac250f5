// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/read_appearance.h"

#include "build/mesh_files/files.h"
#include "build/mesh_files/packed_bytes.h"
#include "tests/build/mesh_files/bad_input.h"

#include <gtest/gtest.h>
#include <limber/model/glb.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace limber::build::read_appearance_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "not a whole picture";
const std::string kJpeg = "\xff\xd8\xff and so on";

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A folder of this test alone, removed at its end.
class Folder {
 public:
    Folder() : path_(fs::temp_directory_path() / ("limber_looks_" + std::to_string(::getpid()))) {
        fs::create_directories(path_ / "in");
    }
    ~Folder() { fs::remove_all(path_); }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
    }
    fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
    fs::path path_;
};

// Every vertex stands where its input vertex stands, and every triangle is one of the plain reader's.
void expect_same_shape(const ShownSurface& shown, const SurfaceMesh& plain) {
    ASSERT_EQ(shown.input_vertex.size(), shown.vertices.size());
    for (std::size_t v = 0; v < shown.vertices.size(); ++v)
        EXPECT_EQ(shown.vertices[v], plain.vertices.at(shown.input_vertex[v]));
    std::vector<Triangle> triangles;
    for (const Triangle& t : shown.triangles)
        triangles.push_back({shown.input_vertex[t[0]], shown.input_vertex[t[1]], shown.input_vertex[t[2]]});
    std::vector<Triangle> expected = plain.triangles;
    std::sort(triangles.begin(), triangles.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(triangles, expected);
    EXPECT_FALSE(appearance_problem(shown.appearance, shown.vertices.size(), shown.triangles.size(), "a"));
}

const std::string kObj = R"(mtllib in/looks.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 2 0 0
v 2 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl glass
f 1/1 2/2 3/3 4/4
usemtl wood
f 2/1 5/2 6/3 3/4
usemtl glass
f -6/-4 -4/-2 -5/-3
)";

const std::string kMtl = R"(# looks
newmtl glass
Kd 0.25 0.5 2
d 0.5
newmtl wood
Kd 0 0 0
map_Kd -s 2 2 1 -clamp on bark one.png
)";

TEST(ReadAppearance, ObjSplitsVerticesAlongSeamsAndSortsTrianglesByMaterial) {
    const Folder folder;
    folder.write("a.obj", kObj);
    folder.write("in/looks.mtl", kMtl);
    folder.write("bark one.png", kPng);
    const ShownSurface shown = read_shown_surface(folder / "a.obj");
    expect_same_shape(shown, read_surface(folder / "a.obj"));
    EXPECT_TRUE(shown.notes.empty()) << shown.notes.at(0);
    // Vertices 2 and 3 of the file are used with two texture coordinates each.
    EXPECT_EQ(shown.input_vertex, (std::vector<int>{0, 1, 2, 3, 4, 5, 1, 2}));
    const Appearance& look = shown.appearance;
    ASSERT_EQ(look.texture_coordinates.size(), 1u);
    // OBJ counts v from below, glTF from above.
    EXPECT_EQ(
        look.texture_coordinates[0],
        (std::vector<TextureCoordinate>{{0, 1}, {1, 1}, {1, 0}, {0, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}));
    ASSERT_EQ(look.parts.size(), 2u);
    EXPECT_EQ(look.parts[0].triangle_count, 3);
    EXPECT_EQ(look.parts[1].triangle_count, 2);
    EXPECT_EQ(look.materials.at(look.parts[0].material).name, "glass");
    EXPECT_EQ(look.materials.at(look.parts[1].material).name, "wood");
    EXPECT_EQ(look.materials[0].base_color, (std::array<double, 4>{0.25, 0.5, 1, 0.5}));
    EXPECT_EQ(look.materials[0].alpha_mode, AlphaMode::Blend);
    EXPECT_EQ(look.materials[1].base_color,
              (std::array<double, 4>{1, 1, 1, 1}));  // the picture has the colour
    EXPECT_EQ(look.materials[1].base_color_texture.texture, 0);
    EXPECT_EQ(look.images.at(0).bytes, kPng);
    EXPECT_EQ(look.images[0].name, "bark one");
}

TEST(ReadAppearance, ObjWithoutItsFilesKeepsItsTextureCoordinates) {
    const ShownSurface shown = read_obj_appearance(kObj, "a.obj", {});
    expect_same_shape(shown, read_obj(kObj, "a.obj"));
    EXPECT_EQ(shown.appearance.texture_coordinates.size(), 1u);
    EXPECT_TRUE(shown.appearance.parts.empty());
    ASSERT_EQ(shown.notes.size(), 1u);
    EXPECT_NE(shown.notes[0].find("looks.mtl"), std::string::npos) << shown.notes[0];
}

TEST(ReadAppearance, ObjWithoutLooksStaysAsItIs) {
    const std::string plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 3 1 2\n";
    const ShownSurface shown = read_obj_appearance(plain, "a.obj", {});
    EXPECT_EQ(shown.vertices, read_obj(plain, "a.obj").vertices);
    EXPECT_EQ(shown.triangles, read_obj(plain, "a.obj").triangles);
    EXPECT_EQ(shown.input_vertex, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_TRUE(shown.appearance.parts.empty());
    EXPECT_TRUE(shown.appearance.texture_coordinates.empty());
}

TEST(ReadAppearance, OnlyFilesBelowTheObjAreOpened) {
    const Folder folder;
    folder.write("secret.png", kPng);
    folder.write("in/a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n");
    for (const std::string& name : {std::string("../secret.png"), (folder / "secret.png").string(),
                                    std::string("..\\secret.png"), std::string("https://a.b/secret.png")}) {
        folder.write("in/a.mtl", "newmtl m\nmap_Kd " + name + "\n");
        const ShownSurface shown = read_shown_surface(folder / "in/a.obj");
        EXPECT_TRUE(shown.appearance.images.empty()) << name;
        EXPECT_EQ(shown.notes.size(), 1u) << name;
        EXPECT_EQ(shown.appearance.materials.size(), 1u);
    }
}

TEST(ReadAppearance, OddMaterialLibrariesAreLeftOutFromTheOddLineOn) {
    const Folder folder;
    folder.write("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1/7 2/-9 3/0\n");
    folder.write("a.mtl", "Kd 1 1 1\nnewmtl m\nKd 0.5\nKd x y z\nnewmtl n\n");
    const ShownSurface shown = read_shown_surface(folder / "a.obj");
    ASSERT_EQ(shown.appearance.materials.size(), 1u);
    EXPECT_EQ(shown.appearance.materials[0].base_color, (std::array<double, 4>{0.5, 0.5, 0.5, 1}));
    ASSERT_EQ(shown.notes.size(), 1u);
    EXPECT_NE(shown.notes[0].find("a.mtl:4"), std::string::npos) << shown.notes[0];
    EXPECT_EQ(shown.vertices.size(), 3u);  // texture coordinates that are not there split nothing
}

// Two squares that share their four positions but not their texture coordinates, and a third alone.
struct Sample {
    Json json;
    std::string binary;
    std::string glb() const { return join_glb(json.dump(), binary); }
};

Sample gltf_sample() {
    Sample out;
    Json views = Json::array(), accessors = Json::array();
    const auto add_view = [&](std::string bytes) {
        views.push_back({{"buffer", 0}, {"byteOffset", out.binary.size()}, {"byteLength", bytes.size()}});
        bytes.resize((bytes.size() + 3) / 4 * 4);
        out.binary += bytes;
        return views.size() - 1;
    };
    const auto add = [&](const std::string& bytes, int type, int count, const char* kind) {
        accessors.push_back(
            {{"bufferView", add_view(bytes)}, {"componentType", type}, {"count", count}, {"type", kind}});
        return accessors.size() - 1;
    };
    add(bytes_of<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}), 5126, 4, "VEC3");   // 0
    add(bytes_of<std::uint16_t>({0, 1, 2, 0, 2, 3}), 5123, 6, "SCALAR");           // 1
    add(bytes_of<float>({0, 0, 1, 0, 1, 1, 0, 1}), 5126, 4, "VEC2");               // 2
    add(bytes_of<std::uint8_t>({255, 0, 0, 0, 0, 51, 255, 51}), 5121, 4, "VEC2");  // 3, normalized
    accessors[3]["normalized"] = true;
    const auto image = add_view(kJpeg);
    out.json = {{"asset", {{"version", "2.0"}}},
                {"nodes", {{{"mesh", 0}}, {{"mesh", 1}, {"translation", {0, 0, 5}}}}}};
    out.json["meshes"] = {
        {{"primitives",
          {{{"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 2}}}, {"indices", 1}, {"material", 1}},
           {{"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 3}, {"TEXCOORD_1", 2}}},
            {"indices", 1},
            {"material", 0}}}}},
        {{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"material", 1}}}}}};
    out.json["materials"] = {{{"name", "plain"}},
                             {{"name", "skin"},
                              {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 1}}}}},
                              {"emissiveTexture", {{"index", 0}, {"texCoord", 1}}}}};
    out.json["textures"] = {{{"source", 0}}, {{"source", 1}, {"sampler", 0}}};
    out.json["samplers"] = {{{"wrapS", 33071}}};
    out.json["images"] = {{{"bufferView", image}, {"mimeType", "image/jpeg"}, {"name", "face"}},
                          {{"uri", "data:image/png;base64," + to_base64(kPng)}}};
    out.json["bufferViews"] = views;
    out.json["accessors"] = accessors;
    out.json["buffers"] = {{{"byteLength", out.binary.size()}}};
    return out;
}

TEST(ReadAppearance, GltfSplitsVerticesThatPrimitivesUseWithDifferentTextures) {
    const std::string glb = gltf_sample().glb();
    const ShownSurface shown = read_glb_appearance(glb, "a.glb");
    expect_same_shape(shown, read_glb(glb, "a.glb"));
    EXPECT_TRUE(shown.notes.empty()) << shown.notes.at(0);
    EXPECT_EQ(shown.input_vertex, (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7}));
    const Appearance& look = shown.appearance;
    ASSERT_EQ(look.texture_coordinates.size(), 2u);
    EXPECT_EQ(look.texture_coordinates[0][2], (TextureCoordinate{1, 1}));
    EXPECT_EQ(look.texture_coordinates[0][4], (TextureCoordinate{1, 0}));
    EXPECT_FLOAT_EQ(look.texture_coordinates[0][6][1], 0.2f);  // 51 of 255
    EXPECT_EQ(look.texture_coordinates[0][8], (TextureCoordinate{0, 0}));
    EXPECT_EQ(look.texture_coordinates[1][6], (TextureCoordinate{1, 1}));
    ASSERT_EQ(look.parts.size(), 2u);  // "skin" first, four triangles of two meshes
    EXPECT_EQ(look.parts[0].material, 1);
    EXPECT_EQ(look.parts[0].triangle_count, 4);
    EXPECT_EQ(look.parts[1].material, 0);
    ASSERT_EQ(look.images.size(), 2u);
    EXPECT_EQ(look.images[0].bytes, kJpeg + std::string(0, '\0'));
    EXPECT_EQ(look.images[0].type, ImageType::Jpeg);
    EXPECT_EQ(look.images[1].bytes, kPng);
    EXPECT_EQ(look.materials[1].base_color_texture.texture, 1);
    EXPECT_EQ(look.textures[1].wrap_s, 33071);
    EXPECT_EQ(look.materials[1].emissive_texture.set, 1);
}

TEST(ReadAppearance, GltfKeepsVertexColoursAndExtensionsOfMaterials) {
    Sample sample = gltf_sample();
    // Colours of the first primitive only: 51 of 255 in blue, no alpha.
    const std::string colors =
        bytes_of<std::uint8_t>({255, 0, 51, 0, 0, 255, 51, 0, 255, 255, 51, 0, 0, 0, 51, 0});
    sample.json["bufferViews"].push_back({{"buffer", 0},
                                          {"byteOffset", sample.binary.size()},
                                          {"byteLength", colors.size()},
                                          {"byteStride", 4}});
    sample.json["accessors"].push_back({{"bufferView", sample.json["bufferViews"].size() - 1},
                                        {"componentType", 5121},
                                        {"normalized", true},
                                        {"count", 4},
                                        {"type", "VEC3"}});
    sample.binary += colors;
    sample.json["buffers"][0]["byteLength"] = sample.binary.size();
    sample.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = sample.json["accessors"].size() - 1;
    Json& skin = sample.json["materials"][1];
    skin["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = {
        {"KHR_texture_transform", {{"offset", {0.5, 0.25}}, {"rotation", 1}, {"texCoord", 1}}}};
    skin["extensions"] = {{"KHR_materials_sheen",
                           {{"sheenRoughnessFactor", 0.5},
                            {"sheenColorTexture", {{"index", 1}}},
                            {"sheenRoughnessTexture", {{"index", 0}}}}},
                          {"VENDOR_something", {{"x", 1}}}};
    sample.json["images"][0]["bufferView"] = 0;  // no picture: texture 0 goes, texture 1 becomes the first
    const ShownSurface shown = read_glb_appearance(sample.glb(), "a.glb");
    expect_same_shape(shown, read_glb(sample.glb(), "a.glb"));
    const Appearance& look = shown.appearance;
    ASSERT_EQ(look.colors.size(), shown.vertices.size());
    EXPECT_EQ(look.colors[1][1], 1);
    EXPECT_FLOAT_EQ(look.colors[3][2], 0.2f);
    EXPECT_EQ(look.colors[0][3], 1);
    EXPECT_EQ(look.colors[4], (VertexColor{1, 1, 1, 1}));  // the second primitive has none
    const TextureUse& use = look.materials[1].base_color_texture;
    EXPECT_EQ(use.texture, 0);
    EXPECT_EQ(use.set, 1);
    EXPECT_EQ(use.transform, (TextureTransform{{0.5, 0.25}, {1, 1}, 1}));
    EXPECT_EQ(Json::parse(look.materials[1].extensions),
              (Json{{"KHR_materials_sheen",
                     {{"sheenRoughnessFactor", 0.5}, {"sheenColorTexture", {{"index", 0}}}}}}));
}

TEST(ReadAppearance, OddColoursOfAGltfAreLeftOut) {
    for (const auto& [accessor, notes] :
         {std::pair{0, 0u}, {1, 1u}, {99, 0u}}) {  // positions serve as colours
        Sample sample = gltf_sample();
        sample.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = accessor;
        const ShownSurface shown = read_glb_appearance(sample.glb(), "a.glb");
        expect_same_shape(shown, read_glb(sample.glb(), "a.glb"));
        EXPECT_EQ(shown.notes.size(), notes) << accessor;
        EXPECT_EQ(shown.appearance.colors.empty(), accessor != 0);
    }
}

TEST(ReadAppearance, PlyAndObjKeepVertexColours) {
    const Folder folder;
    // The grey 188 of 255 is 0.5029 in linear light: ((188/255 + 0.055) / 1.055)^2.4.
    const float grey = 0.502886f;
    folder.write("a.ply",
                 "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                 "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
                 "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                 "0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 188 188 188\n3 0 1 2\n");
    const ShownSurface ply = read_shown_surface(folder / "a.ply");
    expect_same_shape(ply, read_surface(folder / "a.ply"));
    ASSERT_EQ(ply.appearance.colors.size(), 3u);
    EXPECT_EQ(ply.appearance.colors[0], (VertexColor{1, 0, 0, 1}));
    EXPECT_NEAR(ply.appearance.colors[2][1], grey, 1e-5);

    // The seam splits vertex 2, and its colour with it.
    folder.write("a.obj",
                 "v 0 0 0 1 0 0\nv 1 0 0 0.7372549 0 1\nv 0 1 0\nv 1 1 0 1 1 2\nvt 0 0\nvt 1 1\n"
                 "f 1/1 2/1 3/1\nf 2/2 4/2 3/1\n");
    const ShownSurface obj = read_shown_surface(folder / "a.obj");
    expect_same_shape(obj, read_surface(folder / "a.obj"));
    ASSERT_EQ(obj.appearance.colors.size(), 5u);
    EXPECT_EQ(obj.appearance.colors[0], (VertexColor{1, 0, 0, 1}));
    EXPECT_NEAR(obj.appearance.colors[1][0], grey, 1e-5);
    EXPECT_EQ(obj.appearance.colors[4], obj.appearance.colors[1]);
    EXPECT_EQ(obj.appearance.colors[2], (VertexColor{1, 1, 1, 1}));  // says none
    EXPECT_EQ(obj.appearance.colors[3], (VertexColor{1, 1, 1, 1}));  // not between 0 and 1
}

TEST(ReadAppearance, WhatIsOddAboutGltfLooksIsLeftOutAndNoted) {
    const auto after = [](auto change) {
        Sample sample = gltf_sample();
        change(sample.json);
        const ShownSurface shown = read_glb_appearance(sample.glb(), "a.glb");
        expect_same_shape(shown, read_glb(sample.glb(), "a.glb"));
        return shown;
    };
    EXPECT_EQ(after([](Json& json) { json["images"][0]["bufferView"] = 77; }).notes.size(), 1u);
    EXPECT_EQ(after([](Json& json) { json["images"][0]["bufferView"] = 0; }).notes.size(), 1u);  // no picture
    EXPECT_EQ(after([](Json& json) { json["images"][1]["uri"] = "outside.png"; }).notes.size(), 1u);
    EXPECT_EQ(after([](Json& json) { json["images"][1]["uri"] = "data:image/png,raw"; }).notes.size(), 1u);
    EXPECT_EQ(after([](Json& json) { json["accessors"][2]["bufferView"] = 99; }).notes.size(), 1u);
    EXPECT_EQ(after([](Json& json) {
                  json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = 1;
              }).notes.size(),
              1u);
    const ShownSurface bare = after([](Json& json) {
        json["materials"] = 5;
        for (auto& primitive : json["meshes"][0]["primitives"])
            primitive["attributes"] = {{"POSITION", 0}, {"TEXCOORD_0", "x"}};
    });
    EXPECT_TRUE(bare.appearance.parts.empty());
    EXPECT_TRUE(bare.appearance.texture_coordinates.empty());
}

TEST(ReadAppearance, ImagesThatNameTheSameBytesBecomeOne) {
    Sample sample = gltf_sample();
    const Json image = sample.json["images"][0];
    for (int i = 0; i < 1000; ++i)
        sample.json["images"].push_back(image);
    sample.json["textures"][1]["source"] = 900;
    const ShownSurface shown = read_glb_appearance(sample.glb(), "a.glb");
    EXPECT_EQ(shown.appearance.images.size(), 2u);
    EXPECT_EQ(shown.appearance.textures.at(1).image, 0);
}

TEST(ReadAppearance, GltfBesideItsPicture) {
    const Folder folder;
    Sample sample = gltf_sample();
    sample.json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + to_base64(sample.binary);
    sample.json["images"][1] = {{"uri", "in/two%20words.png"}};
    folder.write("a.gltf", sample.json.dump());
    folder.write("in/two words.png", kPng);
    const ShownSurface shown = read_shown_surface(folder / "a.gltf");
    EXPECT_TRUE(shown.notes.empty()) << shown.notes.at(0);
    EXPECT_EQ(shown.appearance.images.at(1).bytes, kPng);
}

TEST(ReadAppearance, OtherFormatsHaveNoLooks) {
    const Folder folder;
    folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    const ShownSurface shown = read_shown_surface(folder / "a.off");
    EXPECT_EQ(shown.triangles, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_EQ(shown.input_vertex, (std::vector<int>{0, 1, 2}));
    EXPECT_TRUE(shown.appearance.parts.empty());
    EXPECT_TRUE(is_refused([&] { read_shown_surface(folder / "missing.off"); }));
}

}  // namespace
}  // namespace limber::build::read_appearance_test
