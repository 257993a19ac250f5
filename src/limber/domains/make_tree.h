// SPDX-License-Identifier: Apache-2.0
// From a model to what the dynamics of a tree take.
#pragma once
#include <limber/domains/domain_tree.h>
#include <limber/model/domains_model.h>
#include <limber/result.h>

namespace limber {

// A model without a problem (domains_problem).
DomainTree make_tree(const DomainsModel& model);

}  // namespace limber
