// SPDX-License-Identifier: Apache-2.0
// A surface where it stands: boxes of its tree's nodes and positions of its vertices, computed when asked
// for. docs/math/contact.md, section 1.
#pragma once
#include <limber/contact/contact_surface.h>
#include <limber/rigid/frame.h>

#include <Eigen/Core>
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

// A surface at the middle and the start of a step; positions are kept for the step.
class MovedSurface {
 public:
    // Of another step, or another surface. The configurations must fit. Takes memory only for more vertices
    // than ever before.
    void prepare(const ContactSurface& surface, const SurfaceConfiguration& now,
                 const SurfaceConfiguration& start);

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
    // A box that is kept for the step, its centre in the world.
    const NodeBox& world_box(std::int32_t node);
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
        std::uint64_t step = 0;
    };
    // Asked for many times in a step, computed once.
    const Points& points(std::int32_t vertex) {
        const auto i = static_cast<std::size_t>(vertex);
        return i < points_.size() && points_[i].step == step_ ? points_[i] : place(vertex);
    }
    const Points& place(std::int32_t vertex);
    void bound_drift();

    const ContactSurface* surface_ = nullptr;
    Placed now_, start_;
    double scale_ = 1;
    bool still_ = false;  // now and start are the same
    NodeBoxes boxes_;
    Eigen::Vector3d carried_ = Eigen::Vector3d::Zero();
    double strayed_ = 0;
    std::uint64_t step_ = 0;
    std::vector<Points> points_;
    struct Box {
        NodeBox box;
        std::uint64_t step = 0;
    };
    std::vector<Box> world_boxes_;
};

}  // namespace limber
