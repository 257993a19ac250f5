// SPDX-License-Identifier: Apache-2.0
// What the commands write, and what they must not write over.
#include "run_limber.h"

#include <signal.h>
#include <unistd.h>

#include <map>

namespace limber::test {
namespace {

class Outputs : public InFolder {
 protected:
    // Every file of the folder; links by what they lead to.
    std::map<std::string, std::string> contents() const {
        std::map<std::string, std::string> out;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
            if (entry.is_regular_file())
                out[entry.path().lexically_relative(folder_)] = file_text(entry.path());
        return out;
    }
    // Refused as an overwriting, without a change to any file.
    void expect_refused(const Arguments& arguments, const std::string& problem = "written over") const {
        const auto before = contents();
        const auto error = error_of(arguments);
        EXPECT_NE(error["problem"].get<std::string>().find(problem), std::string::npos)
            << arguments[0] << ' ' << arguments.back() << ": " << error;
        EXPECT_NE(error["try_this"].get<std::string>().find("another name for"), std::string::npos) << error;
        EXPECT_TRUE(contents() == before) << arguments[0] << ' ' << arguments.back();
    }
    std::string surface() const {
        result_of({"mesh", "convert", bar("2,1,1", "1,0.5,0.5"), path("skin.obj")});
        return path("skin.obj");
    }
    void model() const {
        result_of({"build", bar("3,1,1", "1,0.2,0.2"), "-o", path("bar.glb"), "--fix", "x<0.001", "--modes",
                   "2", "--rank", "3"});
    }
    void scene(const std::string& name, const std::string& in_body = "") const {
        write(name, R"({"dt": 0.002, "duration": 0.01, "bodies": [{"model": "bar.glb")" + in_body + "}]}");
    }
};

TEST_F(Outputs, MeshCommandsDoNotWriteOverTheirInput) {
    const std::string skin = surface(), volume = path("bar.vtu");
    std::filesystem::create_symlink("skin.obj", path("link.obj"));
    std::filesystem::create_hard_link(skin, path("hard.obj"));
    expect_refused({"mesh", "convert", skin, skin});
    expect_refused({"mesh", "convert", skin, path("./skin.obj")});
    expect_refused({"mesh", "convert", skin, path("link.obj")});
    expect_refused({"mesh", "convert", path("link.obj"), skin});
    expect_refused({"mesh", "convert", path("hard.obj"), skin});
    expect_refused({"mesh", "repair", skin, "-o", skin});
    expect_refused({"mesh", "outline", skin, "-o", skin});
    expect_refused({"mesh", "voxelize", volume, "-o", volume});
    expect_refused({"mesh", "tetrahedralize", volume, "-o", volume});
    expect_refused({"draw", skin, "-o", skin});
    result_of({"mesh", "convert", bar("2,1,1", "1,0.5,0.5", true), path("pair.node")});
    expect_refused({"mesh", "convert", path("pair.node"), path("pair.ele")});
    expect_refused({"mesh", "convert", path("pair.ele"), path("pair.node")});
    // Pictures of a mesh are read with it, and a missing one would be no error.
    write("skin.mtl", "newmtl a\nKd 1 0 0\n");
    write("coloured.obj", "mtllib skin.mtl\nusemtl a\n" + file_text(skin));
    expect_refused({"mesh", "outline", path("coloured.obj"), "-o", path("skin.mtl")});
}

TEST_F(Outputs, SolveDoesNotWriteOverItsInputs) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    write("ids.txt", "0 3 6 9\n");
    const std::string fixed = "file:" + path("ids.txt");
    for (const char* option : {"--vtu", "--out"})
        for (const char* input : {"bar.vtu", "ids.txt"}) {
            expect_refused({"solve", "static", mesh, "--fix", fixed, option, path(input)});
            expect_refused({"solve", "modes", mesh, "--fix", fixed, "--count", "1", option, path(input)});
        }
    const Arguments dynamic = {"solve", "dynamic", mesh,    "--fix",      fixed,  "--probe",
                               "x>0.9", "--dt",    "0.001", "--duration", "0.001"};
    const auto with = [&](Arguments extra) {
        Arguments all = dynamic;
        all.insert(all.end(), extra.begin(), extra.end());
        return all;
    };
    expect_refused(with({"--csv", mesh}));
    expect_refused(with({"--out", path("ids.txt")}));
    expect_refused(with({"--csv", path("x"), "--out", path("x")}), "the same file");
    expect_refused(with({"--csv", path("x.pvd"), "--vtu", path("x.vtu")}), "the same file");
    expect_refused(with({"--csv", path("x_000000.vtu"), "--vtu", path("x.vtu")}), "the same file");
    // A frame of an earlier series as the mesh of the next: it would become another shape while it is used.
    std::filesystem::copy_file(mesh, path("series_000001.vtu"));
    Arguments on_frame = with({"--vtu", path("series.vtu")});
    on_frame[2] = path("series_000001.vtu");
    expect_refused(on_frame);
    // The series of a mesh may have its name: bar_000000.vtu and bar.pvd are other files.
    result_of(with({"--vtu", mesh}));
    result_of(with({"--csv", "/dev/null", "--out", "/dev/null"}));
}

TEST_F(Outputs, BuildDoesNotWriteOverItsInputs) {
    model();
    const std::string mesh = path("bar.vtu");
    result_of({"mesh", "convert", mesh, path("skin.glb")});
    expect_refused({"build", path("skin.glb"), "-o", path("skin.glb")});
    write("ids.glb", "0 1\n");
    expect_refused({"build", mesh, "--fix", "file:" + path("ids.glb"), "-o", path("ids.glb")});
    expect_refused({"build", mesh, "--basis", "file:" + path("bar.glb"), "-o", path("bar.glb")});
    expect_refused({"build", mesh, "--basis", "sketch:a.json," + path("bar.glb"), "-o", path("bar.glb")});
    expect_refused(
        {"build", mesh, "--material", "file:" + path("ids.glb") + ": young=2e6", "-o", path("ids.glb")});
    // What is not the build's own stays, beside its caches too.
    std::filesystem::create_directory(path("new.glb.partial"));
    write("new.glb.partial/keep.txt", "mine");
    result_of({"build", mesh, "--modes", "2", "--rank", "3", "-o", path("new.glb")});
    EXPECT_EQ(file_text(path("new.glb.partial/keep.txt")), "mine");
    write("other.glb.partial", "a file");
    result_of({"build", mesh, "--modes", "2", "--rank", "3", "-o", path("other.glb")});
    EXPECT_EQ(file_text(path("other.glb.partial")), "a file");
}

TEST_F(Outputs, SimulateDoesNotWriteOverTheSceneOrWhatItNames) {
    model();
    scene("scene.csv");
    expect_refused({"simulate", path("scene.csv"), "-o", path("scene.csv")});
    expect_refused({"simulate", path("scene.csv"), "-o", path("bar.glb")});
    std::filesystem::create_hard_link(path("bar.glb"), path("hard.glb"));
    expect_refused({"simulate", path("scene.csv"), "-o", path("hard.glb")});
    std::filesystem::create_symlink("bar.glb", path("link.glb"));
    expect_refused({"simulate", path("scene.csv"), "-o", path("link.glb")});
    result_of({"models", "make", "jelly-box", "-o", path("box.vtu"), "--motion", path("motion.glb")});
    scene("guided.json", R"(, "support": "motion.glb#head")");
    expect_refused({"simulate", path("guided.json"), "-o", path("motion.glb")});
}

TEST_F(Outputs, ValidateAndDrawDoNotWriteOverTheirInputs) {
    model();
    result_of({"validate", path("bar.glb"), "--periods", "0.1", "--out", path("full.npy")});
    for (const char* option : {"--report", "--csv", "--out"}) {
        expect_refused({"validate", path("bar.glb"), option, path("bar.glb")});
        expect_refused({"validate", path("bar.glb"), "--full", path("full.npy"), option, path("full.npy")});
    }
    expect_refused({"validate", path("bar.glb"), "--report", path("x"), "--csv", path("x")}, "the same file");
    expect_refused({"draw", path("bar.vtu"), "--displacement", path("full.npy"), "-o", path("full.npy")});
    expect_refused({"draw", path("bar.vtu"), "-o", path("bar.vtu")});
    expect_refused({"models", "make", "jelly-box", "-o", path("box.glb"), "--motion", path("box.glb")},
                   "the same file");
}

TEST_F(Outputs, AnOutputThatCannotBeWrittenIsRefusedBeforeTheInputIsRead) {
    write("broken.obj", "this is no mesh");
    for (const char* output : {"none/out.vtu", "broken.obj/out.vtu"}) {
        const auto error = error_of({"mesh", "voxelize", path("broken.obj"), "-o", path(output)});
        EXPECT_EQ(error["where"], path(output));
    }
}

TEST_F(Outputs, AnExportOfTheStudioGoesOnlyIntoAFolderOfItsOwn) {
    model();
    std::filesystem::create_directory(path("full"));
    write("full/mine.txt", "mine");
    const auto before = contents();
    const auto refused = [&](const std::string& folder, const std::string& problem) {
        // The cache is not made: this is found before any work.
        const auto error =
            error_of({"studio", path("bar.glb"), "--cache", path("cache"), "--export", path(folder)});
        EXPECT_EQ(error["where"], path(folder));
        EXPECT_NE(error["problem"].get<std::string>().find(problem), std::string::npos) << error;
        EXPECT_FALSE(std::filesystem::exists(path("cache"))) << folder;
        EXPECT_TRUE(contents() == before) << folder;
    };
    refused("full", "not empty");
    refused("bar.glb", "this is a file, not a folder");
    refused("bar.glb/site", "cannot write here");
    write("empty.glb", "");
    EXPECT_EQ(error_of({"studio", path("bar.glb"), "--export", path("empty.glb")})["problem"],
              "this is a file, not a folder");
    std::filesystem::remove(path("empty.glb"));
    if (geteuid() != 0) {  // root may write anywhere
        std::filesystem::create_directory(path("closed"));
        std::filesystem::permissions(path("closed"),
                                     std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
        refused("closed/new/site", "cannot write here");
    }
}

TEST_F(Outputs, LongNamesAndLinksToNothingAreWritten) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    const std::string longest = std::string(251, 'n') + ".obj";
    result_of({"mesh", "convert", mesh, path(longest)});
    std::filesystem::create_symlink("real.obj", path("link.obj"));
    result_of({"mesh", "convert", mesh, path("link.obj")});
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.obj")));
    EXPECT_EQ(file_text(path("real.obj")), file_text(path(longest)));
}

TEST_F(Outputs, WhatAKilledRunLeftIsGoneAfterTheNext) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    std::filesystem::create_directory(path("results"));
    const auto names = [&] {
        std::vector<std::string> out;
        for (const auto& entry : std::filesystem::directory_iterator(path("results")))
            out.push_back(entry.path().filename());
        return out;
    };
    const auto child =
        start_limber({"solve", "dynamic", mesh, "--fix", "x<0.01", "--dt", "1e-6", "--duration", "100",
                      "--out", path("results/u.npy"), "--every", "1000", "--quiet"},
                     path("out"), path("err"));
    // A minute is more than the slowest machine needs.
    for (int i = 0; i < 6000 && names().empty(); ++i)
        usleep(10000);
    kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child, path("out"), path("err")).signal, SIGKILL);
    EXPECT_EQ(names().size(), 1u);
    result_of({"mesh", "convert", mesh, path("results/bar.vtk")});
    EXPECT_EQ(names(), std::vector<std::string>{"bar.vtk"});
}

}  // namespace
}  // namespace limber::test
