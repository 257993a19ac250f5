// SPDX-License-Identifier: Apache-2.0
// What every answer of the studio looks like: the security headers, errors as JSON, files.
#pragma once
#include "studio/api_error.h"

#include <httplib.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace limber::studio {

// Only the own origin and WebAssembly; the same policy stands in the page for its static export.
extern const char* const kContentSecurityPolicy;
httplib::Headers security_headers();

nlohmann::json error_json(const InputError& error);

void answer_json(httplib::Response& response, const nlohmann::json& json, int status = 200);
void answer_error(httplib::Response& response, int status, const InputError& error);
// Read while it is sent; 404 if it is not there. `name` (plain characters) makes it a download.
void answer_file(httplib::Response& response, const std::filesystem::path& file, const char* content_type,
                 const std::string& name = "");

// A whole response for a request that the HTTP library never saw.
std::string refusal_bytes(int status, const InputError& error);

}  // namespace limber::studio
