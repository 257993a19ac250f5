// SPDX-License-Identifier: Apache-2.0
// Words and indices of Wavefront's text formats.
#pragma once
#include "build/file/text_scanner.h"

#include <cstddef>
#include <string_view>

namespace limber::build {

// The next word of a statement, empty at its end. A backslash at the end of a line continues it on the next.
std::string_view next_obj_word(TextScanner& scan);

// Goes past what is left of a statement that begins with this word, and past the lines that continue it.
// Names of o, usemtl and mtllib, and comments, end with their line.
void skip_obj_statement(TextScanner& scan, std::string_view statement);

// A corner of a face, "7", "7/2", "7//3" or "7/2/3": its vertex counts from 1, or backwards from the latest
// one as -1, -2, ...; here from 0.
int obj_vertex(const TextScanner& scan, std::string_view corner, std::size_t vertices_so_far,
               std::size_t vertices);
// Its texture coordinate, likewise; -1 if it has none or names one that is not there.
int obj_texture_coordinate(std::string_view corner, std::size_t so_far, std::size_t count);

}  // namespace limber::build
