// SPDX-License-Identifier: Apache-2.0
// Nothing that runs in a frame takes memory, from the first step on.
#include "limber/reduced/stvk_body.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace test;

TEST(BodyAllocation, TheCounterCounts) {
    const long before = allocations_so_far();
    const auto made = std::make_unique<Eigen::VectorXd>(1000);
    EXPECT_GE(allocations_so_far(), before + 2);
}

TEST(BodyAllocation, NoStepOfAnyKindAllocates) {
    for (const int rank : {6, 20}) {
        const ModelPtr model = random_body_ptr(rank, 1);
        for (const StvkIntegrator integrator :
             {StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences, StvkIntegrator::BackwardEuler,
              StvkIntegrator::EnergyPreserving})
            for (const StvkPrecision precision : {StvkPrecision::Double, StvkPrecision::Float})
                for (const StvkSettings& damping :
                     {StvkSettings{}, StvkSettings{.newton = 0, .alpha = 0.1, .beta = 0.001},
                      StvkSettings{.alpha = 0.1, .strain_rate = 0.001},
                      StvkSettings{.materials = {{1e3, 0.3, 300}, {2e3, 0.4, 2000}}, .newton = 2}}) {
                    StvkSettings settings = damping;
                    settings.integrator = integrator;
                    settings.precision = precision;
                    StvkBody body = body_of(model, settings);
                    Eigen::VectorXf u(90), n(90);
                    const Eigen::VectorXd f = random_vector(rank, 3);
                    const long before = allocations_so_far();
                    for (int i = 0; i < 3; ++i) {
                        body.clear_forces();
                        ASSERT_TRUE(body.add_force({.vertex = 3, .force = {1, 2, 3}}).ok());
                        ASSERT_TRUE(body.add_reduced_force(f).ok());
                        body.step(1e-3);
                        body.step(-1);
                        body.surface_displacement(u);
                        body.surface_normals(u, n);
                        body.kinetic_energy();
                        body.elastic_energy();
                    }
                    body.step(1e300);  // contained without memory, too
                    EXPECT_EQ(allocations_so_far(), before);
                }
    }
}

}  // namespace
}  // namespace limber
