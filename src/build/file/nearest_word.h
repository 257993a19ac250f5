// SPDX-License-Identifier: Apache-2.0
// What a mistyped word was meant to be: limber/settings/nearest_word.h.
#pragma once
#include <limber/settings/nearest_word.h>

namespace limber::build {

using limber::nearest_word;

}  // namespace limber::build
