// SPDX-License-Identifier: Apache-2.0
// Small vibrations of models with known answers; modal derivatives against differences of static shapes.
#include "limber/reduced/modes.h"

#include "limber/reduced/statics.h"
#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <numbers>

namespace limber::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(ReducedModes, UncoupledSpringsVibrateEachByItself) {
    const ReducedModes modes = reduced_modes(*springs(Eigen::Vector3d(9, 1, 4)));
    EXPECT_LE((modes.eigenvalues - Eigen::Vector3d(1, 4, 9)).norm(), 1e-13);
    EXPECT_NEAR(modes.frequencies_hz[1], 2 / (2 * std::numbers::pi), 1e-14);
    EXPECT_NEAR(std::abs(modes.shapes(1, 0)), 1, 1e-14);
}

TEST(ReducedModes, TheySolveTheEigenproblemWithEditedMaterials) {
    const Model model = random_body(6, 5);
    const std::vector<Material> materials = {{2e3, 0.2, 500}, {3e3, 0.4, 1500}};
    const ReducedModes modes = reduced_modes(model, materials);
    const MatrixXd K = reduced_stiffness(model, materials), M = reduced_mass(model, materials);
    EXPECT_LE((K * modes.shapes - M * modes.shapes * modes.eigenvalues.asDiagonal()).norm(),
              1e-11 * K.norm());
    EXPECT_LE((modes.shapes.transpose() * M * modes.shapes - MatrixXd::Identity(6, 6)).norm(), 1e-12);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(rayleigh_frequency_hz(model, 3 * modes.shapes.col(i), materials), modes.frequencies_hz[i],
                    1e-12 * modes.frequencies_hz[i]);
    EXPECT_EQ(rayleigh_frequency_hz(model, VectorXd::Zero(6)), 0);
    // As built, M̃ = I.
    EXPECT_LE((reduced_mass(model) - MatrixXd::Identity(6, 6)).norm(), 1e-12);
}

// ∂²q/∂p_i∂p_j of the static shape under K₁ (p_i y_i + p_j y_j), by central differences.
TEST(ModalDerivatives, TheyAreTheSecondDerivativesOfStaticShapes) {
    const Model model = random_body(5, 9);
    const std::vector<Material> materials = {{1.5e3, 0.3, 800}, {3e3, 0.35, 1300}};
    StvkSettings settings;
    settings.materials = materials;
    const ReducedModes modes = reduced_modes(model, materials);
    const MatrixXd K = reduced_stiffness(model, materials);
    const auto shape = [&](const VectorXd& linear) {
        return reduced_equilibrium(model, settings, K * linear).value().q;
    };
    const double h = 2e-3;
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 3}, {4, 2}, {3, 3}}) {
        const VectorXd a = h * modes.shapes.col(i), b = h * modes.shapes.col(j);
        const VectorXd expected = (shape(a + b) - shape(a - b) - shape(b - a) + shape(-a - b)) / (4 * h * h);
        const VectorXd found = modal_derivative(model, modes, i, j, materials).value();
        // The differences' own h², and the residual of 1e-10 over h.
        EXPECT_LE((found - expected).norm(), 1e-4 * expected.norm()) << i << " " << j;
        EXPECT_GT(found.norm(), 0.01);
        EXPECT_LE((found - modal_derivative(model, modes, j, i, materials).value()).norm(),
                  1e-12 * found.norm());
    }
    EXPECT_FALSE(modal_derivative(model, modes, 5, 0).ok());
    EXPECT_FALSE(modal_derivative(model, modes, 0, -1).ok());
}

}  // namespace
}  // namespace limber::test
