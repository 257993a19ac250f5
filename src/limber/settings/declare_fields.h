// SPDX-License-Identifier: Apache-2.0
// The field lists as text for people and compilers: tables of the docs, TypeScript interfaces, Python stubs.
#pragma once
#include <limber/result.h>

#include <string>

namespace limber {

// The lines between two markers are made from a list; the markers stay:
//     <!-- fields: StvkSettings body -->      Markdown: a table; "body": without what a world sets for all
//     <!-- end -->
//     // fields: StvkSettings                 TypeScript: optional members; "required": not optional
//     // end
//     # fields: StvkSettings                  Python: keywords with their defaults; "change": all default to
//     # end                                   None; "dict": members of a TypedDict
// "StvkSettings.damping" is the object damping of the struct. The ending of the file says which it is: .md,
// .ts, .pyi. Lines are indented as the first marker is.
Result<std::string> with_declared_fields(const std::string& text, const std::string& file);

}  // namespace limber
