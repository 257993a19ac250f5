// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::Vector3d;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Larger and smaller ones have gaps that doubles do not resolve.
constexpr double kSmallestSize = 1e-9, kLargestSize = 1e9;  // m

std::optional<InputError> size_problem(double size, const std::string& where, const char* what) {
    if (size >= kSmallestSize && size <= kLargestSize) return std::nullopt;
    return InputError{where, std::string(what) + " is " + number(size) + " m",
                      "a length between 1e-9 and 1e9 m"};
}

struct ShapeCheck {
    const std::string& where;
    std::optional<InputError> operator()(const PlaneShape&) const { return std::nullopt; }
    std::optional<InputError> operator()(const SphereShape& s) const {
        return size_problem(s.radius, where, "the radius");
    }
    std::optional<InputError> operator()(const CapsuleShape& s) const {
        if (auto p = size_problem(s.radius, where, "the radius")) return p;
        return size_problem(s.length, where, "the length");
    }
    std::optional<InputError> operator()(const CylinderShape& s) const {
        if (auto p = size_problem(s.radius, where, "the radius")) return p;
        return size_problem(s.length, where, "the length");
    }
    std::optional<InputError> operator()(const BoxShape& s) const {
        for (int c = 0; c < 3; ++c)
            if (auto p = size_problem(s.size[c], where, c == 0 ? "size x" : c == 1 ? "size y" : "size z"))
                return p;
        return std::nullopt;
    }
    std::optional<InputError> operator()(const MeshShape& s) const {
        if (s.field) return std::nullopt;
        return InputError{where, "the mesh has no distance field", "make_distance_field()"};
    }
};

// The direction away from a point, or `other` where they coincide.
SignedDistance from_point(const Vector3d& away, double radius, const Vector3d& other) {
    const double length = away.norm();
    return {length - radius, length > 0 ? Vector3d(away / length) : other};
}

SignedDistance at_plane(const Vector3d& x) {
    return {x.z(), Vector3d::UnitZ()};
}
SignedDistance at_capsule(const CapsuleShape& s, const Vector3d& x) {  // (13)
    const double half = s.length / 2;
    return from_point({x.x(), x.y(), x.z() - std::clamp(x.z(), -half, half)}, s.radius, Vector3d::UnitX());
}
SignedDistance at_box(const BoxShape& s, const Vector3d& x) {  // (14)
    const Vector3d beyond = x.cwiseAbs() - s.size / 2;
    const auto sign = [&](int c) { return x[c] < 0 ? -1.0 : 1.0; };
    if (beyond.maxCoeff() <= 0) {
        int face;
        const double depth = beyond.maxCoeff(&face);
        return {depth, sign(face) * Vector3d::Unit(face)};
    }
    const Vector3d out = beyond.cwiseMax(0);
    const double length = out.norm();
    return {length, Vector3d(sign(0) * out[0], sign(1) * out[1], sign(2) * out[2]) / length};
}
SignedDistance at_cylinder(const CylinderShape& s, const Vector3d& x) {  // (15)
    const double rho = std::hypot(x.x(), x.y());
    const Vector3d radial = rho > 0 ? Vector3d(x.x() / rho, x.y() / rho, 0) : Vector3d::UnitX();
    const Vector3d axial = Vector3d::UnitZ() * (x.z() < 0 ? -1 : 1);
    const double beside = rho - s.radius, above = std::abs(x.z()) - s.length / 2;
    if (beside <= 0 && above <= 0)
        return beside > above ? SignedDistance{beside, radial} : SignedDistance{above, axial};
    const double b = std::max(beside, 0.0), a = std::max(above, 0.0), length = std::hypot(a, b);
    return {length, (b * radial + a * axial) / length};
}

}  // namespace

std::optional<InputError> shape_problem(const Shape& shape, const std::string& where) {
    return std::visit(ShapeCheck{where}, shape);
}

SignedDistance signed_distance(const Shape& shape, const Vector3d& x) {
    switch (shape.index()) {
        case 0:
            return at_plane(x);
        case 1:  // (12)
            return from_point(x, std::get_if<SphereShape>(&shape)->radius, Vector3d::UnitZ());
        case 2:
            return at_capsule(*std::get_if<CapsuleShape>(&shape), x);
        case 3:
            return at_box(*std::get_if<BoxShape>(&shape), x);
        case 4:
            return at_cylinder(*std::get_if<CylinderShape>(&shape), x);
        default: {
            SignedDistance out;
            out.distance = std::get_if<MeshShape>(&shape)->field->distance(x, out.gradient);
            return out;
        }
    }
}

double distance_error(const Shape& shape) {
    const auto* mesh = std::get_if<MeshShape>(&shape);
    return mesh ? mesh->field->error() : 0;
}

Eigen::AlignedBox3d bounds(const Shape& shape) {
    const auto about_origin = [](const Vector3d& half) { return Eigen::AlignedBox3d(-half, half); };
    if (const auto* s = std::get_if<SphereShape>(&shape)) return about_origin(Vector3d::Constant(s->radius));
    if (const auto* s = std::get_if<CapsuleShape>(&shape))
        return about_origin({s->radius, s->radius, s->radius + s->length / 2});
    if (const auto* s = std::get_if<BoxShape>(&shape)) return about_origin(s->size / 2);
    if (const auto* s = std::get_if<CylinderShape>(&shape))
        return about_origin({s->radius, s->radius, s->length / 2});
    if (const auto* s = std::get_if<MeshShape>(&shape)) {
        Eigen::AlignedBox3d out = s->field->mesh_bounds();
        out.min().array() -= s->field->error();
        out.max().array() += s->field->error();
        return out;
    }
    return {Vector3d::Constant(-kInfinite), Vector3d(kInfinite, kInfinite, 0)};
}

double feature_length(const Shape& shape) {
    if (const auto* s = std::get_if<SphereShape>(&shape)) return s->radius;
    if (const auto* s = std::get_if<CapsuleShape>(&shape)) return s->radius;
    if (const auto* s = std::get_if<BoxShape>(&shape)) {
        // Half of the middle size: a box lies on any of its large faces by several points.
        const Vector3d& x = s->size;
        return (x.sum() - x.minCoeff() - x.maxCoeff()) / 2;
    }
    if (const auto* s = std::get_if<CylinderShape>(&shape)) return s->radius;
    if (const auto* s = std::get_if<MeshShape>(&shape)) return s->field->patch();
    return kInfinite;
}

double thickness(const Shape& shape) {
    if (const auto* s = std::get_if<SphereShape>(&shape)) return 2 * s->radius;
    if (const auto* s = std::get_if<CapsuleShape>(&shape)) return 2 * s->radius;
    if (const auto* s = std::get_if<BoxShape>(&shape)) return s->size.minCoeff();
    if (const auto* s = std::get_if<CylinderShape>(&shape)) return std::min(2 * s->radius, s->length);
    if (const auto* s = std::get_if<MeshShape>(&shape)) return s->field->cell();
    return kInfinite;
}

}  // namespace limber
