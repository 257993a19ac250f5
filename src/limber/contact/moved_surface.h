// SPDX-License-Identifier: Apache-2.0
// A surface where it stands: boxes of its tree's nodes and positions of its vertices, computed when asked
// for. docs/math/contact.md, section 1.
#pragma once
#include <limber/contact/contact_surface.h>
#include <limber/rigid/frame.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

// Where a surface stands: x = pose · scale (X + u). The spans refer to the caller's memory.
//     rigid:   u = 0
//     reduced: u = Uq
//     warped:  u = R̃(Ψp) (Φq + Γz); p empty: linear modes, u = Φq + Γz; z empty: no companions
struct SurfaceConfiguration {
    Pose pose;                    // world from the model's coordinates
    std::span<const double> q{};  // r or m entries; none for rigid bodies
    std::span<const double> p{};  // m entries: the q whose rotations the shape has; or none
    std::span<const double> z{};  // k entries: amplitudes of the companions; or none
    double scale = 1;             // lengths over those of the model
};

// Are its numbers finite, and as many as the surface needs?
bool fits(const SurfaceConfiguration& configuration, const ContactSurface& surface);

// X + u of a vertex, in the model's coordinates, m.                                                 (2), (4)
Eigen::Vector3d deformed(const ContactSurface& surface, const SurfaceConfiguration& configuration,
                         std::int32_t vertex);

// The box about a node's triangles, in the model's axes.
struct NodeBox {
    Eigen::Vector3d center, half;  // m
};

// Computes boxes of nodes of a surface for one configuration, which must fit; O(r) each.
class NodeBoxes {
 public:
    void prepare(const ContactSurface& surface, const SurfaceConfiguration& configuration);
    NodeBox operator()(std::int32_t node) const;  // (3), (5)

 private:
    const ContactSurface* surface_ = nullptr;
    // Of each column that displaces, then of each that rotates: its coordinate four times, then its absolute
    // value.
    std::vector<float> weights_;
    std::size_t displacing_ = 0, rotating_ = 0;  // columns with weights
    double slack_ = 0, rotation_slack_ = 0;      // rounding of the floats, m and rad
};

// Padded with a zero: one vector operation.
using Padded3d = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;

// A node's box in the model's axes, its centre in the world.
struct MovedBox {
    Eigen::Vector3d center;
    Padded3d half;  // m
};

// A triangle now, in the world.
struct MovedFace {
    Eigen::Vector3d normal;            // unit
    Padded3d low, high;                // of its box, m
    Padded3d moved_least, moved_most;  // of its corners' motions since the start, by axes, m
};

// An edge now, in the world: unit vectors along it and into its triangles, and the sum of their normals.
struct MovedEdge {
    Eigen::Vector3d along, outward;
    std::array<Eigen::Vector3d, 2> into;
    int triangles = 0;
    double turn = 1;  // of the surface at the edge
};

// Of the edges that are looked at with a triangle, those at which the surface turns away by more than
// kFlatTurn.
struct MovedEdges {
    std::array<bool, 3> sharp;
};
inline constexpr double kFlatTurn = 0.01;

// A surface at the middle and the start of a step; what was computed of it is kept for the step.
class MovedSurface {
 public:
    // Of another step, or another surface. The configurations must fit. Takes memory only for more vertices
    // than ever before.
    void prepare(const ContactSurface& surface, const SurfaceConfiguration& now,
                 const SurfaceConfiguration& start);

    // Memory for all that may be asked for, so that the first contact takes none.
    void reserve();

    const ContactSurface& surface() const { return *surface_; }
    // Now, in the model's axes.
    NodeBox box(std::int32_t node) const {
        NodeBox out = boxes_(node);
        out.center *= scale_;
        out.half *= scale_;
        return out;
    }
    // Of the surface at rest, at its scale: m and m².
    double mean_edge() const { return scale_ * surface_->mean_edge; }
    double rest_radius() const { return scale_ * surface_->rest_radius; }
    Eigen::Vector3d rest(std::int32_t vertex) const {
        return scale_ * surface_->rest[static_cast<std::size_t>(vertex)];
    }
    double longest_edge(std::int32_t triangle) const {
        return scale_ * surface_->longest_edge[static_cast<std::size_t>(triangle)];
    }
    double area(std::int32_t triangle) const {
        return scale_ * scale_ * surface_->area[static_cast<std::size_t>(triangle)];
    }
    double vertex_area(std::int32_t vertex) const {
        return scale_ * scale_ * surface_->vertex_area[static_cast<std::size_t>(vertex)];
    }
    const Eigen::Matrix3d& rotation() const { return now_.rotation; }
    Eigen::Vector3d to_world(const Eigen::Vector3d& x) const { return now_.rotation * x + now_.position; }
    // World, m. References hold until prepare().
    const Eigen::Vector3d& now(std::int32_t vertex) { return points(vertex).now; }
    const Eigen::Vector3d& start(std::int32_t vertex) { return points(vertex).start; }
    const MovedBox& world_box(std::int32_t node) { return kept(boxes_of_nodes_, node); }
    const MovedFace& face(std::int32_t triangle) { return kept(faces_, triangle); }
    const MovedEdge& edge(std::int32_t edge) { return kept(edges_, edge); }
    const MovedEdges& edges_of(std::int32_t triangle) { return kept(edges_of_, triangle); }
    // No point is farther from its start, moved by carried(), than strayed(), m.                    (6)
    const Eigen::Vector3d& carried() const { return carried_; }
    double strayed() const { return strayed_; }
    double drift() const { return carried_.norm() + strayed_; }

 private:
    struct Placed {
        SurfaceConfiguration configuration;
        Eigen::Matrix3d rotation;
        Eigen::Vector3d position;
        Eigen::Vector3d of(const ContactSurface& surface, std::int32_t vertex) const {
            return rotation * (configuration.scale * deformed(surface, configuration, vertex)) + position;
        }
    };
    struct Points {
        Eigen::Vector3d now, start;
    };
    // Asked for many times in a step, computed once.
    template <class T>
    struct Kept {
        T value;
        std::uint64_t step = 0;
    };
    template <class T>
    const T& kept(std::vector<Kept<T>>& list, std::int32_t i) {
        const auto at = static_cast<std::size_t>(i);
        if (at >= list.size() || list[at].step != step_) renew(list, i);
        return list[at].value;
    }
    template <class T>
    void renew(std::vector<Kept<T>>& list, std::int32_t i);
    void compute(std::int32_t vertex, Points& out) const;
    void compute(std::int32_t node, MovedBox& out) const;
    void compute(std::int32_t triangle, MovedFace& out);
    void compute(std::int32_t edge, MovedEdge& out);
    void compute(std::int32_t triangle, MovedEdges& out);
    const Points& points(std::int32_t vertex) { return kept(points_, vertex); }
    double turn_at(const SurfaceEdge& edge);
    void bound_drift();

    const ContactSurface* surface_ = nullptr;
    Placed now_, start_;
    double scale_ = 1;
    bool still_ = false;  // now and start are the same
    NodeBoxes boxes_;
    Eigen::Vector3d carried_ = Eigen::Vector3d::Zero();
    double strayed_ = 0;
    std::uint64_t step_ = 0;
    std::vector<Kept<Points>> points_;
    std::vector<Kept<MovedBox>> boxes_of_nodes_;
    std::vector<Kept<MovedFace>> faces_;
    std::vector<Kept<MovedEdge>> edges_;
    std::vector<Kept<MovedEdges>> edges_of_;
};

}  // namespace limber
