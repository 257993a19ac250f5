// SPDX-License-Identifier: Apache-2.0
#include "studio/connections.h"

#include "studio/request_head.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace limber::studio {
namespace {

// Few are busy at once: four uploads, eight other bodies, and peers that read an answer slowly.
constexpr std::size_t kThreads = 64;
// Beyond this the connection goes that has waited longest. Where none waits, all being served, there may be
// half as many again; the usual limit of open files is 1024.
constexpr int kMostConnections = 512;
// Accepted and not yet seen by the watching thread, which makes room. More wait in the kernel's queue: a
// burst must not fill the half again before anything was closed.
constexpr std::size_t kMostIncoming = 64;
// How long the other side may take to close after the last answer: closing at once would reset the
// connection, and the answer could be lost.
constexpr std::chrono::milliseconds kGoodbye{2000};

}  // namespace

Connection::Connection(socket_t socket, GuardedStream::Limits limits, std::shared_ptr<std::atomic<int>> count)
    : stream(socket, std::move(limits)), open(std::move(count)) {
    ++*open;
}

Connection::~Connection() {
    close(stream.socket());
    --*open;
}

Connections::Connections(HttpTimes times, Serve serve, std::function<bool()> stop)
    : times_(times),
      serve_(std::move(serve)),
      stop_(std::move(stop)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      pool_(kThreads) {
    watcher_ = std::thread([this] { watch(); });
}

Connections::~Connections() {
    if (watcher_.joinable()) shutdown();
    close(wake_);
}

void Connections::shutdown() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    room_made_.notify_all();
    wake();
    watcher_.join();
    pool_.shutdown();
}

void Connections::wake() {
    const std::uint64_t one = 1;
    if (write(wake_, &one, sizeof one) < 0) { /* it is awake already */
    }
}

void Connections::add(socket_t socket) {
    {
        std::unique_lock lock(mutex_);
        room_made_.wait(lock, [this] { return stopping_ || incoming_.size() < kMostIncoming; });
    }
    auto connection = std::make_shared<Connection>(
        socket, GuardedStream::Limits{times_.stall, stop_, [this] { return is_crowded(); }}, open_);
    if (*open_ <= kMostConnections / 2 * 3) give(std::move(connection), State::Idle);
}

bool Connections::is_crowded() const {
    return queued_ > 0 && busy_ >= static_cast<int>(kThreads);
}

void Connections::give(std::shared_ptr<Connection> connection, State state) {
    const auto now = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        incoming_.push_back({std::move(connection), state, now, now});
    }
    wake();
}

void Connections::take_in() {
    std::vector<Waiting> incoming;
    {
        const std::lock_guard lock(mutex_);
        incoming.swap(incoming_);
    }
    for (Waiting& one : incoming)
        if (advance(one)) waiting_.push_back(std::move(one));
}

bool Connections::advance(Waiting& one) {
    GuardedStream& stream = one.connection->stream;
    if (one.state == State::Closing) return stream.discard();
    std::string head;
    const HeadEnd end = stream.receive_head(kLongestHead, head);
    if (end == HeadEnd::Closed) return false;
    if (end != HeadEnd::NotYet) {
        hand_over(one, end, std::move(head));
        return false;
    }
    const auto now = Clock::now();
    if (stream.has_bytes()) {
        one.heard = now;
        if (one.state == State::Idle) one.since = now;
        one.state = State::Head;
    }
    return true;
}

Connections::Clock::time_point Connections::deadline(const Waiting& one) const {
    switch (one.state) {
        case State::Idle:
            return one.since + times_.idle;
        case State::Head:
            return std::min(one.since + times_.head, one.heard + times_.stall);
        default:
            return one.since + kGoodbye;
    }
}

bool Connections::expire(Waiting& one, Clock::time_point now) {
    if (now < deadline(one)) return false;
    if (one.state == State::Head && now >= one.since + times_.head) hand_over(one, HeadEnd::TooSlow, "");
    return true;
}

void Connections::hand_over(const Waiting& one, HeadEnd end, std::string head) {
    ++queued_;
    pool_.enqueue([this, connection = one.connection, end, head = std::move(head)]() mutable {
        --queued_;
        ++busy_;
        const bool more = serve_(*connection, end, head);
        ++connection->served;
        --busy_;
        if (!more) connection->stream.end_writing();
        give(std::move(connection), more ? State::Idle : State::Closing);
    });
}

void Connections::make_room() {
    const auto earlier = [](const Waiting& a, const Waiting& b) { return a.since < b.since; };
    while (*open_ > kMostConnections && !waiting_.empty())
        waiting_.erase(std::min_element(waiting_.begin(), waiting_.end(), earlier));
}

void Connections::watch() {
    std::vector<pollfd> sockets;
    while (!stopping_) {
        take_in();
        const auto now = Clock::now();
        std::erase_if(waiting_, [&](Waiting& one) { return expire(one, now); });
        make_room();
        room_made_.notify_all();

        auto until = now + std::chrono::seconds(1);
        sockets.assign(1, {wake_, POLLIN, 0});
        for (const Waiting& one : waiting_) {
            sockets.push_back({one.connection->stream.socket(), POLLIN, 0});
            until = std::min(until, deadline(one));
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        if (poll(sockets.data(), sockets.size(), static_cast<int>(std::max<long>(left.count(), 0))) <= 0)
            continue;
        std::uint64_t count = 0;
        if (sockets[0].revents != 0 && read(wake_, &count, sizeof count) < 0) continue;
        std::size_t i = 1;
        std::erase_if(waiting_, [&](Waiting& one) { return sockets[i++].revents != 0 && !advance(one); });
    }
}

}  // namespace limber::studio
