// SPDX-License-Identifier: Apache-2.0
#include "build/picture/draw.h"
#include "build/picture/camera.h"
#include "build/picture/color_map.h"
#include "shapes.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Eigen::Vector3d kRed{0.8, 0.02, 0.02}, kGreen{0.02, 0.7, 0.02};
const DrawOptions kSmall{.width = 96, .height = 64, .view_from = {}, .up = {0, 0, 1}, .legend = {}};

DrawOptions from_above(int width, int height) {
    return {.width = width,
            .height = height,
            .view_from = Eigen::Vector3d(0, 0, 1),
            .up = {0, 1, 0},
            .legend = {}};
}

// Background and grey things have nearly equal parts (the background is 1.5% bluish); kRed differs by far
// more.
bool is_red(const Eigen::Vector3i& rgb) {
    return rgb[0] - rgb[1] > 60;
}
bool is_green(const Eigen::Vector3i& rgb) {
    return rgb[1] - rgb[0] > 60;
}
bool is_grey(const Eigen::Vector3i& rgb) {
    return rgb.maxCoeff() - rgb.minCoeff() < 12;
}

// Where the ray eye + s·ray meets the plane of the triangle, as weights of its corners: proportional to the
// volumes that the ray makes with each side.
Eigen::Vector3d weights_where_ray_meets(const std::array<Eigen::Vector3d, 3>& t, const Eigen::Vector3d& eye,
                                        const Eigen::Vector3d& ray) {
    const Eigen::Vector3d a = t[0] - eye, b = t[1] - eye, c = t[2] - eye;
    const Eigen::Vector3d volumes(ray.dot(b.cross(c)), ray.dot(c.cross(a)), ray.dot(a.cross(b)));
    return volumes / volumes.sum();
}

TEST(Draw, ATriangleCoversThePixelsWhoseRaysMeetIt) {
    DrawnSurface surface;
    surface.mesh.vertices = {{1, 2, 3}, {4, 2.5, 3.5}, {2, 4, 6}};
    surface.mesh.triangles = {{0, 1, 2}};
    surface.color = kRed;
    const Image image = draw({surface}, kSmall);
    const Camera camera = camera_for({surface}, kSmall);

    const std::array<Eigen::Vector3d, 3> corners{surface.mesh.vertices[0], surface.mesh.vertices[1],
                                                 surface.mesh.vertices[2]};
    int covered = 0, bare = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            // The triangle is convex: a pixel with four corners in it lies in it; a pixel whose corners are
            // all beyond one side of it lies outside. Others are cut by the outline and may have any shade.
            Eigen::Array3i outside = Eigen::Array3i::Zero();
            int inside = 0;
            for (const auto& [dx, dy] :
                 {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1), std::pair(1, 1)}) {
                const double right = (x + dx - camera.centre.x()) / camera.focal;
                const double down = (y + dy - camera.centre.y()) / camera.focal;
                const Eigen::Vector3d ray = camera.forward + right * camera.right - down * camera.up;
                const Eigen::Vector3d w = weights_where_ray_meets(corners, camera.eye, ray);
                inside += w.minCoeff() > 0;
                outside += (w.array() < 0).cast<int>();
            }
            if (inside == 4) {
                ++covered;
                EXPECT_TRUE(is_red(pixel_of(image, x, y))) << x << ", " << y;
            } else if (outside.maxCoeff() == 4) {
                ++bare;
                EXPECT_TRUE(is_grey(pixel_of(image, x, y))) << x << ", " << y;
            }
        }
    // The triangle spans 88% of one side of the picture, so it covers a good part of it and leaves the rest.
    EXPECT_GT(covered, 500);
    EXPECT_GT(bare, 2000);
}

TEST(Draw, TheNearerSurfaceHidesTheFartherWhateverTheirOrder) {
    DrawnSurface low, high;
    low.mesh = square({0, 0, 0});
    low.color = kRed;
    high.mesh = square({0, 0, 1});
    high.color = kGreen;
    for (const auto& surfaces : {std::vector{low, high}, std::vector{high, low}})
        EXPECT_TRUE(is_green(pixel_of(draw(surfaces, from_above(64, 64)), 32, 32)));
    DrawOptions below = from_above(64, 64);
    below.view_from = Eigen::Vector3d(0, 0, -1);
    EXPECT_TRUE(is_red(pixel_of(draw({low, high}, below), 32, 32)));
}

