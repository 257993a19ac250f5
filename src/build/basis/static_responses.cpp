// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/basis.md.
#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"
#include "build/basis/rest_solver.h"

#include <fmt/format.h>

namespace limber::build {

Basis with_static_responses(const FemModel& model, Basis basis, const Eigen::MatrixXd& loads, MassKind mass,
                            const Progress& progress) {
    tell(progress, "static responses", 0);
    const RestSolver solver(model, mass);
    const MassMetric metric(model, mass);
    const Eigen::MatrixXd responses = solver.solve(free_rows(model, loads));
    const Eigen::Index before = basis.U.cols();
    basis.U = all_rows(model, metric.appended(free_rows(model, basis.U), responses));
    const Eigen::Index held = before + loads.cols() - basis.U.cols();
    if (held > 0)
        basis.notes.push_back(
            fmt::format("{} of {} static responses are in the basis already", held, loads.cols()));
    return basis;
}

}  // namespace limber::build
