// SPDX-License-Identifier: Apache-2.0
// limber mesh outline: the elements that a build would use, as edges and faces to draw.
#include "build/file/atomic_file.h"
#include "build/mesh/element_faces.h"
#include "build/mesh/element_shape.h"
#include "build/recipe/body_mesh.h"
#include "build/recipe/build_tree.h"
#include "cli/command.h"
#include "cli/filling.h"
#include "cli/text.h"
#include "cli/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshOutline {
    std::string mesh, output;
    std::string unit = "m";
    int resolution = 0;  // 0: not given
    std::string fill;    // empty: not given
    bool tets = false, unfilled = false;
    std::optional<double> max_volume;
    std::string domains;  // empty: not cut
    std::vector<std::string> fix;
};

// What is seen of a volume from outside; ids are those of its vertices.
struct Outline {
    std::vector<std::array<std::uint32_t, 2>> edges;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> element;  // of each triangle; empty of a surface
    std::vector<std::uint32_t> domain;   // of each triangle; empty where the mesh is not cut
};

// What there is to draw.
struct Drawn {
    build::AnyMesh mesh;
    build::FillReport filling;
    std::optional<build::Decomposition> tree;
};

template <class Corners>
void add_face(const Corners& corners, Outline& out) {
    const std::size_t sides = corners.size();
    for (std::size_t i = 0; i < sides; ++i) {
        const auto [low, high] = std::minmax(corners[i], corners[(i + 1) % sides]);
        out.edges.push_back({low, high});
    }
    for (std::size_t i = 2; i < sides; ++i)
        out.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

void sort_edges(Outline& out) {
    std::sort(out.edges.begin(), out.edges.end());
    out.edges.erase(std::unique(out.edges.begin(), out.edges.end()), out.edges.end());
}

Outline outline_of(const build::SurfaceMesh& mesh) {
    Outline out;
    for (const build::Triangle& t : mesh.triangles)
        add_face(
            std::array<std::uint32_t, 3>{static_cast<std::uint32_t>(t[0]), static_cast<std::uint32_t>(t[1]),
                                         static_cast<std::uint32_t>(t[2])},
            out);
    sort_edges(out);
    return out;
}

Outline outline_of(const build::VolumeMesh& mesh) {
    Outline out;
    const auto corners_of = [](const auto& element, const auto& face) {
        std::array<std::uint32_t, std::tuple_size_v<std::decay_t<decltype(face)>>> corners{};
        for (std::size_t i = 0; i < corners.size(); ++i)
            corners[i] = static_cast<std::uint32_t>(element[static_cast<std::size_t>(face[i])]);
        return corners;
    };
    const auto uses = build::face_uses(mesh);
    build::for_each_face(uses, [&](const build::FaceUse* begin, const build::FaceUse* end) {
        if (end - begin != 1) return;
        const auto element = static_cast<std::size_t>(begin->element);
        const auto face = static_cast<std::size_t>(begin->face);
        if (element < mesh.tets.size())
            add_face(corners_of(mesh.tets[element], build::kTetFaces[face]), out);
        else
            add_face(corners_of(mesh.bricks[element - mesh.tets.size()], build::kBrickFaces[face]), out);
        out.element.resize(out.triangles.size(), static_cast<std::uint32_t>(element));
    });
    sort_edges(out);
    return out;
}

// Little-endian: uint32 vertices, edges, triangles (counts); float32 positions (m); uint32 edges; uint32
// triangles; where the mesh is cut, uint32 domain of each triangle.
void write_outline(const std::string& path, const std::vector<build::Vertex>& vertices,
                   const Outline& outline) {
    static_assert(std::endian::native == std::endian::little);
    build::AtomicFile file(path);
    const auto write = [&](const auto* data, std::size_t count) {
        file.stream().write(reinterpret_cast<const char*>(data),
                            static_cast<std::streamsize>(count * sizeof *data));
    };
    const std::array<std::uint32_t, 3> counts = {static_cast<std::uint32_t>(vertices.size()),
                                                 static_cast<std::uint32_t>(outline.edges.size()),
                                                 static_cast<std::uint32_t>(outline.triangles.size())};
    write(counts.data(), counts.size());
    for (const build::Vertex& v : vertices) {
        const Eigen::Vector3f position = v.cast<float>();
        write(position.data(), 3);
    }
    write(outline.edges.data(), outline.edges.size());
    write(outline.triangles.data(), outline.triangles.size());
    write(outline.domain.data(), outline.domain.size());
    file.commit();
}

// What a build would make of the mesh.
Drawn filled(const MeshOutline& options, Console& console) {
    build::Recipe recipe;
    recipe.metres_per_unit = metres_per_unit(options.unit);
    recipe.fix = options.fix.empty() ? std::vector<std::string>{"none"} : options.fix;
    if (!options.domains.empty()) recipe.domains = build::parse_domains(options.domains);
    if (options.tets)
        recipe.filling = build::Tetrahedra{options.max_volume};
    else
        recipe.filling = build::Voxels{options.resolution, parse_fill(options.fill)};
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    build::BuildInput input = build::open_input(options.mesh, recipe);
    input.shown.reset();  // colours and textures are not drawn
    build::BodyMesh body = build::prepare_body(input, recipe, progress);
    for (const std::string& note : body.notes)
        console.note(note);
    Drawn out;
    out.filling = body.filling;
    if (recipe.domains) {
        build::tell(progress, "cutting", 0);
        out.tree = build::cut_into_domains(body, *recipe.domains);
    }
    out.mesh = std::move(body.volume);
    return out;
}

Drawn what_to_draw(const MeshOutline& options, Console& console) {
    if (!options.unfilled) return filled(options, console);
    if (options.tets || options.resolution > 0 || options.max_volume || !options.fill.empty() ||
        !options.domains.empty())
        throw InputError{"--unfilled",
                         "it takes the mesh as it is; --tets, --resolution, --fill and --max-volume fill it, "
                         "--domains cuts what is filled",
                         ""};
    build::tell(console.progress(), "reading", 0);
    build::AnyMesh mesh = build::read_mesh(options.mesh);
    scale_to_metres(mesh, options.unit);
    return {std::move(mesh), {}, {}};
}

// Domains in the order of the tree; each with its parent's place, −1 of the root.
nlohmann::json tree_json(const build::Decomposition& tree) {
    std::vector<std::size_t> elements(tree.names.size());
    for (const int domain : tree.domain_of_element)
        ++elements[static_cast<std::size_t>(domain)];
    nlohmann::json domains = nlohmann::json::array();
    for (std::size_t i = 0; i < tree.names.size(); ++i)
        domains.push_back({{"name", tree.names[i]},
                           {"parent", tree.parent[i]},
                           {"elements", elements[i]},
                           {"interface_area", tree.to_parent[i].total_area}});
    return {{"domains", domains}, {"depth", tree.depth}, {"cut_area", tree.cut_area}};
}

ExitStatus run(const MeshOutline& options, Console& console) {
    const Drawn drawn = what_to_draw(options, console);
    const build::AnyMesh& mesh = drawn.mesh;
    build::tell(console.progress(), "writing", 0);
    Outline outline = std::visit([](const auto& m) { return outline_of(m); }, mesh);
    if (drawn.tree)
        for (const std::uint32_t element : outline.element)
            outline.domain.push_back(
                static_cast<std::uint32_t>(drawn.tree->domain_of_element[std::size_t{element}]));
    const auto& vertices = std::visit(
        [](const auto& m) -> const auto& { return m.vertices; }, mesh);
    write_outline(options.output, vertices, outline);
    const auto* volume = std::get_if<build::VolumeMesh>(&mesh);
    const std::size_t elements = volume ? volume->element_count() : 0;
    console.result(
        {{"output", options.output},
         {"vertices", vertices.size()},
         {"elements", elements},
         {"edges", outline.edges.size()},
         {"triangles", outline.triangles.size()},
         {"filling", to_json(drawn.filling)},
         {"tree", drawn.tree ? tree_json(*drawn.tree) : nlohmann::json()}},
        fmt::format("{}: {} elements, {} vertices, {} outer edges, {} outer triangles\n", options.output,
                    elements, vertices.size(), outline.edges.size(), outline.triangles.size()));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_outline(Command& mesh) {
    auto options = std::make_shared<MeshOutline>();
    Command command =
        mesh.add_command("outline", "Write the elements that limber build would use, for drawing.",
                         "limber mesh outline bunny.obj --resolution 30 -o bunny.bin");
    command.group("Files");
    command.argument("mesh", options->mesh, "a surface, which is filled; a volume; or a built-in model");
    command.required_output({"-o,--output", "file.bin",
                             "counts, positions, outer edges, outer triangles; with\n"
                             "--domains the domain of each triangle",
                             ""},
                            options->output);
    add_unit_option(command, options->unit);
    command.group("Elements");
    command.flag("--unfilled", "the mesh as it is: all its vertices, its (outer) triangles",
                 options->unfilled);
    command.whole_number(
        {"--resolution", "n", "cubes along the longest side of a surface", "by time and thickness"}, 1, 1024,
        options->resolution);
    add_fill_option(command, options->fill);
    command.flag("--tets", "fill a closed surface with tetrahedra instead of cubes", options->tets);
    command.number({"--max-volume", "m^3", "largest tetrahedron", "1/1000 of the volume"}, positive_number(),
                   options->max_volume);
    command.group("Domains");
    command.text({"--domains", "text", "cut as limber build does, and report the tree", "not cut"},
                 options->domains);
    command.texts({"--fix", "select", "what does not move: the root is the fixed domain; repeats", "nothing"},
                  options->fix);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
