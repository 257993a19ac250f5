// SPDX-License-Identifier: Apache-2.0
#include "studio/static_export.h"

#include "build/file/atomic_file.h"
#include "build/file/output_place.h"
#include "studio/gallery.h"
#include "studio/page_files.h"
#include "studio/store.h"

#include <limber/input_error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

// The page sees by this attribute that there is no server behind it.
constexpr std::string_view kOpening = "<html lang=\"en\">";
constexpr std::string_view kExported = "<html lang=\"en\" data-export>";

std::string marked_as_export(std::string index) {
    const std::size_t at = index.find(kOpening);
    if (at == std::string::npos)
        throw InputError{"index.html", fmt::format("it does not hold {}", kOpening), "build the page again"};
    return index.replace(at, kOpening.size(), kExported);
}

class Folder {
 public:
    explicit Folder(fs::path root) : root_(std::move(root)) { build::check_output_folder(root_); }
    void write(const std::string& name, std::string_view bytes) {
        fs::create_directories((root_ / name).parent_path());
        build::write_file(root_ / name, bytes);
        count(bytes.size());
    }
    void copy(const fs::path& from, const std::string& name) {
        fs::create_directories((root_ / name).parent_path());
        fs::copy_file(from, root_ / name);
        count(fs::file_size(from));
    }
    Exported exported;

 private:
    void count(std::uint64_t bytes) {
        ++exported.files;
        exported.bytes += bytes;
    }
    fs::path root_;
};

// What was named is exported; if nothing was, the samples.
bool is_wanted(const nlohmann::json& entry, const GivenFiles& given, bool all_samples) {
    if (entry["kind"] == "given") return true;
    if (entry["kind"] != "sample") return false;
    return all_samples ||
           std::find(given.samples.begin(), given.samples.end(), entry["id"]) != given.samples.end();
}

// The command that made a model names the mesh by its place on this machine; what others see is its name.
void hide_folders(nlohmann::json& entry, const GivenFiles& given) {
    const auto hide = [&](nlohmann::json& value) {
        if (!value.is_string()) return;
        std::string text = value;
        for (const Upload& mesh : given.meshes)
            if (const std::size_t at = text.find(mesh.file.string()); at != std::string::npos)
                text.replace(at, mesh.file.string().size(), mesh.file.filename().string());
        value = text;
    };
    hide(entry["command"]);
    if (entry["info"].is_object() && entry["info"].contains("command")) hide(entry["info"]["command"]);
}

// The cache would be a part of what is exported.
void refuse_cache_inside(const fs::path& folder, const fs::path& cache) {
    const fs::path from_folder = fs::weakly_canonical(cache).lexically_relative(fs::weakly_canonical(folder));
    if (!from_folder.empty() && *from_folder.begin() != "..")
        throw InputError{folder.string(),
                         fmt::format("the cache {} would be inside this folder", cache.string()),
                         "--export with a folder outside of the cache"};
}

void build_all(Gallery& gallery, JobQueue& queue, bool all_samples,
               const std::function<void(const std::string&)>& on_model) {
    const nlohmann::json before = gallery.json();
    for (const nlohmann::json& entry : before["models"]) {
        if (entry["state"] == "ready" || !is_wanted(entry, gallery.given(), all_samples)) continue;
        const std::string id = entry["id"];
        on_model(entry["title"].get<std::string>());
        const auto job = queue.wait(gallery.build(id), std::numeric_limits<int>::max());
        if (!job || job->state != JobState::Done)
            throw job && job->error ? *job->error : InputError{id, "it could not be built", ""};
    }
}

}  // namespace

Exported export_studio(const StudioOptions& options, const fs::path& folder, const Log& log,
                       const std::function<void(const std::string& model)>& on_model) {
    Folder out(folder);
    const PageFiles page = read_page(options.page.empty() ? page_folder() : options.page);
    const fs::path cache = options.cache.empty() ? default_cache() : options.cache;
    refuse_cache_inside(folder, cache);
    Store store(cache, LIMBER_VERSION);
    JobQueue queue({options.program, store.jobs_folder(), options.limits, options.most_waiting_jobs}, log);
    Gallery gallery(store, queue, look_at(options.files, options.program, options.limits));
    const bool all_samples = options.files.empty();
    build_all(gallery, queue, all_samples, on_model);

    nlohmann::json index = gallery.json();
    nlohmann::json models = nlohmann::json::array();
    for (nlohmann::json entry : index["models"]) {
        if (!is_wanted(entry, gallery.given(), all_samples)) continue;
        const std::string id = entry["id"];
        out.copy(gallery.model_file(id), "models/" + id + ".glb");
        entry["model"] = "models/" + id + ".glb";
        if (!entry["picture"].is_null()) {
            out.copy(store.picture_file(id), "models/" + id + ".png");
            entry["picture"] = "models/" + id + ".png";
        }
        hide_folders(entry, gallery.given());
        entry["request"] = entry["upload"] = nullptr;  // there is nothing to build with
        models.push_back(std::move(entry));
        ++out.exported.models;
    }
    index["models"] = models;
    for (const auto& [address, file] : page)
        if (address != "/")
            out.write(address.substr(1),
                      address == "/index.html" ? marked_as_export(file.bytes) : file.bytes);
    out.write("gallery.json", index.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    return out.exported;
}

}  // namespace limber::studio
