// SPDX-License-Identifier: Apache-2.0
// A human heart with its great vessels, 0.17 m high, seen from the front along +y: the patient's left is at
// +x. The left heart (atrium, ventricle, aorta) and the right heart (atrium, ventricle, pulmonary artery,
// both venae cavae) are two hollow bodies; the right one leans on the left one and has no wall of its own
// there. Each is the zero surface of a field, opened where vessels are cut and thickened inwards to a wall;
// coronary arteries run over them. Closed parts that intersect.
#include "models/fields.h"
#include "models/isosurface.h"
#include "models/models.h"
#include "models/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace limber::models {
namespace {

using build::SurfaceMesh;
using Eigen::Vector3d;

// All of this file is in mm; heart() turns it into m.
constexpr double kCell = 3.5;  // of the grid on which the surfaces are found
constexpr double kMuscleWall = 1.1, kVesselWall = 0.8;
constexpr double kBead = 0.5;  // the fillet between the pieces of a chain

struct Vessel {
    Chain chain;
    bool open_end;  // cut at its last bead
};

const std::vector<Vessel>& left_vessels() {
    static const std::vector<Vessel> kVessels = {
        // The aorta and its arch.
        {smooth({{{4, 2, 18}, 11},
                 {{-4, -3, 36}, 11.5},
                 {{-6, -1, 52}, 11},
                 {{1, 6, 65}, 10.5},
                 {{13, 15, 65}, 10},
                 {{21, 25, 58}, 9.5},
                 {{24, 32, 47}, 9}},
                4),
         true},
    };
    return kVessels;
}

// Vessels too slim for the grid are swept: the three arteries that leave the arch, and the pulmonary veins.
const std::vector<Chain>& slim_vessels() {
    static const std::vector<Chain> kVessels = {
        smooth({{{-3, 3, 62}, 5}, {{-9, 2, 84}, 4.5}, {{-14, 1, 106}, 4.3}}, 5),
        smooth({{{5, 9, 66}, 4.5}, {{5, 9, 86}, 4.1}, {{4, 8, 106}, 4}}, 5),
        smooth({{{14, 16, 66}, 4.5}, {{18, 16, 86}, 4.1}, {{24, 15, 106}, 4}}, 5),
        smooth({{{16, 26, 22}, 5}, {{26, 27, 23}, 4.5}, {{38, 27, 26}, 4.4}}, 4),
        smooth({{{16, 26, 14}, 5}, {{26, 27, 12}, 4.5}, {{37, 27, 9}, 4.4}}, 4),
        smooth({{{-6, 27, 25}, 5}, {{-20, 29, 26}, 4.5}, {{-34, 30, 28}, 4.4}}, 4),
        smooth({{{-6, 27, 16}, 5}, {{-20, 29, 14}, 4.5}, {{-34, 30, 12}, 4.4}}, 4),
    };
    return kVessels;
}

const std::vector<Vessel>& right_vessels() {
    static const std::vector<Vessel> kVessels = {
        // The pulmonary trunk and its two branches; the right one passes behind the aorta.
        {smooth({{{6, -19, 24}, 11.5}, {{11, -15, 40}, 11}, {{15, -3, 51}, 10}}, 4), false},
        {smooth({{{15, -3, 51}, 9}, {{27, 8, 55}, 7.5}, {{42, 14, 57}, 6.5}}, 4), true},
        {smooth({{{15, -3, 51}, 9}, {{9, 15, 49}, 8}, {{-14, 22, 47}, 7}, {{-40, 20, 47}, 6.5}}, 4), true},
        // Superior and inferior vena cava.
        {smooth({{{-27, 3, 22}, 9}, {{-27, 3, 56}, 8}, {{-28, 2, 92}, 7.5}}, 4), true},
        {smooth({{{-25, 8, 0}, 10}, {{-23, 10, -30}, 8}, {{-22, 10, -66}, 7.5}}, 4), true},
    };
    return kVessels;
}

double left_muscle(const Vector3d& p) {
    static const Chain kVentricle = {{{8, 4, 12}, 23.5}, {{17, -3, -13}, 20}, {{25, -9, -37}, 11}};
    static const Chain kAuricle = {{{24, 14, 24}, 7}, {{30, -2, 21}, 5}};
    const double atrium = ellipsoid(p, {6, 24, 20}, {21, 13, 14});
    return join(join(field_of(kVentricle, p, 12), atrium, 5), field_of(kAuricle, p, kBead), 3);
}

double right_muscle(const Vector3d& p) {
    static const Chain kVentricle = {{{-12, -10, 12}, 17.5}, {{2, -17, -10}, 15.5}, {{16, -15, -31}, 9}};
    static const Chain kOutflow = {{{-4, -15, 10}, 15}, {{6, -19, 25}, 11.5}};
    static const Chain kAuricle =
        smooth({{{-25, -8, 25}, 8.5}, {{-18, -16, 29}, 7}, {{-9, -19, 30}, 4.5}}, 3);
    const double atrium = ellipsoid(p, {-28, 4, 12}, {15, 18, 20});
    const double ventricle = join(field_of(kVentricle, p, 12), field_of(kOutflow, p, kBead), 8);
    return join(join(ventricle, atrium, 4), field_of(kAuricle, p, kBead), 3);
}

double vessels_field(const std::vector<Vessel>& vessels, const Vector3d& p) {
    double least = 1e9;
    for (const Vessel& vessel : vessels)
        least = join(least, field_of(vessel.chain, p, kBead), 2.5);
    return least;
}

double left_heart(const Vector3d& p) {
    return join(left_muscle(p), vessels_field(left_vessels(), p), 4);
}

double right_heart(const Vector3d& p) {
    return join(right_muscle(p), vessels_field(right_vessels(), p), 4);
}

// Opens the ends of vessels: triangles beyond the plane of the cut go; of those across it, the vertices
// beyond are drawn back to the rim.
void open_vessels(SurfaceMesh& mesh, const std::vector<Vessel>& vessels) {
    std::vector<bool> gone(mesh.vertices.size(), false);
    for (const Vessel& vessel : vessels) {
        if (!vessel.open_end) continue;
        const Bead& end = vessel.chain.back();
        const Vector3d out = (end.at - vessel.chain[vessel.chain.size() - 2].at).normalized();
        for (std::size_t v = 0; v < gone.size(); ++v) {
            Vector3d& p = mesh.vertices[v];
            const double depth = (p - end.at).dot(out);
            if (depth <= 0 || field_of(vessel.chain, p, kBead) > 0.7) continue;
            gone[v] = true;
            const Vector3d across = p - depth * out - end.at;
            p = end.at + across * (end.radius / std::max(across.norm(), 1e-9));
        }
    }
    std::erase_if(mesh.triangles, [&](const build::Triangle& t) {
        return std::all_of(t.begin(), t.end(), [&](int v) { return gone[static_cast<std::size_t>(v)]; });
    });
}

// Gives the sheet an inner side and closes it along the open rims.
void thicken(SurfaceMesh& mesh, const Field& field, const std::function<double(const Vector3d&)>& wall) {
    const int n = static_cast<int>(mesh.vertices.size());
    for (int v = 0; v < n; ++v) {
        const Vector3d p = mesh.vertices[static_cast<std::size_t>(v)];
        const Vector3d g = slope(field, p, 1.0).gradient;
        mesh.vertices.push_back(p - wall(p) * g / std::max(g.norm(), 1e-9));
    }
    std::map<std::pair<int, int>, int> edges;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            ++edges[{t[k], t[(k + 1) % 3]}];
    const std::size_t outer = mesh.triangles.size();
    for (std::size_t i = 0; i < outer; ++i) {
        const build::Triangle t = mesh.triangles[i];
        mesh.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
    }
    for (const auto& [edge, count] : edges) {
        const auto [a, b] = edge;
        if (edges.count({b, a}) != 0) continue;
        mesh.triangles.push_back({b, a, a + n});
        mesh.triangles.push_back({b, a + n, b + n});
    }
}

// Only the vertices that triangles use.
void drop_unused(SurfaceMesh& mesh) {
    std::vector<int> renumbered(mesh.vertices.size(), -1);
    std::vector<Vector3d> kept;
    for (auto& t : mesh.triangles)
        for (int& v : t) {
            int& to = renumbered[static_cast<std::size_t>(v)];
            if (to < 0) {
                to = static_cast<int>(kept.size());
                kept.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
            }
            v = to;
        }
    mesh.vertices = std::move(kept);
}

// Where two rims meet in one vertex, each sheet gets its own copy of it.
void split_pinched_vertices(SurfaceMesh& mesh) {
    std::vector<std::vector<std::size_t>> around(mesh.vertices.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const int v : mesh.triangles[t])
            around[static_cast<std::size_t>(v)].push_back(t);
    const auto share_edge_at = [&](std::size_t s, std::size_t t, int v) {
        return std::count_if(mesh.triangles[s].begin(), mesh.triangles[s].end(), [&](int w) {
                   return w != v && std::count(mesh.triangles[t].begin(), mesh.triangles[t].end(), w) > 0;
               }) > 0;
    };
    for (int v = 0; v < static_cast<int>(around.size()); ++v) {
        std::vector<std::size_t> left = around[static_cast<std::size_t>(v)];
        for (int sheet = 0; !left.empty(); ++sheet) {
            std::vector<std::size_t> fan{left.back()};
            left.pop_back();
            for (std::size_t i = 0; i < fan.size(); ++i) {
                const auto joined = std::partition(
                    left.begin(), left.end(), [&](std::size_t t) { return !share_edge_at(fan[i], t, v); });
                fan.insert(fan.end(), joined, left.end());
                left.erase(joined, left.end());
            }
            if (sheet == 0) continue;
            for (const std::size_t t : fan)
                std::replace(mesh.triangles[t].begin(), mesh.triangles[t].end(), v,
                             static_cast<int>(mesh.vertices.size()));
            mesh.vertices.push_back(Vector3d(mesh.vertices[static_cast<std::size_t>(v)]));
        }
    }
}

struct Body {
    Field field, muscle, vessel;
    const std::vector<Vessel>& vessels;
};

// `other`: what lies in this body's way; the wall is left out inside it.
SurfaceMesh hollow_body(const Body& body, const Field& other) {
    const Eigen::AlignedBox3d box(Vector3d(-62, -46, -80), Vector3d(62, 52, 116));
    SurfaceMesh mesh = isosurface(body.field, box, kCell);
    open_vessels(mesh, body.vessels);
    std::erase_if(mesh.triangles, [&](const build::Triangle& t) {
        return std::all_of(t.begin(), t.end(), [&](int v) {
            return other(mesh.vertices[static_cast<std::size_t>(v)]) < -kMuscleWall / 2;
        });
    });
    split_pinched_vertices(mesh);
    drop_unused(mesh);
    thicken(mesh, body.field, [&](const Vector3d& p) {
        const double share = std::clamp((body.vessel(p) - body.muscle(p)) / 6 + 0.5, 0.0, 1.0);
        return kVesselWall + share * (kMuscleWall - kVesselWall);
    });
    return mesh;
}

void append(SurfaceMesh& mesh, const SurfaceMesh& part) {
    const int offset = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const auto& t : part.triangles)
        mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
}

