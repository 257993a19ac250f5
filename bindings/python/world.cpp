// SPDX-License-Identifier: Apache-2.0
// Worlds of many bodies, driven by the inputs of docs/recording.md.
#include "bindings/python/progress.h"
#include "bindings/python/python_world.h"
#include "build/scene/scene.h"

#include <limber/world/device_json.h>
#include <limber/world/obstacle_json.h>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>

namespace limber::python {

using Json = nlohmann::json;

void PythonWorld::add_model(const std::string& name, PythonModelPointer model) {
    if (const auto known = session.model(name)) {
        if (known == model->model) return;
        throw InputError{"models", fmt::format("'{:.80}' is another model of this world", name),
                         "another name"};
    }
    session.add_model(name, model->model);
    models.emplace_back(name, std::move(model));
}

const std::string& PythonWorld::name_of(const PythonModelPointer& model) {
    for (const auto& [name, known] : models)
        if (known->model == model->model) return name;
    const std::string stem = model->model->name.empty() ? "model" : model->model->name;
    std::string name = stem + ".glb";
    for (int number = 2; session.model(name); ++number)
        name = fmt::format("{}-{}.glb", stem, number);
    add_model(name, model);
    return models.back().first;
}

std::string name_of(PythonWorld& world, const py::handle& body, const std::string& where) {
    if (py::isinstance<py::str>(body)) return text_of(body, where);
    if (!py::isinstance<BodyHandle>(body))
        throw InputError{where,
                         fmt::format("{} is neither a body of a world nor the name of one", shown(body)), ""};
    const auto& handle = body.cast<const BodyHandle&>();
    if (handle.world.get() != &world) throw InputError{where, "it is of another world", ""};
    return handle.body().name();
}

Json input_of(PythonWorld& world, const py::dict& given, const std::string& where) {
    const auto input = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
    if (input.contains("body") && !input["body"].is_none())
        input["body"] = name_of(world, input["body"], where + ": body");
    if (input.contains("add") && py::isinstance<py::dict>(input["add"])) {
        const auto add = py::reinterpret_steal<py::dict>(PyDict_Copy(py::object(input["add"]).ptr()));
        if (add.contains("model") && py::isinstance<PythonModel>(add["model"]))
            add["model"] = world.name_of(add["model"].cast<PythonModelPointer>());
        input["add"] = add;
    }
    return json_of(input, where);
}

py::dict merged(const py::object& input, const py::kwargs& words) {
    if (input.is_none()) return words;
    if (!py::isinstance<py::dict>(input))
        throw InputError{"apply", fmt::format("{} is no dictionary", shown(input)),
                         "apply(body=body, pull={...})"};
    const auto out = py::reinterpret_steal<py::dict>(PyDict_Copy(input.ptr()));
    for (const auto& [key, value] : words)
        out[key] = value;
    return out;
}

namespace {

WorldPointer new_world(const py::object& gravity, int threads) {
    if (threads < 0 || threads > 1024)
        throw InputError{"World: threads", fmt::format("{} is not from 0 to 1024", threads), "0: all cores"};
    WorldDef def;
    auto with = std::make_shared<const build::WorldThreads>(threads);
    def.parallel_for = with->parallel_for();
    if (!gravity.is_none()) def.gravity = vector3_of(gravity, "World: gravity");
    return std::make_shared<PythonWorld>(def, std::move(with));
}

void apply(PythonWorld& world, const py::dict& given, const std::string& where) {
    check(world.session.apply(input_of(world, given, where), where));
}

BodyHandle add(const WorldPointer& world, const PythonModelPointer& model, const py::kwargs& words) {
    Json def = json_of_words(words, "add");
    if (def.contains("model")) throw InputError{"add: model", "it is the first argument", ""};
    def["model"] = world->name_of(model);
    // The place of errors is that of the argument: "add: damping".
    const Json input = {{"add", std::move(def)}};
    check(world->session.apply(input, ""));
    return {world, world->world().bodies().back().id()};
}

void remove(PythonWorld& world, const py::object& body) {
    const Json input = {{"body", name_of(world, body, "remove")}, {"remove", true}};
    check(world.session.apply(input, "remove"));
}

py::list bodies(const WorldPointer& world) {
    py::list out;
    for (const WorldBody& body : world->world().bodies())
        out.append(BodyHandle{world, body.id()});
    return out;
}

BodyHandle body_named(const WorldPointer& world, const std::string& name) {
    if (const auto id = world->world().find(name)) return {world, *id};
    std::string known;
    for (const WorldBody& body : world->world().bodies())
        if (known.size() < 200) known += (known.empty() ? "" : ", ") + body.name();
    throw InputError{"body", fmt::format("there is no body '{:.80}'", name),
                     known.empty() ? "add() one" : known};
}

// Of all the steps: refused ones are counted together.
WorldReport step(PythonWorld& world, const std::optional<double>& dt, int steps) {
    checked_steps(steps);
    if (dt) {
        checked_dt(*dt);
        if (world.session.replay())
            throw InputError{"step: dt", "a replay makes the steps of its recording", "leave it out"};
        if (*dt != world.session.dt()) check(world.session.set_dt(*dt));
    }
    WorldReport report = world.world().report();
    report.not_converged = report.iterations = 0;
    for (int i = 0; i < steps; ++i) {
        between_steps(i);
        if (world.session.step(1) == 0) break;  // the replay is over
        const WorldReport& last = world.world().report();
        report = {last.step, last.time, report.not_converged + last.not_converged,
                  std::max(report.iterations, last.iterations), last.contact};
    }
    if (const auto& problem = world.session.replay_problem()) throw *problem;
    return report;
}

// Whose steps are counted cannot go back.
void refuse_while_recording(const PythonWorld& world, const char* where) {
    if (world.session.is_recording()) throw InputError{where, "a recording is running", "stop_recording()"};
    if (world.session.replay()) throw InputError{where, "a replay is running", "stop_replay()"};
}

void restore(PythonWorld& world, const WorldState& state) {
    refuse_while_recording(world, "restore");
    check(world.world().restore(state));
}

py::object progress_of_replay(const PythonWorld& world) {
    const auto progress = world.session.replay();
    if (!progress) return py::none();
    return py::make_tuple(progress->step, progress->steps);
}

struct NamedModel {
    std::string name;
    bool rigid;  // any closed surface will do
};

void add_name(std::vector<NamedModel>& out, const Json& body) {
    if (body.is_object() && body.contains("model") && body["model"].is_string())
        out.push_back({body["model"].get<std::string>(), body.value("method", Json()) == "rigid"});
}

// The models that a scene names; what is not as it should be is told by its reader.
std::vector<NamedModel> models_of(const Json& scene) {
    std::vector<NamedModel> out;
    if (!scene.is_object()) return out;
    const auto list = [](const Json& object, const char* key) {
        return object.is_object() && object.contains(key) && object[key].is_array() ? object[key]
                                                                                    : Json::array();
    };
    const auto add_mesh = [&](const Json& obstacle) {
        if (!obstacle.is_object() || !obstacle.contains("shape") || !obstacle["shape"].is_object()) return;
        const Json mesh = obstacle["shape"].value("mesh", Json());
        if (mesh.is_string()) out.push_back({mesh.get<std::string>(), true});
    };
    for (const Json& body : list(scene, "bodies"))
        add_name(out, body);
    for (const Json& obstacle : list(scene, "obstacles"))
        add_mesh(obstacle);
    if (scene.contains("recording"))
        for (const Json& input : list(scene["recording"], "inputs"))
            if (input.is_object()) {
                if (input.contains("add")) add_name(out, input["add"]);
                if (input.contains("add_obstacle")) add_mesh(input["add_obstacle"]);
            }
    return out;
}

void start_replay(PythonWorld& world, const py::dict& scene, const py::object& models,
                  const std::filesystem::path& folder) {
    const Json json = json_of(scene, "recording");
    if (!models.is_none()) {
        if (!py::isinstance<py::dict>(models))
            throw InputError{"start_replay: models", fmt::format("{} is no dictionary", shown(models)),
                             "{\"bar.glb\": model}"};
        for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(models)) {
            if (!py::isinstance<PythonModel>(value))
                throw InputError{"start_replay: models", fmt::format("{} is no Model", shown(value)), ""};
            world.add_model(text_of(key, "start_replay: models"), value.cast<PythonModelPointer>());
        }
    }
    for (const NamedModel& each : models_of(json))
        if (!world.session.model(each.name))
            world.add_model(each.name, without_lock([&] {
                                return std::make_shared<PythonModel>(
                                    each.rigid ? build::load_rigid_model(folder / each.name)
                                               : build::load_model(folder / each.name));
                            }));
    check(world.session.start_replay(json, "recording"));
}

// Names where the world has them still.
py::list world_contacts(PythonWorld& self) {
    py::list out;
    const World& world = self.world();
    const auto name = [&](BodyId id) -> py::object {
        const WorldBody* body = world.body(id);
        return body ? py::object(py::str(body->name())) : py::none();
    };
    for (const WorldContact& contact : world.contacts()) {
        const WorldObstacle* obstacle = world.obstacle(contact.obstacle);
        const WorldDevice* device = world.device(contact.device);
        out.append(py::dict(
            py::arg("a") = name(contact.a), py::arg("b") = name(contact.b),
            py::arg("obstacle") = obstacle ? py::object(py::str(obstacle->name())) : py::none(),
            py::arg("device") = device ? py::object(py::str(device->name())) : py::none(),
            py::arg("position") = numbers(contact.position), py::arg("normal") = numbers(contact.normal),
            py::arg("impulse") = numbers(contact.impulse), py::arg("force") = numbers(contact.force),
            py::arg("depth") = contact.depth, py::arg("slip") = contact.slip));
    }
    return out;
}

void add_reports(py::module_& module) {
    py::class_<WorldReport>(module, "WorldReport", "What World.step() says about its steps.")
        .def_readonly("step", &WorldReport::step, "steps that the world made in all")
        .def_readonly("time", &WorldReport::time, "of the world, s")
        .def_readonly("not_converged", &WorldReport::not_converged,
                      "steps of bodies that were refused: those bodies stood where they were")
        .def_readonly("iterations", &WorldReport::iterations, "the most of any body in any step")
        .def_property_readonly(
            "contact", [](const WorldReport& r) { return python_of(describe_contact(r.contact)); },
            "of the last step: stiffness (Pa/m), margin (m), points, touching, islands, asleep, depth (m);\n"
            "limits that were reached: not_converged, speeds_off, radii_unsettled, reverted (islands),\n"
            "left_out (contacts), cut_short (pairs of bodies), refused; …")
        .def("__repr__", [](const WorldReport& r) {
            return fmt::format("<limber.WorldReport: step {}, t = {:g} s, {} not converged>", r.step, r.time,
                               r.not_converged);
        });
    py::class_<WorldState>(module, "WorldState", "What World.save() returns and World.restore() takes.");
}

void add_recording(py::class_<PythonWorld, WorldPointer>& type) {
    type.def(
            "start_recording", [](PythonWorld& self) { check(self.session.start_recording()); },
            "Records inputs from now on. The world begins anew with its shapes, velocities and loads, as a\n"
            "replay will.")
        .def_property_readonly("is_recording",
                               [](const PythonWorld& self) { return self.session.is_recording(); })
        .def(
            "recorded", [](const PythonWorld& self) { return python_of(self.session.recorded()); },
            "The recording so far, a scene that simulate() takes too; None: there is none.")
        .def(
            "stop_recording", [](PythonWorld& self) { return python_of(self.session.stop_recording()); },
            "The recording, and its end.")
        .def("start_replay", &start_replay, py::arg("scene"), py::kw_only(), py::arg("models") = py::none(),
             py::arg("folder") = std::filesystem::path("."),
             "Bodies, gravity and dt of the scene in place of those that are here; step() then applies its\n"
             "inputs. models: {name: Model}; others are read from `folder`.")
        .def_property_readonly("replay", &progress_of_replay, "(steps made, steps in all); None: live")
        .def(
            "stop_replay", [](PythonWorld& self) { self.session.stop_replay(); },
            "What pulls and carries the bodies ends with it; they move on.");
}

}  // namespace

