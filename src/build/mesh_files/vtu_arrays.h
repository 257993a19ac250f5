// SPDX-License-Identifier: Apache-2.0
// The arrays of VTK's XML formats, however they are packed: text, base64, appended, compressed with zlib
// (VTK file formats, "XML file formats").
#pragma once
#include "build/mesh_files/packed_bytes.h"
#include "build/mesh_files/scalar_array.h"

#include <bit>
#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace limber::build {

class VtuArrays {
 public:
    // `appended` is what follows the underscore of <AppendedData>; the caller keeps it alive.
    // Reads byte_order, header_type and compressor of the root. `file_size` bounds the bytes of all arrays
    // together.
    VtuArrays(const pugi::xml_node& root, std::string_view appended, PackedBytes::Encoding appended_encoding,
              std::size_t file_size, std::string file);

    // A <DataArray> that must hold exactly `count` numbers. Checked before memory is taken.
    ScalarArray read(const pugi::xml_node& data_array, std::size_t count);

 private:
    ScalarArray read_text(const pugi::xml_node& data_array, ScalarType type, std::size_t count) const;
    std::string unpack(PackedBytes& in, std::size_t size, const std::string& where) const;
    std::string inflate_blocks(PackedBytes& in, std::size_t size, const std::string& where) const;
    std::uint64_t read_word(PackedBytes& in) const;
    void allow_expansion(std::size_t bytes, const std::string& where);

    std::string_view appended_;
    PackedBytes::Encoding appended_encoding_;
    std::size_t file_size_;
    std::size_t used_ = 0;      // bytes of the file that arrays have taken so far
    std::size_t expanded_ = 0;  // bytes that compressed arrays have become
    std::string file_;
    std::endian order_ = std::endian::little;
    std::size_t word_width_ = 4;  // bytes of the numbers that say how long an array is
    bool zlib_ = false;
};

}  // namespace limber::build