// A hollow tube, open at both ends: outside, inside, and the rims between.
void add_pipe(SurfaceMesh& mesh, const Chain& chain) {
    constexpr int kSides = 14;
    SurfaceMesh sheet;
    std::vector<Vector3d> path;
    std::vector<double> radii;
    for (const Bead& bead : chain) {
        path.push_back(bead.at);
        radii.push_back(bead.radius);
    }
    add_tube(sheet, path, radii, kSides);
    sheet.triangles.resize(sheet.triangles.size() - 2 * (kSides - 2));  // the fans at the ends come last
    thicken(
        sheet, [&](const Vector3d& p) { return field_of(chain, p, kBead); },
        [](const Vector3d&) { return kVesselWall; });
    append(mesh, sheet);
}

// An artery on the heart's skin through a few points near it.
void add_coronary(SurfaceMesh& mesh, const Field& skin, const Chain& rough) {
    Chain chain = smooth(rough, 5);
    std::vector<Vector3d> path;
    std::vector<double> radii;
    for (Bead& bead : chain) {
        for (int pass = 0; pass < 6; ++pass) {
            const auto [f, g] = slope(skin, bead.at, 0.5);
            bead.at -= std::clamp(f - 0.35 * bead.radius, -3.0, 3.0) * g / std::max(g.norm(), 0.3);
        }
        path.push_back(bead.at);
        radii.push_back(bead.radius);
    }
    add_tube(mesh, path, radii, 10);
}

}  // namespace

