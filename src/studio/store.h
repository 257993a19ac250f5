// SPDX-License-Identifier: Apache-2.0
// The studio's files, in one folder that only its user can open:
//   uploads/ID/mesh.EXT  what a page sent, each in a folder of its own or, in a set, with the files that it
//   names;
//                        ID is a key of the content, and a file never changes (ID.json beside it: the name
//                        that it had last)
//   models/ID.glb .png .json   finished models; the .json is written last, so what has one is whole
//   meshes/              surfaces and fillings to look at
//   reports/             of validations
//   jobs/                what was done, to be found again after a reload or a restart
//   work/KEY/            where the child processes run; an interrupted build goes on from there
// Names are keys of content and of limber's version, so that nothing old is taken for something new.
#pragma once
#include "studio/content_key.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace limber::studio {

// A mesh to work on.
struct Upload {
    std::string id;
    std::string name;            // as the user calls it: text from outside, only ever shown
    std::filesystem::path file;  // where its bytes are
    std::uint64_t bytes = 0;
    bool given = false;       // on the command line: the user's own file, in its own folder
    std::string called = "";  // not given: what the file is called where a job reads it, file_name_of(name)
};

// A model that limber built.
struct StoredModel {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
    std::string id;
    std::string title, text;
    std::string kind;        // "sample", "built"
    std::string key;         // of what it was made from
    std::string command;     // that makes it again
    nlohmann::json request;  // that made it; null for samples
    nlohmann::json info;     // limber build --json
    double made = 0;         // s since 1970
};

class Store {
 public:
    // Throws InputError if the folder cannot be made.
    Store(std::filesystem::path root, std::string version);

    const std::string& version() const { return version_; }
    std::filesystem::path mesh_file(const std::string& name) const { return root_ / "meshes" / name; }
    std::filesystem::path report_file(const std::string& id) const {
        return root_ / "reports" / (id + ".html");
    }
    std::filesystem::path jobs_folder() const { return root_ / "jobs"; }
    std::filesystem::path work_folder(const std::string& key) const { return root_ / "work" / key; }
    std::filesystem::path model_file(const std::string& id) const { return root_ / "models" / (id + ".glb"); }
    std::filesystem::path picture_file(const std::string& id) const {
        return root_ / "models" / (id + ".png");
    }
    std::filesystem::path root() const { return root_; }
    // Held while files are removed to make room, while an upload gets its name, and from looking up an upload
    // until the job that reads it is queued: none loses a file to another.
    std::mutex& tidying() { return tidying_; }

    std::optional<Upload> find_upload(const std::string& id) const;
    void add_given(const Upload& upload);

    std::optional<StoredModel> find_model(const std::string& id) const;
    std::vector<StoredModel> built_models() const;  // of kind "built", newest first
    // The files are moved here.
    void add_model(const StoredModel& model, const std::filesystem::path& glb,
                   const std::filesystem::path& picture);
    void remove_model(const std::string& id);

 private:
    std::filesystem::path root_;
    std::string version_;
    mutable std::mutex mutex_;
    std::mutex tidying_;
    std::map<std::string, Upload> given_;
};

// A file that is being sent: written to a temporary name, and named by its content in the end.
class IncomingUpload {
 public:
    explicit IncomingUpload(Store& store);
    ~IncomingUpload();
    IncomingUpload(const IncomingUpload&) = delete;
    IncomingUpload& operator=(const IncomingUpload&) = delete;

    // False: the disk is full.
    bool add(std::string_view bytes);
    // Throws InputError for a name whose ending no reader knows. The same content again, under whatever name,
    // leaves the file as it is.
    Upload finish(const std::string& name);

 private:
    Store& store_;
    std::filesystem::path uploads_, temporary_;
    std::ofstream out_;
    ContentKey key_;
    std::uint64_t bytes_ = 0;
};

// A file that a mesh may name, by its ending: a buffer, a material library, a picture.
bool is_companion(const std::string& name);

// $XDG_CACHE_HOME/limber, ~/.cache/limber.
std::filesystem::path default_cache();

// "My <b>bunny</b>.OBJ" -> "My__b_bunny__b_.OBJ": a name that no shell, no file system and no program
// misreads.
std::string file_name_of(const std::string& name);

}  // namespace limber::studio
