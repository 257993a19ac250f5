// SPDX-License-Identifier: Apache-2.0
// One step in time of a tree of domains: the midpoint rule with few Newton iterations, guarded by smaller
// steps. docs/math/domains.md, section 5.
#pragma once
#include <limber/domains/tree_dynamics.h>

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace limber {

// Restored, the motion goes on bit by bit.
struct TreeState {
    double time = 0;  // s
    // Of a free root: its pose, the velocity of its origin in world axes, m/s, and the angular velocity in
    // its own axes, rad/s. Of a carried root they stay as they were.
    Pose root;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
    Eigen::VectorXd q, v;  // all domains' coordinates, in their order
    // Of a carried root: its frame at the end of the last step; none: the motion begins. DomainsBody keeps
    // it.
    std::optional<FrameMotion> frame{};
};

struct TreeStepOptions {
    Coupling coupling = Coupling::Exact;
    RootMount mount = RootMount::Carried;
    TreeDamping damping;
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();   // m/s², world axes
    FrameMotion frame;                                   // of a carried root, in the middle of the step
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // of a carried root's origin in the world, m
    double tolerance = 1e-2;                             // Newton ends at a correction of this part of q̈
    double length = 1;                                   // of the tree, m: for what is negligible
};

struct TreeStepReport {
    int iterations = 0;   // Newton's, of all parts of the step
    int halvings = 0;     // attempts that were given up for half of their length
    int euler_steps = 0;  // eighths of the step made by linearly implicit Euler
    bool finite = true;   // false: no end of the step was found
};

// What acts on a tree beside its forces, all through the step.
struct TreeImpulse {
    const Eigen::VectorXd* coordinates = nullptr;  // on q̇, N s in the units of q
    // Of a free root: the sum of all impulses, N s, and their moment about `about`, N m s; world axes.
    Eigen::Vector3d sum = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
    Eigen::Vector3d about = Eigen::Vector3d::Zero();  // m
};

// Newton iterations of one attempt, and parts that a step may be cut into.
inline constexpr int kTreeNewton = 8, kTreeParts = 8;

class TreeStepper {
 public:
    explicit TreeStepper(const DomainTree& tree);

    // Sets `end` to the state dt later. impulse: or null. Allocates nothing where `end` has its sizes. At
    // most 136 Newton iterations: 15 attempts of 8, and 8 steps by Euler of 2.
    TreeStepReport step(const DomainTree& tree, const std::vector<DomainState>& domains,
                        const std::vector<DomainForce>& forces, const TreeStepOptions& options,
                        const TreeState& start, double dt, const TreeImpulse* impulse, TreeState& end);

    TreeWork work;
    // Of a free root, at the start and the end of the last step; of the end without inertia.
    TreeMomentum start_momentum, end_momentum;

 private:
    struct Attempt;
    bool midpoint(const Attempt& of, double h);
    bool euler(const Attempt& of, double h);
    // One Newton iteration at the pose, q and v of the middle (or end) of the step.
    bool iterate(const Attempt& of, const TreeWeights& weights, const RootMotion& root);
    // Takes back a part of the last correction in domains where it went too far.                      (34)
    void shorten(const Attempt& of, double h);
    void begin(const Attempt& of);
    void finish(const Attempt& of, double h);

    TreeState from_, to_;  // of the present part of the step
    TreeMomentum before_;  // of a free root, at the start of that part
    Eigen::VectorXd a_, q_, v_;
    Vector6d root_a_;  // acceleration of a free root's origin and its angular acceleration, its axes
    double correction_norm_ = 0, norm_ = 0;  // √J: weighted by mass
};

// The root's motion in a state.
RootMotion root_motion(const TreeStepOptions& options, const TreeState& state);

}  // namespace limber
