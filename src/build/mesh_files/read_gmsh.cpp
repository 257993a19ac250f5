// SPDX-License-Identifier: Apache-2.0
// Gmsh's MSH format, versions 2.2 and 4.1, text and binary (Gmsh reference manual, "Gmsh file formats").
// Physical volumes become element groups; physical surfaces, curves and points name their vertices.
// A group without a name is called physical_N by its number.
#include "build/mesh_files/cell_set.h"
#include "build/mesh_files/gmsh_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace limber::build {
namespace {

// An element lies in all physical groups of its entity, so their number multiplies the memory.
constexpr std::size_t kMostGroupsOfAnEntity = 64;

struct ElementType {
    int number;
    int nodes;
    int dimension;
};
constexpr ElementType kPoint = {15, 1, 0}, kLine = {1, 2, 1}, kTriangle = {2, 3, 2}, kQuad = {3, 4, 2},
                      kTet = {4, 4, 3}, kBrick = {5, 8, 3};

ElementType element_type(int number, const GmshNumbers& in) {
    for (const auto& type : {kPoint, kLine, kTriangle, kQuad, kTet, kBrick})
        if (type.number == number) return type;

    if (number == 6 || number == 7)
        in.fail(fmt::format("element type {} ({}) is not supported; volumes are of tetrahedra and hexahedra",
                            number, number == 6 ? "prism" : "pyramid"),
                "mesh the volume with tetrahedra only, or with hexahedra only");
    static const std::map<int, const char*> second_order = {
        {8, "3-node line"},          {9, "6-node triangle"},     {10, "9-node quadrangle"},
        {11, "10-node tetrahedron"}, {12, "27-node hexahedron"}, {13, "18-node prism"},
        {14, "14-node pyramid"},     {16, "8-node quadrangle"},  {17, "20-node hexahedron"},
        {18, "15-node prism"},       {19, "13-node pyramid"}};
    if (const auto found = second_order.find(number); found != second_order.end())
        in.fail(fmt::format("element type {} ({}) is of second order; limber takes linear elements", number,
                            found->second),
                "set the element order to 1 in Gmsh (Mesh.ElementOrder = 1) and mesh again");
    in.fail(fmt::format("element type {} is not supported", number),
            "limber takes linear tetrahedra, hexahedra, triangles and quadrangles");
}

// The vertex of a node's tag. Tags may be sparse and huge, so the table is sorted by tag, not indexed by it.
class NodeTable {
 public:
    NodeTable() = default;
    NodeTable(const std::vector<std::uint64_t>& tags, const GmshNumbers& in) {
        first_ = tags.empty() ? 0 : tags.front();
        consecutive_ = tags.size();
        for (std::size_t i = 0; i < tags.size(); ++i)
            if (tags[i] - first_ != i) consecutive_ = 0;
        if (consecutive_ == tags.size()) return;
        sorted_.reserve(tags.size());
        for (std::size_t i = 0; i < tags.size(); ++i)
            sorted_.emplace_back(tags[i], static_cast<int>(i));
        std::sort(sorted_.begin(), sorted_.end());
        for (std::size_t i = 1; i < sorted_.size(); ++i)
            if (sorted_[i].first == sorted_[i - 1].first)
                in.fail(fmt::format("two nodes have the number {}", sorted_[i].first),
                        "save the mesh again from Gmsh");
    }

    int vertex_of(std::uint64_t tag, const GmshNumbers& in) const {
        if (tag - first_ < consecutive_) return static_cast<int>(tag - first_);
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{tag, 0});
        if (found == sorted_.end() || found->first != tag)
            in.fail(fmt::format("an element names node {}, which is not in the file", tag),
                    "the file is damaged; save it again from Gmsh");
        return found->second;
    }

 private:
    std::uint64_t first_ = 0, consecutive_ = 0;  // tags first, first + 1, ...; or else sorted
    std::vector<std::pair<std::uint64_t, int>> sorted_;
};

using EntityKey = std::pair<int, int>;  // dimension, tag

