// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "build/domains/build_domains.h"

#include "build/domains/borders.h"
#include "build/domains/domain_basis.h"
#include "build/domains/tree_frequencies.h"
#include "build/file/text_scanner.h"
#include "build/mesh/boundary.h"
#include "build/mesh/embed.h"
#include "build/or_throw.h"
#include "build/reduce/reduce.h"

#include <fmt/format.h>
#include <limber/domains/make_tree.h>
#include <limber/input_error.h>
#include <limber/rigid/cross_matrix.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace limber::build {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

// Elements of a collar weigh this part of what they would: their mass is the child's, and K needs a mass
// matrix that is not singular. Their stiffness is all there.
constexpr double kCollarDensity = 1e-9;
constexpr int kLeastRank = 3;

// Mass and moments of a rigid subtree at rest, about the origin of its frame.
struct RigidMoments {
    double mass = 0;
    Vector3d first = Vector3d::Zero();
    Matrix3d second = Matrix3d::Zero();
    void add(const RigidMoments& of, const Vector3d& at) {
        mass += of.mass;
        first += of.first + of.mass * at;
        second +=
            of.second + of.first * at.transpose() + at * of.first.transpose() + of.mass * at * at.transpose();
    }
    Eigen::Matrix<double, 6, 6> inertia() const {
        Eigen::Matrix<double, 6, 6> out;
        out << mass * Matrix3d::Identity(), -cross_matrix(first), cross_matrix(first),
            second.trace() * Matrix3d::Identity() - second;
        return out;
    }
};

// Where children hang: the vertices of a border that have an area, unless those carry no frame.
struct Hinge {
    std::vector<int> vertices;  // of the whole mesh
    std::vector<double> weights;
    Vector3d centre = Vector3d::Zero();
};

Hinge hinge_of(const VolumeMesh& mesh, const DomainBorder& border) {
    Hinge out;
    for (std::size_t k = 0; k < border.vertices.size(); ++k)
        if (border.area[k] > 0) {
            out.vertices.push_back(border.vertices[k]);
            out.weights.push_back(border.area[k]);
        }
    if (out.vertices.size() < 3) {
        out.vertices = border.vertices;
        out.weights.assign(border.vertices.size(), 1);
    }
    double total = 0;
    for (std::size_t k = 0; k < out.vertices.size(); ++k) {
        out.centre += out.weights[k] * mesh.vertices[std::size_t(out.vertices[k])];
        total += out.weights[k];
    }
    out.centre /= total;
    return out;
}

// A piece of the whole mesh about an origin.
struct Piece {
    VolumeMesh mesh;
    MaterialMap materials;      // groups of the whole, then the same ones of the collar
    std::vector<int> local_of;  // vertex of the whole -> of the piece, or -1
    // Without those of the collar, which stand behind them.
    std::size_t own_vertices = 0, own_tets = 0, own_bricks = 0;
    VolumeMesh own_mesh() const {
        VolumeMesh out;
        out.vertices.assign(mesh.vertices.begin(), mesh.vertices.begin() + std::ptrdiff_t(own_vertices));
        out.tets.assign(mesh.tets.begin(), mesh.tets.begin() + std::ptrdiff_t(own_tets));
        out.bricks.assign(mesh.bricks.begin(), mesh.bricks.begin() + std::ptrdiff_t(own_bricks));
        return out;
    }
};

class Cutter {
 public:
    Cutter(const DomainsInput& input, const Decomposition& cut) : input_(input), cut_(cut) {
        elements_.resize(cut.names.size());
        for (std::size_t e = 0; e < cut.domain_of_element.size(); ++e)
            elements_[std::size_t(cut.domain_of_element[e])].push_back(e);
    }

    const std::vector<std::size_t>& elements(std::size_t domain) const { return elements_[domain]; }

