// SPDX-License-Identifier: Apache-2.0
// Obstacles: shapes that stand or are moved, whatever touches them. What can happen to them are inputs of a
// world (input.h).
#pragma once
#include <limber/contact/shape.h>
#include <limber/rigid/frame.h>
#include <limber/rigid/support_path.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace limber {

// Of one world; never used again after the obstacle is gone.
struct ObstacleId {
    std::uint32_t world = 0;   // 0: no obstacle
    std::uint32_t number = 0;  // ascending in the order in which obstacles were added

    friend auto operator<=>(const ObstacleId&, const ObstacleId&) = default;  // NOLINT: takes 0 for a pointer
};

inline constexpr std::uint32_t kAllLayers = ~0u;

// Adding an obstacle turns contact on, with default settings, where nothing was said about it.
struct ObstacleDef {
    std::string name{};  // not that of a body or another obstacle; empty: "obstacle1", "obstacle2", …
    Shape shape{};
    Pose pose{};                        // world from shape
    std::optional<double> friction{};   // µ; none: that of the contact settings
    std::uint32_t layers = kAllLayers;  // touches whatever has a common bit; 0: nothing
    std::string mesh{};                 // what recordings call the mesh of a MeshShape
};

struct RemoveObstacle {
    ObstacleId obstacle;
};

// The obstacle stands here at the end of the next steps, and its surface moves like this: contacts feel the
// velocity also where the pose stays, as on a belt. In place of a path.
struct MoveObstacle {
    ObstacleId obstacle;
    Pose pose;           // world from shape
    FrameMotion motion;  // world axes
};

// It moves along a path from the next step on, from where it is, and stands still at its end.
struct FollowObstacle {
    ObstacleId obstacle;
    SupportPath path;
    double elapsed = 0;  // s, of the path, at the start of the next step
};

class WorldObstacle {
 public:
    ObstacleId id() const { return id_; }
    const std::string& name() const { return name_; }
    const Shape& shape() const { return shape_; }
    const std::string& mesh() const { return mesh_; }
    const Pose& pose() const { return pose_; }             // world from shape, at the end of the last step
    const FrameMotion& motion() const { return motion_; }  // world axes
    const std::optional<double>& friction() const { return friction_; }
    std::uint32_t layers() const { return layers_; }
    const std::optional<SupportPath>& path() const { return path_; }
    const Pose& path_start() const { return path_start_; }
    double path_elapsed() const { return path_elapsed_; }  // s

 private:
    friend class World;
    friend struct ContactStage;
    ObstacleId id_;
    std::string name_;
    Shape shape_;
    std::string mesh_;
    Pose pose_;
    FrameMotion motion_;
    std::optional<double> friction_;
    std::uint32_t layers_ = kAllLayers;
    std::optional<SupportPath> path_;
    Pose path_start_;  // world from shape when the path began
    double path_elapsed_ = 0;
};

}  // namespace limber
