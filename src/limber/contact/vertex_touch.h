// SPDX-License-Identifier: Apache-2.0
// In which triangle a vertex touches the other surface, and on which side. docs/math/contact.md, section 3;
// equation numbers are that page's. For the sources of this folder.
#pragma once
#include "limber/contact/surface_side.h"

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>

namespace limber {

struct VertexTouch {
    std::int32_t triangle;
    Eigen::Vector3d weights, normal;
    double gap;
};

// A vertex of `one`, the triangles of `other` near it by their distance, and what is known of it.
struct VertexQuery {
    const SurfaceSide &one, &other;
    std::int32_t vertex;
    std::span<const VertexFace> faces;
    const Eigen::Vector3d* side;  // towards which `other` lay behind it a step ago; null: no overlap then
    double depth;                 // m: an overlap on that side is not deeper, besides by its motion
    double drift;                 // m: in a step no point moves more against the other surface
};

// Of two bodies.
std::optional<VertexTouch> touch_of(const VertexQuery& query, DetectWork::Data& work);
// Of a body with itself: a vertex that was in front of a triangle at the start, or in the step before.
std::optional<VertexTouch> own_touch(const VertexQuery& query, DetectWork::Data& work);

// The first triangle of a surface on the ray from x along a unit vector, by the tree.
struct Ray {
    Eigen::Vector3d from, along;
    double length;                     // m
    double beside = 0;                 // m: a triangle that it passes so near is met
    double least_cosine = -1;          // of a triangle's normal and the ray
    std::int32_t without_vertex = -1;  // triangles at this vertex are not met
};
struct RayHit {
    std::int32_t triangle;
    Eigen::Vector3d weights, normal;
    double distance;  // along the ray, m
};
std::optional<RayHit> first_hit(const Ray& ray, const SurfaceSide& side, DetectWork::Data& work);

}  // namespace limber
