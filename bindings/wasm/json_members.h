// SPDX-License-Identifier: Apache-2.0
// Reading JSON objects member by member, without exceptions.
#pragma once
#include <limber/input_error.h>
#include <limber/model/model.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber {

using Json = nlohmann::json;

// Reads members of one object; keeps the first problem.
struct JsonMembers {
    std::optional<InputError> error;

    void fail(const std::string& where, const std::string& problem, const std::string& try_this = "") {
        if (!error) error = InputError{where, problem, try_this};
    }
    bool object(const Json& json, const std::string& where, std::initializer_list<const char*> keys) {
        if (!json.is_object()) return fail(where, "an object was expected"), false;
        std::string known;
        for (const char* key : keys)
            known += (known.empty() ? "" : ", ") + std::string(key);
        for (const auto& [key, value] : json.items())
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
                fail(where, "there is no key \"" + key + "\"", "one of: " + known);
        return !error;
    }
    void number(const Json& json, const char* key, double& out) {
        if (!json.contains(key)) return;
        json[key].is_number() ? void(out = json[key].get<double>()) : fail(key, "a number was expected");
    }
    void integer(const Json& json, const char* key, int& out) {
        if (json.is_number_integer() && json.get<std::int64_t>() >= -1000000 &&
            json.get<std::int64_t>() <= 1000000)
            out = json.get<int>();
        else
            fail(key, "a small whole number was expected");
    }
    template <class Choices, class Value>
    void word(const Json& json, const char* key, const Choices& choices, Value& out) {
        if (!json.contains(key)) return;
        std::string known;
        for (const auto& [name, value] : choices) {
            if (json[key] == name) {
                out = value;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        fail(key, "it is " + json[key].dump(), "one of: " + known);
    }
    void materials(const Json& json, const Model& model, std::vector<Material>& out) {
        if (!json.is_object()) return fail("materials", "an object was expected");
        for (const auto& [name, value] : json.items()) {
            const auto group = std::find_if(model.groups.begin(), model.groups.end(),
                                            [&, &key = name](const ModelGroup& g) { return g.name == key; });
            if (group == model.groups.end())
                return fail("materials", "the model has no group \"" + name + "\"");
            if (!object(value, "material \"" + name + "\"", {"young", "poisson", "density"})) return;
            Material& material = out[static_cast<std::size_t>(group - model.groups.begin())];
            number(value, "young", material.young);
            number(value, "poisson", material.poisson);
            number(value, "density", material.density);
        }
    }
    void integers(const Json& json, const char* key, std::vector<int>& out) {
        if (!json.contains(key)) return;
        if (!json[key].is_array()) return fail(key, "an array was expected");
        out.assign(json[key].size(), 0);
        for (std::size_t i = 0; i < out.size(); ++i)
            integer(json[key][i], key, out[i]);
    }
    void vector(const Json& json, const char* key, Eigen::Vector3d& out) {
        if (!json.contains(key)) return;
        const Json& list = json[key];
        if (!are_numbers(list, 3)) return fail(key, "three numbers were expected");
        for (int i = 0; i < 3; ++i)
            out[i] = list[static_cast<std::size_t>(i)].get<double>();
    }
    void flag(const Json& json, const char* key, bool& out) {
        if (!json.contains(key)) return;
        json[key].is_boolean() ? void(out = json[key].get<bool>()) : fail(key, "true or false was expected");
    }
    // x y z w
    void quaternion(const Json& json, const char* key, Eigen::Quaterniond& out) {
        if (!json.contains(key)) return;
        if (const Json& list = json[key]; are_numbers(list, 4))
            for (int i = 0; i < 4; ++i)
                out.coeffs()[i] = list[static_cast<std::size_t>(i)].get<double>();
        else
            fail(key, "four numbers (x, y, z, w) were expected");
    }

 private:
    static bool are_numbers(const Json& list, std::size_t count) {
        return list.is_array() && list.size() == count &&
               std::all_of(list.begin(), list.end(), [](const Json& x) { return x.is_number(); });
    }
};

template <class Choices, class Value>
const char* name_of(const Choices& choices, Value value) {
    for (const auto& [name, choice] : choices)
        if (choice == value) return name;
    return "";
}

// Text that is no UTF-8 gets replacement marks.
inline std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace limber