void add_worlds(py::module_& module) {
    add_reports(module);
    add_world_bodies(module);
    py::class_<PythonWorld, WorldPointer> type(
        module, "World",
        "Bodies of any models and methods, moved by one step: World(gravity=None, threads=1).\n\n"
        "threads: of a step, 0: all cores; results are the same.\n"
        "Inputs have the words of docs/recording.md; on an error nothing changes.");
    type.def(py::init(&new_world), py::arg("gravity") = py::none(), py::arg("threads") = 1)
        .def("add_model", &PythonWorld::add_model, py::arg("name"), py::arg("model").none(false),
             "How recordings call the model, as a rule its file; else it is its name and .glb.")
        .def(
            "add", &add, py::arg("model").none(false),
            "add(model, *, name=None, method=None, mount=None, position=None, rotation=None, q=None, "
            "v=None,\n"
            "    velocity=None, angular_velocity=None, release=None, **settings) -> WorldBody\n"
            "method: 'stvk', 'warp', 'linear' or 'rigid'; None: the first that the model can do.\n"
            "mount: 'fixed', 'moved' or 'free'; None: 'fixed' where something of the model is, else 'free'.\n"
            "settings: those of Body, WarpBody or RigidBody, but for gravity, which is the world's.\n"
            "release: [{'vertex', 'force'}], from whose balance the body starts.")
        .def("remove", &remove, py::arg("body"), "A body, or its name.")
        .def(
            "apply",
            [](PythonWorld& self, const py::object& input, const py::kwargs& words) {
                apply(self, merged(input, words), "apply");
            },
            py::arg("input") = py::none(),
            "One input, as words or as a dictionary: body (all without it), add, remove, gravity, wind,\n"
            "place, state, set, support, shake, follow, constraints, forces, reduced_force, pull; contact,\n"
            "add_obstacle; obstacle, which place, shake, follow and remove are for then; add_device;\n"
            "device, which place, set, move and remove are for then.")
        .def("step", &step, py::arg("dt") = py::none(), py::arg("steps") = 1,
             "Steps of dt seconds; None: as long as before, or as the replay has them. Fewer where a replay\n"
             "ends. Bodies whose step does not converge stand where they were: WorldReport.not_converged.")
        .def_property_readonly(
            "contacts", &world_contacts,
            "of the last step, a list of dictionaries: a, b, obstacle, device (names), position (m),\n"
            "normal from b to a, impulse (N s) and force (N) on a, depth (m), slip (m/s)")
        .def_property_readonly(
            "obstacles", [](PythonWorld& self) { return python_of(describe_obstacles(self.world())); },
            "a list of dictionaries: name, shape, position, rotation, …")
        .def_property_readonly(
            "devices", [](PythonWorld& self) { return python_of(describe_devices(self.world())); },
            "haptic devices, a list of dictionaries: name, settings, position, proxy (m), force to the\n"
            "hand (N), contacts, coupling, passivity, readings")
        .def_property_readonly("bodies", &bodies)
        .def("body", &body_named, py::arg("name"))
        .def("__len__", [](PythonWorld& self) { return self.world().bodies().size(); })
        .def_property_readonly(
            "time", [](PythonWorld& self) { return self.world().time(); }, "s")
        .def_property_readonly(
            "steps", [](PythonWorld& self) { return self.world().steps(); }, "made so far")
        .def_property(
            "gravity", [](PythonWorld& self) { return numbers(self.world().gravity()); },
            [](PythonWorld& self, const py::object& value) {
                const Eigen::Vector3d g = vector3_of(value, "gravity");
                check(self.session.apply({{"gravity", {g.x(), g.y(), g.z()}}}, ""));
            },
            "m/s²")
        .def(
            "clone", [](const PythonWorld& self) { return std::make_shared<PythonWorld>(self); },
            "A second world that goes on bit by bit, with the same models; it neither records nor replays.")
        .def(
            "save", [](PythonWorld& self) { return self.world().save(); },
            "All that the motion depends on; may be restored any number of times.")
        .def("restore", &restore, py::arg("state"),
             "Goes on bit by bit. Bodies that were added since are gone, removed ones are back.")
        .def("__repr__", [](PythonWorld& self) {
            return fmt::format("<limber.World: {} bodies, t = {:g} s>", self.world().bodies().size(),
                               self.world().time());
        });
    add_recording(type);
}

}  // namespace limber::python
