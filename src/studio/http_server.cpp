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

constexpr int kMostRequests = 200;  // on one connection
constexpr int kBacklog = 512;       // connections that the kernel holds; the library asks for 5

// The library would set SO_REUSEPORT, and two studios would share a port.
void set_socket_options(socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

}  // namespace

HttpServer::HttpServer(GateRules rules, HttpTimes times, Log log)
    : rules_(std::move(rules)), times_(times), log_(std::move(log)) {
    new_task_queue = [this] {
        return connections_ = new Connections(
                   times_,
                   [this](Connection& connection, GuardedStream::HeadEnd end, const std::string& head) {
                       return serve(connection, end, head);
                   },
                   [this] { return svr_sock_ == INVALID_SOCKET; });
    };
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
    connections_->add(socket);
    return true;
}

void HttpServer::refuse(Connection& connection, const Refusal& refusal, const std::string& what) {
    log_(fmt::format("refused ({}): {}: {}", refusal.status, log_text(what), log_text(refusal.problem)));
    const std::string bytes = refusal_bytes(refusal.status, {"request", refusal.problem, refusal.try_this});
    connection.stream.write(bytes.data(), bytes.size());
}

// True: the connection stays open.
bool HttpServer::serve(Connection& connection, GuardedStream::HeadEnd end, const std::string& bytes) {
    GuardedStream& stream = connection.stream;
    if (end != GuardedStream::HeadEnd::Whole) {
        const bool slow = end == GuardedStream::HeadEnd::TooSlow;
        refuse(
            connection,
            {slow ? 408 : 431, slow ? "the head of the request took too long" : "the head is too long", ""},
            "a request");
        return false;
    }
    RequestHead head;
    std::optional<Refusal> refused = parse_head(bytes, head);
    if (!refused) refused = check(head, rules_);
    if (refused) {
        refuse(connection, *refused, head.method + ' ' + head.target);
        return false;
    }
    // Requests with a body end their connection, so that an unread rest can never be taken for a request.
    const bool last =
        !head.keep_alive || connection.served + 1 >= kMostRequests || head.content_length.value_or(0) > 0;
    stream.begin_request(rewritten(head), head.content_length.value_or(0),
                         is_upload(head) ? times_.upload : times_.body);
    if (head.expects_continue) stream.httplib::Stream::write("HTTP/1.1 100 Continue\r\n\r\n");
    bool closed = false;
    return process_request(stream, last, closed, nullptr) && !closed && !last && stream.body_left() == 0;
}

}  // namespace limber::studio
