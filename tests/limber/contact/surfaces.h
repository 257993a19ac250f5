// SPDX-License-Identifier: Apache-2.0
// Closed surfaces with smooth and with random bases, for the tests of contact.
#pragma once
#include <limber/contact/detect.h>
#include <limber/model/model.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

namespace limber::test {

// A box about the origin, each face n x n squares of two triangles.
inline ModelSurface box_surface(const Eigen::Vector3d& size, int n) {
    ModelSurface out;
    std::map<std::array<int, 3>, std::int32_t> number;
    const auto vertex = [&](const std::array<int, 3>& p) {
        const auto [at, fresh] = number.try_emplace(p, static_cast<std::int32_t>(out.vertices.size()));
        if (fresh)
            out.vertices.push_back(
                size.cwiseProduct(Eigen::Vector3d(p[0], p[1], p[2]) / n - Eigen::Vector3d::Constant(0.5)));
        return at->second;
    };
    for (int axis = 0; axis < 3; ++axis)
        for (const int side : {0, n})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const auto corner = [&](int a, int b) {
                        std::array<int, 3> p{};
                        p[std::size_t(axis)] = side;
                        p[std::size_t((axis + 1) % 3)] = i + a;
                        p[std::size_t((axis + 2) % 3)] = j + b;
                        return vertex(p);
                    };
                    std::array<std::int32_t, 4> q = {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
                    if (side == 0) std::swap(q[1], q[3]);
                    out.triangles.push_back({q[0], q[1], q[2]});
                    out.triangles.push_back({q[0], q[2], q[3]});
                }
    for (std::size_t v = 0; v < out.vertices.size(); ++v)
        out.input_vertex.push_back(static_cast<std::int32_t>(v));
    return out;
}

// The box blown up to a ball.
inline ModelSurface ball_surface(double radius, int n) {
    ModelSurface out = box_surface({2, 2, 2}, n);
    for (Eigen::Vector3d& x : out.vertices) {
        for (int c = 0; c < 3; ++c)
            x[c] = std::tan(x[c] * std::numbers::pi / 4);  // even triangles
        x = radius * x.normalized();
    }
    return out;
}

// r smooth fields of polynomials in x, of order one where x is.
inline Eigen::MatrixXd smooth_basis(const ModelSurface& surface, int r, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Eigen::MatrixXd out(static_cast<Eigen::Index>(3 * surface.vertices.size()), r);
    for (int i = 0; i < r; ++i) {
        Eigen::Matrix<double, 3, 9> a;
        for (double& x : a.reshaped())
            x = uniform(engine);
        for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
            const Eigen::Vector3d& x = surface.vertices[v];
            Eigen::Matrix<double, 9, 1> terms;
            terms << x, x.cwiseAbs2(), x[0] * x[1], x[1] * x[2], x[2] * x[0];
            out.col(i).segment<3>(static_cast<Eigen::Index>(3 * v)) = a * terms;
        }
    }
    return out;
}

inline std::shared_ptr<Model> rigid_model(ModelSurface surface) {
    auto model = std::make_shared<Model>();
    surface.basis.resize(static_cast<Eigen::Index>(3 * surface.vertices.size()), 0);
    model->surface = std::move(surface);
    model->groups.emplace_back();
    return model;
}
inline std::shared_ptr<Model> soft_model(ModelSurface surface, int r, unsigned seed = 1) {
    surface.basis = smooth_basis(surface, r, seed);
    auto model = std::make_shared<Model>();
    model->surface = std::move(surface);
    model->rank = r;
    model->groups.emplace_back();
    return model;
}
// Modes, rotations and companions are smooth fields that have nothing to do with one another.
inline std::shared_ptr<Model> warp_model(ModelSurface surface, int m, int companions, unsigned seed = 1) {
    auto model = soft_model(std::move(surface), m, seed);
    auto warp = std::make_shared<WarpModel>();
    warp->eigenvalues = Eigen::VectorXd::Ones(m);
    warp->surface_modes = model->surface.basis;
    warp->surface_rotations = 3 * smooth_basis(model->surface, m, seed + 1);
    warp->surface_companions = smooth_basis(model->surface, companions, seed + 2);
    warp->companion_forms = Eigen::MatrixXd::Random(companions, m * (m + 1) / 2);
    model->warp = warp;
    return model;
}

inline std::shared_ptr<const ContactSurface> shared(std::shared_ptr<const Model> model,
                                                    SurfaceMotion motion) {
    return share_contact_surface(std::move(model), motion).value();
}

inline SurfaceMoment at_rest(const ContactSurface& surface, const Pose& pose, std::uint32_t id = 0) {
    SurfaceMoment out;
    out.surface = &surface;
    out.now.pose = out.start.pose = pose;
    out.id = id;
    return out;
}
inline ObstacleMoment standing(const Shape& shape, const Pose& pose = {}, std::uint32_t id = 0) {
    return {&shape, pose, pose, id};
}

inline Pose moved(const Eigen::Vector3d& position,
                  const Eigen::Vector3d& rotation = Eigen::Vector3d::Zero()) {
    return {position, exp_rotation(rotation)};
}

// How much more the gap of a contact changed between two moments than its points moved at most: not above 0,
// as distances do not.
inline double excess_change(const std::vector<ContactPoint>& before, const std::vector<ContactPoint>& after,
                            double moved_at_most) {
    const auto who = [](const ContactPoint& c) {
        return std::make_tuple(c.body_a, c.body_b, c.obstacle, c.key);
    };
    std::map<decltype(who(before[0])), double> gaps;
    for (const ContactPoint& c : before)
        gaps[who(c)] = c.gap;
    double worst = -moved_at_most;
    for (const ContactPoint& c : after)
        if (const auto found = gaps.find(who(c)); found != gaps.end())
            worst = std::max(worst, std::abs(c.gap - found->second) - moved_at_most);
    return worst;
}

}  // namespace limber::test
