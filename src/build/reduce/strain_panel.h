// SPDX-License-Identifier: Apache-2.0
// The strain of a basis at a few hundred quadrature points: the rows b and A of docs/math/reduced_stvk.md
// (4).
#pragma once
#include "build/fem/element_blocks.h"

#include <Eigen/Core>

#include <array>
#include <vector>

namespace limber::build {

// Points of a panel: enough for the rank-k update to run at full speed, few enough to stay in the caches.
inline constexpr int kPanelPoints = 128;

class StrainPanel {
 public:
    // U: 3n x r, must outlive the panel.
    explicit StrainPanel(const Eigen::MatrixXd& U);

    void clear();
    bool has_room_for(int points) const { return points_ + points <= kPanelPoints; }
    int points() const { return points_; }

    // The element at place 4·group + lane of `blocks`; `weight`: the volume of the tet, m^3.
    void add_tet(const ElementBlocks& blocks, int place, double weight);
    void add_brick(const ElementBlocks& blocks, int place);
    void add_pressure_brick(const ElementBlocks& blocks, int place);  // one point

    // Fills trace() and deviator() for the elements that were added; in parallel.
    void evaluate();

    // Rows are scaled by √w; the first points(), or 5 points(), count.
    const Eigen::MatrixXd& trace() const { return trace_; }        // b: kPanelPoints x m
    const Eigen::MatrixXd& deviator() const { return deviator_; }  // √2 A: 5 kPanelPoints x m

 private:
    struct Element {
        const BrickPoint* points;
        int point_count, first_point, vertex_count;
        std::array<int, 8> vertex;
        double filled;  // factor of the weights, as in the full model
    };
    void add(const BrickGroup& group, int lane, const BrickPoint* points, int point_count);
    void gradients_of(Eigen::Index column);
    void strains_from(Eigen::Index column);

    const Eigen::MatrixXd& U_;
    std::vector<Element> elements_;
    std::vector<BrickPoint> tet_points_;  // rest gradients of the panel's tets; four vertices of eight
    int points_ = 0;
    Eigen::ArrayXd root_weight_;
    Eigen::ArrayXXd gradients_;  // kPanelPoints x 9r: entry (k, l) of G_i in column 9i + 3k + l
    Eigen::MatrixXd trace_, deviator_;
};

}  // namespace limber::build
