// SPDX-License-Identifier: Apache-2.0
#include "limber/world/session.h"

#include "limber/settings/json_cursor.h"
#include "limber/settings/read_settings.h"
#include "limber/world/device_json.h"
#include "limber/world/obstacle_json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace limber {
namespace {

using Json = nlohmann::json;

constexpr double kMostSteps = 9e15;  // whole numbers that a double holds

struct TimedInput {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
    long long step = 0;
    std::string where;
    std::optional<double> dt;
    Json input;  // without "step" and "dt"
};

struct Recorded {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
    Json scene;
    long long began = 0;  // the world's step
    std::vector<std::pair<long long, Json>> inputs;
};

struct Replayed {
    std::vector<TimedInput> inputs;
    std::size_t next = 0;
    long long began = 0, steps = 0;
};

std::vector<std::string> keys_of_recorded_input() {
    std::vector<std::string> keys = input_keys();
    keys.insert(keys.end(), {"step", "dt"});
    return keys;
}

long long read_step(const JsonCursor& at, long long least) {
    const double step = at.number({.least = double(least), .most = kMostSteps});
    if (at.ok() && step != std::floor(step)) at.fail("it is not a whole number");
    return at.ok() ? static_cast<long long>(step) : 0;
}

double read_dt(const JsonCursor& at) {
    return at.number({.least = 0, .above = true}, "s", "a hundredth of the period of the lowest mode");
}

Replayed read_recording(const JsonCursor& at) {
    Replayed out;
    if (!at.expect_keys({"version", "steps", "inputs"})) return out;
    out.steps = read_step(at.at("steps"), 0);
    long long last = 0;
    at.each("inputs", [&](const JsonCursor& p) {
        if (!p.expect_keys(keys_of_recorded_input())) return;
        TimedInput timed;
        timed.step = read_step(p.at("step"), 0);
        if (p.ok() && timed.step < last)
            return p.fail("step " + std::to_string(timed.step) + " is before step " + std::to_string(last) +
                              " of the input above it",
                          "inputs in the order of their steps");
        last = timed.step;
        p.when("dt", [&](const JsonCursor& dt) { timed.dt = read_dt(dt); });
        if (!p.ok()) return;
        timed.where = p.where();
        timed.input = p.value();
        timed.input.erase("step");
        timed.input.erase("dt");
        out.inputs.push_back(std::move(timed));
    });
    return out;
}

// Keys that say what is shown or written of a scene, not how it moves.
const std::vector<std::string> kSceneKeys = {"duration", "dt",        "gravity", "up",
                                             "every",    "bodies",    "probes",  "recording",
                                             "contact",  "obstacles", "devices", "wind"};

}  // namespace

struct Session::Impl {
    World world;
    double dt = 0.001;  // s
    std::map<std::string, std::shared_ptr<const Model>> models;
    std::optional<Recorded> recorded;
    std::optional<Replayed> replayed;
    std::optional<InputError> replay_problem;

    explicit Impl(const WorldDef& def) : world(def) {}

    ModelLookup lookup() const {
        return [this](const std::string& name) -> std::shared_ptr<const Model> {
            const auto found = models.find(name);
            return found == models.end() ? nullptr : found->second;
        };
    }
    Status apply(const Json& input, const std::string& where) {
        auto read = read_inputs(input, where, world, lookup());
        if (!read.ok()) return read.error();
        return apply_all(world, read.value());
    }
    // A later input of the same kind for the same body before the same step replaces the earlier one.
    void record(const Json& input) {
        if (!recorded) return;
        const long long step = world.steps() - recorded->began;
        const auto kind = [](const Json& each) {
            std::string text;
            for (const auto& [key, value] : each.items())
                text += key == "body" || key == "obstacle" || key == "device"
                            ? key + ":" + value.get<std::string>() + ";"
                            : key + ";";
            return text;
        };
        const bool replaces = !input.contains("add") && !input.contains("remove") && !input.contains("set") &&
                              !input.contains("add_obstacle") && !input.contains("add_device");
        if (replaces)
            for (std::size_t i = recorded->inputs.size(); i-- > 0 && recorded->inputs[i].first == step;)
                if (kind(recorded->inputs[i].second) == kind(input))
                    recorded->inputs.erase(recorded->inputs.begin() + static_cast<std::ptrdiff_t>(i));
        recorded->inputs.emplace_back(step, input);
    }
    bool play();
    Status begin_anew();
};

