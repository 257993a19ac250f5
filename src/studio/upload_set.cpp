// SPDX-License-Identifier: Apache-2.0
#include "studio/upload_set.h"

#include "build/file/atomic_file.h"
#include "build/file/text_scanner.h"
#include "studio/content_key.h"
#include "studio/job_request.h"
#include "studio/json_request.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <set>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCompanions = 200, kLongestPath = 500;
constexpr int kDeepestPath = 8;
constexpr const char* kCompanions = "companions";

std::string read_upload_id(const ObjectReader& object, const std::string& key) {
    const std::string id = object.text(key, 64);
    if (!is_id(id)) throw InputError{object.place(key), "this is not an id", ""};
    return id;
}

// Throws for what could be another place than below the mesh's folder, or no file name.
void check_path(const std::string& path, const std::string& where) {
    const auto refuse = [&](const char* why) {
        throw InputError{where, fmt::format("'{}' {}", build::printable(path), why), "textures/wood.png"};
    };
    if (path.empty() || path.front() == '/') refuse("is no relative path");
    if (std::any_of(path.begin(), path.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == 0x7f; }))
        refuse("holds a character that no path has");
    int depth = 0;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        if (part.empty() || part == "." || part == "..") refuse("leaves the folder of the mesh");
        if (part.size() > 200) refuse("has a name longer than 200 bytes");
        if (++depth > kDeepestPath) refuse("is too deep");
        begin = end + 1;
    }
    if (!is_companion(path)) refuse("is no .mtl, .bin, .png or .jpg");
}

// A folder that goes away with it unless it was moved.
class TemporaryFolder {
 public:
    explicit TemporaryFolder(const fs::path& in) {
        std::string name = (in / fmt::format("incoming-{}-XXXXXX", getpid())).string();
        if (!mkdtemp(name.data()))
            throw InputError{"upload", "there is no room for it in the cache folder",
                             "--cache with another folder"};
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

 private:
    fs::path path_;
};

void put_link(const fs::path& from, const fs::path& to) {
    fs::create_directories(to.parent_path());
    std::error_code error;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to);
}

Upload find_part(const Store& store, const std::string& id) {
    const auto found = store.find_upload(id);
    if (!found || found->given) throw InputError{id, "there is no such upload", "send the file again"};
    return *found;
}

}  // namespace

UploadSet parse_upload_set(const nlohmann::json& json) {
    const ObjectReader request(json, "", {"mesh", "companions"});
    UploadSet out{read_upload_id(request, "mesh"), {}};
    const nlohmann::json* companions = request.array("companions", kMostCompanions);
    if (!companions) return out;
    std::set<std::string> paths;
    for (std::size_t i = 0; i < companions->size(); ++i) {
        const std::string where = fmt::format("companions[{}]", i);
        const ObjectReader companion((*companions)[i], where, {"path", "upload"});
        const std::string path = companion.text("path", kLongestPath);
        check_path(path, companion.place("path"));
        if (!paths.insert(path).second)
            throw InputError{companion.place("path"), "this path comes twice", ""};
        out.companions.push_back({path, read_upload_id(companion, "upload")});
    }
    return out;
}

fs::path companions_of(const Upload& upload) {
    return upload.file.parent_path() / kCompanions;
}

Upload join_uploads(const Store& store, const UploadSet& set) {
    const Upload mesh = find_part(store, set.mesh);
    const fs::path uploads = store.root() / "uploads";
    const TemporaryFolder folder(uploads);
    ContentKey key;
    key.add_text(mesh.id);
    std::uint64_t bytes = mesh.bytes;
    put_link(mesh.file, folder.path() / mesh.file.filename());
    for (const Companion& companion : set.companions) {
        const Upload part = find_part(store, companion.upload);
        key.add_text(companion.path);
        key.add_text(part.id);
        bytes += part.bytes;
        try {
            put_link(part.file, folder.path() / kCompanions / companion.path);
        } catch (const fs::filesystem_error&) {
            throw InputError{companion.path, "this cannot be put beside the other files", "another name"};
        }
    }
    // Its key is of what is in it: a folder that is there already is the same.
    Upload out{fmt::format("s-{}", key.hex(24)), mesh.name, {}, bytes, false, mesh.called};
    out.file = uploads / out.id / mesh.file.filename();
    std::error_code error;
    fs::rename(folder.path(), uploads / out.id, error);
    if (error && !fs::is_directory(uploads / out.id))
        throw InputError{"upload", "there is no room for it in the cache folder",
                         "--cache with another folder"};
    build::write_file(uploads / (out.id + ".json"),
                      nlohmann::json{{"name", mesh.name}, {"file", mesh.file.filename().string()}}.dump(
                          -1, ' ', false, nlohmann::json::error_handler_t::replace));
    return out;
}

}  // namespace limber::studio
