// SPDX-License-Identifier: Apache-2.0
// Many connections that do nothing, or little at a time, beside one that asks for something.
#include "test_studio.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

namespace limber::studio {
namespace {

class ManyConnections : public test::StudioTest {
 protected:
    void SetUp() override {
        StudioTest::SetUp();
        // Both ends of every connection are in this process.
        rlimit files{};
        getrlimit(RLIMIT_NOFILE, &files);
        files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
        setrlimit(RLIMIT_NOFILE, &files);
        // The bytes that a kernel holds for a connection are fewer.
        folder_.write("web/large.bin", std::string(8u << 20, 'x'));
    }
    void TearDown() override {
        for (const int connection : connections_)
            close(connection);
    }
    void open(int count, const std::string& bytes) {
        for (int i = 0; i < count; ++i)
            connections_.push_back(open_connection(bytes));
    }
    // Of those, how many the studio has not answered and not closed.
    std::ptrdiff_t still_waiting() const {
        return std::count_if(connections_.begin(), connections_.end(), [](int connection) {
            char byte = 0;
            return recv(connection, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
        });
    }

    std::vector<int> connections_;
};

TEST_F(ManyConnections, ARequestIsAnsweredWhileTwoHundredAreOpenAndThreeHundredSendSlowly) {
    start();
    open(300, "GET / HTTP/1.1\r\nHost: loc");
    open(200, "");
    for (int i = 0; i < 5; ++i)
        expect_alive();
    // It had not to wait until they ran out of time.
    EXPECT_EQ(still_waiting(), 500);
}

TEST_F(ManyConnections, MoreThanTheStudioHoldsMakeRoomForOneThatAsks) {
    start();
    open(800, "GET / HTTP/1.1\r\nHost: loc");
    expect_alive();
    EXPECT_GE(still_waiting(), 400);
}

TEST_F(ManyConnections, ARequestIsAnsweredWhileAHundredReadNothing) {
    options_.stall_time = std::chrono::minutes(10);
    start();
    open(100, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect_alive();
}

TEST_F(ManyConnections, ARequestIsAnsweredWhileAHundredBodiesDoNotCome) {
    options_.stall_time = std::chrono::minutes(10);
    start();
    open(100, "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nX-Limber-Token: " +
                  studio_->token() + "\r\n\r\n{");
    expect_alive();
    // Eight are read; the others are told to come again.
    for (int i = 0; i < 1000 && still_waiting() > 8; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(still_waiting(), 8);
}

}  // namespace
}  // namespace limber::studio
