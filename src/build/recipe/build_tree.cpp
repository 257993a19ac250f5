// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/build_tree.h"

#include "build/file/npy.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace limber::build {
namespace {

Eigen::Vector3d centre_of(const VolumeMesh& mesh, std::size_t element) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    if (element < mesh.tets.size()) {
        for (const int v : mesh.tets[element])
            sum += mesh.vertices[std::size_t(v)];
        return sum / 4;
    }
    for (const int v : mesh.bricks[element - mesh.tets.size()])
        sum += mesh.vertices[std::size_t(v)];
    return sum / 8;
}

// An element takes the label of the triangle whose middle is nearest.
std::vector<int> from_triangles(const BodyMesh& body, const std::vector<int>& of_triangle) {
    std::vector<Eigen::Vector3d> middles;
    for (const Triangle& t : body.surface.triangles)
        middles.push_back((body.surface.vertices[std::size_t(t[0])] +
                           body.surface.vertices[std::size_t(t[1])] +
                           body.surface.vertices[std::size_t(t[2])]) /
                          3);
    std::vector<int> out;
    for (std::size_t e = 0; e < body.volume.element_count(); ++e) {
        const Eigen::Vector3d at = centre_of(body.volume, e);
        double best = std::numeric_limits<double>::infinity();
        std::size_t nearest = 0;
        for (std::size_t t = 0; t < middles.size(); ++t)
            if (const double d = (middles[t] - at).squaredNorm(); d < best) {
                best = d;
                nearest = t;
            }
        out.push_back(of_triangle[nearest]);
    }
    return out;
}

std::vector<int> read_labels(const std::filesystem::path& file) {
    const NpyArray array = read_npy(file);
    if (array.shape.size() != 1)
        throw InputError{file.string(),
                         fmt::format("the array has {} dimensions; labels have one", array.shape.size()),
                         "one integer for each element of a volume, or each triangle of a surface"};
    std::vector<int> out;
    for (std::size_t i = 0; i < array.values.size(); ++i) {
        const double x = array.values[i];
        if (!(x == std::floor(x) && std::abs(x) <= 1e9))
            throw InputError{file.string(), fmt::format("label {} is {}; labels are whole numbers", i, x),
                             ""};
        out.push_back(int(x));
    }
    return out;
}

struct Cut {
    std::vector<int> labels;
    std::vector<std::string> names;
};

struct Cutting {
    const BodyMesh& body;

    Cut operator()(const DomainGroups&) const {
        Cut out;
        if (!body.filled) {
            out.labels = labels_of_groups(body.volume, out.names);
            return out;
        }
        const auto& groups = body.surface.triangle_groups;
        if (groups.empty())
            throw InputError{"--domains groups", "the surface has no named groups",
                             "name its objects, or use --domains auto:N or file:LABELS.npy"};
        std::vector<int> of_triangle(body.surface.triangles.size(), int(groups.size()));
        for (std::size_t g = 0; g < groups.size(); ++g)
            for (const int t : groups[g].ids)
                of_triangle[std::size_t(t)] = int(g);
        out.labels = from_triangles(body, of_triangle);
        const std::set<int> used(out.labels.begin(), out.labels.end());
        for (const int g : used)
            out.names.push_back(std::size_t(g) < groups.size() ? groups[std::size_t(g)].name : "rest");
        return out;
    }
    Cut operator()(const DomainPartition& by) const {
        return {labels_of_partition(body.volume, by.count, body.fixed), {}};
    }
    Cut operator()(const DomainSample& by) const { return {by.cut.labels(body.volume), by.cut.names}; }
    Cut operator()(const DomainLabels& by) const {
        std::vector<int> given = read_labels(by.file);
        const std::size_t expected =
            body.filled ? body.surface.triangles.size() : body.volume.element_count();
        if (given.size() != expected)
            throw InputError{by.file.string(),
                             fmt::format("it has {} labels; the mesh has {} {}", given.size(), expected,
                                         body.filled ? "triangles" : "elements"),
                             "one label for each, in the order of the mesh file"};
        return {body.filled ? from_triangles(body, given) : given, {}};
    }
};

