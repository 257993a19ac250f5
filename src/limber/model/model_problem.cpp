// SPDX-License-Identifier: Apache-2.0
#include <limber/model/model.h>
#include <limber/model/number_limits.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace limber {

namespace {

using Index = Eigen::Index;

// Morph targets are stored as 32-bit floats.
constexpr double kLargestFloat = std::numeric_limits<float>::max();
// A coordinate q_i that moves the surface by as much as it is long, m·√kg. A body is held within a thousand
// times that, so the energy, at most 1e100 J/Pa times κ <= 1e36 Pa times (1e30)⁴, stays finite.
constexpr double kLargestCoordinate = 1e27;

std::string shape(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
}

// Collects the first problem of a model; later checks are passed over.
class Checker {
 public:
    explicit Checker(std::string where) : where_(std::move(where)) {}

    void require(bool holds, const std::string& part, const std::string& problem) {
        if (!holds && !error_) error_ = InputError{where_ + ": " + part, problem, ""};
    }
    void take(std::optional<InputError> error) {
        if (!error_) error_ = std::move(error);
    }
    template <class Matrix>
    void matrix(const Matrix& m, std::int64_t rows, std::int64_t columns, const std::string& part) {
        require(m.rows() == rows && m.cols() == columns, part,
                "it is " + shape(m.rows(), m.cols()) + "; it must be " + shape(rows, columns));
        if (!error_)
            require(m.allFinite() && (m.size() == 0 || m.cwiseAbs().maxCoeff() <= kLargestNumber), part,
                    "a number is not finite or larger than 1e100");
    }
    void count(std::size_t found, std::size_t expected, const std::string& part) {
        require(found == expected, part,
                "there are " + std::to_string(found) + " entries; there must be " + std::to_string(expected));
    }
    void ids(const std::int32_t* first, std::size_t count, std::size_t below, const std::string& part) {
        for (std::size_t i = 0; i < count && !error_; ++i)
            if (first[i] < 0 || static_cast<std::size_t>(first[i]) >= below)
                require(false, part,
                        "entry " + std::to_string(i) + " is " + std::to_string(first[i]) +
                            "; it must lie between 0 and " + std::to_string(below) + ", the end excluded");
    }
    template <std::size_t N>
    void elements(const std::vector<std::array<std::int32_t, N>>& list, std::size_t vertices,
                  const std::string& part) {
        if (!list.empty()) ids(list[0].data(), N * list.size(), vertices, part);
    }
    void points(const std::vector<Eigen::Vector3d>& list, const std::string& part) {
        for (std::size_t i = 0; i < list.size() && !error_; ++i)
            if (!(list[i].allFinite() && list[i].cwiseAbs().maxCoeff() <= kLargestShown))
                require(false, part, "vertex " + std::to_string(i) + " is not finite or beyond 1e30 m");
    }

    bool failed() const { return error_.has_value(); }
    const std::string& where() const { return where_; }
    std::optional<InputError> result() && { return std::move(error_); }

