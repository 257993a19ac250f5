// SPDX-License-Identifier: Apache-2.0
#include "studio/gallery.h"

#include "build/animation/node_tree.h"
#include "models/models.h"
#include "studio/api_error.h"
#include "studio/plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

// What `limber build --json` told, in the gallery's words.
void add_facts(nlohmann::json& entry, const nlohmann::json& info) {
    const auto number = [&](const char* key) {
        const auto found = info.find(key);
        return found != info.end() && found->is_number() ? *found : nlohmann::json();
    };
    entry["vertices"] = number("surface_vertices");
    entry["rank"] = number("rank");
    entry["size"] = nullptr;
    const auto bounds = info.find("bounds");
    if (bounds == info.end() || !bounds->is_array() || bounds->size() != 2) return;
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i)
        longest = std::max(longest, (*bounds)[1][i].get<double>() - (*bounds)[0][i].get<double>());
    entry["size"] = length_text(longest);
}

nlohmann::json picture_of(const Store& store, const std::string& id) {
    std::error_code error;
    if (!fs::exists(store.picture_file(id), error)) return nullptr;
    return fmt::format("api/models/{}.png", id);
}

// The mesh that a model was made of, if it is still there.
nlohmann::json upload_of(const Store& store, const nlohmann::json& request) {
    if (!request.is_object() || !request.contains("upload") || !request["upload"].is_string()) return nullptr;
    const std::string id = request["upload"];
    return store.find_upload(id) ? nlohmann::json(id) : nlohmann::json();
}

// Painted vertices make requests of megabytes, and the list of models holds one for each.
nlohmann::json short_request(const nlohmann::json& request) {
    constexpr std::size_t most = 1u << 16;  // bytes
    return request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).size() <= most
               ? request
               : nlohmann::json();
}

nlohmann::json ready_entry(const Store& store, const StoredModel& model) {
    nlohmann::json out = {{"id", model.id},
                          {"title", model.title},
                          {"text", model.text},
                          {"kind", model.kind},
                          {"state", "ready"},
                          {"job", nullptr},
                          {"model", fmt::format("api/models/{}.glb", model.id)},
                          {"picture", picture_of(store, model.id)},
                          {"command", model.command},
                          {"request", short_request(model.request)},
                          {"upload", upload_of(store, model.request)},
                          {"error", nullptr},
                          {"info", model.info}};
    add_facts(out, model.info);
    return out;
}

struct SampleCard {
    std::string_view name, text;
};
// What impresses first, the plain bars last. Others, such as the great oak, are shown if the command line
// names them.
constexpr std::array<SampleCard, 14> kSampleCards = {
    {{"jelly-box", "A box of jelly that jumps, 1.4 m high."},
     {"spoon", "A table spoon of soft silicone, 20 cm long."},
     {"heart", "A human heart with its great vessels, 17 cm high."},
     {"bridge", "A suspension bridge as soft as rubber, 256 m long."},
     {"oak", "An oak in the wind, 8 m high: a tree of 1,435 domains."},
     {"dragon", "A dragon of rubber with wings, jaw and tail, 1.8 m long: a tree of 40 domains."},
     {"flower", "A flower in the wind, 75 cm high: a tree of 12 domains."},
     {"word", "The word LIMBER in free flight, 6 m long: soft letters on rigid links."},
     {"station", "A space station in free flight, 30 m across: a tree of 48 domains."},
     {"dinosaur", "A sauropod of soft rubber, 47 cm long."},
     {"potbelly", "A dancer's torso with a soft belly, 70 cm high."},
     {"tower", "A lattice tower as soft as rubber, 300 m high."},
     {"bar", "A rubber bar of 320 cubes, 1 m long, fixed at one end."},
     {"bar-tets", "The same bar of 1920 tetrahedra."}}};

