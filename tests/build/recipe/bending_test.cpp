// SPDX-License-Identifier: Apache-2.0
// Thin bodies in few cubes, against plate theory.
#include "build/recipe/bending.h"

#include "build/fem/modes.h"
#include "build/mesh/voxelize.h"
#include "tests/build/mesh/shapes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::test {
namespace {

using namespace build;

SurfaceMesh plate(double width, double thickness) {
    return shapes::box({0, 0, 0}, {1, width, thickness});
}

// Lowest frequency of a plate of 1 m that is clamped at x = 0, over that of theory: a beam's, 3.516 sqrt(E
// t^2 / 12 rho), of a strip; of a square plate 3.494 sqrt(D / rho t), D = E t^3 / 12 (1 - nu^2) (Barton 1951,
// by Ritz's method, nu = 0.3).
double frequency_ratio(double width, double thickness, int resolution, double poisson,
                       BrickQuadrature quadrature = BrickQuadrature::Standard) {
    const Material material{1e6, poisson, 1000};
    Voxelized voxels = voxelize(plate(width, thickness), {.resolution = resolution});
    std::vector<int> clamped;
    for (std::size_t v = 0; v < voxels.mesh.vertices.size(); ++v)
        if (voxels.mesh.vertices[v].x() < 1e-9) clamped.push_back(int(v));
    MaterialMap materials;
    materials.groups[0].material = material;
    const FemModel model(std::move(voxels.mesh), materials, clamped, {.brick_quadrature = quadrature});
    const ModesResult modes = solve_modes(model, {.count = 1});
    EXPECT_TRUE(modes.converged);
    const double beam = thickness * std::sqrt(material.young / 12 / material.density);
    const double theory = width < 0.5 ? 3.516 * beam : 3.494 * beam / std::sqrt(1 - poisson * poisson);
    return modes.frequencies_hz[0] / (theory / (2 * EIGEN_PI));
}

Bending bending(const SurfaceMesh& surface, int resolution, double poisson,
                BrickQuadrature quadrature = BrickQuadrature::Standard) {
    const Voxelized voxels = voxelize(surface, {.resolution = resolution});
    return bending_of(voxels.mesh, voxels.report.cube_side, poisson, quadrature);
}

TEST(Bending, TheFrequencyOfAThinPlateIsTooHighByWhatIsTold) {
    struct Case {
        double thickness;
        int resolution;
        double cubes;
    };
    for (const double poisson : {0.3, 0.45})
        for (const double width : {0.1, 1.0})
            for (const Case& c :
                 {Case{0.05, 20, 1}, Case{0.03, 20, 0.6}, Case{0.05, 40, 2}, Case{0.03, 40, 1.2}}) {
                const Bending told = bending(plate(width, c.thickness), c.resolution, poisson);
                EXPECT_NEAR(told.thickness, c.cubes, 1e-6);
                // A strip of rubber curls across, which softens it: told is the mean between it and a
                // cylinder.
                const double tolerance = poisson == 0.45 && width == 0.1 ? 0.13 : 0.04;
                EXPECT_NEAR(
                    frequency_ratio(width, c.thickness, c.resolution, poisson) / std::sqrt(told.excess), 1,
                    tolerance)
                    << c.cubes << " cubes, width " << width << ", Poisson's ratio " << poisson << ", told "
                    << std::sqrt(told.excess);
            }
    for (const int cubes : {1, 2})
        EXPECT_NEAR(bending(plate(0.5, 0.05), 20 * cubes, 0.45).excess,
                    plate_excess(cubes, 0.45, BrickQuadrature::Standard), 1e-6);
}

// One point for λ: the shear strain that a bent cube should not have stands for what the plate has and the
// cube does not, 3μ for E/(1-ν²) = 2μ/(1-ν) to a cylinder and E = 2μ(1+ν) as a strip. (7)
TEST(Bending, WithOnePointForLambdaThinPlatesAreRightWithinATenth) {
    for (const double poisson : {0.3, 0.4, 0.45})
        for (const double width : {0.1, 1.0})
            for (const int resolution : {20, 40}) {
                const double ratio =
                    frequency_ratio(width, 0.05, resolution, poisson, BrickQuadrature::Selective);
                EXPECT_NEAR(ratio, 1, 0.1) << resolution << " cubes, width " << width << ", " << poisson;
                const Bending told =
                    bending(plate(width, 0.05), resolution, poisson, BrickQuadrature::Selective);
                EXPECT_NEAR(ratio / std::sqrt(told.excess), 1, 0.1);
            }
}

TEST(Bending, ARodHasTheStacksOfItsWidthAndAThickBodyIsRight) {
    // Two cubes wide and high, whatever the mean thickness 2V/A = 1 cube says.
    EXPECT_NEAR(bending(plate(0.1, 0.1), 20, 0.3).thickness, 2, 1e-6);
    EXPECT_NEAR(bending(plate(1, 1), 20, 0.3).excess, 1, 2e-3);
}

}  // namespace
}  // namespace limber::test
