// SPDX-License-Identifier: Apache-2.0
// Jobs one after another, each a row of child processes. They go on when the page is closed, and are found
// again. Looking at a mesh takes seconds and does not wait for a build, which may take minutes: there are two
// queues, for quick jobs and for long ones.
#pragma once
#include "studio/child.h"
#include "studio/job.h"
#include "studio/log_line.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace limber::studio {

class JobQueue {
 public:
    struct Options {
        std::filesystem::path program = "/proc/self/exe";
        std::filesystem::path folder;  // of the jobs' records
        ChildLimits limits;
        std::size_t most_waiting = 50;  // jobs that someone asked for; pictures and the like do not count
    };

    // Reads the records. A job that was under way when the studio ended has failed.
    JobQueue(Options options, Log log);
    ~JobQueue();  // ends what is running
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;

    // The id of the plan. A job of that id that waits, runs, or is done with its result still there is not
    // touched. Throws ApiError 503 if too many wait.
    std::string submit(Plan plan);
    // What waits or runs is cancelled; what is over is taken off the list. No such job: nothing happens.
    void cancel_or_forget(const std::string& id);

    struct Seen {
        Job job;
        int place = 0;  // 1: the next of its queue; 0: not waiting
    };
    std::optional<Seen> find(const std::string& id) const;
    std::vector<Seen> list() const;  // the listed ones, newest first
    std::size_t waiting() const;     // listed ones
    std::size_t most_waiting() const { return options_.most_waiting; }
    // Folders and files of the cache that jobs need which wait or run.
    std::set<std::filesystem::path> in_use() const;
    // Until the job is over or `seconds` have passed.
    std::optional<Job> wait(const std::string& id, double seconds) const;

 private:
    using Clock = std::chrono::steady_clock;
    struct Entry {
        Job job;
        Plan plan;
        std::atomic<bool> cancel{false};
        Clock::time_point began, stage_began;
    };

    enum class Lane { Quick, Long };
    static Lane lane_of(const Plan& plan);

    void work(Lane lane);
    void run(Entry& entry);
    std::optional<nlohmann::json> run_step(Entry& entry, const Step& step);
    bool take_line(Entry& entry, std::string_view line);
    void begin_stage(Entry& entry, const std::string& stage);  // with the lock held
    void end(Entry& entry, JobState state);
    void read_records();
    void write_record(const Entry& entry) const;
    void forget_oldest();
    Seen seen(const Entry& entry) const;
    std::size_t count_waiting() const;  // with the lock held

    Options options_;
    Log log_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::map<std::string, std::unique_ptr<Entry>> entries_;
    std::deque<std::string> waiting_;  // those in the background behind the others
    bool stopping_ = false;
    std::thread quick_worker_, long_worker_;
};

}  // namespace limber::studio
