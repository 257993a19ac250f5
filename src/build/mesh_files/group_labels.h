// SPDX-License-Identifier: Apache-2.0
// Groups in formats that know only plain words or numbers.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

enum class LetterCase { Keep, Upper };

// A word per group: letters, digits and underscores, a letter first, at most `longest` characters, unlike
// one another and unlike the `taken` ones.
std::vector<std::string> plain_names(std::span<const Group> groups, LetterCase letter_case,
                                     std::size_t longest, std::vector<std::string> taken);

// A positive number per group. A group called prefixN, as readers call a group without a name, gets N.
std::vector<std::int64_t> group_numbers(std::span<const Group> groups, std::string_view prefix);

// The number of the first group that holds the vertex or cell; 0: none.
std::vector<std::int64_t> number_per_member(std::span<const Group> groups,
                                            std::span<const std::int64_t> numbers, std::size_t member_count);

}  // namespace limber::build
