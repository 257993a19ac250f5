// SPDX-License-Identifier: Apache-2.0
// The surface of a tree of domains, all of it at once.
#include "limber/domains/domains_body_impl.h"

#include <Eigen/Geometry>

namespace limber {

using Eigen::Matrix3d;
using Eigen::Matrix3f;
using Eigen::Vector3d;
using Eigen::Vector3f;

namespace {

// x = d + D X + A x for every vertex, three entries each.
void carry(const Vector3f& d, const Matrix3f& D, const Matrix3f& A, const Eigen::VectorXf& X,
           Eigen::Ref<Eigen::VectorXf> x) {
    for (Eigen::Index at = 0; at < X.size(); at += 3) {
        const float X0 = X[at], X1 = X[at + 1], X2 = X[at + 2], u0 = x[at], u1 = x[at + 1], u2 = x[at + 2];
        for (int c = 0; c < 3; ++c)
            x[at + c] = d[c] + D(c, 0) * X0 + D(c, 1) * X1 + D(c, 2) * X2 + A(c, 0) * u0 + A(c, 1) * u1 +
                        A(c, 2) * u2;
    }
}

}  // namespace

void DomainsBody::Impl::set_frames() const {
    frames.resize(tree().size());
    frames[0] = {Matrix3d::Identity(), Vector3d::Zero()};
    for (std::size_t i = 1; i < tree().size(); ++i) {
        const TreeDomain& d = tree().domains[i];
        const TreeDomain& up = tree().domains[std::size_t(d.parent)];
        const LinkPose& parent = frames[std::size_t(d.parent)];
        const LinkPose link =
            link_pose(tree().parts[std::size_t(up.part)].interfaces[std::size_t(d.interface)], d.attachment,
                      state.q.segment(up.first, up.rank));
        frames[i] = {parent.R * link.R, parent.x + parent.R * link.x};
    }
}

// A vertex at X₀ + A₀X, displaced by u = Uq in its part, comes to x + A (X + u): the displacement is
// (x − X₀) + (A − A₀) X + A u. Differences in doubles, then floats are exact enough for what is shown.
void DomainsBody::surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const {
    const Impl& in = *impl_;
    const SharedDomains& shared = *in.shared;
    displacement.resize(3 * Eigen::Index(shared.domain_of_vertex.size()));
    in.set_frames();
    in.shape_q = in.state.q.cast<float>();
    for (std::size_t i = 0; i < tree().size(); ++i) {
        const TreeDomain& d = tree().domains[i];
        const SurfaceShape& shape = shared.parts[std::size_t(d.part)];
        if (shape.rest().size() == 0) continue;
        const RestPlacement& rest = shared.placements[i];
        // Triangles of a domain that is gone shrink to a point.
        const double size = in.settings.domains[i].detached ? 0 : d.scale;
        const Matrix3d A = size * in.frames[i].R;
        const Matrix3d D = A - rest.scale * rest.rotation.toRotationMatrix();
        const Vector3d shift = in.frames[i].x - rest.position + D * shape.middle();
        auto u = displacement.segment(3 * Eigen::Index(shared.first_vertex[i]), shape.rest().size());
        shape.displacement(in.shape_q.segment(d.first, d.rank), u);
        carry(shift.cast<float>(), D.cast<float>(), A.cast<float>(), shape.rest(), u);
    }
    const auto moved = [&](int v) { return displacement.segment<3>(3 * Eigen::Index(v)); };
    // Domains that share a vertex show it where they are on average.
    for (const int first : shared.shared_vertices) {
        Vector3f sum = Vector3f::Zero();
        int count = 0, v = first;
        do {
            if (!in.is_detached(v)) {
                sum += moved(v);
                ++count;
            }
            v = shared.next_shared[std::size_t(v)];
        } while (v != first);
        do {
            if (!in.is_detached(v)) moved(v) = sum / float(count);
            v = shared.next_shared[std::size_t(v)];
        } while (v != first);
    }
    shared.shape.normals(displacement, normals);
}

}  // namespace limber
