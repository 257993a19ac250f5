// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/voxelize.h"

#include "build/mesh/check.h"
#include "build/mesh/embed.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/voxel_hinges.h"
#include "shapes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <array>
#include <limits>
#include <map>
#include <set>

namespace limber::build {
namespace {

std::size_t count_cubes(const SurfaceMesh& surface, int resolution) {
    return voxelize(surface, {.resolution = resolution}).mesh.bricks.size();
}

// Cubes of the result by their place in the grid, from the vertices alone.
std::set<std::array<int, 3>> cells_of(const Voxelized& voxels, const Vertex& low) {
    std::set<std::array<int, 3>> cells;
    for (const Brick& brick : voxels.mesh.bricks) {
        const Vertex corner =
            (voxels.mesh.vertices[static_cast<std::size_t>(brick[0])] - low) / voxels.report.cube_side;
        cells.insert({static_cast<int>(std::lround(corner[0])), static_cast<int>(std::lround(corner[1])),
                      static_cast<int>(std::lround(corner[2]))});
    }
    return cells;
}

// Cuts a polygon by the six planes of a box; what is left is the common part.
bool clip_meets_box(std::vector<Vertex> polygon, const Vertex& low, const Vertex& high) {
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {1.0, -1.0}) {
            const double bound = side > 0 ? low[axis] : -high[axis];
            std::vector<Vertex> kept;
            for (std::size_t i = 0; i < polygon.size(); ++i) {
                const Vertex &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
                const double dp = side * p[axis] - bound, dq = side * q[axis] - bound;
                if (dp >= 0) kept.push_back(p);
                if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) kept.push_back(p + dp / (dp - dq) * (q - p));
            }
            polygon = kept;
        }
    return !polygon.empty();
}

// Touched by clipping, or with its centre inside by the winding number: the definition, slowly.
std::set<std::array<int, 3>> cells_by_definition(const SurfaceMesh& surface, const Voxelized& voxels,
                                                 const Vertex& low) {
    std::set<std::array<int, 3>> cells;
    const double h = voxels.report.cube_side;
    for (int k = 0; k < voxels.report.grid[2]; ++k)
        for (int j = 0; j < voxels.report.grid[1]; ++j)
            for (int i = 0; i < voxels.report.grid[0]; ++i) {
                const Vertex a = low + h * Vertex(i, j, k), b = a + Vertex::Constant(h);
                bool keep = winding_number(surface.vertices, surface.triangles, (a + b) / 2) > 0.5;
                for (const Triangle& t : surface.triangles) {
                    if (keep) break;
                    keep = clip_meets_box({surface.vertices[static_cast<std::size_t>(t[0])],
                                           surface.vertices[static_cast<std::size_t>(t[1])],
                                           surface.vertices[static_cast<std::size_t>(t[2])]},
                                          a, b);
                }
                if (keep) cells.insert({i, j, k});
            }
    return cells;
}

Vertex grid_low(const SurfaceMesh& surface, const VoxelReport& report) {
    const Eigen::AlignedBox3d box = check(surface).bounds;
    return box.center() - 0.5 * report.cube_side * Vertex(report.grid[0], report.grid[1], report.grid[2]);
}

Eigen::Affine3d some_rotation() {
    return Eigen::Affine3d(Eigen::AngleAxisd(0.7, Vertex(1, 2, 3).normalized()));
}

