// SPDX-License-Identifier: Apache-2.0
// Looking at an uploaded mesh: what is wrong with it, how large it is, what fills it, what it looks like.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/mesh_files/files.h"
#include "models/models.h"
#include "studio/content_key.h"
#include "studio/plans.h"
#include "studio/shell_words.h"
#include "studio/upload_set.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

struct Unit {
    const char* word;
    const char* plural;
    double metres;
};
constexpr std::array<Unit, 4> kUnits = {{{"m", "metres", 1},
                                         {"cm", "centimetres", 0.01},
                                         {"mm", "millimetres", 0.001},
                                         {"in", "inches", 0.0254}}};

// Soft bodies are rarely larger or smaller than kUsual...; outside, another unit is proposed: of those that
// make the body at least kSmallest and at most kLargest, the one that comes nearest to kLikeliest.
constexpr double kUsualLargest = 20, kUsualSmallest = 0.002, kLikeliest = 0.3;  // m
constexpr double kLargest = 100, kSmallest = 0.001;                             // m

double longest_side(const nlohmann::json& bounds) {
    double out = 0;
    try {
        for (std::size_t i = 0; i < 3; ++i)
            out = std::max(out, bounds.at(1).at(i).get<double>() - bounds.at(0).at(i).get<double>());
    } catch (const nlohmann::json::exception&) {
        return 0;  // no vertices, no bounds
    }
    return out;
}

double metres_per(const std::string& unit) {
    for (const Unit& u : kUnits)
        if (unit == u.word) return u.metres;
    return std::stod(unit);  // job_request.cpp wrote the number
}

// A unit that makes the body a likely size, if the chosen one does not: a word, or where no word does it a
// power of ten in metres. Null: there is nothing to propose.
nlohmann::json likelier_unit(double longest, const std::string& unit) {
    if (!(longest > 0) || (longest >= kUsualSmallest && longest <= kUsualLargest)) return nullptr;
    const double bare = longest / metres_per(unit);
    const auto distance = [&](double metres) { return std::abs(std::log(bare * metres / kLikeliest)); };
    const Unit* best = nullptr;
    for (const Unit& u : kUnits) {
        const double size = bare * u.metres;
        if (u.word == std::string_view("in") || u.word == unit || size < kSmallest || size > kLargest)
            continue;
        if (!best || distance(u.metres) < distance(best->metres)) best = &u;
    }
    if (best) return best->word;
    if (longest >= kSmallest && longest <= kLargest) return nullptr;  // no other unit is better
    return std::pow(10.0, std::round(std::log10(kLikeliest / bare)));
}

std::string unit_plural(const std::string& word) {
    for (const Unit& u : kUnits)
        if (word == u.word) return u.plural;
    return word;
}

std::string key_of(const Store& store, const std::string& what, const Upload& mesh,
                   const std::vector<std::string>& arguments, const std::vector<SideFile>& files = {}) {
    ContentKey sum;
    sum.add_text(store.version());
    sum.add_text(what);
    sum.add_text(mesh.id);
    for (const std::string& argument : arguments)
        sum.add_text(argument);
    for (const SideFile& file : files)
        sum.add_text(file.bytes);
    return sum.hex(16);
}

nlohmann::json check_result(const nlohmann::json& info, const std::string& unit, const std::string& mesh) {
    const double longest = longest_side(info.value("bounds", nlohmann::json()));
    const nlohmann::json guess = likelier_unit(longest, unit);
    std::string text = length_text(longest) + " long";
    const auto in_unit = [&](double metres) { return length_text(longest / metres_per(unit) * metres); };
    if (guess.is_string()) {
        const auto word = guess.get<std::string>();
        text +=
            fmt::format(": are these {}? Then it is {} long.", unit_plural(word), in_unit(metres_per(word)));
    } else if (guess.is_number()) {
        text += fmt::format(": no usual unit makes it a body; {} long is one.", in_unit(guess.get<double>()));
    }
    return {{"info", info},      {"longest", longest},
            {"size_text", text}, {"unit_guess", guess},
            {"mesh", mesh},      {"problems", info.value("problems", nlohmann::json::array())}};
}

// "bunny.obj" -> "bunny-repaired.obj". limber writes glTF as .glb.
std::string repaired_name(const std::string& file) {
    const fs::path path(file);
    const bool text = build::format_of(path) == build::FileFormat::Gltf;
    return path.stem().string() + "-repaired" + (text ? ".glb" : path.extension().string());
}

Upload take_in(Store& store, const fs::path& file, const std::string& name) {
    IncomingUpload incoming(store);
    if (!incoming.add(build::read_file(file)))
        throw InputError{"repair", "the disk is full", "room in the cache folder"};
    return incoming.finish(name);
}

Plan picture_plan(const Store& store, const std::string& id, const std::string& key) {
    Plan out;
    out.id = "picture-" + key;
    out.kind = "picture";
    out.title = id;
    out.listed = false;
    out.background = true;
    out.folder = store.work_folder("picture-" + key);
    out.is_there = [file = store.picture_file(id)] { return fs::exists(file); };
    out.finish = [file = store.picture_file(id), folder = out.folder](const std::vector<nlohmann::json>&) {
        fs::rename(folder / "picture.png", file);
        std::error_code error;
        fs::remove_all(folder, error);
        return nlohmann::json();
    };
    return out;
}

}  // namespace

