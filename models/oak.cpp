// SPDX-License-Identifier: Apache-2.0
// Oaks of five kinds of branches and one leaf, grown by rule: every branch carries thinner ones in its upper
// part, and leaves. Lengths in m, z up, the trunk's foot at the origin.
#include "models/swept.h"
#include "models/trees.h"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace limber::models {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// A branch at scale 1, along z and bent towards +x.
struct Kind {
    const char* name;
    double length, foot, tip;  // m; radii at both ends
    double bend;               // how far the tip is from the axis, over the length
    int across, along;         // bricks
    build::Material material;
};

// Green wood, softened so that a breeze is seen: the thinner, the softer.
const std::array<Kind, 5> kKinds = {{
    {"trunk", 3.0, 0.34, 0.15, 0.04, 4, 16, {.young = 4e8, .poisson = 0.3, .density = 800}},
    {"limb", 2.5, 0.12, 0.045, 0.22, 3, 14, {.young = 3e8, .poisson = 0.3, .density = 800}},
    {"branch", 1.7, 0.055, 0.022, 0.18, 3, 12, {.young = 3e8, .poisson = 0.3, .density = 800}},
    {"twig", 1.1, 0.028, 0.012, 0.14, 2, 12, {.young = 3e8, .poisson = 0.3, .density = 800}},
    {"sprig", 0.8, 0.018, 0.008, 0.12, 2, 10, {.young = 3e8, .poisson = 0.3, .density = 800}},
}};
constexpr int kLeaf = 5;  // the part after the branches

// t: 0 at the foot, 1 at the tip.
Vector3d axis_at(const Kind& kind, double t) {
    const double wave = 0.02 * std::sin(5 * t) * (1 - t);
    return kind.length * Vector3d(kind.bend * t * t, wave, t);
}
double radius_at(const Kind& kind, double t) {
    const double flare = kind.across == 4 ? 0.35 * std::exp(-14 * t) : 0;  // the foot of the trunk
    return (kind.foot + (kind.tip - kind.foot) * std::pow(t, 0.8)) * (1 + flare);
}

SamplePart part_of(const Kind& kind) {
    std::vector<Vector3d> path;
    std::vector<double> radii;
    for (int s = 0; s <= kind.along; ++s) {
        const double t = double(s) / kind.along;
        path.push_back(axis_at(kind, t));
        radii.push_back(radius_at(kind, t));
    }
    SamplePart out;
    out.name = kind.name;
    out.mesh = swept_round(path, radii, kind.across);
    out.fix = fmt::format("z < {}", 0.25 * kind.length / kind.along);
    out.material = kind.material;
    return out;
}

// A lobed leaf 0.36 m long on a short stalk, bent a little.
SamplePart leaf() {
    constexpr int kAlong = 12;
    std::vector<Vector3d> path;
    std::vector<double> half_widths;
    for (int s = 0; s <= kAlong; ++s) {
        const double t = double(s) / kAlong;
        path.emplace_back(0, -0.05 * t * t, 0.36 * t);
        const double blade = std::clamp((t - 0.12) / 0.88, 0.0, 1.0);
        const double outline = std::pow(std::sin(std::numbers::pi * std::pow(blade, 0.85)), 0.7);
        const double lobes = 1 + 0.30 * std::cos(2 * std::numbers::pi * 3.5 * blade + 0.6);
        half_widths.push_back(0.007 + 0.085 * outline * lobes * (0.6 + 0.4 * blade));
    }
    SamplePart out;
    out.name = "leaf";
    out.mesh = swept_sheet(path, half_widths, 0.006, 2, 0.25);
    out.fix = "z < 0.01";
    out.material = {.young = 4e6, .poisson = 0.3, .density = 400};
    out.modes = 4;
    out.rank = 8;
    return out;
}

// Deterministic on every machine: of the engine only its bits.
class Chance {
 public:
    double operator()(double from, double to) {
        return from + (to - from) * double(engine_()) / double(std::mt19937::max());
    }

 private:
    std::mt19937 engine_{7};
};

struct Plan {
    std::array<int, 4> children;  // on each trunk, limb, branch, twig
    int branches;                 // at most so many in all
    int leaves;
    std::array<double, 3> leaf_scale;  // on limbs and branches, twigs, sprigs: 1 is 0.36 m
};

// Where a branch stands, to turn children towards the light.
struct Stand {
    int instance;  // -1: the root
    int kind;
    Quaterniond turned;  // to the world
    double scale;        // in the world
};

// Turned so that z lies along `direction` and x as far up as it can.
Quaterniond grown(const Vector3d& direction) {
    const Vector3d z = direction.normalized();
    Vector3d x = Vector3d::UnitZ() - z * z.z();
    x = x.norm() < 1e-3 ? z.unitOrthogonal() : Vector3d(x.normalized());
    Eigen::Matrix3d R;
    R << x, z.cross(x), z;
    return Quaterniond(R);
}