    // The domain, and a layer of the elements of `children` that touch it.
    Piece piece(std::size_t domain, const Vector3d& origin, const std::vector<int>& children) const {
        Piece out;
        out.local_of.assign(input_.mesh.vertices.size(), -1);
        out.materials.groups = input_.materials.groups;
        const std::size_t groups = out.materials.groups.size();
        for (std::size_t g = 0; g < groups; ++g) {
            MaterialMap::Group collar = input_.materials.groups[g];
            collar.name = "collar of " + collar.name;
            collar.material.density *= kCollarDensity;
            out.materials.groups.push_back(std::move(collar));
        }
        std::vector<std::pair<std::size_t, int>> own, all;
        for (const std::size_t e : elements_[domain])
            all.emplace_back(e, 0);
        for (const int child : children) {
            const auto& border = cut_.to_parent[std::size_t(child)].vertices;
            for (const std::size_t e : elements_[std::size_t(child)]) {
                bool touches = false;
                for_each_corner(input_.mesh, e, [&](int v) {
                    touches |= std::binary_search(border.begin(), border.end(), v);
                });
                if (touches) all.emplace_back(e, 1);
            }
        }
        const auto local = [&](int v) {
            int& to = out.local_of[std::size_t(v)];
            if (to < 0) {
                to = int(out.mesh.vertices.size());
                out.mesh.vertices.push_back(input_.mesh.vertices[std::size_t(v)] - origin);
            }
            return to;
        };
        // Own vertices first.
        for (const auto& [e, collar] : all) {
            if (collar) continue;
            for_each_corner(input_.mesh, e, [&](int v) { local(v); });
        }
        out.own_vertices = out.mesh.vertices.size();
        std::vector<int> tet_group, brick_group;
        const std::size_t tets = input_.mesh.tets.size();
        for (const auto& [e, collar] : all) {
            const int group = input_.materials.group_of_element[e] + (collar ? int(groups) : 0);
            if (e < tets) {
                Tet t = input_.mesh.tets[e];
                for (int& v : t)
                    v = local(v);
                out.mesh.tets.push_back(t);
                out.own_tets += collar ? 0 : 1;
                tet_group.push_back(group);
            } else {
                Brick b = input_.mesh.bricks[e - tets];
                for (int& v : b)
                    v = local(v);
                out.mesh.bricks.push_back(b);
                out.own_bricks += collar ? 0 : 1;
                brick_group.push_back(group);
                if (!input_.mesh.fraction.empty())
                    out.mesh.fraction.push_back(input_.mesh.fraction[e - tets]);
            }
        }
        out.materials.group_of_element = tet_group;
        out.materials.group_of_element.insert(out.materials.group_of_element.end(), brick_group.begin(),
                                              brick_group.end());
        return out;
    }

 private:
    const DomainsInput& input_;
    const Decomposition& cut_;
    std::vector<std::vector<std::size_t>> elements_;
};

// The collar has stiffness only: its coefficients join those of a group of the domain, as built.
void merge_collar(std::size_t groups, const FemModel& fem, std::vector<ModelGroup>& shown, StvkModel* stvk) {
    const std::vector<int> place = model_group_of(fem);
    std::vector<ModelGroup> own;
    StvkModel kept;
    std::map<std::size_t, std::size_t> at;  // group of the mesh -> of the domain
    for (std::size_t g = 0; g < groups; ++g) {
        if (place[g] < 0) continue;
        at[g] = own.size();
        own.push_back(shown[std::size_t(place[g])]);
        if (stvk) kept.groups.push_back(stvk->groups[std::size_t(place[g])]);
    }
    for (std::size_t g = 0; stvk && g < groups; ++g) {
        if (place[g + groups] < 0) continue;
        const Material& of = fem.materials().groups[g].material;
        const std::size_t to = at.count(g) ? at[g] : 0;
        const Material& base = own[to].material;
        const StvkGroup& collar = stvk->groups[std::size_t(place[g + groups])];
        kept.groups[to].bulk += of.bulk() / base.bulk() * collar.bulk;
        kept.groups[to].shear += of.shear() / base.shear() * collar.shear;
    }
    shown = std::move(own);
    if (stvk) *stvk = std::move(kept);
}

