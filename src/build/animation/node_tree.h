// SPDX-License-Identifier: Apache-2.0
// Nodes that move: a skeleton, or whatever an animated glTF file holds. Only where nodes stand and how they
// are turned counts; joints of a skin are nodes like all others.
#pragma once
#include "build/animation/keyframes.h"

#include <limber/model/up_axis.h>
#include <limber/rigid/frame.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

struct AnimatedNode {
    std::string name;
    int parent = -1;                                               // -1: a root
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();         // parent from node; without `moves`
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // without `turns`
    double scale = 1;                                              // of its children, alike in all directions
    // Why the axes of its children, or its own, are those of no rigid frame; empty: they are.
    std::string distorts_children, distorted;
    std::optional<Keyframes> moves, turns;
};

struct NodeTree {
    std::vector<AnimatedNode> nodes;
    std::string animation;  // its name
    UpAxis up = UpAxis::Z;  // y in glTF files that limber did not write
};

// In the world, at a time of the animation in s.
Pose pose_of(const NodeTree& tree, int node, double time);
// When the last key of the animation is, s.
double end_of(const NodeTree& tree);

// By its name; or by its number, if no node has that name. Throws InputError{where, ...} with the nearest
// name, for a name that two nodes have, and for a node whose frame is not rigid (scaled more in one
// direction).
int find_node(const NodeTree& tree, const std::string& name, const std::string& where);

// glTF 2.0: all nodes, moved by the animation of that name (empty: the first). Reading takes hostile bytes.
// Throws InputError, also if there is no animation. `name` is for messages; `folder`: where a .gltf may have
// its buffers (empty: inside the file only). Files that limber wrote come in limber's own coordinates.
NodeTree read_animated_glb(std::string_view bytes, const std::string& name,
                           const std::string& animation = "");
NodeTree read_animated_gltf(std::string_view bytes, const std::string& name,
                            const std::filesystem::path& folder, const std::string& animation = "");
// .glb or .gltf
NodeTree read_animated_file(const std::filesystem::path& path, const std::string& animation = "");

// A .glb of nodes and their animation, without any mesh; a last node above the roots turns up to glTF's +Y.
// Numbers become 32-bit floats.
std::string write_animated_glb(const NodeTree& tree);

}  // namespace limber::build
