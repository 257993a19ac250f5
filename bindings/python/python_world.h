// SPDX-License-Identifier: Apache-2.0
// A world and its bodies as Python holds them.
#pragma once
#include "bindings/python/one_body.h"
#include "build/scene/world_threads.h"

#include <limber/world/session.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace limber::python {

using PythonModelPointer = std::shared_ptr<PythonModel>;

// A session, and its models as Python holds them.
struct PythonWorld {
    using Threads = std::shared_ptr<const build::WorldThreads>;
    PythonWorld(const WorldDef& def, Threads with) : threads(std::move(with)), session(def) {}
    explicit PythonWorld(const PythonWorld& other)
        : threads(other.threads), session(other.session.clone()), models(other.models) {}

    Threads threads;  // before the session that uses them
    Session session;
    std::vector<std::pair<std::string, PythonModelPointer>> models;  // by the names of the session

    World& world() { return session.world(); }
    // The name of the model in inputs and recordings; given to it now where it has none: that of its file.
    const std::string& name_of(const PythonModelPointer& model);
    void add_model(const std::string& name, PythonModelPointer model);
};
using WorldPointer = std::shared_ptr<PythonWorld>;

// A body by its id: valid as long as the world has it.
struct BodyHandle {
    WorldPointer world;
    BodyId id;

    const WorldBody& body() const {
        const WorldBody* found = world->world().body(id);
        if (found == nullptr) throw InputError{"body", "it was removed from its world", "world.bodies"};
        return *found;
    }
};

// A body of this world, by its name or as its handle.
std::string name_of(PythonWorld& world, const py::handle& body, const std::string& where);
// The input as JSON: a body may be a handle, a model to add a Model.
nlohmann::json input_of(PythonWorld& world, const py::dict& given, const std::string& where);
// A dictionary, and words on top of it.
py::dict merged(const py::object& input, const py::kwargs& words);

}  // namespace limber::python
