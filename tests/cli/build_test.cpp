// SPDX-License-Identifier: Apache-2.0
// limber build and limber info as a user runs them.
#include "build/file/npy.h"
#include "run_limber.h"

#include <cmath>
#include <csignal>
#include <thread>

namespace limber::test {
namespace {

std::string text(const nlohmann::json& error, const char* key) {
    return error[key].get<std::string>();
}

bool mentions(const nlohmann::json& error, const char* key, const std::string& word) {
    return text(error, key).find(word) != std::string::npos;
}

// A box 2 x 1 x 1 with its corner at the origin; the triangles face outward.
const char* const kBox =
    "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 0 1 1\n"
    "f 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 "
    "5 8\n";

class BuildCommand : public InFolder {
 protected:
    nlohmann::json build(const std::string& mesh, Arguments extra = {}) const {
        Arguments all = {"build", mesh, "-o", path("model.glb"), "--modes", "3", "--rank", "5"};
        all.insert(all.end(), extra.begin(), extra.end());
        return result_of(all);
    }
};

TEST_F(BuildCommand, ABarBecomesAModelThatInfoReads) {
    const auto built = build(bar("4,1,1", "1,0.2,0.2"), {"--fix", "x<0.001", "--density", "500"});
    for (const char* key : {"rank", "modes", "vertices", "elements", "total_mass", "frequencies_hz",
                            "seconds", "bytes", "groups", "spectrum", "free_body", "command"})
        EXPECT_TRUE(built.contains(key)) << key;
    EXPECT_EQ(built["rank"], 5);
    EXPECT_EQ(built["modes"], 3);
    EXPECT_EQ(built["vertices"], 20);
    EXPECT_EQ(built["elements"], 4);
    EXPECT_NEAR(built["total_mass"].get<double>(), 500 * 0.04, 1e-9);
    EXPECT_EQ(built["frequencies_hz"].size(), 3u);
    EXPECT_EQ(built["free_body"], false);
    EXPECT_EQ(std::filesystem::file_size(path("model.glb")), built["bytes"].get<std::size_t>());
    for (const char* stage : {"elements", "modes", "basis", "reduction", "writing", "total"})
        EXPECT_TRUE(built["seconds"].contains(stage)) << stage;

    const auto info = result_of({"info", path("model.glb")});
    for (const char* key : {"rank", "modes", "basis", "vertices", "elements", "total_mass", "frequencies_hz",
                            "bytes", "groups", "spectrum", "free_body", "up", "surface_basis", "command"})
        EXPECT_EQ(info[key], built[key]) << key;
    EXPECT_NE(text(info, "command").find("limber build "), std::string::npos);
    EXPECT_NE(run_limber({"info", path("model.glb")}).out.find("what r buys"), std::string::npos);
}

TEST_F(BuildCommand, ASurfaceIsFilledAndHeldByTheCellsOfItsFixedVertices) {
    write("box.obj", kBox);
    const auto built = build(path("box.obj"), {"--resolution", "4", "--fix", "x<0.001"});
    EXPECT_EQ(built["elements"], 4 * 2 * 2);
    EXPECT_EQ(built["vertices"], 5 * 3 * 3);
    EXPECT_EQ(built["surface_vertices"], 8);
    EXPECT_EQ(built["free_body"], false);
    EXPECT_NEAR(built["total_mass"].get<double>(), 2000, 1e-6);  // 2 m^3 of 1000 kg/m^3
}

TEST_F(BuildCommand, TellsWhatItFilledAndFixed) {
    write("box.obj", kBox);
    const auto built = build(path("box.obj"), {"--resolution", "4", "--fix", "x<0.001"});
    EXPECT_EQ(built["filling"]["kind"], "cubes");
    EXPECT_EQ(built["filling"]["resolution"], 4);
    EXPECT_NEAR(built["filling"]["element_side"].get<double>(), 0.5, 1e-12);
    EXPECT_NEAR(built["filling"]["thickness"].get<double>(), 0.4, 1e-12);  // 2 V / A = 2 * 2 / 10
    EXPECT_NEAR(built["filling"]["elements_across"].get<double>(), 0.8, 1e-12);
    EXPECT_NEAR(built["filling"]["volume"].get<double>(), 2, 1e-12);
    EXPECT_GT(built["filling"]["estimated_seconds"].get<double>(), 0);
    EXPECT_EQ(built["fixed"]["nodes"], 2 * 3 * 3);
    EXPECT_NEAR(built["fixed"]["area"].get<double>(), 1, 1e-12);
    EXPECT_NEAR(built["fixed"]["surface_area"].get<double>(), 10, 1e-12);
    const auto outline =
        result_of({"mesh", "outline", path("box.obj"), "-o", path("o.bin"), "--resolution", "4"});
    EXPECT_EQ(outline["filling"], built["filling"]);
    EXPECT_TRUE(build(bar("4,1,1", "1,0.2,0.2"), {"--fix", "x<0.001"})["filling"].is_null());
    EXPECT_EQ(
        text(error_of({"build", path("box.obj"), "-o", path("x.glb"), "--tets", "--fill", "full"}), "where"),
        "--fill");
}

TEST_F(BuildCommand, ATreeCanBeSeenBeforeItIsBuilt) {
    write("box.obj", kBox);
    const std::vector<std::string> cut = {"--resolution", "8", "--domains", "auto:3", "--fix", "x<0.001"};
    std::vector<std::string> outline = {"mesh", "outline", path("box.obj"), "-o", path("o.bin")};
    outline.insert(outline.end(), cut.begin(), cut.end());
    const auto drawn = result_of(outline);
    const auto built =
        build(path("box.obj"), {"--resolution", "8", "--domains", "auto:3", "--fix", "x<0.001"});
    const auto& domains = drawn["tree"]["domains"];
    EXPECT_EQ(domains.size(), built["domains"].get<std::size_t>());
    EXPECT_EQ(drawn["tree"]["depth"], built["depth"]);
    EXPECT_EQ(domains[0]["parent"], -1);
    std::size_t elements = 0;
    for (const auto& domain : domains)
        elements += domain["elements"].get<std::size_t>();
    EXPECT_EQ(elements, drawn["elements"].get<std::size_t>());
    // A domain of each triangle stands behind what is there without a cut.
    const std::size_t plain = 12 + 12 * drawn["vertices"].get<std::size_t>() +
                              8 * drawn["edges"].get<std::size_t>() +
                              12 * drawn["triangles"].get<std::size_t>();
    EXPECT_EQ(std::filesystem::file_size(path("o.bin")), plain + 4 * drawn["triangles"].get<std::size_t>());
    outline.push_back("--unfilled");
    EXPECT_EQ(text(error_of(outline), "where"), "--unfilled");
}

TEST_F(BuildCommand, AnUnpreparedMeshNeedsNoOptions) {
    write("box.obj", kBox);
    // Nothing is fixed: a free model is built, and said so. A unit of cm makes it small, and the build quick
    // to compare: mass goes with the cube of the unit.
    const auto built = result_of({"build", path("box.obj"), "-o", path("free.glb"), "--unit", "cm", "--modes",
                                  "3", "--rank", "5", "--resolution", "4"});
    EXPECT_EQ(built["free_body"], true);
    EXPECT_NEAR(built["total_mass"].get<double>(), 2000e-6, 1e-12);
    EXPECT_NE(built["notes"].dump().find("free body"), std::string::npos);
    EXPECT_GT(built["frequencies_hz"][0].get<double>(), 1);  // no rigid motion among the modes
}

TEST_F(BuildCommand, AUnitMayBeANumberOfMetres) {
    write("box.obj", kBox);
    const auto built = build(path("box.obj"), {"--resolution", "4", "--fix", "x<0.001", "--unit", "0.5"});
    EXPECT_NEAR(built["total_mass"].get<double>(), 2000 * 0.125, 1e-6);
}

TEST_F(BuildCommand, MaterialsBecomeGroups) {
    const auto built =
        build(bar("4,1,1", "1,0.2,0.2"), {"--fix", "x<0.001", "--material", "x>0.5: young=3e6 density=2000"});
    ASSERT_EQ(built["groups"].size(), 2u);
    EXPECT_EQ(built["groups"][1]["young"], 3e6);
    EXPECT_NEAR(built["groups"][1]["volume"].get<double>(), 0.02, 1e-12);
    EXPECT_NEAR(built["total_mass"].get<double>(), 0.02 * 1000 + 0.02 * 2000, 1e-9);
}

TEST_F(BuildCommand, ABuiltInModelHasItsOwnDefaults) {
    const auto built =
        result_of({"build", "bar", "-o", path("bar.glb"), "--modes", "2", "--rank", "auto:50%"});
    EXPECT_EQ(built["elements"], 320);
    EXPECT_EQ(built["free_body"], false);  // held where one would hold it
    EXPECT_EQ(built["groups"][0]["poisson"], 0.3);
}

TEST_F(BuildCommand, OtherBases) {
    const std::string mesh = bar("4,1,1", "1,0.2,0.2");
    EXPECT_EQ(result_of({"build", mesh, "-o", path("a.glb"), "--fix", "x<0.001", "--basis", "modes", "--rank",
                         "4"})["rank"],
              4);
    // Two modes and the three derivatives among them.
    const auto picked =
        result_of({"build", mesh, "-o", path("b.glb"), "--fix", "x<0.001", "--basis", "pick:1,2"});
    EXPECT_EQ(picked["rank"], 5);
    EXPECT_EQ(picked["basis"], "pick");
    // The modes of the solver as given shapes span what the modes span: same frequencies.
    const auto modes =
        result_of({"solve", "modes", mesh, "--fix", "x<0.001", "--count", "3", "--out", path("modes.npy")});
    const auto given = result_of({"build", mesh, "-o", path("c.glb"), "--fix", "x<0.001", "--basis",
                                  "file:" + path("modes.npy"), "--rank", "3"});
    EXPECT_EQ(given["basis"], "file");
    for (std::size_t i = 0; i < 3; ++i) {
        const double expected = modes["frequencies_hz"][i];
        EXPECT_NEAR(given["frequencies_hz"][i].get<double>(), expected, 1e-6 * expected);
    }
}

TEST_F(BuildCommand, TheMethodDecidesWhatTheModelRunsAs) {
    const std::string mesh = bar("4,1,1", "1,0.2,0.2");
    const auto methods = [&](Arguments extra) {
        Arguments all = {"build", mesh, "-o", path("model.glb")};
        all.insert(all.end(), extra.begin(), extra.end());
        const auto built = result_of(all);
        EXPECT_EQ(result_of({"info", path("model.glb")})["methods"], built["methods"]);
        return built["methods"].get<std::vector<std::string>>();
    };
    using Words = std::vector<std::string>;
    EXPECT_EQ(methods({"--fix", "x<0.001"}), (Words{"stvk", "warp"}));
    EXPECT_EQ(methods({"--fix", "x<0.001", "--method", "stvk"}), (Words{"stvk"}));
    EXPECT_EQ(methods({"--fix", "x<0.001", "--method", "warp", "--modes", "5"}), (Words{"warp"}));
    EXPECT_EQ(methods({}), (Words{"stvk"}));  // free: it has no support to turn about
}

TEST_F(BuildCommand, MistakesAreNamedAndNothingIsWrittenOver) {
    const std::string mesh = bar("4,1,1", "1,0.2,0.2");
    write("model.glb", "precious");
    const auto with = [&](Arguments extra) {
        Arguments all = {"build", mesh, "-o", path("model.glb"), "--fix", "x<0.001"};
        all.insert(all.end(), extra.begin(), extra.end());
        return error_of(all);
    };
    EXPECT_EQ(text(with({"--rank", "0"}), "where"), "--rank");
    EXPECT_EQ(text(with({"--rank", "many"}), "where"), "--rank");
    EXPECT_EQ(text(with({"--rank", "auto:0%"}), "where"), "--rank");
    const auto too_large = with({"--modes", "2", "--rank", "6"});  // 2 modes and 3 derivatives
    EXPECT_TRUE(mentions(too_large, "problem", "5 shapes")) << text(too_large, "problem");
    EXPECT_TRUE(mentions(too_large, "try_this", "--rank 5"));
    with({"--modes", "100"});  // 48 coordinates are free
    EXPECT_EQ(text(with({"--basis", "modal-derivative"}), "try_this"), "--basis modal-derivatives");
    EXPECT_EQ(text(with({"--basis", "pick:0"}), "where"), "--basis");
    EXPECT_TRUE(mentions(with({"--basis", "pick:99"}), "problem", "99"));
    with({"--basis", "file:none.npy"});
    with({"--basis", "sketch:none.json"});
    EXPECT_TRUE(mentions(with({"--method", "warp", "--rank", "4"}), "try_this", "--modes"));
    EXPECT_TRUE(mentions(with({"--method", "warp", "--basis", "pick:1"}), "problem", "linear modes"));
    EXPECT_EQ(text(with({"--method", "bend"}), "where"), "--method");
    for (const char* unit : {"ft", "0", "-1", "1e999", "nan", "1 m", ""})
        EXPECT_EQ(text(with({"--unit", unit}), "where"), "--unit") << unit;
    EXPECT_TRUE(mentions(with({"--fix", "x>5"}), "where", "--fix 'x>5'"));
    EXPECT_TRUE(mentions(with({"--fix", "all"}), "problem", "every vertex"));
    EXPECT_TRUE(mentions(with({"--poisson", "0.5"}), "problem", "0.5"));
    EXPECT_EQ(file_text(path("model.glb")), "precious");
    EXPECT_TRUE(mentions(error_of({"build", mesh, "-o", path("model.obj")}), "problem", ".glb"));
    EXPECT_TRUE(mentions(error_of({"build", "brige"}), "try_this", "models list"));
    const std::vector<double> few(3 * 4);
    build::write_npy(path("few.npy"), {1, 4, 3}, few);
    EXPECT_TRUE(mentions(with({"--basis", "file:" + path("few.npy")}), "problem", "(1, 4, 3)"));
}

TEST_F(BuildCommand, AModelIsNoMeshToWriteOver) {
    write("box.obj", kBox);
    std::filesystem::copy_file(path("box.obj"), path("box.glb"));
    EXPECT_TRUE(
        mentions(error_of({"build", path("box.glb"), "-o", path("box.glb")}), "problem", "written over"));
}

TEST_F(BuildCommand, UpIsByFormatByTheFileOrByTheUser) {
    write("box.obj", kBox);
    const auto up_of = [&](const std::string& mesh, Arguments extra = {}) {
        extra.insert(extra.end(), {"--resolution", "2", "--fix", "x<0.01"});
        const auto built = build(mesh, extra);
        EXPECT_EQ(result_of({"info", path("model.glb")})["up"], built["up"]);
        return text(built, "up");
    };
    EXPECT_EQ(up_of(path("box.obj")), "y");
    EXPECT_EQ(up_of(path("box.obj"), {"--up", "x"}), "x");
    EXPECT_EQ(up_of(path("box.obj"), {"--up=-z"}), "-z");
    EXPECT_EQ(text(error_of({"build", path("box.obj"), "--up", "w"}), "where"), "--up");
    // A y-up surface stays y up in every file that limber makes of it, and z-up models stay z up.
    result_of({"mesh", "convert", path("box.obj"), path("box.stl")});
    EXPECT_EQ(up_of(path("box.stl")), "y");
    result_of({"mesh", "voxelize", path("box.obj"), "-o", path("box.vtu"), "--resolution", "2"});
    EXPECT_EQ(up_of(path("box.vtu")), "y");
    result_of({"mesh", "tetrahedralize", path("box.obj"), "-o", path("tets.msh")});
    EXPECT_EQ(up_of(path("tets.msh")), "y");
    result_of({"mesh", "repair", path("box.obj"), "-o", path("repaired.ply")});
    EXPECT_EQ(up_of(path("repaired.ply")), "y");
    result_of({"mesh", "convert", bar("2,1,1", "2,1,1"), path("skin.obj")});
    EXPECT_EQ(up_of(path("skin.obj")), "z");
    EXPECT_EQ(result_of({"mesh", "info", path("skin.obj")})["up"], "z");
    // A model as the mesh of another: its own coordinates, its own up.
    const auto bounds = result_of({"mesh", "info", path("model.glb")})["bounds"];
    EXPECT_EQ(bounds, nlohmann::json::parse("[[0, 0, 0], [2, 1, 1]]"));
    std::filesystem::copy_file(path("model.glb"), path("z.glb"));
    EXPECT_EQ(up_of(path("z.glb")), "z");
}

TEST_F(BuildCommand, WithoutANameTheModelStandsBesideTheMeshAndNeverWritesOverIt) {
    write("box.obj", kBox);
    const auto built_as = [&](const std::string& mesh) {
        return text(result_of({"build", path(mesh), "--resolution", "2", "--fix", "x<0.01", "--modes", "3",
                               "--rank", "5"}),
                    "output");
    };
    EXPECT_EQ(built_as("box.obj"), path("box.glb"));
    EXPECT_EQ(built_as("box.obj"), path("box.glb"));  // a model is built again
    result_of({"mesh", "convert", path("box.obj"), path("mesh.glb")});
    const std::string before = file_text(path("mesh.glb"));
    EXPECT_EQ(built_as("mesh.glb"), path("mesh-soft.glb"));
    EXPECT_EQ(file_text(path("mesh.glb")), before);
}

TEST_F(BuildCommand, TheBasisOfTheSurfaceIsKeptAsFloatsOrAsDoubles) {
    write("box.obj", kBox);
    const auto floats = build(path("box.obj"), {"--resolution", "2", "--fix", "x<0.01"});
    EXPECT_EQ(floats["surface_basis"], "float");
    const auto doubles =
        build(path("box.obj"), {"--resolution", "2", "--fix", "x<0.01", "--surface-basis", "double"});
    EXPECT_EQ(doubles["surface_basis"], "double");
    EXPECT_EQ(result_of({"info", path("model.glb")})["surface_basis"], "double");
    EXPECT_GT(doubles["bytes"].get<int>(), floats["bytes"].get<int>());
    const std::string told = run_limber({"info", path("model.glb")}).out;
    EXPECT_NE(told.find("basis as doubles"), std::string::npos) << told;
    EXPECT_NE(told.find(" kB"), std::string::npos) << told;  // not "0.02 MB"
}

TEST_F(BuildCommand, InfoRefusesWhatIsNoModel) {
    build(bar("4,1,1", "1,0.2,0.2"), {"--fix", "x<0.001"});
    const std::string whole = file_text(path("model.glb"));
    write("cut.glb", whole.substr(0, whole.size() / 2));
    error_of({"info", path("cut.glb")});
    std::string flipped = whole;
    flipped[flipped.size() - 100] = static_cast<char>(flipped[flipped.size() - 100] ^ 1);
    write("flipped.glb", flipped);
    error_of({"info", path("flipped.glb")});
    write("text.glb", "no model at all");
    error_of({"info", path("text.glb")});
    error_of({"info", path("none.glb")});
}

TEST_F(BuildCommand, InterruptedItLeavesNoModel) {
    // Long enough to be interrupted: 1600 bricks with many modes.
    const std::string mesh = bar("25,8,8", "1,0.3,0.3");
    const pid_t child = start_limber(
        {"build", mesh, "-o", path("model.glb"), "--fix", "x<0.001", "--modes", "60", "--rank", "60"},
        path("out"), path("err"));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(child, SIGINT);
    const Ran ran = wait_for(child, path("out"), path("err"));
    EXPECT_EQ(ran.signal, SIGINT);
    EXPECT_FALSE(std::filesystem::exists(path("model.glb")));
    // At most the folder of finished stages is left, which the next build uses.
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_TRUE(entry.is_directory() || entry.path().filename().string().find("model") != 0)
            << entry.path();
}

}  // namespace
}  // namespace limber::test
