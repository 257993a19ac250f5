// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/holding.h"

#include "build/mesh/boundary.h"
#include "build/mesh/select.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/vertex_range.h"
#include "build/or_throw.h"
#include "build/recipe/selection.h"

#include <limber/select/condition.h>
#include <limber/select/select.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

std::vector<int> sorted_unique(std::vector<int> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

// A triangle in strips parallel to its shortest edge, each cut into cells no larger than `spacing`.
class TrianglePoints {
 public:
    TrianglePoints(const std::vector<Vertex>& vertices, const Triangle& t, double spacing) {
        std::size_t apex = 0;
        double shortest = INFINITY;
        for (std::size_t i = 0; i < 3; ++i) {
            const double edge = (at(vertices, t, i + 1) - at(vertices, t, i + 2)).norm();
            if (edge >= shortest) continue;
            shortest = edge;
            apex = i;
        }
        a_ = at(vertices, t, apex);
        b_ = at(vertices, t, apex + 1) - a_;
        c_ = at(vertices, t, apex + 2) - a_;
        rows_ = count(std::max(b_.norm(), c_.norm()), spacing);
        columns_per_row_ = shortest / spacing / rows_;
        area_ = area_of(vertices, t);
    }

    // Points on the corners of the cells; those of the triangle are left out.
    template <class Visit>
    void for_each_point(Visit&& visit) const {
        for (int i = 1; i <= rows_; ++i) {
            const int columns = columns_of(i);
            for (int j = 0; j <= columns; ++j)
                if (i < rows_ || (j > 0 && j < columns)) visit(point(double(i) / rows_, double(j) / columns));
        }
    }
    // The middles of the cells and their areas.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (int i = 1; i <= rows_; ++i) {
            const int columns = columns_of(i);
            const double area = area_ * (2 * i - 1) / (double(rows_) * rows_) / columns;
            for (int j = 0; j < columns; ++j)
                visit(point((i - 0.5) / rows_, (j + 0.5) / columns), area);
        }
    }

 private:
    static const Vertex& at(const std::vector<Vertex>& vertices, const Triangle& t, std::size_t i) {
        return vertices[static_cast<std::size_t>(t[i % 3])];
    }
    // The finest cubes are 1/1024 of the longest side.
    static int count(double length, double spacing) {
        return static_cast<int>(std::clamp(std::ceil(length / spacing), 1.0, 4096.0));
    }
    int columns_of(int row) const { return count(columns_per_row_ * row, 1); }
    Vertex point(double s, double t) const { return a_ + s * (b_ + t * (c_ - b_)); }

    Vertex a_, b_, c_;
    int rows_ = 1;
    double columns_per_row_ = 0;
    double area_ = 0;
};

// How far apart points of the surface are tried, m.
double spacing_of(const SurfaceMesh& surface, const VolumeMesh& volume) {
    const double whole = bounds_of(surface.vertices).sizes().maxCoeff();
    if (volume.bricks.empty()) return whole / 64;  // for the area only
    const auto at = [&](int n) {
        return volume.vertices[static_cast<std::size_t>(volume.bricks[0][static_cast<std::size_t>(n)])];
    };
    return 0.5 * (at(1) - at(0)).norm();
}

}  // namespace

