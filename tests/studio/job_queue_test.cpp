// SPDX-License-Identifier: Apache-2.0
// The queue alone, with shells as jobs.
#include "studio/job_queue.h"

#include "studio/api_error.h"
#include "test_studio.h"

#include <gtest/gtest.h>

#include <thread>

namespace limber::studio {
namespace {

class JobQueueTest : public ::testing::Test {
 protected:
    // A shell that takes the arguments of limber, of which only the first is run.
    void SetUp() override {
        folder_.write("program", "#!/bin/sh\neval \"$1\"\n");
        std::filesystem::permissions(folder_.path() / "program", std::filesystem::perms::owner_all);
        std::filesystem::create_directories(folder_.path() / "jobs");
    }
    std::unique_ptr<JobQueue> queue() {
        return std::make_unique<JobQueue>(
            JobQueue::Options{folder_.path() / "program", folder_.path() / "jobs", {}},
            [](const std::string&) {});
    }
    Plan plan(const std::string& id, const std::string& script) {
        Plan out;
        out.id = id;
        out.kind = "build";
        out.title = id;
        out.folder = folder_.path() / "work" / id;
        out.steps = {{"starting", {script}}};
        out.finish = [](const std::vector<nlohmann::json>& results) { return results[0]; };
        out.is_there = [] { return true; };
        return out;
    }
    static void wait_until_running(const JobQueue& queue, const std::string& id) {
        while (queue.find(id)->job.state == JobState::Queued)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }

