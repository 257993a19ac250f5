// SPDX-License-Identifier: Apache-2.0
// limber draw: a picture of a mesh, at rest or displaced.
#include "build/picture/draw.h"

#include "build/file/npy.h"
#include "build/file/text_scanner.h"
#include "build/mesh/boundary.h"
#include "build/mesh/embed.h"
#include "build/mesh/select.h"
#include "build/mesh_files/files.h"
#include "cli/command.h"
#include "cli/text.h"
#include "cli/up.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

namespace limber::cli {
namespace {

struct Draw {
    std::string mesh, output;
    std::string volume, displacement;  // empty: not given
    int frame = 0;
    double scale = 1;
    int width = build::DrawOptions{}.width, height = build::DrawOptions{}.height;
    std::string view;
    std::string up;  // empty: the mesh's
    bool ghost = false, edges = false;
    std::string color_by = "none";
    std::vector<std::string> fix;
    std::vector<std::string> colors;  // "GROUP: r g b"
};

const Eigen::Vector3d kGhostColor(0.55, 0.60, 0.68);
const Eigen::Vector3d kFixedColor(0.10, 0.25, 0.70);

// The skin that is drawn, and where its vertices' displacements come from.
struct Skin {
    build::SurfaceMesh rest;
    Eigen::VectorXd u;  // 3 per vertex, m; zero without --displacement
};

// Frame k of an n x 3 or frames x n x 3 array.
Eigen::VectorXd read_displacement(const Draw& options, std::size_t vertices) {
    const build::NpyArray array = build::read_npy(options.displacement);
    const auto& shape = array.shape;
    const bool one = shape.size() == 2, many = shape.size() == 3;
    if ((!one && !many) || shape.back() != 3 || shape[shape.size() - 2] != vertices)
        throw InputError{
            options.displacement,
            fmt::format("the array has the shape ({}); the mesh needs ({}, 3) or (frames, {}, 3)",
                        fmt::join(shape, ", "), vertices, vertices),
            "the file of --out and the volume mesh it was computed on belong together"};
    const long long frames = many ? static_cast<long long>(shape[0]) : 1;
    const long long frame = options.frame < 0 ? frames + options.frame : options.frame;
    if (frame < 0 || frame >= frames)
        throw InputError{"--frame",
                         fmt::format("frame {} is not there; the file has {}", options.frame, frames),
                         "frames count from 0; -1 is the last"};
    const auto begin = array.values.begin() + frame * static_cast<long long>(3 * vertices);
    Eigen::VectorXd u(static_cast<Eigen::Index>(3 * vertices));
    std::copy_n(begin, u.size(), u.begin());
    if (!u.allFinite())
        throw InputError{options.displacement, "some displacements are not finite numbers", ""};
    return u;
}

Skin skin_of(const Draw& options, const build::AnyMesh& mesh) {
    Skin skin;
    if (const auto* volume = std::get_if<build::VolumeMesh>(&mesh)) {
        if (!options.volume.empty())
            throw InputError{"--volume", fmt::format("{} is a volume mesh itself", options.mesh),
                             "leave --volume out"};
        build::Boundary boundary = build::boundary_of(*volume);
        skin.rest = std::move(boundary.surface);
        skin.u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * skin.rest.vertices.size()));
        if (options.displacement.empty()) return skin;
        const Eigen::VectorXd u = read_displacement(options, volume->vertices.size());
        for (std::size_t i = 0; i < boundary.volume_vertex.size(); ++i)
            skin.u.segment<3>(static_cast<Eigen::Index>(3 * i)) = u.segment<3>(3 * boundary.volume_vertex[i]);
        return skin;
    }
    skin.rest = std::get<build::SurfaceMesh>(mesh);
    skin.u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * skin.rest.vertices.size()));
    if (options.displacement.empty()) return skin;
    if (options.volume.empty())
        throw InputError{
            "--displacement",
            fmt::format("{} is a surface; the displacements are those of a volume mesh", options.mesh),
            "--volume with the mesh that was solved"};
    const build::VolumeMesh volume = build::read_volume(options.volume);
    const Eigen::VectorXd u = read_displacement(options, volume.vertices.size());
    skin.u = build::interpolate(build::embed(volume, skin.rest.vertices), u);
    return skin;
}

build::SurfaceMesh displaced(build::SurfaceMesh mesh, const Eigen::VectorXd& u, double scale) {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        mesh.vertices[i] += scale * u.segment<3>(static_cast<Eigen::Index>(3 * i));
    return mesh;
}

