// SPDX-License-Identifier: Apache-2.0
#include "build/file/read_file.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>

namespace limber::build {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{8} << 30;  // bytes

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::none)  // a folder on the way cannot be entered, for one
        throw InputError{path.string(), fmt::format("cannot open the file: {}", error.message()), ""};
    if (!std::filesystem::exists(status))
        throw InputError{path.string(), "the file does not exist", "check the path and the spelling"};
    if (std::filesystem::is_directory(status))
        throw InputError{path.string(), "this is a folder, not a file", "name a file inside it"};

    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw InputError{path.string(), fmt::format("cannot open the file: {}", std::strerror(errno)), ""};

    // Pipes and devices have no size; they are read to their end, up to the same limit.
    std::uintmax_t size =
        std::filesystem::is_regular_file(status) ? std::filesystem::file_size(path, error) : 0;
    if (error) size = 0;
    if (size > kLargestFile)
        throw InputError{path.string(),
                         fmt::format("the file has {} bytes; the limit is {}", size, kLargestFile),
                         "split or coarsen the mesh"};
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(size));
    char chunk[1 << 16];
    while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
        bytes.append(chunk, static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > kLargestFile)
            throw InputError{path.string(), fmt::format("more than {} bytes", kLargestFile),
                             "split or coarsen the mesh"};
    }
    if (in.bad()) throw InputError{path.string(), "reading failed half way", "check the disk"};
    return bytes;
}

}  // namespace limber::build
