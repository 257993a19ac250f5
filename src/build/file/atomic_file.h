// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all: written to a temporary name beside the target, then renamed.
// The temporary file is locked while its writer lives. One without a lock was left by a writer that was
// killed; the next writer in that folder removes it.
#pragma once
#include <filesystem>
#include <fstream>
#include <string_view>

namespace limber::build {

enum class Durability {
    Synced,  // on the disk before it has its name, so that a power loss leaves the old file or the new one
    Cached,  // may be lost or damaged by a power loss: for what has a checksum and can be computed again
};

// Usage:  AtomicFile file(path);  file.stream() << ...;  file.commit();
// Without commit() (an exception, a return) the target is untouched and the temporary file is removed.
// Links are followed, also to a file that is not there yet; the permissions of a replaced file are kept.
// Devices and pipes cannot be replaced, so they are written to at once.
class AtomicFile {
 public:
    // Throws InputError if the place cannot be written (output_place.h).
    explicit AtomicFile(const std::filesystem::path& target, Durability durability = Durability::Synced);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    std::ostream& stream() { return out_; }

    // Flushes and renames. Throws InputError if the disk is full; then the target keeps its old content.
    void commit();

 private:
    void abandon() noexcept;

    std::filesystem::path target_;
    std::filesystem::path temporary_;  // the target itself if that is a device or a pipe
    Durability durability_;
    std::ofstream out_;
    int lock_ = -1;     // the temporary file once more, for its lock; -1: renamed, or there is none
    int pending_ = -1;  // its place in the list of remove_pending_files(); -1: not there
};

void write_file(const std::filesystem::path& path, std::string_view bytes,
                Durability durability = Durability::Synced);

// Removes the temporary files of all that is being written. For a signal handler that ends the program:
// it calls nothing but unlink().
void remove_pending_files() noexcept;

// Removes temporary files in the folder whose writers are gone.
void remove_abandoned_files(const std::filesystem::path& folder);

}  // namespace limber::build
