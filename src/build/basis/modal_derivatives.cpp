// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/basis.md.
#include "build/basis/basis.h"
#include "build/basis/mass_metric.h"
#include "build/basis/mode_pairs.h"
#include "build/basis/rest_solver.h"

namespace limber::build {

Eigen::MatrixXd modal_derivatives(const FemModel& model, const ModesResult& modes, MassKind mass,
                                  const Progress& progress) {
    require_modes(model, modes);
    tell(progress, "quadratic forces", 0);
    const Eigen::MatrixXd loads =
        free_rows(model, quadratic_forces(model, modes.shapes, mode_pairs(modes.shapes.cols())));
    tell(progress, "factorisation", 0);
    const RestSolver solver(model, mass);
    tell(progress, "modal derivatives", 0);
    Eigen::MatrixXd derivatives = all_rows(model, solver.solve(loads));
    tell(progress, "modal derivatives", 1);
    return derivatives;
}

}  // namespace limber::build
