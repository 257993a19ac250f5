// SPDX-License-Identifier: Apache-2.0
// What detection needs of a body's surface: frozen, shared by all bodies of a model that move in the same
// way. docs/math/contact.md, sections 1 and 3.
#pragma once
#include <limber/model/model.h>
#include <limber/result.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace limber {

enum class SurfaceMotion { Rigid, Reduced, Warped };

// An edge between two triangles, or of one: then the second is -1.
struct SurfaceEdge {
    std::array<std::int32_t, 2> vertices{};
    std::array<std::int32_t, 2> triangles{-1, -1};
};

// A run of triangles and its halves: the first child follows its parent.
struct TreeNode {
    std::int32_t first = 0, count = 0;
    std::int32_t second_child = -1;  // -1: a leaf
};

// Vertices that seams split count as one, and triangles without area are left out. Vertices and triangles
// have their own numbers, in the order of the tree.
class ContactSurface {
 public:
    // Floats of a node for each column: the middle of its range (x, y, z, 0), and half its width.
    static constexpr std::size_t kNodeFloats = 8;
    static constexpr std::size_t kVertexDoubles = 4;  // x, y, z, 0

    ContactSurface(const Model& model, SurfaceMotion motion);  // that can move so

    SurfaceMotion motion() const { return motion_; }
    // Columns: those that displace (modes, then companions), then those that rotate.
    Eigen::Index modes() const { return modes_; }
    Eigen::Index companions() const { return companions_; }
    Eigen::Index rotations() const { return motion_ == SurfaceMotion::Warped ? modes_ : 0; }
    Eigen::Index columns() const { return modes_ + companions_ + rotations(); }

    std::int32_t vertices() const { return static_cast<std::int32_t>(rest.size()); }
    const double* row(std::int32_t vertex) const {
        return rows_.data() + static_cast<std::size_t>(vertex) * row_doubles_;
    }
    // The rest box, then a box of each column.
    const float* box(std::int32_t node) const {
        return boxes_.data() + static_cast<std::size_t>(node) * box_floats_;
    }

    std::vector<Eigen::Vector3d> rest;    // of the vertices, m
    std::vector<std::int32_t> shown;      // the vertex of the model's surface, the first if a seam split it
    std::vector<double> vertex_area;      // a third of its triangles' at rest, m²
    std::vector<std::int32_t> fan_start;  // triangles of vertex v: fan[fan_start[v]] … fan[fan_start[v + 1]]
    std::vector<std::int32_t> fan;
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<std::array<bool, 3>> owns;  // a vertex is looked at with the first of its triangles
    std::vector<std::array<std::int32_t, 3>> edges_of;  // edge k joins vertices k and k + 1 of the triangle
    std::vector<double> area;                           // of the triangles at rest, m²
    std::vector<double> longest_edge;                   // of the triangles at rest, m
    std::vector<SurfaceEdge> edges;
    std::vector<TreeNode> nodes;    // the root first
    double mean_edge = 0;           // m, at rest
    double rest_radius = 0;         // m: no vertex is farther from the middle of the root's rest box
    Eigen::VectorXd largest;        // of each column: no vertex moves (rotates) more by a unit of it
    double largest_coordinate = 0;  // m, of a vertex at rest

 private:
    void weld(const Model& model, std::vector<std::int32_t>& number);
    void add_triangles(const Model& model);
    void add_rows(const Model& model);
    void find_edges();
    void build_nodes();
    void bound_nodes();

    SurfaceMotion motion_;
    Eigen::Index modes_ = 0, companions_ = 0;
    std::size_t row_doubles_ = 0, box_floats_ = 0;
    std::vector<double> rows_;
    std::vector<float> boxes_;
};

// Errors: no triangle with an area; no basis or modes for that motion.
Result<std::shared_ptr<const ContactSurface>> share_contact_surface(const std::shared_ptr<const Model>& model,
                                                                    SurfaceMotion motion);

}  // namespace limber
