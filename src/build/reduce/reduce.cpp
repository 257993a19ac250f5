// SPDX-License-Identifier: Apache-2.0
#include "build/reduce/reduce.h"

#include "build/fem/element_blocks.h"
#include "build/mesh/check.h"
#include "build/reduce/mass_parts.h"
#include "build/reduce/rank_update.h"
#include "build/reduce/strain_panel.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/reduced/strain_form.h>

namespace limber::build {
namespace {

void check_basis(const FemModel& model, const Eigen::MatrixXd& U) {
    if (U.rows() != 3 * model.vertex_count())
        throw InputError{"basis",
                         fmt::format("it has {} rows; the mesh has {} vertices, so {} are needed", U.rows(),
                                     model.vertex_count(), 3 * model.vertex_count()),
                         ""};
    if (U.cols() == 0) throw InputError{"basis", "it has no vectors", "ask for a rank of at least 1"};
    for (Eigen::Index i = 0; i < U.cols(); ++i)
        if (!U.col(i).allFinite())
            throw InputError{"basis", fmt::format("vector {} holds numbers that are not finite", i), ""};
}

// The upper triangle by columns (strain_form.h).
Eigen::VectorXd packed(const Eigen::MatrixXd& W) {
    Eigen::VectorXd out(packed_index(0, W.cols()));
    for (Eigen::Index b = 0; b < W.cols(); ++b)
        out.segment(packed_index(0, b), b + 1) = W.col(b).head(b + 1);
    return out;
}

// Sums W of one group after another, so that one pair of full matrices and one panel serve all.
class StrainSums {
 public:
    StrainSums(const FemModel& model, const Eigen::MatrixXd& U, const Progress& progress)
        : model_(model),
          panel_(U),
          bulk_(strain_terms(U.cols()), strain_terms(U.cols())),
          shear_(bulk_.rows(), bulk_.cols()),
          progress_(progress) {}

    // W = Σ w bᵀb and Σ w 2AᵀA over the points of the group                                        (5)
    void sum(int group, StvkGroup& out) {
        bulk_.setZero();
        shear_.setZero();
        const ElementBlocks& blocks = model_.blocks();
        const VolumeMesh& mesh = model_.mesh();
        const bool selective = model_.quadrature() == BrickQuadrature::Selective;
        if (selective) add_selective_bricks(blocks, group);
        for (std::size_t place = 0; place < blocks.tet_order.size(); ++place) {
            const int tet = blocks.tet_order[place];
            if (model_.materials().group_of_element[std::size_t(tet)] != group) continue;
            if (!panel_.has_room_for(1)) flush();
            panel_.add_tet(blocks, int(place), tet_volume(mesh, mesh.tets[std::size_t(tet)]));
            ++elements_done_;
        }
        if (!selective) add_bricks(blocks, group);
        flush();
        out.bulk = packed(bulk_);
        out.shear = packed(shear_);
    }

 private:
    bool in_group(int brick, int group) const {
        return model_.materials().group_of_element[model_.mesh().tets.size() + std::size_t(brick)] == group;
    }

    void add_bricks(const ElementBlocks& blocks, int group) {
        for (std::size_t place = 0; place < blocks.brick_order.size(); ++place) {
            if (!in_group(blocks.brick_order[place], group)) continue;
            if (!panel_.has_room_for(blocks.points_per_brick)) flush();
            panel_.add_brick(blocks, int(place));
            ++elements_done_;
        }
    }

    // λ/2 tr(Ē)² + μ E:E at the mean and at all points is κ/2 tr(Ē)² + μ (dev E:dev E + (tr(E)² - tr(Ē)²)/3):
    // W of κ takes the mean points, that of μ the others and 2/3 of the difference of both traces.    (5)
    void add_selective_bricks(const ElementBlocks& blocks, int group) {
        add_bricks(blocks, group);
        flush();
        shear_ += 2.0 / 3 * bulk_;
        bulk_.setZero();
        for (std::size_t place = 0; place < blocks.brick_order.size(); ++place) {
            if (!in_group(blocks.brick_order[place], group)) continue;
            if (!panel_.has_room_for(1)) flush_traces();
            panel_.add_pressure_brick(blocks, int(place));
        }
        flush_traces();
        shear_ -= 2.0 / 3 * bulk_;
    }

    void flush_traces() {
        panel_.evaluate();
        add_rank_updates({{panel_.trace(), panel_.points(), bulk_}});
        panel_.clear();
    }

    void flush() {
        panel_.evaluate();
        add_rank_updates(
            {{panel_.deviator(), 5 * panel_.points(), shear_}, {panel_.trace(), panel_.points(), bulk_}});
        panel_.clear();
        tell(progress_, "reduction", double(elements_done_) / double(model_.mesh().element_count()));
    }

    const FemModel& model_;
    StrainPanel panel_;
    Eigen::MatrixXd bulk_, shear_;  // m x m, upper triangles
    std::size_t elements_done_ = 0;
    const Progress& progress_;
};

}  // namespace

std::vector<int> model_group_of(const FemModel& model) {
    std::vector<int> place(model.materials().groups.size(), -1);
    for (const int g : model.materials().group_of_element)
        place[std::size_t(g)] = 0;
    int next = 0;
    for (int& p : place)
        if (p == 0) p = next++;
    return place;
}

std::vector<ModelGroup> model_groups(const FemModel& model) {
    std::vector<ModelGroup> groups;
    const std::vector<int> place = model_group_of(model);
    for (int g = 0; g < int(place.size()); ++g) {
        if (place[std::size_t(g)] < 0) continue;
        ModelGroup& group = groups.emplace_back();
        group.name = model.materials().groups[std::size_t(g)].name;
        group.material = model.materials().groups[std::size_t(g)].material;
        add_inertia(model, g, group);
    }
    return groups;
}

StvkModel reduce(const FemModel& model, const Eigen::MatrixXd& U, MassKind mass, const Progress& progress) {
    check_basis(model, U);
    StvkModel out;
    StrainSums sums(model, U, progress);
    const std::vector<int> place = model_group_of(model);
    for (int g = 0; g < int(place.size()); ++g) {
        if (place[std::size_t(g)] < 0) continue;
        StvkGroup& group = out.groups.emplace_back();
        add_mass_parts(model, g, U, mass, group);
        sums.sum(g, group);
    }
    return out;
}

}  // namespace limber::build
