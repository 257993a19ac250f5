// SPDX-License-Identifier: Apache-2.0
// Gmsh's MSH 4.1 as text. In this format groups belong to entities and elements to one entity each, so
// every combination of groups that occurs becomes an entity of its own.
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/recorded_up.h"

#include <fmt/format.h>

#include <iterator>
#include <map>

namespace limber::build {
namespace {

struct Entities {
    std::vector<int> of_member;            // member -> entity
    std::vector<std::vector<int>> groups;  // entity -> its groups; entity 0 has none
};

// Refines the partition group by group: O(memberships · log).
Entities partition(std::span<const Group> groups, std::size_t member_count) {
    Entities entities{std::vector<int>(member_count, 0), {{}}};
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::map<int, int> split;  // entity -> the part of it that lies in g
        for (int id : groups[g].ids) {
            int& entity = entities.of_member.at(static_cast<std::size_t>(id));
            const auto [part, is_new] = split.try_emplace(entity, static_cast<int>(entities.groups.size()));
            if (is_new) {
                auto joined = entities.groups[static_cast<std::size_t>(entity)];
                joined.push_back(static_cast<int>(g));
                entities.groups.push_back(std::move(joined));
            }
            entity = part->second;
        }
    }
    return entities;
}

std::string quoted(const std::string& name) {
    std::string out = "\"";
    for (char c : name)
        out += c == '"' || static_cast<unsigned char>(c) < 32 ? '_' : c;
    return out + '"';
}

struct CellNodes {
    int type;  // Gmsh's number
    std::span<const int> corners;
};

CellNodes cell_nodes(const CellView& cells, std::size_t c) {
    if (c < cells.triangles.size()) return {2, cells.triangles[c]};
    c -= cells.triangles.size();
    if (c < cells.tets.size()) return {4, cells.tets[c]};
    return {5, cells.bricks[c - cells.tets.size()]};
}

// A run of cells with one entity and one type; runs keep the order of the cells.
struct Block {
    int entity, type;
    std::size_t begin, end;
};

std::vector<Block> cell_blocks(const CellView& cells, const Entities& entities) {
    std::vector<Block> blocks;
    for (std::size_t c = 0; c < cells.cell_count(); ++c) {
        const int entity = entities.of_member[c], type = cell_nodes(cells, c).type;
        if (!blocks.empty() && blocks.back().entity == entity && blocks.back().type == type)
            blocks.back().end = c + 1;
        else
            blocks.push_back({entity, type, c, c + 1});
    }
    return blocks;
}

int dimension_of(const CellView& cells) {
    return cells.triangles.empty() ? 3 : 2;
}

void write_names(std::string& text, int dimension, std::span<const Group> groups) {
    for (std::size_t g = 0; g < groups.size(); ++g)
        fmt::format_to(std::back_inserter(text), "{} {} {}\n", dimension, g + 1, quoted(groups[g].name));
}

// Entity e of a partition has the tag e + 1; points in no group need no entity.
void write_entities(std::string& text, const CellView& cells, const Entities& point_entities,
                    const Entities& cell_entities) {
    auto out = std::back_inserter(text);
    Vertex low = cells.vertices.front(), high = low;
    for (const Vertex& v : cells.vertices) {
        low = low.cwiseMin(v);
        high = high.cwiseMax(v);
    }
    const auto write_groups = [&](const std::vector<int>& groups) {
        fmt::format_to(out, " {}", groups.size());
        for (int g : groups)
            fmt::format_to(out, " {}", g + 1);
    };
    const std::size_t count = cell_entities.groups.size();
    fmt::format_to(out, "$Entities\n{} 0 {} {}\n", point_entities.groups.size() - 1,
                   dimension_of(cells) == 2 ? count : 0, dimension_of(cells) == 3 ? count : 0);
    for (std::size_t e = 1; e < point_entities.groups.size(); ++e) {
        fmt::format_to(out, "{} {} {} {}", e + 1, low.x(), low.y(), low.z());
        write_groups(point_entities.groups[e]);
        text += '\n';
    }
    for (std::size_t e = 0; e < count; ++e) {
        fmt::format_to(out, "{} {} {} {} {} {} {}", e + 1, low.x(), low.y(), low.z(), high.x(), high.y(),
                       high.z());
        write_groups(cell_entities.groups[e]);
        text += " 0\n";  // no bounding entities
    }
    text += "$EndEntities\n";
}

void write_nodes(std::string& text, const CellView& cells) {
    auto out = std::back_inserter(text);
    const std::size_t n = cells.vertices.size();
    fmt::format_to(out, "$Nodes\n1 {} 1 {}\n{} 1 0 {}\n", n, n, dimension_of(cells), n);
    for (std::size_t i = 1; i <= n; ++i)
        fmt::format_to(out, "{}\n", i);
    for (const Vertex& v : cells.vertices)
        fmt::format_to(out, "{} {} {}\n", v.x(), v.y(), v.z());
    text += "$EndNodes\n";
}

// The cells, then the vertices that lie in groups as points.
void write_elements(std::string& text, const CellView& cells, const Entities& point_entities,
                    const Entities& cell_entities) {
    auto out = std::back_inserter(text);
    const auto blocks = cell_blocks(cells, cell_entities);
    std::vector<std::vector<std::size_t>> points(point_entities.groups.size());  // of each entity
    for (std::size_t v = 0; v < cells.vertices.size(); ++v)
        points[static_cast<std::size_t>(point_entities.of_member[v])].push_back(v);

    const std::size_t total = cells.cell_count() + cells.vertices.size() - points[0].size();
    fmt::format_to(out, "$Elements\n{} {} 1 {}\n", blocks.size() + points.size() - 1, total, total);
    std::size_t tag = 0;
    for (const Block& block : blocks) {
        fmt::format_to(out, "{} {} {} {}\n", dimension_of(cells), block.entity + 1, block.type,
                       block.end - block.begin);
        for (std::size_t c = block.begin; c < block.end; ++c) {
            fmt::format_to(out, "{}", ++tag);
            for (int corner : cell_nodes(cells, c).corners)
                fmt::format_to(out, " {}", corner + 1);
            text += '\n';
        }
    }
    for (std::size_t e = 1; e < points.size(); ++e) {
        fmt::format_to(out, "0 {} 15 {}\n", e + 1, points[e].size());
        for (std::size_t v : points[e])
            fmt::format_to(out, "{} {}\n", ++tag, v + 1);
    }
    text += "$EndElements\n";
}

}  // namespace

std::string gmsh_text(const CellView& cells) {
    const Entities point_entities = partition(cells.vertex_groups, cells.vertices.size());
    const Entities cell_entities = partition(cells.cell_groups, cells.cell_count());
    std::string text = fmt::format("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Comments\n{}\n$EndComments\n",
                                   up_comment(cells.up));
    text += fmt::format("$PhysicalNames\n{}\n", cells.vertex_groups.size() + cells.cell_groups.size());
    write_names(text, 0, cells.vertex_groups);
    write_names(text, dimension_of(cells), cells.cell_groups);
    text += "$EndPhysicalNames\n";
    write_entities(text, cells, point_entities, cell_entities);
    write_nodes(text, cells);
    write_elements(text, cells, point_entities, cell_entities);
    return text;
}

}  // namespace limber::build
