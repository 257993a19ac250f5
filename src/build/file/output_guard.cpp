// SPDX-License-Identifier: Apache-2.0
#include "build/file/output_guard.h"

#include "build/file/output_place.h"

#include <fmt/format.h>

#include <mutex>
#include <system_error>

namespace limber::build {
namespace {

struct AnnouncedOutput {
    OutputName name;
    OutputPlace place;
};

// Of the whole program, like the files themselves. Readers may run in several threads.
std::mutex announced_mutex;
std::vector<AnnouncedOutput> announced_outputs;

bool same_file(const OutputPlace& place, const struct stat& status) {
    return place.before && place.before->st_dev == status.st_dev && place.before->st_ino == status.st_ino;
}

bool same_file(const OutputPlace& a, const OutputPlace& b) {
    if (b.before) return same_file(a, *b.before);
    // Neither is there yet: the same name in the same folder.
    std::error_code error;
    return !a.before && a.file.filename() == b.file.filename() &&
           std::filesystem::equivalent(a.folder(), b.folder(), error);
}

}  // namespace

void announce_outputs(const std::vector<OutputName>& outputs) {
    std::vector<AnnouncedOutput> list;
    for (const OutputName& output : outputs) {
        const OutputPlace place = output_place(output.file);
        if (place.special) continue;
        for (const AnnouncedOutput& other : list)
            if (same_file(other.place, place))
                throw InputError{
                    output.file.string(),
                    output.option == other.name.option
                        ? fmt::format("{} writes this file twice", output.option)
                        : fmt::format("{} and {} write the same file", other.name.option, output.option),
                    "another name for " + output.option};
        list.push_back({output, place});
    }
    const std::lock_guard lock(announced_mutex);
    announced_outputs = std::move(list);
}

void refuse_output(const std::filesystem::path& input, const struct stat& status) {
    const std::lock_guard lock(announced_mutex);
    for (const AnnouncedOutput& output : announced_outputs)
        if (same_file(output.place, status))
            throw WouldOverwrite{{output.name.file.string(),
                                  input == output.name.file
                                      ? std::string("this file is read; it would be written over")
                                      : fmt::format("this is the same file as {}, which is read; it would be "
                                                    "written over",
                                                    input.string()),
                                  "another name for " + output.name.option}};
}

void refuse_output(const std::filesystem::path& input) {
    struct stat status {};
    if (::stat(input.c_str(), &status) == 0) refuse_output(input, status);
}

}  // namespace limber::build
