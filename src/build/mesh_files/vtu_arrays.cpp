// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/vtu_arrays.h"

#include "build/mesh_files/scalar_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <vector>

namespace limber::build {
namespace {

// Deflate never expands a byte to more than 1032; a stream that claims more is a bomb.
constexpr std::size_t kLargestExpansion = 1100;
// Of all arrays together, with 8 bytes a number, which is what a mesh of them takes: grids, the most regular
// meshes, reach 11 bytes for one of the file. Zeros reach a thousand.
constexpr std::size_t kMostBytesPerByte = 64, kAlwaysAllowed = std::size_t{4} << 20;

ScalarType scalar_type(std::string_view name, const std::string& where) {
    static const std::map<std::string_view, ScalarType> types = {
        {"Int8", ScalarType::Int8},       {"UInt8", ScalarType::UInt8},   {"Int16", ScalarType::Int16},
        {"UInt16", ScalarType::UInt16},   {"Int32", ScalarType::Int32},   {"UInt32", ScalarType::UInt32},
        {"Int64", ScalarType::Int64},     {"UInt64", ScalarType::UInt64}, {"Float32", ScalarType::Float32},
        {"Float64", ScalarType::Float64},
    };
    const auto found = types.find(name);
    if (found == types.end())
        throw InputError{where, fmt::format("number type '{}' is not known", printable(name)), ""};
    return found->second;
}

}  // namespace

VtuArrays::VtuArrays(const pugi::xml_node& root, std::string_view appended,
                     PackedBytes::Encoding appended_encoding, std::size_t file_size, std::string file)
    : appended_(appended),
      appended_encoding_(appended_encoding),
      file_size_(file_size),
      file_(std::move(file)) {
    const std::string_view order = root.attribute("byte_order").as_string("LittleEndian");
    if (order != "LittleEndian" && order != "BigEndian")
        throw InputError{file_, fmt::format("byte_order '{}' is not known", printable(order)), ""};
    order_ = order == "BigEndian" ? std::endian::big : std::endian::little;

    const std::string_view word = root.attribute("header_type").as_string("UInt32");
    if (word != "UInt32" && word != "UInt64")
        throw InputError{file_, fmt::format("header_type '{}' is neither UInt32 nor UInt64", printable(word)),
                         ""};
    word_width_ = word == "UInt64" ? 8 : 4;

    const std::string_view compressor = root.attribute("compressor").as_string("");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
        throw InputError{file_, fmt::format("compressor '{}' is not supported", printable(compressor)),
                         "write the file with vtkZLibDataCompressor or without compression"};
    zlib_ = !compressor.empty();
}

ScalarArray VtuArrays::read(const pugi::xml_node& data_array, std::size_t count) {
    const std::string where =
        fmt::format("{}: array '{}'", file_, printable(data_array.attribute("Name").as_string("")));
    if (!data_array) throw InputError{file_, "an array of points or cells is missing", "the file is damaged"};
    const ScalarType type = scalar_type(data_array.attribute("type").as_string(""), where);
    if (count == 0) return {type, {}, order_};

    const std::string_view format = data_array.attribute("format").as_string("ascii");
    if (format == "ascii") return read_text(data_array, type, count);
    std::string_view packed;
    auto encoding = PackedBytes::Encoding::Base64;
    if (format == "binary") {
        packed = data_array.child_value();
    } else if (format == "appended") {
        const auto offset = data_array.attribute("offset").as_ullong(0);
        if (offset >= appended_.size())
            throw InputError{
                where, fmt::format("offset {} is behind the {} appended bytes", offset, appended_.size()),
                "the file is truncated or damaged"};
        packed = appended_.substr(static_cast<std::size_t>(offset));
        encoding = appended_encoding_;
    } else {
        throw InputError{where, fmt::format("format '{}' is not known", printable(format)), ""};
    }

    PackedBytes in(packed, encoding, where);
    if (count > in.most_left() * (zlib_ ? kLargestExpansion : 1) / size_of(type))
        throw InputError{
            where,
            fmt::format("{} numbers are announced, but {} bytes cannot hold them", count, packed.size()),
            "a count is wrong or the file is truncated"};
    if (zlib_) allow_expansion(8 * count, where);
    std::string bytes = unpack(in, count * size_of(type), where);
    // Arrays do not overlap in a sound file; in a hostile one they would multiply the memory.
    used_ += in.used();
    if (used_ > file_size_)
        throw InputError{where, "arrays overlap in the appended data", "the offsets are wrong"};
    return {type, std::move(bytes), order_};
}

void VtuArrays::allow_expansion(std::size_t bytes, const std::string& where) {
    expanded_ += bytes;
    if (expanded_ > kAlwaysAllowed + kMostBytesPerByte * file_size_)
        throw InputError{where,
                         fmt::format("the compressed arrays take {} bytes so far, out of a file of {}: no "
                                     "mesh is compressed so far",
                                     expanded_, file_size_),
                         "write the file without compression"};
}

ScalarArray VtuArrays::read_text(const pugi::xml_node& data_array, ScalarType type, std::size_t count) const {
    TextScanner text(
        data_array.child_value(),
        fmt::format("{}: array '{}', line", file_, printable(data_array.attribute("Name").as_string(""))));
    ScalarArray numbers = scan_scalars(text, type, count, "a number");
    if (!text.at_end())
        text.fail(fmt::format("more than the {} numbers announced", count), "a count is wrong");
    return numbers;
}

std::uint64_t VtuArrays::read_word(PackedBytes& in) const {
    const std::string bytes = in.take(word_width_);
    return word_width_ == 8 ? load_number<std::uint64_t>(bytes.data(), order_)
                            : load_number<std::uint32_t>(bytes.data(), order_);
}

// The length in bytes, then the bytes.
std::string VtuArrays::unpack(PackedBytes& in, std::size_t size, const std::string& where) const {
    if (zlib_) return inflate_blocks(in, size, where);
    const std::uint64_t stated = read_word(in);
    if (stated != size)
        throw InputError{where, fmt::format("{} bytes of data; {} are expected by the counts", stated, size),
                         "a count is wrong or the file is damaged"};
    return in.take(size);
}

// The number of blocks, the size of a whole block, the size of the last one (0: whole), the compressed
// size of each; then the blocks.
std::string VtuArrays::inflate_blocks(PackedBytes& in, std::size_t size, const std::string& where) const {
    const auto fail = [&](std::string problem) {
        throw InputError{where, std::move(problem), "a count is wrong or the file is damaged"};
    };
    const std::uint64_t blocks = read_word(in), block_size = read_word(in), last_size = read_word(in);
    if (blocks == 0 || blocks > in.most_left() / word_width_)
        fail(fmt::format("{} compressed blocks in {} bytes", blocks, in.most_left()));
    const std::uint64_t whole_blocks = last_size == 0 ? blocks : blocks - 1;
    if (last_size > size || (block_size > 0 && whole_blocks > (size - last_size) / block_size) ||
        whole_blocks * block_size + last_size != size)
        fail(fmt::format("{} blocks of {} and {} bytes; {} bytes are expected by the counts", whole_blocks,
                         block_size, last_size, size));

    std::vector<std::size_t> compressed(static_cast<std::size_t>(blocks));
    std::size_t total = 0;
    for (auto& bytes : compressed) {
        const std::uint64_t stated = read_word(in);
        if (stated > in.most_left() - std::min(total, in.most_left()))
            fail(fmt::format("a compressed block of {} bytes is longer than the file", stated));
        bytes = static_cast<std::size_t>(stated);
        total += bytes;
    }
    if (size / kLargestExpansion > total)
        fail(fmt::format("{} compressed bytes cannot hold {}", total, size));

    std::string out(size, '\0');
    std::size_t done = 0;
    for (std::size_t b = 0; b < compressed.size(); ++b) {
        const std::string block = in.take(compressed[b]);
        const auto expected = static_cast<std::size_t>(b < whole_blocks ? block_size : last_size);
        uLongf length = expected;
        const int result = uncompress(reinterpret_cast<Bytef*>(out.data() + done), &length,
                                      reinterpret_cast<const Bytef*>(block.data()), block.size());
        if (result != Z_OK || length != expected) fail(fmt::format("compressed block {} is damaged", b));
        done += expected;
    }
    return out;
}

}  // namespace limber::build
