// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/bending.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace limber::build {
namespace {

// Bending stiffness of a stack of cubes over that of a plate of this thickness. spread: 12 times the sum of
// squared distances from the middle, weight: the sum of stiffness fractions, all in cubes. (5), (6)
double excess_of(double spread, double weight, double thickness, double poisson, BrickQuadrature quadrature) {
    const double plate = 1 / (1 - poisson * poisson);  // E = 1
    const double mu = 1 / (2 * (1 + poisson)), lambda = 2 * mu * poisson / (1 - 2 * poisson);
    // With one point for λ the strains that vary across a cube have none.                              (7)
    const double varying = quadrature == BrickQuadrature::Selective ? 0 : lambda;
    const double along = plate * spread + (varying + 3 * mu) * weight;
    const double across = poisson * plate * spread + varying * weight;
    const double to_a_cylinder = along / plate, as_a_strip = along - across * across / along;
    return std::sqrt(to_a_cylinder * as_a_strip) / std::pow(thickness, 3);
}

struct Cube {
    std::array<long, 3> at;  // in the grid
    double filled;
};

std::vector<Cube> cubes_of(const VolumeMesh& mesh, double side) {
    std::vector<Cube> cubes;
    for (std::size_t i = 0; i < mesh.bricks.size(); ++i) {
        const Vertex& corner = mesh.vertices[std::size_t(mesh.bricks[i][0])];
        // Vertices are multiples of the side away from the first one.
        const Vertex from = (corner - mesh.vertices.front()) / side;
        cubes.push_back(
            {{std::lround(from.x()), std::lround(from.y()), std::lround(from.z())}, mesh.fraction_of(i)});
    }
    return cubes;
}

Bending bending_of_stack(const std::vector<Cube>& cubes, const std::vector<std::size_t>& order,
                         std::size_t begin, std::size_t end, std::size_t axis, double poisson,
                         BrickQuadrature quadrature) {
    double thickness = 0, stiffness = 0, first = 0, second = 0;
    for (std::size_t k = begin; k < end; ++k) {
        const Cube& cube = cubes[order[k]];
        const double w = stiffness_fraction(cube.filled), z = double(cube.at[axis]);
        thickness += cube.filled;
        stiffness += w;
        first += w * z;
        second += w * z * z;
    }
    const double about_middle = second - first * first / stiffness;
    return {thickness, excess_of(12 * about_middle, stiffness, thickness, poisson, quadrature)};
}

}  // namespace

Bending bending_of(const VolumeMesh& mesh, double side, double poisson, BrickQuadrature quadrature) {
    const std::vector<Cube> cubes = cubes_of(mesh, side);
    if (cubes.empty()) return {};
    std::vector<Bending> thinnest(cubes.size(), {HUGE_VAL, 1});
    std::vector<std::size_t> order(cubes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto line = [&](const Cube& c) {
            return std::pair(c.at[(axis + 1) % 3], c.at[(axis + 2) % 3]);
        };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(line(cubes[a]), cubes[a].at[axis]) <
                   std::pair(line(cubes[b]), cubes[b].at[axis]);
        });
        for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            for (end = begin + 1; end < order.size(); ++end) {
                const Cube &last = cubes[order[end - 1]], &next = cubes[order[end]];
                if (line(next) != line(last) || next.at[axis] > last.at[axis] + 1) break;
            }
            const Bending stack = bending_of_stack(cubes, order, begin, end, axis, poisson, quadrature);
            for (std::size_t k = begin; k < end; ++k)
                if (stack.thickness < thinnest[order[k]].thickness) thinnest[order[k]] = stack;
        }
    }
    // Medians by what the cubes enclose.
    const double half = std::accumulate(cubes.begin(), cubes.end(), 0.0,
                                        [](double sum, const Cube& c) { return sum + c.filled; }) /
                        2;
    const auto median = [&](double Bending::*value) {
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return thinnest[a].*value < thinnest[b].*value; });
        double sum = 0;
        for (const std::size_t i : order)
            if ((sum += cubes[i].filled) >= half) return thinnest[i].*value;
        return thinnest[order.back()].*value;
    };
    return {median(&Bending::thickness), median(&Bending::excess)};
}

double plate_excess(int cubes, double poisson, BrickQuadrature quadrature) {
    return excess_of(cubes * (double(cubes) * cubes - 1), cubes, cubes, poisson, quadrature);
}

}  // namespace limber::build
