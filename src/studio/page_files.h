// SPDX-License-Identifier: Apache-2.0
// The page's files, held in memory: what is served is decided when the studio starts, not by what a request
// names.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace limber::studio {

struct PageFile {
    std::string bytes;
    std::string content_type;
};

// By address: "/index.html", "/assets/main.js"; "/" is the index.
using PageFiles = std::map<std::string, PageFile>;

// $LIMBER_WEB; or share/limber/web (installed) or web (built) beside the folder of the program.
std::filesystem::path page_folder();

// Throws InputError if there is no page. Links are left out.
PageFiles read_page(const std::filesystem::path& folder);

const char* content_type_of(const std::filesystem::path& file);

}  // namespace limber::studio
