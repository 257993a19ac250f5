// SPDX-License-Identifier: Apache-2.0
// How a body is mounted: what holds it, or that nothing does.
#pragma once
#include <limber/model/model.h>
#include <limber/result.h>
#include <limber/settings/method.h>
#include <limber/words.h>

#include <optional>

namespace limber {

enum class Mount {
    Fixed,  // on a support, which stands still
    Moved,  // on a support that follows a path, a node or the user; a body that is fixed can be carried, too
    Free,   // it has a rigid motion of its own, which acts on its shape and the other way round
};
template <>
struct EnumWords<Mount> {
    static constexpr WordValue<Mount> kAll[] = {
        {"fixed", Mount::Fixed}, {"moved", Mount::Moved}, {"free", Mount::Free}};
};

// As wanted, or else Free for rigid bodies, and for StVK bodies and trees of domains of which nothing is
// fixed; Fixed for others.
// Refused: a warped body that is free, a rigid one that is not, a support for a body of which nothing is
// fixed.
Result<Mount> mount_of(Method method, const Model& model, std::optional<Mount> wanted);

}  // namespace limber
