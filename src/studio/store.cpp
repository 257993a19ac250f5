// SPDX-License-Identifier: Apache-2.0
#include "studio/store.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/mesh_files/files.h"
#include "studio/job_request.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 80;

void make_private_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    struct stat about {};
    if (stat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode))
        throw InputError{folder.string(), fmt::format("cannot make this folder: {}", error.message()),
                         "--cache with another folder"};
    // Its owner could read along and put models of their own into it.
    if (about.st_uid != geteuid())
        throw InputError{folder.string(), "this folder belongs to another user",
                         "--cache with a folder of your own"};
    fs::permissions(folder, fs::perms::owner_all, error);
}

// Nothing if it is not there or is not ours.
nlohmann::json read_json(const fs::path& file) {
    try {
        return nlohmann::json::parse(build::read_file(file), nullptr, /*allow_exceptions=*/false);
    } catch (const InputError&) {
        return nlohmann::json::value_t::discarded;
    }
}

std::string text_of(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Store::Store(fs::path root, std::string version) : root_(std::move(root)), version_(std::move(version)) {
    make_private_folder(root_);
    root_ = fs::canonical(root_);
    for (const char* folder : {"uploads", "models", "meshes", "reports", "jobs", "work"})
        make_private_folder(root_ / folder);
}

std::optional<Upload> Store::find_upload(const std::string& id) const {
    if (!is_id(id)) return std::nullopt;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = given_.find(id); found != given_.end()) return found->second;
    }
    const nlohmann::json about = read_json(root_ / "uploads" / (id + ".json"));
    if (!about.is_object()) return std::nullopt;
    Upload out{id, text_of(about, "name"), root_ / "uploads" / id / text_of(about, "file"), 0, false, ""};
    out.called = file_name_of(out.name);
    std::error_code error;
    out.bytes = fs::file_size(out.file, error);
    if (error) return std::nullopt;
    return out;
}

void Store::add_given(const Upload& upload) {
    const std::lock_guard lock(mutex_);
    given_[upload.id] = upload;
}

std::optional<StoredModel> Store::find_model(const std::string& id) const {
    if (!is_id(id)) return std::nullopt;
    const nlohmann::json about = read_json(root_ / "models" / (id + ".json"));
    std::error_code error;
    if (!about.is_object() || !fs::is_regular_file(model_file(id), error)) return std::nullopt;
    StoredModel out{id,
                    text_of(about, "title"),
                    text_of(about, "text"),
                    text_of(about, "kind"),
                    text_of(about, "key"),
                    text_of(about, "command"),
                    about.value("request", nlohmann::json()),
                    about.value("info", nlohmann::json()),
                    0};
    if (const auto made = about.find("made"); made != about.end() && made->is_number())
        out.made = made->get<double>();
    return out;
}

std::vector<StoredModel> Store::built_models() const {
    std::vector<StoredModel> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root_ / "models", error))
        if (entry.path().extension() == ".json")
            if (auto model = find_model(entry.path().stem().string()); model && model->kind == "built")
                out.push_back(std::move(*model));
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.made > b.made; });
    return out;
}

void Store::add_model(const StoredModel& model, const fs::path& glb, const fs::path& picture) {
    fs::rename(glb, model_file(model.id));
    std::error_code error;
    fs::rename(picture, picture_file(model.id), error);
    const nlohmann::json about = {
        {"title", model.title},     {"text", model.text},       {"kind", model.kind}, {"key", model.key},
        {"command", model.command}, {"request", model.request}, {"info", model.info}, {"made", model.made}};
    build::write_file(root_ / "models" / (model.id + ".json"), about.dump());
}

void Store::remove_model(const std::string& id) {
    std::error_code error;
    for (const char* ending : {".json", ".png", ".glb"})
        fs::remove(root_ / "models" / (id + ending), error);
}

IncomingUpload::IncomingUpload(Store& store) : store_(store), uploads_(store.root() / "uploads") {
    // The process, so that what a killed one leaves can be told from what is under way (tidy_cache.h).
    std::string name = (uploads_ / fmt::format("incoming-{}-XXXXXX", getpid())).string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0)
        throw InputError{"upload", "there is no room for it in the cache folder",
                         "--cache with another folder"};
    close(descriptor);
    temporary_ = name;
    out_.open(temporary_, std::ios::binary);
}

IncomingUpload::~IncomingUpload() {
    std::error_code error;
    fs::remove(temporary_, error);
}

bool IncomingUpload::add(std::string_view bytes) {
    key_.add_bytes(bytes);
    bytes_ += bytes.size();
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return static_cast<bool>(out_);
}

Upload IncomingUpload::finish(const std::string& name) {
    const std::string file = file_name_of(name);
    if (!is_companion(file)) build::format_of(file);  // throws for an ending that no reader knows
    out_.close();
    if (!out_) throw InputError{"upload", "the disk is full", "room in the cache folder"};
    // The ending decides how it is read, so it is part of what it is.
    const std::string ending = slug(fs::path(file).extension().string(), 8);
    Upload out{fmt::format("u-{}-{}", ending, key_.hex(24)), name, {}, bytes_, false, file};
    const std::string stored = "mesh." + ending;
    out.file = uploads_ / out.id / stored;
    const std::lock_guard lock(store_.tidying());
    make_private_folder(out.file.parent_path());
    std::error_code error;
    // Jobs may be reading what is there: the same bytes, since the id is their key.
    if (fs::file_size(out.file, error) != bytes_ || error) fs::rename(temporary_, out.file);
    fs::last_write_time(out.file, fs::file_time_type::clock::now(), error);
    build::write_file(uploads_ / (out.id + ".json"),
                      nlohmann::json{{"name", name}, {"file", stored}}.dump(
                          -1, ' ', false, nlohmann::json::error_handler_t::replace));
    return out;
}

bool is_companion(const std::string& name) {
    std::string ending = fs::path(name).extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return ending == ".mtl" || ending == ".bin" || ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

fs::path default_cache() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
        return fs::path(cache) / "limber";
    if (const char* home = std::getenv("HOME"); home && *home == '/')
        return fs::path(home) / ".cache" / "limber";
    throw InputError{"--cache", "neither XDG_CACHE_HOME nor HOME names a folder", "--cache DIR"};
}

std::string file_name_of(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '.' || c == '_' || c == '-';
        out += plain ? c : '_';
    }
    // What stands before the ending may be cut and replaced; the ending says what format it is.
    const std::size_t dot = std::min(out.rfind('.'), out.size());
    std::string stem = out.substr(0, dot), ending = out.substr(dot);
    stem.erase(0, std::min(stem.find_first_not_of("._-"), stem.size()));
    if (stem.size() > kLongestName) stem.resize(kLongestName);
    if (ending.size() > kLongestName) ending.resize(kLongestName);
    return (stem.empty() ? "mesh" : stem) + ending;
}

}  // namespace limber::studio
