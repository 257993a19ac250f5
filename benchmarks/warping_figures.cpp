// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/warping_figures.h"

#include "build/basis/make_warp_model.h"
#include "build/fem/dynamics.h"
#include "build/fem/statics.h"
#include "build/mesh/element_measure.h"
#include "models/models.h"

#include <limber/warp/rotation.h>
#include <limber/warp/warp_body.h>

#include <cmath>
#include <stdexcept>
#include <tuple>

namespace limber::bench {
namespace {

using build::FemModel;
using build::SparseMatrix;
using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kPush = 0.1;  // s, how long gravity acts before the bar swings freely

Vector3d down(double gravity) {
    return {0, 0, -gravity};
}

// ∫ρ|u|² over the body: the L2 norm of a field in a body of one density, but for a factor.
double squared_norm(const PaperBar& bar, const VectorXd& u) {
    return u.dot(bar.mass * u);
}

double volume(const build::VolumeMesh& mesh) {
    double sum = 0;
    for (const build::Tet& tet : mesh.tets)
        sum += build::measure(mesh, tet).volume;
    return sum;
}

double volume_change(const FemModel& model, const VectorXd& u) {
    build::VolumeMesh bent = model.mesh();
    for (std::size_t v = 0; v < bent.vertices.size(); ++v)
        bent.vertices[v] += u.segment<3>(3 * Index(v));
    return volume(bent) / volume(model.mesh()) - 1;
}

WarpBody body_of(const PaperBar& bar, const WarpSettings& settings) {
    Result<WarpBody> made = make_warp_body(bar.warp, settings);
    if (!made.ok()) throw std::runtime_error(made.error().problem);
    return std::move(made).value();
}

VectorXd displacement(const WarpBody& body) {
    VectorXd u(3 * body.model().vertices());
    for (int v = 0; v < int(body.model().vertices()); ++v)
        u.segment<3>(3 * v) = body.displacement(v);
    return u;
}

// Where a strongly damped body comes to rest: forces turn with the shape, so it must be found step by step.
VectorXd rest_shape(const PaperBar& bar, Warping warping, double gravity) {
    WarpBody body = body_of(bar, {.warping = warping, .alpha = 5, .gravity = down(gravity)});
    for (int step = 0; step < 20000; ++step) {
        const VectorXd before = body.state().q;
        body.step(0.1);
        if ((body.state().q - before).norm() <= 1e-13 * before.norm()) return displacement(body);
    }
    throw std::runtime_error("the bar of modes does not come to rest");
}

Shape shape(const PaperBar& bar, VectorXd u, const VectorXd& exact) {
    const double error = std::sqrt(squared_norm(bar, u - exact) / squared_norm(bar, exact));
    const double change = volume_change(bar.model, u);
    return {std::move(u), change, error};
}

double mean_length(const VectorXd& u) {
    return u.reshaped(3, u.size() / 3).colwise().norm().mean();
}

}  // namespace

PaperBar paper_bar(std::array<int, 3> nodes, int modes) {
    build::VolumeMesh mesh =
        models::bar({nodes[0] - 1, nodes[1] - 1, nodes[2] - 1}, {1, 0.2, 0.2}, models::BarElements::Tets);
    std::vector<int> clamped;
    build::SurfaceMesh all;
    all.vertices = mesh.vertices;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v].x() < 1e-9) clamped.push_back(int(v));
    const Material rubber{.young = 1e6, .poisson = 0.3, .density = 1000};
    FemModel model(std::move(mesh), {{{"default", rubber}}, {}}, clamped);
    const build::ModesResult found = build::solve_modes(model, {.count = modes});
    WarpModel warp = build::make_warp_model(model, found, build::MassKind::Consistent, all);
    // Of the bar without its clamp: then all nodes have rows, in the order of the mesh.
    const FemModel loose(model.mesh(), model.materials(), {});
    const SparseMatrix lower = build::mass_matrix(loose, build::MassKind::Consistent);
    SparseMatrix mass = lower.selfadjointView<Eigen::Lower>();
    return {nodes, std::move(model), std::move(mass), std::make_shared<WarpModel>(std::move(warp))};
}

