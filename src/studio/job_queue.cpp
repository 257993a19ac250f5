// SPDX-License-Identifier: Apache-2.0
#include "studio/job_queue.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "studio/api_error.h"

#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRecords = 100;
constexpr std::size_t kMostNotes = 100, kLongestNote = 2000;  // bytes

// Another studio that shares the cache and still lives.
bool is_another_studio(const nlohmann::json& record) {
    const auto found = record.find("studio");
    const pid_t process = found != record.end() && found->is_number_integer() ? found->get<pid_t>() : 0;
    return process > 0 && process != getpid() && kill(process, 0) == 0;
}

InputError error_of(const nlohmann::json& result) {
    const auto found = result.find("error");
    if (found == result.end() || !found->is_object()) return {"limber", "it failed without saying why", ""};
    const auto text = [&](const char* key) {
        const auto value = found->find(key);
        return value != found->end() && value->is_string() ? value->get<std::string>() : "";
    };
    return {text("where"), text("problem"), text("try_this")};
}

}  // namespace

JobQueue::JobQueue(Options options, Log log) : options_(std::move(options)), log_(std::move(log)) {
    read_records();
    quick_worker_ = std::thread([this] { work(Lane::Quick); });
    long_worker_ = std::thread([this] { work(Lane::Long); });
}

JobQueue::~JobQueue() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (auto& [id, entry] : entries_)
            if (!is_over(entry->job.state)) entry->cancel = true;
    }
    changed_.notify_all();
    quick_worker_.join();
    long_worker_.join();
}

void JobQueue::read_records() {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(options_.folder, error)) {
        if (file.path().extension() != ".json") continue;
        nlohmann::json record;
        try {
            record =
                nlohmann::json::parse(build::read_file(file.path()), nullptr, /*allow_exceptions=*/false);
        } catch (const InputError&) {
            continue;
        }
        std::optional<Job> job = job_from_json(record);
        if (!job || (!is_over(job->state) && is_another_studio(record))) continue;
        auto entry = std::make_unique<Entry>();
        entry->job = std::move(*job);
        if (!is_over(entry->job.state)) {
            entry->job.state = JobState::Failed;
            entry->job.error = InputError{"studio", "the studio was closed while this was under way",
                                          "start it again: a build goes on from what it had finished"};
            write_record(*entry);
        }
        entries_[entry->job.id] = std::move(entry);
    }
}