TEST(Draw, SurfacesThatCrossHideEachOtherWhereTheyAreBehind) {
    DrawnSurface flat, tilted;
    flat.mesh = square({0, 0, 0});
    flat.color = kRed;
    tilted.mesh = square({0, 0, 0});
    for (auto& v : tilted.mesh.vertices)
        v.z() = 0.5 * v.x();  // above at the right, below at the left
    tilted.color = kGreen;
    const Image image = draw({flat, tilted}, from_above(64, 64));
    EXPECT_TRUE(is_red(pixel_of(image, 20, 32)));
    EXPECT_TRUE(is_green(pixel_of(image, 44, 32)));
}

TEST(Draw, AGhostIsTheMeanOfItsShadeAndWhatIsBehindInLinearLight) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    surface.color = kRed;
    const Image solid = draw({surface}, from_above(64, 64));
    const Image bare = draw({}, from_above(64, 64));
    surface.opacity = 0.3;
    const Image ghost = draw({surface}, from_above(64, 64));
    for (const auto& [x, y] : {std::pair(32, 32), std::pair(20, 25), std::pair(45, 40)})
        for (int k = 0; k < 3; ++k) {
            const auto linear = [&, x = x, y = y](const Image& image) {
                return linear_from_srgb(pixel_of(image, x, y)[k] / 255.0);
            };
            const double expected = 255 * srgb_from_linear(0.3 * linear(solid) + 0.7 * linear(bare));
            // Three roundings to 1/255, the two of the sources stretched by the slope of sRGB in the dark:
            // below 2.
            EXPECT_NEAR(pixel_of(ghost, x, y)[k], expected, 2) << x << ", " << y << ", part " << k;
        }
}

TEST(Draw, AGhostBehindASolidSurfaceDoesNotShow) {
    DrawnSurface solid, ghost;
    solid.mesh = square({0, 0, 1});
    solid.color = kGreen;
    ghost.mesh = square({0, 0, 0});
    ghost.color = kRed;
    ghost.opacity = 0.5;
    const Eigen::Vector3i with = pixel_of(draw({solid, ghost}, from_above(64, 64)), 32, 32);
    solid.opacity = 1;
    ghost.opacity = 0;
    EXPECT_EQ(with, pixel_of(draw({solid, ghost}, from_above(64, 64)), 32, 32));
    // A ghost where the solid surface is (the part that did not move) leaves it as it is.
    ghost.mesh = solid.mesh;
    ghost.opacity = 0.5;
    EXPECT_TRUE(is_green(pixel_of(draw({solid, ghost}, from_above(64, 64)), 32, 32)));
}

TEST(Draw, TheSameInputGivesTheSameBytesWithOneThreadAndWithMany) {
    DrawnSurface body, ghost;
    body.mesh = cube();
    body.edges = true;
    for (const auto& v : body.mesh.vertices)
        body.value.push_back(v.sum());
    ghost.mesh = square({0.5, 0.5, 1.5});
    ghost.opacity = 0.4;
    const DrawOptions options{
        .width = 260, .height = 170, .view_from = {}, .up = {0, 0, 1}, .legend = "height (m)"};
    const Image many = draw({body, ghost}, options);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(many.rgb, draw({body, ghost}, options).rgb);
}

TEST(Draw, ScalingByAPowerOfTwoChangesNothing) {
    DrawnSurface surface;
    surface.mesh = cube();
    const Image image = draw({surface}, kSmall);
    for (const double scale : {std::ldexp(1.0, 900), std::ldexp(1.0, -60)}) {
        DrawnSurface scaled = surface;
        for (auto& v : scaled.mesh.vertices)
            v *= scale;
        EXPECT_EQ(image.rgb, draw({scaled}, kSmall).rgb) << scale;
    }
}

TEST(Draw, CoordinatesAtTheEndOfTheDoublesAreDrawn) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    for (auto& v : surface.mesh.vertices)
        v *= 1.7e308;
    surface.color = kRed;
    EXPECT_TRUE(is_red(pixel_of(draw({surface}, from_above(64, 64)), 32, 32)));
}

TEST(Draw, WhatCannotBeDrawnIsLeftOut) {
    const Image bare = draw({}, kSmall);
    EXPECT_EQ(draw({DrawnSurface{}}, kSmall).rgb, bare.rgb);  // no vertices
    DrawnSurface bad;
    bad.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {kNaN, 0, 0}, {0, kInfinity, 1}};
    bad.mesh.triangles = {{0, 1, 2}, {0, 0, 1}, {1, 1, 1}, {0, 1, 3}, {0, 2, 4}};  // no area; not finite
    EXPECT_EQ(draw({bad}, kSmall).rgb, bare.rgb);

    DrawnSurface good;
    good.mesh = cube();
    const Image image = draw({good}, kSmall);
    const int v = static_cast<int>(good.mesh.vertices.size());
    good.mesh.vertices.push_back({kNaN, kNaN, kNaN});
    good.mesh.vertices.push_back({1e9, 0, 0});  // no triangle uses it, so the camera need not show it
    good.mesh.triangles.push_back({0, 1, v});
    EXPECT_EQ(draw({good}, kSmall).rgb, image.rgb);
}

