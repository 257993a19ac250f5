// SPDX-License-Identifier: Apache-2.0
// The algorithm of quartic_form.cpp with a body in every lane: the coefficients are the same for all lanes,
// and no sum runs across lanes. docs/math/reduced_stvk.md, sections 5, 6 and 8; equation numbers are that
// page's.
#include "limber/reduced/batch.h"

#include "limber/reduced/lanes.h"
#include "limber/reduced/quartic_layout.h"

#include <algorithm>
#include <cassert>

namespace limber {
namespace {

using namespace quartic;

// One number per body of the group, in an array of such.
template <class Scalar>
struct Bodies {
    static constexpr int L = kLanes<Scalar>;
    Scalar* data;
    Lanes<Scalar> operator[](Index i) const { return load(data + i * L); }
    void set(Index i, const Lanes<Scalar>& value) const { store<Scalar>(data + i * L, value); }
    void add(Index i, const Lanes<Scalar>& value) const { set(i, (*this)[i] + value); }
    Bodies from(Index i) const { return {data + i * L}; }
};

// The rows (1,b) (1,b') (b,b) (b,b') (b',b') over n columns. (11)
template <class Scalar>
void sweep_head(const Scalar* c, int n, Bodies<Scalar> z, Bodies<Scalar> x, Bodies<Scalar> Y,
                Bodies<Scalar> Y_next, Bodies<Scalar> Y_cubic, Lanes<Scalar> (&q)[kHeadRows]) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    const V x0 = x[0], x1 = x[1], two_x0 = x0 + x0, two_x1 = x1 + x1;
    for (V& qi : q)
        qi = V{};
    for (int p0 = 0; p0 < n; p0 += L, c += kHeadRows * L)
        for (int l = 0; l < L; ++l) {
            const Scalar* at = c + l;
            const int p = p0 + l;
            const V zp = z[p], k0 = all(at[0]), k1 = all(at[L]), g00 = all(at[2 * L]), g01 = all(at[3 * L]),
                    g11 = all(at[4 * L]);
            q[0] += k0 * zp;
            q[1] += k1 * zp;
            q[2] += g00 * zp;
            q[3] += g01 * zp;
            q[4] += g11 * zp;
            Y.set(p, k0 + g00 * two_x0 + g01 * x1);
            Y_next.set(p, k1 + g11 * two_x1 + g01 * x0);
            Y_cubic.set(p, Y_cubic[p] + k0 * x0 + k1 * x1);
        }
}

// The rows (a,b) (a,b') (a',b) (a',b') likewise. (11)
template <class Scalar>
void sweep_block(const Scalar* c, int n, Bodies<Scalar> z, Bodies<Scalar> xa, Bodies<Scalar> xb,
                 Bodies<Scalar> Ya, Bodies<Scalar> Ya_next, Bodies<Scalar> Yb, Bodies<Scalar> Yb_next,
                 Lanes<Scalar> (&q)[kBlockRows]) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    const V a0 = xa[0], a1 = xa[1], b0 = xb[0], b1 = xb[1];
    V q00{}, q01{}, q10{}, q11{};
    for (int p0 = 0; p0 < n; p0 += L, c += kBlockRows * L)
        for (int l = 0; l < L; ++l) {
            const Scalar* at = c + l;
            const int p = p0 + l;
            const V zp = z[p];
            V g = all(at[0]), ya = Ya[p], yb0 = Yb[p], yb1 = Yb_next[p];
            q00 += g * zp;
            ya += g * b0;
            yb0 += g * a0;
            g = all(at[L]);
            q01 += g * zp;
            ya += g * b1;
            yb1 += g * a0;
            Ya.set(p, ya);
            g = all(at[2 * L]);
            ya = Ya_next[p];
            q10 += g * zp;
            ya += g * b0;
            yb0 += g * a1;
            g = all(at[3 * L]);
            q11 += g * zp;
            ya += g * b1;
            yb1 += g * a1;
            Ya_next.set(p, ya);
            Yb.set(p, yb0);
            Yb_next.set(p, yb1);
        }
    q[0] = q00;
    q[1] = q01;
    q[2] = q10;
    q[3] = q11;
}

