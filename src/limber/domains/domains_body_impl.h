// SPDX-License-Identifier: Apache-2.0
// What a tree of domains as a body is made of. For the sources of this folder.
#pragma once
#include "limber/domains/domains_body.h"
#include "limber/reduced/surface_shape.h"

#include <memory>
#include <vector>

namespace limber {

inline constexpr double kFarthestRoot = 1e12;  // m and m/s
inline constexpr double kFarthestCoordinate =
    1e12;  // lengths of the tree that a coordinate may move a vertex by

// Of a frame that moves from one to the other; the same where both are. The midpoint rule is of second order
// with it.
inline FrameMotion halfway(const FrameMotion& a, const FrameMotion& b) {
    return {.orientation = a.orientation.slerp(0.5, b.orientation),
            .velocity = 0.5 * (a.velocity + b.velocity),
            .acceleration = 0.5 * (a.acceleration + b.acceleration),
            .angular_velocity = 0.5 * (a.angular_velocity + b.angular_velocity),
            .angular_acceleration = 0.5 * (a.angular_acceleration + b.angular_acceleration)};
}

struct SharedDomains {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Model> base;  // before domains were replaced
    DomainTree tree;
    std::vector<RestPlacement> placements;
    std::vector<int> first_vertex;      // of each domain in the surface; one more at the end
    std::vector<int> domain_of_vertex;  // of the surface
    std::vector<int> next_shared;      // ring of surface vertices at one place: a single one points to itself
    SurfaceShape shape;                // for normals
    double length = 1;                 // of the tree at rest, m
    std::vector<SurfaceShape> parts;   // for displacements
    std::vector<int> shared_vertices;  // one of each ring of several
};

struct DomainsBody::Impl {
    std::shared_ptr<const SharedDomains> shared;
    DomainsSettings settings;
    FrameMotion frame;
    TreeState state, next;
    std::vector<DomainForce> forces;
    // The air of the next steps, the time of its gusts, and where a carried root's origin stands.
    std::shared_ptr<const Wind> wind;
    double wind_time = 0;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    mutable TreeStepper stepper;
    mutable bool placed = false;  // stepper.work holds the state's motion, the root at the origin
    TreeStepReport details;
    // Scratch of surface_shape(): the domains' frames in that of the root, and q.
    mutable std::vector<LinkPose> frames;
    mutable Eigen::VectorXf shape_q;
    bool has_end = false, blew_up = false;
    double trial_dt = 0;  // s, of the last trial
    TreeTouch touch;

    StepReport trial(double dt, const TreeImpulse* impulse);
    void drift();  // to the half-drifted pose; domains_contact.cpp

    Impl(std::shared_ptr<const SharedDomains> of, DomainsSettings with)
        : shared(std::move(of)), settings(std::move(with)), stepper(shared->tree) {
        state.q = state.v = Eigen::VectorXd::Zero(shared->tree.coordinates);
        next = state;
        forces.reserve(64);
    }

    const DomainTree& tree() const { return shared->tree; }
    const Model& part_of(int domain) const {
        const DomainsModel& all = *shared->model->domains;
        return *all.parts[std::size_t(all.domains[std::size_t(domain)].part)].model;
    }
    TreeStepOptions options() const {
        TreeStepOptions out;
        out.coupling = settings.coupling;
        out.mount = settings.mount;
        out.damping = {settings.alpha, settings.beta};
        out.gravity = settings.gravity;
        out.frame = state.frame ? halfway(*state.frame, frame) : frame;
        out.position = origin;
        out.tolerance = settings.tolerance;
        out.length = shared->length;
        return out;
    }
    void set_frames() const;  // domains_surface.cpp
    void place() const {
        if (placed) return;
        RootMotion root;
        if (settings.mount == RootMount::Free)
            root.twist << state.root.orientation.conjugate() * state.velocity, state.angular_velocity;
        evaluate_motion(tree(), settings.domains, root, state.q, state.v, stepper.work);
        placed = true;
    }
    // In the root's frame.
    Eigen::Vector3d place_of(int vertex) const {
        const int i = shared->domain_of_vertex[std::size_t(vertex)];
        const TreeDomain& d = tree().domains[std::size_t(i)];
        // Triangles of a domain that is gone shrink to a point.
        if (settings.domains[std::size_t(i)].detached) return stepper.work.nodes[std::size_t(i)].x;
        const ModelSurface& surface = part_of(i).surface;
        const int local = vertex - shared->first_vertex[std::size_t(i)];
        Eigen::Vector3d x = surface.vertices[std::size_t(local)];
        if (d.rank > 0) x += surface.basis.middleRows<3>(3 * local) * state.q.segment(d.first, d.rank);
        const DomainNode& node = stepper.work.nodes[std::size_t(i)];
        return node.x + node.R * (d.scale * x);
    }
    Eigen::Vector3d rate_of(int vertex) const {
        const int i = shared->domain_of_vertex[std::size_t(vertex)];
        const TreeDomain& d = tree().domains[std::size_t(i)];
        const ModelSurface& surface = part_of(i).surface;
        const int local = vertex - shared->first_vertex[std::size_t(i)];
        Eigen::Vector3d x = surface.vertices[std::size_t(local)], u = Eigen::Vector3d::Zero();
        if (d.rank > 0) {
            x += surface.basis.middleRows<3>(3 * local) * state.q.segment(d.first, d.rank);
            u = surface.basis.middleRows<3>(3 * local) * state.v.segment(d.first, d.rank);
        }
        const DomainNode& node = stepper.work.nodes[std::size_t(i)];
        const Eigen::Vector3d arm = d.scale * x;
        return node.R * (node.twist.head<3>() + node.twist.tail<3>().cross(arm) + d.scale * u);
    }
    bool is_detached(int vertex) const {
        return settings.domains[std::size_t(shared->domain_of_vertex[std::size_t(vertex)])].detached;
    }
    // Over the domains that share the vertex and are there; a vertex of a detached one stands by itself.
    template <class Of>
    Eigen::Vector3d averaged(int vertex, const Of& of) const {
        Eigen::Vector3d sum = of(vertex);
        if (is_detached(vertex)) return sum;
        int count = 1;
        for (int k = shared->next_shared[std::size_t(vertex)]; k != vertex;
             k = shared->next_shared[std::size_t(k)]) {
            if (is_detached(k)) continue;
            sum += of(k);
            ++count;
        }
        return sum / count;
    }
    // What is frozen does not move; what is detached has its rest shape.
    void clear_still() {
        for (std::size_t i = 0; i < tree().size(); ++i) {
            if (settings.domains[i].moves()) continue;
            state.v.segment(tree().domains[i].first, tree().domains[i].rank).setZero();
            if (settings.domains[i].detached)
                state.q.segment(tree().domains[i].first, tree().domains[i].rank).setZero();
        }
    }
};

}  // namespace limber
