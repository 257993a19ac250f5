// SPDX-License-Identifier: Apache-2.0
// A scene in time, and what is recorded of it.
#pragma once
#include "build/progress.h"
#include "build/scene/scene.h"

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace limber::build {

// The largest errors of constraints, and when they were.
struct MissedTargets {
    double position = 0, position_time = 0;        // m, s
    double orientation = 0, orientation_time = 0;  // rad, s
};

// Of a rigid body, a column per frame, world axes.
struct RigidMotion {
    Eigen::VectorXd potential;         // of gravity, J; zero at the world's origin
    Eigen::MatrixXd centre;            // of mass, m
    Eigen::MatrixXd orientation;       // world from body, x y z w
    Eigen::MatrixXd momentum;          // kg m/s
    Eigen::MatrixXd angular_momentum;  // about the world's origin, kg m²/s
};

struct RecordedBody {
    Eigen::MatrixXd q;                 // coordinates x frames
    Eigen::VectorXd kinetic, elastic;  // J, per frame
    // Of a warped body: u = R̃(Ψ turned_by) (Φq + Γ companions); both 0: linear.
    Eigen::MatrixXd turned_by, companions;
    std::vector<Pose> poses;              // per frame, world from body; empty: it stands still
    std::optional<MissedTargets> missed;  // of a body that was constrained
    std::optional<RigidMotion> flight;    // of a rigid body
};

struct Recording {
    std::vector<double> times;            // s, one per frame; the first is 0
    std::vector<RecordedBody> bodies;     // as in the scene
    std::vector<Eigen::MatrixXd> probes;  // 3 x frames each: displacement in the world, m
    long long steps = 0;                  // of the scene
    double seconds = 0;                   // of stepping only
    int max_iterations = 0;               // Newton's, in one step of one body
    long long not_converged = 0;          // steps of bodies
    std::vector<std::string> problems;    // the first of them: when, which body, what
};

// Throws InputError where the frames would take more memory than a recording may.
Recording simulate(const Scene& scene, const Progress& progress = {});

// By the ending: .csv, .npz, or .glb, in which each body is a node with a weights animation. Returns what
// other programs will show wrong.
std::vector<std::string> write_recording(const std::filesystem::path& path, const Scene& scene,
                                         const Recording& recording);
// Throws InputError unless write_recording() knows the ending.
void check_recording_name(const std::filesystem::path& path);

}  // namespace limber::build
