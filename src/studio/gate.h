// SPDX-License-Identifier: Apache-2.0
// Who may ask: the rules that every request passes before anything of it is acted upon.
//   path    in normal form (request_head.h), so that there is one spelling to decide about.
//   Host    must be a name of this machine's loopback (any port: tunnels), or what --host says. A foreign
//           page whose own name was pointed at 127.0.0.1 (DNS rebinding) sends its own name here.
//   Origin  where the browser sends one, must be http:// and that Host: foreign pages cannot post.
//   token   for everything but reading the files of the page.
#pragma once
#include "studio/request_head.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace limber::studio {

struct GateRules {
    std::string token{};
    // Paths that need no token to be read: the files of the page. All else needs it, whether it exists or
    // not.
    std::set<std::string, std::less<>> open{};
    std::string host{};  // --host; empty or a loopback address: loopback names only
    std::uint64_t most_upload_bytes = 256u << 20;
    std::uint64_t most_request_bytes = 4u << 20;  // of other bodies
};

// "127.0.0.1:8420" -> allowed with these rules. Ports are free, since a tunnel changes them.
bool is_allowed_host(std::string_view host, const GateRules& rules);

bool needs_token(const RequestHead& head, const GateRules& rules);

bool is_upload(const RequestHead& head);

std::optional<Refusal> check(const RequestHead& head, const GateRules& rules);

}  // namespace limber::studio
