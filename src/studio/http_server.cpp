// SPDX-License-Identifier: Apache-2.0
#include "studio/http_server.h"

#include "studio/guarded_stream.h"
#include "studio/http_answer.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace limber::studio {
namespace {

// Enough for the connections of some tabs and a few slow senders; nearly all of them only wait.
constexpr std::size_t kThreads = 128;
constexpr int kMostRequests = 200;  // on one connection
constexpr int kBacklog = 128;       // connections that the kernel holds; the library asks for 5

// A thread pool that tells how many connections wait for a thread.
class CountingPool : public httplib::TaskQueue {
 public:
    explicit CountingPool(std::atomic<int>& waiting) : waiting_(waiting), pool_(kThreads) {}
    void enqueue(std::function<void()> task) override {
        ++waiting_;
        pool_.enqueue([this, task = std::move(task)] {
            --waiting_;
            task();
        });
    }
    void shutdown() override { pool_.shutdown(); }

 private:
    std::atomic<int>& waiting_;
    httplib::ThreadPool pool_;
};

// The library would set SO_REUSEPORT, and two studios would share a port.
void set_socket_options(socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

}  // namespace

HttpServer::HttpServer(GateRules rules, HttpTimes times, Log log)
    : rules_(std::move(rules)), times_(times), log_(std::move(log)) {
    new_task_queue = [this] { return new CountingPool(waiting_); };
    httplib::Server::set_socket_options(studio::set_socket_options);
    set_keep_alive_max_count(kMostRequests);
    set_default_headers(security_headers());
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
        if (response.body.empty())
            answer_error(
                response, response.status,
                {"request", response.status == 404 ? "there is nothing here" : "it cannot be answered", ""});
    });
}

int HttpServer::bind(const std::string& host, int port) {
    const int bound = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
    if (bound <= 0) return 0;
    ::listen(svr_sock_, kBacklog);
    return bound;
}

bool HttpServer::process_and_close_socket(socket_t socket) {
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    GuardedStream stream(socket, times_.stall, [this] { return svr_sock_ == INVALID_SOCKET; });
    const auto refuse = [&](const Refusal& refusal, const std::string& what) {
        log_(fmt::format("refused ({}): {}: {}", refusal.status, log_text(what), log_text(refusal.problem)));
        const std::string bytes =
            refusal_bytes(refusal.status, {"request", refusal.problem, refusal.try_this});
        stream.write(bytes.data(), bytes.size());
    };

    bool more = true;
    for (int served = 0; more && served < kMostRequests; ++served) {
        // An idle connection makes room for one that waits.
        if (!stream.wait_for_request(times_.idle, [&] { return served > 0 && waiting_ > 0; })) break;
        std::string bytes;
        const auto end = stream.read_head(kLongestHead, times_.head, bytes);
        if (end == GuardedStream::HeadEnd::Closed) break;
        if (end != GuardedStream::HeadEnd::Whole) {
            const bool slow = end == GuardedStream::HeadEnd::TooSlow;
            refuse({slow ? 408 : 431, slow ? "the head of the request took too long" : "the head is too long",
                    ""},
                   "a request");
            break;
        }
        RequestHead head;
        std::optional<Refusal> refused = parse_head(bytes, head);
        if (!refused) refused = check(head, rules_);
        if (refused) {
            refuse(*refused, head.method + ' ' + head.target);
            break;
        }
        if (head.expects_continue) stream.httplib::Stream::write("HTTP/1.1 100 Continue\r\n\r\n");
        // Requests with a body end their connection, so that an unread rest can never be taken for a request.
        const bool last =
            !head.keep_alive || served + 1 == kMostRequests || head.content_length.value_or(0) > 0;
        stream.begin_request(rewritten(head), head.content_length.value_or(0),
                             is_upload(head) ? times_.upload : times_.body);
        bool closed = false;
        more = process_request(stream, last, closed, nullptr) && !closed && !last && stream.body_left() == 0;
    }
    stream.say_goodbye();
    close(socket);
    return true;
}

}  // namespace limber::studio
