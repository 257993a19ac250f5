// SPDX-License-Identifier: Apache-2.0
// The reduced model against the full one: the same push, the same time step, the same damping (Barbič &
// James 2005, section 7).
#pragma once
#include "build/file/npy.h"
#include "build/progress.h"
#include "build/validate/local_compliance.h"

#include <limber/model/model.h>

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber::build {

// Everything that is left out is chosen from the model; Validation tells what it became.
struct ValidateOptions {
    std::string push{};   // SELECT on the surface; empty: the vertex farthest from the fixed
    std::string probe{};  // SELECT; empty: what is pushed
    std::optional<Eigen::Vector3d> force{};  // N in all; none: along the first mode, sized by `bend`
    double bend = 0.25;  // how far the push shall move the probe, as a fraction of the body's length
    std::optional<double> push_duration{};  // s; none: a tenth of the first mode's period
    double periods = 5;                     // of the first mode
    std::optional<double> duration{};       // s; instead of `periods`
    std::optional<double> dt{};             // s; none: a hundredth of the first mode's period
    std::optional<double> alpha{}, beta{};  // 1/s and s; none: beta that damps the first mode by 1%
    // The full motion of an earlier test with the same push, step and damping (frames x n x 3), instead of
    // stepping the full model again.
    std::shared_ptr<const NpyArray> full_motion{};
    std::optional<int> rank{};      // only the first basis vectors
    int points = 12;                // at which local compliance is measured
    std::vector<std::string> at{};  // SELECT: places at which it is measured too
};

struct Trajectory {
    Eigen::MatrixXd probe;             // 3 x frames: mean displacement, m
    Eigen::VectorXd signal;            // frames: the probe along the push, m
    Eigen::VectorXd kinetic, elastic;  // frames, J
    double frequency_hz = 0;           // 0: it never swung back and forth
    double amplitude = 0;              // m, of the first swing
    double seconds = 0;                // of its steps; 0 where they were read
};

// Both surfaces at one time, 3s entries each, m.
struct Instant {
    double time = 0;
    Eigen::VectorXd full, reduced;
};

struct Validation {
    // The test, as it was done.
    std::vector<int> pushed, probed;  // vertices of the surface
    Eigen::Vector3d force{0, 0, 0};
    double push_duration = 0, dt = 0, duration = 0, alpha = 0, beta = 0;
    double first_frequency_hz = 0;  // of small vibrations of the reduced model
    int rank = 0;
    long long steps = 0;

    // The result: relative to the full model. None where there was too little motion to tell.
    std::optional<double> frequency_error, amplitude_error, displacement_error;
    // As displacement_error, but each half period of the full motion against the reduced motion shifted in
    // time as it fits best: a phase that drifts does not count. docs/math/validation.md (4).
    std::optional<double> shape_error;
    LocalCompliance local_compliance;
    Trajectory full, reduced;  // frame i at i dt
    std::vector<Instant> instants;
    bool converged = true;
    std::string problem;  // empty if converged
};

// Called with every frame of the full model's displacement (3n).
using FullFrame = std::function<void(const Eigen::VectorXd& u)>;

// Throws InputError for lean models (there is nothing to compare with) and free ones (they would fly off).
Validation validate(const std::shared_ptr<const Model>& model, const ValidateOptions& options = {},
                    const Progress& progress = {}, const FullFrame& frame = {});

// A page of its own, with plots and pictures.
std::string html_report(const Model& model, const Validation& validation, const std::string& file_name);

}  // namespace limber::build
