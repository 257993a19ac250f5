// SPDX-License-Identifier: Apache-2.0
// The bases that a user can ask for. docs/math/basis.md.
#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"
#include "build/basis/mode_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limber/input_error.h>

#include <algorithm>

namespace limber::build {
namespace {

// Displacement fields, or a matrix with a shape per column; NumPy's last index runs fastest.
Eigen::MatrixXd to_columns(const FemModel& model, const NpyArray& array, const std::string& name) {
    const auto n = std::size_t(model.vertex_count());
    const std::vector<std::size_t>& shape = array.shape;
    const bool columns = shape.size() == 2 && shape[0] == 3 * n;
    const bool fields =
        shape.size() >= 2 && shape.size() <= 3 && shape.back() == 3 && shape[shape.size() - 2] == n;
    if (!columns && !fields)
        throw InputError{name,
                         fmt::format("the array has the shape ({}); the volume mesh has {} vertices, so "
                                     "(shapes, {}, 3) or ({}, shapes) is needed",
                                     fmt::join(shape, ", "), n, n, 3 * n),
                         "shapes are displacements of all vertices of the volume mesh, in its order"};
    const Eigen::Index count = Eigen::Index(array.values.size() / (3 * n));
    const Eigen::Index rows = 3 * Eigen::Index(n);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::MatrixXd shapes(rows, count);
    if (columns)
        shapes = Eigen::Map<const RowMajor>(array.values.data(), rows, count);
    else
        shapes = Eigen::Map<const Eigen::MatrixXd>(array.values.data(), rows, count);
    if (count == 0) throw InputError{name, "it holds no shapes", ""};
    if (!shapes.allFinite()) throw InputError{name, "some numbers are not finite", ""};
    return shapes;
}

}  // namespace

Basis modal_derivative_basis(const FemModel& model, const ModesResult& modes, const RankChoice& rank,
                             MassKind mass, const Progress& progress, DerivativeKind kind) {
    require_modes(model, modes);
    const Eigen::VectorXd& lambda = modes.eigenvalues;
    const Eigen::Index k = lambda.size();
    if (!(lambda[0] > 0))
        throw InputError{"modes",
                         fmt::format("the first eigenvalue is {:.3g} 1/s^2; it must be positive", lambda[0]),
                         "limber mesh info shows parts that hang by an edge or by a vertex"};
    const MassMetric metric(model, mass);
    std::vector<std::pair<int, int>> pairs = mode_pairs(k);
    Eigen::MatrixXd derivatives;
    if (kind == DerivativeKind::Static) {
        derivatives = modal_derivatives(model, modes, mass, progress);
    } else {
        pairs.clear();
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                pairs.emplace_back(i, j);
        const Eigen::MatrixXd tangent =
            free_rows(model, tangent_mode_derivatives(model, modes, mass, progress));
        derivatives = all_rows(model, metric.without(tangent, metric.rigid_motions(model)));
    }
    tell(progress, "mass-PCA", 0);
    const Eigen::VectorXd norms = metric.norms(free_rows(model, derivatives));
    // (10)
    Eigen::MatrixXd shapes(derivatives.rows(), k + derivatives.cols());
    shapes << modes.shapes * (lambda[0] * lambda.cwiseInverse()).asDiagonal(), derivatives;
    derivatives.resize(0, 0);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const double norm = norms[Eigen::Index(p)];
        const double factor = lambda[0] * lambda[0] / (lambda[pairs[p].first] * lambda[pairs[p].second]);
        shapes.col(k + Eigen::Index(p)) *= norm > 0 ? factor / norm : 0;
    }
    Basis basis = mass_pca(model, shapes, rank, mass);
    basis.frequencies_hz = modes.frequencies_hz;
    return basis;
}

Basis modes_basis(const ModesResult& modes, int rank) {
    if (rank < 1 || rank > modes.shapes.cols())
        throw InputError{
            "rank",
            fmt::format("{} basis vectors were asked for, and there are {} modes", rank, modes.shapes.cols()),
            fmt::format("ask for 1 to {}, or for more modes", modes.shapes.cols())};
    Basis basis;
    basis.U = modes.shapes.leftCols(rank);
    basis.frequencies_hz = modes.frequencies_hz;
    return basis;
}