// A small octahedron at each point.
build::SurfaceMesh markers(const std::vector<build::Vertex>& points, double radius) {
    build::SurfaceMesh out;
    for (const build::Vertex& p : points) {
        const int first = static_cast<int>(out.vertices.size());
        for (int axis = 0; axis < 3; ++axis)
            for (double sign : {1.0, -1.0})
                out.vertices.push_back(p + sign * radius * Eigen::Vector3d::Unit(axis));
        // Corners +x -x +y -y +z -z; one face in each octant, counter-clockwise from outside.
        for (int octant = 0; octant < 8; ++octant) {
            const int x = first + (octant & 1), y = first + 2 + (octant >> 1 & 1),
                      z = first + 4 + (octant >> 2 & 1);
            const bool odd = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2 & 1)) % 2 == 1;
            out.triangles.push_back(odd ? build::Triangle{x, z, y} : build::Triangle{x, y, z});
        }
    }
    return out;
}

std::vector<build::Vertex> fixed_points(const Draw& options, const build::AnyMesh& mesh) {
    std::vector<build::Vertex> points;
    for (const std::string& text : options.fix)
        std::visit(
            [&](const auto& m) {
                const auto ids = build::select_vertices(text, m);
                if (ids.empty())
                    throw InputError{fmt::format("--fix '{}'", build::printable(text)),
                                     fmt::format("this selects no vertex; the mesh spans {}",
                                                 describe(bounds_of(m.vertices))),
                                     ""};
                for (int id : ids)
                    points.push_back(m.vertices[static_cast<std::size_t>(id)]);
            },
            mesh);
    return points;
}

// "leaf: 0.2 0.5 0.1"
std::map<std::string, Eigen::Vector3d> group_colors(const Draw& options, const build::SurfaceMesh& mesh) {
    std::map<std::string, Eigen::Vector3d> out;
    if (options.color_by == "group") {
        // Hues that lie apart, by the golden ratio.
        double hue = 0.08;
        for (const build::Group& group : mesh.triangle_groups) {
            const auto channel = [&](double shift) {
                return 0.45 + 0.3 * std::cos(2 * std::numbers::pi * (hue + shift));
            };
            out[group.name] = Eigen::Vector3d(channel(0), channel(-1.0 / 3), channel(1.0 / 3));
            hue += 0.618034;
        }
    }
    for (const std::string& text : options.colors) {
        const auto colon = text.rfind(':');
        const std::string name = text.substr(0, std::min(colon, text.size()));
        const bool known = std::any_of(mesh.triangle_groups.begin(), mesh.triangle_groups.end(),
                                       [&](const build::Group& group) { return group.name == name; });
        if (colon == std::string::npos || !known)
            throw InputError{fmt::format("--color '{}'", build::printable(text)),
                             fmt::format("the mesh has no group '{}'", build::printable(name)),
                             "--color \"leaf: 0.2 0.5 0.1\" with the name of an object of the file"};
        out[name] = parse_vector(text.substr(colon + 1), "--color");
    }
    return out;
}

// The triangles of each group that has a colour of its own, and the others.
std::vector<build::DrawnSurface> by_groups(const build::DrawnSurface& body,
                                           const std::map<std::string, Eigen::Vector3d>& colors) {
    const build::SurfaceMesh& mesh = body.mesh;
    std::vector<std::size_t> of_triangle(mesh.triangles.size(), 0);
    std::vector<build::DrawnSurface> out(1);
    out[0].color = body.color;
    for (const build::Group& group : mesh.triangle_groups) {
        const auto color = colors.find(group.name);
        if (color == colors.end()) continue;
        for (const int t : group.ids)
            of_triangle[static_cast<std::size_t>(t)] = out.size();
        out.emplace_back().color = color->second;
    }
    std::vector<std::map<int, int>> local(out.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        build::SurfaceMesh& to = out[of_triangle[t]].mesh;
        build::Triangle corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const int v = mesh.triangles[t][k];
            const auto [at, fresh] = local[of_triangle[t]].emplace(v, static_cast<int>(to.vertices.size()));
            if (fresh) to.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
            corners[k] = at->second;
        }
        to.triangles.push_back(corners);
    }
    for (build::DrawnSurface& surface : out)
        surface.edges = body.edges;
    return out;
}

