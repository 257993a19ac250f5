// SPDX-License-Identifier: Apache-2.0
// The skeletons of jelly-box and potbelly: persons who keep their feet on the ground until they jump.
#include "models/skeleton.h"

#include "models/models.h"

#include <gtest/gtest.h>

namespace limber::models {
namespace {

double height(const build::NodeTree& tree, const std::string& node, double time) {
    return pose_of(tree, find_node(tree, node, "the skeleton"), time).position.z();
}

TEST(Skeleton, BeginsUpright) {
    for (const build::NodeTree& tree : {jumping_skeleton(), dancing_skeleton()}) {
        // Pelvis 0.7 m above the ground; 0.15, 0.2, 0.2 and 0.15 m more to the head.
        EXPECT_NEAR(height(tree, "pelvis", 0), 0.7, 1e-12);
        EXPECT_NEAR(height(tree, "head", 0), 1.4, 1e-12);
        for (const char* foot : {"foot.L", "foot.R"}) {
            const Pose pose = pose_of(tree, find_node(tree, foot, "the skeleton"), 0);
            EXPECT_NEAR(pose.position.z(), 0, 1e-12);
            EXPECT_NEAR(pose.orientation.angularDistance(Eigen::Quaterniond::Identity()), 0, 1e-7);
        }
    }
}

TEST(Skeleton, TheJumpLeavesTheGroundAndComesBack) {
    const build::NodeTree tree = jumping_skeleton();
    for (double t = 0; t <= 4; t += 1.0 / 60)
        for (const char* foot : {"foot.L", "foot.R"}) {
            EXPECT_GE(height(tree, foot, t), -0.01) << t;
            // 1 cm: the spline between keys
            const bool grounded = t < 0.55 || t > 1.5;
            EXPECT_LE(height(tree, foot, t), grounded ? 0.01 : 1.0) << t;
        }
    EXPECT_GT(height(tree, "foot.L", 1.0), 0.3);
    EXPECT_GT(height(tree, "pelvis", 1.0), 0.7 + 0.4);
    EXPECT_LT(height(tree, "pelvis", 0.5), 0.6);  // crouches
}

// At 60 keys a second nothing goes faster than a person can: 8 m/s, 20 rad/s.
TEST(Skeleton, NothingJumpsFromKeyToKey) {
    for (const build::NodeTree& tree : {jumping_skeleton(), dancing_skeleton()})
        for (std::size_t n = 0; n < tree.nodes.size(); ++n)
            for (double t = 0; t < 4; t += 1.0 / 60) {
                const Pose a = pose_of(tree, static_cast<int>(n), t);
                const Pose b = pose_of(tree, static_cast<int>(n), t + 1.0 / 60);
                EXPECT_LE((a.position - b.position).norm(), 8.0 / 60) << tree.nodes[n].name << " at " << t;
                EXPECT_LE(a.orientation.angularDistance(b.orientation), 20.0 / 60)
                    << tree.nodes[n].name << " at " << t;
            }
}

TEST(Skeleton, ComesWithTheModelsThatFollowOne) {
    EXPECT_TRUE(motion("jelly-box"));
    EXPECT_TRUE(motion("potbelly"));
    EXPECT_FALSE(motion("bar"));
}

}  // namespace
}  // namespace limber::models
