// SPDX-License-Identifier: Apache-2.0
// Vega FEM's text format (.veg): *VERTICES, *ELEMENTS (TET or CUBIC), *MATERIAL (ENU), *SET, *REGION.
// Sets become element groups; regions give them materials, later ones win. Numbers start at 0 or 1, as
// the first vertex has it. Corners of cubes are ordered as limber's.
#include "build/file/text_scanner.h"
#include "build/mesh_files/cell_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace limber::build {
namespace {

constexpr std::string_view kAllElements = "allElements";  // the set that every file has

struct Region {
    std::string set, material, where;
};

struct VegaFile {
    TextScanner text;
    VolumeMesh mesh = {};
    std::int64_t first_vertex = 1, first_element = 1;  // their numbers in the file, 0 or 1
    std::map<std::string, Material, std::less<>> materials = {};
    std::vector<Region> regions = {};
};

std::string upper(std::string_view word) {
    std::string out(word);
    for (char& c : out)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
}

// Reads the number of the thing at `index`; the first one's number is kept in `first`.
void read_number(TextScanner& text, std::string_view what, std::size_t index, std::int64_t& first) {
    const std::int64_t found = text.integer(what);
    if (index == 0 && (found == 0 || found == 1)) first = found;
    if (const auto expected = first + static_cast<std::int64_t>(index); found != expected)
        text.fail(fmt::format("expected number {}, found {}", expected, found),
                  "numbers must run on without gaps, from 0 or 1");
}

void read_vertices(VegaFile& file) {
    TextScanner& text = file.text;
    if (!file.mesh.vertices.empty()) text.fail("a second *VERTICES section");
    text.skip_comments('#');
    const std::size_t count = text.count("the number of vertices", 8);
    if (count == 0) text.fail("the file has no vertices");
    if (const auto dimension = text.integer("the dimension"); dimension != 3)
        text.fail(fmt::format("the dimension is {}; limber needs 3", dimension));
    text.skip_line();  // two numbers, always 0
    file.mesh.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        text.skip_comments('#');
        read_number(text, "the number of a vertex", i, file.first_vertex);
        const double x = text.finite_number("a coordinate"), y = text.finite_number("a coordinate"),
                     z = text.finite_number("a coordinate");
        file.mesh.vertices.emplace_back(x, y, z);
    }
}

template <std::size_t N>
void read_cells(VegaFile& file, std::vector<std::array<int, N>>& cells) {
    TextScanner& text = file.text;
    text.skip_comments('#');
    const std::size_t count = text.count("the number of elements", 2 * (N + 1));
    const auto corners = text.integer("the number of vertices of an element");
    if (corners != static_cast<std::int64_t>(N))
        text.fail(fmt::format("elements with {} vertices; {} are expected", corners, N));
    text.skip_line();
    const auto vertex_count = static_cast<std::int64_t>(file.mesh.vertices.size());
    cells.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        text.skip_comments('#');
        read_number(text, "the number of an element", i, file.first_element);
        std::array<int, N> cell;
        for (int& corner : cell) {
            const std::int64_t id = text.integer("a vertex of an element");
            if (id < file.first_vertex || id - file.first_vertex >= vertex_count)
                text.fail(fmt::format("vertex {} is not among {} to {}", id, file.first_vertex,
                                      file.first_vertex + vertex_count - 1));
            corner = static_cast<int>(id - file.first_vertex);
        }
        cells.push_back(cell);
    }
}

void read_elements(VegaFile& file) {
    TextScanner& text = file.text;
    if (file.mesh.vertices.empty()) text.fail("the elements come before the vertices");
    if (file.mesh.element_count() > 0) text.fail("a second *ELEMENTS section");
    text.skip_comments('#');
    const std::string kind = upper(text.token());
    if (kind == "TET" || kind == "TETS")
        read_cells(file, file.mesh.tets);
    else if (kind == "CUBIC")
        read_cells(file, file.mesh.bricks);
    else
        text.fail(fmt::format("element type '{}'; TET and CUBIC are known", printable(kind)));
}