TEST(Draw, AFlatMeshSeenEdgeOnAndFromTheSideIsDrawnWithoutTrouble) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    surface.color = kRed;
    for (const Eigen::Vector3d& from :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 2, 0.3), Eigen::Vector3d(0, 0, 1)}) {
        DrawOptions options = kSmall;
        options.view_from = from;  // the last one is parallel to `up`
        const Image image = draw({surface}, options);
        EXPECT_EQ(image.rgb.size(), 3U * 96 * 64);
    }
    // Chosen by itself, the view shows the flat side.
    EXPECT_TRUE(is_red(pixel_of(draw({surface}, kSmall), 48, 32)));
}

TEST(Draw, BothSidesOfASheetAreLit) {
    DrawnSurface sheet;
    sheet.mesh = square({0, 0, 0});
    sheet.color = {0.5, 0.5, 0.5};
    const int front = pixel_of(draw({sheet}, from_above(64, 64)), 32, 32)[0];
    for (auto& t : sheet.mesh.triangles)
        std::swap(t[1], t[2]);
    EXPECT_EQ(pixel_of(draw({sheet}, from_above(64, 64)), 32, 32)[0], front);
    EXPECT_GT(front, 100);
}

TEST(Draw, AFloatingPlateThrowsAShadowOnTheFloor) {
    DrawnSurface plate, foot;
    plate.mesh = square({0, 0, 1});
    foot.mesh = square({0, 0, 0});
    for (auto& v : foot.mesh.vertices)
        v *= 0.01;  // sets the floor's height to zero
    DrawOptions options{
        .width = 120, .height = 120, .view_from = Eigen::Vector3d(0, -1, 0.5), .up = {0, 0, 1}, .legend = {}};
    const Camera camera = camera_for({plate, foot}, options);
    const Image image = draw({plate, foot}, options), bare = draw({}, options);
    // A point of the floor under the plate's front half, and one far to the side.
    const Eigen::Vector3d under = camera.project({0, -0.5, 0});
    const auto darkening = [&](const Eigen::Vector3d& at) {
        const int x = static_cast<int>(at.x()), y = static_cast<int>(at.y());
        return pixel_of(bare, x, y)[0] - pixel_of(image, x, y)[0];
    };
    EXPECT_GT(darkening(under), 30);
    EXPECT_LT(darkening({2, 60, 0}), 12);
}

TEST(Draw, DrawnEdgesDarkenTheLineBetweenTwoTriangles) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    const Image plain = draw({surface}, from_above(128, 128));
    surface.edges = true;
    const Image lined = draw({surface}, from_above(128, 128));
    // The diagonal runs from lower left to upper right through the middle.
    EXPECT_LT(pixel_of(lined, 64, 63)[0], pixel_of(plain, 64, 63)[0] - 40);
    EXPECT_EQ(pixel_of(lined, 90, 84), pixel_of(plain, 90, 84));
}

TEST(Draw, ValuesRunThroughTheColourMapFromLeastToLargest) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    surface.value = {-5, 7, 7, -5};  // grows with x
    const Image image = draw({surface}, from_above(100, 100));
    const auto like = [&](int x, double t) {
        // The shade scales the colour in linear light; the direction of the colour stays, up to the gloss.
        const Eigen::Vector3d seen = pixel_of(image, x, 50).cast<double>().unaryExpr([](double c) {
            return linear_from_srgb(c / 255);
        });
        return seen.normalized().dot(map_color(t).normalized());
    };
    // The square spans 6..94 of the 100 pixels, but for the border that perspective leaves as it is.
    EXPECT_GT(like(9, 3.5 / 88), 0.97);
    EXPECT_GT(like(90, 84.5 / 88), 0.97);
    EXPECT_GT(like(50, 0.5), 0.97);
    EXPECT_LT(like(9, 1), 0.8);  // the claim can fail
}

TEST(Draw, AValueThatIsNotFiniteIsGreyAndDoesNotSpoilTheRange) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    surface.value = {0, 1, 1, kNaN};
    const Image image = draw({surface}, from_above(100, 100));
    EXPECT_TRUE(is_grey(pixel_of(image, 20, 20)));  // the triangle 0 2 3 holds the NaN
    EXPECT_FALSE(is_grey(pixel_of(image, 80, 80)));
    surface.value.assign(4, kInfinity);
    EXPECT_TRUE(is_grey(pixel_of(draw({surface}, from_above(100, 100)), 50, 50)));
}

