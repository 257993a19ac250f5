// SPDX-License-Identifier: Apache-2.0
// A scene in time, and what is recorded of it.
#pragma once
#include "build/progress.h"
#include "build/scene/scene.h"

#include <limber/world/contact_report.h>

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

// Of a body that flies, a column per frame, world axes.
struct RigidMotion {
    Eigen::VectorXd potential;         // of gravity, J; zero at the world's origin
    Eigen::MatrixXd centre;            // of mass, m
    Eigen::MatrixXd orientation;       // world from body, x y z w
    Eigen::MatrixXd momentum;          // kg m/s
    Eigen::MatrixXd angular_momentum;  // about the world's origin, kg m²/s
};

// Of a body that may touch; forces are means since the row before.
struct TouchMotion {
    Eigen::VectorXd contacts;  // points
    Eigen::MatrixXd force;     // of all contacts on the body, N, world axes, a column per frame
    Eigen::VectorXd depth;     // of the deepest contact at that time, m
};

// Every point that pushes at the time of a frame, one after the other; of the step that ended there.
struct RecordedContacts {
    std::vector<double> frame;
    // Places in the scene's lists; -1: none of them.
    std::vector<double> a, b, obstacle, device;
    // 3 numbers each, world axes: m; from b to a; on a, N s and N.
    std::vector<double> position, normal, impulse, force;
    std::vector<double> depth;  // m
    long long left_out = 0;     // beyond the memory that a recording may take
};

// A column per frame; forces are means since the row before.
struct RecordedDevice {
    Eigen::MatrixXd proxy;  // m
    Eigen::MatrixXd force;  // to the hand, N
};

struct RecordedBody {
    Eigen::MatrixXd q;                 // coordinates x frames
    Eigen::VectorXd kinetic, elastic;  // J, per frame
    // Of a warped body: u = R̃(Ψ turned_by) (Φq + Γ companions); both 0: linear.
    Eigen::MatrixXd turned_by, companions;
    std::vector<Pose> poses;              // per frame, world from body; empty: it stands still
    std::optional<MissedTargets> missed;  // of a body that was constrained
    std::optional<RigidMotion> flight;    // of a body that flies: rigid or free
    std::optional<TouchMotion> touch;     // where there is contact
};

// A domain that was detached while the scene ran; NaN in the frames before.
struct RecordedPiece {
    std::string name;
    RecordedBody body;
};

struct Recording {
    std::vector<double> times;            // s, one per frame; the first is 0
    std::vector<RecordedBody> bodies;     // as in the scene
    std::vector<RecordedPiece> pieces;    // in the order in which they came off
    std::vector<Eigen::MatrixXd> probes;  // 3 x frames each: displacement in the world, m
    std::vector<RecordedDevice> devices;  // as in the scene
    long long steps = 0;                  // of the scene
    double seconds = 0;                   // of stepping only
    int max_iterations = 0;               // Newton's, in one step of one body
    long long not_converged = 0;          // steps of bodies
    std::vector<std::string> problems;    // the first of them: when, which body, what
    // Where there is contact: what was chosen, and the worst of all steps.
    std::optional<ContactReport> contact;
    RecordedContacts contacts;
    // Steps in which some island reached a limit.
    long long contact_not_converged = 0;    // of Newton's method
    long long contact_speeds_off = 0;       // of the linearisations
    long long contact_radii_unsettled = 0;  // of the updates of friction radii
};

// Throws InputError where the frames would take more memory than a recording may. threads: of a step, 0: as
// many as the machine has; the recording does not depend on it.
Recording simulate(const Scene& scene, const Progress& progress = {}, int threads = 1);

// By the ending: .csv, .npz, or .glb, in which each body is a node with a weights animation. Returns what
// other programs will show wrong.
std::vector<std::string> write_recording(const std::filesystem::path& path, const Scene& scene,
                                         const Recording& recording);
// Throws InputError unless write_recording() knows the ending.
void check_recording_name(const std::filesystem::path& path);

}  // namespace limber::build
