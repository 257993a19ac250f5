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

constexpr std::chrono::milliseconds kSlice{100};  // how often `stop` and `crowded` are asked
// What a transfer must reach on average, after its first second, to keep its thread while requests wait.
constexpr double kLeastRate = 65536;  // bytes/s

}  // namespace

bool GuardedStream::is_slow() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    return seconds > 1 && static_cast<double>(moved_) < kLeastRate * seconds;
}

bool GuardedStream::wait(short events, Clock::time_point until) const {
    while (!limits_.stop()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        if (left.count() <= 0) return false;
        pollfd one{socket_, events, 0};
        const int ready = poll(&one, 1, static_cast<int>(std::min(left, kSlice).count()));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        if (limits_.crowded() && is_slow()) return false;
    }
    return false;
}

bool GuardedStream::receive(Clock::time_point until) {
    if (!wait(POLLIN, std::min(until, Clock::now() + limits_.stall))) return false;
    std::array<char, 16384> block;
    const ssize_t got = recv(socket_, block.data(), block.size(), 0);
    if (got <= 0) return false;
    buffer_.append(block.data(), static_cast<std::size_t>(got));
    return true;
}

GuardedStream::HeadEnd GuardedStream::receive_head(std::size_t longest, std::string& out) {
    bool open = true;
    while (open && buffer_.size() <= longest) {
        std::array<char, 4096> block;
        const ssize_t got = recv(socket_, block.data(), block.size(), MSG_DONTWAIT);
        if (got > 0) {
            buffer_.append(block.data(), static_cast<std::size_t>(got));
            continue;
        }
        open = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
        break;
    }
    const std::size_t end = buffer_.find("\r\n\r\n");
    if (end != std::string::npos && end + 4 <= longest) {
        out = buffer_.substr(0, end + 4);
        buffer_.erase(0, end + 4);
        return HeadEnd::Whole;
    }
    if (buffer_.size() > longest) return HeadEnd::TooLong;
    return open ? HeadEnd::NotYet : HeadEnd::Closed;
}

void GuardedStream::begin_request(std::string head, std::uint64_t bytes, std::chrono::milliseconds time) {
    head_ = std::move(head);
    head_read_ = 0;
    body_left_ = bytes;
    moved_ = 0;
    began_ = Clock::now();
    body_until_ = began_ + time;
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
    moved_ += count;
    return static_cast<ssize_t>(count);
}

// All of it: the HTTP library does not look whether a part of a head was left over.
ssize_t GuardedStream::write(const char* from, std::size_t size) {
    for (std::size_t sent = 0; sent < size;) {
        if (!is_writable()) return -1;
        // Without waiting: a peer that reads nothing is noticed here, not in the kernel.
        const ssize_t count = send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
        sent += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
        moved_ += static_cast<std::uint64_t>(std::max<ssize_t>(count, 0));
    }
    return static_cast<ssize_t>(size);
}

bool GuardedStream::is_readable() const {
    return head_read_ < head_.size() || !buffer_.empty() || wait(POLLIN, Clock::now() + limits_.stall);
}

bool GuardedStream::is_writable() const {
    return wait(POLLOUT, Clock::now() + limits_.stall);
}

void GuardedStream::end_writing() {
    shutdown(socket_, SHUT_WR);
    buffer_.clear();
}

bool GuardedStream::discard() {
    std::array<char, 16384> block;
    const ssize_t got = recv(socket_, block.data(), block.size(), MSG_DONTWAIT);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
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