Session::Session(const WorldDef& def) : impl_(std::make_unique<Impl>(def)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Session Session::clone() const {
    Session copy;
    copy.impl_->world = impl_->world.clone();
    copy.impl_->dt = impl_->dt;
    copy.impl_->models = impl_->models;
    return copy;
}

World& Session::world() {
    return impl_->world;
}
const World& Session::world() const {
    return impl_->world;
}

void Session::add_model(const std::string& name, std::shared_ptr<const Model> model) {
    impl_->models[name] = std::move(model);
}
std::shared_ptr<const Model> Session::model(const std::string& name) const {
    return impl_->lookup()(name);
}
std::string Session::name_of(const Model& model) const {
    for (const auto& [name, known] : impl_->models)
        if (known.get() == &model) return name;
    return "";
}

double Session::dt() const {
    return impl_->dt;
}

Status Session::set_dt(double dt) {
    if (!(dt > 0) || !std::isfinite(dt))
        return InputError{"dt", number(dt) + " s is not above 0",
                          "a hundredth of the period of the lowest mode"};
    impl_->dt = dt;
    impl_->record({{"dt", dt}});
    return {};
}

Status Session::apply(const Json& input, const std::string& where) {
    Status done = impl_->apply(input, where);
    if (done.ok()) impl_->record(input);
    return done;
}

// Inputs that are due; false: one was refused, which ends the replay.
bool Session::Impl::play() {
    const long long step = world.steps() - replayed->began;
    for (; replayed->next < replayed->inputs.size() && replayed->inputs[replayed->next].step <= step;
         ++replayed->next) {
        const TimedInput& timed = replayed->inputs[replayed->next];
        if (timed.dt) dt = *timed.dt;
        if (timed.input.empty()) continue;
        if (Status done = apply(timed.input, timed.where); !done.ok()) {
            replay_problem = done.error();
            return false;
        }
    }
    return true;
}

int Session::step(int count) {
    impl_->replay_problem.reset();
    int made = 0;
    for (; made < count; ++made) {
        if (impl_->replayed) {
            const bool over = impl_->world.steps() - impl_->replayed->began >= impl_->replayed->steps;
            if (over || !impl_->play()) {
                stop_replay();
                break;
            }
        }
        impl_->world.step(impl_->dt);
    }
    return made;
}

const std::optional<InputError>& Session::replay_problem() const {
    return impl_->replay_problem;
}

// Every body is set to what a scene would say of it, so that the live world and a replay of its recording are
// the same to the last bit.
Status Session::Impl::begin_anew() {
    std::vector<Input> inputs;
    for (const WorldBody& body : world.bodies()) {
        const auto flight = body.flight();
        const bool soft = body.method() != Method::Rigid;
        // A free body is placed at rest and then bent, as a scene does it.
        if (flight && soft) inputs.emplace_back(SetState{body.id(), {}, {}});
        if (flight)
            inputs.emplace_back(
                PlaceBody{body.id(), body.pose(), flight->velocity, flight->angular_velocity});
        if (soft && (!flight || !body.q().isZero(0) || !body.v().isZero(0)))
            inputs.emplace_back(SetState{body.id(), body.q(), body.v()});
    }
    for (const WorldDevice& device : world.devices())
        inputs.emplace_back(PlaceDevice{device.id(), device.position()});
    inputs.emplace_back(SetContact{world.contact_settings()});  // nobody sleeps, nothing sticks yet
    return apply_all(world, inputs);
}

Status Session::start_recording() {
    Impl& in = *impl_;
    if (in.replayed) return InputError{"recording", "a replay is running", "stop it first"};
    Recorded recorded;
    recorded.began = in.world.steps();
    Json bodies = Json::array();
    for (const WorldBody& body : in.world.bodies()) {
        const std::string model = name_of(body.whole_model() ? *body.whole_model() : *body.model());
        if (model.empty())
            return InputError{"recording", "the model of body " + body.name() + " has no name",
                              "add_model()"};
        bodies.push_back(write_body(body, model));
        for (Json& input : write_inputs(body))
            recorded.inputs.emplace_back(0, std::move(input));
    }
    const Eigen::Vector3d& g = in.world.gravity();
    recorded.scene = {{"dt", in.dt}, {"gravity", {g.x(), g.y(), g.z()}}, {"bodies", std::move(bodies)}};
    if (const WindSettings* wind = in.world.wind())
        recorded.scene["wind"] = write_wind(*wind, in.world.wind_elapsed());
    if (in.world.contact_settings()) recorded.scene["contact"] = write_contact(*in.world.contact_settings());
    for (const WorldObstacle& obstacle : in.world.obstacles()) {
        recorded.scene["obstacles"].push_back(write_obstacle(obstacle));
        for (Json& input : write_obstacle_inputs(obstacle))
            recorded.inputs.emplace_back(0, std::move(input));
    }
    for (const WorldDevice& device : in.world.devices())
        recorded.scene["devices"].push_back(write_device(device));
    const WorldState before = in.world.save();
    Status begun = in.begin_anew();
    for (std::size_t i = 0; begun.ok() && i < recorded.inputs.size(); ++i)
        begun = in.apply(recorded.inputs[i].second, "recording");
    if (!begun.ok()) {
        const Status back = in.world.restore(before);
        return back.ok() ? begun : back;
    }
    in.recorded = std::move(recorded);
    return {};
}

bool Session::is_recording() const {
    return impl_->recorded.has_value();
}

Json Session::recorded() const {
    if (!impl_->recorded) return nullptr;
    const Recorded& recorded = *impl_->recorded;
    const long long steps = impl_->world.steps() - recorded.began;
    Json inputs = Json::array();
    for (const auto& [step, input] : recorded.inputs) {
        if (step >= steps) continue;
        Json timed = input;
        timed["step"] = step;
        inputs.push_back(std::move(timed));
    }
    Json scene = recorded.scene;
    scene["duration"] = static_cast<double>(steps) * scene["dt"].get<double>();
    scene["recording"] = {{"version", kRecordingVersion}, {"steps", steps}, {"inputs", std::move(inputs)}};
    return scene;
}

Json Session::stop_recording() {
    Json scene = recorded();
    impl_->recorded.reset();
    return scene;
}

Status Session::start_replay(const Json& given, const std::string& where) {
    Impl& in = *impl_;
    auto translated = translate_recording(given, where);
    if (!translated.ok()) return translated.error();
    const Json& scene = translated.value();
    std::optional<InputError> problem;
    const JsonCursor at(scene, where, problem);
    if (!at.expect_keys(kSceneKeys)) return std::move(*problem);
    Replayed replayed;
    replayed.steps = std::numeric_limits<long long>::max();
    at.when("recording", [&](const JsonCursor& p) { replayed = read_recording(p); });
    double dt = in.dt;
    at.when("dt", [&](const JsonCursor& p) { dt = read_dt(p); });
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
    at.when("gravity", [&](const JsonCursor& p) { gravity = p.vector3("m/s²"); });
    std::vector<Input> inputs;
    for (const WorldBody& body : in.world.bodies())
        inputs.emplace_back(RemoveBody{body.id()});
    for (const WorldObstacle& obstacle : in.world.obstacles())
        inputs.emplace_back(RemoveObstacle{obstacle.id()});
    for (const WorldDevice& device : in.world.devices())
        inputs.emplace_back(RemoveDevice{device.id()});
    inputs.emplace_back(SetGravity{gravity});
    ReadWind wind;
    at.when("wind", [&](const JsonCursor& p) { wind = read_wind(p); });
    inputs.emplace_back(SetWind{wind.settings, wind.elapsed});
    std::optional<ContactSettings> contact;
    if (at.has("contact") || at.has("obstacles") || at.has("devices")) contact.emplace();
    at.when("contact", [&](const JsonCursor& p) { contact = read_contact(p); });
    inputs.emplace_back(SetContact{contact});
    at.each("obstacles",
            [&](const JsonCursor& p) { inputs.emplace_back(read_obstacle_def(p, in.lookup())); });
    at.each("devices", [&](const JsonCursor& p) { inputs.emplace_back(read_device_def(p)); });
    if (at.ok())
        at.at("bodies").each(
            [&](const JsonCursor& p) { inputs.emplace_back(read_body_def(p, in.lookup())); });
    if (problem) return std::move(*problem);
    if (Status begun = apply_all(in.world, inputs); !begun.ok()) return begun;
    in.recorded.reset();
    in.replay_problem.reset();
    in.dt = dt;
    replayed.began = in.world.steps();
    in.replayed = std::move(replayed);
    return {};
}

std::optional<Session::Progress> Session::replay() const {
    if (!impl_->replayed) return std::nullopt;
    return Progress{impl_->world.steps() - impl_->replayed->began, impl_->replayed->steps};
}

void Session::stop_replay() {
    if (!impl_->replayed) return;
    impl_->replayed.reset();
    for (const WorldBody& body : impl_->world.bodies()) {
        Status ended = impl_->world.apply(SetSprings{body.id(), {}});
        if (ended.ok() && !body.flies())
            ended = impl_->world.apply(SetSupport{body.id(), body.support().pose, {}});
    }
}

}  // namespace limber
