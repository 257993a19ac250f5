// SPDX-License-Identifier: Apache-2.0
// The parts of a scene file; for the sources of this folder only. All throw InputError with the place.
#pragma once
#include "build/scene/json_reader.h"
#include "build/scene/scene.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace limber::build {

inline constexpr int kMostSteps = 1000000000;

// The folder of the scene, and the motions in it that were read already.
class SceneFolder {
 public:
    explicit SceneFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    std::shared_ptr<const NodeTree> motion(const std::string& file, const std::string& animation,
                                           const JsonPlace& place);

 private:
    std::filesystem::path folder_;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const NodeTree>> motions_;
};

SceneBody read_body(const JsonPlace& place, SceneFolder& folder);
// "name", which heads columns; `otherwise` if there is none.
std::string read_name(const JsonPlace& place, const std::string& otherwise);
// "at" and "force".
VertexPull read_pull(const JsonPlace& place, const Model& model);
// The one meant by "body": "NAME"; the only one, if it is left out.
std::size_t find_body(const JsonPlace& place, const std::vector<SceneBody>& bodies);

// The settings among the keys of an object. Keys of the other method, and what does not fit the model, are
// refused.
BodyChange read_change(const JsonPlace& place, SceneMethod method, const Model& model);

Eigen::Quaterniond read_rotation(const JsonPlace& place);
// "motion.glb#node", a list of such, {"node", "animation"} or {"frames", "interpolation"}.
Guide read_guide(const JsonPlace& place, SceneFolder& folder);
// [x, y, z] or [{"time", "position"} ...]; a quaternion or [{"time", "rotation"} ...]. One of them may be
// missing.
Guide read_path(const JsonPlace* position, const JsonPlace* rotation);

SceneConstraint read_constraint(const JsonPlace& place, const Scene& scene, SceneFolder& folder);
// "from" and "to" in s.
void read_span(const JsonPlace& place, double& from, double& to);

Replay read_replay(const JsonPlace& place, const Scene& scene);

}  // namespace limber::build