CutReport cut_report(const decltype(DomainsChoice::cut)& how, const Decomposition& parts) {
    CutReport out;
    if (const auto* by = std::get_if<DomainPartition>(&how)) out.asked = by->count;
    out.area = parts.cut_area;
    std::vector<std::size_t> elements(parts.names.size(), 0);
    for (const int domain : parts.domain_of_element)
        ++elements[std::size_t(domain)];
    out.imbalance = double(*std::max_element(elements.begin(), elements.end())) * double(elements.size()) /
                    double(parts.domain_of_element.size());
    return out;
}

}  // namespace

DomainsChoice parse_domains(const std::string& text) {
    DomainsChoice out;
    if (text == "groups") {
        out.cut = DomainGroups{};
        return out;
    }
    if (text.starts_with("file:") && text.size() > 5) {
        out.cut = DomainLabels{text.substr(5)};
        return out;
    }
    int count = 0;
    if (text.starts_with("auto:")) {
        const char* end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data() + 5, end, count);
        if (error == std::errc() && at == end && count >= 1 && count <= 100'000) {
            out.cut = DomainPartition{count};
            return out;
        }
    }
    throw InputError{"--domains", fmt::format("'{}' says no way to cut the mesh", text),
                     "groups, auto:12 or file:labels.npy"};
}

Decomposition cut_into_domains(const BodyMesh& body, const DomainsChoice& choice) {
    const Cut cut = std::visit(Cutting{body}, choice.cut);
    return decompose(body.volume, cut.labels, cut.names, body.fixed);
}

void build_tree(const BodyMesh& body, const BuildInput& input, const Recipe& recipe, const Progress& progress,
                Built& built) {
    if (!std::holds_alternative<ModalDerivatives>(recipe.basis))
        throw InputError{"--basis", "the domains of a tree have their own modes and derivatives",
                         "leave --basis out"};
    if (recipe.method)
        throw InputError{"--method", "a tree of domains runs as domains", "leave --method out"};
    if (!recipe.improve.empty())
        throw InputError{"--improve", "static responses are not made for trees of domains",
                         "a larger --rank, or leave --domains out"};
    if (!recipe.interfaces.empty())
        throw InputError{"--interface", "it declares where children hang on a part that is built alone",
                         "leave --domains or --interface out"};
    tell(progress, "cutting", 0);
    const Decomposition parts = cut_into_domains(body, *recipe.domains);
    const DomainsRecipe domains{
        recipe.domains->ranks, recipe.domains->basis,   recipe.domains->rigid, recipe.modes.value_or(0),
        recipe.mass,           body.filling.quadrature, recipe.surface_basis,  progress};
    BuiltDomains made =
        build_domains({body.volume, body.materials, body.fixed, body.surface, body.input_vertex, body.filled},
                      parts, domains);
    const auto worst = std::max_element(made.deviation.begin(), made.deviation.end());
    built.cut = cut_report(recipe.domains->cut, parts);
    built.notes.push_back(fmt::format(
        "{} domains{}, depth {}, {:.3g} m^2 of cuts, the largest has {:.2g} times the mean's elements; root "
        "{}",
        parts.names.size(), built.cut->asked > 0 ? fmt::format(" of {} asked for", built.cut->asked) : "",
        parts.depth, parts.cut_area, built.cut->imbalance, parts.names[0]));
    if (parts.names.size() > 1)
        built.notes.push_back(
            fmt::format("interfaces deviate from rigid motion by up to {:.2g}% (the one of {})", 100 * *worst,
                        parts.names[std::size_t(worst - made.deviation.begin())]));
    if (input.shown && !input.shown->appearance.materials.empty())
        built.notes.push_back("a tree of domains does not keep materials and textures of the surface");
    built.deviation_from_rigidity = std::move(made.deviation);
    built.model = std::move(made.model);
    built.model->name = std::filesystem::path(input.name).stem().string();
    built.model->command = recipe.command;
    built.model->up = recipe.up.value_or(std::visit([](const auto& mesh) { return mesh.up; }, input.mesh));
    built.model->lumped_mass = recipe.mass == MassKind::Lumped;
    built.model->quadrature = body.filling.quadrature;
}

}  // namespace limber::build
