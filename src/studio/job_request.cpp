// SPDX-License-Identifier: Apache-2.0
#include "studio/job_request.h"

#include "studio/json_request.h"

#include <limber/input_error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace limber::studio {
namespace {

constexpr std::size_t kLongestSelect = 2u << 20;  // painted vertices are ids in a row
constexpr std::size_t kMostSelects = 64;
constexpr int kMostDomains = 1000;
constexpr std::size_t kMostRuns = 60'000;  // of painted labels
constexpr int kMostTriangles = 20'000'000;
constexpr std::size_t kMostForces = 5000, kMostLoads = 200;
constexpr double kSmall = std::numeric_limits<double>::min(), kLarge = std::numeric_limits<double>::max();

std::string read_id(const ObjectReader& request, const std::string& key) {
    const std::string id = request.text(key, 64);
    if (!is_id(id)) throw InputError{request.place(key), "this is not an id", ""};
    return id;
}

// A selection may do everything but name a file.
std::string read_select(const nlohmann::json& value, const std::string& where) {
    if (!value.is_string()) throw InputError{where, "a selection is text", "\"x<0.1\""};
    std::string text = value.get<std::string>();
    if (text.size() > kLongestSelect)
        throw InputError{where, fmt::format("{} bytes; the limit is {}", text.size(), kLongestSelect), ""};
    if (text.find("file:") != std::string::npos)
        throw InputError{where, "a selection from a file is not taken here",
                         "the ids themselves: \"#12,15\""};
    if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
        throw InputError{where, "the selection holds a control character", ""};
    return text;
}

std::vector<std::string> read_selects(const ObjectReader& request, const std::string& key) {
    std::vector<std::string> out;
    if (const nlohmann::json* list = request.array(key, kMostSelects))
        for (std::size_t i = 0; i < list->size(); ++i)
            out.push_back(read_select((*list)[i], fmt::format("{}[{}]", key, i)));
    return out;
}

Filling read_filling(const ObjectReader& request) {
    const nlohmann::json* object = request.object("filling");
    if (!object) return FillWithVoxels{};
    const std::string where = request.place("filling");
    const ObjectReader filling(*object, where, {"voxels", "tets"});
    const nlohmann::json* voxels = filling.object("voxels");
    const nlohmann::json* tets = filling.object("tets");
    if (voxels && tets) throw InputError{where, "voxels or tets, not both", ""};
    if (tets)
        return FillWithTets{
            ObjectReader(*tets, where + ".tets", {"max_volume"}).number("max_volume", kSmall, kLarge)};
    if (voxels)
        return FillWithVoxels{
            ObjectReader(*voxels, where + ".voxels", {"resolution"}).whole_number("resolution", 1, 1024)};
    return FillWithVoxels{};
}

MaterialRequest read_material(const ObjectReader& object) {
    return {object.number("young", kSmall, kLarge), object.number("poisson", -1, 0.5),
            object.number("density", kSmall, kLarge)};
}

// "mm", or how many metres it is: 0.0005.
std::string read_unit(const ObjectReader& request, const nlohmann::json& json) {
    if (request.has("unit") && json["unit"].is_number())
        return fmt::format("{}", *request.number("unit", 1e-12, 1e12));
    return request.word_or("unit", {"m", "cm", "mm", "in"}, "m");
}

// {"count": 8}, or {"labels": [[label, how many triangles in a row], ...]}.
std::optional<DomainsRequest> read_domains(const ObjectReader& request) {
    const nlohmann::json* object = request.object("domains");
    if (!object) return std::nullopt;
    const std::string where = request.place("domains");
    const ObjectReader domains(*object, where, {"count", "labels"});
    DomainsRequest out{domains.whole_number("count", 1, kMostDomains), {}};
    const nlohmann::json* runs = domains.array("labels", kMostRuns);
    if (out.count.has_value() == (runs != nullptr))
        throw InputError{where, "a count of domains or labels, one of them", "{\"count\": 8}"};
    if (!runs) return out;
    for (std::size_t i = 0; i < runs->size(); ++i) {
        const nlohmann::json& run = (*runs)[i];
        const auto is_whole = [](const nlohmann::json& x, int least, int most) {
            return x.is_number_integer() && x >= least && x <= most;
        };
        const int room = kMostTriangles - static_cast<int>(out.labels.size());
        if (!run.is_array() || run.size() != 2 || !is_whole(run[0], 0, kMostDomains) ||
            !is_whole(run[1], 1, room))
            throw InputError{
                fmt::format("{}.labels[{}]", where, i),
                fmt::format("a run of labels is a number from 0 to {} and how many triangles have it",
                            kMostDomains),
                "[2, 120]"};
        out.labels.insert(out.labels.end(), run[1].get<std::size_t>(), run[0].get<int>());
    }
    if (out.labels.empty())
        throw InputError{domains.place("labels"), "there are none", "one for each triangle"};
    return out;
}

// "30", 30, "auto:1%"; of a tree "log:200", "proportional:200".
std::string read_rank(const ObjectReader& request, const nlohmann::json& json) {
    if (!request.has("rank")) return "";
    if (json["rank"].is_number()) return std::to_string(*request.whole_number("rank", 1, 1000));
    const std::string rank = request.text("rank", 20);
    const bool of_tree = rank.starts_with("log:") || rank.starts_with("proportional:");
    if (rank.substr(of_tree ? rank.find(':') : 0).find_first_not_of("auto:0123456789.%") != std::string::npos)
        throw InputError{"rank", "this is no rank", "30, or \"auto:1%\""};
    return rank;
}

nlohmann::json read_load(const nlohmann::json& value, const std::string& where) {
    const ObjectReader load(value, where, {"vertex", "at", "force"});
    const nlohmann::json* force = load.array("force", 3);
    if (!force || force->size() != 3 ||
        !std::all_of(force->begin(), force->end(), [](const auto& x) { return x.is_number(); }))
        throw InputError{load.place("force"), "a force is three numbers", "[0, -5, 0]"};
    nlohmann::json out = {{"force", *force}};
    if (load.has("at")) out["at"] = read_select(value["at"], load.place("at"));
    if (const auto vertex = load.whole_number("vertex", 0, std::numeric_limits<int>::max()))
        out["vertex"] = *vertex;
    return out;
}

// docs/sketch_file.md.
std::string read_sketch(const ObjectReader& request) {
    const nlohmann::json* forces = request.array("sketch", kMostForces);
    if (!forces) return "";
    nlohmann::json out = nlohmann::json::array();
    for (std::size_t i = 0; i < forces->size(); ++i) {
        const std::string where = fmt::format("sketch[{}]", i);
        const ObjectReader entry((*forces)[i], where, {"name", "loads"});
        const nlohmann::json* loads = entry.array("loads", kMostLoads);
        if (!loads) throw InputError{entry.place("loads"), "this is missing", ""};
        nlohmann::json force = {{"loads", nlohmann::json::array()}};
        if (entry.has("name")) force["name"] = entry.text("name", 200);
        for (std::size_t j = 0; j < loads->size(); ++j)
            force["loads"].push_back(read_load((*loads)[j], fmt::format("{}.loads[{}]", where, j)));
        out.push_back(std::move(force));
    }
    return nlohmann::json{{"forces", out}}.dump();
}

BuildRequest read_build(const nlohmann::json& json) {
    const ObjectReader request(
        json, "",
        {"kind", "upload", "sample", "name", "unit", "filling", "fix", "materials", "groups", "modes", "rank",
         "basis", "sketch", "method", "up", "improve", "domains"});
    BuildRequest out;
    if (request.has("upload") == request.has("sample"))
        throw InputError{"upload", "a build needs an upload or a sample, one of them", ""};
    if (request.has("upload")) out.upload = read_id(request, "upload");
    if (request.has("sample")) out.sample = read_id(request, "sample");
    out.name = request.text_or("name", 200, "");
    out.unit = read_unit(request, json);
    out.filling = read_filling(request);
    out.fix = read_selects(request, "fix");
    out.improve = read_selects(request, "improve");
    out.domains = read_domains(request);
    if (const nlohmann::json* material = request.object("materials"))
        out.material = read_material(ObjectReader(*material, "materials", {"young", "poisson", "density"}));
    if (const nlohmann::json* groups = request.array("groups", kMostSelects))
        for (std::size_t i = 0; i < groups->size(); ++i) {
            const std::string where = fmt::format("groups[{}]", i);
            const ObjectReader group((*groups)[i], where, {"select", "young", "poisson", "density"});
            if (!group.has("select")) throw InputError{group.place("select"), "this is missing", ""};
            out.groups.emplace_back(read_select((*groups)[i]["select"], group.place("select")),
                                    read_material(group));
        }
    out.modes = request.whole_number("modes", 1, 1000);
    out.rank = read_rank(request, json);
    out.basis = request.word_or("basis", {"modal-derivatives", "modes"}, "");
    out.method = request.word_or("method", {"stvk", "warp", "both"}, "");
    out.sketch = read_sketch(request);
    out.up = request.word_or("up", {"x", "y", "z", "-x", "-y", "-z"}, "");
    out.as_requested = json;
    return out;
}

}  // namespace

