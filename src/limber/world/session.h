// SPDX-License-Identifier: Apache-2.0
// A world that is driven by JSON inputs, records them by step number and plays recordings: what the page, C,
// Python and `limber simulate` share. docs/recording.md.
#pragma once
#include <limber/world/input_json.h>
#include <limber/world/world.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace limber {

// The version of recordings that is written; older ones are translated when they are read.
inline constexpr int kRecordingVersion = 3;

class Session {
 public:
    explicit Session(const WorldDef& def = {});
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    // A second world that goes on bit by bit, with the same models and dt. It neither records nor replays.
    Session clone() const;

    World& world();
    const World& world() const;

    // Models by the names that inputs, scenes and recordings call them.
    void add_model(const std::string& name, std::shared_ptr<const Model> model);
    std::shared_ptr<const Model> model(const std::string& name) const;
    // The name of a model; empty: it has none here.
    std::string name_of(const Model& model) const;

    double dt() const;         // s, of the next step
    Status set_dt(double dt);  // recorded
    // One input, { "body", "pull", … }: recorded where it succeeds. On an error nothing changes.
    Status apply(const nlohmann::json& input, const std::string& where = "input");

    // Up to `count` steps of dt; fewer where a replay ends, or where one of its inputs is refused. Inputs of
    // a replay come before their step.
    int step(int count);
    // Why the last step() ended early: an input of the replay was refused.
    const std::optional<InputError>& replay_problem() const;

    // From the present on: the world begins anew with its shapes, speeds, forces and constraints, as a replay
    // will begin.
    Status start_recording();
    bool is_recording() const;
    // { "dt", "gravity", "bodies", "recording" } so far: a scene.
    nlohmann::json recorded() const;
    nlohmann::json stop_recording();

    // Bodies, gravity and dt of the scene in place of those that are here. On an error nothing changes. A
    // scene without "recording" has no inputs and no end.
    Status start_replay(const nlohmann::json& scene, const std::string& where = "recording");
    // Steps made and steps in all.
    struct Progress {
        long long step = 0, steps = 0;
    };
    std::optional<Progress> replay() const;  // none: live
    // What pulls and carries the bodies ends with it; they move on.
    void stop_replay();

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A recording up to version 2 with "mount": "fixed" for its soft bodies, which did not fly then, whether
// something of them was fixed or not; any other scene as it is.
nlohmann::json with_old_mounts(nlohmann::json scene);

// A recording of an older version as one of the present version; one of the present version as it is. `where`
// is for messages.
Result<nlohmann::json> translate_recording(const nlohmann::json& scene, const std::string& where);

}  // namespace limber
