// SPDX-License-Identifier: Apache-2.0
#include "models/skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace limber::models {
namespace {

using build::AnimatedNode;
using build::Keyframes;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kThigh = 0.35, kShin = 0.35;  // m
constexpr double kRate = 60;                   // keys a second

struct Bone {
    const char* name;
    int parent;
    Vector3d at;  // in the parent
};

enum Part {
    kPelvis,
    kSpine,
    kChest,
    kNeck,
    kHead,
    kShoulderL,
    kShoulderR,
    kThighL,
    kShinL,
    kFootL,
    kThighR,
    kShinR,
    kFootR
};

const std::array<Bone, 13>& bones() {
    static const std::array<Bone, 13> kBones = {{{"pelvis", -1, {0, 0, 0.7}},
                                                 {"spine", kPelvis, {0, 0, 0.15}},
                                                 {"chest", kSpine, {0, 0, 0.2}},
                                                 {"neck", kChest, {0, 0, 0.2}},
                                                 {"head", kNeck, {0, 0, 0.15}},
                                                 {"shoulder.L", kChest, {0.19, 0, 0.1}},
                                                 {"shoulder.R", kChest, {-0.19, 0, 0.1}},
                                                 {"thigh.L", kPelvis, {0.1, 0, 0}},
                                                 {"shin.L", kThighL, {0, 0, -kThigh}},
                                                 {"foot.L", kShinL, {0, 0, -kShin}},
                                                 {"thigh.R", kPelvis, {-0.1, 0, 0}},
                                                 {"shin.R", kThighR, {0, 0, -kThigh}},
                                                 {"foot.R", kShinR, {0, 0, -kShin}}}};
    return kBones;
}

Quaterniond bend(double angle) {
    return Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitX()));
}

Quaterniond turned(const Vector3d& turn_bend_lean) {
    return Eigen::AngleAxisd(turn_bend_lean[0], Vector3d::UnitZ()) *
           Eigen::AngleAxisd(turn_bend_lean[1], Vector3d::UnitX()) *
           Eigen::AngleAxisd(turn_bend_lean[2], Vector3d::UnitY());
}

// The two legs are alike and stay below the hips: the thigh goes forward by as much as the shin goes back, so
// that hip and ankle are 2 l cos a apart.
double leg_angle(double height_of_pelvis, double height_of_soles) {
    return std::acos(std::clamp((height_of_pelvis - height_of_soles) / (kThigh + kShin), 0.3, 1.0));
}

std::array<Quaterniond, 13> rotations_at(const Moves& moves, double time) {
    const Vector3d torso = 0.5 * vector_at(moves.torso, time), head = 0.5 * vector_at(moves.head, time);
    const Vector3d soles = vector_at(moves.soles, time);
    const double leg = leg_angle(vector_at(moves.pelvis, time).z(), soles[0]);
    std::array<Quaterniond, 13> out;
    out.fill(Quaterniond::Identity());
    out[kPelvis] = turned(vector_at(moves.hips, time));
    out[kSpine] = out[kChest] = turned(torso);
    out[kNeck] = out[kHead] = turned(head);
    out[kThighL] = out[kThighR] = bend(-leg);
    out[kShinL] = out[kShinR] = bend(2 * leg);
    out[kFootL] = out[kFootR] = bend(soles[1] - leg);
    return out;
}

// A time and three values a row.
Keyframes keys(const std::vector<std::array<double, 4>>& rows) {
    std::vector<double> times, values;
    for (const auto& row : rows) {
        times.push_back(row[0]);
        values.insert(values.end(), row.begin() + 1, row.end());
    }
    return build::smooth_keyframes(std::move(times), std::move(values), 3);
}

}  // namespace

build::NodeTree skeleton(const std::string& name, const Moves& moves) {
    const auto count = static_cast<int>(std::round(moves.seconds * kRate)) + 1;
    std::vector<double> times, places;
    std::array<std::vector<double>, 13> turns;
    for (int i = 0; i < count; ++i) {
        times.push_back(i / kRate);
        const Vector3d place = vector_at(moves.pelvis, times.back());
        places.insert(places.end(), place.begin(), place.end());
        const auto rotations = rotations_at(moves, times.back());
        for (std::size_t b = 0; b < turns.size(); ++b)
            turns[b].insert(turns[b].end(), rotations[b].coeffs().begin(), rotations[b].coeffs().end());
    }
    const auto shared = [](std::vector<double> values) {
        return std::make_shared<const std::vector<double>>(std::move(values));
    };
    const auto all_times = shared(std::move(times));
    build::NodeTree tree;
    tree.animation = name;
    for (std::size_t b = 0; b < bones().size(); ++b) {
        const Bone& bone = bones()[b];
        AnimatedNode node;
        node.name = bone.name;
        node.parent = bone.parent;
        node.translation = bone.at;
        if (b != kShoulderL && b != kShoulderR)
            node.turns = Keyframes{build::Interpolation::Linear, all_times, shared(std::move(turns[b]))};
        if (b == kPelvis) node.moves = Keyframes{build::Interpolation::Linear, all_times, shared(places)};
        tree.nodes.push_back(std::move(node));
    }
    return tree;
}