// Round every edge and every corner, the cubes that hold it must hang together by faces (four common
// vertices). Counts edges and corners where they do not, by brute force over vertex ids.
struct Hinges {
    int edges = 0, corners = 0;
};
Hinges find_hinges(const VolumeMesh& mesh) {
    const auto common = [&](int a, int b) {
        int n = 0;
        for (const int v : mesh.bricks[static_cast<std::size_t>(a)])
            for (const int w : mesh.bricks[static_cast<std::size_t>(b)])
                n += v == w;
        return n;
    };
    const auto hangs_together = [&](const std::vector<int>& cubes) {
        std::set<int> reached{cubes[0]};
        for (std::size_t pass = 0; pass < cubes.size(); ++pass)
            for (const int a : cubes)
                for (const int b : cubes)
                    if (reached.count(a) && common(a, b) == 4) reached.insert(b);
        return reached.size() == cubes.size();
    };
    std::map<int, std::vector<int>> at_vertex;
    std::map<std::pair<int, int>, std::vector<int>> at_edge;
    constexpr int edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    for (std::size_t e = 0; e < mesh.bricks.size(); ++e) {
        for (const int v : mesh.bricks[e])
            at_vertex[v].push_back(static_cast<int>(e));
        for (const auto& [i, j] : edges)
            at_edge[std::minmax(mesh.bricks[e][static_cast<std::size_t>(i)],
                                mesh.bricks[e][static_cast<std::size_t>(j)])]
                .push_back(static_cast<int>(e));
    }
    Hinges hinges;
    for (const auto& [v, cubes] : at_vertex)
        hinges.corners += !hangs_together(cubes);
    for (const auto& [edge, cubes] : at_edge)
        hinges.edges += !hangs_together(cubes);
    return hinges;
}

