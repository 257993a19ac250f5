// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace limber {

// Whether bodies touch themselves.
enum class SelfContact { Off, On };

}  // namespace limber