build::NodeTree jumping_skeleton() {
    Moves moves;
    moves.seconds = 4;
    // 0.44 m high, and 0.24 m to the front.
    moves.pelvis = keys({{0, 0, 0, 0.7},
                         {0.45, 0, 0, 0.52},
                         {0.6, 0, 0, 0.52},
                         {0.7, 0, 0, 0.72},
                         {0.85, 0, -0.06, 1.05},
                         {1.0, 0, -0.12, 1.15},
                         {1.15, 0, -0.18, 1.05},
                         {1.3, 0, -0.24, 0.7},
                         {1.45, 0, -0.24, 0.48},
                         {1.9, 0, -0.24, 0.7},
                         {2.0, 0, -0.24, 0.7},
                         {4, 0, -0.24, 0.7}});
    moves.soles = keys({{0, 0, 0, 0},
                        {0.55, 0, 0, 0},
                        {0.6, 0, 0, 0},
                        {0.72, 0.04, 0.6, 0},
                        {0.85, 0.4, 0.5, 0},
                        {1.0, 0.62, 0, 0},
                        {1.15, 0.42, -0.3, 0},
                        {1.25, 0.12, -0.2, 0},
                        {1.32, 0.01, 0, 0},
                        {1.4, 0, 0, 0},
                        {1.45, 0, 0, 0},
                        {4, 0, 0, 0}});
    moves.hips = keys({{0, 0, 0, 0},
                       {0.5, -0.2, 0.15, 0},
                       {0.7, 0, 0, 0},
                       {1.3, 1.45, 0, 0},
                       {1.6, 1.57, 0.1, 0},
                       {2.4, 1.57, 0, 0},
                       {3, 1.2, 0, 0},
                       {4, 1.2, 0, 0}});
    moves.torso = keys({{0, 0, 0, 0},
                        {0.5, -0.5, 0.7, 0},
                        {0.8, 0.3, -0.25, 0},
                        {1.05, 0.6, 0.1, 0},
                        {1.3, 0.2, 0.2, 0},
                        {1.55, 0, 0.7, 0},
                        {2, 0, 0, 0},
                        {2.5, 0, 0.9, 0},
                        {2.9, 0.5, 0.3, 0.4},
                        {3.3, -0.5, 0.1, -0.4},
                        {4, 0, 0, 0}});
    moves.head = keys({{0, 0, 0, 0},
                       {0.5, 0.3, -0.3, 0},
                       {0.9, -0.6, -0.2, 0},
                       {1.3, -0.3, 0.2, 0},
                       {2, 0, 0, 0},
                       {2.5, 0, 0.4, 0},
                       {3.1, 0.5, 0, -0.3},
                       {4, 0, 0, 0}});
    return skeleton("jump", moves);
}

build::NodeTree dancing_skeleton() {
    constexpr int kBeats = 12;
    Moves moves;
    moves.seconds = kBeats / 3.0;
    std::vector<std::array<double, 4>> pelvis, soles, hips, torso, head;
    for (int beat = 0; beat <= kBeats; ++beat) {
        const double t = beat / 3.0;
        const double side = beat == 0 || beat == kBeats ? 0 : beat % 2 == 0 ? 1 : -1;
        const bool hop = beat == 7 || beat == 9;
        pelvis.push_back({t, 0.12 * side, 0, hop ? 0.95 : side == 0 ? 0.7 : 0.62});
        soles.push_back({t, hop ? 0.2 : 0, 0, 0});
        hips.push_back({t, 0.35 * side, 0, -0.25 * side});
        torso.push_back({t, -0.5 * side, hop ? -0.1 : 0.1 * std::abs(side), 0.3 * side});
        head.push_back({t, 0.3 * side, 0, 0.15 * side});
    }
    moves.pelvis = keys(pelvis);
    moves.soles = keys(soles);
    moves.hips = keys(hips);
    moves.torso = keys(torso);
    moves.head = keys(head);
    return skeleton("dance", moves);
}

}  // namespace limber::models
