// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/tetgen_process.h"

#include "build/file/child_process.h"

#include <fmt/format.h>

#define TETLIBRARY
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tetgen.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace limber::build {
namespace {

// Of processor time, s: far more than any surface took that TetGen could fill.
constexpr rlim_t kTimeLimit = 1800;

// What the child sends first.
struct Header {
    std::int64_t points = 0, tets = 0;
};

bool write_all(int file, const void* data, std::size_t bytes) {
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t n = ::write(file, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

bool read_all(int file, void* data, std::size_t bytes) {
    char* at = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t n = ::read(file, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

void fill(const SurfaceMesh& surface, tetgenio& in) {
    in.firstnumber = 0;
    in.numberofpoints = static_cast<int>(surface.vertices.size());
    in.pointlist = new REAL[3 * surface.vertices.size()];
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        std::copy_n(surface.vertices[v].data(), 3, in.pointlist + 3 * v);
    in.numberoffacets = static_cast<int>(surface.triangles.size());
    in.facetlist = new tetgenio::facet[surface.triangles.size()];
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        tetgenio::facet& facet = in.facetlist[t];
        tetgenio::init(&facet);
        facet.numberofpolygons = 1;
        facet.polygonlist = new tetgenio::polygon[1];
        tetgenio::init(facet.polygonlist);
        facet.polygonlist->numberofvertices = 3;
        facet.polygonlist->vertexlist = new int[3];
        std::copy_n(surface.triangles[t].data(), 3, facet.polygonlist->vertexlist);
    }
}

// The child's whole life: silent, limited, and without the parent's clean-up at its end. It stays in the
// parent's process group, so that who ends the group ends it too.
[[noreturn]] void work(const SurfaceMesh& surface, std::string switches, int pipe_end, pid_t parent) {
    end_with_parent(parent);
    restore_default_signals();
    const rlimit no_core{0, 0}, time{kTimeLimit, kTimeLimit};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_CPU, &time);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    // The parent's files and sockets: nobody shall wait for this process to close them.
    const auto pipe_number = static_cast<unsigned>(pipe_end);
    if (pipe_number > 3) ::close_range(3, pipe_number - 1, 0);
    ::close_range(pipe_number + 1, ~0u, 0);
    try {
        tetgenio in, out;
        fill(surface, in);
        ::tetrahedralize(switches.data(), &in, &out);
        const Header header{out.numberofpoints, out.numberoftetrahedra};
        const auto points = static_cast<std::size_t>(header.points),
                   tets = static_cast<std::size_t>(header.tets);
        const bool sent = (tets == 0 || out.numberoftetrahedronattributes == 1) &&
                          write_all(pipe_end, &header, sizeof header) &&
                          write_all(pipe_end, out.pointlist, 3 * points * sizeof(REAL)) &&
                          write_all(pipe_end, out.tetrahedronlist, 4 * tets * sizeof(int)) &&
                          write_all(pipe_end, out.tetrahedronattributelist, tets * sizeof(REAL));
        ::_exit(sent ? 0 : 125);
    } catch (const int code) {
        ::_exit(code);
    } catch (...) {
        ::_exit(1);  // no memory
    }
}

std::string describe(int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return fmt::format("it found no end in {} s", kTimeLimit);
    if (WIFSIGNALED(status)) return fmt::format("it broke off (signal {})", WTERMSIG(status));
    switch (WEXITSTATUS(status)) {
        case 1:
            return "it ran out of memory";
        case 3:
            return "it met facets that cut each other";
        case 4:
            return "it met a feature smaller than it can resolve";
        case 5:
            return "it met two facets closer than it can tell apart";
        default:
            return fmt::format("it gave up with code {}", WEXITSTATUS(status));
    }
}

}  // namespace

TetGenResult run_tetgen(const SurfaceMesh& surface, const std::string& switches) {
    static_assert(std::is_same_v<REAL, double>);
    TetGenResult result;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        result.failure = fmt::format("it could not be started: {}", std::strerror(errno));
        return result;
    }
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) work(surface, switches, ends[1], parent);
    const int fork_error = errno;
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        result.failure = fmt::format("it could not be started: {}", std::strerror(fork_error));
        return result;
    }

    Header header;
    bool complete = read_all(ends[0], &header, sizeof header);
    if (complete) {
        result.points.resize(static_cast<std::size_t>(3 * header.points));
        result.tets.resize(static_cast<std::size_t>(4 * header.tets));
        result.regions.resize(static_cast<std::size_t>(header.tets));
        complete = read_all(ends[0], result.points.data(), result.points.size() * sizeof(double)) &&
                   read_all(ends[0], result.tets.data(), result.tets.size() * sizeof(int)) &&
                   read_all(ends[0], result.regions.data(), result.regions.size() * sizeof(double));
    }
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.done = complete && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!result.done) result.failure = describe(status);
    return result;
}

}  // namespace limber::build
