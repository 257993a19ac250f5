// SPDX-License-Identifier: Apache-2.0
// Local compliance of the surface, in the reduced model and in the full one: linear statics
// at rest. docs/math/validation.md.
#pragma once
#include "build/progress.h"

#include <limber/model/model.h>

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace limber::build {

struct LocalComplianceOptions {
    int points = 12;  // spread over the surface
    std::vector<std::string>
        at;                   // SELECT: patches besides those; a single vertex stands for the one around it
    std::optional<int> rank;  // only the first basis vectors
};

// A unit force along the normal of a patch, shared by area over its vertices.
struct CompliancePoint {
    int vertex = 0;  // of the surface: the middle of the patch, or the first that was chosen
    Eigen::Vector3d position{0, 0, 0}, normal{0, 0, 1};
    std::size_t patch_vertices = 0;
    // Mean displacement of the patch along the normal, fᵀ u, m/N. (1), (2)
    double full = 0, reduced = 0;
    double ratio() const { return reduced / full; }  // at most 1: what moves in fewer ways is stiffer
};

struct LocalCompliance {
    double radius = 0;  // of the patches, m
    int rank = 0;
    std::vector<CompliancePoint> points;  // empty: all of the surface is fixed
    // The point of the smallest ratio; at least one point.
    const CompliancePoint& worst() const;
};

// Free bodies by inertia relief: only the deformation counts. Throws InputError for lean models and those for
// warping only. Costs a factorisation and a solve per point.
LocalCompliance local_compliance(const Model& model, const LocalComplianceOptions& options = {},
                                 const Progress& progress = {});

// The ratio at each vertex of the surface, from the points by inverse squared distances.              (3)
// Empty if there are no points.
std::vector<double> interpolated_ratios(const LocalCompliance& compliance,
                                        const std::vector<Eigen::Vector3d>& vertices);

// "the top, high x, facing up": in which outer fifth of the bounding box, and where its normal points.
std::string place_in_words(const Model& model, const CompliancePoint& point);

// "0.34 of the full model's compliance at the top, facing up (0.01, 0.2, 0.1) m: 0.0025 instead of 0.0073
// m/N".
std::string worst_in_words(const Model& model, const LocalCompliance& compliance);

}  // namespace limber::build