// Triangles of the surface by domain.
std::vector<std::vector<int>> triangles_of(const DomainsInput& input, const Decomposition& cut,
                                           const Embedding& embedding) {
    std::vector<std::vector<int>> out(cut.names.size());
    std::vector<std::set<int>> of_vertex;
    if (!input.filled) {
        of_vertex.resize(input.mesh.vertices.size());
        for (std::size_t e = 0; e < input.mesh.element_count(); ++e)
            for_each_corner(input.mesh, e,
                            [&](int v) { of_vertex[std::size_t(v)].insert(cut.domain_of_element[e]); });
    }
    for (std::size_t t = 0; t < input.surface.triangles.size(); ++t) {
        std::map<int, int> votes;
        for (const int v : input.surface.triangles[t]) {
            if (input.filled)
                ++votes[cut.domain_of_element[std::size_t(embedding.anchors[std::size_t(v)].element)]];
            else
                for (const int d : of_vertex[std::size_t(input.input_vertex[std::size_t(v)])])
                    ++votes[d];
        }
        // Most corners; among equals the deepest: a triangle between corners of a border is the child's.
        int best = votes.begin()->first;
        for (const auto& [domain, count] : votes)
            if (count >= votes[best]) best = domain;
        out[std::size_t(best)].push_back(int(t));
    }
    return out;
}

ModelSurface surface_of_domain(const DomainsInput& input, const std::vector<int>& triangles,
                               const Piece& piece, const Vector3d& origin, const MatrixXd& U) {
    ModelSurface out;
    Embedding embedding;
    embedding.volume_vertices = piece.mesh.vertices.size();
    const auto at_node = [&](int node) {
        Embedding::Anchor anchor;
        anchor.nodes[0] = node;
        anchor.weights[0] = 1;
        anchor.count = 1;
        return anchor;
    };
    if (triangles.empty()) {
        // An inner domain shows its own skin, which nobody sees. Vertices that the surface does not have get
        // ids behind its own.
        const Boundary skin = boundary_of(piece.own_mesh());
        const int behind = input.filled ? int(input.surface.vertices.size()) : 0;
        out.vertices = skin.surface.vertices;
        out.triangles.assign(skin.surface.triangles.begin(), skin.surface.triangles.end());
        std::map<int, int> whole;
        for (std::size_t v = 0; v < piece.local_of.size(); ++v)
            if (piece.local_of[v] >= 0) whole[piece.local_of[v]] = int(v);
        for (const int v : skin.volume_vertex) {
            out.input_vertex.push_back(behind + whole[v]);
            embedding.anchors.push_back(at_node(v));
        }
    } else {
        std::map<int, int> local;
        for (const int t : triangles) {
            std::array<std::int32_t, 3> corners{};
            for (std::size_t k = 0; k < 3; ++k) {
                const int v = input.surface.triangles[std::size_t(t)][k];
                const auto [at, fresh] = local.emplace(v, int(out.vertices.size()));
                if (fresh) {
                    out.vertices.push_back(input.surface.vertices[std::size_t(v)] - origin);
                    out.input_vertex.push_back(input.input_vertex[std::size_t(v)]);
                    if (!input.filled)
                        embedding.anchors.push_back(
                            at_node(piece.local_of[std::size_t(input.input_vertex[std::size_t(v)])]));
                }
                corners[k] = at->second;
            }
            out.triangles.push_back(corners);
        }
        if (input.filled) embedding = embed(piece.mesh, out.vertices);
    }
    out.basis.resize(3 * Eigen::Index(out.vertices.size()), U.cols());
    for (Eigen::Index i = 0; i < U.cols(); ++i)
        out.basis.col(i) = interpolate(embedding, U.col(i));
    return out;
}

std::vector<char> rigid_ones(const std::vector<std::string>& wanted, const std::vector<std::string>& names) {
    std::vector<char> out(names.size(), 0);
    for (const std::string& name : wanted) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            throw InputError{"--rigid", fmt::format("there is no domain '{}'", printable(name)),
                             fmt::format("{} is one of {}", names[0], names.size())};
        out[std::size_t(found - names.begin())] = 1;
    }
    if (std::find(out.begin(), out.end(), 0) == out.end())
        throw InputError{"--rigid", "every domain is rigid: nothing of the tree can move", ""};
    return out;
}

}  // namespace

