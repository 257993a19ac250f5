// SPDX-License-Identifier: Apache-2.0
// Drags whose targets are shapes of the body: the constrained vertices of a random shape q*(s), which begins
// at rest and moves them by at most 5% of the size of the body a frame.
#pragma once
#include <limber/warp/warp_body.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace limber::test {

inline constexpr double kMostTravel = 0.05;  // of the size, a frame

class FeasibleDrag {
 public:
    // Every mode swings with a random frequency, with at most the elastic energy with which the softest mode
    // rotates some vertex by `angle`, rad. size: of the body, m.
    FeasibleDrag(std::shared_ptr<const SharedWarp> shared, double size, double angle, unsigned seed)
        : size_(size), shape_(make_warp_body(std::move(shared)).value()), engine_(seed) {
        const WarpModel& m = shape_.model();
        double least = 1e300;
        for (Eigen::Index i = 0; i < m.modes(); ++i) {
            double most = 0;
            for (Eigen::Index v = 0; v < m.vertices(); ++v)
                most = std::max(most, m.surface_rotations.block<3, 1>(3 * v, i).norm());
            least = std::min(least, m.eigenvalues[i] / (most * most));
        }
        amplitude_.resize(m.modes());
        frequency_.resize(m.modes());
        for (Eigen::Index i = 0; i < m.modes(); ++i) {
            amplitude_[i] = angle * uniform(-1, 1) * std::sqrt(least / m.eigenvalues[i]);
            frequency_[i] = uniform(0.3, 1);
        }
    }

    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }

    // Different vertices that move, drawn from all; targets at rest.
    Constraints constraints(int positions, int orientations) {
        const WarpModel& m = shape_.model();
        const double most = m.surface_modes.cwiseAbs().maxCoeff();
        std::vector<int> vertices;
        while (int(vertices.size()) < positions + orientations) {
            const int v = std::uniform_int_distribution<int>(0, int(m.vertices()) - 1)(engine_);
            if (m.surface_modes.middleRows<3>(3 * v).cwiseAbs().maxCoeff() < 0.1 * most ||
                std::find(vertices.begin(), vertices.end(), v) != vertices.end())
                continue;
            vertices.push_back(v);
        }
        Constraints out{.positions_by = PositionMethod::Newton};
        for (int i = 0; i < positions + orientations; ++i)
            if (i < positions)
                out.positions.push_back({vertices[std::size_t(i)], Eigen::Vector3d::Zero()});
            else
                out.orientations.push_back({vertices[std::size_t(i)], Eigen::Quaterniond::Identity()});
        return out;
    }

    // Sets the targets of the next frame.
    void move(Constraints& constraints) {
        const Constraints before = constraints;
        for (double ds = 0.2;; ds /= 2) {
            const Eigen::VectorXd q = (amplitude_.array() * (frequency_.array() * (s_ + ds)).sin()).matrix();
            if (!shape_.set_state({0, q, Eigen::VectorXd::Zero(q.size())}).ok()) return;
            double travel = 0;
            for (std::size_t i = 0; i < before.positions.size(); ++i) {
                PositionConstraint& c = constraints.positions[i];
                c.displacement = shape_.displacement(c.vertex);
                travel = std::max(travel, (c.displacement - before.positions[i].displacement).norm());
            }
            for (OrientationConstraint& c : constraints.orientations) {
                const Eigen::Vector3d w = shape_.rotation(c.vertex);
                c.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(w.norm(), w.stableNormalized()));
            }
            if (travel > kMostTravel * size_) continue;
            s_ += ds;
            return;
        }
    }

 private:
    double size_, s_ = 0;
    WarpBody shape_;
    std::mt19937 engine_;
    Eigen::VectorXd amplitude_, frequency_;
};

}  // namespace limber::test