struct GmshFile {
    GmshNumbers in;
    CellSet cells = {};
    NodeTable nodes = {};
    bool has_nodes = false, has_elements = false;
    std::map<EntityKey, std::string> physical_names = {};
    std::map<EntityKey, int> group_of_physical = {};              // index into cells.groups
    std::map<EntityKey, std::vector<int>> groups_of_entity = {};  // MSH 4

    // Negative numbers stand for the reversed orientation of the same group.
    int group_of(int dimension, int physical) {
        const EntityKey key{dimension, physical < 0 && physical != INT32_MIN ? -physical : physical};
        const auto [at, is_new] = group_of_physical.try_emplace(key, static_cast<int>(cells.groups.size()));
        if (is_new) cells.groups.emplace_back();
        return at->second;
    }
};

void read_physical_names(GmshFile& file) {
    TextScanner& text = file.in.text;  // text in binary files too
    const std::size_t count = text.count("the number of physical names", 6);
    for (std::size_t i = 0; i < count; ++i) {
        const int dimension = static_cast<int>(text.integer("the dimension of a physical group"));
        const int number = static_cast<int>(text.integer("the number of a physical group"));
        auto name = text.rest_of_line();
        if (name.size() < 2 || name.front() != '"' || name.back() != '"')
            text.fail(
                fmt::format("expected the name of a physical group in quotes, found '{}'", printable(name)));
        name = name.substr(1, name.size() - 2);
        if (!name.empty()) file.physical_names[{dimension, number}] = std::string(name);
    }
}

void read_entities(GmshFile& file) {
    GmshNumbers& in = file.in;
    in.end_line();
    // The least of an entity: its tag, 3 or 6 numbers for its place and the counts of its lists.
    std::array<std::size_t, 4> counts;
    for (std::size_t& n : counts)
        n = in.count("the number of entities", 10, 32);
    for (int dimension = 0; dimension < 4; ++dimension) {
        for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) {
            const int tag = in.integer("the tag of an entity");
            for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k)
                in.real("the bounds of an entity");
            const std::size_t physicals = in.count("the number of physical groups of an entity", 2, 4);
            if (physicals > kMostGroupsOfAnEntity)
                in.fail(fmt::format("an entity lies in {} physical groups; the limit is {}", physicals,
                                    kMostGroupsOfAnEntity));
            std::vector<int> groups;
            for (std::size_t k = 0; k < physicals; ++k)
                groups.push_back(file.group_of(dimension, in.integer("the tag of a physical group")));
            if (!groups.empty()) file.groups_of_entity[{dimension, tag}] = std::move(groups);
            if (dimension == 0) continue;
            const std::size_t bounding = in.count("the number of bounding entities", 2, 4);
            for (std::size_t k = 0; k < bounding; ++k)
                in.integer("the tag of a bounding entity");
        }
    }
}

void start_nodes(GmshFile& file) {
    if (file.has_nodes) file.in.fail("a second $Nodes section", "limber reads one mesh from a file");
    file.has_nodes = true;
}

Vertex read_vertex(GmshNumbers& in) {
    const double x = in.finite_real("a coordinate"), y = in.finite_real("a coordinate"),
                 z = in.finite_real("a coordinate");
    return {x, y, z};
}

void read_nodes_2(GmshFile& file) {
    GmshNumbers& in = file.in;
    const std::size_t count = in.text.count("the number of nodes", in.binary ? 28 : 8);
    in.end_line();
    std::vector<std::uint64_t> tags;
    tags.reserve(count);
    file.cells.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int tag = in.integer("the number of a node");
        if (tag < 0) in.fail(fmt::format("the number of a node is {}", tag));
        tags.push_back(static_cast<std::uint64_t>(tag));
        file.cells.vertices.push_back(read_vertex(in));
    }
    file.nodes = NodeTable(tags, in);
}