std::vector<Balance> balances(const PaperBar& bar, const std::vector<double>& gravities) {
    std::vector<Balance> out;
    VectorXd start;
    for (const double gravity : gravities) {
        const build::StaticResult exact = build::solve_static(
            bar.model, build::gravity_force(bar.model, down(gravity)), {.tolerance = 1e-10}, start);
        if (!exact.converged) throw std::runtime_error("nonlinear statics: " + exact.problem);
        start = exact.u;
        out.push_back({gravity, shape(bar, rest_shape(bar, Warping::Linear, gravity), exact.u),
                       shape(bar, rest_shape(bar, Warping::Local, gravity), exact.u),
                       shape(bar, rest_shape(bar, Warping::Warped, gravity), exact.u),
                       shape(bar, exact.u, exact.u)});
    }
    return out;
}

Vibration vibration(const PaperBar& bar, double gravity, const VibrationOptions& options) {
    const double dt = options.dt;
    const int pushed = int(std::lround(kPush / dt)), steps = int(std::lround(options.duration / dt));
    const auto settings = [&](Warping warping, double now) {
        return WarpSettings{.warping = warping, .step = options.step, .gravity = down(now)};
    };
    Vibration out{.gravity = gravity};
    struct Swing {
        Warping warping;
        WarpBody body;
        std::vector<double>& mean;
        double& error;
        double miss = 0;
    };
    std::vector<Swing> swings;
    for (const auto& [warping, mean, error] : {std::tuple(Warping::Linear, &out.linear, &out.linear_error),
                                               std::tuple(Warping::Local, &out.local, &out.local_error),
                                               std::tuple(Warping::Warped, &out.warped, &out.warped_error)})
        swings.push_back({warping, body_of(bar, settings(warping, gravity)), *mean, *error});
    build::DynamicSolver solver(bar.model, {.dt = dt});
    const VectorXd weight = build::gravity_force(bar.model, down(gravity));
    const VectorXd nothing = VectorXd::Zero(weight.size());
    build::FullState full = solver.start(nothing, nothing, weight);

    double size = 0;
    for (int step = 1; step <= steps; ++step) {
        if (!solver.step(full, step <= pushed ? weight : nothing).converged)
            throw std::runtime_error("nonlinear dynamics did not converge; try a smaller step");
        if (step == pushed)
            full = solver.start(full.u, full.v, nothing);  // the accelerations jump as gravity ends
        out.time.push_back(step * dt);
        out.nonlinear.push_back(mean_length(full.u));
        size += squared_norm(bar, full.u);
        for (Swing& swing : swings) {
            swing.body.step(dt);
            if (step == pushed)
                if (const Status set = swing.body.set(settings(swing.warping, 0)); !set.ok())
                    throw std::runtime_error(set.error().problem);
            const VectorXd u = displacement(swing.body);
            swing.mean.push_back(mean_length(u));
            swing.miss += squared_norm(bar, u - full.u);
        }
    }
    for (Swing& swing : swings)
        swing.error = std::sqrt(swing.miss / size);
    return out;
}

CommutationError commutation_error(const PaperBar& bar, double tip_angle) {
    const WarpModel& warp = *bar.warp;
    const Index n = bar.model.vertex_count();
    const VectorXd bend = warp.surface_rotations.col(0);
    // The node that turns most is at the tip.
    const VectorXd w = bend * (tip_angle / std::sqrt(bend.reshaped(3, n).colwise().squaredNorm().maxCoeff()));
    std::vector<Eigen::Triplet<double>> turned;
    for (Index i = 0; i < n; ++i) {
        const Eigen::Matrix3d R = rotation_matrix(w.segment<3>(3 * i));
        for (Index a = 0; a < 3; ++a)
            for (Index b = 0; b < 3; ++b)
                turned.emplace_back(int(3 * i + b), int(3 * i + a), R(a, b));
    }
    SparseMatrix Rt(3 * n, 3 * n);
    Rt.setFromTriplets(turned.begin(), turned.end());
    const SparseMatrix D = SparseMatrix(Rt * bar.mass) - SparseMatrix(bar.mass * Rt);

    // The largest singular value by the power method on DᵀD.
    VectorXd x = VectorXd::LinSpaced(3 * n, 1, 2).array().sin();
    double spectral = 0;
    for (int pass = 0; pass < 2000; ++pass) {
        x.normalize();
        x = D.transpose() * (D * x).eval();
        const double now = std::sqrt(x.norm());
        if (std::abs(now - spectral) <= 1e-9 * now) break;
        spectral = now;
    }
    const double total = build::total_mass(bar.model);
    return {spectral / total, D.norm() / total};
}

}  // namespace limber::bench
