// SPDX-License-Identifier: Apache-2.0
#include "build/file/atomic_file.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace limber::build {

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
    static std::atomic<int> serial{0};
    if (std::filesystem::is_directory(target_))
        throw InputError{target_.string(), "this is a folder, not a file", "name a file inside it"};
    temporary_ = target_;
    temporary_ += fmt::format(".{}.{}.tmp", getpid(), serial++);
    out_.open(temporary_, std::ios::binary | std::ios::trunc);
    if (!out_)
        throw InputError{target_.string(), fmt::format("cannot write here: {}", std::strerror(errno)),
                         "check that the folder exists and that you may write in it"};
}

AtomicFile::~AtomicFile() {
    if (committed_) return;
    out_.close();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::commit() {
    out_.close();
    if (!out_) throw InputError{target_.string(), "writing failed; the old file is untouched", "check the disk space"};
    std::error_code error;
    std::filesystem::rename(temporary_, target_, error);
    if (error) throw InputError{target_.string(), fmt::format("cannot write here: {}", error.message()), ""};
    committed_ = true;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file(path);
    file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.commit();
}

}  // namespace limber::build
