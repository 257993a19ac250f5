// SPDX-License-Identifier: Apache-2.0
// The stages of a build that cuts the body into domains.
#pragma once
#include "build/domains/decompose.h"
#include "build/recipe/body_mesh.h"
#include "build/recipe/recipe.h"

namespace limber::build {

// The tree of domains that --domains cuts the body into. Throws InputError.
Decomposition cut_into_domains(const BodyMesh& body, const DomainsChoice& choice);

// Sets built.model and adds notes. Throws InputError.
void build_tree(const BodyMesh& body, const BuildInput& input, const Recipe& recipe, const Progress& progress,
                Built& built);

// A built-in tree (input.tree): its parts, one after another, then their assembly.
Built build_assembled(const BuildInput& input, const Recipe& recipe, const Progress& progress);

}  // namespace limber::build
