// SPDX-License-Identifier: Apache-2.0
// A tree of domains: instances of parts, each with its own small model, on the interfaces of their parents.
// docs/math/domains.md.
#pragma once
#include <limber/model/domain_interface.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

struct Model;

// One precomputation for all its instances.
struct DomainPart {
    std::shared_ptr<const Model> model;  // rank 0: the part is rigid
    std::vector<DomainInterface> interfaces;
};

// The pose and scale are those of a glTF node: relative to the parent, in the parent's own units. The root
// stands at the origin (the body's pose places it) and may be scaled.
struct Domain {
    std::string name;
    int part = 0;
    int parent = -1;     // -1: the root, the first domain; else smaller than the domain's own place
    int interface = -1;  // of the parent's part
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // of its origin at rest
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    double scale = 1;
};

struct DomainsModel {
    std::vector<DomainPart> parts;  // some may have no domain: they can replace others
    std::vector<Domain> domains;
    Eigen::VectorXd frequencies_hz;  // the lowest of the whole tree, linearised at rest
};

// More domains than this are refused; 20,000 run.
inline constexpr std::size_t kMostDomains = 100000;

Eigen::Index coordinates_of(const DomainsModel& model);  // the sum of the domains' ranks
int depth_of(const DomainsModel& model);                 // links from the root to the farthest leaf
// Lengths of a domain over those of its part as built: the product of the scales up to the root.
std::vector<double> domain_scales(const DomainsModel& model);
// Domain to root at rest: x_root = position + scale · rotation · x.
struct RestPlacement {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    double scale = 1;
    Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return position + rotation * (scale * x); }
};
std::vector<RestPlacement> rest_placements(const DomainsModel& model);

// Parts without models or with domains of their own, indices out of range, a second root, parents after
// their children, names that are empty or used twice, poses that are not finite, a root that is not at the
// origin, scales that are not positive, interfaces that do not fit their part.
std::optional<InputError> domains_problem(const DomainsModel& model, const std::string& where);

// The model of a tree without a problem: the surfaces of all domains at rest, one after another, and their
// inertia. Its input_vertex has the ids of the mesh that the domains were cut from; where parts have
// instances or are of several meshes, ids that no two domains share. Refused where they have more than
// kMostTreeVertices. `where` is for messages.
inline constexpr std::int64_t kMostTreeVertices = 20'000'000;
Result<Model> tree_model(std::shared_ptr<const DomainsModel> tree, const std::string& where = "the tree");

}  // namespace limber