void read_nodes_41(GmshFile& file) {
    GmshNumbers& in = file.in;
    in.end_line();
    const std::uint64_t blocks = in.size("the number of node blocks");
    const std::size_t total = in.count("the number of nodes", 8, 24 + in.size_width);
    in.size("the least node tag");
    in.size("the largest node tag");
    std::vector<std::uint64_t> tags;
    tags.reserve(total);
    file.cells.vertices.reserve(total);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        const int dimension = in.integer("the dimension of an entity");
        in.integer("the tag of an entity");
        const bool parametric = in.integer("the parametric flag") != 0;
        const std::size_t count = in.count("the number of nodes of a block", 8, 24 + in.size_width);
        if (count > total - tags.size())
            in.fail(fmt::format("a block of {} nodes, but the section has {} of which {} are read", count,
                                total, tags.size()),
                    "the count is wrong or the file is damaged");
        for (std::size_t i = 0; i < count; ++i)
            tags.push_back(in.size("a node tag"));
        for (std::size_t i = 0; i < count; ++i) {
            file.cells.vertices.push_back(read_vertex(in));
            if (!parametric) continue;
            for (int k = 0; k < dimension && k < 3; ++k)
                in.real("a parametric coordinate");
        }
    }
    if (tags.size() != total)
        in.fail(fmt::format("{} nodes in the blocks, but the section's head says {}", tags.size(), total),
                "the count is wrong or the file is damaged");
    file.nodes = NodeTable(tags, in);
}

void start_elements(GmshFile& file) {
    if (!file.has_nodes) file.in.fail("the elements come before the nodes", "save the mesh again from Gmsh");
    if (file.has_elements) file.in.fail("a second $Elements section", "limber reads one mesh from a file");
    file.has_elements = true;
}

void add_element(CellSet& cells, const ElementType& type, const std::array<int, 8>& v,
                 std::span<const int> groups) {
    const auto for_each_group = [&](auto action) {
        for (int g : groups)
            action(cells.groups[static_cast<std::size_t>(g)]);
    };
    if (type.number == kTet.number) {
        const int id = static_cast<int>(cells.tets.size());
        cells.tets.push_back({v[0], v[1], v[2], v[3]});
        for_each_group([&](CellGroup& group) { group.tets.push_back(id); });
    } else if (type.number == kBrick.number) {
        const int id = static_cast<int>(cells.bricks.size());
        cells.bricks.push_back(v);
        for_each_group([&](CellGroup& group) { group.bricks.push_back(id); });
    } else if (type.dimension == 2) {
        const std::size_t begin = cells.triangles.size();
        if (type.number == kQuad.number)
            add_quad(cells, {v[0], v[1], v[2], v[3]});
        else
            cells.triangles.push_back({v[0], v[1], v[2]});
        for_each_group([&](CellGroup& group) {
            for (std::size_t id = begin; id < cells.triangles.size(); ++id)
                group.triangles.push_back(static_cast<int>(id));
        });
    } else {  // points and lines only name vertices
        for_each_group([&](CellGroup& group) {
            group.vertices.insert(group.vertices.end(), v.begin(), v.begin() + type.nodes);
        });
    }
}

// The tags and nodes of one element of MSH 2, behind its type.
void read_element_2(GmshFile& file, const ElementType& type, int tag_count) {
    GmshNumbers& in = file.in;
    int physical = 0;  // 0: in no group
    for (int k = 0; k < tag_count; ++k) {
        const int tag = in.integer("a tag of an element");
        if (k == 0) physical = tag;
    }
    std::array<int, 8> corners{};
    for (int k = 0; k < type.nodes; ++k) {
        const int node = in.integer("a node of an element");
        if (node < 0) in.fail(fmt::format("an element names node {}", node));
        corners[static_cast<std::size_t>(k)] = file.nodes.vertex_of(static_cast<std::uint64_t>(node), in);
    }
    if (physical == 0) return add_element(file.cells, type, corners, {});
    const int group = file.group_of(type.dimension, physical);
    add_element(file.cells, type, corners, {&group, 1});
}

int read_tag_count(GmshNumbers& in) {
    const int count = in.integer("the number of tags of an element");
    if (count < 0) in.fail(fmt::format("the number of tags of an element is {}", count));
    return count;
}

