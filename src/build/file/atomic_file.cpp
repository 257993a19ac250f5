// SPDX-License-Identifier: Apache-2.0
#include "build/file/atomic_file.h"

#include "build/file/output_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limber/input_error.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

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

// Short whatever the target is called: names have a limit of 255 bytes. The process and the number only make
// it unique; the lock tells whether its writer lives, also in another container or on another machine.
std::string temporary_name() {
    static std::atomic<int> serial{0};
    return fmt::format(".limber-{}-{}.tmp", getpid(), serial++);
}

bool is_temporary_name(std::string_view name) {
    return name.starts_with(".limber-") && name.ends_with(".tmp") &&
           name.substr(8, name.size() - 12).find_first_not_of("0123456789-") == std::string_view::npos;
}

// False: another process took the new file for an abandoned one. A file system without locks is no reason to
// stop; files are never taken for abandoned there.
bool take_lock(int file) {
    struct stat status {};
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

void remove_if_abandoned(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    struct stat opened {
    }, named{};
    // Its writer may have renamed it between open() and here.
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) &&
        ::lstat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        ::unlink(path.c_str());
    ::close(file);
}

// Once for each folder: a series of files does not look through its folder for each of them.
void remove_abandoned_files_once(const std::filesystem::path& folder) {
    static std::mutex mutex;
    static std::set<std::filesystem::path> seen;
    {
        const std::lock_guard lock(mutex);
        if (!seen.insert(folder).second) return;
    }
    remove_abandoned_files(folder);
}

// The name is on the disk only when its folder is. Some file systems cannot sync folders; the file has its
// name in any case.
void sync_folder(const std::filesystem::path& folder) {
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);
    ::close(opened);
}

}  // namespace

void remove_pending_files() noexcept {
    for (PendingFile& file : pending_files)
        if (file.state == PendingFile::Exists) unlink(file.path);
}

void remove_abandoned_files(const std::filesystem::path& folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (is_temporary_name(entry->path().filename().string())) remove_if_abandoned(entry->path());
}

AtomicFile::AtomicFile(const std::filesystem::path& target, Durability durability) : durability_(durability) {
    const OutputPlace place = output_place(target);
    target_ = place.file;
    temporary_ = target_;
    const auto refuse = [&](int error) {
        throw InputError{target.string(), fmt::format("cannot write here: {}", std::strerror(error)),
                         "check that the folder exists and that you may write in it"};
    };
    if (!place.special) {
        remove_abandoned_files_once(place.folder());
        const mode_t mode = place.before ? place.before->st_mode & 0777 : 0666;
        while (lock_ < 0) {
            temporary_ = place.folder() / temporary_name();
            lock_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (lock_ < 0 && errno != EEXIST) refuse(errno);
            if (lock_ >= 0 && !take_lock(lock_)) {
                ::close(lock_);
                lock_ = -1;
            }
        }
        pending_ = add_pending(temporary_.string());
        if (place.before) ::fchmod(lock_, mode);  // what the umask took away
    }
    out_.open(temporary_, std::ios::binary | std::ios::trunc);
    if (!out_) {
        const int error = errno;
        abandon();
        refuse(error);
    }
}

AtomicFile::~AtomicFile() {
    out_.close();
    abandon();
}

void AtomicFile::abandon() noexcept {
    if (lock_ < 0) return;
    ::unlink(temporary_.c_str());
    remove_pending(pending_);
    ::close(lock_);
    lock_ = -1;
}

void AtomicFile::commit() {
    out_.close();
    const bool sync = lock_ >= 0 && durability_ == Durability::Synced;
    // EINVAL: this file system cannot.
    if (!out_ || (sync && ::fsync(lock_) != 0 && errno != EINVAL))
        throw InputError{target_.string(), "writing failed; an old file is untouched",
                         "check the disk space"};
    if (lock_ < 0) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
        throw InputError{target_.string(), fmt::format("cannot write here: {}", std::strerror(errno)), ""};
    remove_pending(pending_);
    ::close(lock_);
    lock_ = -1;
    if (sync) sync_folder(target_.has_parent_path() ? target_.parent_path() : ".");
}

void write_file(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
    AtomicFile file(path, durability);
    file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.commit();
}

}  // namespace limber::build
