// SPDX-License-Identifier: Apache-2.0
// PLY (Stanford polygon format), ASCII and binary. The header declares elements with any properties; we want
// x, y, z of `vertex` and the list vertex_indices of `face`, and step over everything else.
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/load_scalar.h"
#include "build/mesh_files/polygon.h"
#include "build/mesh_files/read_appearance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace limber::build {
namespace {

struct Property {
    std::string name;
    ScalarType type{};
    std::optional<ScalarType> count_type;  // set: a list, whose length comes first
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

struct Header {
    bool ascii = false;
    std::endian order = std::endian::little;
    std::vector<Element> elements;
};

ScalarType read_type(TextScanner& scan) {
    const auto word = scan.token_on_line();
    if (word == "char" || word == "int8") return ScalarType::Int8;
    if (word == "uchar" || word == "uint8") return ScalarType::UInt8;
    if (word == "short" || word == "int16") return ScalarType::Int16;
    if (word == "ushort" || word == "uint16") return ScalarType::UInt16;
    if (word == "int" || word == "int32") return ScalarType::Int32;
    if (word == "uint" || word == "uint32") return ScalarType::UInt32;
    if (word == "float" || word == "float32") return ScalarType::Float32;
    if (word == "double" || word == "float64") return ScalarType::Float64;
    scan.fail(fmt::format("'{}' is no type of PLY", printable(word)),
              "PLY knows char, uchar, short, ushort, int, uint, float, double");
}

void read_format(TextScanner& scan, Header& header) {
    const auto format = scan.token_on_line();
    header.ascii = format == "ascii";
    header.order = format == "binary_big_endian" ? std::endian::big : std::endian::little;
    if (!header.ascii && format != "binary_little_endian" && format != "binary_big_endian")
        scan.fail(fmt::format("unknown format '{}'", printable(format)),
                  "PLY knows ascii, binary_little_endian and binary_big_endian");
}

Property read_property(TextScanner& scan) {
    Property property;
    TextScanner ahead = scan;
    if (ahead.token_on_line() == "list") {
        scan.token_on_line();
        property.count_type = read_type(scan);
        if (!is_integer(*property.count_type))
            scan.fail("the length of a list must have a type of whole numbers");
    }
    property.type = read_type(scan);
    property.name = scan.token_on_line();
    if (property.name.empty()) scan.fail("a property has no name");
    return property;
}

Header read_header(TextScanner& scan) {
    if (scan.token_on_line() != "ply")
        scan.fail("the file does not start with 'ply'", "check that this is a PLY file");
    scan.skip_line();
    Header header;
    bool has_format = false;
    while (true) {
        if (scan.bytes_left() == 0)
            scan.fail("the file ends before 'end_header'", "the file is truncated; copy or export it again");
        const auto keyword = scan.token_on_line();
        if (keyword == "end_header") {
            scan.skip_line();
            break;
        }
        if (keyword == "format") {
            read_format(scan, header);
            has_format = true;
        } else if (keyword == "element") {
            Element element;
            element.name = scan.token_on_line();
            const std::int64_t count = scan.to_integer(scan.token_on_line(), "the number of elements");
            if (count < 0) scan.fail(fmt::format("the number of elements is {}", count));
            element.count = static_cast<std::uint64_t>(count);
            header.elements.push_back(std::move(element));
        } else if (keyword == "property") {
            if (header.elements.empty()) scan.fail("a property stands before the first element");
            header.elements.back().properties.push_back(read_property(scan));
        } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info" &&
                   keyword != "Created") {
            // "Created by Blender3D ..." is a comment that Blender 2.4 wrote without the word.
            scan.fail(fmt::format("unknown keyword '{}' in the header", printable(keyword)));
        }
        scan.skip_line();
    }
    if (!has_format) scan.fail("the header has no 'format' line");
    return header;
}

// The numbers after the header, one after the other. Complaints name the element, and the line of a text
// file.
class Body {
 public:
    Body(TextScanner& scan, const Header& header, const std::string& name)
        : scan_(scan), header_(header), name_(name) {}