 private:
    std::string where_;
    std::optional<InputError> error_;
};

// 64 bits, since Eigen::Index has 32 in WebAssembly.
void check_group(const ModelGroup& group, const Model& model, const std::string& part, Checker& check) {
    const std::int64_t rank = model.rank, terms = rank + rank * (rank + 1) / 2;
    const std::int64_t packed = runs_stvk(model) ? terms * (terms + 1) / 2 : 0;
    check.take(material_problem(group.material, check.where() + ": " + part));
    check.matrix(group.bulk, packed, 1, part + ".bulk");
    check.matrix(group.shear, packed, 1, part + ".shear");
    check.matrix(group.mass, rank, rank, part + ".mass");
    check.matrix(group.weight, rank, 3, part + ".weight");
    if (group.moment.size() > 0 || model.groups[0].moment.size() > 0)
        check.matrix(group.moment, rank, 9, part + ".moment");
    check.require(std::isfinite(group.volume) && group.volume >= 0, part + ".volume", "it must be positive");
    check.matrix(group.first_moment, 3, 1, part + ".first_moment");
    check.matrix(group.second_moment, 3, 3, part + ".second_moment");
}

// With a margin: UᵀMU is the unit matrix as a rule.
bool is_definite(const Eigen::MatrixXd& mass) {
    const Eigen::LLT<Eigen::MatrixXd> factor(mass);
    if (factor.info() != Eigen::Success) return false;
    const Eigen::ArrayXd pivots = factor.matrixLLT().diagonal().array().square();
    return (mass.diagonal().array() >= 1 / kLargestNumber).all() &&
           (pivots >= 1e-12 * mass.diagonal().array()).all();
}

// UᵀMU must be positive definite, and Uᵀ K(0) U must not be indefinite: a rigid motion in the basis leaves it
// singular, up to rounding. Materials as built.
void check_definite(const Model& model, Checker& check) {
    const Index r = model.rank;
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(r, r), stiffness = mass;
    for (const ModelGroup& group : model.groups) {
        const Material& m = group.material;
        mass += m.density * group.mass;
        if (!runs_stvk(model)) continue;
        for (Index b = 0; b < r; ++b)
            for (Index a = 0; a <= b; ++a) {
                const Index at = b * (b + 1) / 2 + a;  // the linear part comes first in the packed triangle
                stiffness(b, a) += m.bulk() * group.bulk[at] + m.shear() * group.shear[at];
            }
    }
    check.require(mass.isApprox(mass.transpose(), 1e-6) && is_definite(mass), "groups.mass",
                  "the mass matrix is not symmetric and positive definite");
    constexpr double kRounding = 1e-9;
    const double shift =
        std::max(kRounding * stiffness.diagonal().cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    stiffness.diagonal().array() += shift;
    check.require(Eigen::LLT<Eigen::MatrixXd>(stiffness).info() == Eigen::Success, "groups.bulk and shear",
                  "the stiffness at rest is indefinite: the body would fly apart");
}

double diagonal_length(const std::vector<Eigen::Vector3d>& points) {
    Eigen::Vector3d lowest = points[0], highest = points[0];
    for (const Eigen::Vector3d& x : points) {
        lowest = lowest.cwiseMin(x);
        highest = highest.cwiseMax(x);
    }
    return (highest - lowest).norm();
}

// The farthest that a unit of coordinate i moves a vertex.
double largest_motion(const ModelSurface& surface, Index i) {
    double largest = 0;
    for (Index v = 0; 3 * v < surface.basis.rows(); ++v)
        largest = std::max(largest, surface.basis.col(i).segment<3>(3 * v).norm());
    return largest;
}

// A surface with an extent, and coordinates of which the body needs numbers that floats hold.
void check_sizes_shown(const ModelSurface& surface, Checker& check) {
    const double length = diagonal_length(surface.vertices);
    check.require(length > 0, "surface.vertices", "all vertices are in one place");
    for (Index i = 0; i < surface.basis.cols() && !check.failed(); ++i) {
        const double moved = largest_motion(surface, i);
        const std::string part = "surface.basis";
        check.require(moved <= kLargestShown, part,
                      "vector " + std::to_string(i) + " moves a vertex by " + number(moved) +
                          " 1/√kg; at most 1e30 can be shown");
        check.require(moved == 0 || length / moved <= kLargestCoordinate, part,
                      "vector " + std::to_string(i) + " moves no vertex by more than " + number(moved) +
                          " 1/√kg: nothing of it can be shown");
    }
}

void check_surface(const ModelSurface& surface, Index rank, Checker& check) {
    const std::size_t vertices = surface.vertices.size();
    if (vertices == 0 && surface.triangles.empty()) return;
    check.points(surface.vertices, "surface.vertices");
    check.elements(surface.triangles, vertices, "surface.triangles");
    check.count(surface.input_vertex.size(), vertices, "surface.input_vertex");
    if (!check.failed())
        check.ids(surface.input_vertex.data(), vertices, std::numeric_limits<std::int32_t>::max(),
                  "surface.input_vertex");
    check.matrix(surface.basis, static_cast<Index>(3 * vertices), rank, "surface.basis");
    if (!check.failed()) check_sizes_shown(surface, check);
    if (!check.failed())
        check.take(appearance_problem(surface.appearance, vertices, surface.triangles.size(), check.where()));
}

void check_volume(const Model& model, Checker& check) {
    const ModelVolume& volume = model.volume;
    check.require(model.volume_vertices >= 0 && model.volume_elements >= 0, "volume", "a count is negative");
    const std::size_t vertices = volume.vertices.size();
    const std::size_t elements = volume.tets.size() + volume.bricks.size();
    const bool lean = vertices == 0 && elements == 0 && volume.group_of_element.empty() &&
                      volume.fraction.empty() && volume.fixed_vertices.empty() && volume.basis.size() == 0;
    if (lean) return;
    check.count(vertices, static_cast<std::size_t>(model.volume_vertices), "volume.vertices");
    check.count(elements, static_cast<std::size_t>(model.volume_elements), "volume.tets and volume.bricks");
    check.points(volume.vertices, "volume.vertices");
    check.elements(volume.tets, vertices, "volume.tets");
    check.elements(volume.bricks, vertices, "volume.bricks");
    check.count(volume.group_of_element.size(), elements, "volume.group_of_element");
    if (!check.failed())
        check.ids(volume.group_of_element.data(), elements, model.groups.size(), "volume.group_of_element");
    if (!volume.fraction.empty()) check.count(volume.fraction.size(), elements, "volume.fraction");
    for (std::size_t e = 0; e < volume.fraction.size() && !check.failed(); ++e)
        if (!(volume.fraction[e] > 0 && volume.fraction[e] <= 1))
            check.require(false, "volume.fraction",
                          "entry " + std::to_string(e) + " is " + number(volume.fraction[e]) +
                              "; it must be above 0 and at most 1");
    check.ids(volume.fixed_vertices.data(), volume.fixed_vertices.size(), vertices, "volume.fixed_vertices");
    for (std::size_t i = 1; i < volume.fixed_vertices.size(); ++i)
        check.require(volume.fixed_vertices[i - 1] < volume.fixed_vertices[i], "volume.fixed_vertices",
                      "the ids do not ascend");
    check.matrix(volume.basis, static_cast<Index>(3 * vertices), model.rank, "volume.basis");
}

void check_warp(const Model& model, Checker& check) {
    check.require(model.warp || runs_stvk(model), "groups",
                  "there are neither coefficients of the energy nor modes to warp");
    if (!model.warp) return;
    check.take(warp_model_problem(*model.warp, check.where() + ": warp"));
    if (!check.failed())
        check.count(static_cast<std::size_t>(model.warp->vertices()), model.surface.vertices.size(),
                    "warp.surface_modes");
}

// Morph targets are written as floats.
void check_targets(const Model& model, Checker& check) {
    if (model.target_scale.size() == 0) return;
    check.matrix(model.target_scale, model.rank, 1, "target_scale");
    if (check.failed()) return;
    check.require((model.target_scale.array() > 0).all(), "target_scale", "a scale is not positive");
    if (model.surface.basis.size() == 0) return;
    const Eigen::VectorXd largest = model.surface.basis.cwiseAbs().colwise().maxCoeff().transpose();
    check.require((largest.array() * model.target_scale.array()).maxCoeff() <= kLargestFloat, "target_scale",
                  "a morph target is larger than a 32-bit float");
    check.require(
        model.target_scale.minCoeff() >= 1 / kLargestShown && model.target_scale.maxCoeff() <= kLargestShown,
        "target_scale", "a scale does not lie between 1e-30 and 1e30");
}

// Frequencies and singular values.
void check_not_negative(const Eigen::VectorXd& list, const std::string& part, Checker& check) {
    check.matrix(list, list.size(), 1, part);
    if (!check.failed()) check.require((list.array() >= 0).all(), part, "a number is negative");
}

}  // namespace

std::optional<InputError> model_problem(const Model& model, const std::string& where) {
    Checker check(where);
    check.require(
        model.rank >= 1 && model.rank <= kMostRank, "rank",
        "it is " + std::to_string(model.rank) + "; it must lie between 1 and " + std::to_string(kMostRank));
    check.require(model.modes >= 0, "modes", "the number is negative");
    check.require(!model.groups.empty(), "groups", "there is no material group");
    for (std::size_t g = 0; g < model.groups.size() && !check.failed(); ++g)
        check_group(model.groups[g], model, "groups[" + std::to_string(g) + "]", check);
    if (!check.failed()) check_definite(model, check);
    if (!check.failed()) check_surface(model.surface, model.rank, check);
    if (!check.failed()) check_volume(model, check);
    if (!check.failed()) check_warp(model, check);
    if (!check.failed()) check_targets(model, check);
    check_not_negative(model.frequencies_hz, "frequencies_hz", check);
    check_not_negative(model.spectrum, "spectrum", check);
    return std::move(check).result();
}

std::vector<std::string> methods_of(const Model& model) {
    std::vector<std::string> out;
    if (runs_stvk(model)) out.push_back("stvk");
    if (model.warp) out.push_back("warp");
    return out;
}

const char* surface_basis_text(SurfaceBasis kept) {
    return kept == SurfaceBasis::Float ? "float" : "double";
}

void round_surface_basis(Model& model) {
    for (Index i = 0; i < model.surface.basis.cols(); ++i) {
        const double scale = model.target_scale[i];
        model.surface.basis.col(i) =
            (scale * model.surface.basis.col(i)).cast<float>().cast<double>().eval() / scale;
    }
}

void choose_target_scale(Model& model) {
    constexpr double kShareOfDiagonal = 0.1;
    const ModelSurface& surface = model.surface;
    model.target_scale = Eigen::VectorXd::Ones(model.rank);
    if (surface.vertices.empty()) return;
    const double distance = kShareOfDiagonal * diagonal_length(surface.vertices);
    for (Index i = 0; i < model.rank; ++i) {
        // Infinite where the vector moves nothing, zero where the surface has no extent.
        const double scale = distance / largest_motion(surface, i);
        if (std::isfinite(scale) && scale > 0) model.target_scale[i] = scale;
    }
}

}  // namespace limber
