// SPDX-License-Identifier: Apache-2.0
#include "studio/page_files.h"

#include "build/file/read_file.h"

#include <limber/input_error.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<const char*, const char*>, 15> kTypes = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".map", "application/json"},
    {".glb", "model/gltf-binary"},
    {".bin", "application/octet-stream"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
}};

}  // namespace

const char* content_type_of(const fs::path& file) {
    for (const auto& [ending, type] : kTypes)
        if (file.extension() == ending) return type;
    return "application/octet-stream";
}

fs::path page_folder() {
    if (const char* folder = std::getenv("LIMBER_WEB"); folder && *folder) return folder;
    std::error_code error;
    const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
    const fs::path installed = prefix / "share/limber/web";
    return fs::is_regular_file(installed / "index.html", error) ? installed : prefix / "web";
}

PageFiles read_page(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_regular_file(folder / "index.html", error))
        throw InputError{
            folder.string(), "the studio's page is not there",
            "cmake --build --preset release --target limber_web, or LIMBER_WEB with the page's folder"};
    PageFiles out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_symlink() || !entry.is_regular_file()) continue;
        const std::string address = '/' + entry.path().lexically_relative(folder).generic_string();
        out[address] = {build::read_file(entry.path()), content_type_of(entry.path())};
    }
    out["/"] = out.at("/index.html");
    return out;
}

}  // namespace limber::studio
