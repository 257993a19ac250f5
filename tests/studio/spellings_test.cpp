// SPDX-License-Identifier: Apache-2.0
// An address can be written in many ways. However it is written, a request without the token gets nothing but
// the files of the page, and one with the token gets what the plain spelling gets, or is refused.
#include "test_studio.h"

#include <fmt/format.h>

#include <array>
#include <random>

namespace limber::studio {
namespace {

struct Address {
    const char* method;
    const char* path;
};

// Every route of docs/studio_server.md, and what stands near them.
constexpr std::array<Address, 19> kGuarded = {{{"GET", "/api/gallery"},
                                               {"HEAD", "/api/gallery"},
                                               {"POST", "/api/gallery/bar/build"},
                                               {"POST", "/api/uploads?name=a.obj"},
                                               {"POST", "/api/jobs"},
                                               {"GET", "/api/jobs"},
                                               {"GET", "/api/jobs/build-0"},
                                               {"DELETE", "/api/jobs/build-0"},
                                               {"GET", "/api/models/bar.glb"},
                                               {"GET", "/api/models/bar.png"},
                                               {"DELETE", "/api/models/bar"},
                                               {"GET", "/api/meshes/a.bin"},
                                               {"GET", "/api/meshes/a.glb"},
                                               {"GET", "/api/reports/a.html"},
                                               {"GET", "/api/materials"},
                                               {"HEAD", "/api/materials"},
                                               {"GET", "/api"},
                                               {"GET", "/nothing"},
                                               {"POST", "/"}}};

class Spelling {
 public:
    explicit Spelling(std::uint32_t seed) : random_(seed) {}

    // One to three changes, each at a random place.
    std::string of(std::string path) {
        for (std::size_t changes = 1 + below(3); changes > 0; --changes)
            change(path);
        return path;
    }

 private:
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

    std::string encoded(unsigned char c) {
        switch (below(6)) {
            case 0:
                return fmt::format("%{:02x}", c);
            case 1:
                return fmt::format("%{:02X}", c);
            case 2:
                return fmt::format("%25{:02x}", c);  // encoded twice
            case 3:
                return fmt::format("%u00{:02x}", c);  // cpp-httplib reads this
            case 4:
                return fmt::format("%{:02x}%{:02x}", 0xc0 | c >> 6, 0x80 | (c & 0x3f));  // overlong UTF-8
            default:
                return fmt::format("%0{:02x}", c);
        }
    }

    void change(std::string& path) {
        const std::size_t at = below(path.size() + 1);
        const std::size_t slash = path.find('/', below(path.size()));
        switch (below(8)) {
            case 0:  // a character as its code
            case 1:
            case 2:
                if (at < path.size()) path.replace(at, 1, encoded(static_cast<unsigned char>(path[at])));
                break;
            case 3: {  // another slash
                constexpr std::array<const char*, 12> slashes = {"//",   "/./", "/x/../", "%2f",
                                                                 "%2F",  "\\",  "%5c",    "/%2e/",
                                                                 "/.//", "/;/", "/../",   "%252f"};
                if (slash != std::string::npos) path.replace(slash, 1, slashes[below(slashes.size())]);
                break;
            }
            case 4: {  // something that another reader may drop
                constexpr std::array<const char*, 16> extras = {
                    "%00", ".",   "/",  "?",   "#",      ";x", "%20", "%",
                    "%0a", "%2e", "..", "?x=", "%0d%0a", "%2", "+",   "%ff"};
                path.insert(at, extras[below(extras.size())]);
                break;
            }
            case 5:
                if (at < path.size() && path[at] >= 'a' && path[at] <= 'z')
                    path[at] = static_cast<char>(path[at] - 'a' + 'A');
                break;
            case 6: {  // another start
                constexpr std::array<const char*, 9> starts = {
                    "/",  "//localhost", "http://localhost", "/.", "/index.html/..",
                    "/?", "/assets/..",  "/%2e%2e",          "/#"};
                path.insert(0, starts[below(starts.size())]);
                break;
            }
            default:
                if (at < path.size()) path.erase(at, 1);
        }
    }

