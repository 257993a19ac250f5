// SPDX-License-Identifier: Apache-2.0
// What a hostile page, another user of the machine or a broken client may try on a running studio.
#include "test_studio.h"

#include <sys/socket.h>
#include <unistd.h>

#include <regex>
#include <thread>

namespace limber::studio {
namespace {

class Security : public test::StudioTest {
 protected:
    void SetUp() override {
        StudioTest::SetUp();
        start();
    }
    std::string head(const std::string& request, const std::string& fields) const {
        return request + " HTTP/1.1\r\n" + fields + "\r\n";
    }
    // "HTTP/1.1 403 Forbidden..." -> 403; 0 without an answer.
    int status_of(const std::string& bytes) const {
        const std::string answer = raw(bytes);
        return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
    }
    std::string token_field() const { return "X-Limber-Token: " + studio_->token() + "\r\n"; }
};

TEST_F(Security, AForeignHostOrOriginIsRefusedAndLogged) {
    EXPECT_EQ(status_of(head("GET /", "Host: evil.example\r\nConnection: close\r\n")), 403);
    EXPECT_TRUE(log_has("refused (403): GET /: the Host 'evil.example'"));
    EXPECT_EQ(status_of(head("GET /api/gallery",
                             "Host: localhost\r\nOrigin: http://evil.example\r\n" + token_field())),
              403);
    EXPECT_TRUE(log_has("the Origin 'http://evil.example'"));
    EXPECT_EQ(status_of(head("GET /", "Connection: close\r\n")), 403);  // no Host at all
    EXPECT_EQ(status_of(head("GET /", "Host: [::1]:1\r\nConnection: close\r\n")), 200);
    expect_alive();
}

TEST_F(Security, WithoutTheTokenTheApiTellsNothing) {
    for (const char* path : {"/api/gallery", "/api/jobs", "/api/models/bar.glb", "/api/materials", "/api",
                             "/api/", "/api/nothing"}) {
        EXPECT_EQ(status_of(head(std::string("GET ") + path, "Host: localhost\r\n")), 401) << path;
        EXPECT_EQ(status_of(head(std::string("GET ") + path,
                                 "Host: localhost\r\nX-Limber-Token: " + std::string(32, '0') + "\r\n")),
                  401)
            << path;
    }
    EXPECT_EQ(status_of(head("POST /api/gallery/bar/build", "Host: localhost\r\nContent-Length: 0\r\n")),
              401);
    EXPECT_TRUE(log_has("refused (401)"));
    EXPECT_FALSE(log_has(studio_->token()));
}

TEST_F(Security, EveryAnswerCarriesTheSecurityHeaders) {
    for (const auto& answer : {get("/"), get("/api/gallery"), get("/nothing"), post("/api/jobs", "{")}) {
        const auto csp = answer.headers.find("Content-Security-Policy");
        ASSERT_NE(csp, answer.headers.end());
        EXPECT_NE(csp->second.find("default-src 'none'"), std::string::npos);
        EXPECT_NE(csp->second.find("frame-ancestors 'none'"), std::string::npos);
        EXPECT_EQ(csp->second.find("unsafe-inline"), std::string::npos);
        EXPECT_EQ(answer.headers.find("X-Content-Type-Options")->second, "nosniff");
        EXPECT_EQ(answer.headers.find("Referrer-Policy")->second, "no-referrer");
        EXPECT_EQ(answer.headers.find("Cross-Origin-Resource-Policy")->second, "same-origin");
        EXPECT_EQ(answer.headers.find("Access-Control-Allow-Origin"), answer.headers.end());
    }
    const std::string refused = raw(head("GET /", "Host: evil.example\r\n"));
    EXPECT_NE(refused.find("Content-Security-Policy"), std::string::npos);
}

TEST_F(Security, NoPathLeavesThePage) {
    std::filesystem::create_symlink(folder_.path() / "secret.txt", folder_.path() / "web/link.txt");
    stop();
    start();
    const auto expect_nothing = [&](const std::string& path, const std::string& status) {
        const std::string answer =
            raw(head("GET " + path, "Host: localhost\r\nConnection: close\r\n" + token_field()));
        EXPECT_NE(answer.find(' ' + status + ' '), std::string::npos) << path << ": " << answer;
        EXPECT_EQ(answer.find("canary"), std::string::npos) << path;
        EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
    };
    for (const char* path :
         {"/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt",
          "//etc/passwd", "/assets/..%5c..%5csecret.txt", "/index.html%00.txt",
          "/api/models/..%2f..%2fsecret.glb", "/api/meshes/../models/bar.glb", "/api/meshes/%2e%2e.glb",
          "/api/jobs/..", "/api/reports/../../secret.html"})
        expect_nothing(path, "400");  // not in normal form
    for (const char* path : {"/link.txt", "/api/models/.glb", "/web/", "/assets", "/assets/"})
        expect_nothing(path, "404");
}

TEST_F(Security, AnUploadBeyondTheLimitIsRefusedBeforeItIsSent) {
    stop();
    options_.most_upload_bytes = 1000;
    start();
    EXPECT_EQ(post("/api/uploads?name=a.obj", std::string(1001, 'x')).status, 413);
    // Told to be huge, nothing sent.
    EXPECT_EQ(status_of(head("POST /api/uploads?name=a.obj",
                             "Host: localhost\r\nContent-Length: 99999999999\r\n" + token_field())),
              413);
    // Told to be small, and more sent: only what was told counts.
    EXPECT_EQ(status_of(head("POST /api/uploads?name=a.obj",
                             "Host: localhost\r\nContent-Length: 10\r\n" + token_field()) +
                        std::string(100000, '#')),
              200);
    EXPECT_EQ(status_of(head("POST /api/uploads?name=a.obj",
                             "Host: localhost\r\nTransfer-Encoding: chunked\r\n" + token_field()) +
                        "ffffffffffffff\r\n"),
              411);
    EXPECT_EQ(status_of(head("POST /api/uploads?name=a.obj",
                             "Host: localhost\r\nContent-Length: 10\r\n"
                             "Content-Encoding: gzip\r\n" +
                                 token_field())),
              415);
    EXPECT_EQ(post("/api/jobs", std::string(5 << 20, ' ')).status, 413);
    expect_alive();
}

TEST_F(Security, TwentyStalledUploadsAndTwentyTabsDoNotStarveThePage) {
    std::vector<int> connections;
    const std::string stalled = head("POST /api/uploads?name=a.obj",
                                     "Host: localhost\r\nContent-Length: 1000000\r\n" + token_field());
    for (int i = 0; i < 20; ++i)
        connections.push_back(open_connection(stalled + "v 0 0 0\n"));
    // A tab: a connection that is kept alive after a request, one that has sent half a head, one that sent
    // nothing.
    for (int i = 0; i < 20; ++i) {
        connections.push_back(open_connection(head("GET /", "Host: localhost\r\n")));
        connections.push_back(open_connection("GET / HTTP/1.1\r\nHost: loc"));
        connections.push_back(open_connection(""));
    }
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i)
        expect_alive();
    // Those that wait for nothing but a time to pass have 15 s.
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(14));
    for (const int connection : connections)
        close(connection);
    expect_alive();
}

