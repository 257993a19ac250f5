// SPDX-License-Identifier: Apache-2.0
// Up in the comments and titles of mesh files that limber writes: "written by limber, up z".
#pragma once
#include <limber/model/up_axis.h>

#include <optional>
#include <string>
#include <string_view>

namespace limber::build {

std::string up_comment(UpAxis up);
// From the first bytes of a file; nothing if limber did not write it.
std::optional<UpAxis> recorded_up(std::string_view bytes);

}  // namespace limber::build
