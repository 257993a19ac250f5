// SPDX-License-Identifier: Apache-2.0
// What a motion leaves on disk while it is computed: all frames as .npy, a series of .vtu, the probe as .csv.
#pragma once
#include "build/file/npy.h"
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace limber::cli {

struct MotionFileNames {
    std::string npy, vtu, csv;  // empty: not written
};

class MotionFiles {
 public:
    MotionFiles(const MotionFileNames& names, const build::VolumeMesh& mesh);

    // One frame of the .npy and of the .vtu series.
    void frame(double time, const Eigen::VectorXd& u);
    // One row of the .csv.
    void probe(double time, const Eigen::Vector3d& displacement);
    // Makes the files appear, whole, with the frames written so far.
    void commit();
    std::size_t frames() const { return frames_; }

    // The files of a series that exist already, its first frame and its .pvd: what a motion may write for
    // this name of --vtu. Nothing without a name.
    static std::vector<std::filesystem::path> of_series(const std::string& vtu);

 private:
    std::filesystem::path vtu_stem_;
    const build::VolumeMesh& mesh_;
    std::optional<build::NpyRows> npy_;
    std::optional<build::AtomicFile> csv_;
    std::string pvd_entries_;
    std::size_t frames_ = 0;
};

}  // namespace limber::cli
