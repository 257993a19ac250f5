// SPDX-License-Identifier: Apache-2.0
// Mistakes on the command line and in files: exit status 1, one clear message, the next thing to try.
#include "run_limber.h"

#include <csignal>
#include <thread>

namespace limber::test {
namespace {

using Errors = InFolder;

std::string text(const nlohmann::json& error, const char* key) {
    return error[key].get<std::string>();
}

bool mentions(const nlohmann::json& error, const char* key, const std::string& word) {
    return text(error, key).find(word) != std::string::npos;
}

TEST_F(Errors, UnknownCommandsAndOptionsSuggestTheNearest) {
    EXPECT_EQ(text(error_of({"sovle"}), "try_this"), "limber solve");
    EXPECT_EQ(text(error_of({"solve", "moeds"}), "try_this"), "limber solve modes");
    const auto error = error_of({"solve", "modes", "bar.vtu", "--cuont", "5"});
    EXPECT_EQ(text(error, "problem"), "unknown option '--cuont'");
    EXPECT_EQ(text(error, "try_this"), "limber solve modes --count");
    EXPECT_EQ(text(error_of({"solve", "dynamic", "bar.vtu", "--durration=3"}), "try_this"),
              "limber solve dynamic --duration");
    EXPECT_EQ(text(error_of({"mesh", "info", "a.obj", "b.obj"}), "problem"),
              "'b.obj' is one argument too many");
    EXPECT_EQ(text(error_of({"xyzzy"}), "try_this"), "limber --help");
    EXPECT_EQ(text(error_of({"solve"}), "problem"), "a command is missing");
    EXPECT_TRUE(mentions(error_of({"models", "make", "spon", "-o", path("s.obj")}), "try_this", "spoon"));
}

TEST_F(Errors, TheMessageForPeopleHasTheHouseForm) {
    const Ran ran = run_limber({"solve", "modes", "bar.vtu", "--cuont", "5"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err,
              "error: limber solve modes: unknown option '--cuont'\n  try: limber solve modes --count\n");
}

TEST_F(Errors, MissingArgumentsAreNamed) {
    EXPECT_TRUE(mentions(error_of({"mesh", "info"}), "problem", "mesh"));
    EXPECT_TRUE(mentions(error_of({"mesh", "voxelize", "a.obj"}), "problem", "--output"));
    EXPECT_TRUE(mentions(error_of({"solve", "dynamic", "bar.vtu", "--duration", "1"}), "problem", "--dt"));
    const Ran without_value = run_limber({"solve", "modes", "bar.vtu", "--count"});
    EXPECT_EQ(without_value.status, 1);
    EXPECT_EQ(without_value.err.find("error: limber solve modes: --count"), 0u) << without_value.err;
}

TEST_F(Errors, NumbersThatAreNoneOrOutOfRangeAreRefusedByOption) {
    for (const char* bad : {"abc", "nan", "inf", "-1", "0", "1e999", "", "3x"})
        EXPECT_EQ(text(error_of({"solve", "dynamic", "bar.vtu", "--dt", bad, "--duration", "1"}), "where"),
                  "--dt")
            << bad;
    for (const char* bad : {"0", "-3", "2.5", "99999999999999999999", "many"})
        EXPECT_EQ(text(error_of({"solve", "modes", "bar.vtu", "--count", bad}), "where"), "--count") << bad;
    EXPECT_EQ(text(error_of({"mesh", "voxelize", "a.obj", "-o", "b.vtu", "--resolution", "5000"}), "where"),
              "--resolution");
    EXPECT_EQ(text(error_of({"solve", "modes", "bar.vtu", "--mass", "heavy"}), "problem"),
              "'heavy' is none of consistent, lumped");
}

TEST_F(Errors, MaterialsOutOfRangeAreRefused) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    const auto with = [&](Arguments extra) {
        Arguments all = {"solve", "modes", mesh, "--fix", "x<0.01", "--count", "1"};
        all.insert(all.end(), extra.begin(), extra.end());
        return error_of(all);
    };
    EXPECT_TRUE(mentions(with({"--poisson", "0.5"}), "problem", "0.5"));
    EXPECT_TRUE(mentions(with({"--poisson", "-1"}), "problem", "Poisson"));
    EXPECT_TRUE(mentions(with({"--young", "0"}), "problem", "Young"));
    EXPECT_TRUE(mentions(with({"--young", "-5"}), "problem", "-5 Pa"));
    EXPECT_EQ(text(with({"--young", "nan"}), "where"), "--young");
    EXPECT_TRUE(mentions(with({"--density", "0"}), "problem", "kg/m^3"));
    EXPECT_TRUE(mentions(with({"--material", "x>0.5: poisson=0.5"}), "where", "--material"));
    EXPECT_TRUE(mentions(with({"--material", "x>0.5: young=nan"}), "problem", "Young"));
    EXPECT_TRUE(mentions(with({"--material", "x>0.5: yuong=1"}), "problem", "yuong"));
    EXPECT_TRUE(mentions(with({"--material", "x>0.5: young=soft"}), "problem", "soft"));
    EXPECT_TRUE(mentions(with({"--material", "x>0.5: "}), "problem", "no constants"));
    EXPECT_TRUE(mentions(with({"--material", "x>0.5"}), "problem", "no colon"));
    EXPECT_TRUE(mentions(with({"--material", "x>5: young=1"}), "problem", "no element"));
}

TEST_F(Errors, SelectionsThatAreWrongOrEmptyAreRefusedWithTheBounds) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    auto error = error_of({"solve", "modes", mesh, "--fix", "x<<3", "--count", "1"});
    EXPECT_EQ(text(error, "where"), "--fix: in 'x<<3'");
    EXPECT_EQ(text(error, "problem"), "expected a number at character 3");
    error = error_of({"solve", "modes", mesh, "--fix", "x>9", "--count", "1"});
    EXPECT_EQ(text(error, "where"), "--fix 'x>9'");
    EXPECT_TRUE(mentions(error, "problem", "x 0 .. 1, y 0 .. 0.5, z 0 .. 0.5 m"));
    EXPECT_TRUE(mentions(error_of({"solve", "modes", mesh, "--fix", "all", "--count", "1"}), "problem",
                         "every vertex"));
    EXPECT_TRUE(mentions(error_of({"solve", "modes", mesh, "--fix", "#12", "--count", "1"}), "problem",
                         "12 vertices"));
    EXPECT_TRUE(
        mentions(error_of({"solve", "modes", mesh, "--probe", "none", "--count", "1"}), "where", "--probe"));
    EXPECT_TRUE(mentions(error_of({"solve", "modes", mesh, "--fix", "@handle", "--count", "1"}), "problem",
                         "handle"));
}

TEST_F(Errors, FilesThatAreMissingTruncatedOrOfTheWrongKindAreNamed) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    EXPECT_TRUE(mentions(error_of({"mesh", "info", path("nothing.obj")}), "where", "nothing.obj"));
    EXPECT_TRUE(mentions(error_of({"mesh", "info", path("")}), "where", folder_.string()));
    EXPECT_NE(text(error_of({"mesh", "info", path("a.xyz")}), "try_this").find(".obj"), std::string::npos);

