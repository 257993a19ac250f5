// SPDX-License-Identifier: Apache-2.0
#include "test_studio.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace limber::studio::test {

const std::string kTetrahedronObj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "limber_studio_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

void TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
}

std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void StudioTest::SetUp() {
    folder_.write("web/index.html", "<!doctype html>\n<html lang=\"en\"><title>page</title></html>");
    folder_.write("web/assets/main.js", "export {};");
    folder_.write("secret.txt", "canary");
    options_.port = 0;
    options_.cache = folder_.path() / "cache";
    options_.page = folder_.path() / "web";
    options_.program = LIMBER_PROGRAM;
    options_.draws_pictures = false;
}

void StudioTest::start() {
    studio_ = std::make_unique<Studio>(options_, [log = log_](const std::string& line) {
        const std::lock_guard lock(log->mutex);
        log->lines.push_back(line);
    });
}

httplib::Client StudioTest::client() const {
    httplib::Client out("127.0.0.1", studio_->port());
    out.set_default_headers({{"X-Limber-Token", studio_->token()}});
    out.set_read_timeout(30);
    return out;
}

Answer StudioTest::get(const std::string& path) const {
    const auto result = client().Get(path);
    return result ? Answer{result->status, result->body, result->headers} : Answer{};
}

Answer StudioTest::post(const std::string& path, const std::string& body) const {
    const auto result = client().Post(path, body, "application/octet-stream");
    return result ? Answer{result->status, result->body, result->headers} : Answer{};
}

Answer StudioTest::remove(const std::string& path) const {
    const auto result = client().Delete(path);
    return result ? Answer{result->status, result->body, result->headers} : Answer{};
}

int StudioTest::open_connection(const std::string& bytes) const {
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(studio_->port()));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(connection, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
        throw std::runtime_error("cannot connect");
    // A server that has refused may close before all is sent.
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
    }
    return connection;
}

std::string StudioTest::raw(const std::string& bytes) const {
    const int connection = open_connection(bytes);
    std::string out;
    char block[4096];
    pollfd one{connection, POLLIN, 0};
    while (poll(&one, 1, 5000) > 0) {
        const ssize_t got = recv(connection, block, sizeof block, 0);
        if (got <= 0) break;
        out.append(block, static_cast<std::size_t>(got));
    }
    close(connection);
    return out;
}

std::string StudioTest::upload(const std::string& name, const std::string& bytes) const {
    const Answer answer = post("/api/uploads?name=" + name, bytes);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.json().value("upload", "");
}

nlohmann::json StudioTest::wait_for(const std::string& job_id) const {
    while (true) {
        const Answer answer = get("/api/jobs/" + job_id);
        EXPECT_EQ(answer.status, 200) << answer.body;
        const nlohmann::json job = answer.json();
        if (answer.status != 200 || (job["state"] != "queued" && job["state"] != "running")) return job;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

nlohmann::json StudioTest::job(const nlohmann::json& request) const {
    const Answer answer = post("/api/jobs", request.dump());
    EXPECT_EQ(answer.status, 200) << answer.body;
    if (answer.status != 200) return nlohmann::json::object();
    return wait_for(answer.json()["job"]);
}

bool StudioTest::log_has(const std::string& text) const {
    const std::lock_guard lock(log_->mutex);
    for (const std::string& line : log_->lines)
        if (line.find(text) != std::string::npos) return true;
    return false;
}

void StudioTest::expect_alive() const {
    EXPECT_EQ(get("/").status, 200);
    EXPECT_EQ(get("/api/gallery").status, 200);
}

}  // namespace limber::studio::test