class Grower {
 public:
    explicit Grower(const Plan& plan) : plan_(plan) {
        for (const Kind& kind : kKinds)
            tree_.parts.push_back(part_of(kind));
        tree_.parts.push_back(leaf());
        // The limbs stand on the top of the trunk: its attachment modes let it bend and twist there.
        tree_.parts[0].rank = 14;
        tree_.parts[0].interfaces = {fmt::format("crown: z > {}", 0.8 * kKinds[0].length)};
    }

    SampleTree grow() {
        stands_.push_back({-1, 0, Quaterniond::Identity(), 1});
        for (std::size_t at = 0; at < stands_.size(); ++at) {
            const Stand from = stands_[at];
            if (from.kind < 4)
                for (int k = 0; k < plan_.children[std::size_t(from.kind)]; ++k)
                    if (int(stands_.size()) < plan_.branches) branch(from, k);
        }
        // Leaves in turn on all but the trunk.
        const int carriers = int(stands_.size()) - 1;
        for (int c = 0; c < carriers; ++c) {
            const int count = (c + 1) * plan_.leaves / carriers - c * plan_.leaves / carriers;
            for (int k = 0; k < count; ++k)
                add_leaf(stands_[std::size_t(c) + 1], k, count);
        }
        return std::move(tree_);
    }

 private:
    static constexpr double kGolden = 2.399963;  // rad, the golden angle

    void branch(const Stand& from, int k) {
        const Kind& kind = kKinds[std::size_t(from.kind)];
        const int count = plan_.children[std::size_t(from.kind)];
        const double t =
            from.kind == 0 ? 0.82 + 0.16 * (k + 0.5) / count : 0.35 + 0.6 * (k + chance_(0.3, 0.7)) / count;
        const double round = kGolden * k + (from.kind == 0 ? 0 : chance_(0, 6.28));
        // The last one of a branch goes on where it ends; the others stand off it.
        const double off = from.kind == 0 ? (k == 0 ? 0.15 : chance_(0.75, 1.15)) : chance_(0.6, 0.95);
        const Vector3d out(std::cos(round), std::sin(round), 0);
        Vector3d direction = from.turned * (std::sin(off) * out + std::cos(off) * Vector3d::UnitZ());
        direction.z() = std::max(direction.z(), -0.05) + 0.15;
        place(from, from.kind + 1, axis_at(kind, t) + 0.3 * radius_at(kind, t) * out, direction,
              chance_(0.85, 1.1), from.kind == 0 ? "crown" : "");
    }

    void place(const Stand& from, int part, const Vector3d& position, const Vector3d& direction, double scale,
               const std::string& interface) {
        const Quaterniond turned = grown(direction);
        build::AssemblyInstance made;
        const std::string& name = tree_.parts[std::size_t(part)].name;
        made.name = fmt::format("{}{}", name, ++numbers_[std::size_t(part)]);
        made.part = part;
        made.parent = from.instance;
        made.interface = interface;
        made.position = position;
        made.rotation = (from.turned.conjugate() * turned).normalized();
        made.scale = scale / from.scale;
        tree_.instances.push_back(std::move(made));
        if (part != kLeaf) stands_.push_back({int(tree_.instances.size()) - 1, part, turned, scale});
    }

    void add_leaf(const Stand& from, int k, int count) {
        const Kind& kind = kKinds[std::size_t(from.kind)];
        const double t = (from.kind == 1 ? 0.5 : 0.25) + (from.kind == 1 ? 0.5 : 0.75) * (k + 0.5) / count;
        const Vector3d out(std::cos(kGolden * k), std::sin(kGolden * k), 0);
        const double off = chance_(0.5, 1.3) * (1.2 - 0.7 * t);
        Vector3d direction = from.turned * (std::sin(off) * out + std::cos(off) * Vector3d::UnitZ());
        direction += Vector3d(chance_(-0.3, 0.3), chance_(-0.3, 0.3), chance_(-0.4, 0.2));
        place(from, kLeaf, axis_at(kind, t) + 0.9 * radius_at(kind, t) * out, direction,
              chance_(0.8, 1.2) * plan_.leaf_scale[std::size_t(std::clamp(from.kind - 2, 0, 2))], "");
    }

    const Plan plan_;
    Chance chance_;
    SampleTree tree_;
    std::vector<Stand> stands_;
    std::array<int, 6> numbers_{};
};

}  // namespace

SampleTree oak() {
    return Grower({{7, 2, 1, 1}, 41, 1394, {1.1, 1.0, 0.9}}).grow();
}

SampleTree great_oak() {
    return Grower({{8, 5, 4, 3}, 681, 19319, {0.5, 0.45, 0.4}}).grow();
}

}  // namespace limber::models
