// SPDX-License-Identifier: Apache-2.0
#include "build/fem/model.h"

#include "build/fem/element_blocks.h"
#include "build/mesh/check.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace limber::build {
namespace {

void check_materials(const MaterialMap& materials, std::size_t elements) {
    if (materials.groups.empty())
        throw InputError{"materials", "there is no material group", "group 0 is the default material"};
    for (const auto& group : materials.groups)
        check_material(group.material, fmt::format("material '{}'", group.name));
    if (materials.group_of_element.size() != elements)
        throw InputError{"materials",
                         fmt::format("{} elements have a material, but the mesh has {} elements",
                                     materials.group_of_element.size(), elements),
                         ""};
    for (std::size_t e = 0; e < elements; ++e) {
        const int g = materials.group_of_element[e];
        if (g < 0 || g >= int(materials.groups.size()))
            throw InputError{fmt::format("element {}", e),
                             fmt::format("has material group {}; there are {}", g, materials.groups.size()),
                             ""};
    }
}

}  // namespace

FemModel::FemModel(VolumeMesh mesh, MaterialMap materials, std::vector<int> fixed_vertices,
                   FemOptions options)
    : mesh_(std::move(mesh)),
      materials_(std::move(materials)),
      fixed_(std::move(fixed_vertices)),
      quadrature_(options.brick_quadrature) {
    require_sound(mesh_, "the mesh");
    if (materials_.group_of_element.empty()) materials_.group_of_element.assign(mesh_.element_count(), 0);
    check_materials(materials_, mesh_.element_count());

    std::sort(fixed_.begin(), fixed_.end());
    fixed_.erase(std::unique(fixed_.begin(), fixed_.end()), fixed_.end());
    if (!fixed_.empty() && (fixed_.front() < 0 || fixed_.back() >= vertex_count()))
        throw InputError{"fixed vertices",
                         fmt::format("vertex {} does not exist; the mesh has vertices 0 to {}",
                                     fixed_.front() < 0 ? fixed_.front() : fixed_.back(), vertex_count() - 1),
                         "vertex ids start at 0"};

    free_of_vertex_.assign(mesh_.vertices.size(), -1);
    for (const Tet& tet : mesh_.tets)
        for (const int v : tet)
            free_of_vertex_[v] = 0;
    for (const Brick& brick : mesh_.bricks)
        for (const int v : brick)
            free_of_vertex_[v] = 0;
    for (const int v : fixed_)
        free_of_vertex_[v] = -1;
    for (int v = 0; v < int(mesh_.vertices.size()); ++v) {
        if (free_of_vertex_[v] < 0) continue;
        free_of_vertex_[v] = int(vertex_of_free_.size());
        vertex_of_free_.push_back(v);
    }
    blocks_ = std::make_shared<const ElementBlocks>(make_element_blocks(*this));
}

Eigen::VectorXd FemModel::restrict_to_free(const Eigen::VectorXd& full) const {
    assert(full.size() == 3 * vertex_count());
    Eigen::VectorXd out(free_dofs());
    for (std::size_t i = 0; i < vertex_of_free_.size(); ++i)
        out.segment<3>(3 * Eigen::Index(i)) = full.segment<3>(3 * Eigen::Index(vertex_of_free_[i]));
    return out;
}

Eigen::VectorXd FemModel::expand_from_free(const Eigen::VectorXd& free) const {
    assert(free.size() == free_dofs());
    Eigen::VectorXd out = Eigen::VectorXd::Zero(3 * vertex_count());
    for (std::size_t i = 0; i < vertex_of_free_.size(); ++i)
        out.segment<3>(3 * Eigen::Index(vertex_of_free_[i])) = free.segment<3>(3 * Eigen::Index(i));
    return out;
}

}  // namespace limber::build