SurfaceMesh random_soup(int triangles, double size, std::uint64_t seed) {
    shapes::Random random(seed);
    SurfaceMesh soup;
    for (int i = 0; i < triangles; ++i) {
        const Vertex middle = random.vertex();
        for (int c = 0; c < 3; ++c)
            soup.vertices.push_back(middle + size * random.vertex());
        soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return soup;
}

TEST(Voxelize, ABoxAlongTheGridGivesExactlyItsCubes) {
    for (const int n : {1, 2, 3, 7, 16, 64, 65}) {
        const Voxelized voxels = voxelize(shapes::box({0.1, 0.2, 0.3}, {1.4, 1.5, 1.6}), {.resolution = n});
        const auto N = static_cast<std::size_t>(n);
        EXPECT_EQ(voxels.mesh.bricks.size(), N * N * N);
        EXPECT_EQ(voxels.mesh.vertices.size(), (N + 1) * (N + 1) * (N + 1));
        EXPECT_EQ(voxels.report.hinge_edges + voxels.report.hinge_corners, 0u);
        EXPECT_EQ(voxels.report.components, 1);
        const std::size_t inner = n > 2 ? (N - 2) * (N - 2) * (N - 2) : 0;
        EXPECT_EQ(voxels.report.inside_cubes, inner);
        EXPECT_EQ(voxels.report.surface_cubes, N * N * N - inner);
    }
    EXPECT_EQ(count_cubes(shapes::box({0, 0, 0}, {2, 1, 0.5}), 8), 8u * 4 * 2);
}

TEST(Voxelize, FacesInPlanesOfTheGridGetOneLayer) {
    // An L of two boxes, its notch along planes inside the grid: 8 x 4 x 4 and 4 x 4 x 4 cubes.
    SurfaceMesh el = shapes::joined(shapes::box({0, 0, 0}, {2, 1, 1}), shapes::box({0, 1, 0}, {1, 2, 1}));
    EXPECT_EQ(count_cubes(el, 8), 128u + 64u);
    // Coordinates as a single-precision file would have them.
    for (Vertex& v : el.vertices)
        v = (v + Vertex(100.1, -7.3, 0.7)).cast<float>().cast<double>();
    EXPECT_EQ(count_cubes(el, 8), 128u + 64u);
}

TEST(Voxelize, AFlatSheetIsOneLayer) {
    SurfaceMesh sheet;
    sheet.vertices = {{0, 0, 3}, {1, 0, 3}, {1, 1, 3}, {0, 1, 3}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_EQ(count_cubes(sheet, 10), 100u);
    SurfaceMesh upright = sheet;
    for (Vertex& v : upright.vertices)
        v = {v[2], v[0], v[1]};
    EXPECT_EQ(count_cubes(upright, 10), 100u);
}

TEST(Voxelize, ASheetInAPlaneOfTheGridTakesTheSideBehindIt) {
    // Two slabs of two layers, 8 x 8 cubes each, and a sheet between them at z = 4 of 8.
    SurfaceMesh sheet;
    sheet.vertices = {{0, 0, 0.5}, {1, 0, 0.5}, {1, 1, 0.5}, {0, 1, 0.5}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    const SurfaceMesh slabs =
        shapes::joined(shapes::box({0, 0, 0}, {1, 1, 0.25}), shapes::box({0, 0, 0.75}, {1, 1, 1}));
    const auto layers = [&](const SurfaceMesh& middle) {
        const SurfaceMesh all = shapes::joined(slabs, middle);
        const Voxelized voxels = voxelize(all, {.resolution = 8});
        std::set<int> z;
        for (const auto& cell : cells_of(voxels, {0, 0, 0}))
            z.insert(cell[2]);
        EXPECT_EQ(voxels.mesh.bricks.size(), 64 * z.size());
        EXPECT_EQ(voxels.report.components, 3);
        return z;
    };
    EXPECT_EQ(layers(sheet), (std::set<int>{0, 1, 3, 6, 7}));
    EXPECT_EQ(layers(shapes::reversed(sheet)), (std::set<int>{0, 1, 4, 6, 7}));
    // Facing both ways it must not become two layers.
    EXPECT_EQ(layers(shapes::joined(sheet, shapes::reversed(sheet))), (std::set<int>{0, 1, 3, 6, 7}));
}

TEST(Voxelize, KeepsWhatTouchesOrLiesInside) {
    for (const SurfaceMesh& surface :
         {shapes::moved(shapes::torus(1, 0.35, 16, 9), some_rotation()),
          shapes::sphere({0.1, 0.2, 0.3}, 1, 2),
          shapes::moved(shapes::box({0, 0, 0}, {1, 0.7, 0.1}), some_rotation()),
          shapes::joined(shapes::sphere({0, 0, 0}, 1, 2), shapes::sphere({0.6, 0.5, 0.4}, 0.9, 2))}) {
        // Split leaves the cubes as they are.
        const Voxelized voxels = voxelize(surface, {.resolution = 9, .hinges = HingePolicy::Split});
        const Vertex low = grid_low(surface, voxels.report);
        EXPECT_EQ(cells_of(voxels, low), cells_by_definition(surface, voxels, low));
        EXPECT_EQ(voxels.report.surface_cubes + voxels.report.inside_cubes, voxels.mesh.bricks.size());
    }
}

TEST(Voxelize, VolumeOfASphereConvergesAtFirstOrder) {
    const SurfaceMesh sphere = shapes::sphere({0.013, 0.027, 0.041}, 1, 5);
    const auto error = [&](int n) {
        return check(voxelize(sphere, {.resolution = n, .fill = VoxelFill::Full}).mesh).volume -
               check(sphere).volume;
    };
    const double coarse = error(12), fine = error(24);
    // About half a cube of surplus all round, which halves with the cubes: 4 pi h / 2 = 1.05 for h = 2 / 12.
    EXPECT_GT(coarse, 0.5);
    EXPECT_LT(coarse, 2.1);
    EXPECT_NEAR(coarse / fine, 2, 0.4);
}

// Filled fractions: VoxelVolume sums the pieces of the triangles exactly.

SurfaceMesh turned_box() {
    const Eigen::Affine3d motion(Eigen::AngleAxisd(0.7, Vertex(1, 2, 3).normalized()));
    return shapes::moved(shapes::box({-1, -0.3, -0.2}, {1, 0.3, 0.2}), motion);
}

TEST(VoxelFraction, CubesWeighWhatTheShapeWeighs) {
    const std::vector<SurfaceMesh> bodies = {
        shapes::sphere({0.013, 0.027, 0.041}, 1, 5),
        shapes::torus(1, 0.35, 60, 30),
        turned_box(),
        shapes::box({0, 0, 0}, {1, 0.33, 0.27}),  // ends within cubes
        shapes::joined(shapes::sphere({0, 0, 0}, 1, 4), shapes::sphere({3, 0, 0}, 0.5, 4)),
    };
    for (const SurfaceMesh& body : bodies) {
        const Voxelized voxels = voxelize(body, {.resolution = 20});
        const double enclosed = check(body).volume;
        // Exact but for the least fraction of cubes that the surface only grazes.
        EXPECT_NEAR(voxels.report.volume, enclosed, 0.005 * enclosed);
        EXPECT_NEAR(check(voxels.mesh).volume, voxels.report.volume, 1e-9 * enclosed);
        EXPECT_EQ(voxels.mesh.fraction.size(), voxels.mesh.bricks.size());
        EXPECT_GT(*std::min_element(voxels.mesh.fraction.begin(), voxels.mesh.fraction.end()), 0);
    }
}

TEST(VoxelFraction, OfEveryCubeIsThePartOfItsPointsThatLieInside) {
    const SurfaceMesh body = turned_box();
    const Eigen::Affine3d back(Eigen::AngleAxisd(-0.7, Vertex(1, 2, 3).normalized()));
    const Voxelized voxels = voxelize(body, {.resolution = 9});
    constexpr int kPoints = 40;  // a side; their sum is off by the skin's area times a fraction of 1/40
    for (std::size_t b = 0; b < voxels.mesh.bricks.size(); b += 3) {
        const Vertex low = voxels.mesh.vertices[static_cast<std::size_t>(voxels.mesh.bricks[b][0])];
        int inside = 0;
        for (int i = 0; i < kPoints * kPoints * kPoints; ++i) {
            const Vertex cell(i % kPoints, i / kPoints % kPoints, i / kPoints / kPoints);
            const Vertex x =
                back * (low + voxels.report.cube_side * (cell + Vertex::Constant(0.5)) / kPoints);
            inside += std::abs(x[0]) < 1 && std::abs(x[1]) < 0.3 && std::abs(x[2]) < 0.2;
        }
        const double expected = std::max(0.01, double(inside) / (kPoints * kPoints * kPoints));
        EXPECT_NEAR(voxels.mesh.fraction[b], expected, 0.01) << b;
    }
}

TEST(VoxelFraction, SeamsAndTheWayTrianglesFaceDoNotMatter) {
    const SurfaceMesh body = shapes::sphere({0.1, 0, 0}, 1, 3);
    const Voxelized expected = voxelize(body, {.resolution = 12});
    SurfaceMesh soup;  // no triangle shares a vertex, every other one is turned
    for (std::size_t t = 0; t < body.triangles.size(); ++t) {
        const int v = static_cast<int>(soup.vertices.size());
        for (const int c : body.triangles[t])
            soup.vertices.push_back(body.vertices[static_cast<std::size_t>(c)]);
        soup.triangles.push_back(t % 2 ? Triangle{v, v + 1, v + 2} : Triangle{v, v + 2, v + 1});
    }
    for (const SurfaceMesh& same : {shapes::reversed(body), soup}) {
        const Voxelized voxels = voxelize(same, {.resolution = 12});
        ASSERT_EQ(voxels.mesh.bricks, expected.mesh.bricks);
        for (std::size_t b = 0; b < voxels.mesh.bricks.size(); ++b)
            EXPECT_NEAR(voxels.mesh.fraction[b], expected.mesh.fraction[b], 1e-6);
    }
}

TEST(VoxelFraction, CavitiesStayEmptyUnlessCubesCountInFull) {
    const SurfaceMesh hollow =
        shapes::joined(shapes::sphere({0, 0, 0}, 1, 4), shapes::reversed(shapes::sphere({0, 0, 0}, 0.6, 4)));
    const double enclosed = check(hollow).volume;
    const Voxelized fraction = voxelize(hollow, {.resolution = 20});
    const Voxelized full = voxelize(hollow, {.resolution = 20, .fill = VoxelFill::Full});
    EXPECT_NEAR(fraction.report.volume, enclosed, 0.01 * enclosed);
    EXPECT_LT(fraction.mesh.bricks.size() + 300, full.mesh.bricks.size());  // 4/3 pi 6^3 less its skin
    EXPECT_TRUE(full.mesh.fraction.empty());
    // So does the box whose walls lie in planes of the grid.
    const SurfaceMesh box = shapes::joined(shapes::box({0, 0, 0}, {8, 8, 8}),
                                           shapes::reversed(shapes::box({2, 2, 2}, {6, 6, 6})));
    const Voxelized crate = voxelize(box, {.resolution = 8});
    EXPECT_EQ(crate.mesh.bricks.size(), 8u * 8 * 8 - 4 * 4 * 4);
    EXPECT_TRUE(crate.mesh.fraction.empty());  // all 1
}

TEST(VoxelFraction, WhereInsideIsNotDefinedCubesCountInFull) {
    // A bowl, which is no body with a flaw: the open area is more than 5% of its own.
    SurfaceMesh open = shapes::sphere({0, 0, 0}, 1, 3);
    std::erase_if(open.triangles,
                  [&](const Triangle& t) { return open.vertices[static_cast<std::size_t>(t[0])][2] > 0.2; });
    const Voxelized shell = voxelize(open, {.resolution = 12});
    EXPECT_TRUE(shell.mesh.fraction.empty());
    EXPECT_EQ(shell.report.closed_holes, 0u);
    EXPECT_EQ(shell.report.open_triangles, open.triangles.size());
    // Beside a closed part only the open one does.
    const SurfaceMesh closed = shapes::sphere({3, 0, 0}, 1, 3);
    const Voxelized both = voxelize(shapes::joined(open, closed), {.resolution = 24});
    ASSERT_EQ(both.mesh.fraction.size(), both.mesh.bricks.size());
    double left = 0, right = 0;
    std::size_t left_cubes = 0;
    for (std::size_t b = 0; b < both.mesh.bricks.size(); ++b) {
        const bool is_left = both.mesh.vertices[static_cast<std::size_t>(both.mesh.bricks[b][0])][0] < 1.4;
        (is_left ? left : right) += both.mesh.fraction[b];
        left_cubes += is_left;
    }
    EXPECT_EQ(left, double(left_cubes));
    const double cube = std::pow(both.report.cube_side, 3);
    EXPECT_NEAR(right * cube, check(closed).volume, 0.01 * check(closed).volume);
}

// A ball cut off at z = h, with its caps: V = pi/3 (1 + h)^2 (2 - h).
double cut_ball(double h) {
    return std::numbers::pi / 3 * (1 + h) * (1 + h) * (2 - h);
}

TEST(VoxelFraction, ABallWithASmallHoleIsSolid) {
    for (const double h : {0.99, 0.97, 0.95}) {  // holes up to 0.4 of its width, twelve cubes
        SurfaceMesh open = shapes::sphere({0, 0, 0}, 1, 5);
        std::erase_if(open.triangles, [&](const Triangle& t) {
            return std::any_of(t.begin(), t.end(),
                               [&](int v) { return open.vertices[static_cast<std::size_t>(v)][2] > h; });
        });
        for (const VoxelFill fill : {VoxelFill::Fraction, VoxelFill::Full}) {
            const Voxelized voxels = voxelize(open, {.resolution = 30, .fill = fill});
            EXPECT_EQ(voxels.report.closed_holes, 1u);
            EXPECT_EQ(voxels.report.open_triangles, 0u);
            EXPECT_EQ(voxels.report.components, 1);
            EXPECT_GT(voxels.report.inside_cubes, 8000u);  // of 4/3 pi 15^3 = 14137
            // The hole's rim is up to an edge, 0.04, below h.
            if (fill == VoxelFill::Fraction) {
                EXPECT_LT(voxels.report.volume, cut_ball(h));
                EXPECT_GT(voxels.report.volume, 0.99 * cut_ball(h - 0.04));
            }
        }
        // Facing inwards, or every other triangle turned: the same cubes.
        SurfaceMesh mixed = open;
        for (std::size_t t = 0; t < mixed.triangles.size(); t += 2)
            std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
        const Voxelized expected = voxelize(open, {.resolution = 20});
        for (const SurfaceMesh& same : {shapes::reversed(open), mixed}) {
            const Voxelized voxels = voxelize(same, {.resolution = 20});
            EXPECT_EQ(voxels.mesh.bricks, expected.mesh.bricks);
            EXPECT_NEAR(voxels.report.volume, expected.report.volume, 1e-9);
        }
    }
}

TEST(Voxelize, HolesSmallerThanACubeDoNotLeak) {
    SurfaceMesh pierced = shapes::sphere({0, 0, 0}, 1, 4);          // edges of about 0.1
    const Voxelized whole = voxelize(pierced, {.resolution = 10});  // cubes of 0.2
    for (const int t : {1700, 1200, 900, 333, 50})
        pierced.triangles.erase(pierced.triangles.begin() + t);
    const Voxelized holed = voxelize(pierced, {.resolution = 10});
    EXPECT_EQ(holed.mesh.bricks, whole.mesh.bricks);
    EXPECT_GT(holed.report.inside_cubes, 100u);
}

TEST(Voxelize, AnOpenBowlHasNoInside) {
    SurfaceMesh bowl = shapes::sphere({0, 0, 0}, 1, 4);
    std::erase_if(bowl.triangles,
                  [&](const Triangle& t) { return bowl.vertices[static_cast<std::size_t>(t[0])][2] > 0.2; });
    const Voxelized voxels = voxelize(bowl, {.resolution = 24});
    EXPECT_EQ(voxels.report.inside_cubes, 0u);
    EXPECT_EQ(voxels.report.components, 1);
}

TEST(Voxelize, EveryPointOfASoupLiesInTheCubes) {
    const SurfaceMesh soup = random_soup(60, 0.4, 9);
    const Voxelized voxels = voxelize(soup, {.resolution = 17});
    shapes::Random random(1);
    std::vector<Vertex> points;
    for (const Triangle& t : soup.triangles)
        for (int i = 0; i < 20; ++i) {
            double a = 0.5 * (random() + 1), b = 0.5 * (random() + 1);
            if (a + b > 1) a = 1 - a, b = 1 - b;
            points.push_back(soup.vertices[static_cast<std::size_t>(t[0])] * (1 - a - b) +
                             soup.vertices[static_cast<std::size_t>(t[1])] * a +
                             soup.vertices[static_cast<std::size_t>(t[2])] * b);
        }
    // Vertices are put on planes of the grid that are nearer than 1e-4 cubes.
    for (const auto& anchor : embed(voxels.mesh, points).anchors)
        EXPECT_LE(anchor.distance, 2e-4 * voxels.report.cube_side);
}

TEST(Voxelize, CubesThatMeetAtAnEdgeAreFilledOrSplit) {
    const SurfaceMesh boxes =
        shapes::joined(shapes::box({0, 0, 0}, {1, 1, 1}), shapes::box({1, 1, 0}, {2, 2, 1}));
    const Voxelized split = voxelize(boxes, {.resolution = 8, .hinges = HingePolicy::Split});
    EXPECT_EQ(split.report.hinge_edges, 4u);  // a seam of four cubes
    EXPECT_EQ(split.report.hinge_corners, 0u);
    EXPECT_EQ(split.report.split_vertices, 5u);
    EXPECT_EQ(split.report.filled_cubes, 0u);
    EXPECT_EQ(split.report.components, 2);
    EXPECT_EQ(split.mesh.bricks.size(), 128u);
    EXPECT_EQ(split.mesh.vertices.size(), 2u * 125);
    EXPECT_TRUE(check(split.mesh).problems.empty());

    const Voxelized filled = voxelize(boxes, {.resolution = 8, .hinges = HingePolicy::Fill});
    EXPECT_EQ(filled.report.hinge_edges, 4u);
    EXPECT_EQ(filled.report.filled_cubes, 4u);
    EXPECT_EQ(filled.report.split_vertices, 0u);
    EXPECT_EQ(filled.report.components, 1);
    EXPECT_EQ(filled.mesh.bricks.size(), 132u);
    EXPECT_TRUE(check(filled.mesh).problems.empty());
}

TEST(Voxelize, CubesThatMeetAtACornerAreFilledOrSplit) {
    const SurfaceMesh boxes =
        shapes::joined(shapes::box({0, 0, 0}, {1, 1, 1}), shapes::box({1, 1, 1}, {2, 2, 2}));
    const Voxelized split = voxelize(boxes, {.resolution = 4, .hinges = HingePolicy::Split});
    EXPECT_EQ(split.report.hinge_edges, 0u);
    EXPECT_EQ(split.report.hinge_corners, 1u);
    EXPECT_EQ(split.report.split_vertices, 1u);
    EXPECT_EQ(split.report.components, 2);
    const Voxelized filled = voxelize(boxes, {.resolution = 4, .hinges = HingePolicy::Fill});
    EXPECT_EQ(filled.report.hinge_corners, 1u);
    EXPECT_EQ(filled.report.filled_cubes, 2u);  // the shortest chain of faces round a corner
    EXPECT_EQ(filled.report.components, 1);
    EXPECT_EQ(find_hinges(filled.mesh).edges + find_hinges(filled.mesh).corners, 0);
}

TEST(Voxelize, NoHingeIsLeftInRandomSoups) {
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const SurfaceMesh soup = random_soup(40, 0.15, seed);
        const Voxelized filled = voxelize(soup, {.resolution = 14, .hinges = HingePolicy::Fill});
        found += filled.report.hinge_edges + filled.report.hinge_corners;
        EXPECT_EQ(find_hinges(filled.mesh).edges, 0);
        EXPECT_EQ(find_hinges(filled.mesh).corners, 0);
        EXPECT_TRUE(check(filled.mesh).watertight);
        // Split: no vertex joins cubes that do not hang together there.
        const Voxelized split = voxelize(soup, {.resolution = 14, .hinges = HingePolicy::Split});
        EXPECT_EQ(find_hinges(split.mesh).corners, 0);
        EXPECT_EQ(split.mesh.bricks.size(), split.report.surface_cubes + split.report.inside_cubes);
        EXPECT_EQ(filled.mesh.bricks.size(), split.mesh.bricks.size() + filled.report.filled_cubes);
    }
    EXPECT_GT(found, 50u);  // or the test would show nothing
}

TEST(VoxelHinges, EveryCornerWithoutAHingeIsOneCluster) {
    for (unsigned mask = 1; mask < 256; ++mask) {
        const CornerCase& c = corner_cases()[mask];
        if (!c.hinged) {
            EXPECT_EQ(c.clusters, 1) << mask;
        }
        // Equal clusters are just those joined by steps that change one coordinate: checked pair by pair.
        for (unsigned a = 0; a < 8; ++a)
            for (const unsigned step : {1u, 2u, 4u})
                if ((mask >> a & 1) && (mask >> (a ^ step) & 1)) {
                    EXPECT_EQ(c.cluster[a], c.cluster[a ^ step]) << mask;
                }
    }
    EXPECT_EQ(corner_cases()[0b10000001].clusters, 2);
    EXPECT_TRUE(corner_cases()[0b10000001].hinge_corner);
    EXPECT_EQ(corner_cases()[0b01101001].clusters, 4);  // four cubes, no two with a common face
    EXPECT_EQ(corner_cases()[255].clusters, 1);
}

TEST(Voxelize, GivesSoundMeshesWithoutDoubledVertices) {
    const Voxelized voxels = voxelize(shapes::torus(1, 0.3, 30, 16), {.resolution = 20});
    EXPECT_TRUE(check(voxels.mesh).problems.empty());
    std::set<std::array<double, 3>> places;
    for (const Vertex& v : voxels.mesh.vertices)
        places.insert({v[0], v[1], v[2]});
    EXPECT_EQ(places.size(), voxels.mesh.vertices.size());
    const double cube = std::pow(voxels.report.cube_side, 3);
    for (const Brick& brick : voxels.mesh.bricks)
        EXPECT_NEAR(brick_volume(voxels.mesh, brick), cube,
                    1e-12 * cube);  // rounding of coordinates of size one
}

TEST(Voxelize, DoesNotDependOnScalePlaceOrTheOrderOfAxes) {
    const SurfaceMesh torus = shapes::moved(shapes::torus(1, 0.3, 24, 12), some_rotation());
    const Voxelized voxels = voxelize(torus, {.resolution = 15});
    // Scales by powers of two round nothing.
    for (const double scale : {0x1p-30, 0x1p40}) {
        const Voxelized scaled =
            voxelize(shapes::moved(torus, Eigen::Affine3d(Eigen::Scaling(scale))), {.resolution = 15});
        EXPECT_EQ(scaled.mesh.bricks, voxels.mesh.bricks);
        EXPECT_EQ(scaled.mesh.vertices[5], scale * voxels.mesh.vertices[5]);
    }
    SurfaceMesh turned = torus;
    for (Vertex& v : turned.vertices)
        v = {v[1], v[2], v[0]};
    const Voxelized other = voxelize(turned, {.resolution = 15, .hinges = HingePolicy::Split});
    EXPECT_EQ(other.mesh.bricks.size(),
              voxelize(torus, {.resolution = 15, .hinges = HingePolicy::Split}).mesh.bricks.size());
}

TEST(Voxelize, TheLongestSideHasTheGivenNumberOfCubes) {
    const SurfaceMesh slab = shapes::box({0, 0, 0}, {0.3, 2.0, 0.9});
    const Voxelized voxels = voxelize(slab, {.resolution = 10});
    EXPECT_EQ(voxels.report.grid, (std::array<int, 3>{2, 10, 5}));  // 1.5 and 4.5 cubes, rounded up
    EXPECT_DOUBLE_EQ(voxels.report.cube_side, 0.2);
    const Eigen::AlignedBox3d box = check(voxels.mesh).bounds;
    // Centred across the other axes.
    EXPECT_NEAR((box.center() - Vertex(0.15, 1, 0.45)).norm(), 0, 1e-14);
    EXPECT_NEAR((box.sizes() - Vertex(0.4, 2, 1)).norm(), 0, 1e-14);
}

TEST(Voxelize, IsDeterministic) {
    const SurfaceMesh soup = random_soup(80, 0.3, 2);
    const Voxelized a = voxelize(soup, {.resolution = 30}), b = voxelize(soup, {.resolution = 30});
    EXPECT_EQ(a.mesh.bricks, b.mesh.bricks);
    EXPECT_EQ(a.mesh.vertices, b.mesh.vertices);
}

TEST(Voxelize, BoundsAreKept) {
    // The finest grid, on a strip.
    SurfaceMesh sheet;
    sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0.02, 0}, {0, 0.02, 0}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_EQ(count_cubes(sheet, 1024), 1024u * 21);  // 20.48 cubes wide, centred, so both rims are touched
    try {
        voxelize(shapes::box({0, 0, 0}, {1, 1, 1}), {.resolution = 300});
        FAIL() << "27 million cubes were taken";
    } catch (const InputError& error) {
        EXPECT_NE(error.problem.find("27000000"), std::string::npos) << error.problem;
        EXPECT_EQ(error.try_this, "--resolution 271");  // (20 / 27)^(1/3) of 300
    }
}

TEST(Voxelize, RefusesBadInput) {
    const SurfaceMesh box = shapes::box({0, 0, 0}, {1, 1, 1});
    for (const int resolution : {0, -5, 1025, std::numeric_limits<int>::max()})
        EXPECT_THROW(voxelize(box, {.resolution = resolution}), InputError);
    EXPECT_THROW(voxelize({}, {}), InputError);
    SurfaceMesh bad = box;
    bad.vertices[2][0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(voxelize(bad, {}), InputError);
    bad.vertices[2][0] = std::numeric_limits<double>::infinity();
    EXPECT_THROW(voxelize(bad, {}), InputError);
    bad.vertices[2][0] = 1e300;
    EXPECT_THROW(voxelize(bad, {}), InputError);
    bad = box;
    bad.triangles[3][1] = 8;
    EXPECT_THROW(voxelize(bad, {}), InputError);
    bad.vertices = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    bad.triangles = {{0, 1, 2}};
    EXPECT_THROW(voxelize(bad, {}), InputError);  // collinear
    bad.vertices = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    EXPECT_THROW(voxelize(bad, {}), InputError);  // a point
}

TEST(Voxelize, TakesOneTriangleAndDegenerateNeighbours) {
    SurfaceMesh one;
    one.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    // Of 4 x 4 squares the triangle meets those below the diagonal and on it.
    EXPECT_EQ(count_cubes(one, 4), 10u);
    one.triangles.insert(one.triangles.end(), {{0, 0, 0}, {0, 1, 1}, {2, 2, 1}});
    EXPECT_EQ(count_cubes(one, 4), 10u);
    // Far vertices that no triangle uses, even broken ones, do not matter.
    one.vertices.emplace_back(1e5, std::numeric_limits<double>::quiet_NaN(), 0);
    EXPECT_EQ(count_cubes(one, 4), 10u);
    EXPECT_EQ(count_cubes(one, 1), 1u);
}

TEST(Voxelize, HugeAndTinyBodiesWork) {
    for (const double scale : {1e-60, 1e-12, 1e12, 1e90})
        EXPECT_EQ(count_cubes(shapes::box({0, 0, 0}, {scale, scale, scale}), 5), 125u);
}

}  // namespace
}  // namespace limber::build
