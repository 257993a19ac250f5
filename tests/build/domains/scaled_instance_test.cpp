// SPDX-License-Identifier: Apache-2.0
// Instances of parts with another size and material, against parts that were built so from their mesh.
#include "build/domains/assembly.h"
#include "build/recipe/recipe.h"
#include "models/models.h"

#include <limber/domains/domains_body.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace limber::build::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A bar along z on its foot, of a section whose bending frequencies differ, of s times the lengths.
AssemblyPart box_bar(const std::string& name, double s, const Material& material) {
    VolumeMesh mesh = models::bar({2, 2, 8}, s * Vector3d(0.2, 0.15, 0.9), models::BarElements::Bricks);
    Recipe recipe;
    recipe.fix = {fmt::format("z < {}", 1e-6 * s)};
    recipe.modes = 4;
    recipe.rank = RankChoice{8, {}};
    recipe.interfaces = {fmt::format("end: z > {}", s * (0.9 - 1e-6))};
    recipe.materials.base = material;
    recipe.method = MethodChoice::Stvk;
    recipe.surface_basis = SurfaceBasis::Double;
    return {name, build_model({std::move(mesh), name, {}}, recipe).model};
}

struct BarChild {
    int part, parent;
    double scale;
    Vector3d position;  // in the parent's own units
    Quaterniond rotation;
};

// Shape of the whole surface after a fall from rest under gravity across, and the frequencies.
struct BarMotion {
    VectorXd places, frequencies_hz;
};
BarMotion bar_motion(const std::vector<AssemblyPart>& parts, const std::vector<BarChild>& children,
                     const std::vector<DomainState>& states) {
    Assembly assembly{parts, 0, {}};
    for (const BarChild& child : children) {
        AssemblyInstance& made = assembly.instances.emplace_back();
        made.name = fmt::format("child{}", assembly.instances.size());
        made.part = child.part;
        made.parent = child.parent;
        made.interface = "end";
        made.position = child.position;
        made.rotation = child.rotation;
        made.scale = child.scale;
    }
    const auto model = assemble(assembly, "bars").model;
    DomainsBody body =
        make_domains_body(model, {.tolerance = 1e-8, .gravity = Vector3d(3, 4, -2), .domains = states})
            .value();
    for (int k = 0; k < 40; ++k)
        EXPECT_TRUE(body.step(0.005).converged);
    BarMotion out{VectorXd(3 * Eigen::Index(model->surface.vertices.size())), model->frequencies_hz};
    for (std::size_t v = 0; v < model->surface.vertices.size(); ++v)
        out.places.segment<3>(3 * Eigen::Index(v)) = model->surface.vertices[v] + body.displacement(int(v));
    EXPECT_GT((out.places.segment<3>(out.places.size() - 3) - model->surface.vertices.back()).norm(), 0.01);
    return out;
}

void expect_same_motion(const BarMotion& found, const BarMotion& expected) {
    ASSERT_EQ(found.places.size(), expected.places.size());
    const double error = (found.places - expected.places).lpNorm<Eigen::Infinity>();
    fmt::print("largest difference of places {:.2e} m\n", error);
    EXPECT_LE(error, 1e-10);  // of about 2 m
}

const Material kWood{.young = 1e7, .poisson = 0.3, .density = 1000};
// About no axis of the bar.
const Quaterniond kTurned(Eigen::AngleAxisd(0.9, Vector3d(1, 2, -0.5).normalized()));

TEST(ScaledInstance, OneChildEqualsAPartOfThatSizeBuiltFromItsMesh) {
    const double s = 0.7;
    const AssemblyPart bar = box_bar("bar", 1, kWood), small = box_bar("small", s, kWood);
    const Vector3d place(0.12, 0.1, 0.95);
    const BarMotion found = bar_motion({bar}, {{0, -1, s, place, kTurned}}, {}),
                    expected = bar_motion({bar, small}, {{1, -1, 1, place, kTurned}}, {});
    expect_same_motion(found, expected);
    EXPECT_LE((found.frequencies_hz - expected.frequencies_hz).norm(),
              1e-10 * expected.frequencies_hz.norm());
    // It matters: without the scale the motion is another.
    EXPECT_GT((bar_motion({bar}, {{0, -1, 1, place, kTurned}}, {}).places - expected.places)
                  .lpNorm<Eigen::Infinity>(),
              1e-3);
}

TEST(ScaledInstance, AScaledSubtreeEqualsPartsOfThatSizeBuiltFromTheirMeshes) {
    const double s = 1.6;
    const AssemblyPart bar = box_bar("bar", 1, kWood), large = box_bar("large", s, kWood);
    const Vector3d place(0.1, 0.07, 0.9), on_child(0.05, 0.08, 0.92);
    const Quaterniond other(Eigen::AngleAxisd(-0.4, Vector3d(0.3, 1, 0.2).normalized()));
    // The scale of a child is relative to that of its parent, and so is its position.
    const BarMotion found = bar_motion({bar}, {{0, -1, s, place, kTurned}, {0, 0, 1, on_child, other}}, {}),
                    expected = bar_motion({bar, large},
                                          {{1, -1, 1, place, kTurned}, {1, 0, 1, s * on_child, other}}, {});
    expect_same_motion(found, expected);
    EXPECT_LE((found.frequencies_hz - expected.frequencies_hz).norm(),
              1e-10 * expected.frequencies_hz.norm());
}

TEST(ScaledInstance, OneChildOfAnotherMaterialEqualsAPartBuiltOfIt) {
    const double s = 0.7, young = 3, density = 0.4;
    const Material other{.young = young * kWood.young, .poisson = 0.3, .density = density * kWood.density};
    const AssemblyPart bar = box_bar("bar", 1, kWood), small = box_bar("small", s, other);
    const Vector3d place(0.12, 0.1, 0.95);
    expect_same_motion(
        bar_motion({bar}, {{0, -1, s, place, kTurned}}, {{}, {.young = young, .density = density}}),
        bar_motion({bar, small}, {{1, -1, 1, place, kTurned}}, {}));
}

}  // namespace
}  // namespace limber::build::test