bool is_id(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

nlohmann::json with_base(nlohmann::json request,
                         const std::function<nlohmann::json(const std::string& model)>& request_of) {
    const auto model = request.find("from_model");
    if (model == request.end() || model->is_null()) return request;
    if (!model->is_string() || !is_id(model->get<std::string>()))
        throw InputError{"from_model", "this is not an id", ""};
    nlohmann::json out = request_of(model->get<std::string>());
    request.erase(model);
    // A new sketch is a new basis: how many vectors the old one had says nothing about it.
    if (const auto sketch = request.find("sketch"); sketch != request.end() && !sketch->is_null()) {
        out.erase("rank");
        out.erase("basis");
    }
    // Places are improved one after another.
    if (const auto improve = request.find("improve"); improve != request.end() && improve->is_array())
        if (const auto before = out.find("improve"); before != out.end() && before->is_array())
            improve->insert(improve->begin(), before->begin(), before->end());
    out.update(request);
    return out;
}

JobRequest parse_job_request(const nlohmann::json& json) {
    const auto found = json.find("kind");
    const std::string kind = found != json.end() && found->is_string() ? found->get<std::string>() : "";
    if (kind == "check") {
        const ObjectReader request(json, "", {"kind", "upload", "unit"});
        return CheckRequest{read_id(request, "upload"), read_unit(request, json)};
    }
    if (kind == "repair") {
        const ObjectReader request(json, "", {"kind", "upload"});
        return RepairRequest{read_id(request, "upload")};
    }
    if (kind == "fill") {
        const ObjectReader request(json, "", {"kind", "upload", "unit", "filling", "domains", "fix"});
        return FillRequest{read_id(request, "upload"), read_unit(request, json), read_filling(request),
                           read_domains(request), read_selects(request, "fix")};
    }
    if (kind == "build") return read_build(json);
    if (kind == "validate") {
        const ObjectReader request(json, "", {"kind", "model"});
        return ValidateRequest{read_id(request, "model")};
    }
    if (kind == "quality") {
        const ObjectReader request(json, "", {"kind", "model"});
        return QualityRequest{read_id(request, "model")};
    }
    throw InputError{"kind", "a job is one of check, repair, fill, build, validate, quality",
                     "{\"kind\": \"check\", ...}"};
}

}  // namespace limber::studio
