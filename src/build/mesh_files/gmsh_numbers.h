// SPDX-License-Identifier: Apache-2.0
// The numbers in the sections of an MSH file, which are text or bytes as its header says.
#pragma once
#include "build/file/text_scanner.h"
#include "build/mesh_files/scalar_array.h"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace limber::build {

class GmshNumbers {
 public:
    GmshNumbers(std::string_view bytes, const std::string& name)
        : text(bytes, name), name_(name), bytes_(bytes) {}

    TextScanner text;  // section names, and the numbers of text files
    double version = 0;
    bool binary = false;
    std::size_t size_width = 8;  // bytes of MSH 4.1's size_t

    // $MeshFormat with the one that tells the byte order, to the end of the section.
    void read_header();

    // MSH's int (4 bytes), size_t and double.
    int integer(std::string_view what);
    std::uint64_t size(std::string_view what);
    double real(std::string_view what);
    double finite_real(std::string_view what);
    // A count whose things take at least so many bytes each: checked against what is left of the file.
    std::size_t count(std::string_view what, std::size_t least_text_bytes, std::size_t least_binary_bytes);

    // Steps over the end of the line that starts a section or precedes binary data.
    void end_line() { text.skip_line(); }
    // Goes behind "$EndName" for a section "$Name" that limber has no use for.
    void skip_section(std::string_view section);
    [[noreturn]] void fail(std::string problem, std::string try_this = "") const;

 private:
    std::size_t position() const { return bytes_.size() - text.bytes_left(); }
    template <class T>
    T load() {
        return load_number<T>(text.take_bytes(sizeof(T)).data(), order_);
    }

    std::string name_;
    std::string_view bytes_;
    std::endian order_ = std::endian::native;
};

}  // namespace limber::build
