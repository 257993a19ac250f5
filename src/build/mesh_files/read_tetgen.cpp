// SPDX-License-Identifier: Apache-2.0
// TetGen's .node and .ele files (TetGen manual, "File formats"). Numbers start at 0 or 1, as the first
// node has it. Region attributes become element groups region_N, markers of nodes vertex groups marker_N;
// 0 stands for none.
#include "build/file/text_scanner.h"
#include "build/mesh_files/cell_set.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace limber::build {
namespace {

// Groups by a number in the file, called prefix_N.
struct NumberedGroups {
    std::string prefix;
    std::map<double, std::size_t> group_of = {};  // -> cells.groups

    CellGroup* find(CellSet& cells, double number) {
        if (number == 0 || !std::isfinite(number)) return nullptr;
        const auto [at, is_new] = group_of.try_emplace(number, cells.groups.size());
        if (is_new) cells.groups.push_back({fmt::format("{}{}", prefix, number), {}, {}, {}, {}});
        return &cells.groups[at->second];
    }
};

void expect_number(TextScanner& text, std::string_view what, std::int64_t expected) {
    const std::int64_t found = text.integer("the number of a node or tetrahedron");
    if (found != expected)
        text.fail(fmt::format("expected {} {}, found number {}", what, expected, found),
                  "numbers must run on without gaps, from 0 or 1");
}

void expect_end(TextScanner& text) {
    text.skip_comments('#');
    if (!text.at_end())
        text.fail(fmt::format("'{}' behind the last line that the count allows", printable(text.token())),
                  "the count in the first line is too small");
}

// Reads a small column count of the first line.
std::int64_t column_count(TextScanner& text, std::string_view what, std::int64_t most) {
    const auto token = text.token_on_line();
    if (token.empty()) return 0;
    const std::int64_t count = text.to_integer(token, what);
    if (count < 0 || count > most) text.fail(fmt::format("{} is {}, not 0 to {}", what, count, most));
    return count;
}

// Returns the number of the first node, 0 or 1.
std::int64_t read_nodes(TextScanner& text, CellSet& cells) {
    text.skip_comments('#');
    const std::size_t count = text.count("the number of nodes", 8);
    if (count == 0) text.fail("the file has no nodes");
    if (const auto dimension = text.integer("the dimension"); dimension != 3)
        text.fail(fmt::format("the dimension is {}; limber needs 3", dimension));
    const auto attributes = column_count(text, "the number of attributes", 1000);
    const auto markers = column_count(text, "the number of markers", 1);

    NumberedGroups groups{.prefix = "marker_"};
    std::int64_t first = 0;
    cells.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        text.skip_comments('#');
        if (i == 0) {
            first = text.integer("the number of a node");
            if (first != 0 && first != 1)
                text.fail(fmt::format("the first node has number {}, not 0 or 1", first));
        } else {
            expect_number(text, "node", first + static_cast<std::int64_t>(i));
        }
        const double x = text.finite_number("a coordinate"), y = text.finite_number("a coordinate"),
                     z = text.finite_number("a coordinate");
        cells.vertices.emplace_back(x, y, z);
        for (std::int64_t k = 0; k < attributes; ++k)
            text.number("an attribute");
        if (markers == 0) continue;
        if (auto* group = groups.find(cells, static_cast<double>(text.integer("a marker"))))
            group->vertices.push_back(static_cast<int>(i));
    }
    expect_end(text);
    return first;
}

void read_tets(TextScanner& text, CellSet& cells, std::int64_t first) {
    text.skip_comments('#');
    const std::size_t count = text.count("the number of tetrahedra", 10);
    const auto corners = text.integer("the number of nodes of a tetrahedron");
    if (corners == 10)
        text.fail("tetrahedra with 10 nodes are of second order; limber takes linear elements",
                  "run TetGen without -o2");
    if (corners != 4) text.fail(fmt::format("tetrahedra with {} nodes; 4 are expected", corners));
    const auto attributes = column_count(text, "the number of region attributes", 1000);

    NumberedGroups groups{.prefix = "region_"};
    const auto vertex_count = static_cast<std::int64_t>(cells.vertices.size());
    cells.tets.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        text.skip_comments('#');
        expect_number(text, "tetrahedron", first + static_cast<std::int64_t>(i));
        Tet tet;
        for (int& corner : tet) {
            const std::int64_t id = text.integer("a node of a tetrahedron");
            if (id < first || id - first >= vertex_count)
                text.fail(fmt::format("node {} is not among {} to {}", id, first, first + vertex_count - 1));
            corner = static_cast<int>(id - first);
        }
        cells.tets.push_back(tet);
        for (std::int64_t k = 0; k < attributes; ++k) {
            const double region = text.number("a region attribute");
            if (k > 0) continue;
            if (auto* group = groups.find(cells, region)) group->tets.push_back(static_cast<int>(i));
        }
    }
    expect_end(text);
}

}  // namespace

VolumeMesh read_tetgen(std::string_view node, std::string_view ele, const std::string& name) {
    CellSet cells;
    const auto named = [&](const char* ending) {
        return std::filesystem::path(name).replace_extension(ending).string();
    };
    TextScanner nodes(node, named(".node"));
    const std::int64_t first = read_nodes(nodes, cells);
    TextScanner elements(ele, named(".ele"));
    read_tets(elements, cells, first);
    if (cells.tets.empty())
        elements.fail("the file has no tetrahedra", "run TetGen with -p or -r to make them");
    return std::get<VolumeMesh>(mesh_of(std::move(cells), name));
}

}  // namespace limber::build
