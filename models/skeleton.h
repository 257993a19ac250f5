// SPDX-License-Identifier: Apache-2.0
// A person's skeleton that moves, for the characters that follow one. Facing -y, z up, in m; the pelvis 0.7
// above the ground.
#pragma once
#include "build/animation/node_tree.h"

namespace limber::models {

// Smooth in time. Angles in rad: a turn about z, a bend forward, a lean to the left; all relative to the part
// below.
struct Moves {
    build::Keyframes pelvis;             // x, y, z
    build::Keyframes soles;              // their height; how far the toes point down, rad; nothing
    build::Keyframes hips, torso, head;  // turn, bend, lean
    double seconds = 0;
};

// Nodes pelvis, spine, chest, neck, head, shoulder.L, shoulder.R, and thigh, shin, foot of both sides, with a
// key at each 1/60 s. Knees bend as the soles and the pelvis ask for.
build::NodeTree skeleton(const std::string& name, const Moves& moves);

// Crouches, jumps high with a turn, lands, and bows.
build::NodeTree jumping_skeleton();
// Swings and turns its hips, then hops.
build::NodeTree dancing_skeleton();

}  // namespace limber::models
