// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all: written to a temporary name beside the target, then renamed.
#pragma once
#include <filesystem>
#include <fstream>
#include <string_view>

namespace limber::build {

// Usage:  AtomicFile file(path);  file.stream() << ...;  file.commit();
// Without commit() (an exception, a return) the target is untouched and the temporary file is removed.
// Links are followed. Devices and pipes cannot be replaced, so they are written to at once.
class AtomicFile {
 public:
    // Throws InputError if the folder does not exist or cannot be written.
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    std::ostream& stream() { return out_; }

    // Flushes and renames. Throws InputError if the disk is full; then the target keeps its old content.
    void commit();

 private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;  // the target itself if that is a device or a pipe
    std::ofstream out_;
    int pending_ = -1;  // its place in the list of remove_pending_files(); -1: not there
    bool committed_ = false;
};

void write_file(const std::filesystem::path& path, std::string_view bytes);

// Removes the temporary files of all that is being written. For a signal handler that ends the program:
// it calls nothing but unlink().
void remove_pending_files() noexcept;

}  // namespace limber::build
