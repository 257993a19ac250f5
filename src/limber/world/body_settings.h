// SPDX-License-Identifier: Apache-2.0
// Which kinds of body there are, and the settings of each.
#pragma once
#include <limber/domains/domains_body.h>
#include <limber/reduced/free_stvk_body.h>
#include <limber/reduced/stvk_body.h>
#include <limber/rigid/rigid_body.h>
#include <limber/settings/method.h>
#include <limber/warp/warp_body.h>

#include <variant>

namespace limber {

// The settings of a method, of free bodies too; Warp and Linear share theirs. monostate: the defaults.
using BodySettings = std::variant<std::monostate, StvkSettings, WarpSettings, RigidSettings, DomainsSettings>;

}  // namespace limber
