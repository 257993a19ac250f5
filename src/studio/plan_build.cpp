// SPDX-License-Identifier: Apache-2.0
#include "build/file/atomic_file.h"
#include "models/models.h"
#include "studio/content_key.h"
#include "studio/plans.h"
#include "studio/shell_words.h"

#include <fmt/format.h>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPicture = "picture.png";

// Who the model is for the gallery.
struct Identity {
    std::string id;  // empty: by name and key
    std::string kind, title, text;
};

std::string constants(const MaterialRequest& material, std::string_view format, std::string_view separator) {
    std::string out;
    const auto add = [&](const char* name, const std::optional<double>& value) {
        if (!value) return;
        if (!out.empty()) out += separator;
        out += fmt::format(fmt::runtime(format), name, *value);
    };
    add("young", material.young);
    add("poisson", material.poisson);
    add("density", material.density);
    return out;
}

std::vector<std::string> build_arguments(const BuildRequest& request, const std::string& mesh,
                                         const std::string& output, std::vector<SideFile>& files) {
    std::vector<std::string> out = {"build", mesh, "-o", output};
    if (request.unit != "m") out.insert(out.end(), {"--unit", request.unit});
    const auto filling = filling_arguments(request.filling);
    out.insert(out.end(), filling.begin(), filling.end());
    for (const std::string& select : request.fix)
        out.push_back("--fix=" + select_argument(select, files));
    const auto& m = request.material;
    if (m.young) out.push_back(fmt::format("--young={}", *m.young));
    if (m.poisson) out.push_back(fmt::format("--poisson={}", *m.poisson));
    if (m.density) out.push_back(fmt::format("--density={}", *m.density));
    for (const auto& [select, material] : request.groups)
        out.push_back(fmt::format("--material={}: {}", select_argument(select, files),
                                  constants(material, "{}={}", " ")));
    if (request.modes) out.push_back(fmt::format("--modes={}", *request.modes));
    if (!request.rank.empty()) out.push_back("--rank=" + request.rank);
    if (!request.sketch.empty()) {
        files.push_back({"sketch.json", request.sketch});
        out.push_back("--basis=sketch:sketch.json");
    } else if (!request.basis.empty()) {
        out.push_back("--basis=" + request.basis);
    }
    if (!request.method.empty()) out.push_back("--method=" + request.method);
    if (!request.up.empty()) out.push_back("--up=" + request.up);
    if (request.domains) out.push_back(domains_argument(*request.domains, files));
    for (const std::string& select : request.improve)
        out.push_back("--improve=" + select_argument(select, files));
    return out;
}

// Named by the title, and never as the mesh itself.
std::string output_name(const std::string& title, const std::optional<Upload>& mesh) {
    const std::string name = slug(title);
    const bool taken = mesh && fs::path(mesh_argument(*mesh)).filename() == name + ".glb";
    return name + (taken ? "-soft.glb" : ".glb");
}

std::string command_of(const std::vector<std::string>& arguments) {
    return "limber " + shell_words(arguments);
}

Plan plan(Store& store, const BuildRequest& request, const std::optional<Upload>& mesh, Identity identity) {
    std::vector<SideFile> files;
    const std::string output = output_name(identity.kind == "sample" ? request.sample : identity.title, mesh);
    const auto arguments =
        build_arguments(request, mesh ? mesh_argument(*mesh) : request.sample, output, files);

    ContentKey sum;
    sum.add_text(store.version());
    sum.add_text(mesh ? mesh->id : "");
    sum.add_text(identity.title);
    for (const std::string& argument : arguments)
        sum.add_text(argument);
    for (const SideFile& file : files)
        sum.add_text(file.bytes);
    const std::string key = sum.hex(16);
    if (identity.id.empty()) identity.id = slug(identity.title) + '-' + key;

    Plan out;
    out.id = "build-" + key;
    out.kind = "build";
    out.title = identity.title;
    out.command = command_of(arguments);
    out.folder = store.work_folder(key);
    out.steps = {{"starting", arguments}, draw_step(output, sample_colors(request.sample))};
    if (mesh) out.reads = files_of(*mesh);
    out.prepare = [folder = out.folder, mesh, files] {
        if (mesh) put_into(folder, *mesh);
        for (const SideFile& file : files)
            build::write_file(folder / file.name, file.bytes);
    };
    out.is_there = [&store, id = identity.id, key] {
        const auto model = store.find_model(id);
        return model && model->key == key;
    };
    out.finish = [&store, identity, key, output, folder = out.folder, command = out.command,
                  requested = request.as_requested](const std::vector<nlohmann::json>& results) {
        store.add_model({identity.id, identity.title, identity.text, identity.kind, key, command, requested,
                         results[0], now_since_1970()},
                        folder / output, folder / kPicture);
        std::error_code error;
        fs::remove_all(folder, error);
        return nlohmann::json{{"id", identity.id},
                              {"model", fmt::format("api/models/{}.glb", identity.id)},
                              {"info", results[0]},
                              {"command", command}};
    };
    return out;
}

}  // namespace

std::string sample_title(const std::string& name) {
    if (name == "bar-tets") return "Bar of tetrahedra";
    std::string out = name;
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

Plan plan_build(Store& store, const BuildRequest& request) {
    if (!request.sample.empty()) {
        const models::ModelInfo& info = models::find(request.sample);
        return plan(store, request, std::nullopt,
                    {"", "built", request.name.empty() ? sample_title(info.name) : request.name,
                     fmt::format("made from the sample {}", info.name)});
    }
    const Upload mesh = require_upload(store, request.upload);
    return plan(store, request, mesh,
                {"", "built", request.name.empty() ? mesh.name : request.name,
                 fmt::format("made from {}", mesh.name)});
}

Plan plan_sample(Store& store, const std::string& name) {
    const models::ModelInfo& info = models::find(name);
    BuildRequest request;
    request.sample = name;
    request.as_requested = {{"kind", "build"}, {"sample", name}};
    return plan(store, request, std::nullopt, {name, "sample", sample_title(name), info.description});
}

Plan plan_given(Store& store, const Upload& mesh) {
    BuildRequest request;
    request.upload = mesh.id;
    request.as_requested = {{"kind", "build"}, {"upload", mesh.id}};
    return plan(store, request, mesh, {mesh.id, "given", mesh.name, mesh.name});
}

}  // namespace limber::studio