TEST_F(Security, UploadsBeyondFourAtOnceAreToldToWait) {
    std::vector<int> connections;
    const std::string stalled = head("POST /api/uploads?name=a.obj",
                                     "Host: localhost\r\nContent-Length: 1000000\r\n" + token_field());
    for (int i = 0; i < 4; ++i)
        connections.push_back(open_connection(stalled + "v"));
    // The four are under way as soon as their temporary files are there.
    const auto count = [&] {
        const auto files = std::filesystem::directory_iterator(options_.cache / "uploads");
        return std::distance(begin(files), end(files));
    };
    while (count() < 4)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto fifth = post("/api/uploads?name=a.obj", test::kTetrahedronObj);
    EXPECT_EQ(fifth.status, 503);
    EXPECT_NE(fifth.json()["error"]["try_this"], "");
    for (const int connection : connections)
        close(connection);
    while (count() > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(post("/api/uploads?name=a.obj", test::kTetrahedronObj).status, 200);
}

TEST_F(Security, MalformedRequestsAreRefusedAndHarmNothing) {
    const std::vector<std::string> requests = {
        "\r\n\r\n",
        "GET\r\n\r\n",
        std::string("\0\0\0\0\r\n\r\n", 8),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15),  // a TLS greeting
        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
        "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n",
        "GET /" + std::string(3000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20000, 'a') + "\r\n\r\n",
        std::string(100000, 'a'),
    };
    for (const std::string& request : requests) {
        const int status = status_of(request);
        EXPECT_GE(status, 400) << request.substr(0, 60);
        EXPECT_LT(status, 600) << request.substr(0, 60);
    }
    // Ranges that once broke servers; the whole file is a legal answer to each.
    std::string ranges = "bytes=0-0";
    for (int i = 0; i < 1000; ++i)
        ranges += ",0-0";
    for (const std::string& range : {ranges, std::string("bytes=99999999999999999999-"),
                                     std::string("bytes=-0"), std::string("bytes=5-2")}) {
        const int status =
            status_of(head("GET /", "Host: localhost\r\nConnection: close\r\nRange: " + range + "\r\n"));
        EXPECT_TRUE(status == 200 || status == 206 || status == 416) << range.substr(0, 40) << ": " << status;
    }
    for (const char* body :
         {"", "{", "[]", "{\"kind\": 3}", "\xff", "{\"kind\": \"check\", \"upload\": \"../x\"}"})
        EXPECT_EQ(post("/api/jobs", body).status, 400) << body;
    EXPECT_EQ(post("/api/nothing", "x").status, 404);
    EXPECT_EQ(post("/", "x").status, 404);
    EXPECT_EQ(remove("/api/gallery").status, 404);
    expect_alive();
}

