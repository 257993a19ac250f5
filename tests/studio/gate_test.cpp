// SPDX-License-Identifier: Apache-2.0
#include "studio/gate.h"

#include <gtest/gtest.h>

namespace limber::studio {
namespace {

RequestHead to(const std::string& host, const std::string& target = "/") {
    RequestHead head;
    head.method = "GET";
    head.target = target;
    head.host = host;
    return head;
}

// A studio whose page has two files.
const GateRules kRules{.token = "secret", .open = {"/", "/assets/api.js"}};

int status_of(const RequestHead& head, const GateRules& rules = kRules) {
    const auto refused = check(head, rules);
    return refused ? refused->status : 200;
}

TEST(Gate, OnlyLoopbackNamesAreThisStudioWithAnyPort) {
    for (const char* host : {"localhost", "localhost:1", "LocalHost:8420", "127.0.0.1", "127.0.0.1:65535",
                             "[::1]", "[::1]:8420"})
        EXPECT_EQ(status_of(to(host)), 200) << host;
    for (const char* host :
         {"", "evil.example", "evil.example:8420", "localhost.evil.example", "127.0.0.1.evil.example",
          "127.0.0.2", "localhost:", "localhost:80:80", "localhost:8a", "localhost@evil", "[::1", "[::1]x",
          "::1", "0.0.0.0:8420", "192.168.0.7"})
        EXPECT_EQ(status_of(to(host)), 403) << host;
}

TEST(Gate, AnotherHostOptionAllowsThatNameAndAddressesButNoOtherName) {
    const GateRules rules{.token = "secret", .open = {"/"}, .host = "0.0.0.0"};
    EXPECT_EQ(status_of(to("192.168.0.7:8420"), rules), 200);
    EXPECT_EQ(status_of(to("[fe80::1]:8420"), rules), 200);
    EXPECT_EQ(status_of(to("evil.example:8420"), rules), 403);
    EXPECT_EQ(status_of(to("lab.example"), {.token = "secret", .open = {"/"}, .host = "Lab.Example"}), 200);
}

TEST(Gate, TheOriginMustBeTheHostItself) {
    auto head = to("127.0.0.1:8420");
    head.origin = "http://127.0.0.1:8420";
    EXPECT_EQ(status_of(head), 200);
    for (const char* origin : {"http://evil.example", "http://127.0.0.1:8421", "https://127.0.0.1:8420",
                               "null", "", "http://localhost:8420", "http://127.0.0.1:8420.evil.example"}) {
        head.origin = origin;
        EXPECT_EQ(status_of(head), 403) << origin;
    }
}

TEST(Gate, TheTokenGuardsAllButReadingThePage) {
    auto head = to("localhost", "/api/gallery");
    for (const char* token : {"", "Secret", "secre", "secrets"}) {
        head.token = token;
        EXPECT_EQ(status_of(head), 401) << token;
    }
    head.token = "secret";
    EXPECT_EQ(status_of(head), 200);
    EXPECT_EQ(status_of(to("localhost", "/assets/api.js")), 200);
    EXPECT_EQ(status_of(to("localhost", "/assets/api.js?v=2")), 200);
    // What is not on the list needs it, also what does not exist.
    for (const char* path : {"/api", "/api/", "/API/gallery", "/nothing", "/assets/api.js/",
                             "/assets/api.js.", "/assets/API.js", "/api.js", "/assets", "/favicon.ico"})
        EXPECT_EQ(status_of(to("localhost", path)), 401) << path;
    head = to("localhost", "/assets/api.js");
    head.method = "HEAD";
    EXPECT_EQ(status_of(head), 200);
    for (const char* method : {"POST", "DELETE", "PUT", "get", ""}) {
        head.method = method;
        EXPECT_EQ(status_of(head), 401) << method;
    }
    // No rules, no way in.
    EXPECT_EQ(status_of(to("localhost", "/api/gallery"), {.token = ""}), 401);
    EXPECT_EQ(status_of(to("localhost", "/"), {.token = ""}), 401);
}

TEST(Gate, APathThatIsNotInNormalFormIsRefusedWithAndWithoutTheToken) {
    for (const char* path : {"/%61pi/gallery", "/api%2fgallery", "//", "/./", "/assets/../api/gallery"}) {
        auto head = to("localhost", path);
        EXPECT_EQ(status_of(head), 400) << path;
        head.token = "secret";
        EXPECT_EQ(status_of(head), 400) << path;
    }
}

TEST(Gate, BodiesComeWithTheirLengthAndWithinTheLimit) {
    auto head = to("localhost", "/api/uploads?name=a.obj");
    head.token = "secret";
    head.method = "POST";
    EXPECT_EQ(status_of(head), 411);
    const GateRules rules{.token = "secret", .most_upload_bytes = 1000, .most_request_bytes = 10};
    head.content_length = 1000;
    EXPECT_EQ(status_of(head, rules), 200);
    head.content_length = 1001;
    EXPECT_EQ(status_of(head, rules), 413);
    head.target = "/api/jobs";
    head.content_length = 11;
    EXPECT_EQ(status_of(head, rules), 413);
    head.content_length = 10;
    head.content_encoding = true;
    EXPECT_EQ(status_of(head, rules), 415);
    head.transfer_encoding = true;
    EXPECT_EQ(status_of(head, rules), 411);
    head = to("localhost");
    head.content_length = 5;
    EXPECT_EQ(status_of(head), 400);
}

}  // namespace
}  // namespace limber::studio
