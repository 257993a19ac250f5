// SPDX-License-Identifier: Apache-2.0
#include "build/domains/assembly.h"
#include "build/file/nearest_word.h"
#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/or_throw.h"

#include <limber/input_error.h>
#include <limber/model/model_file.h>
#include <limber/settings/json_cursor.h>

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace limber::build {
namespace {

using Places = std::map<std::string, int>;

constexpr const char* kRoot = "root";

[[noreturn]] void refuse(const JsonCursor& at, const std::string& problem, const std::string& try_this = "") {
    at.fail(problem, try_this);
    throw *at.problem();
}

void require_sound(const JsonCursor& at) {
    if (!at.ok()) throw *at.problem();
}

std::string text_of(const JsonCursor& at) {
    std::string out = at.text();
    require_sound(at);
    if (out.empty()) refuse(at, "the text is empty");
    return out;
}

std::string nearest_of(const std::string& word, const Places& known) {
    std::vector<std::string> words;
    for (const auto& [name, place] : known)
        words.push_back(name);
    const std::string nearest = nearest_word(word.substr(0, 40), words);
    return nearest.empty() ? "" : nearest + " is the nearest";
}

// Of a part: its file, or { "model": its file, "rigid": true }.
AssemblyPart read_part(const JsonCursor& at, const std::string& name, const std::filesystem::path& folder,
                       std::map<std::filesystem::path, std::shared_ptr<const Model>>& models) {
    AssemblyPart out;
    out.name = name;
    std::string file;
    if (at.is_text()) {
        file = text_of(at);
    } else {
        at.expect_keys({"model", "rigid"});
        require_sound(at);
        file = text_of(at.at("model"));
        at.when("rigid", [&](const JsonCursor& p) { out.rigid = p.flag(); });
        require_sound(at);
    }
    const std::filesystem::path path = folder / file;
    auto& model = models[path];
    if (!model) model = or_throw(read_model(read_file(path), path.string()));
    out.model = model;
    return out;
}

int find_part(const JsonCursor& at, const Places& parts) {
    const std::string name = text_of(at);
    const auto found = parts.find(name);
    if (found == parts.end())
        refuse(at, fmt::format("there is no part '{}'", printable(name)), nearest_of(name, parts));
    return found->second;
}

AssemblyInstance read_instance(const JsonCursor& at, std::size_t number, const Places& parts) {
    at.expect_keys({"name", "part", "parent", "interface", "position", "rotation", "scale"});
    require_sound(at);
    AssemblyInstance out;
    out.name = at.has("name") ? text_of(at.at("name")) : fmt::format("instance{}", number);
    out.part = find_part(at.at("part"), parts);
    at.when("interface", [&](const JsonCursor& p) { out.interface = text_of(p); });
    at.when("position", [&](const JsonCursor& p) { out.position = p.vector3(); });
    at.when("rotation", [&](const JsonCursor& p) { out.rotation = p.rotation(); });
    at.when("scale", [&](const JsonCursor& p) {
        out.scale = p.number(kPositive, "", "1 leaves the part as it was built");
    });
    require_sound(at);
    if (out.interface.empty() && !out.position)
        refuse(at, "neither 'interface' nor 'position' says where it stands on its parent",
               "\"position\": [x, y, z]");
    return out;
}

}  // namespace

Assembly read_assembly(std::string_view json, const std::string& name, const std::filesystem::path& folder) {
    const Result<nlohmann::json> parsed = parse_json_text(json, name);
    if (!parsed.ok())
        throw InputError{parsed.error().where, parsed.error().problem,
                         "docs/assembly_file.md has an example"};
    std::optional<InputError> problem;
    const JsonCursor place(parsed.value(), name, problem);
    place.expect_keys({"parts", "root", "instances"});
    require_sound(place);

    Assembly out;
    Places parts;
    std::map<std::filesystem::path, std::shared_ptr<const Model>> models;
    const JsonCursor listed = place.at("parts");
    for (const std::string& part : listed.keys()) {
        parts[part] = int(out.parts.size());
        out.parts.push_back(read_part(listed.at(part), part, folder, models));
    }
    require_sound(place);
    if (out.parts.empty()) refuse(listed, "there is no part");
    out.root = find_part(place.at("root"), parts);

    Places instances{{kRoot, -1}};
    if (!place.has("instances")) return out;
    const JsonCursor list = place.at("instances");
    if (list.size() >= kMostDomains)
        refuse(list, fmt::format("there are {} instances; with the root at most {} domains are taken",
                                 list.size(), kMostDomains));
    list.each([&](const JsonCursor& p) {
        out.instances.push_back(read_instance(p, out.instances.size(), parts));
        const std::string& given = out.instances.back().name;
        if (!instances.emplace(given, int(out.instances.size()) - 1).second)
            refuse(p,
                   given == kRoot ? "the name 'root' is that of the root"
                                  : fmt::format("two instances have the name '{}'", printable(given)),
                   "give each its own 'name'");
    });
    require_sound(place);
    // Parents may stand after their children.
    for (std::size_t i = 0; i < out.instances.size(); ++i) {
        const JsonCursor p = list.entry(i);
        if (!p.has("parent")) continue;
        const std::string parent = text_of(p.at("parent"));
        const auto found = instances.find(parent);
        if (found == instances.end())
            refuse(p.at("parent"), fmt::format("there is no instance '{}'", printable(parent)),
                   nearest_of(parent, instances));
        out.instances[i].parent = found->second;
    }
    return out;
}

Assembly read_assembly(const std::filesystem::path& path) {
    return read_assembly(read_file(path), path.string(), path.parent_path());
}

}  // namespace limber::build
