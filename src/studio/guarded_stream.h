// SPDX-License-Identifier: Apache-2.0
// A connection with limits: how many bytes a request may have and until when they may come.
#pragma once
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace limber::studio {

class GuardedStream : public httplib::Stream {
 public:
    using Clock = std::chrono::steady_clock;
    enum class HeadEnd { Whole, Closed, TooLong, TooSlow };

    // `stop` is asked several times a second; the socket stays the caller's.
    GuardedStream(socket_t socket, std::chrono::milliseconds stall, std::function<bool()> stop)
        : socket_(socket), stall_(stall), stop_(std::move(stop)) {}

    // Waits for the first byte of a request; false: none came, or `give_up` said so.
    bool wait_for_request(std::chrono::milliseconds idle, const std::function<bool()>& give_up);
    // Up to and with the blank line.
    HeadEnd read_head(std::size_t longest, std::chrono::milliseconds time, std::string& out);
    // From here on read() gives `head`, then at most `bytes` of the body until `time` has passed.
    void begin_request(std::string head, std::uint64_t bytes, std::chrono::milliseconds time);
    std::uint64_t body_left() const { return body_left_; }
    // Tells the other side that no more comes and reads what it still sends, for a short time: closing at
    // once would reset the connection, and the answer could be lost.
    void say_goodbye();

    bool is_readable() const override;
    bool is_writable() const override;
    ssize_t read(char* to, std::size_t size) override;
    ssize_t write(const char* from, std::size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_; }

 private:
    bool wait(short events, Clock::time_point until) const;
    bool receive(Clock::time_point until);  // more bytes into buffer_; false: end, error or too late

    socket_t socket_;
    std::chrono::milliseconds stall_;
    std::function<bool()> stop_;
    std::string head_;
    std::size_t head_read_ = 0;
    std::string buffer_;  // received, not given out yet
    std::uint64_t body_left_ = 0;
    Clock::time_point body_until_{};
};

}  // namespace limber::studio
