// SPDX-License-Identifier: Apache-2.0
// cpp-httplib behind a gate. The library routes requests and writes answers; who may speak, how long and how
// much is settled before it sees a byte: each head is read here within a time and a length, checked (gate.h)
// and rewritten (request_head.h), and a body gives the library no more bytes than its Content-Length, within
// a time. What that avoids in version 0.11: bodies without an end (chunks), bombs of compressed bodies, heads
// of any length, slow compression of answers, ranges without number, and senders of one byte a second.
#pragma once
#include "studio/gate.h"
#include "studio/log_line.h"

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <string>

namespace limber::studio {

struct HttpTimes {
    std::chrono::milliseconds idle{5000};   // of an open connection between two requests
    std::chrono::milliseconds head{10000};  // from the first byte of a request to the end of its head
    std::chrono::milliseconds body{20000};  // of an ordinary body
    std::chrono::milliseconds upload{600000};
    std::chrono::milliseconds stall{15000};  // without a byte in either direction
};

class HttpServer : public httplib::Server {
 public:
    HttpServer(GateRules rules, HttpTimes times, Log log);

    // The port, or 0 if it is taken. Port 0 asks for any free one.
    int bind(const std::string& host, int port);

 private:
    bool process_and_close_socket(socket_t socket) override;

    GateRules rules_;
    HttpTimes times_;
    Log log_;
    std::atomic<int> waiting_{0};  // connections that no thread has taken yet
};

}  // namespace limber::studio
