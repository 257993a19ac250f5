// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/recorded_up.h"

namespace limber::build {
namespace {

constexpr std::string_view kComment = "written by limber, up ";
constexpr std::size_t kHead = 512;  // bytes; every writer puts it into the first lines

}  // namespace

std::string up_comment(UpAxis up) {
    return std::string(kComment) + up_text(up);
}

std::optional<UpAxis> recorded_up(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, kHead);
    const auto at = head.find(kComment);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view word = head.substr(at + kComment.size());
    return parse_up(word.substr(0, word.find_first_not_of("-xyz")));
}

}  // namespace limber::build
