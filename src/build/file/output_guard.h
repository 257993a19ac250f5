// SPDX-License-Identifier: Apache-2.0
// No command writes over what it reads. A program announces its outputs before it reads anything; from then
// on read_file() refuses them, whoever names them: an argument, a scene, a material library. Files are told
// apart by device and inode, so links, hard links and "./" make no difference.
#pragma once
#include <limber/input_error.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

namespace limber::build {

struct OutputName {
    std::string option;  // "--csv", for the message
    std::filesystem::path file;
};

// Not an InputError: the readers of textures and material libraries go on without a file that they cannot
// read, and it would be lost.
struct WouldOverwrite {
    InputError error;
};

// The outputs of this run, in place of earlier ones. Throws InputError if one of them cannot be written or
// if two are the same file. Devices and pipes may be named as often as one likes.
void announce_outputs(const std::vector<OutputName>& outputs);

// Throws WouldOverwrite if the file is an announced output; does nothing if it is not there.
void refuse_output(const std::filesystem::path& input);
void refuse_output(const std::filesystem::path& input, const struct stat& status);

}  // namespace limber::build
