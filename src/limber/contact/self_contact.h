// SPDX-License-Identifier: Apache-2.0
// Whether bodies touch themselves.
#pragma once

namespace limber {

enum class SelfContact { Off, On };

}  // namespace limber
