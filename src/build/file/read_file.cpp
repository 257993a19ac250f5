// SPDX-License-Identifier: Apache-2.0
#include "build/file/read_file.h"

#include "build/file/output_guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limber/input_error.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace limber::build {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{8} << 30;  // bytes

// Open as long as it lives.
class OpenFile {
 public:
    // A pipe would wait for its other end without O_NONBLOCK; regular files do not know it.
    explicit OpenFile(const std::filesystem::path& path)
        : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
    ~OpenFile() {
        if (number_ >= 0) ::close(number_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    int number() const { return number_; }

 private:
    int number_;
};

[[noreturn]] void cannot_open(const std::filesystem::path& path, int error) {
    if (error == ENOENT)
        throw InputError{path.string(), "the file does not exist", "check the path and the spelling"};
    throw InputError{path.string(), fmt::format("cannot open the file: {}", std::strerror(error)), ""};
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    // Looked at first, because to open a device may already do something.
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) cannot_open(path, errno);
    if (S_ISDIR(status.st_mode))
        throw InputError{path.string(), "this is a folder, not a file", "name a file inside it"};
    const InputError special{path.string(), "this is a device or a pipe, not a regular file",
                             "write its bytes to a file first"};
    if (!S_ISREG(status.st_mode)) throw special;
    const OpenFile file(path);
    if (file.number() < 0) cannot_open(path, errno);
    if (::fstat(file.number(), &status) != 0) cannot_open(path, errno);
    if (!S_ISREG(status.st_mode)) throw special;
    refuse_output(path, status);

    const auto size = static_cast<std::uintmax_t>(status.st_size);
    if (size > kLargestFile)
        throw InputError{path.string(),
                         fmt::format("the file has {} bytes; the limit is {}", size, kLargestFile),
                         "split or coarsen the mesh"};
    // No more than the size, even if the file grows meanwhile.
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw InputError{path.string(), fmt::format("reading failed half way: {}", std::strerror(errno)),
                             "check the disk"};
        if (got == 0) break;  // it became shorter
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace limber::build
