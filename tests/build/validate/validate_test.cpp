// SPDX-License-Identifier: Apache-2.0
// The comparison itself: a basis that spans everything makes no error, a small push is linear, a poor basis
// shows.
#include "build/validate/validate.h"

#include "tests/build/mesh/shapes.h"
#include "tests/build/recipe/tiny_model.h"

#include <limber/input_error.h>
#include <limber/reduced/stvk_body.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber::test {
namespace {

using namespace build;

TEST(Validate, AllModesOfTheMeshMakeNoErrorEvenInLargeBends) {
    // 2 x 1 x 1 bricks, one end held: 8 free vertices, 24 coordinates, 24 modes span them all.
    Recipe recipe = tiny_recipe();
    recipe.basis = LinearModes{};
    recipe.modes = 24;
    recipe.rank = RankChoice{.rank = 24, .auto_fraction = {}};
    const BuildInput bar{models::bar({2, 1, 1}, {1, 0.2, 0.2}, models::BarElements::Bricks), "bar", {}};
    const auto model = build_model(bar, recipe).model;
    const Validation v = validate(model, {.periods = 2});
    EXPECT_TRUE(v.converged) << v.problem;
    EXPECT_EQ(v.steps, 200);
    ASSERT_TRUE(v.frequency_error && v.amplitude_error && v.displacement_error);
    // Both solve the same equations, each step to 1e-8 of its forces.
    EXPECT_LE(std::abs(*v.frequency_error), 1e-5);
    EXPECT_LE(std::abs(*v.amplitude_error), 1e-5);
    EXPECT_LE(*v.displacement_error, 1e-4);
    // A quarter of its length, as was asked for.
    EXPECT_NEAR(v.reduced.probe.colwise().norm().maxCoeff(), 0.25, 0.01);
}

TEST(Validate, ASmallPushSwingsWithTheFrequencyOfTheFirstMode) {
    // A slow push at the first mode's place, a thousandth of the length: linear, and mostly one mode.
    const auto model = tiny_model();
    const Validation v = validate(model, {.push = "x>0.999", .bend = 0.001, .periods = 4});
    ASSERT_TRUE(v.frequency_error);
    EXPECT_NEAR(v.full.frequency_hz, v.first_frequency_hz, 0.02 * v.first_frequency_hz);  // Newmark: 0.03%
    EXPECT_LE(std::abs(*v.frequency_error), 0.01);
    EXPECT_LE(*v.displacement_error, 0.05);
}

TEST(Validate, LinearModesAloneAreTooStiffInALargeBend) {
    // Without derivatives the modes lock: the swing is shorter and faster.
    Recipe recipe = tiny_recipe();
    recipe.basis = LinearModes{};
    recipe.rank = RankChoice{.rank = 3, .auto_fraction = {}};
    const auto locked = build_model(tiny_bar(), recipe).model;
    const Validation v = validate(locked, {.bend = 0.2, .periods = 3});
    ASSERT_TRUE(v.frequency_error && v.displacement_error);
    const Validation good = validate(tiny_model(), {.force = v.force, .periods = 3});
    ASSERT_TRUE(good.displacement_error);
    EXPECT_GT(*v.displacement_error, 2 * *good.displacement_error);
    EXPECT_GT(*v.frequency_error, 0.05);
}

// The reduced motion of a test, `late` steps later: frames x n x 3.
std::shared_ptr<const NpyArray> own_motion(const std::shared_ptr<const Model>& model, const Validation& v,
                                           long long late) {
    StvkSettings settings;
    settings.newton = 0;
    settings.alpha = v.alpha;
    settings.beta = v.beta;
    StvkBody body = make_stvk_body(model, settings).value();
    for (const int vertex : v.pushed)
        EXPECT_TRUE(body.add_force({vertex, v.force / static_cast<double>(v.pushed.size())}).ok());
    body.set_acceleration_from_forces();
    auto out = std::make_shared<NpyArray>();
    out->shape = {static_cast<std::size_t>(v.steps + 1), static_cast<std::size_t>(model->volume_vertices), 3};
    out->values.assign(out->shape[0] * out->shape[1] * 3, 0);
    for (long long i = late + 1; i <= v.steps; ++i) {
        if (static_cast<double>(i - late) * v.dt > v.push_duration * (1 + 1e-9)) body.clear_forces();
        EXPECT_TRUE(body.step(v.dt).converged);
        const Eigen::VectorXd u = model->volume.basis * body.state().q;
        std::copy(u.begin(), u.end(), out->values.begin() + i * u.size());
    }
    return out;
}

TEST(Validate, AMotionThatIsOnlyLateHasAnErrorOverTimeAndNoneOfShape) {
    const auto model = tiny_model();
    ValidateOptions options{.bend = 0.2, .periods = 3};
    const Validation first = validate(model, options);
    ASSERT_TRUE(first.shape_error && first.displacement_error);
    EXPECT_GT(*first.shape_error, 1e-4);
    EXPECT_LE(*first.shape_error, *first.displacement_error * (1 + 1e-9));  // a shift of zero is one of all
    options.force = first.force;
    for (const long long late : {0, 20}) {  // a fifth of a period
        options.full_motion = own_motion(model, first, late);
        const Validation v = validate(model, options);
        EXPECT_LE(*v.shape_error, 1e-6);  // differences of squares: half of the digits
        if (late == 0)
            EXPECT_LE(*v.displacement_error, 1e-6);
        else
            EXPECT_GT(*v.displacement_error, 0.5);  // 2 sin(36°) = 1.2 of an even swing
    }
}

TEST(Validate, TellsTheLocalCompliance) {
    const auto model = tiny_model();
    const Validation v = validate(model, {.periods = 0.1, .rank = 4, .points = 5, .at = {"near:1,0,0"}});
    EXPECT_EQ(v.local_compliance.points.size(), 6u);
    EXPECT_EQ(v.local_compliance.rank, 4);
    EXPECT_EQ(v.local_compliance.points[0].position, Eigen::Vector3d(1, 0, 0));
}

// A single vertex hangs in a cube that may be all but empty.
TEST(Validate, ABodyOfCubesFilledInPartIsPushedOnAPatch) {
    Recipe recipe = tiny_recipe();
    recipe.fix = {"z<-0.04"};
    recipe.filling = Voxels{.resolution = 6};
    const auto model =
        build_model({shapes::sphere(Vertex(0.001, 0.002, 0.003), 0.05, 3), "ball", {}}, recipe).model;
    ASSERT_FALSE(model->volume.fraction.empty());
    const Validation v = validate(model, {.periods = 0.2});
    EXPECT_TRUE(v.converged) << v.problem;
    EXPECT_GT(v.pushed.size(), 3u);
    EXPECT_EQ(validate(tiny_model(), {.periods = 0.1}).pushed.size(), 1u);
}

TEST(Validate, TheTestCanBeSetInEveryPart) {
    const auto model = tiny_model();
    std::size_t frames = 0;
    const Validation v = validate(model,
                                  {.push = "#4",
                                   .probe = "x>0.999",
                                   .force = Eigen::Vector3d(0, 0.1, 0),
                                   .push_duration = 0.01,
                                   .duration = 0.05,
                                   .dt = 0.001,
                                   .alpha = 0.5,
                                   .beta = 0.0001,
                                   .rank = 2},
                                  {}, [&](const Eigen::VectorXd& u) {
                                      ++frames;
                                      EXPECT_EQ(u.size(), 3 * model->volume_vertices);
                                  });
    EXPECT_EQ(v.steps, 50);
    EXPECT_EQ(frames, 51u);
    EXPECT_EQ(v.rank, 2);
    EXPECT_EQ(v.force, Eigen::Vector3d(0, 0.1, 0));
    EXPECT_EQ(v.probed.size(), 4u);
    EXPECT_EQ(v.full.signal.size(), 51);
}

TEST(Validate, LeanFreeAndWarpedModelsAreRefused) {
    Recipe lean = tiny_recipe();
    lean.lean = true;
    const auto without_volume = build_model(tiny_bar(), lean).model;
    try {
        validate(without_volume);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(error.try_this.find("without --lean"), std::string::npos);
    }
    Recipe loose = tiny_recipe();
    loose.fix.clear();
    EXPECT_THROW(validate(build_model(tiny_bar(), loose).model), InputError);
    EXPECT_THROW(validate(tiny_model(), {.rank = 7}), InputError);
    Recipe warped = tiny_recipe();
    warped.rank.reset();
    warped.method = MethodChoice::Warp;
    EXPECT_THROW(validate(build_model(tiny_bar(), warped).model), InputError);
}

TEST(Validate, TheReportStandsOnItsOwn) {
    const auto model = tiny_model();
    const Validation v = validate(model, {.bend = 0.1, .periods = 0.3});
    const std::string html = html_report(*model, v, "a<b.glb");
    EXPECT_TRUE(html.starts_with("<!doctype html>"));
    EXPECT_NE(html.find("a&lt;b.glb"), std::string::npos);
    EXPECT_EQ(html.find("href="), std::string::npos);
    EXPECT_EQ(html.find("src=\"http"), std::string::npos);
    std::size_t pictures = 0, plots = 0;
    for (auto at = html.find("data:image/png;base64,iVBORw0KGgo"); at != std::string::npos;
         at = html.find("data:image/png;base64,iVBORw0KGgo", at + 1))
        ++pictures;
    for (auto at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1))
        ++plots;
    EXPECT_EQ(pictures, 3u);  // local compliance; both, at a quarter of the period
    EXPECT_EQ(plots, 3u);     // probe, energy, spectrum
}

}  // namespace
}  // namespace limber::test
