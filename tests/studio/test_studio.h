// SPDX-License-Identifier: Apache-2.0
// A studio in the process of the test, on a port of its own, with a cache and a page of its own.
#pragma once
#include "studio/studio.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::studio::test {

// A folder that goes away with it.
class TemporaryFolder {
 public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, const std::string& bytes) const;

 private:
    std::filesystem::path path_;
};

struct Answer {
    int status = 0;  // 0: none came
    std::string body;
    httplib::Headers headers;
    nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
};

class StudioTest : public ::testing::Test {
 protected:
    void SetUp() override;
    // Before start(); `options` may be changed in between.
    void start();
    void stop() { studio_.reset(); }

    httplib::Client client() const;
    Answer get(const std::string& path) const;
    Answer post(const std::string& path, const std::string& body) const;
    Answer remove(const std::string& path) const;
    // Bytes as they are to the port; what comes back until the other side closes or five seconds have passed.
    std::string raw(const std::string& bytes) const;
    // A connection with these bytes sent, left open.
    int open_connection(const std::string& bytes) const;

    std::string upload(const std::string& name, const std::string& bytes) const;  // its id
    // Runs a job to its end.
    nlohmann::json job(const nlohmann::json& request) const;
    nlohmann::json wait_for(const std::string& job_id) const;
    bool log_has(const std::string& text) const;
    void expect_alive() const;

    TemporaryFolder folder_;
    StudioOptions options_;
    std::unique_ptr<Studio> studio_;

 private:
    struct Lines {
        std::mutex mutex;
        std::vector<std::string> lines;
    };
    std::shared_ptr<Lines> log_ = std::make_shared<Lines>();
};

// A closed tetrahedron, 1 m; four vertices.
extern const std::string kTetrahedronObj;

std::string file_text(const std::filesystem::path& path);

}  // namespace limber::studio::test
