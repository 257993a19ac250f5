// SPDX-License-Identifier: Apache-2.0
// A model is a glTF 2.0 binary: the surface is a mesh, the basis its morph targets, a recorded motion a
// weights animation; limber's own data stand in the extension LIMBER_model. Layout: docs/model_file.md.
// Reading takes hostile bytes: sizes, types and checksums are checked before memory is taken. No exceptions.
#pragma once
#include <limber/input_error.h>
#include <limber/model/model.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

// The version written, and the newest that is read.
inline constexpr int kModelFileVersion = 4;

// Either a model or the reason why not.
struct ModelResult {
    std::shared_ptr<const Model> model;
    InputError error;
    explicit operator bool() const { return model != nullptr; }
};

// `name` is for messages.
ModelResult read_model(std::string_view bytes, const std::string& name);

// A motion to store with the model as a weights animation: frame times in s, and q for each (r x frames).
struct RecordedMotion {
    std::string name = "motion";
    std::vector<double> times;
    Eigen::MatrixXd q;
};

struct ModelFileOptions {
    bool morph_normals = false;  // NORMAL targets too: twice the size
};

// Either the bytes of a .glb file or the reason why not.
struct ModelBytes {
    std::string bytes;
    // What other programs will show wrong: "motion 'fall': weight 3 reaches 14.2 ..."
    std::vector<std::string> warnings;
    InputError error;
    explicit operator bool() const { return !bytes.empty(); }
};

// The same model gives the same bytes. `where` is for messages. A target_scale that is not chosen yet is
// chosen.
ModelBytes write_model(const Model& model, const std::vector<RecordedMotion>& motions = {},
                       const ModelFileOptions& options = {}, const std::string& where = "the model");

}  // namespace limber
