// SPDX-License-Identifier: Apache-2.0
// What a warped body is told, as JSON in the words of a scene file: settings, the motion of the support, and
// vertices that are dragged and turned.
//     { "warping": "warped" | "local" | "linear", "step": "semi-implicit" | "closed-form",
//       "damping": { "alpha", "beta" }, "gravity": [x, y, z], "coriolis": false, "young_scale": 1,
//       "density_scale": 1 }
//     { "orientation": [x, y, z, w], "acceleration", "angular_velocity", "angular_acceleration": [x, y, z] }
//     { "positions": [{ "vertex", "displacement" }], "orientations": [{ "vertex", "orientation" }],
//       "exercised": [ids], "priority": "position" | "orientation", "method": "predicted" | "newton" |
//       "previous" }
#pragma once
#include <limber/warp/warp_body.h>

#include <optional>
#include <string>
#include <string_view>

namespace limber {

// Changes what the text names, and nothing else. On an error nothing is changed.
std::optional<InputError> read_warp_settings(std::string_view text, WarpSettings& settings);
std::string write_warp_settings(const WarpSettings& settings);

// What the text does not name is at rest; no constraint.
std::optional<InputError> read_frame(std::string_view text, FrameMotion& out);
std::optional<InputError> read_constraints_json(std::string_view text, Constraints& out);

}  // namespace limber
