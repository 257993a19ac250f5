// SPDX-License-Identifier: Apache-2.0
#include "build/file/output_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limber/input_error.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace limber::build {
namespace {

constexpr int kMostLinks = 40;  // as the kernel follows

// Where a link leads that leads to no file, link by link.
std::filesystem::path follow_dangling(std::filesystem::path path) {
    std::error_code error;
    for (int links = 0; links < kMostLinks; ++links) {
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        if (error) return path;
        path = path.parent_path() / next;  // an absolute one stands for itself
    }
    return path;
}

bool may(const std::filesystem::path& path, int what) {
    return ::faccessat(AT_FDCWD, path.c_str(), what, AT_EACCESS) == 0;
}

}  // namespace

std::filesystem::path OutputPlace::folder() const {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

OutputPlace output_place(const std::filesystem::path& name) {
    const auto refuse = [&](int error) {
        throw InputError{name.string(), fmt::format("cannot write here: {}", std::strerror(error)),
                         "check that the folder exists and that you may write in it"};
    };
    OutputPlace place{name, {}};
    struct stat status {};
    if (name.empty()) refuse(ENOENT);
    if (::stat(name.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode))
            throw InputError{name.string(), "this is a folder, not a file", "name a file inside it"};
        if (!may(name, W_OK))
            throw InputError{name.string(),
                             fmt::format("you may not write to this file: {}", std::strerror(errno)),
                             "another name, or change its permissions first"};
        place.before = status;
        place.special = !S_ISREG(status.st_mode);
        if (place.special) return place;
        std::error_code error;
        place.file = std::filesystem::canonical(name, error);
        if (error) refuse(error.value());
    } else {
        if (errno != ENOENT) refuse(errno);
        place.file = follow_dangling(name);
        if (!place.file.has_filename()) refuse(EISDIR);
    }

    // A file is replaced whole, so its folder must take a new one.
    const std::filesystem::path folder = place.folder();
    const auto refuse_folder = [&](int error) {
        if (place.before || place.file == name) refuse(error);
        throw InputError{name.string(),
                         fmt::format("the link leads to {}, which cannot be written: {}", place.file.string(),
                                     std::strerror(error)),
                         "remove the link, or make the folder that it leads to"};
    };
    if (::stat(folder.c_str(), &status) != 0) refuse_folder(errno);
    if (!S_ISDIR(status.st_mode)) refuse_folder(ENOTDIR);
    if (!may(folder, W_OK | X_OK)) refuse_folder(errno);
    return place;
}

void check_output_folder(const std::filesystem::path& name) {
    std::error_code error;
    const auto refuse = [&](const std::string& problem) {
        throw InputError{name.string(), problem, "name a new folder in a place where you may write"};
    };
    const auto status = std::filesystem::status(name, error);
    if (std::filesystem::exists(status)) {
        if (!std::filesystem::is_directory(status)) refuse("this is a file, not a folder");
        if (!std::filesystem::is_empty(name, error) && !error) refuse("the folder is not empty");
        if (error) refuse(fmt::format("cannot read this folder: {}", error.message()));
    }
    // The folder, or the nearest one above it that is there; of a relative name at last the working folder.
    std::filesystem::path folder = name;
    while (::access(folder.empty() ? "." : folder.c_str(), F_OK) != 0) {
        if (errno != ENOENT || std::filesystem::is_symlink(folder, error))
            refuse(fmt::format("cannot write here: {}", std::strerror(errno)));
        folder = folder.parent_path();
    }
    if (folder.empty()) folder = ".";
    if (!std::filesystem::is_directory(folder, error)) refuse(folder.string() + " is a file, not a folder");
    if (!may(folder, W_OK | X_OK)) refuse(fmt::format("cannot write here: {}", std::strerror(errno)));
}

}  // namespace limber::build
