// SPDX-License-Identifier: Apache-2.0
// Model files that are cut, damaged, too new or made up with bad intent: a clear error or a sound model.
#include "tests/limber/model/open_glb.h"
#include "tests/limber/model/sample_model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace limber {
namespace {

using Json = nlohmann::json;

const std::string& small_file() {
    static const std::string bytes =
        file_bytes(warped(textured(sample_model({.cells = 1, .rank = 1, .groups = 1}))));
    return bytes;
}

// The error of these bytes, which must not be read.
InputError refused(const std::string& bytes) {
    const auto result = read_model(bytes, "a.glb");
    EXPECT_FALSE(result.ok()) << "accepted what should be refused";
    EXPECT_EQ(result.error().where.rfind("a.glb", 0), 0u) << result.error().where;
    return result.error();
}

void expect_error(const InputError& error, const std::string& where, const std::string& problem) {
    EXPECT_NE(error.where.find(where), std::string::npos) << error.where << ": " << error.problem;
    EXPECT_NE(error.problem.find(problem), std::string::npos) << error.where << ": " << error.problem;
}

// The small file with a change to its parts, and all checksums right again.
template <class Change>
InputError refused_after(Change change, const std::string& file = small_file()) {
    OpenGlb glb = open_glb(file);
    change(glb);
    return refused(reseal(glb));
}

// The same with the basis of the surface in the morph targets.
const std::string& float_file() {
    static const std::string bytes =
        file_bytes(in_floats(warped(textured(sample_model({.cells = 1, .rank = 2, .groups = 1})))));
    return bytes;
}

// An 8-byte number at place `index` of an array of doubles.
void set_double(OpenGlb& glb, const std::string& name, std::size_t index, double value) {
    const Json& view = glb.json["bufferViews"][glb.array(name)["bufferView"].get<std::size_t>()];
    std::memcpy(glb.binary.data() + view["byteOffset"].get<std::size_t>() + 8 * index, &value, 8);
}
void set_id(OpenGlb& glb, const std::string& name, std::size_t index, std::int32_t value) {
    const Json& view = glb.json["bufferViews"][glb.array(name)["bufferView"].get<std::size_t>()];
    std::memcpy(glb.binary.data() + view["byteOffset"].get<std::size_t>() + 4 * index, &value, 4);
}

TEST(HostileModel, TheUnchangedFileIsReadAndSealedAgainItIsTheSame) {
    ASSERT_TRUE(read_model(small_file(), "a.glb").ok());
    EXPECT_EQ(reseal(open_glb(small_file())), small_file());
}

TEST(HostileModel, EveryTruncationIsRefused) {
    const std::string& whole = small_file();
    for (std::size_t length = 0; length < whole.size(); length += 1 + length / 200)
        refused(whole.substr(0, length));
    for (std::size_t length = whole.size() - 8; length < whole.size(); ++length)
        refused(whole.substr(0, length));
}

// Every byte of limber's own data is under a checksum. What flips may pass in is glTF's own (names, floats,
// looks), and the model is sound then: it can be written again.
TEST(HostileModel, AFlippedBitIsRefusedOrGivesASoundModel) {
    const std::string& whole = small_file();
    const std::shared_ptr<const Model> original = read_model(whole, "a.glb").value();
    std::string changed = whole;
    int accepted = 0;
    for (std::size_t at = 0; at < whole.size(); at += 3) {  // every third byte keeps this to seconds
        const char flip = static_cast<char>(1 << (at % 8));
        changed[at] = static_cast<char>(whole[at] ^ flip);
        if (const auto result = read_model(changed, "a.glb"); result.ok()) {
            ++accepted;
            ASSERT_FALSE(model_problem(*result.value())) << at;
            EXPECT_EQ(result.value()->stvk->groups[0].bulk, original->stvk->groups[0].bulk) << at;
            EXPECT_EQ(result.value()->surface.basis, original->surface.basis) << at;
            EXPECT_EQ(result.value()->rank, original->rank) << at;
        }
        changed[at] = whole[at];
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, static_cast<int>(whole.size()));
}

TEST(HostileModel, AFlipInAnArrayNamesTheArray) {
    for (const std::string& file : {small_file(), float_file()}) {
        OpenGlb glb = open_glb(file);
        for (const auto& [name, array] : glb.extension()["arrays"].items()) {
            if (!array.contains("bufferView")) continue;
            const Json& view = glb.json["bufferViews"][array["bufferView"].get<std::size_t>()];
            OpenGlb changed = glb;
            changed
                .binary[view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>() / 2] ^=
                4;
            expect_error(refused(changed.bytes()), "array " + name, "checksum");
        }
    }
}

TEST(HostileModel, MorphTargetsThatAreTheBasisAreCheckedAsArraysAre) {
    ASSERT_TRUE(read_model(float_file(), "a.glb").ok());
    const auto change = [](auto edit) { return refused_after(edit, float_file()); };
    const std::string name = "surface.target.1";
    expect_error(change([&](OpenGlb& glb) { glb.extension()["arrays"].erase(name); }), "array " + name,
                 "missing");
    expect_error(change([&](OpenGlb& glb) { glb.array(name)["type"] = "float64"; }), "array " + name,
                 "type must be float32");
    expect_error(change([&](OpenGlb& glb) { glb.array(name)["shape"][0] = 1'000'000'000; }), "array " + name,
                 "shape");
    expect_error(change([&](OpenGlb& glb) { glb.array(name)["bufferView"] = 10000; }), "array " + name,
                 "buffer view");
    expect_error(change([&](OpenGlb& glb) {
                     const float bad = std::numeric_limits<float>::quiet_NaN();
                     const Json& view =
                         glb.json["bufferViews"][glb.array(name)["bufferView"].get<std::size_t>()];
                     std::memcpy(glb.binary.data() + view["byteOffset"].get<std::size_t>(), &bad, 4);
                 }),
                 "surface.basis", "not finite");
    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e-320})
        refused_after([&](OpenGlb& glb) { set_double(glb, "target_scale", 1, bad); }, float_file());
    expect_error(change([](OpenGlb& glb) { set_double(glb, "target_scale", 0, 0); }), "target_scale",
                 "not positive");
    expect_error(change([](OpenGlb& glb) {
                     glb.array("target_scale")["shape"] = {1};
                     glb.array("target_scale")["bytes"] = 8u;
                     glb.json["bufferViews"][glb.array("target_scale")["bufferView"].get<std::size_t>()]
                             ["byteLength"] = 8u;
                 }),
                 "target_scale", "shape");
}

TEST(HostileModel, AFlipInTheExtensionsTextIsFound) {
    OpenGlb glb = open_glb(small_file());
    glb.extension()["volume_elements"] = 2;
    expect_error(refused(glb.bytes()), "LIMBER_model", "checksum");
}

TEST(HostileModel, ANewerVersionIsRefusedByNumber) {
    OpenGlb glb = open_glb(small_file());
    glb.extension() = {{"version", 8}, {"everything", "different"}};
    const InputError error = refused(glb.bytes());
    expect_error(error, "a.glb", "format version 8; this limber reads up to 7");
    EXPECT_NE(error.try_this.find("newer limber"), std::string::npos);
    for (const Json& version : {Json(0), Json(-1), Json("1"), Json(1.5), Json()}) {
        glb.extension()["version"] = version;
        expect_error(refused(glb.bytes()), "a.glb", "version is missing");
    }
}

TEST(HostileModel, APlainGltfIsToldApartFromADamagedModel) {
    OpenGlb glb = open_glb(small_file());
    glb.json.erase("extensions");
    InputError error = refused(glb.bytes());
    expect_error(error, "a.glb", "this is a glTF without limber's data");
    EXPECT_NE(error.try_this.find("limber build"), std::string::npos);
    expect_error(refused("solid cube\nfacet normal 0 0 1\n outer loop"), "a.glb",
                 "does not start as GLB does");
    expect_error(refused(""), "a.glb", "does not start as GLB does");
}

std::string with_json(const std::string& json) {
    return join_glb(json, open_glb(small_file()).binary);
}

TEST(HostileModel, OddJsonIsRefused) {
    expect_error(refused(with_json("{\"extensions\": ")), "byte", "not JSON");
    expect_error(refused(with_json("[]")), "a.glb", "no object");
    expect_error(refused(with_json("17")), "a.glb", "no object");
    expect_error(refused(with_json("{\"a\": 1e999}")), "byte", "not JSON");
    expect_error(refused(with_json("{\"a\": \"\xff\"}")), "byte", "not JSON");
    expect_error(refused(with_json(R"({"a": {"b": 1, "c": 2, "b": 3}})")), "a.glb",
                 "the key 'b' stands twice");
    expect_error(refused(with_json(R"({"extensions": {}, "extensions": {}})")), "a.glb",
                 "the key 'extensions' stands twice");
    EXPECT_TRUE(read_model(with_json(open_glb(small_file()).json.dump(2)), "a.glb").ok())
        << "white space is free";
}

TEST(HostileModel, DeepNestingIsRefusedBeforeItIsBuilt) {
    const std::string many(1'000'000, '[');
    expect_error(refused(with_json("{\"a\": " + many)), "a.glb", "nested more than 64 levels");
    std::string objects;
    for (int i = 0; i < 1000; ++i)
        objects += "{\"a\":";
    expect_error(refused(with_json(objects)), "a.glb", "nested more than 64 levels");
}

TEST(HostileModel, SizesThatDoNotFitTheFileAreRefusedBeforeMemoryIsTaken) {
    const std::vector<Json> counts = {Json(1'000'000'000'000),
                                      Json(4294967296),
                                      Json(-1),
                                      Json(1e300),
                                      Json(0.5),
                                      Json("8"),
                                      Json(18446744073709551615u),
                                      Json()};
    for (const Json& count : counts) {
        for (const char* name : {"surface.vertices", "surface.triangles", "volume.bricks", "target_scale"})
            expect_error(refused_after([&](OpenGlb& glb) { glb.array(name)["shape"][0] = count; }),
                         std::string("array ") + name, "");
        for (const char* member : {"byteLength", "byteOffset"})
            refused_after([&](OpenGlb& glb) {
                const auto view = glb.array("groups.bulk")["bufferView"].get<std::size_t>();
                glb.json["bufferViews"][view][member] = count;
            });
        expect_error(refused_after([&](OpenGlb& glb) { glb.array("surface.basis")["bufferView"] = count; }),
                     "array surface.basis", "buffer view");
        expect_error(refused_after([&](OpenGlb& glb) { glb.array("spectrum")["bytes"] = count; }),
                     "array spectrum", "");
        refused_after([&](OpenGlb& glb) { glb.extension()["rank"] = count; });
    }
    refused_after([&](OpenGlb& glb) { glb.extension()["volume_vertices"] = 1'000'000'000'000; });
    refused_after([&](OpenGlb& glb) { glb.extension()["rank"] = 1000; });
}

TEST(HostileModel, AShapeWhoseProductOverflowsIsRefused) {
    for (const Json& shape : {Json({4294967296, 4294967296, 4294967296}), Json({4294967295, 4294967295, 3}),
                              Json({1, 2}), Json::array(), Json("3"), Json({1, 8, 3, 1})})
        expect_error(refused_after([&](OpenGlb& glb) { glb.array("surface.basis")["shape"] = shape; }),
                     "array surface.basis", "shape");
}

TEST(HostileModel, NumbersThatAreNotFiniteAreRefused) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()})
        for (const char* name :
             {"surface.vertices", "surface.basis", "volume.vertices", "volume.basis", "groups.material",
              "groups.bulk", "groups.shear", "groups.mass", "groups.weight", "groups.volume",
              "groups.first_moment", "groups.second_moment", "target_scale", "frequencies_hz", "spectrum"})
            refused_after([&](OpenGlb& glb) { set_double(glb, name, 0, bad); });
    expect_error(refused_after([](OpenGlb& glb) { set_double(glb, "surface.vertices", 2, 1e300); }),
                 "surface.vertices", "not finite");  // not as a float
    expect_error(refused_after([](OpenGlb& glb) { set_double(glb, "groups.material", 1, 0.5); }), "groups[0]",
                 "Poisson's ratio is 0.5");
    expect_error(refused_after([](OpenGlb& glb) { set_double(glb, "target_scale", 0, -1); }), "target_scale",
                 "not positive");
}

