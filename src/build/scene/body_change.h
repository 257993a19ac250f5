// SPDX-License-Identifier: Apache-2.0
// What scenes say of a body's settings, at the start and in events.
#pragma once
#include <limber/model/model.h>
#include <limber/settings/read_settings.h>

#include <nlohmann/json.hpp>
#include <string>

namespace limber::build {

enum class SceneMethod { Stvk, Warp };

// An object in the keys of limber/settings; null: nothing. What is not named stays.
using BodyChange = nlohmann::json;

// The settings after a change. Throws InputError with the place, which begins with `where`.
template <class Settings>
Settings changed(Settings settings, const BodyChange& change, const Model& model, const std::string& where) {
    if (change.is_null()) return settings;
    if (const Status status = read_settings(change, where, model, settings); !status.ok())
        throw status.error();
    return settings;
}

}  // namespace limber::build
