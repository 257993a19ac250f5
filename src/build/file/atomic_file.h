// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all: written to a temporary name beside the target, then renamed.
#pragma once
#include <filesystem>
#include <fstream>
#include <string_view>

namespace limber::build {

// Usage:  AtomicFile file(path);  file.stream() << ...;  file.commit();
// Without commit() (an exception, a return) the target is untouched and the temporary file is removed.
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
    std::filesystem::path temporary_;
    std::ofstream out_;
    bool committed_ = false;
};

void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace limber::build
