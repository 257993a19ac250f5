// SPDX-License-Identifier: Apache-2.0
#include "studio/guarded_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace limber::studio {
namespace {

constexpr std::chrono::milliseconds kSlice{100};  // how often `stop` is asked
constexpr std::chrono::milliseconds kGoodbye{2000};

}  // namespace

bool GuardedStream::wait(short events, Clock::time_point until) const {
    while (!stop_()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        if (left.count() <= 0) return false;
        pollfd one{socket_, events, 0};
        const int ready = poll(&one, 1, static_cast<int>(std::min(left, kSlice).count()));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
    return false;
}

bool GuardedStream::receive(Clock::time_point until) {
    if (!wait(POLLIN, std::min(until, Clock::now() + stall_))) return false;
    std::array<char, 16384> block;
    const ssize_t got = recv(socket_, block.data(), block.size(), 0);
    if (got <= 0) return false;
    buffer_.append(block.data(), static_cast<std::size_t>(got));
    return true;
}

bool GuardedStream::wait_for_request(std::chrono::milliseconds idle, const std::function<bool()>& give_up) {
    const auto until = Clock::now() + idle;
    while (buffer_.empty()) {
        if (Clock::now() >= until || stop_() || give_up()) return false;
        if (wait(POLLIN, std::min(until, Clock::now() + kSlice)) && !receive(until)) return false;
    }
    return true;
}

GuardedStream::HeadEnd GuardedStream::read_head(std::size_t longest, std::chrono::milliseconds time,
                                                std::string& out) {
    const auto until = Clock::now() + time;
    std::size_t searched = 0;
    while (true) {
        // The blank line may have come in two pieces.
        const std::size_t end = buffer_.find("\r\n\r\n", searched > 3 ? searched - 3 : 0);
        if (end != std::string::npos && end + 4 <= longest) {
            out = buffer_.substr(0, end + 4);
            buffer_.erase(0, end + 4);
            return HeadEnd::Whole;
        }
        if (buffer_.size() > longest) return HeadEnd::TooLong;
        searched = buffer_.size();
        if (!receive(until)) return Clock::now() >= until ? HeadEnd::TooSlow : HeadEnd::Closed;
    }
}

void GuardedStream::begin_request(std::string head, std::uint64_t bytes, std::chrono::milliseconds time) {
    head_ = std::move(head);
    head_read_ = 0;
    body_left_ = bytes;
    body_until_ = Clock::now() + time;
}

ssize_t GuardedStream::read(char* to, std::size_t size) {
    if (head_read_ < head_.size()) {
        const std::size_t count = std::min(size, head_.size() - head_read_);
        std::memcpy(to, head_.data() + head_read_, count);
        head_read_ += count;
        return static_cast<ssize_t>(count);
    }
    if (body_left_ == 0) return 0;
    if (buffer_.empty() && !receive(body_until_)) return -1;
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::uint64_t>({size, buffer_.size(), body_left_}));
    std::memcpy(to, buffer_.data(), count);
    buffer_.erase(0, count);
    body_left_ -= count;
    return static_cast<ssize_t>(count);
}

ssize_t GuardedStream::write(const char* from, std::size_t size) {
    if (!is_writable()) return -1;
    return send(socket_, from, size, MSG_NOSIGNAL);
}

bool GuardedStream::is_readable() const {
    return head_read_ < head_.size() || !buffer_.empty() || wait(POLLIN, Clock::now() + stall_);
}

bool GuardedStream::is_writable() const {
    return wait(POLLOUT, Clock::now() + stall_);
}

void GuardedStream::say_goodbye() {
    shutdown(socket_, SHUT_WR);
    const auto until = Clock::now() + kGoodbye;
    do
        buffer_.clear();
    while (receive(until));
}

void GuardedStream::get_remote_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

void GuardedStream::get_local_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

}  // namespace limber::studio
