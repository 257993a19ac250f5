// SPDX-License-Identifier: Apache-2.0
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

namespace limber::build {
namespace {

// Vertices that no mode moves cannot be dragged.
std::vector<int> read_moving_vertices(const JsonCursor& at, const Model& model) {
    const std::vector<int> vertices = read_vertices(at, model);
    for (const int v : vertices)
        if (model.warp->surface_modes.middleRows<3>(3 * Eigen::Index{v}).isZero(0))
            refuse(at,
                   fmt::format("vertex {} is fixed: no mode moves it",
                               model.surface.input_vertex[static_cast<std::size_t>(v)]),
                   "choose vertices that move");
    return vertices;
}

void read_target(const JsonCursor& place, SceneFolder& folder, SceneConstraint& out) {
    const bool position = place.has("position"), rotation = place.has("rotation");
    out.fastened = place.has("follow");
    if (out.fastened == (position || rotation))
        refuse(place, "it needs either 'follow', or a 'position', a 'rotation' or both",
               "\"follow\": \"motion.glb#node\"");
    if (out.fastened) {
        out.target = read_guide(place.at("follow"), folder);
        place.when("what", [&](const JsonCursor& p) {
            out.what =
                static_cast<Constrained>(or_throw(p, p.word_among({"position", "orientation", "both"})));
        });
        return;
    }
    if (place.has("what"))
        refuse(place, "'what' goes with 'follow'; here 'position' and 'rotation' say it", "leave 'what' out");
    std::optional<JsonCursor> where, turned;
    if (position) where.emplace(place.at("position"));
    if (rotation) turned.emplace(place.at("rotation"));
    out.target = read_path(where ? &*where : nullptr, turned ? &*turned : nullptr);
    out.what = position && rotation ? Constrained::Both
               : position           ? Constrained::Position
                                    : Constrained::Orientation;
}

}  // namespace

SceneConstraint read_constraint(const JsonCursor& place, const Scene& scene, SceneFolder& folder) {
    or_throw(place, place.expect_keys(
                        {"body", "at", "position", "rotation", "follow", "what", "exercised", "from", "to"}));
    SceneConstraint out;
    out.body = find_body(place, scene.bodies);
    const SceneBody& body = scene.bodies[out.body];
    if (body.method == Method::Stvk || body.method == Method::Rigid || body.method == Method::Domains)
        refuse(place,
               fmt::format("the body '{}' is {}; constraints are for warped bodies", body.name,
                           body.method == Method::Stvk      ? "nonlinear"
                           : body.method == Method::Domains ? "a tree of domains"
                                                            : "rigid"),
               "\"method\": \"warp\" in the body, or a force");
    out.vertices = read_moving_vertices(place.at("at"), *body.model);
    place.when("exercised",
               [&](const JsonCursor& p) { out.exercised = read_moving_vertices(p, *body.model); });
    read_target(place, folder, out);
    out.to = scene.duration;
    read_span(place, out.from, out.to);
    return out;
}

}  // namespace limber::build
