// SPDX-License-Identifier: Apache-2.0
// docs/math/reduced_stvk.md, sections 5 and 6; equation numbers are that page's.
#include "limber/reduced/quartic_form.h"

#include "limber/reduced/lanes.h"
#include "limber/reduced/quartic_layout.h"

#include <cassert>
#include <cmath>

namespace limber {
namespace {

using namespace quartic;

constexpr int kGroup = 4;  // coordinates whose triangles Y are closed together

// x, then its products z. (3)
template <class Scalar>
void set_coordinates(int r, const Scalar* q, QuarticEval<Scalar>& eval) {
    Scalar* x = eval.work.x.data();
    Scalar* z = eval.work.z.data();
    for (int i = 0; i < r; ++i)
        x[i] = q[i];
    // A row may write past its end, where the next row follows; past the last one x is zero.
    for (int c = 0; c < r; z += r - c, ++c)
        for (int d = 0; d < r - c; d += kLanes<Scalar>)
            store<Scalar>(z + d, all(x[c]) * load(x + c + d));
}

// The head of the pair b, b': Q of (1,b) (1,b') (b,b) (b,b') (b',b'), and the rows of Y that begin here. (11)
template <class Scalar>
inline void sweep_head(const Scalar* c, int n, const Scalar* z, const Scalar* x, Scalar* __restrict Y,
                       Scalar* __restrict Y_next, Scalar* __restrict Y_cubic, Scalar (&Q)[kHeadRows]) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    const V x0 = all(x[0]), x1 = all(x[1]), two_x0 = x0 + x0, two_x1 = x1 + x1;
    V q[4]{}, q4{};
    for (int p = 0; p < n; p += L, c += kHeadRows * L) {
        const V zp = load(z + p), k0 = load(c), k1 = load(c + L), g00 = load(c + 2 * L),
                g01 = load(c + 3 * L), g11 = load(c + 4 * L);
        q[0] += k0 * zp;
        q[1] += k1 * zp;
        q[2] += g00 * zp;
        q[3] += g01 * zp;
        q4 += g11 * zp;
        store<Scalar>(Y + p, k0 + g00 * two_x0 + g01 * x1);
        store<Scalar>(Y_next + p, k1 + g11 * two_x1 + g01 * x0);
        store<Scalar>(Y_cubic + p, load(Y_cubic + p) + k0 * x0 + k1 * x1);
    }
    store<Scalar, 4>(Q, sums<Scalar>(q));
    Q[4] = sum<Scalar>(q4);
}

// The block (a,b) (a,b') (a',b) (a',b'): Q of each, and adds to the four rows of Y. (11)
template <class Scalar>
inline void sweep_block(const Scalar* c, int n, const Scalar* z, const Scalar* xa, const Scalar* xb,
                        Scalar* __restrict Ya, Scalar* __restrict Ya_next, Scalar* __restrict Yb,
                        Scalar* __restrict Yb_next, Scalar (&Q)[kBlockRows]) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    const V a0 = all(xa[0]), a1 = all(xa[1]), b0 = all(xb[0]), b1 = all(xb[1]);
    V q[4]{};
    for (int p = 0; p < n; p += L, c += kBlockRows * L) {
        const V zp = load(z + p);
        V g = load(c), ya = load(Ya + p), yb0 = load(Yb + p), yb1 = load(Yb_next + p);
        q[0] += g * zp;
        ya += g * b0;
        yb0 += g * a0;
        g = load(c + L);
        q[1] += g * zp;
        ya += g * b1;
        yb1 += g * a0;
        store<Scalar>(Ya + p, ya);
        g = load(c + 2 * L);
        ya = load(Ya_next + p);
        q[2] += g * zp;
        ya += g * b0;
        yb0 += g * a1;
        g = load(c + 3 * L);
        q[3] += g * zp;
        ya += g * b1;
        yb1 += g * a1;
        store<Scalar>(Ya_next + p, ya);
        store<Scalar>(Yb + p, yb0);
        store<Scalar>(Yb_next + p, yb1);
    }
    store<Scalar, 4>(Q, sums<Scalar>(q));
}

