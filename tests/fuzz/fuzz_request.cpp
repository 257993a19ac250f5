// SPDX-License-Identifier: Apache-2.0
// A libFuzzer target: the head and the body of a request to the studio. A head that passes the gate is given
// to the HTTP library as the studio gives it, and what its routes are then asked for is what the gate has
// seen.
#include "studio/gate.h"
#include "studio/job_request.h"
#include "studio/json_request.h"

#include <limber/input_error.h>

#include <httplib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using namespace limber;
using namespace limber::studio;

void require(bool holds) {
    if (!holds) std::abort();
}

// A request in memory; the answer goes nowhere.
class MemoryStream : public httplib::Stream {
 public:
    explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char* to, std::size_t size) override {
        const std::size_t count = std::min(size, bytes_.size());
        std::memcpy(to, bytes_.data(), count);
        bytes_.remove_prefix(count);
        return static_cast<ssize_t>(count);
    }
    ssize_t write(const char*, std::size_t size) override { return static_cast<ssize_t>(size); }
    void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
    void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
    socket_t socket() const override { return INVALID_SOCKET; }

 private:
    std::string_view bytes_;
};

// Tells what the routes of the HTTP library would be asked for.
class Router : public httplib::Server {
 public:
    Router() {
        set_pre_routing_handler([this](const httplib::Request& request, httplib::Response&) {
            method = request.method;
            path = request.path;
            return HandlerResponse::Handled;
        });
    }
    void route(std::string_view bytes) {
        method.clear();
        path.clear();
        MemoryStream stream(bytes);
        bool closed = false;
        process_request(stream, /*close_connection=*/true, closed, nullptr);
    }
    std::string method, path;
};

void try_head(std::string_view bytes) {
    static const GateRules rules{.token = "secret", .open = {"/", "/index.html", "/assets/main.js"}};
    static Router router;
    RequestHead head;
    if (parse_head(bytes, head)) return;
    const auto refused = check(head, rules);
    // It holds no second request.
    const std::string again = rewritten(head);
    require(again.find("\r\n\r\n") == again.size() - 4);
    RequestHead same;
    require(!parse_head(again, same) && same.target == head.target && same.method == head.method);
    query_value(head.target, "name");
    if (refused) return;
    router.route(again);
    require(router.method == head.method && router.path == head.path());
    if (head.token == "secret") return;
    require(rules.open.contains(router.path) && (router.method == "GET" || router.method == "HEAD"));
}

// What passes names no file.
void try_body(std::string_view bytes) {
    try {
        const JobRequest request = parse_job_request(parse_object(bytes));
        if (const auto* build = std::get_if<BuildRequest>(&request)) {
            require(build->upload.empty() || is_id(build->upload));
            for (const std::string& select : build->fix)
                require(select.find("file:") == std::string::npos);
        }
    } catch (const InputError& error) {
        require(!error.where.empty() && !error.problem.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.starts_with('{'))
        try_body(bytes);
    else
        try_head(bytes);
    return 0;
}