// One register full of bodies: B, cubic_force and Y from the coordinates x.
template <class Scalar>
void evaluate_group(const QuarticForm<Scalar>& form, QuarticBatch<Scalar>& out) {
    using V = Lanes<Scalar>;
    const int r = form.rank;
    auto& work = out.work;
    const Index ld = round_up(r, 2);
    const Bodies<Scalar> x{work.x.data()}, z{work.z.data()}, Y_all{work.Y.data()},
        Y_cubic{work.Y_cubic.data()}, g{work.cubic_force.data()}, B{work.B.data()};
    const auto Y = [&](int i, int p) { return Y_all.from(work.Y_row[static_cast<std::size_t>(i)] + p); };
    for (int c = 0, p = 0; c < r; ++c)
        for (int d = c; d < r; ++d, ++p)
            z.set(p, x[c] * x[d]);
    work.Y_cubic.setZero();
    work.cubic_force.setZero();
    work.B.setZero();

    const Scalar* coefficients = form.coefficients.data();
    for_each_sweep<Scalar>(
        r,
        [&](int b, int p, int n, Index offset) {
            V q[kHeadRows];
            sweep_head(coefficients + offset, n, z.from(p), x.from(b), Y(b, p), Y(b + 1, p), Y_cubic.from(p),
                       q);
            g.add(b, q[0]);
            g.add(b + 1, q[1]);
            B.add(b * ld + b, q[2]);
            B.add((b + 1) * ld + b, q[3]);
            B.add((b + 1) * ld + b + 1, q[4]);
        },
        [&](int a, int b, int p, int n, Index offset) {
            V q[kBlockRows];
            sweep_block(coefficients + offset, n, z.from(p), x.from(a), x.from(b), Y(a, p), Y(a + 1, p),
                        Y(b, p), Y(b + 1, p), q);
            B.add(b * ld + a, q[0]);
            B.add((b + 1) * ld + a, q[1]);
            B.add(b * ld + a + 1, q[2]);
            B.add((b + 1) * ld + a + 1, q[3]);
        });

    // w_i = (Y_i + Y_iᵀ) x, and P = ½ (Y_cubic + Σ x_i Y_i). (12)
    const V half = all(Scalar(0.5));
    const auto close = [&](Bodies<Scalar> triangle, int first, const V& weight, Bodies<Scalar> w) {
        for (int c = first, p = first_product(r, first); c < r; ++c) {
            const V xc = x[c];
            V s{};
            for (int d = c; d < r; ++d, ++p) {
                const V y = triangle[p];
                s += y * x[d];
                w.set(d, w[d] + y * xc);
                B.set(c * ld + d, B[c * ld + d] + y * weight);
            }
            w.add(c, s);
        }
    };
    for (int i = 0; i < r; ++i)
        close(Y(i, 0), i, half * x[i], B.from(i * ld));
    close(Y_cubic, 0, half, g);

    // H = B + Bᵀ
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j) {
            const V h = B[i * ld + j] + B[j * ld + i];
            B.set(i * ld + j, h);
            B.set(j * ld + i, h);
        }
}

}  // namespace

template <class Scalar>
QuarticBatch<Scalar>::QuarticBatch(int r, int bodies) {
    constexpr int L = kLanes<Scalar>;
    energy.setZero(bodies);
    force.setZero(r, bodies);
    stiffness.setZero(r, Eigen::Index(r) * bodies);
    const int even = round_up(r, 2), end = columns<Scalar>(r);
    work.x.setZero(even * L);
    work.z.setZero(end * L);
    Index next = 0;
    for (int i = 0; i < even; ++i) {
        const int begin = first_column<Scalar>(r, i / 2 * 2);  // a pair begins at the same product
        work.Y_row.push_back(next - begin);
        next += end - begin;
    }
    work.Y.setZero(next * L);
    work.Y_cubic.setZero(end * L);
    work.cubic_force.setZero(even * L);
    work.linear_force.setZero(r);
    work.B.setZero(Index(even) * even * L);
}

template <class Scalar>
void evaluate(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& q,
              QuarticBatch<Scalar>& out) {
    constexpr int L = kLanes<Scalar>;
    const int r = form.rank, bodies = static_cast<int>(q.cols());
    assert(q.rows() == r && out.force.rows() == r && out.force.cols() == bodies);
    auto& work = out.work;
    const Index ld = round_up(r, 2);
    for (int first = 0; first < bodies; first += L) {
        const int count = std::min(L, bodies - first);
        for (int i = 0; i < r; ++i)
            for (int k = 0; k < L; ++k)
                work.x[i * L + k] = k < count ? q(i, first + k) : Scalar(0);
        evaluate_group(form, out);
        for (int k = 0; k < count; ++k) {
            // R = K₁q + (Hq + dV₃/dq)/3 (7)
            const auto x = q.col(first + k);
            auto K = out.stiffness.middleCols(Eigen::Index(first + k) * r, r);
            for (int j = 0; j < r; ++j)
                for (int i = 0; i < r; ++i)
                    K(i, j) = work.B[(j * ld + i) * L + k];
            const auto g = Eigen::Map<const typename QuarticBatch<Scalar>::Vector, 0, Eigen::InnerStride<>>(
                work.cubic_force.data() + k, r, Eigen::InnerStride<>(L));
            auto force = out.force.col(first + k);
            force.noalias() = K * x;
            force = (force + g) / 3;
            work.linear_force.noalias() = form.linear * x;
            out.energy[first + k] = work.linear_force.dot(x) / 2 + force.dot(x) / 4 + g.dot(x) / 12;
            force += work.linear_force;
            K += form.linear;
        }
    }
}

template struct QuarticBatch<double>;
template struct QuarticBatch<float>;
template void evaluate<double>(const QuarticForm<double>&, const Eigen::MatrixXd&, QuarticBatch<double>&);
template void evaluate<float>(const QuarticForm<float>&, const Eigen::MatrixXf&, QuarticBatch<float>&);

}  // namespace limber