void JobQueue::write_record(const Entry& entry) const {
    nlohmann::json record = to_json(entry.job);
    record["studio"] = getpid();
    try {
        build::write_file(options_.folder / (entry.job.id + ".json"),
                          record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } catch (const InputError& error) {
        log_(fmt::format("cannot keep the record of a job: {}", log_text(error.problem)));
    }
}

void JobQueue::forget_oldest() {
    std::vector<const Entry*> over;
    for (const auto& [id, entry] : entries_)
        if (is_over(entry->job.state)) over.push_back(entry.get());
    if (over.size() <= kMostRecords) return;
    std::sort(over.begin(), over.end(),
              [](const Entry* a, const Entry* b) { return a->job.made > b->job.made; });
    for (std::size_t i = kMostRecords; i < over.size(); ++i) {
        const std::string id = over[i]->job.id;
        std::error_code error;
        fs::remove(options_.folder / (id + ".json"), error);
        entries_.erase(id);
    }
}

std::string JobQueue::submit(Plan plan) {
    const std::lock_guard lock(mutex_);
    const std::string id = plan.id;
    if (const auto found = entries_.find(id); found != entries_.end()) {
        const Job& job = found->second->job;
        if (!is_over(job.state) || (job.state == JobState::Done && plan.is_there && plan.is_there()))
            return id;
    }
    if (plan.listed && count_waiting() >= options_.most_waiting)
        throw ApiError{503,
                       {"queue", fmt::format("{} jobs wait already, and no more are taken", count_waiting()),
                        "wait until some are done, or cancel some"}};
    auto entry = std::make_unique<Entry>();
    entry->job.id = id;
    entry->job.kind = plan.kind;
    entry->job.title = plan.title;
    entry->job.command = plan.command;
    entry->job.made = now_since_1970();
    entry->plan = std::move(plan);
    const auto background = std::find_if(waiting_.begin(), waiting_.end(), [&](const std::string& other) {
        return entries_.at(other)->plan.background;
    });
    waiting_.insert(entry->plan.background ? waiting_.end() : background, id);
    if (entry->plan.listed) write_record(*entry);
    entries_[id] = std::move(entry);
    forget_oldest();
    changed_.notify_all();
    return id;
}

void JobQueue::cancel_or_forget(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    Entry& entry = *found->second;
    if (entry.job.state == JobState::Running) {
        entry.cancel = true;
    } else if (entry.job.state == JobState::Queued) {
        std::erase(waiting_, id);
        entry.job.state = JobState::Cancelled;
        if (entry.plan.listed) write_record(entry);
        entry.plan.prepare = nullptr;
        entry.plan.finish = nullptr;
        changed_.notify_all();
    } else {
        std::error_code error;
        fs::remove(options_.folder / (id + ".json"), error);
        entries_.erase(found);
    }
}

JobQueue::Seen JobQueue::seen(const Entry& entry) const {
    Seen out{entry.job, 0};
    if (entry.job.state == JobState::Running)
        out.job.seconds = std::chrono::duration<double>(Clock::now() - entry.began).count();
    const auto place = std::find(waiting_.begin(), waiting_.end(), entry.job.id);
    if (place == waiting_.end()) return out;
    const auto same_lane = [&](const std::string& id) {
        return lane_of(entries_.at(id)->plan) == lane_of(entry.plan);
    };
    out.place = static_cast<int>(std::count_if(waiting_.begin(), place, same_lane)) + 1;
    return out;
}

std::size_t JobQueue::count_waiting() const {
    return static_cast<std::size_t>(
        std::count_if(waiting_.begin(), waiting_.end(),
                      [&](const std::string& id) { return entries_.at(id)->plan.listed; }));
}

std::size_t JobQueue::waiting() const {
    const std::lock_guard lock(mutex_);
    return count_waiting();
}

std::set<fs::path> JobQueue::in_use() const {
    const std::lock_guard lock(mutex_);
    std::set<fs::path> out;
    for (const auto& [id, entry] : entries_) {
        if (is_over(entry->job.state)) continue;
        out.insert(entry->plan.folder);
        out.insert(entry->plan.reads.begin(), entry->plan.reads.end());
    }
    return out;
}

std::optional<JobQueue::Seen> JobQueue::find(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return std::nullopt;
    return seen(*found->second);
}

std::vector<JobQueue::Seen> JobQueue::list() const {
    const std::lock_guard lock(mutex_);
    std::vector<Seen> out;
    for (const auto& [id, entry] : entries_)
        if (entry->plan.listed) out.push_back(seen(*entry));
    std::sort(out.begin(), out.end(), [](const Seen& a, const Seen& b) { return a.job.made > b.job.made; });
    return out;
}

std::optional<Job> JobQueue::wait(const std::string& id, double seconds) const {
    std::unique_lock lock(mutex_);
    const auto over = [&] {
        const auto found = entries_.find(id);
        return found == entries_.end() || is_over(found->second->job.state);
    };
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), over);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return std::nullopt;
    return found->second->job;
}

JobQueue::Lane JobQueue::lane_of(const Plan& plan) {
    return plan.kind == "build" || plan.kind == "validate" ? Lane::Long : Lane::Quick;
}

void JobQueue::work(Lane lane) {
    while (true) {
        Entry* entry = nullptr;
        {
            std::unique_lock lock(mutex_);
            const auto next = [&] {
                return std::find_if(waiting_.begin(), waiting_.end(), [&](const std::string& id) {
                    return lane_of(entries_.at(id)->plan) == lane;
                });
            };
            changed_.wait(lock, [&] { return stopping_ || next() != waiting_.end(); });
            if (stopping_) return;
            const auto chosen = next();
            entry = entries_.at(*chosen).get();
            waiting_.erase(chosen);
            entry->job.state = JobState::Running;
            entry->began = entry->stage_began = Clock::now();
            if (entry->plan.listed) write_record(*entry);
        }
        run(*entry);
    }
}

