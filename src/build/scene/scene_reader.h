// SPDX-License-Identifier: Apache-2.0
// The parts of a scene file; for the sources of this folder only. All throw InputError with the place: what
// the cursor found first, or what they refuse.
#pragma once
#include "build/scene/scene.h"

#include <limber/settings/json_cursor.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace limber::build {

// The run-time library's cursor notes the first problem and reads on with zeros; this library throws it.
inline void or_throw(const JsonCursor& at) {
    if (!at.ok()) throw *at.problem();
}
// A value read by this cursor, before it is used for more than being kept.
template <class T>
T or_throw(const JsonCursor& at, T value) {
    or_throw(at);
    return value;
}
[[noreturn]] inline void refuse(const JsonCursor& at, const std::string& problem,
                                const std::string& try_this = "") {
    at.fail(problem, try_this);
    throw *at.problem();  // an earlier one, if there is
}

inline constexpr int kMostSteps = 1000000000;

// The folder of the scene, and the models and motions in it that were read already.
class SceneFolder {
 public:
    explicit SceneFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    // Each file is read once. `rigid`: any closed surface will do.
    std::shared_ptr<const Model> model(const std::string& name, bool rigid);
    std::shared_ptr<const NodeTree> motion(const std::string& file, const std::string& animation,
                                           const JsonCursor& place);

 private:
    std::filesystem::path folder_;
    std::map<std::filesystem::path, std::shared_ptr<const Model>> models_;  // by canonical path
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const NodeTree>> motions_;
};

SceneBody read_body(const JsonCursor& place, SceneFolder& folder);
// "contact", "obstacles" and "devices", into the scene.
void read_touching(const JsonCursor& place, SceneFolder& folder, Scene& scene);
// "name", which heads columns; `otherwise` if there is none.
std::string read_name(const JsonCursor& place, const std::string& otherwise);
// Those of a text in the words of SELECT: "x>0.9".
std::vector<int> read_vertices(const JsonCursor& at, const Model& model);
// "at" and "force".
VertexPull read_pull(const JsonCursor& place, const Model& model);
// The one meant by "body": "NAME"; the only one, if it is left out.
std::size_t find_body(const JsonCursor& place, const std::vector<SceneBody>& bodies);

// "motion.glb#node", a list of such, {"node", "animation"} or {"frames", "interpolation"}.
Guide read_guide(const JsonCursor& place, SceneFolder& folder);
// [x, y, z] or [{"time", "position"} ...]; a quaternion or [{"time", "rotation"} ...]. One of them may be
// missing.
Guide read_path(const JsonCursor* position, const JsonCursor* rotation);

SceneConstraint read_constraint(const JsonCursor& place, const Scene& scene, SceneFolder& folder);
// "from" and "to" in s.
void read_span(const JsonCursor& place, double& from, double& to);

// Reads the models that inputs add bodies of, into scene.models.
void read_added_models(const JsonCursor& input, SceneFolder& folder, Scene& scene);
// { "time", inputs … }, into scene.events.
void read_event(const JsonCursor& place, SceneFolder& folder, Scene& scene);
// Reads the events as they will be read while the scene runs, until one adds or removes a body.
void check_events(const Scene& scene);
// The "recording" of a scene whose bodies were read.
Replay read_replay(const JsonCursor& scene_place, SceneFolder& folder, Scene& scene);

}  // namespace limber::build
