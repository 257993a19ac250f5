// SPDX-License-Identifier: Apache-2.0
#include "models/limbs.h"

#include "build/domains/borders.h"
#include "models/fields.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace limber::models {
namespace {

using Eigen::Vector3d;

std::vector<int> depths_of(const TreeLimbs& limbs) {
    std::vector<int> out;
    for (const TreeLimb& limb : limbs)
        out.push_back(limb.parent < 0 ? 0 : out[std::size_t(limb.parent)] + 1);
    return out;
}

// The neighbour of a on its path to b in the tree.
int next_on_path(const TreeLimbs& limbs, const std::vector<int>& depth, int a, int b) {
    int up = b;
    while (depth[std::size_t(up)] > depth[std::size_t(a)] + 1)
        up = limbs[std::size_t(up)].parent;
    if (depth[std::size_t(b)] > depth[std::size_t(a)] && limbs[std::size_t(up)].parent == a) return up;
    return limbs[std::size_t(a)].parent;
}

// Pieces of a domain beside its largest one join the neighbour with which they share most faces.
bool join_loose_pieces(const std::vector<build::InnerFace>& faces, std::vector<int>& labels) {
    const std::vector<int> piece = build::pieces_of(labels.size(), faces, labels);
    std::map<int, int> size, label_of;
    for (std::size_t e = 0; e < labels.size(); ++e) {
        ++size[piece[e]];
        label_of[piece[e]] = labels[e];
    }
    std::map<int, int> largest;  // label -> piece
    for (const auto& [p, label] : label_of) {
        const auto [at, fresh] = largest.emplace(label, p);
        if (!fresh && size[p] > size[at->second]) at->second = p;
    }
    std::map<int, std::map<int, int>> votes;  // loose piece -> label -> faces
    for (const build::InnerFace& face : faces)
        for (const auto& [from, to] : {std::pair(face.a, face.b), std::pair(face.b, face.a)}) {
            const int p = piece[std::size_t(from)];
            if (largest[label_of[p]] != p && labels[std::size_t(to)] != label_of[p])
                ++votes[p][labels[std::size_t(to)]];
        }
    if (votes.empty()) return false;
    std::map<int, int> joins;
    for (const auto& [p, of] : votes)
        joins[p] = std::max_element(of.begin(), of.end(), [](const auto& a, const auto& b) {
                       return a.second < b.second;
                   })->first;
    for (std::size_t e = 0; e < labels.size(); ++e)
        if (const auto found = joins.find(piece[e]); found != joins.end()) labels[e] = found->second;
    return true;
}

// Where limbs meet that are no neighbours in the tree, elements of the deeper one go to the limb between.
bool part_strangers(const TreeLimbs& limbs, const std::vector<int>& depth, const build::VolumeMesh& mesh,
                    std::vector<int>& labels) {
    std::vector<std::vector<int>> around(mesh.vertices.size());
    for (std::size_t e = 0; e < labels.size(); ++e)
        build::for_each_corner(mesh, e, [&](int v) { around[std::size_t(v)].push_back(int(e)); });
    bool changed = false;
    for (const std::vector<int>& elements : around)
        for (const int e : elements)
            for (const int f : elements) {
                const int a = labels[std::size_t(e)], b = labels[std::size_t(f)];
                if (a == b || limbs[std::size_t(a)].parent == b || limbs[std::size_t(b)].parent == a)
                    continue;
                const bool of_a = std::pair(depth[std::size_t(a)], a) > std::pair(depth[std::size_t(b)], b);
                labels[std::size_t(of_a ? e : f)] =
                    of_a ? next_on_path(limbs, depth, a, b) : next_on_path(limbs, depth, b, a);
                changed = true;
            }
    return changed;
}

}  // namespace

Field along(const std::vector<Bead>& chain) {
    return [chain](const Vector3d& p) { return field_of(chain, p, 1e-9); };
}

Ball ball_of(const std::vector<Bead>& chain) {
    Ball out{Vector3d::Zero(), 0};
    for (const Bead& bead : chain)
        out.centre += bead.at / double(chain.size());
    for (const Bead& bead : chain)
        out.radius = std::max(out.radius, (bead.at - out.centre).norm() + bead.radius);
    return out;
}

Field turned_ellipsoid(const Vector3d& centre, const Eigen::Matrix3d& axes, const Vector3d& radii) {
    return [=](const Vector3d& p) {
        return ellipsoid(axes.transpose() * (p - centre), Vector3d::Zero(), radii);
    };
}

Field joined(const TreeLimbs& limbs, double blend) {
    return [limbs, blend](const Vector3d& p) {
        // A limb that is farther than the nearest one by more than this changes nothing: it is not looked at.
        const double reach = 1.5 * blend;
        constexpr double kFar = 1e9;
        std::vector<double> values(limbs.size(), kFar);
        double least = kFar;
        for (std::size_t i = 0; i < limbs.size(); ++i) {
            const Ball& ball = limbs[i].ball;
            if ((p - ball.centre).norm() - ball.radius > least + reach) continue;
            values[i] = limbs[i].field(p);
            least = std::min(least, values[i]);
        }
        double out = least;
        for (std::size_t i = 1; i < limbs.size(); ++i)
            out = std::min(out, join(values[i], values[std::size_t(limbs[i].parent)], blend));
        return out;
    };
}

std::vector<std::string> names_of(const TreeLimbs& limbs) {
    std::vector<std::string> out;
    for (const TreeLimb& limb : limbs)
        out.push_back(limb.name);
    return out;
}

std::vector<int> labels_of(const TreeLimbs& limbs, const build::VolumeMesh& mesh) {
    std::vector<int> labels;
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        Vector3d sum = Vector3d::Zero();
        int corners = 0;
        build::for_each_corner(mesh, e, [&](int v) {
            sum += mesh.vertices[std::size_t(v)];
            ++corners;
        });
        int best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < limbs.size(); ++i)
            if (const double value = limbs[i].field(sum / corners); value < least) {
                least = value;
                best = int(i);
            }
        labels.push_back(best);
    }
    const std::vector<int> depth = depths_of(limbs);
    const std::vector<build::InnerFace> faces = build::inner_faces(mesh);
    constexpr int kMostRounds = 100;
    for (int round = 0; round < kMostRounds; ++round) {
        const bool loose = join_loose_pieces(faces, labels);
        if (!part_strangers(limbs, depth, mesh, labels) && !loose) break;
    }
    return labels;
}

}  // namespace limber::models