// The poses of the pelvis that a sample is fixed to, relative to the first one; null for those without a
// skeleton. Micrometres and microradians are enough to look at.
nlohmann::json sample_motion(const std::string& sample) {
    const auto tree = models::motion(sample);
    if (!tree) return nullptr;
    constexpr double kRate = 60;  // poses a second, as the skeletons have keys
    const auto rounded = [](double x) { return std::round(1e6 * x) / 1e6; };
    const int pelvis = build::find_node(*tree, "pelvis", sample);
    const Pose start = build::pose_of(*tree, pelvis, 0);
    nlohmann::json positions = nlohmann::json::array(), orientations = nlohmann::json::array();
    const int count = static_cast<int>(std::round(kRate * build::end_of(*tree))) + 1;
    for (int i = 0; i < count; ++i) {
        const Pose pose = build::pose_of(*tree, pelvis, i / kRate);
        const Eigen::Vector3d offset = pose.position - start.position;
        const Eigen::Quaterniond rotation = pose.orientation * start.orientation.conjugate();
        for (const double x : offset)
            positions.push_back(rounded(x));
        for (const double x : rotation.coeffs())
            orientations.push_back(rounded(x));
    }
    return {{"name", sample == "jelly-box" ? "jump" : "dance"},
            {"rate", kRate},
            {"positions", std::move(positions)},
            {"orientations", std::move(orientations)}};
}

// The mean velocity of the air that a sample stands in, m/s; null: none.
nlohmann::json sample_wind(const std::string& sample) {
    if (sample == "oak") return {8, 0, 0};
    if (sample == "flower") return {3, 0, 0};
    return nullptr;
}

// Titles that were there before get a number behind them: "Bunny", "Bunny (2)".
class Titles {
 public:
    void tell_apart(nlohmann::json& entry) {
        const std::string title = entry["title"];
        std::string own = title;
        for (int n = 2; !taken_.insert(own).second; ++n)
            own = fmt::format("{} ({})", title, n);
        entry["title"] = own;
    }

 private:
    std::set<std::string> taken_;
};

}  // namespace

Gallery::Gallery(Store& store, JobQueue& queue, GivenFiles given)
    : store_(store), queue_(queue), given_(std::move(given)) {
    for (const Upload& mesh : given_.meshes)
        store_.add_given(mesh);
    for (const SampleCard& card : kSampleCards)
        samples_.push_back({std::string(card.name), std::string(card.text)});
    for (const std::string& name : given_.samples)
        if (std::none_of(samples_.begin(), samples_.end(), [&](const Sample& s) { return s.name == name; }))
            samples_.push_back({name, models::find(name).description});
}

std::optional<Plan> Gallery::plan_of(const std::string& id) const {
    for (const Sample& sample : samples_)
        if (sample.name == id) return plan_sample(store_, id);
    for (const Upload& mesh : given_.meshes)
        if (mesh.id == id) return plan_given(store_, mesh);
    return std::nullopt;
}

nlohmann::json Gallery::entry_of_plan(const std::string& id, const char* kind, const std::string& title,
                                      const std::string& text) const {
    const Plan plan = *plan_of(id);
    if (plan.is_there()) return ready_entry(store_, *store_.find_model(id));
    nlohmann::json out = {{"id", id},
                          {"title", title},
                          {"text", text},
                          {"kind", kind},
                          {"state", "unbuilt"},
                          {"job", nullptr},
                          {"model", nullptr},
                          {"picture", picture_of(store_, id)},
                          {"command", plan.command},
                          {"request", nullptr},
                          {"upload", nullptr},
                          {"error", nullptr},
                          {"info", nullptr}};
    add_facts(out, nlohmann::json::object());
    if (const auto seen = queue_.find(plan.id)) {
        const JobState state = seen->job.state;
        if (!is_over(state)) out["state"] = "building";
        if (state == JobState::Failed) {
            out["state"] = "failed";
            out["error"] = to_json(seen->job)["error"];
        }
        if (!is_over(state) || state == JobState::Failed) out["job"] = plan.id;
    }
    return out;
}

