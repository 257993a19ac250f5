// SPDX-License-Identifier: Apache-2.0
// Arguments of commands that are too long for a command line go through files beside the mesh.
#include "build/file/npy.h"
#include "studio/plans.h"

#include <fmt/format.h>
#include <limber/input_error.h>

namespace limber::studio {
namespace {

constexpr std::size_t kLongestArgument = 8192;  // bytes; longer selections go through a file

}  // namespace

std::string select_argument(const std::string& select, std::vector<SideFile>& files) {
    if (select.size() <= kLongestArgument) return select;
    if (!select.starts_with('#'))
        throw InputError{"fix",
                         fmt::format("{} bytes; a condition has at most {}", select.size(), kLongestArgument),
                         "vertex ids: \"#12,15\""};
    if (select.find_first_not_of("0123456789,- ", 1) != std::string::npos)
        throw InputError{"fix", "ids are whole numbers with commas between", "\"#12,15,20-30\""};
    // Ranges stay ranges: a file is no longer than the request that it came with.
    files.push_back({fmt::format("ids-{}.txt", files.size() + 1), select.substr(1)});
    return "file:" + files.back().name;
}

std::string domains_argument(const DomainsRequest& domains, std::vector<SideFile>& files) {
    if (domains.count) return fmt::format("--domains=auto:{}", *domains.count);
    std::string bytes = build::npy_header({domains.labels.size()});
    for (const int label : domains.labels) {
        const auto number = static_cast<double>(label);
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    files.push_back({"labels.npy", std::move(bytes)});
    return "--domains=file:labels.npy";
}

}  // namespace limber::studio