    const std::string whole = file_text(mesh);
    write("cut.vtu", whole.substr(0, whole.size() / 2));
    EXPECT_TRUE(mentions(error_of({"solve", "modes", path("cut.vtu"), "--count", "1"}), "where", "cut.vtu"));

    write("nan.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    EXPECT_TRUE(mentions(error_of({"mesh", "info", path("nan.obj")}), "where", "nan.obj:3"));
    write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    EXPECT_TRUE(mentions(error_of({"mesh", "info", path("range.obj")}), "where", "range.obj:4"));

    // A surface where a volume is needed: the next command is offered.
    write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const auto error = error_of({"solve", "modes", path("sheet.obj"), "--count", "1"});
    EXPECT_EQ(text(error, "try_this").find("limber mesh voxelize " + path("sheet.obj") + " -o "), 0u)
        << error;
    // Outputs that cannot be written.
    EXPECT_TRUE(
        mentions(error_of({"mesh", "convert", mesh, path("no/such/folder.vtu")}), "where", "no/such"));
    EXPECT_TRUE(mentions(error_of({"mesh", "convert", mesh, path("out.xyz")}), "where", "out.xyz"));
}

TEST_F(Errors, InvertedTetrahedraAreRefusedWithTheRepair) {
    // One tet, nodes 2 and 3 exchanged: signed volume -1/6 m^3. Medit's text format.
    write("inverted.mesh",
          "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 "
          "0\nTetrahedra\n1\n1 3 2 4 0\nEnd\n");
    const auto error = error_of({"solve", "modes", path("inverted.mesh"), "--count", "1"});
    EXPECT_TRUE(mentions(error, "where", "inverted.mesh"));
    EXPECT_TRUE(mentions(error, "problem", "inverted"));
    EXPECT_TRUE(mentions(error, "problem", "m^3"));
    EXPECT_TRUE(mentions(error, "try_this", "limber mesh repair")) << error;
}

TEST_F(Errors, ControlCharactersInArgumentsDoNotReachTheTerminal) {
    const Ran ran = run_limber({"mesh", "info", "a.obj", std::string("\x1b[31mred")});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.err.find('\x1b'), std::string::npos);
}

TEST_F(Errors, AnInterruptedRunLeavesNoBrokenFiles) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    std::filesystem::create_directory(path("results"));
    const auto child = start_limber({"solve",
                                     "dynamic",
                                     mesh,
                                     "--fix",
                                     "x<0.01",
                                     "--load",
                                     "x>0.9: 0 0 1",
                                     "--dt",
                                     "1e-6",
                                     "--duration",
                                     "100",
                                     "--probe",
                                     "x>0.9",
                                     "--csv",
                                     path("results/tip.csv"),
                                     "--out",
                                     path("results/u.npy"),
                                     "--every",
                                     "1000",
                                     "--quiet"},
                                    path("out"), path("err"));
    // The temporary files show that it runs; a minute is more than the slowest machine needs.
    for (int i = 0; i < 600 && std::filesystem::is_empty(path("results")); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(std::filesystem::is_empty(path("results")));
    kill(child, SIGINT);
    const Ran ran = wait_for(child, path("out"), path("err"));
    EXPECT_EQ(ran.signal, SIGINT);
    EXPECT_TRUE(std::filesystem::is_empty(path("results")));
}

}  // namespace
}  // namespace limber::test
