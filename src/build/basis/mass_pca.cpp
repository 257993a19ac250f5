// SPDX-License-Identifier: Apache-2.0
// Principal components in the mass metric. docs/math/basis.md, section 5.
#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <Eigen/Dense>

#include <cmath>

namespace limber::build {
namespace {

// A Gram matrix squares the singular values: those below this fraction of the largest one lose their digits,
// and are found again in what is left when the others are taken out.
constexpr double kPerRound = 1e-5;
constexpr double kRounding = 1e-12;  // of the largest: shapes that differ by less are the same

struct Components {
    Eigen::MatrixXd directions;  // orthonormal in the mass metric, free rows
    Eigen::VectorXd spectrum;    // S entries, descending; zero where directions end
};

// All principal components of S above rounding.                                                       (9)
Components principal_components(const MassMetric& metric, Eigen::MatrixXd S) {
    Components out{Eigen::MatrixXd(S.rows(), 0), Eigen::VectorXd::Zero(S.cols())};
    double largest = 0;
    for (Eigen::Index found = 0; found < std::min(S.rows(), S.cols());) {
        const Eigen::MatrixXd MS = metric.times(S);
        const Eigen::MatrixXd gram = S.transpose() * MS;
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
        const Eigen::VectorXd values = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
        if (largest == 0) largest = values[0];
        const double least = std::max(kPerRound * values[0], kRounding * largest);
        Eigen::Index count = 0;
        while (found + count < std::min(S.rows(), S.cols()) && count < values.size() && values[count] > least)
            ++count;
        if (count == 0) break;
        const Eigen::MatrixXd V = eigen.eigenvectors().rowwise().reverse().leftCols(count);
        Eigen::MatrixXd U =
            metric.without(S * V * values.head(count).cwiseInverse().asDiagonal(), out.directions);
        U = metric.orthonormal(U);
        out.directions.conservativeResize(Eigen::NoChange, found + count);
        out.directions.rightCols(count) = U;
        out.spectrum.segment(found, count) = values.head(count);
        S -= U * (U.transpose() * MS);
        found += count;
    }
    return out;
}

// r by number or by the spectrum.
Eigen::Index chosen_rank(const RankChoice& choice, const Components& all) {
    const Eigen::Index most = all.directions.cols();
    if (most == 0) throw InputError{"basis", "all shapes are zero", "give shapes that deform the body"};
    if (!choice.auto_fraction) {
        if (choice.rank < 1)
            throw InputError{"rank", fmt::format("{} basis vectors were asked for", choice.rank),
                             "ask for at least 1"};
        if (choice.rank > most)
            throw InputError{"rank",
                             fmt::format("{} basis vectors were asked for, but the {} shapes span only {} "
                                         "dimensions",
                                         choice.rank, all.spectrum.size(), most),
                             fmt::format("ask for at most {}, or give more shapes", most)};
        return choice.rank;
    }
    const double fraction = *choice.auto_fraction;
    if (!(fraction > 0) || !(fraction < 1))
        throw InputError{"rank", fmt::format("the fraction {} of auto is not between 0 and 1", fraction),
                         "for instance auto:1%"};
    const double total = all.spectrum.squaredNorm();
    Eigen::Index rank = most;
    double left_out = 0;
    while (rank > 1 && left_out + all.spectrum[rank - 1] * all.spectrum[rank - 1] < fraction * total) {
        left_out += all.spectrum[rank - 1] * all.spectrum[rank - 1];
        --rank;
    }
    return rank;
}

}  // namespace

Basis mass_pca(const FemModel& model, const Eigen::MatrixXd& shapes, const RankChoice& rank, MassKind mass) {
    if (shapes.rows() != 3 * model.vertex_count())
        throw InputError{"shapes",
                         fmt::format("they have {} rows; the mesh has {} vertices, so {} are needed",
                                     shapes.rows(), model.vertex_count(), 3 * model.vertex_count()),
                         ""};
    for (Eigen::Index i = 0; i < shapes.cols(); ++i)
        if (!shapes.col(i).allFinite())
            throw InputError{"shapes", fmt::format("shape {} holds numbers that are not finite", i), ""};
    const MassMetric metric(model, mass);
    const Components all = principal_components(metric, free_rows(model, shapes));
    const Eigen::Index r = chosen_rank(rank, all);
    Basis basis;
    basis.U = all_rows(model, all.directions.leftCols(r));
    basis.spectrum = all.spectrum;
    basis.captured =
        1 - all.spectrum.tail(all.spectrum.size() - r).squaredNorm() / all.spectrum.squaredNorm();
    return basis;
}

}  // namespace limber::build
