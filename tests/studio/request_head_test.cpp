// SPDX-License-Identifier: Apache-2.0
#include "studio/request_head.h"

#include <gtest/gtest.h>

namespace limber::studio {
namespace {

int status_of(const std::string& head) {
    RequestHead out;
    const auto refused = parse_head(head, out);
    return refused ? refused->status : 200;
}

std::string with_fields(const std::string& fields) {
    return "GET / HTTP/1.1\r\n" + fields + "\r\n";
}

TEST(RequestHead, AnOrdinaryRequestIsUnderstood) {
    RequestHead head;
    ASSERT_FALSE(
        parse_head("POST /api/uploads?name=a.obj HTTP/1.1\r\nHost: 127.0.0.1:8420\r\n"
                   "Origin: http://127.0.0.1:8420\r\nX-Limber-Token:  abc \r\nContent-Length: 12\r\n"
                   "Accept-Encoding: gzip, br\r\nCookie: other=1\r\n\r\n",
                   head));
    EXPECT_EQ(head.method, "POST");
    EXPECT_EQ(head.path(), "/api/uploads");
    EXPECT_EQ(head.host, "127.0.0.1:8420");
    EXPECT_EQ(head.origin, "http://127.0.0.1:8420");
    EXPECT_EQ(head.token, "abc");
    EXPECT_EQ(head.content_length, 12u);
    EXPECT_TRUE(head.keep_alive);
}

TEST(RequestHead, OnlyFieldsThatAreUsedReachTheHttpLibrary) {
    RequestHead head;
    ASSERT_FALSE(parse_head(with_fields("Host: localhost\r\nAccept-Encoding: br\r\nCookie: a=b\r\n"
                                        "Range: bytes=0-9\r\nX-Limber-Token: t\r\n"),
                            head));
    EXPECT_EQ(rewritten(head), "GET / HTTP/1.1\r\nRange: bytes=0-9\r\n\r\n");
}

TEST(RequestHead, MalformedHeadsAreRefused) {
    for (const char* line :
         {"", "GET", "GET /", "GET  HTTP/1.1", "GET /a b HTTP/1.1", "GET http://x/ HTTP/1.1",
          "GET /?a?b HTTP/1.1", "GET /\x01 HTTP/1.1", "GET /\xc3\xa9 HTTP/1.1"})
        EXPECT_EQ(status_of(std::string(line) + "\r\n\r\n"), 400) << line;
    for (const char* fields :
         {"no colon\r\n", ": empty\r\n", "Host : blank\r\n", " folded: x\r\n", "A: \x01\r\n",
          "Host: a\r\nHost: b\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n", "Content-Length: -1\r\n",
          "Content-Length: 1x\r\n", "Content-Length: \r\n", "Content-Length: 99999999999999999999999\r\n",
          "Origin: a\r\nOrigin: a\r\n"})
        EXPECT_EQ(status_of(with_fields(fields)), 400) << fields;
}

TEST(RequestHead, OnlyPathsInNormalFormAreTaken) {
    for (const char* path : {"/", "/index.html", "/assets/main-B_2~x.js", "/api/models/a-1.glb", "/api/",
                             "/a.b/..c", "/?name=%2e%2e%2f", "/x?a=//b/../c"})
        EXPECT_EQ(status_of(std::string("GET ") + path + " HTTP/1.1\r\n\r\n"), 200) << path;
    for (const char* path : {"/%61pi/gallery",
                             "/api%2fgallery",
                             "/api%2Fgallery",
                             "/api%5cgallery",
                             "/api\\gallery",
                             "//api/gallery",
                             "/api//gallery",
                             "/./api",
                             "/api/.",
                             "/api/./gallery",
                             "/x/../api/gallery",
                             "/..",
                             "/%2e%2e/",
                             "/a%00",
                             "/a%",
                             "/a%2",
                             "/a%zz",
                             "/%u0061pi",
                             "/a;b",
                             "/a:b",
                             "/a@b",
                             "/a+b",
                             "/a#b",
                             "/?a#b",
                             "/a&b",
                             "/a=b",
                             "/%2561pi",
                             "/a|b",
                             "/\"",
                             "/<"})
        EXPECT_EQ(status_of(std::string("GET ") + path + " HTTP/1.1\r\n\r\n"), 400) << path;
}

TEST(RequestHead, OtherMethodsAndVersionsAreRefused) {
    EXPECT_EQ(status_of("PUT / HTTP/1.1\r\n\r\n"), 405);
    EXPECT_EQ(status_of("OPTIONS / HTTP/1.1\r\n\r\n"), 405);
    EXPECT_EQ(status_of("GET / HTTP/1.1 x\r\n\r\n"), 505);
    EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\n"), 505);
}

TEST(RequestHead, LengthsAreBounded) {
    EXPECT_EQ(status_of("GET /" + std::string(kLongestTarget, 'a') + " HTTP/1.1\r\n\r\n"), 414);
    EXPECT_EQ(status_of(with_fields("A: " + std::string(kLongestHead, 'a') + "\r\n")), 431);
    std::string many;
    for (int i = 0; i < 100; ++i)
        many += "A: b\r\n";
    EXPECT_EQ(status_of(with_fields(many)), 431);
}

TEST(RequestHead, RangesOtherThanOneAreIgnored) {
    for (const char* range : {"bytes=0-0,1-1", "bytes=-", "bytes=a-b", "items=0-1",
                              "bytes=0-9999999999999999999", "bytes=10-9"}) {
        RequestHead head;
        ASSERT_FALSE(parse_head(with_fields(std::string("Range: ") + range + "\r\n"), head));
        EXPECT_EQ(head.range, "") << range;
    }
}

TEST(RequestHead, QueryValuesAreDecoded) {
    EXPECT_EQ(query_value("/u?name=my%20%3Cimg%20src=x%3E+b.obj&x=1", "name"), "my <img src=x> b.obj");
    EXPECT_EQ(query_value("/u?x=1&name=%e6%a8%a1.obj", "name"), "\xe6\xa8\xa1.obj");
    EXPECT_EQ(query_value("/u?name=50%", "name"), "50%");
    EXPECT_EQ(query_value("/u?name=%zz%2", "name"), "%zz%2");
    EXPECT_EQ(query_value("/u?name=a%2eobj", "name"), "a.obj");
    EXPECT_EQ(query_value("/u?name=a%20", "name"), "a ");      // at the end of the text
    EXPECT_EQ(query_value("/u?name=a%252e", "name"), "a%2e");  // once, not twice
    EXPECT_EQ(query_value("/u?n%61me=b&name=a", "name"), "a");
    EXPECT_EQ(query_value("/u", "name"), "");
}

}  // namespace
}  // namespace limber::studio