// Rows alone for the force: Q_i = Σ_p c_ip z_p and P_p += Σ_i w_i c_ip. (13)
template <class Scalar, int rows>
inline void sweep_force(const Scalar* c, int n, const Scalar* z, const Scalar (&w)[rows],
                        Scalar* __restrict P, Scalar (&Q)[rows]) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    V q[rows]{}, weight[rows];
    for (int i = 0; i < rows; ++i)
        weight[i] = all(w[i]);
    for (int p = 0; p < n; p += L, c += rows * L) {
        const V zp = load(z + p);
        V sum_p = load(P + p);
        for (int i = 0; i < rows; ++i) {
            const V g = load(c + i * L);
            q[i] += g * zp;
            sum_p += g * weight[i];
        }
        store<Scalar>(P + p, sum_p);
    }
    for (int i = 0; i < rows; ++i)
        Q[i] = sum<Scalar>(q[i]);
}

// Where the Q of a head and of a block go: those of the cubic rows to g, the others below the diagonal of B.
template <class Scalar>
inline void add_head(const Scalar (&Q)[kHeadRows], int b, Scalar* g, Scalar* B, Index ld) {
    g[b] += Q[0];
    g[b + 1] += Q[1];
    Scalar* to = B + b * ld + b;
    to[0] += Q[2];
    to[ld] += Q[3];
    to[ld + 1] += Q[4];
}
template <class Scalar>
inline void add_block(const Scalar (&Q)[kBlockRows], int a, int b, Scalar* B, Index ld) {
    Scalar* to = B + b * ld + a;
    to[0] += Q[0];
    to[1] += Q[2];
    to[ld] += Q[1];
    to[ld + 1] += Q[3];
}

// L zeros, then L ones: a window into it keeps the last lanes of a register.
template <class Scalar>
struct Step {
    Scalar e[2 * kLanes<Scalar>];
    Step() {
        for (int i = 0; i < 2 * kLanes<Scalar>; ++i)
            e[i] = i < kLanes<Scalar> ? Scalar(0) : Scalar(1);
    }
};

// w_i = (Y_i + Y_iᵀ) x for the packed triangles of the coordinates first … first + 3: row i of B gets the
// part that sums over the triangle's rows, column i the part that sums over its columns. (12)
template <class Scalar>
void close_group(int r, int first, const Scalar* x, const Scalar* const (&Y)[kGroup], Scalar* B, Index ld) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    const Step<Scalar> step;
    for (int c = first; c < r; c += 2) {  // two rows of the triangles at once; a row beyond r reads padding
        const Index row0 = first_product(r, c) - c, row1 = first_product(r, c + 1) - (c + 1);
        const int begin = c / L * L;  // columns before c, c + 1 belong to the rows above
        const V x0 = all(x[c]), x1 = all(x[c + 1]);
        V s0[kGroup], s1[kGroup];
        {
            const V mask0 = load(step.e + L - (c - begin)), mask1 = load(step.e + L - (c + 1 - begin));
            const V xd = load(x + begin);
            for (int i = 0; i < kGroup; ++i) {
                const V y0 = mask0 * load(Y[i] + row0 + begin), y1 = mask1 * load(Y[i] + row1 + begin);
                s0[i] = y0 * xd;
                s1[i] = y1 * xd;
                Scalar* b = B + (first + i) * ld + begin;
                store<Scalar>(b, load(b) + y0 * x0 + y1 * x1);
            }
        }
        for (int d = begin + L; d < r; d += L) {
            const V xd = load(x + d);
            for (int i = 0; i < kGroup; ++i) {
                const V y0 = load(Y[i] + row0 + d), y1 = load(Y[i] + row1 + d);
                s0[i] += y0 * xd;
                s1[i] += y1 * xd;
                Scalar* b = B + (first + i) * ld + d;
                store<Scalar>(b, load(b) + y0 * x0 + y1 * x1);
            }
        }
        Scalar* b = B + c * ld + first;
        store<Scalar, 4>(b, load<Scalar, 4>(b) + sums<Scalar>(s0));
        store<Scalar, 4>(b + ld, load<Scalar, 4>(b + ld) + sums<Scalar>(s1));
    }
}

