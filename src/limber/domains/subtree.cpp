// SPDX-License-Identifier: Apache-2.0
#include "limber/domains/subtree.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace limber {

using Eigen::Vector3d;

std::optional<int> find_domain(const DomainsModel& tree, std::string_view name) {
    for (std::size_t i = 0; i < tree.domains.size(); ++i)
        if (tree.domains[i].name == name) return int(i);
    return std::nullopt;
}

std::vector<int> subtree_of(const DomainsModel& tree, int domain) {
    std::vector<int> out = {domain};
    std::vector<bool> is_in(tree.domains.size(), false);
    is_in[std::size_t(domain)] = true;
    for (std::size_t i = std::size_t(domain) + 1; i < tree.domains.size(); ++i)
        if (is_in[std::size_t(tree.domains[i].parent)]) {
            is_in[i] = true;
            out.push_back(int(i));
        }
    return out;
}

Result<std::shared_ptr<const Model>> subtree_model(const Model& whole, int domain) {
    if (!whole.domains) return InputError{"subtree", "the model is no tree of domains", ""};
    if (domain < 0 || std::size_t(domain) >= whole.domains->domains.size())
        return InputError{"subtree", "the tree has no domain " + std::to_string(domain), ""};
    const DomainsModel& from = *whole.domains;
    auto tree = std::make_shared<DomainsModel>();
    tree->parts = from.parts;  // all of them: a domain may be replaced by any
    std::map<int, int> place_of;
    for (const int i : subtree_of(from, domain)) {
        Domain d = from.domains[std::size_t(i)];
        place_of[i] = int(tree->domains.size());
        if (i == domain) {
            d.parent = d.interface = -1;
            d.position.setZero();
            d.rotation.setIdentity();
            d.scale = domain_scales(from)[std::size_t(domain)];
        } else {
            d.parent = place_of[d.parent];
        }
        tree->domains.push_back(std::move(d));
    }
    auto made = tree_model(std::move(tree), whole.name);
    if (!made.ok()) return made.error();
    Model& out = made.value();
    out.name = whole.name + "." + from.domains[std::size_t(domain)].name;
    out.up = whole.up;
    out.free_body = true;
    out.lumped_mass = whole.lumped_mass;
    out.quadrature = whole.quadrature;
    return std::make_shared<const Model>(std::move(made).value());
}

Result<DomainsBody> make_detached(const DomainsBody& from, int domain, std::shared_ptr<const Model> model,
                                  const Pose& pose, const FrameMotion& motion) {
    const std::vector<int> places = subtree_of(*from.model().domains, domain);
    DomainsSettings settings = from.settings();
    settings.mount = RootMount::Free;
    settings.domains.clear();
    for (const int i : places)
        settings.domains.push_back(from.settings().domains[std::size_t(i)]);
    auto made = make_domains_body(std::move(model), std::move(settings));
    if (!made.ok()) return made;
    TreeState state = made.value().state();
    const TreeState& all = from.state();
    state.time = all.time;
    Eigen::Index at = 0;
    for (const int i : places) {
        const TreeDomain& d = from.tree().domains[std::size_t(i)];
        state.q.segment(at, d.rank) = all.q.segment(d.first, d.rank);
        state.v.segment(at, d.rank) = all.v.segment(d.first, d.rank);
        at += d.rank;
    }
    const Pose frame = from.flies() ? from.pose() : pose, own = from.domain_pose(std::size_t(domain));
    const Vector6d twist = from.domain_twist(std::size_t(domain));
    state.root = frame * own;
    state.root.orientation.normalize();
    state.velocity = state.root.orientation * Vector3d(twist.head<3>());
    state.angular_velocity = twist.tail<3>();
    if (!from.flies()) {
        state.velocity += motion.velocity + motion.angular_velocity.cross(frame.orientation * own.position);
        state.angular_velocity += state.root.orientation.conjugate() * motion.angular_velocity;
    }
    if (Status set = made.value().set_state(state); !set.ok()) return set.error();
    return made;
}

}  // namespace limber