    test::TemporaryFolder folder_;
};

TEST_F(JobQueueTest, ProgressNotesAndResultAreSeen) {
    const auto jobs = queue();
    jobs->submit(plan("a", R"(echo '{"stage": "modes", "fraction": 0.5}' >&2; echo '{"note": "a note"}' >&2;)"
                           R"(echo '{"answer": 42}')"));
    const auto job = jobs->wait("a", 30);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->state, JobState::Done);
    EXPECT_EQ(job->result["answer"], 42);
    EXPECT_EQ(job->notes, std::vector<std::string>{"a note"});
    ASSERT_EQ(job->stages.size(), 2u);
    EXPECT_EQ(job->stages[0].first, "starting");
    EXPECT_EQ(job->stages[1].first, "modes");
}

TEST_F(JobQueueTest, AnErrorOfTheProgramIsTheErrorOfTheJob) {
    const auto jobs = queue();
    jobs->submit(plan("a", R"(echo '{"error": {"where": "w", "problem": "p", "try_this": "t"}}'; exit 1)"));
    const auto job = jobs->wait("a", 30);
    EXPECT_EQ(job->state, JobState::Failed);
    EXPECT_EQ(job->error->where, "w");
    EXPECT_EQ(job->error->problem, "p");
    EXPECT_EQ(job->error->try_this, "t");
}

TEST_F(JobQueueTest, ACrashFailsTheJobAndTheNextOneRuns) {
    const auto jobs = queue();
    jobs->submit(plan("a", "kill -SEGV $$"));
    jobs->submit(plan("b", "echo '{}'"));
    EXPECT_EQ(jobs->wait("b", 30)->state, JobState::Done);
    EXPECT_NE(jobs->find("a")->job.error->problem.find("SIGSEGV"), std::string::npos);
}

TEST_F(JobQueueTest, OneRunsAtATimeAndTheOthersKnowTheirPlace) {
    const auto jobs = queue();
    jobs->submit(plan("a", "sleep 600"));
    jobs->submit(plan("b", "echo '{}'"));
    jobs->submit(plan("c", "echo '{}'"));
    wait_until_running(*jobs, "a");
    EXPECT_EQ(jobs->find("a")->place, 0);
    EXPECT_EQ(jobs->find("b")->place, 1);
    EXPECT_EQ(jobs->find("c")->place, 2);
    jobs->cancel_or_forget("b");
    EXPECT_EQ(jobs->find("b")->job.state, JobState::Cancelled);
    EXPECT_EQ(jobs->find("c")->place, 1);
    jobs->cancel_or_forget("a");
    EXPECT_EQ(jobs->wait("c", 30)->state, JobState::Done);
    EXPECT_EQ(jobs->find("a")->job.state, JobState::Cancelled);
}

TEST_F(JobQueueTest, ALookAtAMeshDoesNotWaitForABuild) {
    const auto jobs = queue();
    jobs->submit(plan("build", "sleep 60"));
    wait_until_running(*jobs, "build");
    Plan look = plan("look", "echo '{}'");
    look.kind = "check";
    jobs->submit(std::move(look));
    EXPECT_EQ(jobs->wait("look", 30)->state, JobState::Done);
    EXPECT_EQ(jobs->find("build")->job.state, JobState::Running);
    jobs->cancel_or_forget("build");
}

TEST_F(JobQueueTest, TheSameRequestIsTheSameJob) {
    const auto jobs = queue();
    const std::string count = "echo x >> " + (folder_.path() / "count").string() + "; echo '{}'";
    jobs->submit(plan("a", count));
    jobs->submit(plan("a", count));
    jobs->wait("a", 30);
    jobs->submit(plan("a", count));
    EXPECT_EQ(jobs->find("a")->job.state, JobState::Done);
    EXPECT_EQ(test::file_text(folder_.path() / "count"), "x\n");
    // Its result is gone: it runs again.
    Plan again = plan("a", count);
    again.is_there = [] { return false; };
    jobs->submit(again);
    jobs->wait("a", 30);
    EXPECT_EQ(test::file_text(folder_.path() / "count"), "x\nx\n");
}

TEST_F(JobQueueTest, WhatRanWhenTheStudioEndedHasFailedAndIsFoundAgain) {
    {
        const auto jobs = queue();
        jobs->submit(plan("done", "echo '{\"answer\": 1}'"));
        jobs->wait("done", 30);
        jobs->submit(plan("a", "sleep 600"));
        wait_until_running(*jobs, "a");
    }
    const auto jobs = queue();
    ASSERT_TRUE(jobs->find("a"));
    EXPECT_EQ(jobs->find("a")->job.state, JobState::Failed);
    EXPECT_NE(jobs->find("a")->job.error->problem.find("closed"), std::string::npos);
    EXPECT_EQ(jobs->find("done")->job.result["answer"], 1);
    // After a crash of the studio the record still says "running".
    std::string record = test::file_text(folder_.path() / "jobs" / "a.json");
    nlohmann::json json = nlohmann::json::parse(record);
    json["state"] = "running";
    json["studio"] = 0;
    folder_.write("jobs/b.json", (json["id"] = "b", json).dump());
    folder_.write("jobs/c.json", "not json");
    const auto later = queue();
    EXPECT_EQ(later->find("b")->job.state, JobState::Failed);
    EXPECT_FALSE(later->find("c"));
}

TEST_F(JobQueueTest, NoMoreThanSoManyWait) {
    JobQueue jobs({folder_.path() / "program", folder_.path() / "jobs", {}, /*most_waiting=*/2},
                  [](const std::string&) {});
    jobs.submit(plan("running", "sleep 600"));
    wait_until_running(jobs, "running");
    jobs.submit(plan("a", "echo '{}'"));
    jobs.submit(plan("b", "echo '{}'"));
    EXPECT_EQ(jobs.waiting(), 2u);
    try {
        jobs.submit(plan("c", "echo '{}'"));
        ADD_FAILURE() << "a third job waits";
    } catch (const ApiError& refused) {
        EXPECT_EQ(refused.status, 503);
        EXPECT_EQ(refused.error.problem, "2 jobs wait already, and no more are taken");
        EXPECT_NE(refused.error.try_this, "");
    }
    EXPECT_FALSE(jobs.find("c"));
    jobs.submit(plan("a", "echo '{}'"));  // the same one
    Plan picture = plan("picture", "echo '{}'");
    picture.listed = false;
    jobs.submit(picture);
    jobs.cancel_or_forget("a");
    jobs.submit(plan("c", "echo '{}'"));
    jobs.cancel_or_forget("running");
    EXPECT_EQ(jobs.wait("c", 30)->state, JobState::Done);
}

TEST_F(JobQueueTest, WhatAJobReadsIsInUseUntilItIsOver) {
    const auto jobs = queue();
    Plan first = plan("first", "sleep 600");
    first.reads = {"/mesh"};
    jobs->submit(first);
    wait_until_running(*jobs, "first");
    Plan second = plan("second", "echo '{}'");
    second.reads = {"/other"};
    jobs->submit(second);
    EXPECT_EQ(jobs->in_use(),
              (std::set<std::filesystem::path>{"/mesh", "/other", folder_.path() / "work/first",
                                               folder_.path() / "work/second"}));
    jobs->cancel_or_forget("first");
    jobs->wait("second", 30);
    EXPECT_TRUE(jobs->in_use().empty());
}

TEST_F(JobQueueTest, NotesOfAChildAreBounded) {
    const auto jobs = queue();
    jobs->submit(plan("a", R"(printf '{"note": "%050000d"}\n' 0 >&2; echo '{}')"));
    const auto job = jobs->wait("a", 30);
    ASSERT_EQ(job->notes.size(), 1u);
    EXPECT_LE(job->notes[0].size(), 2000u);
}

TEST_F(JobQueueTest, AFinishedJobCanBeForgotten) {
    const auto jobs = queue();
    jobs->submit(plan("a", "echo '{}'"));
    jobs->wait("a", 30);
    jobs->cancel_or_forget("a");
    EXPECT_FALSE(jobs->find("a"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "jobs" / "a.json"));
    jobs->cancel_or_forget("a");
}

TEST_F(JobQueueTest, WhatNobodyAskedForWaitsForWhatSomebodyDid) {
    const auto jobs = queue();
    jobs->submit(plan("first", "sleep 600"));
    wait_until_running(*jobs, "first");
    Plan picture = plan("picture", "echo '{}'");
    picture.listed = false;
    picture.background = true;
    jobs->submit(picture);
    // A page waits for this one, though it is not on the list.
    Plan measured = plan("measured", "echo '{}'");
    measured.listed = false;
    jobs->submit(measured);
    jobs->submit(plan("asked", "echo '{}'"));
    EXPECT_EQ(jobs->find("measured")->place, 1);
    EXPECT_EQ(jobs->find("asked")->place, 2);
    EXPECT_EQ(jobs->find("picture")->place, 3);
    EXPECT_EQ(jobs->list().size(), 2u);
    jobs->cancel_or_forget("first");
    EXPECT_EQ(jobs->wait("picture", 30)->state, JobState::Done);
}

}  // namespace
}  // namespace limber::studio