Holding hold_surface(const std::vector<std::string>& texts, const SurfaceMesh& surface,
                     const VolumeMesh& volume, const Embedding& embedding) {
    Holding out;
    std::vector<char> by_id(surface.vertices.size(), 0);
    const auto hold_cell = [&](const Embedding::Anchor& anchor) {
        out.nodes.insert(out.nodes.end(), anchor.nodes.begin(), anchor.nodes.begin() + anchor.count);
    };
    std::vector<std::pair<std::string, Condition>> conditions;
    for (const std::string& text : texts) {
        if (text == "none") continue;
        if (select_form(text) == SelectForm::Condition) {
            // Mistakes in the text name the option.
            std::vector<int> vertices;
            try {
                vertices = select_vertices(text, surface);
            } catch (const InputError&) {
                select_some("--fix", text, surface);
            }
            conditions.emplace_back(text, or_throw(parse_condition(text, bounds_of(surface.vertices))));
            if (volume.tets.empty())
                for (const int v : vertices)
                    hold_cell(embedding.anchors[static_cast<std::size_t>(v)]);
            continue;
        }
        for (const int v : select_some("--fix", text, surface)) {
            by_id[static_cast<std::size_t>(v)] = 1;
            hold_cell(embedding.anchors[static_cast<std::size_t>(v)]);
        }
    }

    std::vector<std::vector<Vertex>> points(conditions.size());
    std::vector<Vertex> beside_ids;  // middles of cells round vertices that were selected by id
    std::vector<double> beside_area;
    const double spacing = spacing_of(surface, volume);
    for (const Triangle& t : surface.triangles) {
        if (!in_range(t, surface.vertices.size()) || is_degenerate(surface.vertices, t)) continue;
        const bool has_id =
            std::any_of(t.begin(), t.end(), [&](int v) { return by_id[static_cast<std::size_t>(v)] != 0; });
        if (conditions.empty() && !has_id) continue;
        const TrianglePoints on(surface.vertices, t, spacing);
        on.for_each_cell([&](const Vertex& x, double area) {
            if (std::any_of(conditions.begin(), conditions.end(),
                            [&](const auto& c) { return holds(c.second, x); })) {
                out.area += area;
            } else if (has_id) {
                beside_ids.push_back(x);
                beside_area.push_back(area);
            }
        });
        if (volume.tets.empty())
            on.for_each_point([&](const Vertex& x) {
                for (std::size_t c = 0; c < conditions.size(); ++c)
                    if (holds(conditions[c].second, x)) points[c].push_back(x);
            });
    }

    const Boundary boundary = volume.tets.empty() ? Boundary{} : boundary_of(volume);
    for (std::size_t c = 0; c < conditions.size(); ++c) {
        const auto& [text, condition] = conditions[c];
        bool any = !points[c].empty();
        if (any)
            for (const auto& anchor : embed(volume, points[c]).anchors)
                hold_cell(anchor);
        for (const int v : boundary.volume_vertex)
            if (holds(condition, volume.vertices[static_cast<std::size_t>(v)])) {
                out.nodes.push_back(v);
                any = true;
            }
        if (!any) select_some("--fix", text, surface);  // throws unless it selects vertices
    }
    out.nodes = sorted_unique(std::move(out.nodes));
    const auto is_fixed = [&](int node) {
        return std::binary_search(out.nodes.begin(), out.nodes.end(), node);
    };
    if (!beside_ids.empty()) {
        const Embedding beside = embed(volume, beside_ids);
        for (std::size_t i = 0; i < beside_ids.size(); ++i) {
            const Embedding::Anchor& anchor = beside.anchors[i];
            if (std::all_of(anchor.nodes.begin(), anchor.nodes.begin() + anchor.count, is_fixed))
                out.area += beside_area[i];
        }
    }
    return out;
}

Holding hold_volume(const std::vector<std::string>& texts, const VolumeMesh& volume,
                    const SurfaceMesh& boundary, const std::vector<int>& boundary_vertex) {
    Holding out;
    for (const std::string& text : texts) {
        if (text == "none") continue;
        const auto ids = select_some("--fix", text, volume);
        out.nodes.insert(out.nodes.end(), ids.begin(), ids.end());
    }
    out.nodes = sorted_unique(std::move(out.nodes));
    for (const Triangle& t : boundary.triangles)
        if (std::all_of(t.begin(), t.end(), [&](int v) {
                return std::binary_search(out.nodes.begin(), out.nodes.end(),
                                          boundary_vertex[static_cast<std::size_t>(v)]);
            }))
            out.area += area_of(boundary.vertices, t);
    return out;
}

}  // namespace limber::build
