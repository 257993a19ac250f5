// SPDX-License-Identifier: Apache-2.0
// A libFuzzer target: the head and the body of a request to the studio.
#include "studio/gate.h"
#include "studio/job_request.h"
#include "studio/json_request.h"

#include <limber/input_error.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace limber;
using namespace limber::studio;

void require(bool holds) {
    if (!holds) std::abort();
}

// What passes is read again as the same by the HTTP library's rules: it holds no second request.
void try_head(std::string_view bytes) {
    RequestHead head;
    if (parse_head(bytes, head)) return;
    const auto refused = check(head, {.token = "secret"});
    if (!refused && head.path().starts_with("/api/")) require(head.token == "secret");
    const std::string again = rewritten(head);
    require(again.find("\r\n\r\n") == again.size() - 4);
    RequestHead same;
    require(!parse_head(again, same) && same.target == head.target && same.method == head.method);
    query_value(head.target, "name");
}

// What passes names no file.
void try_body(std::string_view bytes) {
    try {
        const JobRequest request = parse_job_request(parse_object(bytes));
        if (const auto* build = std::get_if<BuildRequest>(&request)) {
            require(build->upload.empty() || is_id(build->upload));
            for (const std::string& select : build->fix)
                require(select.find("file:") == std::string::npos);
        }
    } catch (const InputError& error) {
        require(!error.where.empty() && !error.problem.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.starts_with('{'))
        try_body(bytes);
    else
        try_head(bytes);
    return 0;
}
