// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/obj_text.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace limber::build {

std::string_view next_obj_word(TextScanner& scan) {
    while (true) {
        std::string_view word = scan.token_on_line();
        if (!word.ends_with('\\') || !scan.at_end_of_line()) return word;
        word.remove_suffix(1);
        scan.skip_line();
        if (!word.empty()) return word;
    }
}

void skip_obj_statement(TextScanner& scan, std::string_view statement) {
    const bool one_line =
        statement == "o" || statement == "usemtl" || statement == "mtllib" || statement.starts_with('#');
    if (!one_line) {
        const bool comments = statement != "g";  // its names may begin with anything
        for (auto word = next_obj_word(scan); !word.empty() && !(comments && word[0] == '#');)
            word = next_obj_word(scan);
    }
    scan.skip_line();
}

int obj_vertex(const TextScanner& scan, std::string_view corner, std::size_t vertices_so_far,
               std::size_t vertices) {
    const std::int64_t index = scan.to_integer(corner.substr(0, corner.find('/')), "a vertex of a face");
    const auto so_far = static_cast<std::int64_t>(vertices_so_far);
    if (index > 0 && index <= static_cast<std::int64_t>(vertices)) return static_cast<int>(index - 1);
    if (index < 0 && index >= -so_far) return static_cast<int>(so_far + index);
    if (index == 0) scan.fail("a face names vertex 0; OBJ counts from 1");
    scan.fail(index > 0 ? fmt::format("a face names vertex {}, but the file has {}", index, vertices)
                        : fmt::format("a face names vertex {}, but only {} stand above it", index, so_far));
}

int obj_texture_coordinate(std::string_view corner, std::size_t so_far, std::size_t count) {
    const std::size_t slash = corner.find('/');
    if (slash == std::string_view::npos) return -1;
    const std::string_view rest = corner.substr(slash + 1);
    const std::string_view text = rest.substr(0, rest.find('/'));
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc() || end != text.data() + text.size()) return -1;
    if (index > 0 && index <= static_cast<std::int64_t>(count)) return static_cast<int>(index - 1);
    const auto back = static_cast<std::int64_t>(so_far);
    const bool there = index < 0 && index >= -back && back + index < static_cast<std::int64_t>(count);
    return there ? static_cast<int>(back + index) : -1;
}

}  // namespace limber::build
