// SPDX-License-Identifier: Apache-2.0
// A model is a glTF 2.0 binary: the surface is a mesh, the basis its morph targets, a recorded motion a
// weights animation; limber's own data stand in the extension LIMBER_model. Layout: docs/model_file.md.
// Reading takes hostile bytes: sizes, types and checksums are checked before memory is taken. No exceptions.
#pragma once
#include <limber/model/model.h>
#include <limber/result.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

// The newest version that is read. A file has the lowest version whose readers understand it: 7 for a tree of
// domains, 6 with the inertia tensors, 4 without them, and 5 without the reduced energy.
inline constexpr int kModelFileVersion = 7;

// `name` is for messages.
Result<std::shared_ptr<const Model>> read_model(std::string_view bytes, const std::string& name);

// A motion to store with the model as a weights animation: frame times in s, and q for each (r x frames).
struct RecordedMotion {
    std::string name = "motion";
    std::vector<double> times;
    Eigen::MatrixXd q;
};

struct ModelFileOptions {
    bool morph_normals = false;  // NORMAL targets too: twice the size
};

// A .glb file.
struct ModelBytes {
    std::string bytes;
    // What other programs will show wrong: "motion 'fall': weight 3 reaches 14.2 ..."
    std::vector<std::string> warnings;
};

// The same model gives the same bytes. `where` is for messages. A target_scale that is not chosen yet is
// chosen.
Result<ModelBytes> write_model(const Model& model, const std::vector<RecordedMotion>& motions = {},
                               const ModelFileOptions& options = {}, const std::string& where = "the model");

// A surface that moves, for programs that show it: no part of it is limber's own. Shape i is a morph target.
struct MovingSurface {
    std::string name;
    UpAxis up = UpAxis::Z;
    const ModelSurface& surface;    // its basis is not used
    const Eigen::MatrixXd& shapes;  // 3s x k, rows 3·vertex + component
    // k: target i is scale_i shape_i, its weight q_i / scale_i (target_scale_of()).
    const Eigen::VectorXd& scale;
};
Result<ModelBytes> write_moving_surface(const MovingSurface& shown,
                                        const std::vector<RecordedMotion>& motions,
                                        const ModelFileOptions& options, const std::string& where);

}  // namespace limber
