// SPDX-License-Identifier: Apache-2.0
// A tree in gusts of wind, pulled at one place after another.   usage: limber_tree_soak MODEL STEPS [SEED]
// MODEL is a built-in tree (oak). Steps of 1/60 s; 36,000 are ten minutes. Checks of every step:
//   finite      every coordinate and velocity
//   bounded     no vertex of ten farther from its place at rest than the tree is long
//   made        no step is refused
// and in the end:
//   calm        a minute after wind and pulls have ended the tree is where it was at rest, within 1e-4 of its
//   length flat        no more memory than after the first tenth, but for 4 MB warm        steps before which
//   nothing happened allocate nothing in the second half
#include "build/recipe/recipe.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/soak/resident.h"

#include <limber/world/world.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

namespace limber::soak {
namespace {

using Eigen::Vector3d;

constexpr double kStep = 1.0 / 60;  // s
constexpr long long kCalm = 3600;   // steps
constexpr double kMoreMemory = 4;   // MB

std::shared_ptr<const Model> model_of(const std::string& name) {
    build::Recipe recipe;
    const build::BuildInput input = build::open_input(name, recipe);
    return build::build_model(input, recipe).model;
}

class Puller {
 public:
    Puller(World& world, BodyId tree, unsigned seed) : world_(world), tree_(tree), engine_(seed) {}

    // Every two seconds: at another vertex, or lets go. Returns what happened, or nothing.
    const char* act(long long step) {
        if (step % 120 != 0) return "";
        SetSprings springs{tree_, {}};
        const WorldBody& body = *world_.body(tree_);
        const bool pulls = step / 120 % 3 != 2;
        if (pulls) {
            const auto vertex = int(engine_() % body.model()->surface.vertices.size());
            const Vector3d away(uniform(), uniform(), uniform());
            const double stiffness = body.suggest_pull_stiffness(vertex, kStep).value();
            springs.springs.push_back({vertex, body.position(vertex) + 0.5 * away, stiffness});
        }
        if (!world_.apply(springs).ok()) std::abort();
        return pulls ? "a pull" : "let go";
    }

 private:
    double uniform() { return 2 * double(engine_()) / double(std::mt19937::max()) - 1; }
    World& world_;
    BodyId tree_;
    std::mt19937 engine_;
};

int failed(const std::string& what) {
    fmt::print("FAILED: {}\n", what);
    return 1;
}

int play(const std::string& name, long long steps, unsigned seed) {
    const auto model = model_of(name);
    World world({.gravity = Vector3d::Zero()});
    // 4% of critical damping at the first frequency, as the page has it.
    BodyDef def{.name = "tree", .model = model, .method = Method::Domains};
    DomainsSettings settings;
    settings.beta = 0.04 / (std::numbers::pi * model->frequencies_hz[0]);
    def.settings = settings;
    const BodyId id = world.add(def).value();
    if (!world.apply(SetWind{WindSettings{.velocity = Vector3d(8, 0, 0), .gusts = 0.4, .seed = int(seed)}})
             .ok())
        return failed("no wind");
    const std::size_t vertices = model->surface.vertices.size();
    std::array<int, 10> seen{};
    for (std::size_t k = 0; k < seen.size(); ++k)
        seen[k] = int(k * (vertices - 1) / (seen.size() - 1));
    Vector3d low = model->surface.vertices[0], high = low;
    for (const Vector3d& x : model->surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    const double length = (high - low).norm();
    const auto farthest = [&](const WorldBody& body) {
        double out = 0;
        for (const int v : seen)
            out = std::max(out, body.displacement(v).norm());
        return out;
    };

    Puller puller(world, id, seed);
    double memory_before = 0, slowest = 0, most = 0, stepping = 0;
    long long iterations = 0, warm = 0, allocating = 0;
    for (long long i = 0; i < steps + kCalm; ++i) {
        const char* happened = i < steps ? puller.act(i) : "";
        if (i == steps && !(world.apply(SetSprings{id, {}}).ok() && world.apply(SetWind{}).ok()))
            return failed("the wind does not end");
        const long before = test::allocations_so_far();
        const auto began = std::chrono::steady_clock::now();
        const WorldReport& report = world.step(kStep);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        stepping += seconds;
        slowest = std::max(slowest, seconds);
        if (!*happened && 2 * i > steps && i != steps) {
            ++warm;
            if (test::allocations_so_far() != before) ++allocating;
        }
        const WorldBody& body = *world.body(id);
        iterations += body.report().iterations;
        if (report.not_converged > 0) return failed(fmt::format("step {} was refused", i));
        if (!body.q().allFinite() || !body.v().allFinite())
            return failed(fmt::format("step {}: not finite", i));
        const double far = farthest(body);
        most = std::max(most, far);
        if (!(far <= length)) return failed(fmt::format("step {}: a vertex is {} m away", i, far));
        if (i == steps / 10) memory_before = resident_memory();
        if ((i + 1) % 3600 == 0) {
            fmt::print(
                "{} s: {:.2f} ms per step, slowest {:.1f} ms, {:.2f} iterations, farthest {:.3f} m "
                "(now {:.2e} m), elastic {:.3g} J, {:.1f} MB\n",
                (i + 1) / 60, 1e3 * stepping / double(i + 1), 1e3 * slowest,
                double(iterations) / double(i + 1), most, far, body.elastic_energy(), resident_memory());
            std::fflush(stdout);
        }
    }
    const double left = farthest(*world.body(id)), memory = resident_memory();
    fmt::print("{} of {} warm steps allocated; memory {:.1f} MB, then {:.1f} MB; {:.2e} m from rest\n",
               allocating, warm, memory_before, memory, left);
    if (allocating > 0) return failed("warm steps allocate");
    if (memory > memory_before + kMoreMemory) return failed("the memory grew");
    if (!(left <= 1e-4 * length)) return failed("the tree does not come back");
    return 0;
}

}  // namespace
}  // namespace limber::soak

int main(int argc, char** argv) {
    const long long steps = argc > 2 ? std::atoll(argv[2]) : 0;
    if (steps <= 0) {
        fmt::print(stderr, "usage: limber_tree_soak MODEL STEPS [SEED]\n");
        return 1;
    }
    return limber::soak::play(argv[1], steps, argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1u);
}