void JobQueue::run(Entry& entry) {
    try {
        fs::create_directories(entry.plan.folder);
        if (entry.plan.prepare) entry.plan.prepare();
        std::vector<nlohmann::json> results;
        for (const Step& step : entry.plan.steps) {
            const auto result = run_step(entry, step);
            if (!result) return;
            results.push_back(*result);
        }
        const nlohmann::json result = entry.plan.finish(results);
        const std::lock_guard lock(mutex_);
        entry.job.result = result;
    } catch (const InputError& error) {
        const std::lock_guard lock(mutex_);
        entry.job.error = error;
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        entry.job.error = InputError{"studio", error.what(), "room in the cache folder"};
    }
    end(entry, entry.job.error ? JobState::Failed : JobState::Done);
}

// Nothing: the job has ended here.
std::optional<nlohmann::json> JobQueue::run_step(Entry& entry, const Step& step) {
    {
        const std::lock_guard lock(mutex_);
        begin_stage(entry, step.stage);
    }
    ChildCommand command{options_.program, step.arguments, entry.plan.folder, options_.limits};
    command.arguments.insert(command.arguments.end(), {"--json", "--progress", "json"});
    const ChildResult child =
        run_child(command, entry.cancel, [&](std::string_view line) { return take_line(entry, line); });
    if (!child.last_words.empty())
        log_(fmt::format("{}: {}", entry.job.id, log_text(child.last_words, 1000)));
    if (child.end == ChildEnd::Cancelled) {
        end(entry, JobState::Cancelled);
        return std::nullopt;
    }
    // Exit status 2, the numerics did not converge, still brings a result.
    const nlohmann::json result = nlohmann::json::parse(child.out, nullptr, /*allow_exceptions=*/false);
    if (child.end == ChildEnd::Exited && child.status != 1 && result.is_object()) return result;
    if (step.may_fail) return nlohmann::json();
    {
        const std::lock_guard lock(mutex_);
        entry.job.error = child.end == ChildEnd::Exited
                              ? error_of(result.is_object() ? result : nlohmann::json::object())
                              : explain(child, options_.limits);
    }
    end(entry, JobState::Failed);
    return std::nullopt;
}

bool JobQueue::take_line(Entry& entry, std::string_view line) {
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return false;
    const std::lock_guard lock(mutex_);
    if (const auto note = json.find("note"); note != json.end() && note->is_string()) {
        if (entry.job.notes.size() < kMostNotes)
            entry.job.notes.push_back(note->get<std::string>().substr(0, kLongestNote));
        return true;
    }
    const auto stage = json.find("stage"), fraction = json.find("fraction");
    if (stage == json.end() || fraction == json.end() || !stage->is_string() || !fraction->is_number())
        return json.contains("error");
    if (*stage != entry.job.stage) begin_stage(entry, stage->get<std::string>());
    entry.job.fraction = std::clamp(fraction->get<double>(), 0.0, 1.0);
    return true;
}

void JobQueue::begin_stage(Entry& entry, const std::string& stage) {
    const auto now = Clock::now();
    if (!entry.job.stage.empty())
        entry.job.stages.emplace_back(entry.job.stage,
                                      std::chrono::duration<double>(now - entry.stage_began).count());
    entry.job.stage = stage;
    entry.job.fraction = 0;
    entry.stage_began = now;
}

void JobQueue::end(Entry& entry, JobState state) {
    const std::lock_guard lock(mutex_);
    begin_stage(entry, "");
    entry.job.seconds = std::chrono::duration<double>(Clock::now() - entry.began).count();
    // A studio that is closed leaves its jobs as interrupted, not as cancelled by someone.
    if (stopping_ && state == JobState::Cancelled) {
        state = JobState::Failed;
        entry.job.error = InputError{"studio", "the studio was closed while this was under way",
                                     "start it again: a build goes on from what it had finished"};
    }
    entry.job.state = state;
    if (state == JobState::Done) entry.job.fraction = 1;
    if (entry.plan.listed) write_record(entry);
    // What it was made of is not needed any more, and may be megabytes.
    entry.plan.steps.clear();
    entry.plan.prepare = nullptr;
    entry.plan.finish = nullptr;
    entry.plan.is_there = nullptr;
    malloc_trim(0);
    if (entry.job.error)
        log_(fmt::format("{} failed: {}: {}", entry.job.id, log_text(entry.job.error->where),
                         log_text(entry.job.error->problem)));
    changed_.notify_all();
}

}  // namespace limber::studio
