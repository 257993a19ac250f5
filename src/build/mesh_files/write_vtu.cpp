// SPDX-License-Identifier: Apache-2.0
// VTK's XML format for unstructured grids, which ParaView, VisIt, PyVista and meshio open. Arrays are
// base64 inside the XML: an 8-byte length, then the numbers, little endian.
#include "build/file/atomic_file.h"
#include "build/file/xml_text.h"
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/packed_bytes.h"
#include "build/mesh_files/recorded_up.h"
#include "build/mesh_files/vtk_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <iterator>

namespace limber::build {
namespace {

template <class T>
void append_number(std::string& bytes, T number) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(number);
    if (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
}

// `attributes`: type, name and components of the array.
template <class T>
void write_array(std::string& text, std::string_view attributes, std::span<const T> numbers) {
    std::string bytes;
    bytes.reserve(8 + numbers.size_bytes());
    append_number(bytes, std::uint64_t{numbers.size_bytes()});
    for (const T number : numbers)
        append_number(bytes, number);
    fmt::format_to(std::back_inserter(text), "<DataArray {} format=\"binary\">\n{}\n</DataArray>\n",
                   attributes, to_base64(bytes));
}

void write_cells(std::string& text, const CellView& cells) {
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    const auto add = [&](const auto& list, VtkType type) {
        for (const auto& cell : list) {
            connectivity.insert(connectivity.end(), cell.begin(), cell.end());
            offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
            types.push_back(static_cast<std::uint8_t>(type));
        }
    };
    add(cells.triangles, kVtkTriangle);
    add(cells.tets, kVtkTetra);
    add(cells.bricks, kVtkHexahedron);
    text += "<Cells>\n";
    write_array<std::int64_t>(text, R"(type="Int64" Name="connectivity")", connectivity);
    write_array<std::int64_t>(text, R"(type="Int64" Name="offsets")", offsets);
    write_array<std::uint8_t>(text, R"(type="UInt8" Name="types")", types);
    text += "</Cells>\n";
}

}  // namespace

std::string vtu_text(const CellView& cells, std::span<const VertexField> fields) {
    std::string text = "<?xml version=\"1.0\"?>\n<!-- " + up_comment(cells.up) +
                       " -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                       "header_type=\"UInt64\">\n"
                       "<UnstructuredGrid>\n";
    fmt::format_to(std::back_inserter(text), "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                   cells.vertices.size(), cells.cell_count());
    if (!fields.empty()) text += "<PointData>\n";
    for (const VertexField& field : fields) {
        assert(field.values.size() == static_cast<std::size_t>(field.components) * cells.vertices.size());
        write_array<double>(text,
                            fmt::format(R"(type="Float64" Name="{}" NumberOfComponents="{}")",
                                        xml_text(field.name), field.components),
                            field.values);
    }
    if (!fields.empty()) text += "</PointData>\n";
    if (!cells.fraction.empty()) {
        std::vector<double> fraction(cells.cell_count() - cells.bricks.size(), 1.0);
        fraction.insert(fraction.end(), cells.fraction.begin(), cells.fraction.end());
        text += "<CellData Scalars=\"fraction\">\n";
        write_array<double>(text, R"(type="Float64" Name="fraction")", fraction);
        text += "</CellData>\n";
    }

    std::vector<double> coordinates;
    coordinates.reserve(3 * cells.vertices.size());
    for (const Vertex& v : cells.vertices)
        coordinates.insert(coordinates.end(), {v.x(), v.y(), v.z()});
    text += "<Points>\n";
    write_array<double>(text, R"(type="Float64" Name="Points" NumberOfComponents="3")", coordinates);
    text += "</Points>\n";
    write_cells(text, cells);
    text += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    return text;
}

void write_vtu(const std::filesystem::path& path, const VolumeMesh& mesh,
               const std::vector<VertexField>& fields) {
    write_file(path, vtu_text(view_of(mesh), fields));
}

}  // namespace limber::build
