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

// The folder of the scene, and the models and motions in it that were read already.
class SceneFolder {
 public:
    explicit SceneFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    // Each file is read once. `rigid`: any closed surface will do.
    std::shared_ptr<const Model> model(const std::string& name, bool rigid);
    std::shared_ptr<const NodeTree> motion(const std::string& file, const std::string& animation,
                                           const JsonPlace& place);

 private:
    std::filesystem::path folder_;
    std::map<std::filesystem::path, std::shared_ptr<const Model>> models_;  // by canonical path
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const NodeTree>> motions_;
};

SceneBody read_body(const JsonPlace& place, SceneFolder& folder);
// "name", which heads columns; `otherwise` if there is none.
std::string read_name(const JsonPlace& place, const std::string& otherwise);
// "at" and "force".
VertexPull read_pull(const JsonPlace& place, const Model& model);
// The one meant by "body": "NAME"; the only one, if it is left out.
std::size_t find_body(const JsonPlace& place, const std::vector<SceneBody>& bodies);

Eigen::Quaterniond read_rotation(const JsonPlace& place);
// "motion.glb#node", a list of such, {"node", "animation"} or {"frames", "interpolation"}.
Guide read_guide(const JsonPlace& place, SceneFolder& folder);
// [x, y, z] or [{"time", "position"} ...]; a quaternion or [{"time", "rotation"} ...]. One of them may be
// missing.
Guide read_path(const JsonPlace* position, const JsonPlace* rotation);

SceneConstraint read_constraint(const JsonPlace& place, const Scene& scene, SceneFolder& folder);
// "from" and "to" in s.
void read_span(const JsonPlace& place, double& from, double& to);

// Reads the models that inputs add bodies of, into scene.models.
void read_added_models(const JsonPlace& input, SceneFolder& folder, Scene& scene);
// { "time", inputs … }, into scene.events.
void read_event(const JsonPlace& place, SceneFolder& folder, Scene& scene);
// Reads the events as they will be read while the scene runs, until one adds or removes a body.
void check_events(const Scene& scene);
// The "recording" of a scene whose bodies were read.
Replay read_replay(const JsonPlace& scene_place, SceneFolder& folder, Scene& scene);

}  // namespace limber::build