// g += (Y + Yᵀ) x for one packed triangle, and the triangle itself, P, is added to the upper half of B.
template <class Scalar>
void close_one(int r, const Scalar* x, const Scalar* Y, Scalar* g, const Scalar* P, Scalar* B, Index ld) {
    using V = Lanes<Scalar>;
    constexpr int L = kLanes<Scalar>;
    const Step<Scalar> step;
    for (int c = 0; c < r; ++c) {
        const Index row = first_product(r, c) - c;
        const V xc = all(x[c]);
        const int begin = c / L * L;
        V mask = load(step.e + L - (c - begin)), s{};
        for (int d = begin; d < r; d += L) {
            const V y = mask * load(Y + row + d);
            s += y * load(x + d);
            store<Scalar>(g + d, load(g + d) + y * xc);
            if (P) store<Scalar>(B + c * ld + d, load(B + c * ld + d) + mask * load(P + row + d));
            mask = load(step.e + L);
        }
        g[c] += sum<Scalar>(s);
    }
}

// B <- B + Bᵀ, in tiles.
template <class Scalar>
void add_transpose(int rows, Scalar* B, Index ld) {
    for (int i = 0; i < rows; i += 4)
        for (int j = i; j < rows; j += 4) {
            Pack<Scalar, 4> upper[4], lower[4];
            for (int k = 0; k < 4; ++k) {
                upper[k] = load<Scalar, 4>(B + (i + k) * ld + j);
                lower[k] = load<Scalar, 4>(B + (j + k) * ld + i);
            }
            transpose<Scalar>(lower);
            for (int k = 0; k < 4; ++k)
                upper[k] += lower[k];
            for (int k = 0; k < 4; ++k)
                store<Scalar, 4>(B + (i + k) * ld + j, upper[k]);
            transpose<Scalar>(upper);
            for (int k = 0; k < 4; ++k)
                store<Scalar, 4>(B + (j + k) * ld + i, upper[k]);
        }
}

// B = H, the Hessian of the cubic and quartic parts, and cubic_force = dV₃/dq.
template <class Scalar>
void nonlinear_stiffness(const QuarticForm<Scalar>& form, const Scalar* q, QuarticEval<Scalar>& eval) {
    const int r = form.rank;
    auto& work = eval.work;
    set_coordinates(r, q, eval);
    work.Y_cubic.setZero();
    work.cubic_force.setZero();
    work.B.setZero();
    const Scalar* x = work.x.data();
    const Scalar* z = work.z.data();
    Scalar* Y_cubic = work.Y_cubic.data();
    Scalar* B = work.B.data();
    Scalar* g = work.cubic_force.data();
    const Index ld = work.B.cols();
    const Index* Y_row = work.Y_row.data();
    const auto Y = [&](int i, int p) { return work.Y.data() + (Y_row[i] + p); };

    const Scalar* coefficients = form.coefficients.data();
    for_each_sweep<Scalar>(
        r,
        [&](int b, int p, int n, Index offset) {
            Scalar Q[kHeadRows];
            sweep_head(coefficients + offset, n, z + p, x + b, Y(b, p), Y(b + 1, p), Y_cubic + p, Q);
            add_head(Q, b, g, B, ld);
        },
        [&](int a, int b, int p, int n, Index offset) {
            Scalar Q[kBlockRows];
            sweep_block(coefficients + offset, n, z + p, x + a, x + b, Y(a, p), Y(a + 1, p), Y(b, p),
                        Y(b + 1, p), Q);
            add_block(Q, a, b, B, ld);
        });

    // P = ½ (Y_cubic + Σ x_i Y_i) (12)
    constexpr int L = kLanes<Scalar>;
    using V = Lanes<Scalar>;
    Scalar* P = work.P.data();
    const int end = columns<Scalar>(r);
    const V half = all(Scalar(0.5));
    for (int p = 0; p < end; p += L)
        store<Scalar>(P + p, half * load(Y_cubic + p));
    for (int i = 0; i < r; i += kGroup) {
        const V h[kGroup] = {half * all(x[i]), half * all(x[i + 1]), half * all(x[i + 2]),
                             half * all(x[i + 3])};
        const int begin = first_column<Scalar>(r, i);
        const Scalar* const rows[kGroup] = {Y(i, 0), Y(i + 1, 0), Y(i + 2, 0), Y(i + 3, 0)};
        for (int p = begin; p < end; p += L)
            store<Scalar>(P + p, load(P + p) + (h[0] * load(rows[0] + p) + h[1] * load(rows[1] + p)) +
                                     (h[2] * load(rows[2] + p) + h[3] * load(rows[3] + p)));
        close_group(r, i, x, rows, B, ld);
    }
    close_one(r, x, Y_cubic, g, P, B, ld);
    add_transpose(static_cast<int>(work.B.rows()), B, ld);
}

}  // namespace

