// SPDX-License-Identifier: Apache-2.0
// A domain of a tree comes off: its subtree becomes a body of its own.
#include "limber/domains/subtree.h"
#include "limber/world/world_impl.h"

#include <cassert>
#include <string>
#include <utility>

namespace limber {
namespace {

// Domains that are detached by these settings and were not before, without those that hang on one of them.
std::vector<int> newly_detached(const DomainsBody& body, const std::vector<DomainState>& to) {
    std::vector<int> out;
    const std::vector<DomainState>& from = body.settings().domains;
    if (to.size() != from.size()) return out;
    std::vector<bool> goes(to.size(), false);
    for (std::size_t i = 1; i < to.size(); ++i) {
        const bool with_parent = goes[std::size_t(body.tree().domains[i].parent)];
        goes[i] = with_parent || (to[i].detached && !from[i].detached);
        if (goes[i] && !with_parent) out.push_back(int(i));
    }
    return out;
}

// Vertices of the whole's surface -> of the subtree's, or -1.
std::vector<int> vertices_in(const DomainsModel& tree, int domain) {
    std::vector<int> first = {0};
    for (const Domain& d : tree.domains)
        first.push_back(first.back() + int(tree.parts[std::size_t(d.part)].model->surface.vertices.size()));
    std::vector<int> out(std::size_t(first.back()), -1);
    int next = 0;
    for (const int i : subtree_of(tree, domain))
        for (int v = first[std::size_t(i)]; v < first[std::size_t(i) + 1]; ++v)
            out[std::size_t(v)] = next++;
    return out;
}

}  // namespace

// What pulls at the domain goes with it.
void World::Impl::move_loads(WorldBody& from, WorldBody& to, int domain) {
    if (from.forces_.empty() && from.springs_.empty()) return;
    const std::vector<int> place = vertices_in(*from.model()->domains, domain);
    std::vector<VertexForce> forces;
    for (const VertexForce& force : from.forces_)
        if (const int v = place[std::size_t(force.vertex)]; v >= 0)
            to.forces_.push_back({v, force.force});
        else
            forces.push_back(force);
    std::vector<Spring> springs;
    for (const Spring& spring : from.springs_) {
        const int v = place[std::size_t(spring.vertex)];
        if (v < 0) {
            springs.push_back(spring);
            continue;
        }
        Spring moved = spring;
        moved.vertex = v;
        if (spring.space == Spring::Space::Frame) moved.target = from.pose() * spring.target;
        moved.space = Spring::Space::World;
        to.springs_.push_back(moved);
    }
    from.forces_ = std::move(forces);
    from.springs_ = std::move(springs);
    for (WorldBody* body : {&from, &to}) {
        const Status put = body->put_forces();
        assert(put.ok());
    }
}

Status World::Impl::set_tree(WorldBody& body, const DomainsSettings& settings) {
    auto& tree = std::get<DomainsBody>(body.body_);
    const std::vector<int> tops = newly_detached(tree, settings.domains);
    std::vector<WorldBody> pieces;
    for (const int domain : tops) {
        const std::string& name = tree.model().domains->domains[std::size_t(domain)].name;
        auto model = subtree_model(tree.model(), domain);
        if (!model.ok()) return model.error();
        auto made = make_detached(tree, domain, model.value(), body.pose(), body.frame_motion());
        if (!made.ok()) return made.error();
        WorldBody piece(AnyBody(std::move(made).value()));
        piece.name_ = body.name_ + "." + name;
        if (is_taken(piece.name_))
            return InputError{"domains",
                              "'" + name + "' cannot be detached: another body is called " + piece.name_,
                              "another name for that body"};
        if (auto problem = touch_problem(piece.body_, body.touch_)) return std::move(*problem);
        piece.method_ = Method::Domains;
        piece.mount_ = Mount::Free;
        piece.model_ = std::move(model).value();
        piece.whole_ = body.whole_ ? body.whole_ : body.model_;  // as built
        piece.subtree_ = name;
        piece.touch_ = body.touch_;
        pieces.push_back(std::move(piece));
    }
    if (Status set = tree.set(settings); !set.ok()) return set;
    if (tree.shared_model() != body.model_) {
        // Of other parts now: forces and contact look at its new surface.
        body.use_model(tree);
        const Status put = body.put_forces();
        assert(put.ok());
        make_touch_parts(body);
        drop_unused_parts();
    }
    for (std::size_t k = 0; k < tops.size(); ++k) {
        move_loads(body, pieces[k], tops[k]);
        pieces[k].id_ = {world_number, ++last_body};
    }
    for (WorldBody& piece : pieces) {
        bodies.push_back(std::move(piece));  // `body` is no longer valid
        make_touch_parts(bodies.back());
    }
    return {};
}

}  // namespace limber
