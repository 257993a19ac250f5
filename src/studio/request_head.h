// SPDX-License-Identifier: Apache-2.0
// The head of an HTTP request, read by rules much narrower than HTTP's: the HTTP library sees a request only
// after its head passed here, rewritten with the fields that the studio uses and no others.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace limber::studio {

constexpr std::size_t kLongestHead = 16384;   // bytes, browsers send some 1000
constexpr std::size_t kLongestTarget = 2048;  // bytes of the path and what follows '?'

// Why a request is refused; the status is HTTP's.
struct Refusal {
    int status = 400;
    std::string problem, try_this;
};

struct RequestHead {
    std::string method;  // as sent: "GET"
    std::string target;  // "/api/uploads?name=bunny.obj", its path in normal form
    std::string host;    // "127.0.0.1:8420"; empty: not given
    std::optional<std::string> origin;
    std::string token;  // X-Limber-Token
    std::string range;  // "bytes=0-99"; other forms are dropped, as HTTP allows
    std::string content_type;
    std::optional<std::uint64_t> content_length;
    bool transfer_encoding = false, content_encoding = false;  // named, with whatever value
    bool expects_continue = false;
    bool keep_alive = true;

    std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
};

// Whether a path has one spelling only, so that the gate, the routes and the HTTP library cannot read it in
// different ways: letters, digits, "-._~" and single slashes, no segment "." or "..", and nothing encoded.
// Every address of the studio has such a path; RFC 3986 (6.2.2) calls it normalized.
bool is_normal_path(std::string_view path);

// Names of fields and hosts count the same in capitals.
std::string lower(std::string_view text);

// `bytes` ends with the blank line. Refuses what is malformed: fields twice that count once, control
// characters, folded lines, lengths that are no numbers, paths that are not in normal form.
std::optional<Refusal> parse_head(std::string_view bytes, RequestHead& out);

// The value of a key in "?name=my%20bunny.obj&...", decoded; empty if it is not there.
std::string query_value(std::string_view target, std::string_view key);

// What the HTTP library is given instead of what was sent.
std::string rewritten(const RequestHead& head);

}  // namespace limber::studio
