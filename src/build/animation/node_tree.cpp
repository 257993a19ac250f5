// SPDX-License-Identifier: Apache-2.0
#include "build/animation/node_tree.h"

#include "build/file/nearest_word.h"
#include "build/file/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace limber::build {
namespace {

std::string title(const NodeTree& tree, int node) {
    const std::string& name = tree.nodes[static_cast<std::size_t>(node)].name;
    return name.empty() ? fmt::format("node {}", node) : fmt::format("node '{}'", printable(name));
}

void check_rigid(const NodeTree& tree, int node, const std::string& where) {
    const auto refuse = [&](int which, const std::string& why) {
        throw InputError{where,
                         fmt::format("{} {}, so {} has no rigid frame", title(tree, which), why,
                                     which == node ? "it" : title(tree, node)),
                         "apply the scale before exporting, or choose a node that is not below it"};
    };
    const std::string& own = tree.nodes[static_cast<std::size_t>(node)].distorted;
    if (!own.empty()) refuse(node, own);
    for (int n = tree.nodes[static_cast<std::size_t>(node)].parent; n >= 0;
         n = tree.nodes[static_cast<std::size_t>(n)].parent)
        if (const std::string& why = tree.nodes[static_cast<std::size_t>(n)].distorts_children; !why.empty())
            refuse(n, why);
}

}  // namespace

Pose pose_of(const NodeTree& tree, int node, double time) {
    Pose pose;
    for (int n = node; n >= 0; n = tree.nodes[static_cast<std::size_t>(n)].parent) {
        const AnimatedNode& at = tree.nodes[static_cast<std::size_t>(n)];
        const Eigen::Vector3d moved = at.moves ? vector_at(*at.moves, time) : at.translation;
        const Eigen::Quaterniond turned = at.turns ? rotation_at(*at.turns, time) : at.rotation;
        pose.position = moved + turned * ((n == node ? 1 : at.scale) * pose.position);
        pose.orientation = turned * pose.orientation;
    }
    pose.orientation.normalize();
    return pose;
}

double end_of(const NodeTree& tree) {
    double end = 0;
    for (const AnimatedNode& node : tree.nodes)
        for (const auto* keys : {&node.moves, &node.turns})
            if (*keys) end = std::max(end, (*keys)->times->back());
    return end;
}

int find_node(const NodeTree& tree, const std::string& name, const std::string& where) {
    std::vector<std::string> names;
    int found = -1;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        names.push_back(tree.nodes[n].name);
        if (tree.nodes[n].name != name) continue;
        if (found >= 0)
            throw InputError{
                where, fmt::format("nodes {} and {} both have the name '{}'", found, n, printable(name)),
                fmt::format("say which by its number: {}", found)};
        found = static_cast<int>(n);
    }
    if (found < 0) {
        int number = -1;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        const bool whole = error == std::errc{} && end == name.data() + name.size();
        if (whole && number >= 0 && static_cast<std::size_t>(number) < tree.nodes.size()) found = number;
    }
    if (found < 0) {
        std::erase(names, "");
        const std::string nearest = nearest_word(name.substr(0, 100), names);
        names.resize(std::min<std::size_t>(names.size(), 20));
        for (std::string& each : names)
            each = printable(each);
        throw InputError{where, fmt::format("there is no node '{}'", printable(name)),
                         nearest.empty() ? fmt::format("the nodes are {}", fmt::join(names, ", "))
                                         : fmt::format("'{}'", printable(nearest))};
    }
    check_rigid(tree, found, where);
    return found;
}

}  // namespace limber::build