    std::mt19937 random_;
};

class Spellings : public test::StudioTest {
 protected:
    void SetUp() override {
        StudioTest::SetUp();
        start();
    }
    std::string answer_to(const std::string& method, const std::string& path, bool token) const {
        return raw(fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}{}\r\n", method,
                               path, method == "POST" ? "Content-Length: 0\r\n" : "",
                               token ? "X-Limber-Token: " + studio_->token() + "\r\n" : ""));
    }
    static int status_of(const std::string& answer) {
        return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
    }
    static std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n")); }
};

TEST_F(Spellings, NoneReachesARouteWithoutItsToken) {
    const std::string index = body_of(answer_to("GET", "/", false));
    const std::string script = body_of(answer_to("GET", "/assets/main.js", false));
    std::size_t refused = 0;
    std::uint32_t seed = 0;
    for (const auto& [method, path] : kGuarded) {
        EXPECT_EQ(status_of(answer_to(method, path, false)), 401) << method << ' ' << path;
        Spelling spelling(++seed);
        for (int i = 0; i < 200; ++i) {
            const std::string spelled = spelling.of(path);
            const std::string answer = answer_to(method, spelled, false);
            const int status = status_of(answer);
            if (status == 400 || status == 401) {
                ++refused;
                continue;
            }
            // "/?api/gallery" is the page.
            ASSERT_EQ(status, 200) << method << ' ' << spelled << ": " << answer;
            ASSERT_EQ(spelled.substr(0, spelled.find('?')), "/") << method << ' ' << spelled;
            ASSERT_TRUE(body_of(answer) == index || method == std::string("HEAD"))
                << method << ' ' << spelled;
        }
    }
    EXPECT_GT(refused, 3000u);
    // The same for spellings of what is open: they are the page, or nothing.
    for (const char* path : {"/", "/index.html", "/assets/main.js"}) {
        Spelling spelling(++seed);
        for (int i = 0; i < 200; ++i) {
            const std::string spelled = spelling.of(path);
            const std::string answer = answer_to("GET", spelled, false);
            const int status = status_of(answer);
            ASSERT_TRUE(status == 400 || status == 401 || status == 200) << spelled << ": " << answer;
            ASSERT_TRUE(status != 200 || body_of(answer) == index || body_of(answer) == script)
                << spelled << ": " << answer;
        }
    }
    // Nothing of all that did anything.
    EXPECT_TRUE(get("/api/jobs").json()["jobs"].empty());
    EXPECT_TRUE(std::filesystem::is_empty(options_.cache / "uploads"));
}

TEST_F(Spellings, WithTheTokenTheyAnswerAsThePlainOneOrAreRefused) {
    std::uint32_t seed = 1000;
    for (const char* path : {"/api/gallery", "/api/jobs", "/api/materials"}) {
        const std::string plain = body_of(answer_to("GET", path, true));
        Spelling spelling(++seed);
        for (int i = 0; i < 200; ++i) {
            const std::string spelled = spelling.of(path);
            const std::string answer = answer_to("GET", spelled, true);
            if (status_of(answer) == 200 && spelled.substr(0, spelled.find('?')) != "/")
                ASSERT_EQ(body_of(answer), plain) << spelled;
            else
                ASSERT_TRUE(status_of(answer) == 400 || status_of(answer) == 404 || status_of(answer) == 200)
                    << spelled << ": " << answer;
        }
    }
}

// A file of the page may be called like a route: what the gate takes for a file is then answered with that
// file.
TEST_F(Spellings, AFileOfThePageThatIsCalledLikeARouteIsThatFile) {
    stop();
    folder_.write("web/api/gallery", "a file");
    start();
    EXPECT_EQ(body_of(answer_to("GET", "/api/gallery", false)), "\r\n\r\na file");
    EXPECT_EQ(status_of(answer_to("POST", "/api/gallery", false)), 401);
    EXPECT_EQ(status_of(answer_to("GET", "/api/jobs", false)), 401);
}

}  // namespace
}  // namespace limber::studio
