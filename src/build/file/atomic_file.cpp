// SPDX-License-Identifier: Apache-2.0
#include "build/file/atomic_file.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

namespace limber::build {
namespace {

// The temporary files that exist now. Fixed memory, so that a signal handler can walk it; what does not fit
// in (more than 64 files at once, paths over 1 KB) is merely not removed when a signal ends the program.
struct PendingFile {
    enum : int { Free, Claimed, Exists };
    std::atomic<int> state{Free};
    char path[1024];
};
static_assert(std::atomic<int>::is_always_lock_free);
PendingFile pending_files[64];

int add_pending(const std::string& path) {
    if (path.size() >= sizeof(PendingFile::path)) return -1;
    for (int i = 0; i < static_cast<int>(std::size(pending_files)); ++i) {
        int expected = PendingFile::Free;
        if (!pending_files[i].state.compare_exchange_strong(expected, PendingFile::Claimed)) continue;
        std::memcpy(pending_files[i].path, path.c_str(), path.size() + 1);
        pending_files[i].state = PendingFile::Exists;
        return i;
    }
    return -1;
}

void remove_pending(int place) {
    if (place >= 0) pending_files[place].state = PendingFile::Free;
}

}  // namespace

void remove_pending_files() noexcept {
    for (PendingFile& file : pending_files)
        if (file.state == PendingFile::Exists) unlink(file.path);
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
    static std::atomic<int> serial{0};
    std::error_code ignored;
    // Through a link, so that the link stays and its file changes.
    if (const auto real = std::filesystem::canonical(target_, ignored); !ignored) target_ = real;
    const auto status = std::filesystem::status(target_, ignored);
    if (std::filesystem::is_directory(status))
        throw InputError{target_.string(), "this is a folder, not a file", "name a file inside it"};
    // A device or a pipe (/dev/null, /dev/stdout) is written to as it is; a rename would replace it.
    const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    temporary_ = target_;
    if (!special) temporary_ += fmt::format(".{}.{}.tmp", getpid(), serial++);
    out_.open(temporary_, std::ios::binary | std::ios::trunc);
    if (!out_)
        throw InputError{target_.string(), fmt::format("cannot write here: {}", std::strerror(errno)),
                         "check that the folder exists and that you may write in it"};
    if (!special) pending_ = add_pending(temporary_.string());
}

AtomicFile::~AtomicFile() {
    if (committed_ || temporary_ == target_) return;
    out_.close();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
    remove_pending(pending_);
}

void AtomicFile::commit() {
    out_.close();
    if (!out_)
        throw InputError{target_.string(), "writing failed; an old file is untouched",
                         "check the disk space"};
    std::error_code error;
    if (temporary_ != target_) std::filesystem::rename(temporary_, target_, error);
    if (error) throw InputError{target_.string(), fmt::format("cannot write here: {}", error.message()), ""};
    remove_pending(pending_);
    committed_ = true;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file(path);
    file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.commit();
}

}  // namespace limber::build
