// SPDX-License-Identifier: Apache-2.0
// A tree of domains as the dynamics see it: frozen coefficients, one set for each distinct part, and how the
// domains hang on one another. docs/math/domains.md.
#pragma once
#include <limber/domains/domain_inertia.h>
#include <limber/domains/interface_motion.h>
#include <limber/domains/surface_drag.h>
#include <limber/reduced/quartic_form.h>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace limber {

// Of a part as it was built: shared by all its instances.
struct PartCoefficients {
    QuarticForm<double> energy;  // V(q), J
    Eigen::MatrixXd mass;        // UᵀMU, r x r
    InertiaTensors inertia;
    std::vector<LinkInterface> interfaces;
    SurfaceDrag drag;
    int rank() const { return inertia.rank; }
};

// What cannot change while a tree runs.
struct TreeDomain {
    int part = 0;
    int parent = -1;     // -1: the root; else smaller than the domain's own place
    int interface = -1;  // of the parent's part; -1: the root
    Attachment attachment;
    double scale = 1;  // s: lengths over those built
    int rank = 0;
    Eigen::Index first = 0;      // its coordinates in q
    Eigen::Index first_phi = 0;  // its rows in TreeWork::phi: as many as the parent has coordinates
    Eigen::Index first_square = 0;
    bool leaf = true;
    // No later domain has the same parent: going up, it is the first of them that is met.
    bool last_child = false;
    double mass_scale = 1, energy_scale = 1;  // s⁵ of UᵀMU, s³ of V
};

struct DomainTree {
    std::vector<PartCoefficients> parts;
    std::vector<TreeDomain> domains;  // parents before children
    Eigen::Index coordinates = 0, phi_rows = 0, squares = 0;

    std::size_t size() const { return domains.size(); }
};

// Ranks and places of the domains whose part, parent, interface, attachment and scale are set.
void index_domains(DomainTree& tree);

// Factors on the material constants of a domain: beyond, the matrices of a tree lose all their digits.
inline constexpr double kLeastDomainFactor = 1e-6, kMostDomainFactor = 1e6;

// What a domain has of its own at run time.
struct DomainState {
    double young = 1, density = 1;  // over those built
    bool frozen = false;            // q stays, q̇ = 0: the domain moves like a rigid one
    // It and all that hangs on it is gone: no mass, no forces, nothing to see. For ever.
    bool detached = false;
    std::string part{};  // name of the part that is there in place of the one as built; empty: that
    bool moves() const { return !frozen && !detached; }
};

}  // namespace limber
