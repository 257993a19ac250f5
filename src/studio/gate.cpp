// SPDX-License-Identifier: Apache-2.0
#include "studio/gate.h"

#include "studio/secret.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace limber::studio {
namespace {

// "[::1]:80" -> "[::1]", "localhost:80" -> "localhost"; empty if what follows the name is no port.
std::string without_port(std::string_view host) {
    std::size_t end = host.size();
    if (host.starts_with('[')) {
        const std::size_t bracket = host.find(']');
        if (bracket == std::string_view::npos) return "";
        end = bracket + 1;
    } else if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
        end = colon;
    }
    const std::string_view rest = host.substr(end);
    const bool port = rest.empty() || (rest.size() >= 2 && rest.size() <= 6 && rest[0] == ':' &&
                                       std::all_of(rest.begin() + 1, rest.end(),
                                                   [](char c) { return c >= '0' && c <= '9'; }));
    return port ? lower(host.substr(0, end)) : "";
}

bool is_loopback(const std::string& name) {
    return name.empty() || name == "localhost" || name == "127.0.0.1" || name == "::1" || name == "[::1]";
}

// A browser sends an address here only if it was typed: no foreign page can have it as its name.
bool is_address(const std::string& name) {
    std::array<unsigned char, 16> binary{};
    if (name.starts_with('[') && name.ends_with(']'))
        return inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), binary.data()) == 1;
    return inet_pton(AF_INET, name.c_str(), binary.data()) == 1;
}

std::string own_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "";
    return lower(name.data());
}

}  // namespace

bool is_allowed_host(std::string_view host, const GateRules& rules) {
    const std::string name = without_port(host);
    if (name.empty()) return false;
    if (is_loopback(name)) return true;
    if (is_loopback(rules.host)) return false;
    return name == lower(rules.host) || is_address(name) || name == own_name();
}

bool needs_token(const RequestHead& head, const GateRules& rules) {
    const bool reads = head.method == "GET" || head.method == "HEAD";
    return !reads || !rules.open.contains(head.path());
}

bool is_upload(const RequestHead& head) {
    return head.method == "POST" && head.path() == "/api/uploads";
}

std::optional<Refusal> check(const RequestHead& head, const GateRules& rules) {
    if (!is_normal_path(head.path()))
        return Refusal{400, "the path of the address is not in normal form", ""};
    if (!is_allowed_host(head.host, rules))
        return Refusal{403, fmt::format("the Host '{}' is not this studio", head.host.substr(0, 60)),
                       "the address that limber studio printed"};
    if (head.origin && *head.origin != "http://" + head.host)
        return Refusal{403, fmt::format("the Origin '{}' is another page", head.origin->substr(0, 60)),
                       "the address that limber studio printed"};
    if (needs_token(head, rules) && !same_secret(head.token, rules.token))
        return Refusal{401, "the token is missing or wrong",
                       "the whole address that limber studio printed, with its #token="};
    const bool has_body = head.method == "POST";
    if (head.transfer_encoding) return Refusal{411, "a body must come with its Content-Length", ""};
    if (head.content_encoding) return Refusal{415, "compressed bodies are not taken", "the file as it is"};
    if (has_body && !head.content_length) return Refusal{411, "Content-Length is missing", ""};
    if (!has_body && head.content_length.value_or(0) > 0)
        return Refusal{400, fmt::format("{} has no body", head.method), ""};
    const std::uint64_t most = is_upload(head) ? rules.most_upload_bytes : rules.most_request_bytes;
    if (head.content_length.value_or(0) > most)
        return Refusal{
            413,
            fmt::format("{:.1f} MB; the limit is {:.1f} MB", *head.content_length / 1048576.0,
                        most / 1048576.0),
            is_upload(head) ? "a coarser mesh, or limber studio --upload-limit" : "a smaller request"};
    return std::nullopt;
}

}  // namespace limber::studio