ExitStatus run(const Draw& options, Console& console) {
    if (options.displacement.empty() &&
        (!options.volume.empty() || options.color_by == "displacement" || options.ghost))
        throw InputError{"--displacement", "--volume, --ghost and --color-by displacement need it",
                         "--displacement with a file of limber solve ... --out"};
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::AnyMesh mesh = build::read_mesh(options.mesh);
    const Skin skin = skin_of(options, mesh);
    const std::size_t vertices = skin.rest.vertices.size();

    build::DrawnSurface body;
    body.mesh = displaced(skin.rest, skin.u, options.scale);
    body.edges = options.edges;
    build::DrawOptions draw;
    draw.width = options.width;
    draw.height = options.height;
    draw.up = up_vector(parse_up(options.up).value_or(skin.rest.up));
    if (!options.view.empty()) draw.view_from = parse_vector(options.view, "--view");
    std::vector<double> lengths(vertices);  // of the displacements, m
    for (std::size_t i = 0; i < vertices; ++i)
        lengths[i] = skin.u.segment<3>(static_cast<Eigen::Index>(3 * i)).norm();
    const double largest = vertices == 0 ? 0 : *std::max_element(lengths.begin(), lengths.end());
    if (options.color_by == "displacement") {
        body.value = std::move(lengths);
        draw.legend = "displacement (m)";
    }
    const auto colors = group_colors(options, skin.rest);
    std::vector<build::DrawnSurface> surfaces =
        colors.empty() ? std::vector{std::move(body)} : by_groups(body, colors);
    if (options.ghost) {
        build::DrawnSurface ghost;
        ghost.mesh = skin.rest;
        ghost.color = kGhostColor;
        ghost.opacity = 0.25;
        surfaces.push_back(std::move(ghost));
    }
    if (const auto points = fixed_points(options, mesh); !points.empty()) {
        build::DrawnSurface held;
        held.mesh = markers(points, 0.006 * bounds_of(skin.rest.vertices).diagonal().norm());
        held.color = kFixedColor;
        surfaces.push_back(std::move(held));
    }
    build::tell(progress, "drawing", 0);
    const build::Image image = build::draw(surfaces, draw);
    build::write_png(options.output, image);
    console.result({{"output", options.output},
                    {"width", image.width},
                    {"height", image.height},
                    {"up", up_text(parse_up(options.up).value_or(skin.rest.up))},
                    {"vertices", vertices},
                    {"triangles", skin.rest.triangles.size()},
                    {"max_displacement", largest}},
                   fmt::format("{}: {} x {} pixels, {} triangles\n", options.output, image.width,
                               image.height, skin.rest.triangles.size()));
    return ExitStatus::Done;
}

}  // namespace

void add_draw(Command& limber) {
    auto options = std::make_shared<Draw>();
    Command command = limber.add_command(
        "draw", "Draw a mesh, at rest or displaced, as PNG.",
        "limber draw spoon.obj --volume spoon.vtu --displacement bent.npy --ghost -o bent.png");
    command.group("Files");
    command.argument("mesh", options->mesh, "a surface, or a volume, of which the boundary is drawn");
    command.required_output({"-o,--output", "picture.png", "the picture", ""}, options->output);
    command.group("Displacement");
    command.text({"--displacement", "file.npy", "displacements of a volume mesh, as --out writes them", ""},
                 options->displacement);
    command.text({"--volume", "volume", "the volume mesh that carries the drawn surface", ""},
                 options->volume);
    command.whole_number({"--frame", "k", "which frame or mode of the file, from 0; -1 is the last", "0"},
                         -1000000000, 1000000000, options->frame);
    command.number({"--scale", "factor", "magnifies the displacements", "1"}, any_number(), options->scale);
    command.group("Look");
    command.word({"--color-by", "word",
                  "displacement (with a legend), group (objects of the file,\n"
                  "parts of a tree) or none",
                  "none"},
                 {"none", "displacement", "group"}, options->color_by);
    command.texts({"--color", "name: r g b", "of a group, 0 to 1, linear; repeats", ""}, options->colors);
    command.flag("--ghost", "shows the shape at rest as well", options->ghost);
    command.flag("--edges", "draws the edges of the triangles", options->edges);
    command.texts({"--fix", "select", "marks the fixed vertices; a selection as in solve; repeats", ""},
                  options->fix);
    command.text({"--view", "vector", "the direction \"x y z\" to look from", "longest side across"},
                 options->view);
    add_up_option(command, options->up);
    command.whole_number({"--width", "pixels", "of the picture", "1200"}, 1, 8192, options->width);
    command.whole_number({"--height", "pixels", "of the picture", "800"}, 1, 8192, options->height);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
