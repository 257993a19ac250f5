// SPDX-License-Identifier: Apache-2.0
// A dragon 1.7 m long, the head at +x, z up, m: 40 limbs. It stands on a post under its belly.
#include "models/fields.h"
#include "models/limbs.h"
#include "models/trees.h"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <array>
#include <cmath>

namespace limber::models {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A flat limb from one point to another, `wide` to both sides along `across` as nearly as it can.
Field blade(const Vector3d& from, const Vector3d& to, const Vector3d& across, double wide, double thick) {
    Matrix3d axes;
    axes.col(0) = (to - from).normalized();
    axes.col(1) = (across - axes.col(0) * axes.col(0).dot(across)).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return turned_ellipsoid((from + to) / 2, axes, {(to - from).norm() / 2, wide, thick});
}

class Dragon {
 public:
    Dragon() {
        const int belly = add("belly", -1, Chain({{{-0.05, 0, 0.385}, 0.125}, {{0.08, 0, 0.39}, 0.125}}));
        const int hip = add("hip", belly, Chain({{{-0.20, 0, 0.37}, 0.10}, {{-0.12, 0, 0.38}, 0.115}}));
        const int chest = add("chest", belly, Chain({{{0.15, 0, 0.40}, 0.12}, {{0.24, 0, 0.43}, 0.105}}));
        const int tail_end = chain("tail", hip, 8,
                                   {{{-0.25, 0, 0.365}, 0.088},
                                    {{-0.42, 0.02, 0.31}, 0.066},
                                    {{-0.60, 0.07, 0.24}, 0.050},
                                    {{-0.78, 0.08, 0.20}, 0.038},
                                    {{-0.93, 0.00, 0.24}, 0.030},
                                    {{-1.00, -0.10, 0.33}, 0.024}});
        add("tail_tip", tail_end,
            blade({-0.985, -0.10, 0.31}, {-1.06, -0.19, 0.47}, {0.6, -0.6, 0}, 0.055, 0.022));
        const int neck_end = chain("neck", chest, 4,
                                   {{{0.28, 0, 0.47}, 0.09},
                                    {{0.37, 0, 0.57}, 0.072},
                                    {{0.42, 0, 0.69}, 0.062},
                                    {{0.46, 0, 0.79}, 0.060}});
        const int head =
            add("head", neck_end,
                Chain({{{0.49, 0, 0.83}, 0.072}, {{0.56, 0, 0.83}, 0.062}, {{0.68, 0, 0.80}, 0.042}}));
        add("jaw", head,
            Chain({{{0.52, 0, 0.755}, 0.036}, {{0.58, 0, 0.715}, 0.030}, {{0.66, 0, 0.690}, 0.024}}));
        for (const double side : {1.0, -1.0}) {
            const std::string of = side > 0 ? "left" : "right";
            const auto at = [&](double x, double y, double z) { return Vector3d(x, side * y, z); };
            chain("horn_" + of, head, 2,
                  {{at(0.475, 0.045, 0.885), 0.028},
                   {at(0.40, 0.075, 0.95), 0.022},
                   {at(0.31, 0.085, 0.965), 0.016}});
            leg("foreleg_" + of, chest,
                {at(0.19, 0.085, 0.37), at(0.14, 0.155, 0.23), at(0.19, 0.165, 0.07),
                 at(0.235, 0.165, 0.03)});
            leg("hindleg_" + of, hip,
                {at(-0.17, 0.08, 0.34), at(-0.10, 0.165, 0.22), at(-0.19, 0.175, 0.07),
                 at(-0.14, 0.175, 0.03)});
            const int arm = add("wing_arm_" + of, chest,
                                Chain({{at(0.17, 0.06, 0.50), 0.036}, {at(0.13, 0.20, 0.66), 0.026}}));
            const int wing =
                add("wing_" + of, arm,
                    blade(at(0.13, 0.18, 0.65), at(-0.02, 0.46, 0.80), {-1, 0, 0.1}, 0.105, 0.021));
            add("wing_tip_" + of, wing,
                blade(at(-0.01, 0.43, 0.785), at(-0.22, 0.72, 0.80), {-1, 0, 0.1}, 0.085, 0.020));
        }
    }

    TreeLimbs limbs;

 private:
    int add(const std::string& name, int parent, Field field, const Ball& ball = {}) {
        limbs.push_back({name, parent, std::move(field), ball});
        return int(limbs.size()) - 1;
    }
    int add(const std::string& name, int parent, const Chain& chain) {
        return add(name, parent, along(chain), ball_of(chain));
    }
    // A limb of several domains, equally long in the parameter of the path. Returns the last.
    int chain(const std::string& name, int parent, int count, const Chain& rough) {
        constexpr int kSteps = 12;
        const Chain fine = smooth(rough, kSteps);
        const auto last = fine.size() - 1;
        for (int k = 0; k < count; ++k) {
            const auto from = std::size_t(k) * last / std::size_t(count);
            const auto to = std::size_t(k + 1) * last / std::size_t(count);
            parent = add(fmt::format("{}{}", name, k + 1), parent,
                         Chain({fine.begin() + std::ptrdiff_t(from), fine.begin() + std::ptrdiff_t(to) + 1}));
        }
        return parent;
    }
    void leg(const std::string& name, int parent, const std::array<Vector3d, 4>& joints) {
        const int thigh = add(name + "_thigh", parent, Chain({{joints[0], 0.062}, {joints[1], 0.042}}));
        const int shin = add(name + "_shin", thigh, Chain({{joints[1], 0.038}, {joints[2], 0.028}}));
        add(name + "_foot", shin, Chain({{joints[2], 0.030}, {joints[3], 0.032}}));
    }
};

}  // namespace

build::SurfaceMesh dragon() {
    const Field body = joined(Dragon().limbs, 0.045);
    const Eigen::AlignedBox3d box(Vector3d(-1.13, -0.80, -0.04), Vector3d(0.78, 0.80, 1.02));
    return isosurface(body, box, 0.0105);
}

SampleCut dragon_cut() {
    const TreeLimbs all = Dragon().limbs;
    return {names_of(all),
            [all](const build::VolumeMesh& mesh) { return labels_of(all, mesh); },
            {},
            {build::DomainRanks::Kind::Logarithmic, 454}};
}

}  // namespace limber::models
