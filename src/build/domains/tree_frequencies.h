// SPDX-License-Identifier: Apache-2.0
// Vibrations of a whole tree of domains. docs/math/domains.md, section 11.
#pragma once
#include "build/progress.h"

#include <limber/domains/domain_tree.h>

#include <Eigen/Core>

namespace limber::build {

// The lowest frequencies of the whole tree, linearised at rest, Hz. A free tree leaves out its six rigid
// motions. Dense for small trees; else block Lanczos, each product and solve in time linear in the domains.
// Empty where the search does not converge.
Eigen::VectorXd tree_frequencies_hz(const DomainTree& tree, bool free_root, Eigen::Index count,
                                    const Progress& progress = {});

}  // namespace limber::build