build::SurfaceMesh heart() {
    SurfaceMesh mesh;
    const Field left_tubes = [](const Vector3d& p) { return vessels_field(left_vessels(), p); };
    const Field right_tubes = [](const Vector3d& p) { return vessels_field(right_vessels(), p); };
    append(mesh, hollow_body({left_heart, left_muscle, left_tubes, left_vessels()},
                             [](const Vector3d&) { return 1.0; }));
    append(mesh, hollow_body({right_heart, right_muscle, right_tubes, right_vessels()}, left_heart));
    const std::size_t bodies = mesh.triangles.size();
    for (const Chain& chain : slim_vessels())
        add_pipe(mesh, chain);
    const std::size_t pipes = mesh.triangles.size();

    const Field skin = [](const Vector3d& p) { return std::min(left_heart(p), right_heart(p)); };
    // Down the groove between the ventricles, with two branches over the left one.
    add_coronary(mesh, skin,
                 {{{18, -20, 18}, 2.0},
                  {{20, -24, 2}, 1.9},
                  {{22, -24, -16}, 1.7},
                  {{25, -22, -34}, 1.3},
                  {{29, -16, -48}, 0.9}});
    add_coronary(mesh, skin, {{{20, -24, 4}, 1.4}, {{30, -18, -8}, 1.2}, {{36, -12, -24}, 0.8}});
    add_coronary(mesh, skin, {{{18, -21, 14}, 1.4}, {{30, -14, 6}, 1.2}, {{38, -6, -8}, 0.8}});
    // Round the right heart in the groove below the atrium, with a branch over the right ventricle.
    add_coronary(
        mesh, skin,
        {{{-10, -24, 22}, 2.0}, {{-20, -24, 10}, 1.9}, {{-24, -18, -2}, 1.7}, {{-22, -8, -14}, 1.4}});
    add_coronary(mesh, skin, {{{-20, -22, 4}, 1.5}, {{-8, -28, -10}, 1.3}, {{6, -28, -24}, 0.9}});

    // What is muscle and what is vessel, by the nearer field.
    build::Group muscle{"muscle", {}}, arteries{"arteries", {}}, veins{"veins", {}},
        coronaries{"coronaries", {}};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& ids = mesh.triangles[t];
        const Vector3d p = (mesh.vertices[static_cast<std::size_t>(ids[0])] +
                            mesh.vertices[static_cast<std::size_t>(ids[1])] +
                            mesh.vertices[static_cast<std::size_t>(ids[2])]) /
                           3;
        const double body = std::min(left_muscle(p), right_muscle(p)) + 1;
        const double red = vessels_field(left_vessels(), p), blue = vessels_field(right_vessels(), p);
        build::Group& group = t >= pipes                   ? coronaries
                              : t >= bodies                ? arteries
                              : body < std::min(red, blue) ? muscle
                              : red < blue                 ? arteries
                                                           : veins;
        group.ids.push_back(static_cast<int>(t));
    }
    mesh.triangle_groups = {muscle, arteries, veins, coronaries};
    for (Vector3d& v : mesh.vertices)
        v *= 1e-3;
    return mesh;
}

}  // namespace limber::models
