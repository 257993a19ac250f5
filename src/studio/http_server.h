// SPDX-License-Identifier: Apache-2.0
// cpp-httplib behind a gate. The library routes requests and writes answers; who may speak, how long and how
// much is decided before it sees a byte: each head is read within a time and a length (connections.h),
// checked (gate.h) and rewritten (request_head.h), and a body gives the library no more bytes than its
// Content-Length, within a time. What that avoids in version 0.11: bodies without an end (chunks), bombs of
// compressed bodies, heads of any length, slow compression of answers, ranges without number, and senders of
// one byte a second.
#pragma once
#include "studio/connections.h"
#include "studio/gate.h"
#include "studio/log_line.h"

#include <httplib.h>

#include <string>

namespace limber::studio {

class HttpServer : public httplib::Server {
 public:
    HttpServer(GateRules rules, HttpTimes times, Log log);

    // The port, or 0 if it is taken. Port 0 asks for any free one.
    int bind(const std::string& host, int port);

 private:
    bool process_and_close_socket(socket_t socket) override;
    bool serve(Connection& connection, GuardedStream::HeadEnd end, const std::string& bytes);
    void refuse(Connection& connection, const Refusal& refusal, const std::string& what);

    GateRules rules_;
    HttpTimes times_;
    Log log_;
    Connections* connections_ = nullptr;  // of the library, while it listens
};

}  // namespace limber::studio