DomainRanks parse_domain_ranks(const std::string& text) {
    DomainRanks out;
    std::string number_text = text;
    for (const auto& [word, kind] : {std::pair("proportional:", DomainRanks::Kind::Proportional),
                                     std::pair("log:", DomainRanks::Kind::Logarithmic)})
        if (text.starts_with(word)) {
            out.kind = kind;
            number_text = text.substr(std::string(word).size());
        }
    const char* end = number_text.data() + number_text.size();
    const auto [at, error] = std::from_chars(number_text.data(), end, out.number);
    if (error != std::errc() || at != end || out.number < 1 || out.number > 10'000'000)
        throw InputError{"--rank", fmt::format("'{}' is no number of coordinates", text),
                         "with --domains: 12 for each, proportional:400 or log:400 in all"};
    if (out.kind == DomainRanks::Kind::Each && out.number > 100)
        throw InputError{"--rank", fmt::format("{} coordinates for each domain were asked for", out.number),
                         "12 to 20 serve; at most 100"};
    return out;
}

std::vector<int> ranks_of(const DomainRanks& ranks, const std::vector<int>& elements) {
    std::vector<int> out;
    double sum = 0;
    const auto share = [&](int count) {
        return ranks.kind == DomainRanks::Kind::Proportional ? double(count) : std::log(1.0 + count);
    };
    for (const int count : elements)
        sum += share(count);
    for (const int count : elements) {
        const double wanted =
            ranks.kind == DomainRanks::Kind::Each ? ranks.number : ranks.number * share(count) / sum;
        const int least = ranks.kind == DomainRanks::Kind::Each ? 1 : kLeastRank;
        out.push_back(std::clamp(int(std::lround(wanted)), least, 100));
    }
    return out;
}

