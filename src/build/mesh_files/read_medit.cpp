// SPDX-License-Identifier: Apache-2.0
// Medit's text format (.mesh), also written by Gmsh, mmg, FreeFem++ and TetGen.
// References become groups: of elements reference_N, of triangles and quadrilaterals reference_N (in a
// volume mesh: of their vertices), of vertices vertex_reference_N. The reference 0 stands for none.
#include "build/file/text_scanner.h"
#include "build/mesh_files/cell_set.h"

#include <fmt/format.h>

#include <cctype>
#include <map>

namespace limber::build {
namespace {

struct MeditFile {
    TextScanner text;
    CellSet cells = {};
    bool has_vertices = false;
    // (of vertices?, reference) -> index into cells.groups
    std::map<std::pair<bool, std::int64_t>, std::size_t> group_of = {};

    CellGroup* group(bool of_vertices, std::int64_t reference) {
        if (reference == 0) return nullptr;
        const auto [at, is_new] = group_of.try_emplace({of_vertices, reference}, cells.groups.size());
        if (is_new)
            cells.groups.push_back(
                {fmt::format("{}reference_{}", of_vertices ? "vertex_" : "", reference), {}, {}, {}, {}});
        return &cells.groups[at->second];
    }
};

void read_vertices(MeditFile& file) {
    TextScanner& text = file.text;
    if (file.has_vertices) text.fail("a second list of vertices", "limber reads one mesh from a file");
    file.has_vertices = true;
    const std::size_t count = text.count("the number of vertices", 8);
    file.cells.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        text.skip_comments('#');
        const double x = text.finite_number("a coordinate"), y = text.finite_number("a coordinate"),
                     z = text.finite_number("a coordinate");
        file.cells.vertices.emplace_back(x, y, z);
        if (auto* group = file.group(true, text.integer("the reference of a vertex")))
            group->vertices.push_back(static_cast<int>(i));
    }
}

// Calls add(corners, reference) for each cell of a list; ids are checked and come out 0-based.
template <std::size_t N, class Add>
void read_cells(MeditFile& file, std::string_view what, Add add) {
    TextScanner& text = file.text;
    if (!file.has_vertices)
        text.fail(fmt::format("{} come before the vertices", what), "list the vertices first");
    const std::size_t count = text.count(fmt::format("the number of {}", what), 2 * (N + 1));
    for (std::size_t i = 0; i < count; ++i) {
        text.skip_comments('#');
        std::array<int, N> corners;
        for (int& corner : corners) {
            const std::int64_t id = text.integer("a vertex number");
            if (id < 1 || static_cast<std::uint64_t>(id) > file.cells.vertices.size())
                text.fail(fmt::format("vertex {} is not among 1 to {}", id, file.cells.vertices.size()));
            corner = static_cast<int>(id - 1);
        }
        add(corners, text.integer("the reference of a cell"));
    }
}

void read_section(MeditFile& file, std::string_view keyword) {
    CellSet& cells = file.cells;
    if (keyword == "Vertices") {
        read_vertices(file);
    } else if (keyword == "Tetrahedra") {
        read_cells<4>(file, "tetrahedra", [&](const Tet& tet, std::int64_t reference) {
            if (auto* group = file.group(false, reference))
                group->tets.push_back(static_cast<int>(cells.tets.size()));
            cells.tets.push_back(tet);
        });
    } else if (keyword == "Hexahedra") {
        read_cells<8>(file, "hexahedra", [&](const Brick& brick, std::int64_t reference) {
            if (auto* group = file.group(false, reference))
                group->bricks.push_back(static_cast<int>(cells.bricks.size()));
            cells.bricks.push_back(brick);
        });
    } else if (keyword == "Triangles") {
        read_cells<3>(file, "triangles", [&](const Triangle& triangle, std::int64_t reference) {
            if (auto* group = file.group(false, reference))
                group->triangles.push_back(static_cast<int>(cells.triangles.size()));
            cells.triangles.push_back(triangle);
        });
    } else {
        read_cells<4>(file, "quadrilaterals", [&](const std::array<int, 4>& quad, std::int64_t reference) {
            const int first = static_cast<int>(cells.triangles.size());
            if (auto* group = file.group(false, reference))
                group->triangles.insert(group->triangles.end(), {first, first + 1});
            add_quad(cells, quad);
        });
    }
}

void refuse_section(TextScanner& text, std::string_view keyword) {
    if (text.count(fmt::format("the number of {}", keyword), 2) == 0) return;
    text.fail(fmt::format("{} are not supported; limber takes linear tetrahedra and hexahedra", keyword),
              "mesh the volume with linear tetrahedra only, or with hexahedra only");
}

}  // namespace

AnyMesh read_medit(std::string_view bytes, const std::string& name) {
    MeditFile file{.text = TextScanner(bytes, name)};
    TextScanner& text = file.text;
    text.skip_comments('#');
    const auto head = text.token();
    if (head != "MeshVersionFormatted")
        text.fail(fmt::format("expected 'MeshVersionFormatted', found '{}'", printable(head)),
                  "limber reads Medit's text format; save .meshb files as .mesh");
    text.integer("the format's version");

    bool in_unknown_section = false;  // its numbers are stepped over
    for (;;) {
        text.skip_comments('#');
        const auto keyword = text.token();
        if (keyword.empty() || keyword == "End") break;
        const bool is_word = std::isalpha(static_cast<unsigned char>(keyword[0])) != 0;
        if (!is_word && in_unknown_section) continue;
        if (!is_word)
            text.fail(fmt::format("expected a keyword such as Tetrahedra, found '{}'", printable(keyword)),
                      "a count before this place is wrong");
        in_unknown_section = false;
        if (keyword == "Dimension") {
            if (const auto dimension = text.integer("the dimension"); dimension != 3)
                text.fail(fmt::format("the dimension is {}; limber needs 3", dimension));
        } else if (keyword == "Vertices" || keyword == "Tetrahedra" || keyword == "Hexahedra" ||
                   keyword == "Triangles" || keyword == "Quadrilaterals") {
            read_section(file, keyword);
        } else if (keyword == "Prisms" || keyword == "Pyramids" || keyword == "TetrahedraP2" ||
                   keyword == "HexahedraQ2" || keyword == "TrianglesP2" || keyword == "QuadrilateralsQ2") {
            refuse_section(text, keyword);
        } else {
            in_unknown_section = true;
        }
    }
    if (!file.has_vertices) text.fail("there is no list of vertices", "the file is truncated or not a mesh");
    return mesh_of(std::move(file.cells), name);
}

}  // namespace limber::build
