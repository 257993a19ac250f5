// SPDX-License-Identifier: Apache-2.0
#include "studio/guarded_stream.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace limber::studio {
namespace {

constexpr std::chrono::milliseconds kSlice{100};  // how often `stop` and `crowded` are asked
// What a transfer must reach to keep its thread while requests wait, over each such time.
constexpr double kLeastRate = 65536;  // bytes/s
constexpr std::chrono::milliseconds kRateWindow{500};

}  // namespace

// Bytes that the other side has received or sent; what the kernel holds for it does not count.
std::uint64_t GuardedStream::delivered() const {
    int queued = 0;
    if (ioctl(socket_, SIOCOUTQ, &queued) != 0) queued = 0;
    return moved_ - std::min(moved_, static_cast<std::uint64_t>(std::max(queued, 0)));
}

bool GuardedStream::is_slow() const {
    const auto now = Clock::now();
    if (now - window_began_ < kRateWindow) return false;
    const std::uint64_t before = window_delivered_;
    const double seconds = std::chrono::duration<double>(now - window_began_).count();
    window_began_ = now;
    window_delivered_ = delivered();
    return static_cast<double>(window_delivered_) < static_cast<double>(before) + kLeastRate * seconds;
}

bool GuardedStream::wait(short events, Clock::time_point until) const {
    while (!limits_.stop()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        if (left.count() <= 0) return false;
        pollfd one{socket_, events, 0};
        const int ready = poll(&one, 1, static_cast<int>(std::min(left, kSlice).count()));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        if (is_slow() && limits_.crowded()) return false;
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
    moved_ = window_delivered_ = 0;
    window_began_ = Clock::now();
    body_until_ = window_began_ + time;
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
