// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include "build/file/visible_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

namespace limber::cli {
namespace {

constexpr int kBarWidth = 24;  // characters
constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(1);

// A message for people: what stands in it may come from a file. Further lines stand under the first, two
// blanks in.
std::string indented(std::string_view text) {
    std::string out;
    for (char c : build::visible_lines(text)) {
        out += c;
        if (c == '\n') out += "  ";
    }
    return out;
}

// Bytes that are not UTF-8 (from a file name or an argument) become U+FFFD: JSON must stay valid. Delete and
// C1 (U+0080 to U+009F, two bytes of which the first is c2) are allowed in JSON, but a terminal obeys them:
// they are escaped, as the library escapes C0. They can only stand in strings.
std::string json_text(const nlohmann::json& object, int indent) {
    const std::string raw = object.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string out;
    out.reserve(raw.size() + 1);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const auto byte = static_cast<unsigned char>(raw[i]);
        const auto next = static_cast<unsigned char>(i + 1 < raw.size() ? raw[i + 1] : 0);
        if (byte == 0x7f) {
            out += "\\u007f";
        } else if (byte == 0xc2 && next < 0xa0) {
            out += fmt::format("\\u{:04x}", next);
            ++i;
        } else {
            out += raw[i];
        }
    }
    return out + '\n';
}

// Who closed standard error does not want to hear; the work goes on.
void say(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void say_json_line(const nlohmann::json& object) {
    say(json_text(object, -1));
}

}  // namespace

void keep_standard_streams() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest free number is this one. Writing to standard output stays the error that it was.
        if (open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY) != number) return;
    }
}

Console::Console() : terminal_(isatty(STDERR_FILENO) == 1) {}

Console::~Console() {
    wipe_bar();
}

build::Progress Console::progress() {
    if (quiet) return {};
    return [this](std::string_view stage, double fraction) { show(stage, fraction); };
}

bool Console::shows_bar() const {
    return progress_form.empty() ? terminal_ : progress_form == "bar";
}

void Console::show(std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    const bool new_stage = stage != stage_;
    if (new_stage) {
        stage_ = stage;
        stage_began_ = now;
    } else if (now - last_shown_ < (progress_form == "lines" || (progress_form.empty() && !terminal_)
                                        ? Clock::duration(kLineInterval)
                                        : Clock::duration(kBarInterval))) {
        return;
    }
    last_shown_ = now;
    fraction = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
    const int percent = static_cast<int>(100 * fraction);
    const double seconds = std::chrono::duration<double>(now - stage_began_).count();
    if (progress_form == "json") {
        say_json_line({{"stage", stage_}, {"fraction", fraction}});
    } else if (shows_bar()) {
        const int filled = static_cast<int>(kBarWidth * fraction);
        say(fmt::format("\r\033[K{:<24} [{:#<{}}{:.<{}}] {:3d}%  {:.1f} s", build::visible_text(stage_), "",
                        filled, "", kBarWidth - filled, percent, seconds));
        bar_shown_ = true;
    } else if (new_stage) {
        say(fmt::format("{} ...\n", build::visible_text(stage_)));
    } else {
        say(fmt::format("{} ... {}% ({:.0f} s)\n", build::visible_text(stage_), percent, seconds));
    }
}

void Console::wipe_bar() {
    if (!bar_shown_) return;
    say("\r\033[K");
    bar_shown_ = false;
}

void Console::note(const std::string& text) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(text);
    if (quiet) return;
    if (progress_form == "json") return say_json_line({{"note", text}});
    wipe_bar();
    say(fmt::format("note: {}\n", indented(text)));
}

void Console::print(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if ((!written || std::fflush(stdout) != 0) && output_error_ == 0) output_error_ = errno;
}

bool Console::finish() {
    const std::lock_guard lock(mutex_);
    if (output_error_ == 0) return true;
    wipe_bar();
    say_error({"standard output",
               fmt::format("the result could not be written: {}", std::strerror(output_error_)), ""});
    return false;
}

void Console::result(nlohmann::json json_object, const std::string& text) {
    const std::lock_guard lock(mutex_);
    wipe_bar();
    if (json) {
        json_object["notes"] = notes_;
        print(json_text(json_object, 2));
    } else {
        print(build::visible_lines(text));
    }
}

nlohmann::json Console::say_error(const InputError& error) const {
    nlohmann::json object = {
        {"error", {{"where", error.where}, {"problem", error.problem}, {"try_this", error.try_this}}}};
    if (progress_form == "json") {
        say_json_line(object);
    } else {
        say(fmt::format("error: {}{}{}\n", build::visible_text(error.where), error.where.empty() ? "" : ": ",
                        indented(error.problem)));
        if (!error.try_this.empty()) say(fmt::format("  try: {}\n", indented(error.try_this)));
    }
    return object;
}

void Console::error(const InputError& error) {
    const std::lock_guard lock(mutex_);
    wipe_bar();
    const nlohmann::json object = say_error(error);
    if (json) print(json_text(object, 2));
}

}  // namespace limber::cli
