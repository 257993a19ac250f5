// SPDX-License-Identifier: Apache-2.0
// A connection with limits: how many bytes a request may have, until when they may come, and how slow the
// other side may be while others wait.
#pragma once
#include <httplib.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace limber::studio {

class GuardedStream : public httplib::Stream {
 public:
    using Clock = std::chrono::steady_clock;
    enum class HeadEnd { Whole, NotYet, Closed, TooLong, TooSlow };

    struct Limits {
        std::chrono::milliseconds stall{15000};  // without a byte in either direction
        std::function<bool()> stop;              // asked several times a second: give up
        std::function<bool()> crowded;           // requests wait for a thread: do not keep it for a slow peer
    };

    // The socket stays the caller's.
    GuardedStream(socket_t socket, Limits limits) : socket_(socket), limits_(std::move(limits)) {}

    // Takes what has come, without waiting. Whole: `out` is the head up to and with its blank line.
    HeadEnd receive_head(std::size_t longest, std::string& out);
    bool has_bytes() const { return !buffer_.empty(); }
    // From here on read() gives `head`, then at most `bytes` of the body until `time` has passed.
    void begin_request(std::string head, std::uint64_t bytes, std::chrono::milliseconds time);
    std::uint64_t body_left() const { return body_left_; }
    // Tells the other side that no more comes.
    void end_writing();
    // Drops what has come, without waiting; false: the other side has closed.
    bool discard();

    bool is_readable() const override;
    bool is_writable() const override;
    ssize_t read(char* to, std::size_t size) override;
    ssize_t write(const char* from, std::size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_; }

 private:
    bool wait(short events, Clock::time_point until) const;
    std::uint64_t delivered() const;
    bool is_slow() const;                   // since the last time that it looked
    bool receive(Clock::time_point until);  // more bytes into buffer_; false: end, error or too late

    socket_t socket_;
    Limits limits_;
    std::string head_;
    std::size_t head_read_ = 0;
    std::string buffer_;  // received, not given out yet
    std::uint64_t body_left_ = 0;
    Clock::time_point body_until_{};
    std::uint64_t moved_ = 0;  // bytes of this request's body and its answer so far
    mutable Clock::time_point window_began_{};
    mutable std::uint64_t window_delivered_ = 0;
};

}  // namespace limber::studio
