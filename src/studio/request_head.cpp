// SPDX-License-Identifier: Apache-2.0
#include "studio/request_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace limber::studio {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool is_normal_path(std::string_view path) {
    if (!path.starts_with('/')) return false;
    for (std::size_t slash = 0; slash != std::string_view::npos;) {
        const std::size_t next = path.find('/', slash + 1);
        const std::string_view segment = path.substr(slash + 1, next - slash - 1);
        const bool last = next == std::string_view::npos;
        if ((segment.empty() && !last) || segment == "." || segment == "..") return false;
        if (!std::all_of(segment.begin(), segment.end(), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
            }))
            return false;
        slash = next;
    }
    return true;
}

namespace {

constexpr std::size_t kMostFields = 64;

bool is_token_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_printable(char c) {
    return c >= 0x20 && c < 0x7f;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

// "%20" and "+" are blanks; a percent sign without two digits stands for itself.
std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
            out += static_cast<char>(byte);
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

Refusal malformed(std::string problem) {
    return {400, std::move(problem), "a request as HTTP/1.1 describes it"};
}

// "bytes=0-99", "bytes=100-", "bytes=-100": one range of ordinary numbers that does not end before it begins.
bool is_single_range(std::string_view text) {
    if (!text.starts_with("bytes=") || text.size() > 40) return false;
    text.remove_prefix(6);
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos || text.size() == 1) return false;
    const auto digits = [](std::string_view part) {
        return part.size() <= 15 &&
               std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const std::string_view first = text.substr(0, dash), last = text.substr(dash + 1);
    if (!digits(first) || !digits(last)) return false;
    if (first.empty() || last.empty()) return true;
    const auto number = [](std::string_view part) { return std::stoull(std::string(part)); };  // 15 digits
    return number(first) <= number(last);
}

std::optional<Refusal> parse_request_line(std::string_view line, RequestHead& out) {
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last)
        return malformed("the request line has not three parts");
    const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1),
                           version = line.substr(last + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return Refusal{505, "this speaks HTTP/1.1 only", "an ordinary browser"};
    if (method != "GET" && method != "HEAD" && method != "POST" && method != "DELETE")
        return Refusal{405, "methods are GET, HEAD, POST and DELETE", ""};
    if (target.size() > kLongestTarget)
        return Refusal{
            414, fmt::format("the address has {} bytes; the limit is {}", target.size(), kLongestTarget),
            "a shorter file name"};
    if (!target.starts_with('/') || !std::all_of(target.begin(), target.end(), is_printable) ||
        target.find(' ') != std::string_view::npos)
        return malformed("the address is not a path");
    // A fragment is never sent; libraries differ in where they cut it off.
    if (!is_normal_path(target.substr(0, target.find('?'))) || target.find('#') != std::string_view::npos)
        return Refusal{400, "the path of the address is not in normal form",
                       "letters, digits, \"-._~\" and single slashes, with nothing encoded"};
    // The HTTP library takes one query.
    if (std::count(target.begin(), target.end(), '?') > 1)
        return malformed("the address has more than one question mark");
    out.method = method;
    out.target = target;
    out.keep_alive = version == "HTTP/1.1";
    return std::nullopt;
}

std::optional<Refusal> take_once(std::string& into, std::string_view name, std::string_view value) {
    if (!into.empty()) return malformed(fmt::format("{} is given twice", name));
    into = value;
    return std::nullopt;
}

std::optional<Refusal> take_field(const std::string& name, std::string_view value, RequestHead& out) {
    if (name == "host") return take_once(out.host, "Host", value);
    if (name == "x-limber-token") return take_once(out.token, "X-Limber-Token", value);
    if (name == "origin") {
        if (out.origin) return malformed("Origin is given twice");
        out.origin = value;
    } else if (name == "content-length") {
        std::uint64_t length = 0;
        const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), length);
        if (out.content_length || error != std::errc{} || stop != value.data() + value.size())
            return malformed("Content-Length is not one number");
        out.content_length = length;
    } else if (name == "content-type") {
        out.content_type = value;
    } else if (name == "range") {
        if (is_single_range(value)) out.range = value;
    } else if (name == "transfer-encoding") {
        out.transfer_encoding = true;
    } else if (name == "content-encoding") {
        out.content_encoding = true;
    } else if (name == "expect") {
        out.expects_continue = lower(value) == "100-continue";
    } else if (name == "connection") {
        if (lower(value).find("close") != std::string::npos) out.keep_alive = false;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Refusal> parse_head(std::string_view bytes, RequestHead& out) {
    out = {};
    if (bytes.size() > kLongestHead)
        return Refusal{431, fmt::format("the head of the request is longer than {} bytes", kLongestHead), ""};
    std::size_t lines = 0;
    while (true) {
        const std::size_t end = bytes.find("\r\n");
        if (end == std::string_view::npos) return malformed("the head of the request does not end");
        const std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(end + 2);
        if (lines++ == 0) {
            if (auto refused = parse_request_line(line, out)) return refused;
            continue;
        }
        if (line.empty()) return std::nullopt;
        if (lines > kMostFields)
            return Refusal{431, fmt::format("more than {} header fields", kMostFields), ""};
        const std::size_t colon = line.find(':');
        const std::string_view name = line.substr(0, colon);
        if (colon == std::string_view::npos || name.empty() ||
            !std::all_of(name.begin(), name.end(), is_token_character))
            return malformed("a header field has no proper name");
        const std::string_view value = trimmed(line.substr(colon + 1));
        // Bytes above ASCII are legal in values that are not read here.
        if (std::any_of(value.begin(), value.end(), [](char c) {
                return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
            }))
            return malformed("a header field holds a control character");
        if (auto refused = take_field(lower(name), value, out)) return refused;
    }
}

std::string query_value(std::string_view target, std::string_view key) {
    const std::size_t question = target.find('?');
    std::string_view rest = question == std::string_view::npos ? "" : target.substr(question + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        const std::size_t equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == key)
            return decoded(pair.substr(equals + 1));
    }
    return "";
}

std::string rewritten(const RequestHead& head) {
    std::string out = fmt::format("{} {} HTTP/1.1\r\n", head.method, head.target);
    if (!head.range.empty()) out += fmt::format("Range: {}\r\n", head.range);
    if (head.content_length) out += fmt::format("Content-Length: {}\r\n", *head.content_length);
    return out + "\r\n";
}

}  // namespace limber::studio
