// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/gmsh_numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace limber::build {

void GmshNumbers::fail(std::string problem, std::string try_this) const {
    if (!binary) text.fail(std::move(problem), std::move(try_this));
    throw InputError{fmt::format("{}: byte {}", name_, position()), std::move(problem), std::move(try_this)};
}

void GmshNumbers::read_header() {
    text.expect("$MeshFormat");
    version = text.number("the MSH version");
    const bool is_2 = version >= 2 && version < 3;
    const bool is_41 = version == 4.1;
    if (!is_2 && !is_41)
        text.fail(fmt::format("MSH version {} is not supported; 2.2 and 4.1 are", version),
                  "save it again from Gmsh as version 4.1 (Mesh.MshFileVersion = 4.1)");
    const auto file_type = text.integer("the file type (0 for text, 1 for binary)");
    if (file_type != 0 && file_type != 1)
        text.fail(fmt::format("the file type is {}; 0 means text and 1 binary", file_type));
    // MSH 2 gives the width of its doubles here, MSH 4 that of its size_t.
    const auto width = text.integer("the data size");
    if (width != 8 && !(is_41 && width == 4))
        text.fail(fmt::format("the data size is {} bytes; limber reads 8{}", width, is_41 ? " and 4" : ""));
    size_width = static_cast<std::size_t>(width);

    if (file_type == 1) {
        end_line();
        order_ = std::endian::native;
        const auto one = text.take_bytes(4);
        if (load_number<std::int32_t>(one.data(), std::endian::little) == 1)
            order_ = std::endian::little;
        else if (load_number<std::int32_t>(one.data(), std::endian::big) == 1)
            order_ = std::endian::big;
        else
            text.fail("the four bytes after the header are not the number 1, so the byte order is unknown",
                      "the file is damaged (was it copied as text?); copy or export it again");
        binary = true;
    }
    text.expect("$EndMeshFormat");
}

int GmshNumbers::integer(std::string_view what) {
    if (binary) return load<std::int32_t>();
    const std::int64_t value = text.integer(what);
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
        fail(fmt::format("{} is {}, which does not fit 32 bits", what, value));
    return static_cast<int>(value);
}

std::uint64_t GmshNumbers::size(std::string_view what) {
    if (binary) return size_width == 8 ? load<std::uint64_t>() : load<std::uint32_t>();
    const std::int64_t value = text.integer(what);
    if (value < 0) fail(fmt::format("{} is {}", what, value));
    return static_cast<std::uint64_t>(value);
}

double GmshNumbers::real(std::string_view what) {
    return binary ? load<double>() : text.number(what);
}

double GmshNumbers::finite_real(std::string_view what) {
    const double value = real(what);
    if (!std::isfinite(value))
        fail(fmt::format("{} is {}", what, value), "every coordinate must be a finite number");
    return value;
}

std::size_t GmshNumbers::count(std::string_view what, std::size_t least_text_bytes,
                               std::size_t least_binary_bytes) {
    if (!binary) return text.count(what, least_text_bytes);
    const std::uint64_t n = size(what);
    if (n > text.bytes_left() / least_binary_bytes)
        fail(fmt::format("{} is {}, but only {} bytes are left in the file", what, n, text.bytes_left()),
             "the count is wrong or the file is truncated");
    return static_cast<std::size_t>(n);
}

void GmshNumbers::skip_section(std::string_view section) {
    const std::string end = fmt::format("$End{}", section.substr(1));
    const auto at = bytes_.find(end, position());
    if (at == std::string_view::npos)
        fail(fmt::format("section {} has no {}", printable(section), printable(end)),
             "the file is truncated; copy or export it again");
    text.take_bytes(at + end.size() - position());
}

}  // namespace limber::build
