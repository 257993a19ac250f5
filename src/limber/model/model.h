// SPDX-License-Identifier: Apache-2.0
// A model: what a reduced soft body needs at run time, frozen and shareable between bodies and threads.
// Symbols: docs/math/reduced_stvk.md.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace limber {

// SI units. E and nu may be edited while a body runs.
struct ElasticConstants {
    double young = 1e6;     // E, Pa
    double poisson = 0.45;  // nu

    double bulk() const { return young / (3 * (1 - 2 * poisson)); }  // kappa, Pa
    double shear() const { return young / (2 * (1 + poisson)); }     // mu, Pa
};

// What one material group adds to the reduced body, per unit of its constants: everything is linear in them.
struct ModelGroup {
    std::string name;
    ElasticConstants material;  // as built
    Eigen::VectorXd
        bulk;  // W of kappa = 1 Pa, packed upper triangle by columns (strain_form.h), m(m+1)/2 entries
    Eigen::VectorXd shear;  // W of mu = 1 Pa, likewise
};

struct Model {
    int rank = 0;                    // r
    std::vector<ModelGroup> groups;  // at least one
};

}  // namespace limber