    // Refuses a count of elements that the rest of the file cannot hold.
    void enter(const Element& element) {
        element_ = &element;
        std::size_t least = 0;  // bytes per element; in text a digit and a space per number
        for (const Property& p : element.properties)
            least += header_.ascii ? 2 : size_of(p.count_type.value_or(p.type));
        if (least > 0 && element.count > (scan_.bytes_left() + 1) / least)
            fail(fmt::format("there are said to be {}, but only {} bytes are left in the file", element.count,
                             scan_.bytes_left()),
                 "the count is wrong or the file is truncated");
    }
    void at(std::uint64_t row) { row_ = row; }

    double number(ScalarType type) {
        if (header_.ascii) return scan_.number("a number");
        return load_scalar(type, take(size_of(type)).data(), header_.order);
    }
    // The length of a list of numbers that follow.
    std::size_t length(const Property& list) {
        const double length = number(*list.count_type);
        const std::size_t least = header_.ascii ? 2 : size_of(list.type);
        if (!(length >= 0) || length != std::floor(length))
            fail(fmt::format("the list {} has the length {}", printable(list.name), length));
        if (length > static_cast<double>((scan_.bytes_left() + 1) / least))
            fail(fmt::format("the list {} has the length {}, but only {} bytes are left",
                             printable(list.name), length, scan_.bytes_left()),
                 "the file is truncated or damaged");
        return static_cast<std::size_t>(length);
    }
    void skip(const Property& property) {
        const std::size_t n = property.count_type ? length(property) : 1;
        if (!header_.ascii)
            take(n * size_of(property.type));
        else
            for (std::size_t i = 0; i < n; ++i)
                if (scan_.token().empty())
                    fail("the file ends early", "the file is truncated; copy or export it again");
    }
    void skip_row() {
        for (const Property& property : element_->properties)
            skip(property);
    }

    [[noreturn]] void fail(std::string problem, std::string try_this = "") const {
        const std::string place = header_.ascii ? scan_.where() : name_;
        throw InputError{fmt::format("{}: {} {}", place, printable(element_->name), row_), std::move(problem),
                         std::move(try_this)};
    }

 private:
    std::string_view take(std::size_t bytes) {
        if (bytes > scan_.bytes_left())
            fail("the file ends early", "the file is truncated; copy or export it again");
        return scan_.take_bytes(bytes);
    }

