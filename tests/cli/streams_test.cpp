// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error that are full or closed, text from files on a terminal, files that are
// none, and processes that must not stay.
#include "run_limber.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

namespace limber::test {
namespace {

using Streams = InFolder;

TEST_F(Streams, AResultThatCannotBeWrittenIsAnError) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    for (const char* redirected : {">/dev/full", ">&-"}) {
        const Ran text = run_in_shell(redirected, {"mesh", "info", mesh});
        EXPECT_EQ(text.status, 1) << redirected;
        EXPECT_NE(text.err.find("error: standard output: the result could not be written"), std::string::npos)
            << text.err;
        EXPECT_EQ(run_in_shell(redirected, {"mesh", "info", mesh, "--json"}).status, 1) << redirected;
        EXPECT_EQ(run_in_shell(redirected, {"--help"}).status, 1) << redirected;
        EXPECT_EQ(run_in_shell(redirected, {"--version"}).status, 1) << redirected;
        const Ran failed = run_in_shell(redirected, {"mesh", "info", path("none.obj"), "--json"});
        EXPECT_EQ(failed.status, 1);
        EXPECT_EQ(failed.signal, 0);
        EXPECT_NE(failed.err.find("none.obj"), std::string::npos) << failed.err;
    }
}

TEST_F(Streams, StandardErrorThatIsFullOrClosedStopsNothing) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    for (const char* redirected : {"2>/dev/full", "2>&-", "0<&- 2>&-"}) {
        const std::string output = path("u.npy");
        const Ran ran = run_in_shell(
            redirected, {"solve", "static", mesh, "--fix", "x<0.01", "--gravity", "0 0 -1", "--out", output});
        EXPECT_EQ(ran.signal, 0) << redirected;
        EXPECT_EQ(ran.status, 0) << redirected;
        EXPECT_NE(ran.out.find("12 vertices"), std::string::npos) << ran.out;
        EXPECT_EQ(run_in_shell(redirected, {"mesh", "info", path("none.obj")}).status, 1) << redirected;
    }
}

// Without a standard output the first file that is opened would become it.
TEST_F(Streams, ClosedStreamsDoNotEndUpInTheOutput) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    result_of({"mesh", "convert", mesh, path("right.vtk")});
    for (const char* redirected : {">&-", "0<&- >&-", "0<&- >&- 2>&-"}) {
        run_in_shell(redirected, {"mesh", "convert", mesh, path("out.vtk")});
        EXPECT_EQ(file_text(path("out.vtk")), file_text(path("right.vtk"))) << redirected;
    }
}

TEST_F(Streams, TextFromFilesIsShownAndNotObeyed) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    const std::string escape = "\x1b]0;title\x07\x1b[31m";
    // A key of a sketch, a key of a scene, a name of a file, a group of a mesh.
    write("sketch.json", R"({"\u001b]0;title\u0007\u001b[31m\u009b2J": 1})");
    write("scene.json", R"({"bodies": [{"\u001b]0;title\u0007\u001b[31m": 1}]})");
    const std::string odd = path("odd" + escape + ".obj");
    result_of({"mesh", "convert", mesh, odd});
    for (const Arguments& arguments :
         {Arguments{"build", mesh, "--basis", "sketch:" + path("sketch.json"), "-o", path("m.glb")},
          {"simulate", path("scene.json"), "-o", path("m.csv")},
          {"mesh", "info", odd},
          {"mesh", "convert", odd, path("other" + escape + ".obj")},
          {"mesh", "info", path("none" + escape + ".obj")},
          {"mesh", "info", mesh, "--" + escape},
          {"solve", "modes", mesh, "--count", escape}}) {
        const Ran ran = run_limber(arguments);
        for (const char control : {'\x1b', '\x07', '\x9b'})
            EXPECT_EQ((ran.out + ran.err).find(control), std::string::npos) << ran.out << ran.err;
    }
    EXPECT_NE(run_limber({"mesh", "info", path("none" + escape)}).err.find("none\\x1b]0;title\\x07\\x1b[31m"),
              std::string::npos);
}

// RFC 8259 asks for C0 only; delete and C1 are escaped too, and a parser reads the same text.
TEST_F(Streams, JsonHoldsNoControlCharacters) {
    const std::string mesh = bar("2,1,1", "1,0.5,0.5");
    const std::string name =
        "odd\x1b\x7f\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0\xc3\xa9.obj";  // then U+00A0, U+00E9
    const std::string odd = path(name);
    result_of({"mesh", "convert", mesh, odd});
    for (const Arguments& arguments :
         {Arguments{"mesh", "convert", odd, path("b" + name), "--json", "--quiet"},
          {"mesh", "info", path("none" + name), "--json", "--quiet"},
          {"mesh", "info", path("none" + name), "--progress", "json"}}) {
        const std::string all = run_limber(arguments).out + run_limber(arguments).err;
        for (const char* control : {"\x1b", "\x7f", "\xc2\x80", "\xc2\x9b", "\xc2\x9f"})
            EXPECT_EQ(all.find(control), std::string::npos) << all;
    }
    const Ran ran = run_limber({"mesh", "convert", odd, path("b" + name), "--json", "--quiet"});
    EXPECT_NE(ran.out.find("odd\\u001b\\u007f\\u0080\\u009b\\u009f\xc2\xa0\xc3\xa9.obj"), std::string::npos)
        << ran.out;
    EXPECT_EQ(ran.json()["output"], path("b" + name));
}

TEST_F(Streams, ADeviceIsNoFile) {
    write("scene.json", R"({"duration": 1, "bodies": [{"model": "/dev/zero"}]})");
    const auto error = error_of({"simulate", path("scene.json"), "-o", path("x.csv")});
    EXPECT_EQ(error["where"], "/dev/zero");
    EXPECT_EQ(error_of({"info", "/dev/zero"})["where"], "/dev/zero");
    EXPECT_EQ(error_of({"solve", "modes", bar("2,1,1", "1,0.5,0.5"), "--fix", "file:/dev/zero"})["where"],
              "--fix: /dev/zero");
}

// TetGen runs in a process of its own, which must end with ours, however ours ends.
TEST_F(Streams, TetGenEndsWithItsParent) {
    // Orphans become children of this process, which can then see how they end.
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    write("cube.off",
          "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n3 0 2 1\n3 0 3 2\n3 4 5 6\n3 "
          "4 6 7\n"
          "3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n");
    for (const int how : {SIGKILL, SIGTERM}) {
        // Some ten million tetrahedra: minutes.
        const pid_t limber = start_limber({"mesh", "tetrahedralize", path("cube.off"), "-o", path("cube.vtu"),
                                           "--max-volume", "1e-7", "--quiet"},
                                          path("out"), path("err"));
        pid_t tetgen = 0;
        for (int i = 0; i < 6000 && tetgen == 0; ++i) {
            usleep(10000);
            std::istringstream(file_text("/proc/" + std::to_string(limber) + "/task/" +
                                         std::to_string(limber) + "/children")) >>
                tetgen;
        }
        ASSERT_NE(tetgen, 0);
        kill(limber, how);
        EXPECT_EQ(wait_for(limber, path("out"), path("err")).signal, how);
        int status = 0;
        pid_t ended = 0;
        for (int i = 0; i < 500 && ended == 0; ++i, usleep(10000))
            ended = waitpid(tetgen, &status, WNOHANG);
        if (ended == 0) {
            ADD_FAILURE() << "TetGen goes on";
            kill(tetgen, SIGKILL);
            waitpid(tetgen, &status, 0);
        }
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    }
}

}  // namespace
}  // namespace limber::test
