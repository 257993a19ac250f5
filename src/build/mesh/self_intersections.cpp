// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/self_intersections.h"

#include "build/mesh/box_tree.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/vertex_range.h"

#define TETLIBRARY
#include <tetgen.h>

#include <algorithm>
#include <array>

namespace limber::build {
namespace {

int sign(double x) {
    return (x > 0) - (x < 0);
}

// On which side of the plane abc is d? Exact.
int side(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d) {
    const auto p = [](const Vertex& v) { return const_cast<double*>(v.data()); };
    return sign(::orient3d(p(a), p(b), p(c), p(d)));
}

// Points of one plane, looked at along the axis nearest to its normal.
class PlaneView {
 public:
    PlaneView(const Vertex& a, const Vertex& b, const Vertex& c) {
        (b - a).cross(c - a).cwiseAbs().maxCoeff(&axis_);
    }
    // On which side of the line ab is c? Lifted to a test in space by a point above the plane.
    int side(const Vertex& a, const Vertex& b, const Vertex& c) const {
        Vertex above = flat(a);
        above[axis_] = 1;
        return build::side(flat(a), flat(b), flat(c), above);
    }
    bool segments_meet(const Vertex& p, const Vertex& q, const Vertex& a, const Vertex& b) const {
        const int pa = side(p, q, a), pb = side(p, q, b), ap = side(a, b, p), aq = side(a, b, q);
        if (pa == 0 && pb == 0) return boxes_meet(p, q, a, b);  // all on one line
        return pa * pb <= 0 && ap * aq <= 0;
    }
    bool holds(const std::array<Vertex, 3>& t, const Vertex& p) const {
        const int u = side(t[0], t[1], p), v = side(t[1], t[2], p), w = side(t[2], t[0], p);
        return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    }

 private:
    Vertex flat(Vertex v) const {
        v[axis_] = 0;
        return v;
    }
    bool boxes_meet(const Vertex& p, const Vertex& q, const Vertex& a, const Vertex& b) const {
        const Eigen::AlignedBox3d first(flat(p).cwiseMin(flat(q)), flat(p).cwiseMax(flat(q)));
        return first.intersects(Eigen::AlignedBox3d(flat(a).cwiseMin(flat(b)), flat(a).cwiseMax(flat(b))));
    }
    Eigen::Index axis_ = 0;
};

bool segment_meets(const Vertex& p, const Vertex& q, const std::array<Vertex, 3>& t) {
    const int sp = side(t[0], t[1], t[2], p), sq = side(t[0], t[1], t[2], q);
    if (sp * sq > 0) return false;
    if (sp == 0 && sq == 0) {
        const PlaneView view(t[0], t[1], t[2]);
        return view.holds(t, p) || view.segments_meet(p, q, t[0], t[1]) ||
               view.segments_meet(p, q, t[1], t[2]) || view.segments_meet(p, q, t[2], t[0]);
    }
    // The line through p and q passes all three edges on the same side.
    const int u = side(p, q, t[0], t[1]), v = side(p, q, t[1], t[2]), w = side(p, q, t[2], t[0]);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

class Crossing {
 public:
    explicit Crossing(const SurfaceMesh& surface) : surface_(surface) {}

    bool operator()(int a, int b) const {
        const Triangle &s = surface_.triangles[static_cast<std::size_t>(a)],
                       &t = surface_.triangles[static_cast<std::size_t>(b)];
        std::vector<int> common;
        for (const int v : s)
            if (std::find(t.begin(), t.end(), v) != t.end()) common.push_back(v);
        switch (common.size()) {
            case 0:
                return any_edge_meets(s, t) || any_edge_meets(t, s);
            case 1:
                return far_edge_meets(s, common[0], t) || far_edge_meets(t, common[0], s);
            case 2:
                return folded(s, t, common[0], common[1]);
            default:
                return true;  // the same triangle twice
        }
    }

 private:
    const Vertex& at(int v) const { return surface_.vertices[static_cast<std::size_t>(v)]; }
    std::array<Vertex, 3> points(const Triangle& t) const { return {at(t[0]), at(t[1]), at(t[2])}; }

    bool any_edge_meets(const Triangle& s, const Triangle& t) const {
        for (std::size_t i = 0; i < 3; ++i)
            if (segment_meets(at(s[i]), at(s[(i + 1) % 3]), points(t))) return true;
        return false;
    }
    // Triangles with one common corner meet elsewhere only if the edge across from it does.
    bool far_edge_meets(const Triangle& s, int corner, const Triangle& t) const {
        for (std::size_t i = 0; i < 3; ++i)
            if (s[i] == corner) return segment_meets(at(s[(i + 1) % 3]), at(s[(i + 2) % 3]), points(t));
        return false;
    }
    // Triangles with a common edge meet elsewhere only if they lie in one plane on the same side of it.
    bool folded(const Triangle& s, const Triangle& t, int a, int b) const {
        const auto apex = [&](const Triangle& x) {
            return at(*std::find_if(x.begin(), x.end(), [&](int v) { return v != a && v != b; }));
        };
        if (side(at(a), at(b), apex(s), apex(t)) != 0) return false;
        const PlaneView view(at(a), at(b), apex(s));
        return view.side(at(a), at(b), apex(s)) * view.side(at(a), at(b), apex(t)) > 0;
    }

    const SurfaceMesh& surface_;
};

}  // namespace

std::vector<std::pair<int, int>> self_intersections(const SurfaceMesh& surface, std::size_t limit) {
    const Eigen::AlignedBox3d bounds = bounds_of(surface.vertices);
    if (bounds.isEmpty() || !(bounds.sizes().maxCoeff() > 0)) return {};
    // Not verbose, exact, without the filter that needs to know the bounds.
    const double size = bounds.sizes().maxCoeff();
    ::exactinit(0, 0, 1, size, size, size);

    std::vector<Eigen::AlignedBox3d> boxes;
    std::vector<int> triangles;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        if (is_degenerate(surface.vertices, surface.triangles[t])) continue;
        Eigen::AlignedBox3d box;
        for (const int v : surface.triangles[t])
            box.extend(surface.vertices[static_cast<std::size_t>(v)]);
        boxes.push_back(box);
        triangles.push_back(static_cast<int>(t));
    }
    const BoxTree tree(boxes);
    const Crossing crossing(surface);
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < triangles.size() && pairs.size() < limit; ++i) {
        const std::size_t begin = pairs.size();
        tree.overlapping(boxes[i], [&](int j) {
            const int other = triangles[static_cast<std::size_t>(j)];
            if (other > triangles[i] && crossing(triangles[i], other))
                pairs.emplace_back(triangles[i], other);
        });
        std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.end());
    }
    if (pairs.size() > limit) pairs.resize(limit);
    return pairs;
}

}  // namespace limber::build