TEST(Draw, AColourBarStandsAtTheRightWithBothEndsOfTheMap) {
    DrawnSurface surface;
    surface.mesh = square({0, 0, 0});
    surface.value = {0, 1, 2, 3};
    DrawOptions options = from_above(320, 240);
    options.legend = "stress (Pa)";
    const Image image = draw({surface}, options);
    const auto count = [&](double t) {
        int found = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = image.width * 2 / 3; x < image.width; ++x) {
                const Eigen::Vector3d srgb =
                    map_color(t).unaryExpr([](double c) { return 255 * srgb_from_linear(c); });
                found += (pixel_of(image, x, y).cast<double>() - srgb).cwiseAbs().maxCoeff() < 3;
            }
        return found;
    };
    EXPECT_GE(count(0.0), 5);
    EXPECT_GE(count(0.5), 5);
    EXPECT_GE(count(1.0), 5);
    int ink = 0;  // the letters are dark
    for (int y = 0; y < image.height; ++y)
        for (int x = image.width * 2 / 3; x < image.width; ++x)
            ink += pixel_of(image, x, y).maxCoeff() < 90;
    EXPECT_GT(ink, 50);
}

TEST(Draw, EverySizeFromOnePixelOnWorks) {
    DrawnSurface surface;
    surface.mesh = cube();
    surface.value.assign(8, 1.0);  // all the same: no range
    for (const auto& [width, height] :
         {std::pair(1, 1), std::pair(1, 300), std::pair(500, 1), std::pair(3, 2), std::pair(250, 170)}) {
        const Image image = draw(
            {surface}, {.width = width, .height = height, .view_from = {}, .up = {0, 0, 1}, .legend = "x"});
        EXPECT_EQ(image.width, width);
        EXPECT_EQ(image.height, height);
        EXPECT_EQ(image.rgb.size(), 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    }
}

TEST(Draw, AVeryLongLegendIsCutAndNotACrash) {
    DrawnSurface surface;
    surface.mesh = cube();
    surface.value = {0, 1, 2, 3, 4, 5, 6, 7};
    DrawOptions options{
        .width = 240, .height = 160, .view_from = {}, .up = {0, 0, 1}, .legend = std::string(500, 'W')};
    EXPECT_EQ(draw({surface}, options).rgb.size(), 3U * 240 * 160);
    options.legend = "\xff\xc3\xe2\x82 broken";  // not UTF-8
    EXPECT_EQ(draw({surface}, options).rgb.size(), 3U * 240 * 160);
}

template <class Spoil>
InputError refusal_of(Spoil&& spoil) {
    std::vector<DrawnSurface> surfaces(1);
    surfaces[0].mesh = cube();
    DrawOptions options = kSmall;
    spoil(surfaces[0], options);
    try {
        draw(surfaces, options);
    } catch (const InputError& error) {
        return error;
    }
    ADD_FAILURE() << "was drawn";
    return {};
}

TEST(Draw, BadInputIsRefusedWithTheNumberThatIsWrong) {
    for (const int size : {0, -1, 8193, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
        EXPECT_NE(refusal_of([&](auto&, auto& o) { o.width = size; }).problem.find(std::to_string(size)),
                  std::string::npos);
        EXPECT_NE(refusal_of([&](auto&, auto& o) { o.height = size; }).problem.find(std::to_string(size)),
                  std::string::npos);
    }
    for (const Eigen::Vector3d& v :
         {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(kNaN, 0, 1), Eigen::Vector3d(0, kInfinity, 0)}) {
        EXPECT_NE(refusal_of([&](auto&, auto& o) { o.up = v; }).problem.find("up"), std::string::npos);
        EXPECT_NE(refusal_of([&](auto&, auto& o) { o.view_from = v; }).problem.find("view_from"),
                  std::string::npos);
    }
    EXPECT_NE(refusal_of([](auto& s, auto&) {
                  s.value = {1, 2};
              }).problem.find("2 values for 8"),
              std::string::npos);
    EXPECT_NE(refusal_of([](auto& s, auto&) { s.mesh.triangles[3][1] = 8; }).problem.find("vertex 8"),
              std::string::npos);
    EXPECT_NE(refusal_of([](auto& s, auto&) { s.mesh.triangles[3][1] = -1; }).problem.find("vertex -1"),
              std::string::npos);
    for (const double opacity : {-0.1, 1.5, kNaN})
        EXPECT_NE(refusal_of([&](auto& s, auto&) { s.opacity = opacity; }).problem.find("opacity"),
                  std::string::npos);
    for (const double part : {-0.1, 1.5, kNaN})
        EXPECT_NE(refusal_of([&](auto& s, auto&) { s.color[1] = part; }).problem.find("colour"),
                  std::string::npos);
}

}  // namespace
}  // namespace limber::build
