// SPDX-License-Identifier: Apache-2.0
// Small pieces of text of the command line: vectors, "SELECT: values", tables for people.
#pragma once
#include "build/mesh/vertex_range.h"
#include "build/recipe/selection.h"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::cli {

// `count` finite numbers separated by blanks or commas. `option` names the option in the complaint.
std::vector<double> parse_numbers(std::string_view text, std::size_t count, const std::string& option);
Eigen::Vector3d parse_vector(std::string_view text, const std::string& option);

// "near:0,0,1: 0 -5 0" -> ("near:0,0,1", " 0 -5 0"): what stands before and after the last colon.
std::pair<std::string, std::string> split_at_last_colon(const std::string& text, const std::string& option,
                                                        const std::string& example);

using build::bounds_of;
using build::describe;

nlohmann::json to_json(const Eigen::VectorXd& numbers);
nlohmann::json to_json(const Eigen::AlignedBox3d& bounds);  // [[x, y, z], [x, y, z]]; null if empty

// "812 bytes", "8.41 MB": three digits, in powers of 1000.
std::string bytes_text(std::size_t bytes);

// Two columns: what, and how much with its unit.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace limber::cli