void read_elements_2(GmshFile& file) {
    GmshNumbers& in = file.in;
    const std::size_t total = in.text.count("the number of elements", 8);
    in.end_line();
    for (std::size_t read = 0; read < total;) {
        if (!in.binary) {
            in.integer("the number of an element");
            const ElementType type = element_type(in.integer("the type of an element"), in);
            read_element_2(file, type, read_tag_count(in));
            ++read;
            continue;
        }
        // Bytes come in runs of one type.
        const ElementType type = element_type(in.integer("the type of an element"), in);
        const int run = in.integer("the number of elements of a run");
        if (run < 1 || static_cast<std::size_t>(run) > total - read)
            in.fail(fmt::format("a run of {} elements, but {} of {} are left", run, total - read, total),
                    "the count is wrong or the file is damaged");
        const int tag_count = read_tag_count(in);
        for (int i = 0; i < run; ++i) {
            in.integer("the number of an element");
            read_element_2(file, type, tag_count);
        }
        read += static_cast<std::size_t>(run);
    }
}

void read_elements_41(GmshFile& file) {
    GmshNumbers& in = file.in;
    in.end_line();
    const std::uint64_t blocks = in.size("the number of element blocks");
    const std::uint64_t total = in.size("the number of elements");
    in.size("the least element tag");
    in.size("the largest element tag");
    std::uint64_t read = 0;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        const int dimension = in.integer("the dimension of an entity");
        const int tag = in.integer("the tag of an entity");
        const ElementType type = element_type(in.integer("the type of an element"), in);
        const auto numbers = static_cast<std::size_t>(1 + type.nodes);
        const std::size_t count =
            in.count("the number of elements of a block", 2 * numbers, numbers * in.size_width);
        const auto entity = file.groups_of_entity.find({dimension, tag});
        const std::span<const int> groups = entity == file.groups_of_entity.end()
                                                ? std::span<const int>{}
                                                : std::span<const int>(entity->second);
        for (std::size_t i = 0; i < count; ++i) {
            in.size("the tag of an element");
            std::array<int, 8> corners{};
            for (int k = 0; k < type.nodes; ++k)
                corners[static_cast<std::size_t>(k)] =
                    file.nodes.vertex_of(in.size("a node of an element"), in);
            add_element(file.cells, type, corners, groups);
        }
        read += count;
    }
    if (read != total)
        in.fail(fmt::format("{} elements in the blocks, but the section's head says {}", read, total),
                "the count is wrong or the file is damaged");
}

void name_groups(GmshFile& file) {
    for (const auto& [key, group] : file.group_of_physical) {
        const auto named = file.physical_names.find(key);
        file.cells.groups[static_cast<std::size_t>(group)].name =
            named == file.physical_names.end() ? fmt::format("physical_{}", key.second) : named->second;
    }
}

}  // namespace

AnyMesh read_gmsh(std::string_view bytes, const std::string& name) {
    GmshFile file{.in = GmshNumbers(bytes, name)};
    GmshNumbers& in = file.in;
    in.read_header();
    const bool is_2 = in.version < 3;

    for (auto section = in.text.token(); !section.empty(); section = in.text.token()) {
        if (section == "$PhysicalNames") {
            read_physical_names(file);
        } else if (section == "$Entities" && !is_2) {
            read_entities(file);
        } else if (section == "$Nodes") {
            start_nodes(file);
            is_2 ? read_nodes_2(file) : read_nodes_41(file);
        } else if (section == "$Elements") {
            start_elements(file);
            is_2 ? read_elements_2(file) : read_elements_41(file);
        } else if (section[0] == '$') {
            in.skip_section(section);
            continue;
        } else {
            in.fail(fmt::format("expected a section such as $Nodes, found '{}'", printable(section)),
                    "a count before this place is wrong or the file is damaged");
        }
        in.text.expect(fmt::format("$End{}", section.substr(1)));
    }
    if (!file.has_nodes)
        in.fail("there is no $Nodes section", "the file is truncated; save it again from Gmsh");
    if (!file.has_elements)
        in.fail("there is no $Elements section", "the file is truncated; save it again from Gmsh");
    name_groups(file);
    return mesh_of(std::move(file.cells), name);
}

}  // namespace limber::build
