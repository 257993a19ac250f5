// SPDX-License-Identifier: Apache-2.0
// What a page can ask the studio to work on. Everything here came over the network: after parse_job_request()
// all numbers are in their ranges, ids have the form of ids, and no text can name a file.
#pragma once
#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace limber::studio {

struct FillWithVoxels {
    std::optional<int> resolution;  // none: as limber build chooses
};
struct FillWithTets {
    std::optional<double> max_volume;  // m^3
};
using Filling = std::variant<FillWithVoxels, FillWithTets>;

struct MaterialRequest {
    std::optional<double> young, poisson, density;  // Pa, -, kg/m^3
};

// How the body is cut into a tree of domains: into about `count` of them, or by a label for each triangle of
// the surface.
struct DomainsRequest {
    std::optional<int> count;
    std::vector<int> labels;  // empty: by count
};

struct CheckRequest {
    std::string upload;
    std::string unit = "m";  // or a number: metres
};

struct RepairRequest {
    std::string upload;
};

struct FillRequest {
    std::string upload;
    std::string unit = "m";
    Filling filling;
    std::optional<DomainsRequest> domains;  // none: not cut
    std::vector<std::string> fix;           // SELECT: what the root of the tree depends on
};

struct BuildRequest {
    std::string upload, sample;  // one of them
    std::string name;            // what the model is called
    std::string unit = "m";
    Filling filling;
    std::vector<std::string> fix;  // SELECT
    MaterialRequest material;
    std::vector<std::pair<std::string, MaterialRequest>> groups;  // SELECT and what it is made of
    std::optional<int> modes;
    std::string rank;   // "30", "auto:1%", of a tree "log:200"; empty: not given
    std::string basis;  // empty: not given
    std::string method;
    std::string up;                         // "x" ... "-z"; empty: the mesh's
    std::string sketch;                     // the text of a sketch file; empty: none
    std::vector<std::string> improve;       // SELECT
    std::optional<DomainsRequest> domains;  // none: one body
    nlohmann::json as_requested;            // the request itself, to build a variant later
};

struct ValidateRequest {
    std::string model;
};

// The local compliance of a model, as a map.
struct QualityRequest {
    std::string model;
};

using JobRequest =
    std::variant<CheckRequest, RepairRequest, FillRequest, BuildRequest, ValidateRequest, QualityRequest>;

// Throws InputError.
JobRequest parse_job_request(const nlohmann::json& request);

// {"kind": "build", "from_model": ID, ...} is the request that made model ID with the keys that are given
// replaced; a new sketch does without its rank and basis, and `improve` adds to its own. `request_of` gives
// that request, or throws InputError.
nlohmann::json with_base(nlohmann::json request,
                         const std::function<nlohmann::json(const std::string& model)>& request_of);

// [a-z0-9-], 1 to 64 of them.
bool is_id(std::string_view text);

}  // namespace limber::studio