nlohmann::json Gallery::json() const {
    nlohmann::json models = nlohmann::json::array();
    for (const GivenModel& model : given_.models) {
        StoredModel ready;
        ready.id = model.id;
        ready.title = ready.text = model.name;
        ready.kind = "given";
        ready.info = model.info;
        const auto command = model.info.find("command");
        if (command != model.info.end() && command->is_string()) ready.command = command->get<std::string>();
        models.push_back(ready_entry(store_, ready));
    }
    for (const Upload& mesh : given_.meshes) {
        nlohmann::json entry = entry_of_plan(mesh.id, "given", mesh.name, mesh.name);
        entry["upload"] = mesh.id;
        models.push_back(std::move(entry));
    }
    const std::size_t given = models.size();
    for (const StoredModel& model : store_.built_models())
        models.push_back(ready_entry(store_, model));
    const std::size_t built = models.size();
    for (const auto& [name, text] : samples_) {
        nlohmann::json entry = entry_of_plan(name, "sample", sample_title(name), text);
        entry["text"] = text;
        entry["motion"] = sample_motion(name);
        entry["wind"] = sample_wind(name);
        entry["colors"] = nlohmann::json::object();
        for (const auto& [part, rgb] : sample_colors(name))
            entry["colors"][part] = rgb;
        models.push_back(std::move(entry));
    }
    // The oldest keeps its title: samples, then what was built (the newest stands first), then the files.
    Titles titles;
    for (std::size_t i = built; i < models.size(); ++i)
        titles.tell_apart(models[i]);
    for (std::size_t i = built; i > given; --i)
        titles.tell_apart(models[i - 1]);
    for (std::size_t i = 0; i < given; ++i)
        titles.tell_apart(models[i]);
    return {{"version", store_.version()}, {"models", models}};
}

std::string Gallery::build(const std::string& id) {
    auto plan = plan_of(id);
    if (!plan) throw ApiError{404, {id, "there is nothing to build by that name", ""}};
    return queue_.submit(std::move(*plan));
}

fs::path Gallery::model_file(const std::string& id) const {
    for (const GivenModel& model : given_.models)
        if (model.id == id) return model.file;
    const auto model = store_.find_model(id);
    // A sample of an older version is not the sample.
    const auto plan = plan_of(id);
    if (!model || (plan && !plan->is_there()))
        throw ApiError{404,
                       {id, "there is no such model, or it is not built yet", "build it from the gallery"}};
    return store_.model_file(id);
}

nlohmann::json Gallery::request_of(const std::string& id) const {
    const auto model = store_.find_model(id);
    if (!model || !model->request.is_object())
        throw InputError{id, "this model was not made here, so its mesh is not at hand",
                         "make a model of its mesh, then a variant of that"};
    return model->request;
}

void Gallery::remove(const std::string& id) {
    const auto model = store_.find_model(id);
    if (!model) throw ApiError{404, {id, "there is no such model", ""}};
    if (model->kind != "built")
        throw ApiError{403, {id, "only models that were made here can be removed", ""}};
    store_.remove_model(id);
    queue_.cancel_or_forget("build-" + model->key);
}

void Gallery::draw_missing_pictures() {
    std::error_code error;
    for (const Sample& sample : samples_)
        if (!fs::exists(store_.picture_file(sample.name), error))
            queue_.submit(plan_sample_picture(store_, sample.name));
    for (const Upload& mesh : given_.meshes)
        if (!fs::exists(store_.picture_file(mesh.id), error)) queue_.submit(plan_mesh_picture(store_, mesh));
    for (const GivenModel& model : given_.models)
        if (!fs::exists(store_.picture_file(model.id), error))
            queue_.submit(
                plan_mesh_picture(store_, {model.id, model.name, model.file, 0, /*given=*/true, ""}));
}

}  // namespace limber::studio
