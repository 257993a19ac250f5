// SPDX-License-Identifier: Apache-2.0
// The open connections. One thread watches all that wait (for a request, for the rest of its head, for the
// other side to close); a thread of the pool is taken only once the head of a request is whole. So thousands
// of connections that send slowly, or nothing, cost a socket each and delay nobody.
#pragma once
#include "studio/guarded_stream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace limber::studio {

struct HttpTimes {
    std::chrono::milliseconds idle{5000};   // of an open connection between two requests
    std::chrono::milliseconds head{10000};  // from the first byte of a request to the end of its head
    std::chrono::milliseconds body{20000};  // of an ordinary body
    std::chrono::milliseconds upload{600000};
    std::chrono::milliseconds stall{15000};  // without a byte in either direction
};

struct Connection {
    // Counted in `open` while it lives.
    Connection(socket_t socket, GuardedStream::Limits limits, std::shared_ptr<std::atomic<int>> open);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    GuardedStream stream;
    int served = 0;  // requests so far
    std::shared_ptr<std::atomic<int>> open;
};

class Connections : public httplib::TaskQueue {
 public:
    using HeadEnd = GuardedStream::HeadEnd;
    // Answers one request, on a thread of the pool; true: the connection stays open for another.
    using Serve = std::function<bool(Connection& connection, HeadEnd end, const std::string& head)>;

    // `stop` is asked several times a second by threads that wait for a peer.
    Connections(HttpTimes times, Serve serve, std::function<bool()> stop);
    ~Connections() override;

    void add(socket_t socket);

    // The HTTP library's task for an accepted socket does no more than add() it.
    void enqueue(std::function<void()> task) override { task(); }
    void shutdown() override;

 private:
    using Clock = GuardedStream::Clock;
    enum class State { Idle, Head, Closing };
    struct Waiting {
        std::shared_ptr<Connection> connection;
        State state = State::Idle;
        Clock::time_point since{}, heard{};  // in this state; of the last byte
    };

    void watch();
    void take_in();
    void make_room();
    bool is_crowded() const;
    // False: it no longer waits here.
    bool advance(Waiting& one);
    bool expire(Waiting& one, Clock::time_point now);
    Clock::time_point deadline(const Waiting& one) const;
    void hand_over(const Waiting& one, HeadEnd end, std::string head);
    void give(std::shared_ptr<Connection> connection, State state);
    void wake();

    HttpTimes times_;
    Serve serve_;
    std::function<bool()> stop_;
    std::atomic<int> queued_{0}, busy_{0};  // requests that no thread has taken yet; threads that have one
    std::atomic<bool> stopping_{false};
    int wake_ = -1;  // an eventfd
    std::mutex mutex_;
    std::condition_variable room_made_;
    std::vector<Waiting> incoming_;
    std::list<Waiting> waiting_;  // of the watching thread only
    std::shared_ptr<std::atomic<int>> open_ = std::make_shared<std::atomic<int>>(0);  // waiting or not
    httplib::ThreadPool pool_;
    std::thread watcher_;
};

}  // namespace limber::studio