TEST(HostileModel, IdsOutOfRangeAreRefused) {
    for (const std::int32_t bad :
         {-1, 1000, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()})
        for (const char* name :
             {"surface.triangles", "volume.bricks", "volume.group_of_element", "volume.fixed_vertices"})
            expect_error(refused_after([&](OpenGlb& glb) { set_id(glb, name, 0, bad); }), name, "entry 0 is");
    expect_error(refused_after([](OpenGlb& glb) { set_id(glb, "surface.input_vertex", 0, -1); }),
                 "surface.input_vertex", "entry 0 is -1");
    expect_error(refused_after([](OpenGlb& glb) { set_id(glb, "volume.fixed_vertices", 0, 2); }),
                 "volume.fixed_vertices", "ascend");
    for (const std::int32_t bad : {-1, 1, 1 << 30})
        expect_error(refused_after([&](OpenGlb& glb) { set_id(glb, "surface.parts", 0, bad); }), "part 0",
                     "cover");
    expect_error(refused_after([](OpenGlb& glb) { set_id(glb, "surface.parts", 1, 1 << 30); }), "part",
                 "cover");
}

TEST(HostileModel, AMissingOrMistypedMemberIsNamed) {
    const OpenGlb whole = open_glb(small_file());
    OpenGlb names = whole;
    for (const auto& [key, value] : names.extension().items()) {
        if (key == kChecksum) continue;
        OpenGlb glb = whole;
        glb.extension().erase(key);
        refused(reseal(glb));
        for (const Json& odd : {Json(Json::array()), Json(Json::object()), Json(nullptr)}) {
            if (value.type() == odd.type()) continue;
            glb = whole;
            glb.extension()[key] = odd;
            refused(reseal(glb));
        }
    }
    for (const auto& [name, array] : names.extension()["arrays"].items()) {
        if (name.rfind("surface.texture_coordinates", 0) == 0) continue;  // looks may be left out
        if (name == "groups.moment") continue;                            // format 1 has none
        OpenGlb glb = whole;
        glb.extension()["arrays"].erase(name);
        expect_error(refused(reseal(glb)), "array " + name, "missing");
        glb = whole;
        glb.array(name)["type"] = "float16";
        expect_error(refused(reseal(glb)), "array " + name, "type must be");
    }
}

