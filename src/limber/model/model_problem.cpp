// SPDX-License-Identifier: Apache-2.0
#include <limber/model/model_checks.h>
#include <limber/model/surface_tree.h>
#include <limber/shown_name.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>

namespace limber {

namespace {

using Index = Eigen::Index;

// Morph targets are stored as 32-bit floats.
constexpr double kLargestFloat = std::numeric_limits<float>::max();
// A coordinate q_i that moves the surface by as much as it is long, m·√kg. A body is held within a thousand
// times that, so the energy, at most 1e100 J/Pa times κ <= 1e36 Pa times (1e30)⁴, stays finite.
constexpr double kLargestCoordinate = 1e27;

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
void check_definite(const Model& model, ModelChecks& check) {
    const Index r = model.rank;
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(r, r), stiffness = mass;
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const Material& m = model.groups[g].material;
        const StvkGroup& group = model.stvk->groups[g];
        mass += m.density * group.mass;
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

// [volume, c; c, G] is a Gram matrix, of 1 and the functions Ŭ, hence positive semidefinite; the traces of
// its blocks are UᵀMU. Then the kinetic energy of a free body is positive whatever its shape.
void check_tensors(const Model& model, ModelChecks& check) {
    if (!model.stvk->has_tensors()) return;
    constexpr double kRounding = 1e-9;
    for (std::size_t g = 0; g < model.groups.size() && !check.failed(); ++g) {
        const StvkGroup& group = model.stvk->groups[g];
        const std::string part = "groups[" + std::to_string(g) + "].";
        const Index functions = group.second_tensor.rows();
        Eigen::MatrixXd gram(functions + 1, functions + 1);
        gram << model.groups[g].volume, group.first_tensor.reshaped().transpose(),
            group.first_tensor.reshaped(), group.second_tensor;
        // Scaled to a unit diagonal; a function that is zero everywhere stays.
        const Eigen::VectorXd size =
            (gram.diagonal().array() > 0).select(gram.diagonal().array().abs().sqrt(), 1);
        gram.array() /= (size * size.transpose()).array();
        check.require(gram.isApprox(gram.transpose(), kRounding), part + "second_tensor",
                      "it is not symmetric");
        gram.diagonal().array() += kRounding;
        check.require(Eigen::LLT<Eigen::MatrixXd>(gram).info() == Eigen::Success,
                      part + "first_tensor and second_tensor", "the inertia is not positive");
        const double largest = group.mass.cwiseAbs().maxCoeff();
        for (Index b = 0; b < model.rank; ++b)
            for (Index a = 0; a < model.rank; ++a)
                check.require(std::abs(group.second_tensor.block<3, 3>(3 + 3 * a, 3 + 3 * b).trace() -
                                       group.mass(a, b)) <= kRounding * largest,
                              part + "second_tensor", "it does not fit the mass");
    }
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
double largest_motion(const Eigen::MatrixXd& shapes, Index i) {
    double largest = 0;
    for (Index v = 0; 3 * v < shapes.rows(); ++v)
        largest = std::max(largest, shapes.col(i).segment<3>(3 * v).norm());
    return largest;
}

// A surface with an extent, and coordinates of which the body needs numbers that floats hold.
void check_sizes_shown(const ModelSurface& surface, ModelChecks& check) {
    const double length = diagonal_length(surface.vertices);
    check.require(length > 0, "surface.vertices", "all vertices are in one place");
    for (Index i = 0; i < surface.basis.cols() && !check.failed(); ++i) {
        const double moved = largest_motion(surface.basis, i);
        const std::string part = "surface.basis";
        check.require(moved <= kLargestShown, part,
                      "vector " + std::to_string(i) + " moves a vertex by " + number(moved) +
                          " 1/√kg; at most 1e30 can be shown");
        check.require(moved == 0 || length / moved <= kLargestCoordinate, part,
                      "vector " + std::to_string(i) + " moves no vertex by more than " + number(moved) +
                          " 1/√kg: nothing of it can be shown");
    }
}

void check_groups(const Model& model, KnownLengths& lengths, ModelChecks& check) {
    for (std::size_t g = 0; g < model.groups.size(); ++g)
        check.take(material_problem(model.groups[g].material,
                                    check.where() + ": groups[" + std::to_string(g) + "]"));
    check.arrays(kInertiaArrays, model.groups, lengths);
    for (std::size_t g = 0; g < model.groups.size(); ++g)
        check.require(model.groups[g].volume >= 0, "groups[" + std::to_string(g) + "].volume",
                      "it must be positive");
}

void check_surface(const Model& model, KnownLengths& lengths, ModelChecks& check) {
    const ModelSurface& surface = model.surface;
    const std::size_t vertices = surface.vertices.size();
    if (vertices == 0 && surface.triangles.empty()) {
        check.require(model.rank > 0, "surface", "there is neither a surface nor a basis");
        return;
    }
    check.arrays(kSurfaceArrays, surface, lengths);
    if (!check.failed() && !surface.tree_order.empty())
        check.require(is_order(surface.tree_order, surface.triangles.size()), "surface.tree_order",
                      "it does not have every triangle once");
    check.require(surface.basis.size() > 0 || model.rank == 0, "surface.basis", "it is missing");
    if (!check.failed()) check_sizes_shown(surface, check);
    if (!check.failed())
        check.take(appearance_problem(surface.appearance, vertices, surface.triangles.size(), check.where()));
}

bool is_lean(const ModelVolume& volume) {
    bool lean = true;
    for_each_array(kVolumeArrays, volume, [&](const ModelArray&, const auto& value) {
        lean = lean && LayoutOf<decltype(value)>::size(value) == 0;
    });
    return lean;
}

void check_volume(const Model& model, KnownLengths& lengths, ModelChecks& check) {
    const ModelVolume& volume = model.volume;
    check.require(model.volume_vertices >= 0 && model.volume_elements >= 0, "volume", "a count is negative");
    if (is_lean(volume)) return;
    check.count(volume.tets.size() + volume.bricks.size(), static_cast<std::size_t>(model.volume_elements),
                "volume.tets and volume.bricks");
    check.arrays(kVolumeArrays, volume, lengths);
    for (std::size_t e = 0; e < volume.fraction.size() && !check.failed(); ++e)
        if (!(volume.fraction[e] > 0 && volume.fraction[e] <= 1))
            check.require(false, "volume.fraction",
                          "entry " + std::to_string(e) + " is " + number(volume.fraction[e]) +
                              "; it must be above 0 and at most 1");
    for (std::size_t i = 1; i < volume.fixed_vertices.size(); ++i)
        check.require(volume.fixed_vertices[i - 1] < volume.fixed_vertices[i], "volume.fixed_vertices",
                      "the ids do not ascend");
}

void check_stvk(const Model& model, KnownLengths& lengths, ModelChecks& check) {
    if (!model.stvk) return;
    check.count(model.stvk->groups.size(), model.groups.size(), "groups.bulk");
    if (!check.failed()) check.arrays(kStvkArrays, model.stvk->groups, lengths);
    if (!check.failed()) check_definite(model, check);
    if (!check.failed()) check_tensors(model, check);
}

void check_warp(const Model& model, ModelChecks& check) {
    if (!model.warp) return;
    check.take(warp_model_problem(*model.warp, check.where()));
    if (!check.failed())
        check.count(static_cast<std::size_t>(model.warp->vertices()), model.surface.vertices.size(),
                    "warp.surface_modes");
}

// Morph targets are written as floats.
void check_targets(const Model& model, ModelChecks& check) {
    if (model.target_scale.size() == 0) return;
    check.require((model.target_scale.array() > 0).all(), "target_scale", "a scale is not positive");
    if (model.surface.basis.size() == 0) return;
    const Eigen::VectorXd largest = model.surface.basis.cwiseAbs().colwise().maxCoeff().transpose();
    check.require((largest.array() * model.target_scale.array()).maxCoeff() <= kLargestFloat, "target_scale",
                  "a morph target is larger than a 32-bit float");
    check.require(
        model.target_scale.minCoeff() >= 1 / kLargestShown && model.target_scale.maxCoeff() <= kLargestShown,
        "target_scale", "a scale does not lie between 1e-30 and 1e30");
}

// Where children may be attached to a part.
void check_interfaces(const Model& model, ModelChecks& check) {
    std::set<std::string> names;
    for (const DomainInterface& interface : model.interfaces) {
        check.require(!model.domains, "interfaces", "a tree has them in its parts");
        check.require(!interface.name.empty() && names.insert(interface.name).second, "interfaces",
                      "a name is empty or used twice");
        if (!check.failed()) check.take(interface_problem(interface, model.rank, check.where()));
    }
}

// The surface is that of all domains.
void check_tree(const Model& model, ModelChecks& check) {
    check.require(model.rank == 0 && !model.stvk && !model.warp, "domains",
                  "a tree has no basis of its own: its domains have theirs");
    if (!check.failed()) check.take(domains_problem(*model.domains, check.where()));
    if (check.failed()) return;
    std::size_t vertices = 0;
    for (const Domain& d : model.domains->domains)
        vertices += model.domains->parts[std::size_t(d.part)].model->surface.vertices.size();
    check.count(model.surface.vertices.size(), vertices, "surface.vertices");
}

// Lengths that the model says by itself.
KnownLengths lengths_of(const Model& model) {
    KnownLengths out;
    set_rank(out, model.rank);
    out.set("g", static_cast<std::int64_t>(model.groups.size()));
    out.set("s", static_cast<std::int64_t>(model.surface.vertices.size()));
    out.set("n", model.volume_vertices);
    out.set("e", model.volume_elements);
    return out;
}

}  // namespace

std::optional<InputError> model_problem(const Model& model, const std::string& where) {
    ModelChecks check(where);
    const bool moves = model.stvk || model.warp;
    check.require(
        model.rank >= (moves ? 1 : 0) && model.rank <= kMostRank, "rank",
        "it is " + std::to_string(model.rank) + "; it must lie between 1 and " + std::to_string(kMostRank));
    check.require(moves || model.rank == 0, "groups",
                  "there are neither coefficients of the energy nor modes to warp");
    check.require(model.modes >= 0, "modes", "the number is negative");
    check.require(!model.groups.empty(), "groups", "there is no material group");
    KnownLengths lengths = lengths_of(model);
    if (!check.failed()) check_groups(model, lengths, check);
    if (!check.failed()) check_stvk(model, lengths, check);
    if (!check.failed()) check_surface(model, lengths, check);
    if (!check.failed()) check_volume(model, lengths, check);
    if (!check.failed()) check_warp(model, check);
    if (!check.failed()) check.arrays(kBasisArrays, model, lengths);
    if (!check.failed()) check_targets(model, check);
    if (!check.failed()) check_interfaces(model, check);
    if (!check.failed() && model.domains) check_tree(model, check);
    check.require((model.frequencies_hz.array() >= 0).all(), "frequencies_hz", "a number is negative");
    check.require((model.spectrum.array() >= 0).all(), "spectrum", "a number is negative");
    return std::move(check).result();
}

std::vector<std::string> methods_of(const Model& model) {
    std::vector<std::string> out;
    if (model.stvk) out.push_back("stvk");
    if (model.warp) out.push_back("warp");
    if (model.domains) out.push_back("domains");
    return out;
}

std::optional<InputError> method_problem(const Model& model, const std::string& method) {
    const std::vector<std::string> methods = methods_of(model);
    if (std::find(methods.begin(), methods.end(), method) != methods.end()) return std::nullopt;
    if (model.domains)
        return InputError{"method", "the model is a tree of domains and cannot run as " + shown_name(method),
                          "domains"};
    if (method == "domains")
        return InputError{"method", "the model is not a tree of domains",
                          (methods.empty() ? "rigid" : methods[0]) + ", or build it with --domains"};
    if (methods.empty())
        return InputError{
            "method", "the model has no basis, so its bodies are rigid: " + shown_name(method) + " needs one",
            "rigid, or build it with --method " + shown_name(method)};
    return InputError{
        "method", "the model was built for " + methods[0] + " only and cannot run as " + shown_name(method),
        methods[0] + ", or build it with --method both"};
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

Eigen::VectorXd target_scale_of(const std::vector<Eigen::Vector3d>& vertices, const Eigen::MatrixXd& shapes) {
    constexpr double kShareOfDiagonal = 0.1;
    Eigen::VectorXd out = Eigen::VectorXd::Ones(shapes.cols());
    if (vertices.empty()) return out;
    const double distance = kShareOfDiagonal * diagonal_length(vertices);
    for (Index i = 0; i < shapes.cols(); ++i) {
        // Infinite where the shape moves nothing, zero where the surface has no extent.
        const double scale = distance / largest_motion(shapes, i);
        if (std::isfinite(scale) && scale > 0) out[i] = scale;
    }
    return out;
}

void choose_target_scale(Model& model) {
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(model.rank);
    model.target_scale =
        model.surface.vertices.empty() ? ones : target_scale_of(model.surface.vertices, model.surface.basis);
}

}  // namespace limber
