// SPDX-License-Identifier: Apache-2.0
// The format: "\x93NUMPY", version (2 bytes), length of the header (little-endian, 2 bytes in version 1,
// 4 later), the header as a Python dictionary padded with blanks to a multiple of 64, then the numbers.
#include "build/file/npy.h"

#include "build/file/read_file.h"
#include "build/file/text_scanner.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace limber::build {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPreamble = 10;        // magic, version, two bytes of length
constexpr std::size_t kHeaderBytes = 128;    // room for four dimensions of any size
constexpr std::size_t kMostDimensions = 32;  // as in NumPy

void write_values(std::ostream& out, std::span<const double> values) {
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size_bytes()));
}

struct Header {
    std::string type;
    bool fortran_order = false;
    std::vector<std::size_t> shape;
};

// Reads the three entries of the dictionary in any order. Not a Python parser: what numpy.save writes.
class HeaderParser {
 public:
    HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    Header parse() {
        Header header;
        bool has_type = false, has_order = false, has_shape = false;
        expect('{');
        while (!take('}')) {
            const std::string key = string();
            expect(':');
            if (key == "descr") {
                header.type = string();
                has_type = true;
            } else if (key == "fortran_order") {
                header.fortran_order = truth();
                has_order = true;
            } else if (key == "shape") {
                header.shape = tuple();
                has_shape = true;
            } else {
                fail(fmt::format("unknown key '{}'", printable(key)));
            }
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (!has_type || !has_order || !has_shape) fail("descr, fortran_order or shape is missing");
        return header;
    }

 private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw InputError{name_, "the header of this .npy file is broken: " + problem,
                         "save it again by numpy.save"};
    }
    void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n\r"), text_.size())); }
    bool take(char c) {
        skip_blanks();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail(fmt::format("expected '{}'", c));
    }
    std::string string() {
        skip_blanks();
        if (text_.empty() || (text_.front() != '\'' && text_.front() != '"'))
            fail("expected a word in quotes (arrays of records are not read)");
        const char quote = text_.front();
        const auto end = text_.find(quote, 1);
        if (end == std::string_view::npos) fail("a quote is not closed");
        const std::string out(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return out;
    }
    bool truth() {
        skip_blanks();
        for (const auto& [word, value] :
             {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}})
            if (text_.starts_with(word)) return text_.remove_prefix(word.size()), value;
        fail("fortran_order is neither True nor False");
    }
    std::vector<std::size_t> tuple() {
        std::vector<std::size_t> out;
        expect('(');
        while (!take(')')) {
            std::size_t value = 0;
            skip_blanks();
            const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
            if (error != std::errc{}) fail("the shape is not a tuple of whole numbers");
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            out.push_back(value);
            if (out.size() > kMostDimensions) fail(fmt::format("more than {} dimensions", kMostDimensions));
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return out;
    }

    std::string_view text_;
    const std::string& name_;
};

// The number of entries; none if it does not fit, so that the caller compares it with the file's length
// safely.
std::size_t entries_of(const std::vector<std::size_t>& shape, const std::string& name) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(double);
    std::size_t entries = 1;
    for (std::size_t d : shape) {
        if (d == 0) return 0;
        if (entries > most / d)
            throw InputError{name, "the shape asks for more numbers than any file can hold", ""};
        entries *= d;
    }
    return entries;
}

template <class Number>
std::vector<double> values_of(std::string_view data, std::size_t entries) {
    std::vector<double> out(entries);
    for (std::size_t i = 0; i < entries; ++i) {
        Number value;
        std::memcpy(&value, data.data() + i * sizeof(Number), sizeof(Number));
        out[i] = static_cast<double>(value);
    }
    return out;
}

// First index fastest -> last index fastest.
std::vector<double> to_c_order(const std::vector<double>& fortran, const std::vector<std::size_t>& shape) {
    std::vector<double> out(fortran.size());
    std::vector<std::size_t> index(shape.size(), 0);
    for (double value : fortran) {
        std::size_t position = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            position = position * shape[axis] + index[axis];
        out[position] = value;
        for (std::size_t axis = 0; axis < shape.size() && ++index[axis] == shape[axis]; ++axis)
            index[axis] = 0;
    }
    return out;
}

}  // namespace