template <class Scalar>
QuarticForm<Scalar>::QuarticForm(int r) : rank(r) {
    linear.setZero(r, r);
    const auto none = [](auto...) {};
    coefficients.setZero(for_each_sweep<Scalar>(r, none, none));
}

template <class Scalar>
Scalar& QuarticForm<Scalar>::cubic(int b, int c, int d) {
    assert(0 <= b && b <= c && c <= d && d < rank);
    const int p = first_product(rank, c) + (d - c);
    Index found = 0;
    for_each_sweep<Scalar>(
        rank,
        [&](int even, int begin, int n, Index offset) {
            if (even == b / 2 * 2 && begin <= p && p < begin + n)
                found = offset + alternating<Scalar>(kHeadRows, b - even, p - begin);
        },
        [](auto...) {});
    return coefficients[found];
}
template <class Scalar>
Scalar& QuarticForm<Scalar>::quartic(int a, int b, int c, int d) {
    assert(0 <= a && a <= b && b <= c && c <= d && d < rank);
    const int p = first_product(rank, c) + (d - c);
    Index found = 0;
    for_each_sweep<Scalar>(
        rank,
        [&](int even, int begin, int n, Index offset) {
            if (a >= even && even == b / 2 * 2 && begin <= p && p < begin + n)
                found = offset + alternating<Scalar>(kHeadRows, 2 + (a - even) + (b - even), p - begin);
        },
        [&](int even_a, int even, int begin, int n, Index offset) {
            if (even == b / 2 * 2 && even_a == a / 2 * 2 && begin <= p && p < begin + n)
                found = offset + alternating<Scalar>(kBlockRows, 2 * (a - even_a) + (b - even), p - begin);
        });
    return coefficients[found];
}

template <class Scalar>
QuarticEval<Scalar>::QuarticEval(int rank) {
    constexpr int L = kLanes<Scalar>;
    const int rows = round_up(rank, kGroup), end = columns<Scalar>(rank);
    force.setZero(rank);
    stiffness.setZero(rank, rank);
    work.x.setZero(rows + 2 * L);
    work.z.setZero(end + L);
    // The four triangles of a group begin at the same product. Each may be read a register past its end.
    Index next = 0;
    for (int i = 0; i < rows; ++i) {
        const int begin = first_column<Scalar>(rank, i / kGroup * kGroup);
        work.Y_row.push_back(next - begin);
        next += end - begin;
    }
    work.Y.setZero(next + 2 * L);
    work.Y_cubic.setZero(end + L);
    work.P.setZero(end + L);
    work.cubic_force.setZero(rows + 2 * L);
    work.linear_force.setZero(rank);
    work.moved.setZero(rank);
    work.B.setZero(rows, round_up(rank, L) + L);
}

template <class Scalar>
void evaluate(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
              QuarticEval<Scalar>& out) {
    const int r = form.rank;
    assert(q.size() >= r && out.force.size() == r);
    nonlinear_stiffness(form, q.data(), out);

    // R = K₁q + (Hq + dV₃/dq)/3 (7)
    auto& work = out.work;
    const auto x = work.x.head(r), g = work.cubic_force.head(r);
    out.force.noalias() = work.B.topLeftCorner(r, r) * x;
    out.force = (out.force + g) / 3;
    work.linear_force.noalias() = form.linear * x;
    out.energy = work.linear_force.dot(x) / 2 + out.force.dot(x) / 4 + g.dot(x) / 12;
    out.force += work.linear_force;
    out.stiffness = form.linear + work.B.topLeftCorner(r, r).transpose();
}

