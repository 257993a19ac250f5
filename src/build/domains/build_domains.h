// SPDX-License-Identifier: Apache-2.0
// From a mesh cut into domains to the model of a tree. docs/math/domains.md, sections 6 and 7.
#pragma once
#include "build/basis/basis.h"
#include "build/domains/decompose.h"
#include "build/fem/model.h"
#include "build/progress.h"

#include <limber/model/model.h>

#include <memory>
#include <string>
#include <vector>

namespace limber::build {

// Coordinates of each domain.
struct DomainRanks {
    enum class Kind { Each, Proportional, Logarithmic } kind = Kind::Each;
    int number = 12;  // of each domain, or in all
};
// "12", "proportional:400", "log:400".
DomainRanks parse_domain_ranks(const std::string& text);
// At least 3 for each, at most what `most` says.
std::vector<int> ranks_of(const DomainRanks& ranks, const std::vector<int>& elements);

enum class DomainBasis {
    Loaded,  // modes that feel the subtrees' inertia, on a mesh with a collar of the children's elements
    Fixed,   // the paper's: modes of only the domain, fixed at the interface to its parent
};

struct DomainsRecipe {
    DomainRanks ranks;
    DomainBasis basis = DomainBasis::Loaded;
    std::vector<std::string> rigid{};  // names of domains without coordinates
    int modes = 0;                     // of each domain; 0: by its rank (modes_among)
    MassKind mass = MassKind::Consistent;
    BrickQuadrature quadrature = BrickQuadrature::Standard;
    SurfaceBasis surface_basis = SurfaceBasis::Float;
    Progress progress = {};
};

// What is cut: a volume, what is fixed of it, and the surface that it carries.
struct DomainsInput {
    const VolumeMesh& mesh;
    const MaterialMap& materials;
    const std::vector<int>& fixed;
    const SurfaceMesh& surface;
    const std::vector<std::int32_t>& input_vertex;
    bool filled = false;  // the surface is embedded; false: it is the boundary of the volume
};

struct BuiltDomains {
    std::shared_ptr<Model> model;   // domains set, without name and command
    std::vector<double> deviation;  // from rigidity, of each domain's border to its parent
};

// Throws InputError.
BuiltDomains build_domains(const DomainsInput& input, const Decomposition& cut, const DomainsRecipe& recipe);

}  // namespace limber::build
