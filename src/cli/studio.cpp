// SPDX-License-Identifier: Apache-2.0
// limber studio: the page in which soft bodies are made and played with, and the server behind it.
#include "studio/studio.h"

#include "build/file/atomic_file.h"
#include "cli/command.h"
#include "cli/text.h"
#include "studio/shell_words.h"
#include "studio/static_export.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct StudioCommand {
    std::vector<std::string> files;
    std::string host = "127.0.0.1";
    int port = -1;  // -1: not given
    bool no_open = false;
    std::string cache, export_folder;
    std::optional<double> memory_gb, job_minutes;
    int upload_mb = 256;
    double cache_gb = 4;
};

studio::StudioOptions options_of(const StudioCommand& command) {
    studio::StudioOptions out;
    out.host = command.host;
    if (command.port >= 0) out.port = command.port;
    out.cache = command.cache;
    out.files.assign(command.files.begin(), command.files.end());
    out.most_upload_bytes = static_cast<std::uint64_t>(command.upload_mb) << 20;
    out.most_cache_bytes = static_cast<std::uint64_t>(command.cache_gb * 1e9);
    out.limits.memory_bytes = command.memory_gb
                                  ? static_cast<std::uint64_t>(*command.memory_gb * 1073741824.0)
                                  : studio::memory_for_a_job();
    if (command.job_minutes) out.limits.seconds = 60 * *command.job_minutes;
    return out;
}

// A small page that only its owner can read and that leads to the address. The arguments of a program are
// visible to all users of a machine, so a browser is not started with the token in them.
class Opener {
 public:
    Opener(const std::filesystem::path& cache, const std::string& address)
        : file_(cache / fmt::format("open-{}.html", getpid())) {
        build::write_file(
            file_, fmt::format("<!doctype html><meta charset=\"utf-8\"><title>limber studio</title>"
                               "<meta http-equiv=\"refresh\" content=\"0; url={0}\"><a href=\"{0}\">{0}</a>",
                               address));
        std::error_code error;
        std::filesystem::permissions(
            file_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
        if (fork() == 0) {
            setsid();  // Ctrl-C in the terminal is for the studio, not for the browser
            sigset_t none;
            sigemptyset(&none);
            sigprocmask(SIG_SETMASK, &none, nullptr);
            freopen_quietly();
            close_range(3, ~0u, 0);  // connections of the studio among them
            execlp("xdg-open", "xdg-open", file_.c_str(), static_cast<char*>(nullptr));
            _exit(127);
        }
    }
    ~Opener() {
        std::error_code error;
        std::filesystem::remove(file_, error);
    }
    Opener(const Opener&) = delete;
    Opener& operator=(const Opener&) = delete;

 private:
    static void freopen_quietly() {
        if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(127);
    }
    std::filesystem::path file_;
};

bool has_display() {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

std::string own_name() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 && *name ? name : "THIS-MACHINE";
}

std::string for_people(const studio::Studio& studio, bool opening) {
    std::string out = fmt::format("limber studio runs. Its page:\n  {}\n", studio.address());
    if (!opening)
        out += fmt::format(
            "From another machine:\n  ssh -L {0}:127.0.0.1:{0} {1}\nand there the same address.\n",
            studio.port(), studio::shell_word(own_name()));
    return out + fmt::format("Models and uploads are kept in {}. Ctrl-C ends it.\n", studio.cache().string());
}

ExitStatus run_export(const StudioCommand& command, Console& console, const studio::Log& log) {
    const auto progress = console.progress();
    const auto done = studio::export_studio(
        options_of(command), command.export_folder, log,
        [&](const std::string& model) { build::tell(progress, "building " + studio::log_text(model), 0); });
    console.result({{"output", command.export_folder},
                    {"models", done.models},
                    {"files", done.files},
                    {"bytes", done.bytes}},
                   fmt::format("{}: {} models, {} files, {}\n  try: python3 -m http.server -d {}\n",
                               command.export_folder, done.models, done.files, bytes_text(done.bytes),
                               studio::shell_word(command.export_folder)));
    return ExitStatus::Done;
}

ExitStatus run(const StudioCommand& command, Console& console) {
    const studio::Log log = [&](const std::string& line) {
        if (!console.quiet) fmt::print(stderr, "studio: {}\n", line);
    };
    if (!command.export_folder.empty()) return run_export(command, console, log);
    // Waited for below; no thread of the studio takes them.
    sigset_t ends;
    sigemptyset(&ends);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&ends, number);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    const studio::Studio studio(options_of(command), log);
    const bool opening = !command.no_open && has_display();
    console.result({{"address", studio.address()},
                    {"port", studio.port()},
                    {"token", studio.token()},
                    {"cache", studio.cache().string()}},
                   for_people(studio, opening));
    std::optional<Opener> opener;
    if (opening) opener.emplace(studio.cache(), studio.address());
    int number = 0;
    sigwait(&ends, &number);
    if (!console.quiet) fmt::print(stderr, "studio: closing\n");
    return ExitStatus::Done;
}

}  // namespace

void add_studio(Command& limber) {
    auto options = std::make_shared<StudioCommand>();
    Command command = limber.add_command("studio", "Make soft bodies and play with them in a web page.",
                                         "limber studio bunny.obj");
    command.group("Files");
    command.arguments(
        "files", options->files,
        "models (.glb), meshes, names of built-in models; the page opens\na single one at once");
    command.text({"--cache", "folder", "where uploads and models are kept", "~/.cache/limber"},
                 options->cache);
    command.output_folder(
        {"--export", "folder", "write the gallery and the live view as files for any web host", ""},
        options->export_folder);
    command.group("Server");
    command.whole_number(
        {"--port", "n", "exactly this port; 0: any free one", "the first free one from 8420"}, 0, 65535,
        options->port);
    command.text({"--host", "address",
                  "address to listen on. If it is not loopback, everybody on\n"
                  "the network with the token has access, unencrypted",
                  "127.0.0.1"},
                 options->host);
    command.flag("--no-open", "do not open a browser", options->no_open);
    command.group("Limits");
    command.whole_number({"--upload-limit", "MB", "largest file that the page may send", "256"}, 1, 1 << 20,
                         options->upload_mb);
    command.number({"--cache-limit", "GB",
                    "of the cache; beyond it the oldest files that can be recreated are\n"
                    "removed, then uploads and jobs are refused",
                    "4"},
                   {0.001, 1e6, "a number from 0.001 to 1e6"}, options->cache_gb);
    command.number({"--memory-limit", "GB", "memory of one job", "3/4 of the machine's"},
                   {0.05, 1e6, "a number from 0.05 to 1e6"}, options->memory_gb);
    command.number({"--time-limit", "minutes", "of one job", "60"},
                   {0.001, 1e6, "a number from 0.001 to 1e6"}, options->job_minutes);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
