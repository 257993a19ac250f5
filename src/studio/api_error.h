// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limber/input_error.h>

namespace limber::studio {

// Thrown while a request is answered; becomes {"error": {"where", "problem", "try_this"}} with this HTTP
// status.
struct ApiError {
    int status = 400;
    InputError error;
};

}  // namespace limber::studio
