// SPDX-License-Identifier: Apache-2.0
// The word LIMBER in round letters 1 m high, from left to right along x, joined by short links that are rigid
// as the body is cut. z up, m.
#include "models/fields.h"
#include "models/limbs.h"
#include "models/trees.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using Eigen::Vector3d;

constexpr double kStroke = 0.11, kLink = 0.085, kGap = 0.5;

// Strokes in the unit square of a letter; width is what it takes along x.
struct Letter {
    char name;
    double width;
    std::vector<std::vector<Eigen::Vector2d>> strokes;
};

// A half circle to the right between two heights.
std::vector<Eigen::Vector2d> bow(double low, double high, double reach) {
    std::vector<Eigen::Vector2d> out{{0, low}};
    for (int k = 0; k <= 8; ++k) {
        const double angle = std::numbers::pi * (k / 8.0 - 0.5);
        out.emplace_back(reach - (high - low) / 2 + (high - low) / 2 * std::cos(angle),
                         (low + high) / 2 + (high - low) / 2 * std::sin(angle));
    }
    out.emplace_back(0, high);
    return out;
}

const std::vector<Letter>& letters() {
    static const std::vector<Letter> kLetters = {
        {'L', 0.55, {{{0, 1}, {0, 0}, {0.55, 0}}}},
        {'I', 0.4, {{{0, 0}, {0.4, 0}}, {{0.2, 0}, {0.2, 1}}, {{0, 1}, {0.4, 1}}}},
        {'M', 0.85, {{{0, 0}, {0, 1}, {0.425, 0.4}, {0.85, 1}, {0.85, 0}}}},
        {'B', 0.58, {{{0, 0}, {0, 1}}, bow(0.52, 1, 0.52), bow(0, 0.52, 0.58)}},
        {'E', 0.55, {{{0.55, 0}, {0, 0}, {0, 1}, {0.55, 1}}, {{0, 0.5}, {0.45, 0.5}}}},
        {'R', 0.58, {{{0, 0}, {0, 1}}, bow(0.48, 1, 0.55), {{0.2, 0.48}, {0.58, 0}}}}};
    return kLetters;
}

TreeLimbs word_limbs() {
    TreeLimbs out;
    double x = 0, end = 0;
    for (const Letter& letter : letters()) {
        const int before = int(out.size()) - 1;
        if (before >= 0)
            // At the foot; the bow of the B is left a little higher.
            out.push_back({fmt::format("link{}", (before + 2) / 2), before,
                           along({{{end, 0, 0.06}, kLink}, {{x, 0, 0.06}, kLink}})});
        std::vector<Field> strokes;
        for (const auto& stroke : letter.strokes) {
            Chain chain;
            for (const Eigen::Vector2d& p : stroke)
                chain.push_back({{x + p.x(), 0, p.y()}, kStroke});
            strokes.push_back(along(chain));
        }
        out.push_back({std::string(1, letter.name), int(out.size()) - 1, [strokes](const Vector3d& p) {
                           double least = strokes[0](p);
                           for (const Field& stroke : strokes)
                               least = std::min(least, stroke(p));
                           return least;
                       }});
        end = x + letter.width - (letter.name == 'B' ? 0.18 : 0);
        x += letter.width + kGap;
    }
    return out;
}

}  // namespace

build::SurfaceMesh word() {
    const Eigen::AlignedBox3d box(Vector3d(-0.2, -0.2, -0.2), Vector3d(6.3, 0.2, 1.2));
    return isosurface(joined(word_limbs(), 0.04), box, 0.035);
}

SampleCut word_cut() {
    const TreeLimbs all = word_limbs();
    SampleCut out{names_of(all), [all](const build::VolumeMesh& mesh) { return labels_of(all, mesh); }, {}};
    for (const std::string& name : out.names)
        if (name.starts_with("link")) out.rigid.push_back(name);
    return out;
}

}  // namespace limber::models
