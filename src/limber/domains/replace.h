// SPDX-License-Identifier: Apache-2.0
// A tree in which some domains are of other parts than it was built with.
#pragma once
#include <limber/domains/domain_tree.h>
#include <limber/model/model.h>
#include <limber/result.h>

#include <memory>
#include <vector>

namespace limber {

// `base` where no state names a part, or only those that its domains are of. Parts are shared with it, and
// all sizes are the same: coordinates, vertices, triangles. Refused: the root, a name that no part has, a
// part of another size, one without the interface that a child hangs on.
Result<std::shared_ptr<const Model>> replaced_model(const std::shared_ptr<const Model>& base,
                                                    const std::vector<DomainState>& domains);

}  // namespace limber
