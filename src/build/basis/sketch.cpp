// SPDX-License-Identifier: Apache-2.0
// From recorded forces to a basis. docs/math/basis.md, section 6.
#include "build/basis/sketch.h"

#include "build/basis/mass_metric.h"
#include "build/basis/shape_cache.h"
#include "build/fem/statics.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <cmath>
#include <functional>
#include <limits>

namespace limber::build {
namespace {

using SparseColumns = Eigen::SparseMatrix<double>;

// The first of every cluster: items that are at least `separation` away from rest and from all kept ones
// before them.                                                                                       (11)
std::vector<int> separated(int count, double separation, const std::function<double(int)>& from_rest,
                           const std::function<double(int, int)>& distance) {
    std::vector<int> kept;
    for (int i = 0; i < count; ++i) {
        if (!(from_rest(i) > 0) || from_rest(i) < separation) continue;
        bool apart = true;
        for (std::size_t k = 0; k < kept.size() && apart; ++k)
            apart = distance(kept[k], i) >= separation;
        if (apart) kept.push_back(i);
    }
    return kept;
}

std::vector<int> separated_forces(const SparseColumns& loads, double fraction) {
    const auto norm = [&](int i) { return loads.col(i).norm(); };
    const auto distance = [&](int i, int j) { return (loads.col(i) - loads.col(j)).norm(); };
    double largest = 0;
    for (int i = 0; i < int(loads.cols()); ++i)
        largest = std::max(largest, norm(i));
    return separated(int(loads.cols()), fraction * largest, norm, distance);
}

std::vector<int> separated_shapes(const FemModel& model, const Eigen::MatrixXd& shapes,
                                  const SketchOptions& options) {
    const MassMetric metric(model, options.mass);
    const Eigen::MatrixXd free = free_rows(model, shapes);
    const Eigen::MatrixXd gram = free.transpose() * metric.times(free);
    const auto norm = [&](int i) { return std::sqrt(std::max(0.0, gram(i, i))); };
    const auto distance = [&](int i, int j) {
        return std::sqrt(std::max(0.0, gram(i, i) - 2 * gram(i, j) + gram(j, j)));
    };
    double largest = 0;
    for (int i = 0; i < int(shapes.cols()); ++i)
        largest = std::max(largest, norm(i));
    return separated(int(shapes.cols()), options.shape_separation * largest, norm, distance);
}

// Static shapes one after the other. A solve starts from the shape under the nearest force before it, if that
// is nearer than rest; where this fails, from rest.
class ShapeSolver {
 public:
    ShapeSolver(const FemModel& model, const SparseColumns& loads, const SketchOptions& options)
        : model_(model),
          loads_(loads),
          solve_options_{
              .tolerance = options.tolerance, .max_iterations = options.max_iterations, .progress = {}},
          cache_(options.cache, model, solve_options_) {}

    void add(int force, SketchResult& out) {
        const Eigen::VectorXd f = loads_.col(force);
        if (const auto cached = cache_.load(f)) {
            ++out.reused;
            keep(force, *cached, "it did not converge in an earlier run", out);
            return;
        }
        const Eigen::VectorXd start = start_for(force);
        StaticResult result = solve_static(model_, f, solve_options_, start);
        if (!result.converged && start.size() > 0) result = solve_static(model_, f, solve_options_);
        ++out.solved;
        const CachedShape shape = result.converged ? CachedShape(result.u) : CachedShape();
        cache_.store(f, shape);
        keep(force, shape, result.problem, out);
    }

    const std::vector<int>& forces() const { return forces_; }
    Eigen::MatrixXd shapes() const {
        Eigen::MatrixXd out(3 * model_.vertex_count(), Eigen::Index(shapes_.size()));
        for (std::size_t i = 0; i < shapes_.size(); ++i)
            out.col(Eigen::Index(i)) = shapes_[i];
        return out;
    }

 private:
    void keep(int force, const CachedShape& shape, const std::string& problem, SketchResult& out) {
        if (!shape) {
            out.failed.push_back({force, problem});
            return;
        }
        forces_.push_back(force);
        shapes_.push_back(*shape);
    }

    Eigen::VectorXd start_for(int force) const {
        double nearest = loads_.col(force).norm();
        Eigen::VectorXd start;
        for (std::size_t i = 0; i < forces_.size(); ++i) {
            const double distance = (loads_.col(forces_[i]) - loads_.col(force)).norm();
            if (distance >= nearest) continue;
            nearest = distance;
            start = shapes_[i];
        }
        return start;
    }

    const FemModel& model_;
    const SparseColumns& loads_;
    StaticOptions solve_options_;
    ShapeCache cache_;
    std::vector<int> forces_;  // whose solves converged
    std::vector<Eigen::VectorXd> shapes_;
};

void check_loads(const FemModel& model, const SparseColumns& loads, const SketchOptions& options) {
    if (loads.rows() != 3 * model.vertex_count())
        throw InputError{"sketch",
                         fmt::format("its forces have {} entries; the mesh has {} vertices, so {} are needed",
                                     loads.rows(), model.vertex_count(), 3 * model.vertex_count()),
                         ""};
    for (const auto& [name, fraction] : {std::pair{"force separation", options.force_separation},
                                         std::pair{"shape separation", options.shape_separation}})
        if (!(fraction >= 0) || !(fraction < 1))
            throw InputError{name, fmt::format("{} is not a fraction between 0 and 1", fraction), ""};
}

}  // namespace

SketchResult sketch_basis(const FemModel& model, const SparseColumns& loads, const RankChoice& rank,
                          const SketchOptions& options) {
    check_loads(model, loads, options);
    SketchResult result;
    // Forces on fixed vertices do nothing, so they do not make two forces differ.
    SparseColumns felt = loads;
    felt.prune([&](Eigen::Index row, Eigen::Index, double) { return model.free_index(int(row / 3)) >= 0; });
    result.forces = separated_forces(felt, options.force_separation);
    if (result.forces.empty())
        throw InputError{"sketch", fmt::format("none of its {} forces moves the body", loads.cols()),
                         "push on vertices that are not fixed"};
    ShapeSolver solver(model, felt, options);
    for (std::size_t i = 0; i < result.forces.size(); ++i) {
        tell(options.progress, "static shapes of the sketch", double(i) / double(result.forces.size()));
        solver.add(result.forces[i], result);
    }
    tell(options.progress, "static shapes of the sketch", 1);
    if (solver.forces().empty())
        throw InputError{"sketch",
                         fmt::format("none of its {} static solves converged; the first: {}",
                                     result.forces.size(), result.failed.front().problem),
                         "push less hard"};
    const Eigen::MatrixXd shapes = solver.shapes();
    const std::vector<int> kept = separated_shapes(model, shapes, options);
    Eigen::MatrixXd chosen(shapes.rows(), Eigen::Index(kept.size()));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        chosen.col(Eigen::Index(i)) = shapes.col(kept[i]);
        result.shapes.push_back(solver.forces()[std::size_t(kept[i])]);
    }
    result.basis = mass_pca(model, chosen, rank, options.mass);
    for (const SketchFailure& failure : result.failed)
        result.basis.notes.push_back(
            fmt::format("recorded force {} was left out: {}", failure.force, failure.problem));
    return result;
}

}  // namespace limber::build
