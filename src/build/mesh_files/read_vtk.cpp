// SPDX-License-Identifier: Apache-2.0
// VTK's legacy format, versions 1.0 to 5.1, text and binary (big endian): unstructured grids and polygons.
// Data at points and cells are passed over.
#include "build/mesh_files/scalar_text.h"
#include "build/mesh_files/vtk_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

namespace limber::build {
namespace {

std::string lower(std::string_view word) {
    std::string out(word);
    for (char& c : out)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

// Cell c has the points from offsets[c] to offsets[c + 1] of `points`.
struct CellList {
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::int64_t> points;
    std::size_t size() const { return offsets.size() - 1; }
    std::span<const std::int64_t> cell(std::size_t c) const {
        const auto begin = static_cast<std::size_t>(offsets[c]),
                   end = static_cast<std::size_t>(offsets[c + 1]);
        return std::span(points).subspan(begin, end - begin);
    }
};

struct VtkFile {
    TextScanner text;
    bool binary = false;
    bool offsets_apart = false;  // version 5: cells as OFFSETS and CONNECTIVITY
};

ScalarType scalar_type(const TextScanner& text, std::string_view word) {
    const std::string name = lower(word);
    if (name == "char") return ScalarType::Int8;
    if (name == "unsigned_char") return ScalarType::UInt8;
    if (name == "short") return ScalarType::Int16;
    if (name == "unsigned_short") return ScalarType::UInt16;
    if (name == "int" || name == "vtkidtype") return ScalarType::Int32;  // vtkIdType is written as int
    if (name == "unsigned_int") return ScalarType::UInt32;
    if (name == "long" || name == "vtktypeint64") return ScalarType::Int64;
    if (name == "unsigned_long" || name == "vtktypeuint64") return ScalarType::UInt64;
    if (name == "float") return ScalarType::Float32;
    if (name == "double") return ScalarType::Float64;
    text.fail(fmt::format("number type '{}' is not known", printable(word)));
}

// `count` numbers behind the end of the present line.
ScalarArray read_array(VtkFile& file, ScalarType type, std::size_t count, std::string_view what) {
    TextScanner& text = file.text;
    if (!file.binary) return scan_scalars(text, type, count, what);
    text.skip_line();
    if (count > text.bytes_left() / size_of(type))
        text.fail(
            fmt::format("{} numbers are announced, but only {} bytes are left", count, text.bytes_left()),
            "a count is wrong or the file is truncated");
    return {type, std::string(text.take_bytes(count * size_of(type))), std::endian::big};
}

// The next keyword, in lower case, behind blocks of METADATA, which end at a blank line.
std::string next_keyword(TextScanner& text) {
    std::string keyword = lower(text.token());
    while (keyword == "metadata") {
        text.skip_line();
        while (text.bytes_left() > 0 && !text.rest_of_line().empty()) {
        }
        keyword = lower(text.token());
    }
    return keyword;
}

std::vector<Vertex> read_points(VtkFile& file) {
    TextScanner& text = file.text;
    const std::size_t count = text.count("the number of points", file.binary ? 3 : 6);
    if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        text.fail(fmt::format("{} points; limber counts to 2147483647", count), "coarsen the mesh");
    const ScalarType type = scalar_type(text, text.token());
    const ScalarArray numbers = read_array(file, type, 3 * count, "a coordinate");
    std::vector<Vertex> points;
    points.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vertex point(numbers.real(3 * i), numbers.real(3 * i + 1), numbers.real(3 * i + 2));
        if (!point.allFinite())
            text.fail(fmt::format("point {} is ({}, {}, {})", i, point.x(), point.y(), point.z()),
                      "every coordinate must be a finite number");
        points.push_back(point);
    }
    return points;
}

// Up to version 4 a list is: the number of points, the points; for every cell.
CellList read_counted_cells(VtkFile& file) {
    TextScanner& text = file.text;
    const std::size_t least = file.binary ? 4 : 2;
    const std::size_t count = text.count("the number of cells", least);
    const std::size_t size = text.count("the size of the list of cells", least);
    const ScalarArray numbers = read_array(file, ScalarType::Int32, size, "a point of a cell");
    CellList cells;
    cells.offsets.reserve(count + 1);
    cells.points.reserve(size);
    std::size_t at = 0;
    for (std::size_t c = 0; c < count; ++c) {
        const std::int64_t corners = at < size ? numbers.integer(at++) : -1;
        if (corners < 0 || static_cast<std::uint64_t>(corners) > size - at)
            text.fail(fmt::format("cell {} does not fit the list of {} numbers", c, size),
                      "the counts are wrong or the file is damaged");
        for (std::int64_t k = 0; k < corners; ++k)
            cells.points.push_back(numbers.integer(at++));
        cells.offsets.push_back(static_cast<std::int64_t>(cells.points.size()));
    }
    if (at != size)
        text.fail(fmt::format("the list of cells has {} numbers, of which {} are used", size, at),
                  "the counts are wrong or the file is damaged");
    return cells;
}

std::vector<std::int64_t> read_integers(VtkFile& file, std::string_view keyword, std::size_t count) {
    TextScanner& text = file.text;
    if (const std::string found = next_keyword(text); found != keyword)
        text.fail(fmt::format("expected '{}', found '{}'", keyword, printable(found)));
    const ScalarType type = scalar_type(text, text.token());
    if (!is_integer(type)) text.fail(fmt::format("{} must be whole numbers", keyword));
    const ScalarArray numbers = read_array(file, type, count, keyword);
    std::vector<std::int64_t> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = numbers.integer(i);
    return out;
}

CellList read_cells(VtkFile& file) {
    if (!file.offsets_apart) return read_counted_cells(file);
    TextScanner& text = file.text;
    const std::size_t least = file.binary ? 1 : 2;
    const std::size_t offset_count = text.count("the number of offsets", least);
    const std::size_t point_count = text.count("the number of points of cells", least);
    if (offset_count == 0) return {};
    CellList cells;
    cells.offsets = read_integers(file, "offsets", offset_count);
    cells.points = read_integers(file, "connectivity", point_count);
    if (cells.offsets.front() != 0 || !std::is_sorted(cells.offsets.begin(), cells.offsets.end()) ||
        static_cast<std::uint64_t>(cells.offsets.back()) != point_count)
        text.fail(fmt::format("the offsets of the cells do not rise from 0 to {}", point_count),
                  "the file is damaged; export it again");
    return cells;
}

// FIELD name n, then n arrays: name, components, tuples, type, numbers.
void skip_field(VtkFile& file) {
    TextScanner& text = file.text;
    text.token();
    const std::size_t arrays = text.count("the number of arrays of a field", 4);
    for (std::size_t i = 0; i < arrays; ++i) {
        if (next_keyword(text).empty()) text.fail("the file ends inside a field");
        const std::size_t components = text.count("the number of components", 0);
        const std::size_t tuples = text.count("the number of tuples", 0);
        const auto type_name = text.token();
        if (components > 0 && tuples > text.bytes_left() / components)
            text.fail(fmt::format("{} x {} numbers are announced, but only {} bytes are left", tuples,
                                  components, text.bytes_left()),
                      "the count is wrong or the file is truncated");
        if (lower(type_name) == "string") {  // one line each, in text files
            text.skip_line();
            for (std::size_t k = 0; k < tuples * components; ++k)
                text.skip_line();
        } else {
            read_array(file, scalar_type(text, type_name), tuples * components, "a number of a field");
        }
    }
}

VtkFile read_header(std::string_view bytes, const std::string& name) {
    VtkFile file{.text = TextScanner(bytes, name)};
    TextScanner& text = file.text;
    constexpr std::string_view kHead = "# vtk DataFile Version";
    const auto head = text.rest_of_line();
    if (!head.starts_with(kHead))
        text.fail(fmt::format("expected '{}', found '{}'", kHead, printable(head)),
                  "is this a legacy VTK file?");
    TextScanner version_text(head.substr(kHead.size()), name);
    const double version = version_text.number("the version");
    if (!(version >= 1 && version < 6))
        text.fail(fmt::format("version {} is not supported; 1.0 to 5.1 are", version),
                  "save it as version 4.2 or 5.1");
    file.offsets_apart = version >= 5;
    text.skip_line();  // the title
    const std::string encoding = lower(text.token());
    if (encoding != "ascii" && encoding != "binary")
        text.fail(fmt::format("expected ASCII or BINARY, found '{}'", printable(encoding)));
    file.binary = encoding == "binary";
    return file;
}

}  // namespace

AnyMesh read_vtk(std::string_view bytes, const std::string& name) {
    VtkFile file = read_header(bytes, name);
    TextScanner& text = file.text;
    CellSet cells;
    bool is_grid = false, has_dataset = false, has_points = false;
    std::optional<CellList> grid_cells, polygons, strips;
    std::optional<ScalarArray> types;

    const auto read_once = [&](std::optional<CellList>& list, std::string_view keyword) {
        if (list) text.fail(fmt::format("a second list '{}'", keyword));
        list = read_cells(file);
    };
    for (;;) {
        const std::string keyword = next_keyword(text);
        if (keyword.empty() || keyword == "point_data" || keyword == "cell_data") break;
        if (keyword == "dataset") {
            const std::string kind = lower(text.token());
            if (has_dataset || (kind != "unstructured_grid" && kind != "polydata"))
                text.fail(fmt::format("dataset '{}' is not supported; one UNSTRUCTURED_GRID or POLYDATA is",
                                      printable(kind)),
                          "in ParaView, save it as an unstructured grid");
            has_dataset = true;
            is_grid = kind == "unstructured_grid";
        } else if (keyword == "field") {
            skip_field(file);
        } else if (!has_dataset) {
            text.fail(fmt::format("expected DATASET, found '{}'", printable(keyword)));
        } else if (keyword == "points") {
            if (has_points) text.fail("a second list of points");
            has_points = true;
            cells.vertices = read_points(file);
        } else if (keyword == "cells" && is_grid) {
            read_once(grid_cells, keyword);
        } else if (keyword == "cell_types" && is_grid) {
            if (types) text.fail("a second list of cell types");
            const std::size_t count = text.count("the number of cell types", file.binary ? 4 : 2);
            types = read_array(file, ScalarType::Int32, count, "the type of a cell");
        } else if (keyword == "polygons" && !is_grid) {
            read_once(polygons, keyword);
        } else if (keyword == "triangle_strips" && !is_grid) {
            read_once(strips, keyword);
        } else if ((keyword == "vertices" || keyword == "lines") && !is_grid) {
            read_cells(file);
        } else {
            text.fail(fmt::format("expected a keyword such as POINTS, found '{}'", printable(keyword)),
                      "a count before this place is wrong or the file is damaged");
        }
    }
    if (!has_points) text.fail("there are no POINTS", "the file is truncated or not a mesh");
    if (is_grid && (!grid_cells || !types || grid_cells->size() != types->size()))
        text.fail(fmt::format("{} CELLS but {} CELL_TYPES", grid_cells ? grid_cells->size() : 0,
                              types ? types->size() : 0),
                  "the file is truncated or damaged; export it again");

    VtkCellReader reader(cells, name);
    if (is_grid)
        for (std::size_t c = 0; c < grid_cells->size(); ++c)
            reader.add(types->integer(c), grid_cells->cell(c));
    if (polygons)
        for (std::size_t c = 0; c < polygons->size(); ++c)
            reader.add(kVtkPolygon, polygons->cell(c));
    if (strips)
        for (std::size_t c = 0; c < strips->size(); ++c)
            reader.add(kVtkTriangleStrip, strips->cell(c));
    return mesh_of(std::move(cells), name);
}

}  // namespace limber::build