std::string npy_header(const std::vector<std::size_t>& shape) {
    std::string dimensions;
    for (std::size_t d : shape)
        dimensions += fmt::format("{}, ", d);
    // A tuple of one keeps its comma: (3,).
    if (shape.size() == 1) dimensions.pop_back();
    if (shape.size() > 1) dimensions.resize(dimensions.size() - 2);
    std::string dictionary =
        fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", dimensions);
    std::size_t total = kHeaderBytes;
    while (kPreamble + dictionary.size() + 1 > total)
        total += 64;
    dictionary.resize(total - kPreamble - 1, ' ');
    dictionary += '\n';
    std::string out(kMagic);
    out += '\1';
    out += '\0';
    out += static_cast<char>(dictionary.size() & 0xff);
    out += static_cast<char>(dictionary.size() >> 8);
    return out + dictionary;
}

namespace {

struct NumberType {
    std::string_view word;
    std::size_t width;  // bytes
    std::vector<double> (*values)(std::string_view data, std::size_t entries);
};
template <class Number>
constexpr NumberType number_type(std::string_view word) {
    return {word, sizeof(Number), values_of<Number>};
}
constexpr std::array<NumberType, 10> kTypes = {
    {number_type<double>("<f8"), number_type<float>("<f4"), number_type<std::int64_t>("<i8"),
     number_type<std::int32_t>("<i4"), number_type<std::int16_t>("<i2"), number_type<std::int8_t>("|i1"),
     number_type<std::uint64_t>("<u8"), number_type<std::uint32_t>("<u4"), number_type<std::uint16_t>("<u2"),
     number_type<std::uint8_t>("|u1")}};

}  // namespace

NpyArray read_npy(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kPreamble || !bytes.starts_with(kMagic))
        throw InputError{name, "this is not a .npy file", "save the array by numpy.save"};
    const auto byte = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3)
        throw InputError{name, fmt::format("version {} of .npy is unknown", version), ""};
    std::size_t begin = kPreamble, length = byte(8) | byte(9) << 8;
    if (version > 1) {
        begin = 12;
        if (bytes.size() < begin) throw InputError{name, "the file ends inside its header", "copy it again"};
        length |= byte(10) << 16 | byte(11) << 24;
    }
    if (length > bytes.size() - begin)
        throw InputError{name, "the file ends inside its header", "copy it again"};

    const Header header = HeaderParser(bytes.substr(begin, length), name).parse();
    const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const NumberType& one) { return one.word == header.type; });
    if (type == kTypes.end())
        throw InputError{
            name,
            fmt::format("the numbers are of type '{}'; float64, float32 and whole numbers are read",
                        printable(header.type)),
            "convert in Python: numpy.save(FILE, array.astype('<f8'))"};
    const std::string_view data = bytes.substr(begin + length);
    const std::size_t entries = entries_of(header.shape, name);
    const std::size_t width = type->width;
    if (data.size() / width != entries || data.size() % width != 0)
        throw InputError{
            name,
            fmt::format("the shape asks for {} numbers of {} bytes, the file has {} bytes of them", entries,
                        width, data.size()),
            "the file is truncated or damaged; copy it again"};
    NpyArray out{header.shape, type->values(data, entries)};
    if (header.fortran_order && entries > 0) out.values = to_c_order(out.values, out.shape);
    return out;
}

NpyArray read_npy(const std::filesystem::path& path) {
    return read_npy(read_file(path), path.string());
}

void write_npy(const std::filesystem::path& path, const std::vector<std::size_t>& shape,
               std::span<const double> values) {
    assert(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()) == values.size());
    AtomicFile file(path);
    file.stream() << npy_header(shape);
    write_values(file.stream(), values);
    file.commit();
}

NpyRows::NpyRows(const std::filesystem::path& path, std::vector<std::size_t> row_shape)
    : file_(path), row_shape_(std::move(row_shape)) {
    row_shape_.insert(row_shape_.begin(), 0);
    file_.stream() << npy_header(row_shape_);
}

void NpyRows::append(std::span<const double> row) {
    assert(std::accumulate(row_shape_.begin() + 1, row_shape_.end(), std::size_t{1}, std::multiplies<>()) ==
           row.size());
    write_values(file_.stream(), row);
    ++rows_;
}

void NpyRows::commit() {
    // The header has the same length for any number of rows.
    row_shape_[0] = rows_;
    file_.stream().seekp(0);
    file_.stream() << npy_header(row_shape_);
    file_.commit();
}

}  // namespace limber::build
