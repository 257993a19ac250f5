// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace limber::cli {
namespace {

constexpr int kBarWidth = 24;  // characters
constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(1);

// Further lines of a message stand under the first, two blanks in.
std::string indented(std::string_view text) {
    std::string out;
    for (char c : text) {
        out += c;
        if (c == '\n') out += "  ";
    }
    return out;
}

// Bytes that are not UTF-8 (from a file name or an argument) become U+FFFD: JSON must stay valid.
void print_json(const nlohmann::json& object) {
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_json_line(const nlohmann::json& object) {
    fmt::print(stderr, "{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stderr);
}

}  // namespace

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
        print_json_line({{"stage", stage_}, {"fraction", fraction}});
    } else if (shows_bar()) {
        const int filled = static_cast<int>(kBarWidth * fraction);
        fmt::print(stderr, "\r\033[K{:<24} [{:#<{}}{:.<{}}] {:3d}%  {:.1f} s", stage_, "", filled, "",
                   kBarWidth - filled, percent, seconds);
        bar_shown_ = true;
    } else if (new_stage) {
        fmt::print(stderr, "{} ...\n", stage_);
    } else {
        fmt::print(stderr, "{} ... {}% ({:.0f} s)\n", stage_, percent, seconds);
    }
    std::fflush(stderr);
}

void Console::wipe_bar() {
    if (!bar_shown_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    bar_shown_ = false;
}

void Console::note(const std::string& text) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(text);
    if (quiet) return;
    if (progress_form == "json") return print_json_line({{"note", text}});
    wipe_bar();
    fmt::print(stderr, "note: {}\n", indented(text));
}

void Console::result(nlohmann::json json_object, const std::string& text) {
    const std::lock_guard lock(mutex_);
    wipe_bar();
    if (json) {
        json_object["notes"] = notes_;
        print_json(json_object);
    } else {
        fmt::print("{}", text);
    }
    std::fflush(stdout);
}

void Console::error(const InputError& error) {
    const std::lock_guard lock(mutex_);
    wipe_bar();
    const nlohmann::json object = {
        {"error", {{"where", error.where}, {"problem", error.problem}, {"try_this", error.try_this}}}};
    if (progress_form == "json") {
        print_json_line(object);
    } else {
        fmt::print(stderr, "error: {}{}{}\n", error.where, error.where.empty() ? "" : ": ",
                   indented(error.problem));
        if (!error.try_this.empty()) fmt::print(stderr, "  try: {}\n", indented(error.try_this));
    }
    if (json) {
        print_json(object);
        std::fflush(stdout);
    }
}

}  // namespace limber::cli
