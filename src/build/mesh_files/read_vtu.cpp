// SPDX-License-Identifier: Apache-2.0
// VTK's XML format for unstructured grids (.vtu): all number types, text, base64 and appended data, zlib.
// The pieces of a file are joined. Of the data at cells "fraction" is read, the filled part of each brick;
// all other data are passed over.
#include "build/file/text_scanner.h"
#include "build/mesh_files/vtk_cells.h"
#include "build/mesh_files/vtu_arrays.h"

#include <fmt/format.h>

#include <limits>

namespace limber::build {
namespace {

// Appended data may be raw bytes, which are no XML: they are cut off and kept apart.
struct CutFile {
    std::string xml;
    std::string_view appended;
};

CutFile cut_appended_data(std::string_view bytes, const std::string& name) {
    const auto tag = bytes.find("<AppendedData");
    if (tag == std::string_view::npos) return {std::string(bytes), {}};
    const auto tag_end = bytes.find('>', tag);
    const auto underscore =
        tag_end == std::string_view::npos ? tag_end : bytes.find_first_not_of(" \t\r\n", tag_end + 1);
    if (underscore == std::string_view::npos || bytes[underscore] != '_')
        throw InputError{fmt::format("{}: byte {}", name, tag),
                         "the appended data do not start with an underscore",
                         "the file is truncated or damaged"};
    return {std::string(bytes.substr(0, tag_end + 1)) + "</AppendedData></VTKFile>",
            bytes.substr(underscore + 1)};
}

std::size_t read_count(const pugi::xml_node& piece, const char* attribute, const std::string& name) {
    const TextScanner text({}, name);
    const std::int64_t count = text.to_integer(piece.attribute(attribute).as_string("0"), attribute);
    if (count < 0 || count > std::numeric_limits<int>::max())
        throw InputError{name, fmt::format("{} is {}", attribute, count),
                         "it must be between 0 and 2147483647"};
    return static_cast<std::size_t>(count);
}

ScalarArray read_integers(VtuArrays& arrays, const pugi::xml_node& parent, const char* array_name,
                          std::size_t count, const std::string& name) {
    ScalarArray numbers = arrays.read(parent.find_child_by_attribute("DataArray", "Name", array_name), count);
    if (!is_integer(numbers.type()))
        throw InputError{name, fmt::format("the array '{}' must be of whole numbers", array_name), ""};
    return numbers;
}

void read_points(VtuArrays& arrays, const pugi::xml_node& piece, CellSet& cells, const std::string& name) {
    const std::size_t count = read_count(piece, "NumberOfPoints", name);
    const pugi::xml_node data_array = piece.child("Points").child("DataArray");
    if (count > 0 && data_array.attribute("NumberOfComponents").as_int(1) != 3)
        throw InputError{name, "the points need NumberOfComponents=\"3\"", ""};
    const ScalarArray numbers = count == 0 ? ScalarArray() : arrays.read(data_array, 3 * count);
    if (cells.vertices.size() + count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw InputError{name, "more than 2147483647 points", "coarsen the mesh"};
    cells.vertices.reserve(cells.vertices.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vertex point(numbers.real(3 * i), numbers.real(3 * i + 1), numbers.real(3 * i + 2));
        if (!point.allFinite())
            throw InputError{name,
                             fmt::format("point {} is ({}, {}, {})", i, point.x(), point.y(), point.z()),
                             "every coordinate must be a finite number"};
        cells.vertices.push_back(point);
    }
}

void read_piece(VtuArrays& arrays, const pugi::xml_node& piece, CellSet& cells, VtkCellReader& reader,
                const std::string& name) {
    const std::size_t first_vertex = cells.vertices.size();
    read_points(arrays, piece, cells, name);

    const std::size_t count = read_count(piece, "NumberOfCells", name);
    if (count == 0) return;
    const pugi::xml_node lists = piece.child("Cells");
    const ScalarArray types = read_integers(arrays, lists, "types", count, name);
    const ScalarArray offsets = read_integers(arrays, lists, "offsets", count, name);
    // Offsets are the ends of the cells in the connectivity.
    std::int64_t end = 0;
    for (std::size_t c = 0; c < count; ++c) {
        if (offsets.integer(c) < end)
            throw InputError{name, fmt::format("the offsets fall at cell {}", c), "the file is damaged"};
        end = offsets.integer(c);
    }
    const ScalarArray connectivity =
        read_integers(arrays, lists, "connectivity", static_cast<std::size_t>(end), name);
    const pugi::xml_node filled =
        piece.child("CellData").find_child_by_attribute("DataArray", "Name", "fraction");
    const bool has_fraction = filled && filled.attribute("NumberOfComponents").as_int(1) == 1;
    const ScalarArray fraction = has_fraction ? arrays.read(filled, count) : ScalarArray();
    std::vector<std::int64_t> points;
    std::size_t at = 0;
    for (std::size_t c = 0; c < count; ++c) {
        points.clear();
        for (; at < static_cast<std::size_t>(offsets.integer(c)); ++at)
            points.push_back(connectivity.integer(at));
        const std::size_t bricks = cells.bricks.size();
        reader.add(types.integer(c), points, first_vertex);
        if (!has_fraction || cells.bricks.size() == bricks) continue;
        const auto f = static_cast<float>(fraction.real(c));
        if (!(f > 0 && f <= 1))
            throw InputError{name, fmt::format("the cell data 'fraction' of brick {} is {}", c, f),
                             "the filled part of a brick is above 0 and at most 1; data of another meaning "
                             "need another name"};
        cells.fraction.resize(bricks, 1.0);  // pieces without the array
        cells.fraction.push_back(f);
    }
}

}  // namespace

AnyMesh read_vtu(std::string_view bytes, const std::string& name) {
    const CutFile file = cut_appended_data(bytes, name);
    pugi::xml_document document;
    const auto parsed =
        document.load_buffer(file.xml.data(), file.xml.size(), pugi::parse_minimal, pugi::encoding_utf8);
    if (!parsed)
        throw InputError{fmt::format("{}: byte {}", name, parsed.offset),
                         fmt::format("not well-formed XML: {}", parsed.description()),
                         "the file is truncated or damaged; export it again"};
    const pugi::xml_node root = document.child("VTKFile");
    const std::string_view type = root.attribute("type").as_string("");
    if (type != "UnstructuredGrid")
        throw InputError{
            name, fmt::format("expected a VTKFile of type 'UnstructuredGrid', found '{}'", printable(type)),
            "in ParaView, save it as an unstructured grid (.vtu)"};
    const std::string_view encoding = root.child("AppendedData").attribute("encoding").as_string("base64");
    VtuArrays arrays(root, file.appended,
                     encoding == "raw" ? PackedBytes::Encoding::Raw : PackedBytes::Encoding::Base64,
                     bytes.size(), name);

    CellSet cells;
    VtkCellReader reader(cells, name);
    for (const pugi::xml_node& piece : root.child("UnstructuredGrid").children("Piece"))
        read_piece(arrays, piece, cells, reader, name);
    if (!cells.fraction.empty()) cells.fraction.resize(cells.bricks.size(), 1.0);
    return mesh_of(std::move(cells), name);
}

}  // namespace limber::build
