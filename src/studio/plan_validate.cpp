// SPDX-License-Identifier: Apache-2.0
#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "studio/content_key.h"
#include "studio/plans.h"
#include "studio/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRows = 1000000, kMostPoints = 1000;

struct Series {
    std::map<std::string, std::vector<double>> column;  // by the name in the first line
};

Series read_series(const fs::path& file) {
    std::string bytes = build::read_file(file);
    std::replace(bytes.begin(), bytes.end(), ',', ' ');
    build::TextScanner scan(bytes, "series.csv");
    std::vector<std::string> names;
    while (!scan.at_end_of_line())
        names.emplace_back(scan.token_on_line());
    scan.skip_line();
    Series out;
    for (std::size_t row = 0; row < kMostRows && !names.empty() && !scan.at_end(); ++row)
        for (const std::string& name : names)
            out.column[name].push_back(scan.number("a number"));
    return out;
}

// The probe's displacement along the push, of the full and of the reduced model; thinned for a plot.
nlohmann::json curve_of(const Series& series, const nlohmann::json& result) {
    std::array<double, 3> push{};
    double length = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        push[i] = result.at("test").at("force").at(i).get<double>();
        length = std::hypot(length, push[i]);
    }
    const std::vector<double>& t = series.column.at("t");
    const std::size_t stride = (t.size() + kMostPoints - 1) / kMostPoints;
    nlohmann::json out = {{"t", nlohmann::json::array()},
                          {"full", nlohmann::json::array()},
                          {"reduced", nlohmann::json::array()}};
    for (std::size_t row = 0; row < t.size(); row += stride) {
        out["t"].push_back(t[row]);
        for (const char* which : {"full", "reduced"}) {
            double along = 0;
            for (std::size_t i = 0; i < 3; ++i)
                along += push[i] / length * series.column.at(fmt::format("{}.{}", which, "xyz"[i]))[row];
            out[which].push_back(along);
        }
    }
    return out;
}

std::string key_of_model(const Store& store, const std::string& kind, const std::string& id,
                         const fs::path& model) {
    ContentKey sum;
    sum.add_text(store.version());
    sum.add_text(kind);
    sum.add_text(id);
    sum.add_text(key_of_file(model, 64));
    return sum.hex(16);
}

void link_into(const fs::path& folder, const std::string& name, const fs::path& model) {
    std::error_code error;
    fs::remove(folder / name, error);
    fs::create_symlink(model, folder / name);
}

// The places at which the page improved this model.
std::vector<std::string> improved_places(const Store& store, const std::string& id) {
    std::vector<std::string> out;
    const auto model = store.find_model(id);
    if (!model || !model->request.is_object()) return out;
    for (const nlohmann::json& select : model->request.value("improve", nlohmann::json::array()))
        if (select.is_string() && select.get<std::string>().starts_with("near:"))
            out.push_back(select.get<std::string>());
    return out;
}

// One run of `limber validate` on a model, in a folder of its own. `kept`: the file that stays of it.
// `complete` moves it there and adds to the result what the page needs.
using Complete = std::function<void(const fs::path& folder, nlohmann::json& result)>;
Plan plan_run(const Store& store, const std::string& kind, const std::string& key, const std::string& id,
              const fs::path& model, const std::string& step, const std::vector<std::string>& arguments,
              const fs::path& kept, Complete complete) {
    Plan out;
    out.id = kind + "-" + key;
    out.kind = kind;
    const auto stored = store.find_model(id);
    out.title = stored ? stored->title : id;
    out.command = "limber " + shell_words(arguments);
    out.folder = store.work_folder(out.id);
    out.steps = {{step, arguments}};
    out.prepare = [folder = out.folder, name = id + ".glb", model] { link_into(folder, name, model); };
    out.is_there = [kept] { return fs::exists(kept); };
    out.finish = [folder = out.folder,
                  complete = std::move(complete)](const std::vector<nlohmann::json>& results) {
        nlohmann::json result = results[0];
        complete(folder, result);
        std::error_code error;
        fs::remove_all(folder, error);
        return result;
    };
    return out;
}

}  // namespace

Plan plan_quality(const Store& store, const std::string& id, const fs::path& model) {
    const std::string key = key_of_model(store, "quality", id, model);
    const std::string map = "quality-" + key + ".bin";
    std::vector<std::string> arguments = {"validate", id + ".glb", "--local-only", "--map", "map.bin"};
    for (const std::string& place : improved_places(store, id))
        arguments.push_back("--at=" + place);
    const fs::path kept = store.mesh_file(map);
    Plan out = plan_run(store, "quality", key, id, model, "local compliance", arguments, kept,
                        [kept, map](const fs::path& folder, nlohmann::json& result) {
                            fs::rename(folder / "map.bin", kept);
                            result["map"] = "api/meshes/" + map;
                        });
    out.listed = false;
    return out;
}

Plan plan_validate(const Store& store, const std::string& id, const fs::path& model) {
    const std::string key = key_of_model(store, "validate", id, model);
    const std::string report = "report-" + key;
    const fs::path kept = store.report_file(report);
    return plan_run(store, "validate", key, id, model, "validate",
                    {"validate", id + ".glb", "--csv", "series.csv", "--report", "report.html"}, kept,
                    [kept, report](const fs::path& folder, nlohmann::json& result) {
                        result["curve"] = curve_of(read_series(folder / "series.csv"), result);
                        fs::rename(folder / "report.html", kept);
                        result["report"] = fmt::format("api/reports/{}.html", report);
                    });
}

}  // namespace limber::studio