TEST_F(Security, ASlowHeadIsCutOff) {
    stop();
    options_.stall_time = std::chrono::milliseconds(300);
    start();
    // One that stops in the middle: the connection ends without an answer.
    EXPECT_EQ(raw("GET / HTTP/1.1\r\nHost: lo"), "");
    expect_alive();
}

TEST_F(Security, ABodyIsNeverTakenForTheNextRequest) {
    // The body of a refused or unread request holds a request of its own.
    const std::string inner = "GET /api/gallery HTTP/1.1\r\nHost: localhost\r\n" + token_field() + "\r\n";
    for (const char* path : {"/api/nothing", "/api/gallery/bar/build"}) {
        const std::string answer =
            raw(head(std::string("POST ") + path, "Host: localhost\r\nContent-Length: " +
                                                      std::to_string(inner.size()) + "\r\n" + token_field()) +
                inner);
        EXPECT_EQ(answer.find("\"version\""), std::string::npos) << answer;
    }
}

TEST_F(Security, NamesFromOutsideAreOnlyEverJsonText) {
    const std::string name = "<img src=x onerror=alert(1)>\".obj";
    const std::string path = "/api/uploads?name=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%22.obj";
    const auto answer = post(path, test::kTetrahedronObj);
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.json()["name"], name);
    const auto built = job({{"kind", "build"},
                            {"upload", answer.json()["upload"]},
                            {"name", name},
                            {"fix", {"z<0.01"}},
                            {"filling", {{"voxels", {{"resolution", 2}}}}},
                            {"groups", {{{"select", "z>0.5"}, {"young", 1e5}}}},
                            {"modes", 1},
                            {"rank", 1}});
    ASSERT_EQ(built["state"], "done") << built;
    EXPECT_EQ(built["title"], name);
    EXPECT_TRUE(std::regex_match(built["result"]["id"].get<std::string>(), std::regex("[a-z0-9-]{1,64}")));
    // Where a name stands in an answer, the answer is JSON and must not be sniffed for anything else.
    const auto gallery = get("/api/gallery");
    EXPECT_EQ(gallery.headers.find("Content-Type")->second, "application/json");
    EXPECT_NE(gallery.body.find("onerror"), std::string::npos);
    const auto model = get('/' + built["result"]["model"].get<std::string>());
    EXPECT_EQ(model.headers.find("Content-Type")->second, "model/gltf-binary");
    // A path of the API that does not exist, with a name in it, is not sent back as HTML.
    const auto nothing = get("/%3Cimg%20onerror=1%3E");
    EXPECT_EQ(nothing.status, 400);
    EXPECT_EQ(nothing.headers.find("Content-Type")->second, "application/json");
    EXPECT_EQ(nothing.body.find("onerror"), std::string::npos);
    // A job that fails with such a name writes one clean line into the log.
    job({{"kind", "check"}, {"upload", post("/api/uploads?name=%1b%5b31m%0a.obj", "v 0").json()["upload"]}});
    EXPECT_FALSE(log_has("\x1b"));
    EXPECT_FALSE(log_has("\n"));
}

TEST_F(Security, AMaterialNameFromAFileIsOnlyJsonText) {
    const std::string obj = "mtllib a.mtl\nusemtl <img/src=x/onerror=alert(1)>\n" + test::kTetrahedronObj;
    const auto check = get("/api/gallery").status == 200
                           ? job({{"kind", "check"}, {"upload", upload("m.obj", obj)}})
                           : nlohmann::json();
    ASSERT_EQ(check["state"], "done") << check;
    EXPECT_NE(check["result"]["info"].dump().find("onerror"), std::string::npos);
    const auto built = job({{"kind", "build"},
                            {"upload", upload("m.obj", obj)},
                            {"fix", {"z<0.01"}},
                            {"modes", 1},
                            {"rank", 1},
                            {"filling", {{"voxels", {{"resolution", 2}}}}}});
    EXPECT_EQ(built["state"], "done") << built;
    expect_alive();
}

TEST_F(Security, ABusyPortIsNotShared) {
    StudioOptions second = options_;
    second.port = studio_->port();
    second.cache = folder_.path() / "cache2";
    EXPECT_THROW(Studio(second, [](const std::string&) {}), InputError);
    second.port.reset();  // the next free one
    const Studio other(second, [](const std::string&) {});
    EXPECT_NE(other.port(), studio_->port());
    EXPECT_NE(other.token(), studio_->token());
    expect_alive();
}

TEST_F(Security, TheAddressCarriesTheTokenWhereNoServerSeesIt) {
    EXPECT_EQ(studio_->address(),
              "http://127.0.0.1:" + std::to_string(studio_->port()) + "/#token=" + studio_->token());
}

}  // namespace
}  // namespace limber::studio