std::string length_text(double metres) {
    // Limits at which three digits would be rounded to the next unit's 1.
    const double size = std::abs(metres);
    if (size >= 0.9995) return fmt::format("{:.3g} m", metres);
    if (size >= 0.009995) return fmt::format("{:.3g} cm", metres * 100);
    if (size >= 0.9995e-3 || size == 0) return fmt::format("{:.3g} mm", metres * 1000);
    return fmt::format("{:.3g} µm", metres * 1e6);
}

std::vector<PartColor> sample_colors(const std::string& name) {
    if (name == "oak" || name == "great-oak")
        return {{"trunk", {0.25, 0.16, 0.09}}, {"limb", {0.27, 0.17, 0.09}}, {"branch", {0.27, 0.17, 0.09}},
                {"twig", {0.3, 0.2, 0.1}},     {"sprig", {0.3, 0.2, 0.1}},   {"leaf", {0.16, 0.38, 0.08}}};
    if (name == "station")
        return {{"hub", {0.6, 0.6, 0.58}},     {"truss", {0.45, 0.35, 0.18}}, {"panel", {0.04, 0.08, 0.25}},
                {"habitat", {0.7, 0.7, 0.68}}, {"lab", {0.55, 0.57, 0.6}},    {"dish", {0.75, 0.75, 0.75}}};
    if (name == "flower") {
        std::vector<PartColor> out = {{"head", {0.75, 0.45, 0.03}}};
        for (const char* green : {"stem1", "stem2", "leaf1", "leaf2"})
            out.push_back({green, {0.12, 0.32, 0.07}});
        for (int i = 1; i <= 7; ++i)
            out.push_back({fmt::format("petal{}", i), {0.7, 0.14, 0.3}});
        return out;
    }
    return {};
}

Step draw_step(const std::string& file, const std::vector<PartColor>& colors) {
    Step out{"picture",
             {"draw", file, "-o", "picture.png", "--width", "480", "--height", "320", "--quiet"},
             /*may_fail=*/true};
    for (const auto& [part, rgb] : colors)
        out.arguments.push_back(fmt::format("--color={}: {} {} {}", part, rgb[0], rgb[1], rgb[2]));
    return out;
}

std::string mesh_argument(const Upload& mesh) {
    return mesh.given ? mesh.file.string() : mesh.called;
}

void put_into(const fs::path& folder, const Upload& mesh) {
    if (mesh.given) return;
    const auto put = [](const fs::path& from, const fs::path& to) {
        std::error_code error;
        fs::last_write_time(from, fs::file_time_type::clock::now(), error);  // it is in use
        fs::remove(to, error);
        fs::create_hard_link(from, to, error);
        if (error) fs::copy_file(from, to, fs::copy_options::overwrite_existing);
    };
    put(mesh.file, folder / mesh.called);
    const fs::path companions = companions_of(mesh);
    if (!fs::is_directory(companions)) return;
    for (const auto& entry : fs::recursive_directory_iterator(companions)) {
        const fs::path to = folder / entry.path().lexically_relative(companions);
        if (entry.is_directory())
            fs::create_directories(to);
        else
            put(entry.path(), to);
    }
}

std::vector<fs::path> files_of(const Upload& mesh) {
    if (mesh.given) return {};
    return {mesh.file.parent_path()};
}

std::vector<std::string> filling_arguments(const Filling& filling) {
    if (const auto* tets = std::get_if<FillWithTets>(&filling)) {
        std::vector<std::string> out = {"--tets"};
        if (tets->max_volume) out.push_back(fmt::format("--max-volume={}", *tets->max_volume));
        return out;
    }
    const auto& resolution = std::get<FillWithVoxels>(filling).resolution;
    if (!resolution) return {};
    return {fmt::format("--resolution={}", *resolution)};
}

Upload require_upload(const Store& store, const std::string& id) {
    const auto found = store.find_upload(id);
    if (!found) throw InputError{id, "there is no such upload", "send the file again"};
    return *found;
}

namespace {

using OutlineResult =
    std::function<nlohmann::json(const std::vector<nlohmann::json>& results, const std::string& address)>;

// A plan whose steps leave outline.bin, which the page fetches at the address that `result` is told. `told`:
// the command that the user is shown, and what the key is made of.
Plan outline_plan(const Store& store, const std::string& kind, const Upload& mesh,
                  const std::vector<std::string>& told, OutlineResult result,
                  const std::vector<SideFile>& files = {}) {
    const std::string key = key_of(store, kind, mesh, told, files);
    const std::string name = key + ".bin";
    Plan out;
    out.id = kind + "-" + key;
    out.kind = kind;
    out.title = mesh.name;
    out.command = "limber " + shell_words(told);
    out.folder = store.work_folder(out.id);
    out.reads = files_of(mesh);
    out.prepare = [folder = out.folder, mesh, files] {
        put_into(folder, mesh);
        for (const SideFile& file : files)
            build::write_file(folder / file.name, file.bytes);
    };
    out.is_there = [file = store.mesh_file(name)] { return fs::exists(file); };
    out.finish = [folder = out.folder, file = store.mesh_file(name), address = "api/meshes/" + name,
                  result = std::move(result)](const std::vector<nlohmann::json>& results) {
        fs::rename(folder / "outline.bin", file);
        std::error_code error;
        fs::remove_all(folder, error);
        return result(results, address);
    };
    return out;
}

}  // namespace