    TextScanner& scan_;
    const Header& header_;
    const std::string& name_;
    const Element* element_ = nullptr;
    std::uint64_t row_ = 0;
};

std::vector<Vertex> read_vertices(Body& body, const Element& element) {
    int found = 0;
    for (const Property& p : element.properties)
        found += !p.count_type && (p.name == "x" || p.name == "y" || p.name == "z");
    if (found != 3) body.fail("the vertices need the properties x, y and z, each once");
    if (element.count > kMostNumbered) body.fail(fmt::format("more than {} vertices", kMostNumbered));

    std::vector<Vertex> vertices(element.count);
    for (std::uint64_t row = 0; row < element.count; ++row) {
        body.at(row);
        for (const Property& p : element.properties) {
            const int axis = p.count_type || p.name.size() != 1 ? -1 : p.name[0] - 'x';
            if (axis < 0 || axis > 2) {
                body.skip(p);
                continue;
            }
            const double x = body.number(p.type);
            if (!std::isfinite(x))
                body.fail(fmt::format("{} is {}", p.name, x), "every coordinate must be a finite number");
            vertices[row][axis] = x;
        }
    }
    return vertices;
}

// The place of a colour in VertexColor; -1: another property.
int color_channel(const Property& p) {
    if (p.count_type) return -1;
    if (p.name == "red" || p.name == "diffuse_red") return 0;
    if (p.name == "green" || p.name == "diffuse_green") return 1;
    if (p.name == "blue" || p.name == "diffuse_blue") return 2;
    return p.name == "alpha" ? 3 : -1;
}

// Whole numbers are parts of the largest of their type, others are parts of 1.
double color_scale(ScalarType type) {
    switch (type) {
        case ScalarType::UInt8:
            return 255;
        case ScalarType::UInt16:
            return 65535;
        default:
            return 1;
    }
}

std::vector<VertexColor> read_colors(Body& body, const Element& element) {
    std::vector<VertexColor> colors(element.count, VertexColor{1, 1, 1, 1});
    for (std::uint64_t row = 0; row < element.count; ++row) {
        body.at(row);
        for (const Property& p : element.properties) {
            const int channel = color_channel(p);
            if (channel < 0) {
                body.skip(p);
                continue;
            }
            const double x = body.number(p.type) / color_scale(p.type);
            const double share = std::isfinite(x) ? std::clamp(x, 0.0, 1.0) : 1;
            colors[row][static_cast<std::size_t>(channel)] =
                channel == 3 ? static_cast<float>(share) : linear_color(share);
        }
    }
    return colors;
}

void read_faces(Body& body, const Element& element, SurfaceMesh& mesh) {
    const auto is_corners = [](const Property& p) {
        return p.count_type && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    int found = 0;
    for (const Property& p : element.properties)
        found += is_corners(p);
    if (found != 1) body.fail("the faces need one list property vertex_indices");

    PolygonCutter cutter;
    std::vector<int> corners;
    for (std::uint64_t row = 0; row < element.count; ++row) {
        body.at(row);
        for (const Property& p : element.properties) {
            if (!is_corners(p)) {
                body.skip(p);
                continue;
            }
            corners.resize(body.length(p));
            for (int& corner : corners) {
                const double index = body.number(p.type);
                if (!(index >= 0 && index < static_cast<double>(mesh.vertices.size())) ||
                    index != std::floor(index))
                    body.fail(fmt::format("a corner is vertex {}, but the file has {}, counted from 0", index,
                                          mesh.vertices.size()));
                corner = static_cast<int>(index);
            }
            if (corners.size() < 3)
                body.fail(fmt::format("the face has {} corners; it needs at least 3", corners.size()));
            if (mesh.triangles.size() + corners.size() > kMostNumbered)
                body.fail(fmt::format("more than {} triangles", kMostNumbered));
            cutter.cut(mesh.vertices, corners, mesh.triangles);
        }
    }
}

}  // namespace

SurfaceMesh read_ply(std::string_view bytes, const std::string& name) {
    TextScanner scan(bytes, name);
    const Header header = read_header(scan);
    Body body(scan, header, name);
    SurfaceMesh mesh;
    bool has_vertices = false;
    for (const Element& element : header.elements) {
        body.at(0);
        body.enter(element);
        if (element.name == "vertex") {
            if (has_vertices) body.fail("the element vertex is declared twice");
            mesh.vertices = read_vertices(body, element);
            has_vertices = true;
        } else if (element.name == "face") {
            if (!has_vertices)
                body.fail("the faces stand before the vertices", "export the mesh again with vertices first");
            read_faces(body, element, mesh);
        } else if (element.name == "tristrips") {
            body.fail("the mesh is stored as triangle strips, which limber does not read",
                      "export it with faces");
        } else if (!element.properties.empty()) {
            for (std::uint64_t row = 0; row < element.count; ++row) {
                body.at(row);
                body.skip_row();
            }
        }
    }
    if (mesh.triangles.empty())
        throw InputError{name, fmt::format("the file has no faces ({} vertices)", mesh.vertices.size()),
                         "a cloud of points has no inside; reconstruct a surface first"};
    return mesh;
}

std::vector<VertexColor> read_ply_colors(std::string_view bytes, const std::string& name) {
    TextScanner scan(bytes, name);
    const Header header = read_header(scan);
    Body body(scan, header, name);
    for (const Element& element : header.elements) {
        body.at(0);
        body.enter(element);
        if (element.name == "vertex") {
            int channels = 0;
            for (const Property& p : element.properties)
                channels += color_channel(p) >= 0 && color_channel(p) < 3;
            return channels == 3 && element.count <= kMostNumbered ? read_colors(body, element)
                                                                   : std::vector<VertexColor>();
        }
        for (std::uint64_t row = 0; !element.properties.empty() && row < element.count; ++row) {
            body.at(row);
            body.skip_row();
        }
    }
    return {};
}

}  // namespace limber::build
