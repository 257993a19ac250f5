// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md. Inner loops run over the nodes of a block, without branches, so
// that the compiler turns them into vector code.
#include "limber/warp/warp_nodes.h"

#include "limber/warp/rotation.h"

#include <cassert>
#include <utility>

namespace limber {
namespace {

constexpr Eigen::Index kBlock = 8;

// One component of every node of a block.
using Lane = double[kBlock];

// v = A q of a block.
void sum_modes(const double* rows, const Eigen::VectorXd& q, Lane (&v)[3]) {
    for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double qi = q[i];
        for (int c = 0; c < 3; ++c, rows += kBlock)
            for (Eigen::Index k = 0; k < kBlock; ++k)
                v[c][k] += rows[k] * qi;
    }
}

struct Three {
    double x, y, z;
};
inline Three at(const Lane (&v)[3], Eigen::Index k) {
    return {v[0][k], v[1][k], v[2][k]};
}
inline Three cross(const Three& a, const Three& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// v - a w × v + b w × (w × v): R(w)ᵀv with (s, c), R̃(w)ᵀv with (c, e), R̃(w)v with (-c, e).
inline Three turned(const Three& w, double a, double b, const Three& v) {
    const Three x = cross(w, v), xx = cross(w, x);
    return {v.x - a * x.x + b * xx.x, v.y - a * x.y + b * xx.y, v.z - a * x.z + b * xx.z};
}

// m a + B s                                                                                     (12)
inline Three force_of(const InertialField& field, double m, const Three& s) {
    const Eigen::Vector3d& a = field.uniform;
    const Eigen::Matrix3d& B = field.linear;
    return {m * a[0] + B(0, 0) * s.x + B(0, 1) * s.y + B(0, 2) * s.z,
            m * a[1] + B(1, 0) * s.x + B(1, 1) * s.y + B(1, 2) * s.z,
            m * a[2] + B(2, 0) * s.x + B(2, 1) * s.y + B(2, 2) * s.z};
}

}  // namespace

WarpNodes::WarpNodes(const WarpModel& model) : nodes_(model.nodes()), modes_(model.modes()) {
    const auto blocks = static_cast<std::size_t>((nodes_ + kBlock - 1) / kBlock);
    modes_of_.assign(blocks * static_cast<std::size_t>(modes_ * 3 * kBlock), 0.0);
    rotations_of_ = modes_of_;
    mass_.assign(blocks * kBlock, 0.0);
    moment_.assign(blocks * 3 * kBlock, 0.0);
    for (Eigen::Index n = 0; n < nodes_; ++n) {
        const Eigen::Index block = n / kBlock, lane = n % kBlock;
        mass_[static_cast<std::size_t>(n)] = model.node_mass[n];
        for (int c = 0; c < 3; ++c) {
            moment_[static_cast<std::size_t>((block * 3 + c) * kBlock + lane)] =
                model.node_moment[static_cast<std::size_t>(n)][c];
            for (Eigen::Index i = 0; i < modes_; ++i) {
                const auto place = static_cast<std::size_t>(((block * modes_ + i) * 3 + c) * kBlock + lane);
                modes_of_[place] = model.node_modes(3 * n + c, i);
                rotations_of_[place] = model.node_rotations(3 * n + c, i);
            }
        }
    }
}

Eigen::Index WarpNodes::work_size() const {
    return modes_ * kBlock;
}

// out += Φᵀ g; force_on(block, g) sets the forces g of a block in its local frames. Each lane sums for
// itself: one sum over all nodes would have to wait for each addition.
template <class ForceOnBlock>
void WarpNodes::add_modal_force(const ForceOnBlock& force_on, Eigen::VectorXd& work,
                                Eigen::VectorXd& out) const {
    assert(work.size() == work_size() && out.size() == modes_);
    work.setZero();
    const double* rows = modes_of_.data();
    for (Eigen::Index block = 0; block * kBlock < nodes_; ++block) {
        Lane g[3];
        force_on(block, g);
        double* sum = work.data();
        for (Eigen::Index i = 0; i < modes_; ++i, rows += 3 * kBlock, sum += kBlock)
            for (Eigen::Index k = 0; k < kBlock; ++k)
                sum[k] += rows[k] * g[0][k] + rows[kBlock + k] * g[1][k] + rows[2 * kBlock + k] * g[2][k];
    }
    for (Eigen::Index i = 0; i < modes_; ++i)
        out[i] += work.segment<kBlock>(i * kBlock).sum();
}

void WarpNodes::add_inertia(const InertialField& field, const Eigen::VectorXd& q, Eigen::VectorXd& work,
                            Eigen::VectorXd& out) const {
    add_modal_force(
        [&](Eigen::Index block, Lane(&g)[3]) {
            Lane w[3]{};
            sum_modes(rotations_of_.data() + block * modes_ * 3 * kBlock, q, w);
            const double* mass = mass_.data() + block * kBlock;
            const double* s = moment_.data() + block * 3 * kBlock;
            for (Eigen::Index k = 0; k < kBlock; ++k) {
                const Three F = force_of(field, mass[k], {s[k], s[kBlock + k], s[2 * kBlock + k]});
                const Three wk = at(w, k);
                const auto f = rotation_factors(wk.x * wk.x + wk.y * wk.y + wk.z * wk.z);
                const Three local = turned(wk, f.s, f.c, F);
                g[0][k] = local.x;
                g[1][k] = local.y;
                g[2][k] = local.z;
            }
        },
        work, out);
}

double WarpNodes::work_of_inertia(const InertialField& field, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& p) const {
    Lane work{};
    for (const auto& [x, sign] : {std::pair{&q, -1.0}, std::pair{&p, 1.0}}) {
        for (Eigen::Index block = 0; block * kBlock < nodes_; ++block) {
            const Eigen::Index start = block * modes_ * 3 * kBlock;
            Lane w[3]{}, u[3]{};
            sum_modes(rotations_of_.data() + start, *x, w);
            sum_modes(modes_of_.data() + start, *x, u);
            const double* mass = mass_.data() + block * kBlock;
            const double* s = moment_.data() + block * 3 * kBlock;
            for (Eigen::Index k = 0; k < kBlock; ++k) {
                const Three F = force_of(field, mass[k], {s[k], s[kBlock + k], s[2 * kBlock + k]});
                const Three wk = at(w, k);
                const auto f = rotation_factors(wk.x * wk.x + wk.y * wk.y + wk.z * wk.z);
                const Three moved = turned(wk, -f.c, f.e, at(u, k));
                work[k] += sign * (F.x * moved.x + F.y * moved.y + F.z * moved.z);
            }
        }
    }
    return Eigen::Map<const Eigen::Array<double, kBlock, 1>>(work).sum();
}

void WarpNodes::subtract_coriolis(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& work,
                                  Eigen::VectorXd& out) const {
    add_modal_force(
        [&](Eigen::Index block, Lane(&g)[3]) {
            const Eigen::Index start = block * modes_ * 3 * kBlock;
            Lane w[3]{}, w_rate[3]{}, velocity[3]{};
            sum_modes(rotations_of_.data() + start, q, w);
            sum_modes(rotations_of_.data() + start, v, w_rate);
            sum_modes(modes_of_.data() + start, v, velocity);
            const double* mass = mass_.data() + block * kBlock;
            for (Eigen::Index k = 0; k < kBlock; ++k) {
                const Three wk = at(w, k);
                const auto f = rotation_factors(wk.x * wk.x + wk.y * wk.y + wk.z * wk.z);
                const Three spin = turned(wk, f.c, f.e, at(w_rate, k));  // RᵀṘ = [R̃ᵀẇ]×
                const Three push = cross(spin, at(velocity, k));
                g[0][k] = -mass[k] * push.x;
                g[1][k] = -mass[k] * push.y;
                g[2][k] = -mass[k] * push.z;
            }
        },
        work, out);
}

}  // namespace limber
