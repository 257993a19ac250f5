// SPDX-License-Identifier: Apache-2.0
// A domain of a tree with all that hangs on it, as a tree of its own.
#pragma once
#include <limber/domains/domains_body.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace limber {

std::optional<int> find_domain(const DomainsModel& tree, std::string_view name);

// The domain and those below it, ascending; the first is the domain itself.
std::vector<int> subtree_of(const DomainsModel& tree, int domain);

// The model of that subtree: its domains in their order under their names, with the scale that they have in
// the whole; nothing of it is fixed. All parts are shared with the whole. Refused: the model is no tree, or
// has no such domain.
Result<std::shared_ptr<const Model>> subtree_model(const Model& whole, int domain);

// A body of such a model, free, that moves on as the domain does in `from`: shape, velocities, settings and
// time are the same, so its momenta are those that the domains had. `pose` and `motion` are those of a
// carried root's frame; a free one has its own.
Result<DomainsBody> make_detached(const DomainsBody& from, int domain, std::shared_ptr<const Model> model,
                                  const Pose& pose, const FrameMotion& motion);

}  // namespace limber