BuiltDomains build_domains(const DomainsInput& input, const Decomposition& cut, const DomainsRecipe& recipe) {
    const std::size_t count = cut.names.size();
    const Cutter cutter(input, cut);
    std::vector<std::vector<int>> children(count);
    std::vector<Hinge> hinges(count);
    std::vector<Vector3d> origin(count, Vector3d::Zero());
    std::vector<int> sizes;
    for (std::size_t i = 0; i < count; ++i) {
        sizes.push_back(int(cutter.elements(i).size()));
        if (cut.parent[i] < 0) continue;
        children[std::size_t(cut.parent[i])].push_back(int(i));
        hinges[i] = hinge_of(input.mesh, cut.to_parent[i]);
        origin[i] = hinges[i].centre;
    }
    const std::vector<int> ranks = ranks_of(recipe.ranks, sizes);
    const std::vector<char> rigid = rigid_ones(recipe.rigid, cut.names);
    const Embedding embedding = input.filled ? embed(input.mesh, input.surface.vertices) : Embedding{};
    const auto triangles = triangles_of(input, cut, embedding);

    auto tree = std::make_shared<DomainsModel>();
    tree->parts.resize(count);
    std::vector<RigidMoments> subtree(count);
    BuiltDomains out;
    out.deviation.assign(count, 0);
    const std::size_t groups = input.materials.groups.size();
    std::int64_t done = 0;
    for (std::size_t i = count; i-- > 0;) {
        tell(recipe.progress, "domains", double(done++) / double(count));
        const bool loaded = recipe.basis == DomainBasis::Loaded;
        const Piece piece = cutter.piece(i, origin[i], loaded ? children[i] : std::vector<int>{});
        std::vector<int> fixed;
        for (const int v : cut.parent[i] < 0 ? input.fixed : cut.to_parent[i].vertices)
            if (const int local = piece.local_of[std::size_t(v)];
                local >= 0 && local < int(piece.own_vertices))
                fixed.push_back(local);
        const FemModel fem(piece.mesh, piece.materials, fixed, {.brick_quadrature = recipe.quadrature});
        std::vector<HangingLoad> loads;
        for (const int child : children[i]) {
            const Hinge& hinge = hinges[std::size_t(child)];
            HangingLoad load{{}, hinge.weights, subtree[std::size_t(child)].inertia()};
            for (const int v : hinge.vertices)
                load.vertices.push_back(piece.local_of[std::size_t(v)]);
            loads.push_back(std::move(load));
        }
        const Eigen::Index free = fem.free_dofs() - (fixed.empty() ? 6 : 0);
        Basis basis;
        basis.U.resize(3 * fem.vertex_count(), 0);
        if (free >= kLeastRank && !rigid[i])
            basis = loaded_basis(fem, loaded ? loads : std::vector<HangingLoad>{},
                                 int(std::min<Eigen::Index>(ranks[i], free)), recipe.modes, recipe.mass);

        auto model = std::make_shared<Model>();
        model->name = cut.names[i];
        model->groups = model_groups(fem);
        std::optional<StvkModel> stvk;
        if (basis.U.cols() > 0) stvk = reduce(fem, basis.U, recipe.mass);
        merge_collar(groups, fem, model->groups, stvk ? &*stvk : nullptr);
        if (stvk) model->stvk = std::make_shared<const StvkModel>(std::move(*stvk));
        model->rank = int(basis.U.cols());
        model->modes = model->rank > 0 ? int(basis.frequencies_hz.size()) : 0;
        model->basis_kind = "modal-derivatives";
        model->frequencies_hz = basis.frequencies_hz;
        model->spectrum = basis.spectrum;
        model->free_body = fixed.empty();
        model->lumped_mass = recipe.mass == MassKind::Lumped;
        model->quadrature = recipe.quadrature;
        model->volume_vertices = std::int64_t(piece.own_vertices);
        model->volume_elements = sizes[i];
        model->surface = surface_of_domain(input, triangles[i], piece, origin[i], basis.U);
        model->surface.kept_as = recipe.surface_basis;
        choose_target_scale(*model);
        if (recipe.surface_basis == SurfaceBasis::Float) round_surface_basis(*model);

        RigidMoments& moments = subtree[i];
        for (const ModelGroup& group : model->groups) {
            moments.mass += group.material.density * group.volume;
            moments.first += group.material.density * group.first_moment;
            moments.second += group.material.density * group.second_moment;
        }
        DomainPart& part = tree->parts[i];
        for (const int child : children[i]) {
            const Hinge& hinge = hinges[std::size_t(child)];
            std::vector<Vector3d> points;
            MatrixXd rows(3 * Eigen::Index(hinge.vertices.size()), basis.U.cols());
            for (std::size_t k = 0; k < hinge.vertices.size(); ++k) {
                const int local = piece.local_of[std::size_t(hinge.vertices[k])];
                points.push_back(piece.mesh.vertices[std::size_t(local)]);
                rows.middleRows<3>(3 * Eigen::Index(k)) = basis.U.middleRows<3>(3 * Eigen::Index(local));
            }
            part.interfaces.push_back(
                or_throw(interface_of(cut.names[std::size_t(child)], points, hinge.weights, rows)));
            out.deviation[std::size_t(child)] =
                deviation_from_rigidity(points, hinge.weights, rows, std::max(1, model->modes));
            moments.add(subtree[std::size_t(child)], origin[std::size_t(child)] - origin[i]);
        }
        part.model = std::move(model);
    }
    std::vector<int> next_interface(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        Domain& d = tree->domains.emplace_back();
        d.name = cut.names[i];
        d.part = int(i);
        d.parent = cut.parent[i];
        if (d.parent < 0) continue;
        d.interface = next_interface[std::size_t(d.parent)]++;
        d.position = origin[i] - origin[std::size_t(d.parent)];
    }
    tree->frequencies_hz = tree_frequencies_hz(make_tree(*tree), input.fixed.empty(), 20, recipe.progress);
    out.model = std::make_shared<Model>(or_throw(tree_model(std::move(tree))));
    out.model->free_body = input.fixed.empty();
    return out;
}

}  // namespace limber::build
