// SPDX-License-Identifier: Apache-2.0
// Random forms as plain lists of monomials, and their slow, written-out sums.
#pragma once
#include <limber/reduced/quartic_form.h>
#include <limber/reduced/strain_form.h>

#include <random>
#include <vector>

namespace limber::test {

// coefficient * the product of the coordinates listed (two to four of them, repeats allowed).
struct Monomial {
    std::vector<int> factors;
    double coefficient;
};

inline Eigen::VectorXd random_vector(int n, unsigned seed, double scale = 1) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-scale, scale);
    return Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(engine); });
}

// Every monomial of degree two to four in r coordinates; the coefficients are floats, so both forms are
// exact.
inline std::vector<Monomial> random_monomials(int r, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<Monomial> all;
    for (int a = 0; a < r; ++a)
        for (int b = a; b < r; ++b) {
            all.push_back({{a, b}, uniform(engine)});
            for (int c = b; c < r; ++c) {
                all.push_back({{a, b, c}, uniform(engine)});
                for (int d = c; d < r; ++d)
                    all.push_back({{a, b, c, d}, uniform(engine)});
            }
        }
    return all;
}

template <class Scalar>
QuarticForm<Scalar> form_of(int r, const std::vector<Monomial>& monomials) {
    QuarticForm<Scalar> form(r);
    for (const auto& [f, coefficient] : monomials) {
        const Scalar value = static_cast<Scalar>(coefficient);
        if (f.size() == 2) {
            form.linear(f[0], f[1]) += value;
            form.linear(f[1], f[0]) += value;
        } else if (f.size() == 3) {
            form.cubic(f[0], f[1], f[2]) = value;
        } else {
            form.quartic(f[0], f[1], f[2], f[3]) = value;
        }
    }
    return form;
}

// Energy, gradient, Hessian and its derivative along v, factor by factor.
struct WrittenOut {
    double energy = 0;
    Eigen::VectorXd force;
    Eigen::MatrixXd stiffness, stiffness_rate;
};

inline WrittenOut written_out_sum(int r, const std::vector<Monomial>& monomials, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v) {
    WrittenOut sum{0, Eigen::VectorXd::Zero(r), Eigen::MatrixXd::Zero(r, r), Eigen::MatrixXd::Zero(r, r)};
    for (const auto& [f, coefficient] : monomials) {
        const std::size_t n = f.size();
        // The product of all factors but those at i, j, k (n: none left out).
        const auto without = [&, &f = f, c = coefficient](std::size_t i, std::size_t j, std::size_t k) {
            double product = c;
            for (std::size_t at = 0; at < n; ++at)
                if (at != i && at != j && at != k) product *= q[f[at]];
            return product;
        };
        sum.energy += without(n, n, n);
        for (std::size_t i = 0; i < n; ++i) {
            sum.force[f[i]] += without(i, n, n);
            for (std::size_t j = 0; j < n; ++j) {
                if (j == i) continue;
                sum.stiffness(f[i], f[j]) += without(i, j, n);
                for (std::size_t k = 0; k < n; ++k)
                    if (k != i && k != j) sum.stiffness_rate(f[i], f[j]) += v[f[k]] * without(i, j, k);
            }
        }
    }
    return sum;
}

}  // namespace limber::test