Basis picked_basis(const FemModel& model, const ModesResult& modes, const std::vector<int>& picks,
                   MassKind mass, const Progress& progress) {
    require_modes(model, modes);
    if (picks.empty()) throw InputError{"picked modes", "none were named", "for instance pick:4,9"};
    ModesResult chosen;
    chosen.eigenvalues.resize(Eigen::Index(picks.size()));
    chosen.shapes.resize(modes.shapes.rows(), Eigen::Index(picks.size()));
    for (std::size_t i = 0; i < picks.size(); ++i) {
        if (picks[i] < 1 || picks[i] > modes.shapes.cols())
            throw InputError{"picked modes",
                             fmt::format("there is no mode {}; modes 1 to {} were computed", picks[i],
                                         modes.shapes.cols()),
                             fmt::format("ask for {} modes, or pick lower ones", std::max(picks[i], 1))};
        if (std::count(picks.begin(), picks.end(), picks[i]) > 1)
            throw InputError{"picked modes", fmt::format("mode {} is named twice", picks[i]), ""};
        chosen.eigenvalues[Eigen::Index(i)] = modes.eigenvalues[picks[i] - 1];
        chosen.shapes.col(Eigen::Index(i)) = modes.shapes.col(picks[i] - 1);
    }
    const Eigen::MatrixXd derivatives = modal_derivatives(model, chosen, mass, progress);
    Eigen::MatrixXd shapes(derivatives.rows(), chosen.shapes.cols() + derivatives.cols());
    shapes << chosen.shapes, derivatives;
    Basis basis;
    const MassMetric metric(model, mass);
    basis.U =
        all_rows(model, metric.appended(Eigen::MatrixXd(model.free_dofs(), 0), free_rows(model, shapes)));
    if (basis.U.cols() < shapes.cols())
        basis.notes.push_back(
            fmt::format("{} of {} modes and derivatives depend on the others and were left out",
                        shapes.cols() - basis.U.cols(), shapes.cols()));
    basis.frequencies_hz = modes.frequencies_hz;
    return basis;
}

Basis shapes_basis(const FemModel& model, const NpyArray& array, const std::string& name,
                   const RankChoice& rank, MassKind mass) {
    constexpr double kNoticeable = 1e-9;  // of the largest displacement
    Eigen::MatrixXd shapes = to_columns(model, array, name);
    const double largest = shapes.cwiseAbs().maxCoeff();
    double on_fixed = 0;
    for (const int v : model.fixed_vertices())
        on_fixed = std::max(on_fixed, shapes.middleRows<3>(3 * Eigen::Index(v)).cwiseAbs().maxCoeff());
    std::vector<std::string> notes;
    if (on_fixed > kNoticeable * largest)
        notes.push_back(
            fmt::format("{} moves fixed vertices by up to {:.3g} m; this was set to zero", name, on_fixed));
    const MassMetric metric(model, mass);
    const Eigen::MatrixXd rigid = metric.rigid_motions(model), given = free_rows(model, shapes),
                          elastic = metric.without(given, rigid);
    if (rigid.cols() > 0 && (elastic - given).cwiseAbs().maxCoeff() > kNoticeable * largest)
        notes.push_back(fmt::format("{} moves the body as a whole; that part was taken out", name));
    Basis basis = mass_pca(model, all_rows(model, elastic), rank, mass);
    basis.notes = std::move(notes);
    return basis;
}

Basis without_rigid_motions(const FemModel& model, Basis basis, MassKind mass) {
    const MassMetric metric(model, mass);
    const Eigen::MatrixXd rigid = metric.rigid_motions(model);
    if (rigid.cols() == 0) return basis;
    // Twice is enough; the columns stay orthonormal up to what was taken out.
    const Eigen::MatrixXd elastic = metric.without(metric.without(free_rows(model, basis.U), rigid), rigid);
    basis.U = all_rows(model, metric.orthonormal(elastic));
    return basis;
}

}  // namespace limber::build
