// SPDX-License-Identifier: Apache-2.0
// SELECT: the small language that names points, such as the vertices of a mesh.
//   "x<0.001 && !(y>0.2)"   a condition on rest positions: < <= > >= == !=, && || !, + - * /, parentheses,
//                           numbers, x y z, and xmin xmax ymin ymax zmin zmax of the points; == and !=
//                           forgive 1e-9 of the diagonal of their bounds
//   "#12,15,20-30"          ids, 0-based
//   "near:x,y,z"            the one point nearest to a place, m
//   "@name"                 a named group
//   "file:ids.txt"          ids in a text file, separated by white space or commas
//   "all", "none"
#pragma once
#include <limber/result.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

using PointSpan = std::span<const Eigen::Vector3d>;  // m

enum class SelectForm { Empty, All, None, Ids, Near, Group, File, Condition };
SelectForm select_form(std::string_view text);

// What answers the forms that points cannot. Where one is missing, its form is refused.
struct SelectSources {
    // Ids of a group; `where` is for the error.
    std::function<Result<std::vector<int>>(std::string_view name, const std::string& where)> group{};
    // Marks the ids that a file lists.
    std::function<Status(std::string_view path, std::vector<bool>& marks)> file{};
};

// Ids ascending and unique. Errors give the position of the mistake in the text, and ids that are out of
// range. An empty selection is no error: the caller knows whether that is a mistake.
Result<std::vector<int>> select_points(std::string_view text, PointSpan points,
                                       const SelectSources& sources = {});

// "#12,15,20-30" of ids that ascend, each once; "none" of no ids.
std::string ids_text(const std::vector<int>& ids);

// Parts, for selections of other things than points.

// The forms SelectForm::Ids and SelectForm::File, of `count` things.
Result<std::vector<int>> select_ids(std::string_view text, std::size_t count,
                                    const SelectSources& sources = {});

// Marks "12, 20-30". Ranges are checked before they are walked, so no text asks for more than there is.
Status mark_ids(std::string_view list, const std::string& where, std::vector<bool>& marks);
std::vector<int> ids_of_marks(const std::vector<bool>& marks);

// The point nearest to "x,y,z", the first of equals; none if there are no points.
Result<std::vector<int>> select_nearest(std::string_view place, const std::string& where, PointSpan points);

// "the mesh has no group 'name'", with those that there are.
InputError unknown_group(std::string_view name, const std::string& where,
                         const std::vector<std::string_view>& known);

// Of the points whose coordinates are finite and below kLargestNumber; empty if there are none.
Eigen::AlignedBox3d usable_bounds(PointSpan points);

}  // namespace limber