template <class Scalar>
void evaluate_force(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
                    QuarticEval<Scalar>& out) {
    const int r = form.rank;
    assert(q.size() >= r && out.force.size() == r);
    auto& work = out.work;
    set_coordinates(r, q.data(), out);
    work.P.setZero();
    work.B.setZero();
    work.cubic_force.setZero();
    const Scalar* x = work.x.data();
    const Scalar* z = work.z.data();
    Scalar* P = work.P.data();
    Scalar* B = work.B.data();
    Scalar* g = work.cubic_force.data();
    const Index ld = work.B.cols();
    const Scalar* coefficients = form.coefficients.data();
    for_each_sweep<Scalar>(
        r,
        [&](int b, int p, int n, Index offset) {
            const Scalar x0 = x[b], x1 = x[b + 1], weights[kHeadRows] = {x0, x1, x0 * x0, x0 * x1, x1 * x1};
            Scalar Q[kHeadRows];
            sweep_force(coefficients + offset, n, z + p, weights, P + p, Q);
            add_head(Q, b, g, B, ld);
        },
        [&](int a, int b, int p, int n, Index offset) {
            const Scalar weights[kBlockRows] = {x[a] * x[b], x[a] * x[b + 1], x[a + 1] * x[b],
                                                x[a + 1] * x[b + 1]};
            Scalar Q[kBlockRows];
            sweep_force(coefficients + offset, n, z + p, weights, P + p, Q);
            add_block(Q, a, b, B, ld);
        });

    // dV/dq = K₁q + Q₁ + (Q + Qᵀ)x + (P + Pᵀ)x, with Q below the diagonal of B. (13)
    const auto q_ = work.x.head(r);
    const auto Q = work.B.topLeftCorner(r, r);
    work.linear_force.noalias() = form.linear * q_;
    out.force.noalias() = Q * q_;
    out.energy = work.linear_force.dot(q_) / 2 + work.cubic_force.head(r).dot(q_) + out.force.dot(q_);
    out.force.noalias() += Q.transpose() * q_;
    close_one<Scalar>(r, x, P, g, nullptr, nullptr, 0);
    out.force += work.linear_force + work.cubic_force.head(r);
}

template <class Scalar>
void stiffness_rate(const QuarticForm<Scalar>& form, const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
                    const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& v, QuarticEval<Scalar>& eval,
                    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& out) {
    const int r = form.rank;
    assert(q.size() >= r && v.size() >= r && out.rows() == r && out.cols() == r);
    // H is quadratic, so ½ (H(q + sv) - H(q - sv)) / s is exact for every s. Rounding is least where sv is as
    // long as q; at q = 0, where it is short: the even part of H must cancel. (14)
    const Scalar length = v.head(r).norm(), at = q.head(r).norm();
    if (length == 0) {
        out.setZero();
        return;
    }
    const Scalar s = (at > 0 ? at : Scalar(1e-6)) / length;
    auto& work = eval.work;
    work.moved = q.head(r) + s * v.head(r);
    nonlinear_stiffness(form, work.moved.data(), eval);
    out = work.B.topLeftCorner(r, r).transpose();
    work.moved = q.head(r) - s * v.head(r);
    nonlinear_stiffness(form, work.moved.data(), eval);
    out = (out - work.B.topLeftCorner(r, r).transpose()) * (1 / (2 * s));
}

template struct QuarticForm<double>;
template struct QuarticForm<float>;
template struct QuarticEval<double>;
template struct QuarticEval<float>;
template void evaluate<double>(const QuarticForm<double>&, const Eigen::VectorXd&, QuarticEval<double>&);
template void evaluate<float>(const QuarticForm<float>&, const Eigen::VectorXf&, QuarticEval<float>&);
template void evaluate_force<double>(const QuarticForm<double>&, const Eigen::VectorXd&,
                                     QuarticEval<double>&);
template void evaluate_force<float>(const QuarticForm<float>&, const Eigen::VectorXf&, QuarticEval<float>&);
template void stiffness_rate<double>(const QuarticForm<double>&, const Eigen::VectorXd&,
                                     const Eigen::VectorXd&, QuarticEval<double>&, Eigen::MatrixXd&);
template void stiffness_rate<float>(const QuarticForm<float>&, const Eigen::VectorXf&, const Eigen::VectorXf&,
                                    QuarticEval<float>&, Eigen::MatrixXf&);

}  // namespace limber
