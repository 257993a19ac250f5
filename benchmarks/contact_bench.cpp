// SPDX-License-Identifier: Apache-2.0
// Detection of contacts on the bridge, 55k triangles with a smooth basis of r = 15, against a ball: far away,
// near, touching; the same rigid. Building its tree.
#include "benchmarks/report.h"
#include "models/models.h"

#include <limber/contact/detect.h>
#include <limber/model/surface_tree.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace limber::bench::contact_bench {
namespace {

using Eigen::Vector3d;
constexpr int kRank = 15;

// Waves along the body: times depend on how alike neighbours move, not on what the modes are exactly.
std::shared_ptr<const Model> bridge_model() {
    const build::SurfaceMesh mesh = models::bridge();
    auto model = std::make_shared<Model>();
    ModelSurface& surface = model->surface;
    surface.vertices = mesh.vertices;
    surface.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
    surface.basis.resize(static_cast<Eigen::Index>(3 * surface.vertices.size()), kRank);
    Eigen::AlignedBox3d box;
    for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
        surface.input_vertex.push_back(static_cast<std::int32_t>(v));
        box.extend(surface.vertices[v]);
    }
    Eigen::Index longest;
    box.sizes().maxCoeff(&longest);
    for (int i = 0; i < kRank; ++i)
        for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
            const double s = (surface.vertices[v][longest] - box.min()[longest]) / box.sizes()[longest];
            surface.basis.col(i).segment<3>(static_cast<Eigen::Index>(3 * v)) =
                std::sin(3.14159 * (1 + i / 3) * s) * Vector3d::Unit((i + 2) % 3);
        }
    model->rank = kRank;
    surface.tree_order = order_triangles(surface);
    return model;
}

// Straight above the highest vertex near the middle, as far as the radius says; the ball has 2% of the
// bridge's radius.
struct BallAboveBridge {
    std::shared_ptr<const ContactSurface> surface;
    std::vector<double> q;
    SurfaceMoment moment;
    Shape ball;
    ObstacleMoment obstacle;
    DetectOptions options;

    BallAboveBridge(SurfaceMotion motion, double deformation, double height) {
        static const std::shared_ptr<const Model> model = bridge_model();
        surface = share_contact_surface(model, motion).value();
        const double size = surface->rest_radius;
        q.resize(static_cast<std::size_t>(surface->modes()));
        for (std::size_t i = 0; i < q.size(); ++i)
            q[i] = deformation * size / static_cast<double>(1 + i) * (i % 2 ? 1 : -1);
        moment.surface = surface.get();
        moment.now.q = moment.start.q = q;
        Vector3d middle = Vector3d::Zero();
        for (const Vector3d& x : surface->rest)
            middle += x / static_cast<double>(surface->rest.size());
        std::int32_t top = -1;
        for (std::int32_t v = 0; v < surface->vertices(); ++v) {
            const Vector3d& x = surface->rest[static_cast<std::size_t>(v)];
            if (std::hypot(x.x() - middle.x(), x.y() - middle.y()) < 0.1 * size &&
                (top < 0 || x.z() > surface->rest[static_cast<std::size_t>(top)].z()))
                top = v;
        }
        ball = SphereShape{0.02 * size};
        obstacle.shape = &ball;
        obstacle.now.position = deformed(*surface, moment.now, top) + Vector3d(0, 0, height * size);
        obstacle.start = obstacle.now;
        options.margin = 1e-4 * size;
    }
    BallAboveBridge(const BallAboveBridge&) = delete;
    BallAboveBridge& operator=(const BallAboveBridge&) = delete;
};

void detect_ball(benchmark::State& state, SurfaceMotion motion, double deformation, double height) {
    const BallAboveBridge scene(motion, deformation, height);
    DetectWork work;
    std::vector<ContactPoint> out;
    DetectReport report;
    for (auto _ : state)
        report = detect({&scene.moment, 1}, {&scene.obstacle, 1}, scene.options, work, out);
    state.counters["nodes"] = static_cast<double>(report.nodes);
    state.counters["contacts"] = static_cast<double>(report.contacts);
}

// Two bridges, one across the other, their decks in each other.
void detect_bridges(benchmark::State& state) {
    const BallAboveBridge scene(SurfaceMotion::Reduced, 0.02, 0);
    std::vector<SurfaceMoment> moments(2, scene.moment);
    moments[1].id = 1;
    moments[1].now.pose.position = moments[1].start.pose.position = Vector3d(0, 0, 0.5);  // m: deck on deck
    moments[1].now.pose.orientation = moments[1].start.pose.orientation = exp_rotation({0, 0, 1});
    DetectWork work;
    std::vector<ContactPoint> out;
    DetectReport report;
    for (auto _ : state)
        report = detect(moments, {}, scene.options, work, out);
    state.counters["nodes"] = static_cast<double>(report.nodes);
    state.counters["contacts"] = static_cast<double>(report.contacts);
}

void build_tree(benchmark::State& state) {
    const std::shared_ptr<const Model> model = bridge_model();
    for (auto _ : state)
        benchmark::DoNotOptimize(order_triangles(model->surface));
    state.counters["triangles"] = static_cast<double>(model->surface.triangles.size());
}

void bound_tree(benchmark::State& state) {
    const std::shared_ptr<const Model> model = bridge_model();
    for (auto _ : state)
        benchmark::DoNotOptimize(share_contact_surface(model, SurfaceMotion::Reduced));
}

[[maybe_unused]] const bool registered = [] {
    const auto micro = [](const std::string& metric, auto function) {
        add("contact", metric, {}, function)->Unit(benchmark::kMicrosecond);
    };
    struct Moved {
        const char* name;
        SurfaceMotion motion;
        double deformation;
    };
    for (const Moved& moved : {Moved{"rigid", SurfaceMotion::Rigid, 0},
                               {"rest", SurfaceMotion::Reduced, 0},
                               {"deformed", SurfaceMotion::Reduced, 0.02}})
        for (const auto& [name, height] :
             {std::pair{"root_miss", 3.0}, {"near_miss", 0.03}, {"touch", 0.0195}})
            micro(std::string("ball_") + name + "_" + moved.name,
                  [moved, height = height](benchmark::State& state) {
                      detect_ball(state, moved.motion, moved.deformation, height);
                  });
    micro("two_bridges", detect_bridges);
    add("contact", "order_of_tree", {}, build_tree)->Unit(benchmark::kMillisecond);
    add("contact", "bounds_of_tree", {}, bound_tree)->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
}  // namespace limber::bench::contact_bench