void read_material(VegaFile& file, const std::string& material_name) {
    TextScanner& text = file.text;
    text.skip_comments('#');
    const std::string kind = upper(text.token());
    if (kind != "ENU")
        text.fail(fmt::format("material '{}' is of type '{}'; limber knows ENU", printable(material_name),
                              printable(kind)),
                  "write it as: ENU, density, Young's modulus, Poisson's ratio");
    Material material;
    material.density = text.number("the density");
    material.young = text.number("Young's modulus");
    material.poisson = text.number("Poisson's ratio");
    check_material(material, text.where());
    if (!file.materials.emplace(material_name, material).second)
        text.fail(fmt::format("a second material '{}'", printable(material_name)));
}

// A set has no count: it ends at the next keyword, which is returned, or at the end of the file.
std::string_view read_set(VegaFile& file, const std::string& set_name) {
    TextScanner& text = file.text;
    std::vector<int> ids;
    const std::int64_t first = file.first_element;
    const auto count = static_cast<std::int64_t>(file.mesh.element_count());
    std::string_view token;
    for (;;) {
        text.skip_comments('#');
        token = text.token();
        if (token.empty() || token[0] == '*') break;
        const std::int64_t id = text.to_integer(token, "the number of an element");
        if (id < first || id - first >= count)
            text.fail(fmt::format("element {} is not among {} to {}", id, first, first + count - 1),
                      "sets stand behind *ELEMENTS");
        ids.push_back(static_cast<int>(id - first));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    file.mesh.element_groups.push_back({set_name, std::move(ids)});
    return token;
}

void read_region(VegaFile& file) {
    TextScanner& text = file.text;
    text.skip_comments('#');
    Region region;
    region.set = text.token();
    region.material = text.token();
    region.where = text.where();
    if (region.set.empty() || region.material.empty())
        text.fail("a region needs the name of a set and the name of a material");
    file.regions.push_back(std::move(region));
}

// Regions may name sets and materials that stand behind them, so they are resolved at the end.
void assign_regions(VegaFile& file) {
    if (file.regions.empty() && file.materials.size() == 1)
        file.regions.push_back({std::string(kAllElements), file.materials.begin()->first, file.text.where()});
    if (file.regions.empty() && file.materials.size() > 1)
        file.text.fail(
            fmt::format("{} materials, but no *REGION says where they apply", file.materials.size()),
            "add *REGION sections: set, material");
    std::set<std::string_view> sets;
    for (const Group& group : file.mesh.element_groups)
        if (!sets.insert(group.name).second)
            file.text.fail(fmt::format("two sets are called '{}'", printable(group.name)));
    for (const Region& region : file.regions) {
        const auto material = file.materials.find(region.material);
        if (material == file.materials.end())
            throw InputError{region.where,
                             fmt::format("there is no material '{}'", printable(region.material)), ""};
        const bool all = region.set == kAllElements;
        if (!all && !sets.contains(region.set))
            throw InputError{region.where, fmt::format("there is no set '{}'", printable(region.set)), ""};
        file.mesh.materials.emplace_back(all ? "" : region.set, material->second);
    }
}

}  // namespace

VolumeMesh read_vega(std::string_view bytes, const std::string& name) {
    // Commas separate like blanks everywhere in the format.
    std::string spaced(bytes);
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    VegaFile file{.text = TextScanner(spaced, name)};
    TextScanner& text = file.text;

    const auto next_keyword = [&] {
        text.skip_comments('#');
        return text.token();
    };
    for (auto keyword = next_keyword(); !keyword.empty();) {
        const std::string section = upper(keyword);
        const std::string title(text.rest_of_line());
        if (section == "*VERTICES") {
            read_vertices(file);
        } else if (section == "*ELEMENTS") {
            read_elements(file);
        } else if (section == "*MATERIAL") {
            read_material(file, title);
        } else if (section == "*SET") {
            keyword = read_set(file, title);
            continue;
        } else if (section == "*REGION") {
            read_region(file);
        } else if (section == "*INCLUDE") {
            text.fail("*INCLUDE is not followed: a mesh file must not open other files",
                      "paste the included file in its place");
        } else {
            text.fail(fmt::format("expected a section such as *ELEMENTS, found '{}'", printable(keyword)),
                      "a count before this place may be wrong");
        }
        keyword = next_keyword();
    }
    if (file.mesh.element_count() == 0) text.fail("the file has no elements", "add an *ELEMENTS section");
    assign_regions(file);
    return std::move(file.mesh);
}

}  // namespace limber::build