Plan plan_check(const Store& store, const CheckRequest& request) {
    const Upload mesh = require_upload(store, request.upload);
    const std::string file = mesh_argument(mesh);
    const std::vector<std::string> look = {"mesh", "info", file, "--unit", request.unit, "--points", "200"};
    Plan out = outline_plan(store, "check", mesh, look,
                            [unit = request.unit](const auto& results, const std::string& address) {
                                return check_result(results[0], unit, address);
                            });
    out.steps = {
        {"checking", look},
        {"surface", {"mesh", "outline", file, "--unfilled", "-o", "outline.bin", "--unit", request.unit}}};
    return out;
}

Plan plan_repair(Store& store, const RepairRequest& request) {
    const Upload mesh = require_upload(store, request.upload);
    const std::string output = repaired_name(fs::path(mesh_argument(mesh)).filename().string());
    const std::vector<std::string> repair = {"mesh", "repair", mesh_argument(mesh), "-o", output};
    Plan out;
    out.id = "repair-" + key_of(store, "repair", mesh, repair);
    out.kind = "repair";
    out.title = mesh.name;
    out.command = "limber " + shell_words(repair);
    out.folder = store.work_folder(out.id);
    out.reads = files_of(mesh);
    out.prepare = [folder = out.folder, mesh] { put_into(folder, mesh); };
    out.steps = {{"repairing", repair}};
    // The repaired mesh is an upload like any other, with its material library and pictures.
    out.finish = [&store, folder = out.folder, output,
                  name = repaired_name(mesh.name)](const std::vector<nlohmann::json>& results) {
        Upload upload = take_in(store, folder / output, name);
        UploadSet set{upload.id, {}};
        for (const std::string& file : results[0].value("files", std::vector<std::string>{}))
            set.companions.push_back({file, take_in(store, folder / file, file).id});
        if (!set.companions.empty()) {
            const std::lock_guard lock(store.tidying());
            upload = join_uploads(store, set);
        }
        std::error_code error;
        fs::remove_all(folder, error);
        return nlohmann::json{
            {"upload", upload.id}, {"name", upload.name}, {"bytes", upload.bytes}, {"report", results[0]}};
    };
    return out;
}

Plan plan_fill(const Store& store, const FillRequest& request) {
    const Upload mesh = require_upload(store, request.upload);
    std::vector<std::string> fill = {"mesh",        "outline", mesh_argument(mesh), "-o",
                                     "outline.bin", "--unit",  request.unit};
    const auto filling = filling_arguments(request.filling);
    fill.insert(fill.end(), filling.begin(), filling.end());
    std::vector<SideFile> files;
    if (request.domains) {
        fill.push_back(domains_argument(*request.domains, files));
        for (const std::string& select : request.fix)
            fill.push_back("--fix=" + select_argument(select, files));
    }
    const auto result = [](const auto& results, const std::string& address) {
        return nlohmann::json{{"vertices", results[0].value("vertices", 0)},
                              {"elements", results[0].value("elements", 0)},
                              {"filling", results[0].value("filling", nlohmann::json())},
                              {"tree", results[0].value("tree", nlohmann::json())},
                              {"positions", address}};
    };
    Plan out = outline_plan(store, "fill", mesh, fill, result, files);
    out.steps = {{request.domains ? "cutting" : "filling", fill}};
    return out;
}

Plan plan_sample_picture(const Store& store, const std::string& name) {
    const models::ModelInfo& info = models::find(name);
    ContentKey sum;
    sum.add_text(store.version());
    sum.add_text(name);
    Plan out = picture_plan(store, name, sum.hex(16));
    // Bars and the jelly box are volumes, trees and the others surfaces.
    const std::string file = info.resolution > 0 || info.domains > 0 ? "mesh.obj" : "mesh.vtu";
    out.steps = {{"mesh", {"models", "make", name, "-o", file}}, draw_step(file)};
    // The parts of a tree are known when it is built, which takes seconds.
    if (const auto colors = sample_colors(name); !colors.empty())
        out.steps = {{"starting", {"build", name, "-o", "tree.glb"}}, draw_step("tree.glb", colors)};
    out.steps.back().may_fail = false;
    return out;
}

Plan plan_mesh_picture(const Store& store, const Upload& mesh) {
    Plan out = picture_plan(store, mesh.id, key_of(store, "picture", mesh, {}));
    out.steps = {draw_step(mesh_argument(mesh))};
    out.steps.back().may_fail = false;
    out.reads = files_of(mesh);
    out.prepare = [folder = out.folder, mesh] { put_into(folder, mesh); };
    return out;
}

}  // namespace limber::studio
