// SPDX-License-Identifier: Apache-2.0
// Named groups as a file lists them: a name may come again, and adds to its group.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace limber::build {

class NamedGroups {
 public:
    // The group of this name, made if it is new.
    std::size_t index_of(const std::string& name) {
        const auto [entry, is_new] = index_.try_emplace(name, groups_.size());
        if (is_new) groups_.push_back({name, {}});
        return entry->second;
    }
    // Ids come in ascending order.
    void add(std::size_t group, int id) { groups_[group].ids.push_back(id); }
    // In the order in which the names first came.
    std::vector<Group> take() { return std::move(groups_); }

 private:
    std::vector<Group> groups_;
    std::map<std::string, std::size_t>
        index_;  // ordered: no input can make it slow, as it could a hash table
};

}  // namespace limber::build