TEST(HostileModel, AnUnknownUpIsRefused) {
    for (const char* odd : {"", "w", "+z", "Z"})
        expect_error(refused_after([&](OpenGlb& glb) { glb.extension()["up"] = odd; }), "LIMBER_model",
                     "up must be");
}

// Looks may be changed by other programs; what is left of them is shown.
TEST(HostileModel, OddLooksAreLeftOut) {
    const auto look_after = [](auto change) {
        OpenGlb glb = open_glb(small_file());
        change(glb.json);
        const auto result = read_model(reseal(glb), "a.glb");
        EXPECT_TRUE(result.ok()) << result.error().where << ": " << result.error().problem;
        return result.ok() ? result.value()->surface.appearance : Appearance{};
    };
    EXPECT_EQ(look_after([](Json&) {}).materials[0].base_color_texture.texture, 0);

    const Appearance none = look_after([](Json& json) { json.erase("materials"); });
    EXPECT_TRUE(none.materials.empty());
    EXPECT_EQ(none.parts.at(0).material, -1);
    for (const Json& odd : {Json(99), Json(-1), Json("0"), Json(0.5), Json(nullptr)}) {
        const Appearance image = look_after([&](Json& json) { json["images"][0]["bufferView"] = odd; });
        EXPECT_TRUE(image.images.empty());
        EXPECT_TRUE(image.textures.empty());
        EXPECT_EQ(image.materials.at(0).base_color_texture.texture, -1);
        const Appearance texture = look_after([&](Json& json) { json["textures"][0]["source"] = odd; });
        EXPECT_EQ(texture.materials.at(0).base_color_texture.texture, -1);
        const Appearance use = look_after([&](Json& json) {
            json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = odd;
        });
        EXPECT_EQ(use.materials.at(0).base_color_texture.texture, -1);
    }
    const Appearance odd = look_after([](Json& json) {
        json["materials"][0] = {
            {"name", 5},
            {"pbrMetallicRoughness", {{"baseColorFactor", {2, 0, 0, 1}}, {"metallicFactor", -1}}},
            {"alphaMode", "GLOW"},
            {"doubleSided", "yes"},
            {"emissiveFactor", {0, 1}}};
        json["materials"].push_back(17);
        json["samplers"] = {{{"wrapS", 1}, {"wrapT", 33071}, {"minFilter", "x"}}};
    });
    EXPECT_EQ(odd.materials.at(0).base_color, (std::array<double, 4>{1, 1, 1, 1}));
    EXPECT_EQ(odd.materials.at(0).metallic, 1);
    EXPECT_EQ(odd.materials.size(), 3u);
    EXPECT_EQ(odd.textures.at(0).wrap_s, 10497);
    EXPECT_EQ(odd.textures.at(0).wrap_t, 33071);
}

// A thousand images that name the same bytes do not become a thousand copies.
TEST(HostileModel, ImagesTogetherTakeNoMoreThanTheFile) {
    OpenGlb glb = open_glb(small_file());
    const Json image = glb.json["images"][0];
    for (int i = 0; i < 1000; ++i)
        glb.json["images"].push_back(image);
    const auto result = read_model(reseal(glb), "a.glb");
    ASSERT_TRUE(result.ok());
    std::size_t bytes = 0;
    for (const SurfaceImage& each : result.value()->surface.appearance.images)
        bytes += each.bytes.size();
    EXPECT_LE(bytes, glb.binary.size());
}

}  // namespace
}  // namespace limber
