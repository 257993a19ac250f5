// SPDX-License-Identifier: Apache-2.0
#include "cli/model_summary.h"

#include "cli/text.h"
#include "limber/reduced/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

// What the first r basis vectors leave out, as a fraction of the spectrum's sum of squares.
struct Left {
    int rank;
    double fraction;
};

std::vector<Left> what_rank_buys(const Model& model) {
    std::vector<Left> out;
    const double all = model.spectrum.squaredNorm();
    if (!(all > 0)) return out;
    for (int r = 5; r < model.spectrum.size() && r <= 2 * model.rank; r += r < 30 ? 5 : 10)
        out.push_back({r, model.spectrum.tail(model.spectrum.size() - r).squaredNorm() / all});
    return out;
}

// Of the modes; a basis from shapes or a sketch has none, its own small vibrations stand in.
Eigen::VectorXd frequencies(const Model& model) {
    if (!model.stvk && model.warp) return model.warp->eigenvalues.cwiseSqrt() / (2 * EIGEN_PI);
    return model.frequencies_hz.size() > 0 || !model.stvk ? model.frequencies_hz
                                                          : reduced_modes(model).frequencies_hz;
}

// "12", "8 to 20".
std::string rank_range(const DomainsModel& tree) {
    int least = tree.parts[0].model->rank, most = least;
    for (const DomainPart& part : tree.parts) {
        least = std::min(least, part.model->rank);
        most = std::max(most, part.model->rank);
    }
    return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

}  // namespace

nlohmann::json model_json(const Model& model, std::size_t bytes) {
    nlohmann::json groups = nlohmann::json::array();
    for (const ModelGroup& group : model.groups)
        groups.push_back({{"name", group.name},
                          {"young", group.material.young},
                          {"poisson", group.material.poisson},
                          {"density", group.material.density},
                          {"volume", group.volume}});
    nlohmann::json buys = nlohmann::json::array();
    for (const Left& left : what_rank_buys(model))
        buys.push_back({{"rank", left.rank}, {"left_out", left.fraction}});
    nlohmann::json json = {{"rank", model.rank},
                           {"modes", model.modes},
                           {"basis", model.basis_kind},
                           {"methods", methods_of(model)},
                           {"up", up_text(model.up)},
                           {"warp_modes", model.warp ? model.warp->modes() : 0},
                           {"warp_companions", model.warp ? model.warp->companions() : 0},
                           {"vertices", model.volume_vertices},
                           {"elements", model.volume_elements},
                           {"surface_vertices", model.surface.vertices.size()},
                           {"bounds", to_json(bounds_of(model.surface.vertices))},
                           {"triangles", model.surface.triangles.size()},
                           {"total_mass", total_mass(model)},
                           {"frequencies_hz", to_json(frequencies(model))},
                           {"bytes", bytes},
                           {"groups", groups},
                           {"spectrum", to_json(model.spectrum)},
                           {"rank_buys", buys},
                           {"free_body", model.free_body},
                           {"surface_basis", surface_basis_text(model.surface.kept_as)},
                           {"lean", model.volume.vertices.empty()},
                           {"mass", model.lumped_mass ? "lumped" : "consistent"},
                           {"quadrature", quadrature_text(model.quadrature)},
                           {"command", model.command}};
    for (const DomainInterface& interface : model.interfaces)
        json["interfaces"].push_back(
            {{"name", interface.name}, {"centre", to_json(Eigen::VectorXd(interface.centre))}});
    if (model.domains) {
        json["domains"] = model.domains->domains.size();
        json["parts"] = model.domains->parts.size();
        json["coordinates"] = coordinates_of(*model.domains);
        json["depth"] = depth_of(*model.domains);
    }
    return json;
}

std::string model_text(const Model& model, std::size_t bytes,
                       const std::vector<std::pair<std::string, std::string>>& more) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"rank", fmt::format("{} ({}{})", model.rank, model.basis_kind,
                             model.modes > 0 ? fmt::format(" of {} modes", model.modes) : "")},
        {"up", up_text(model.up)},
        {"runs as", model.rank == 0 ? "rigid" : fmt::format("{}", fmt::join(methods_of(model), ", "))},
        {"volume", fmt::format("{} vertices, {} elements{}", model.volume_vertices, model.volume_elements,
                               model.volume.vertices.empty() ? " (not in the file: lean)" : "")},
        {"surface", fmt::format("{} vertices, {} triangles, basis as {}", model.surface.vertices.size(),
                                model.surface.triangles.size(),
                                model.surface.kept_as == SurfaceBasis::Float ? "floats" : "doubles")},
        {"mass",
         fmt::format("{:.6g} kg ({})", total_mass(model), model.lumped_mass ? "lumped" : "consistent")}};
    if (model.domains) {
        rows[0] = {"domains", fmt::format("{} of {} parts, depth {}, {} coordinates ({} each)",
                                          model.domains->domains.size(), model.domains->parts.size(),
                                          depth_of(*model.domains), coordinates_of(*model.domains),
                                          rank_range(*model.domains))};
        rows[2].second = "domains";
        rows[3].second = fmt::format("{} vertices, {} elements (not in the file)", model.volume_vertices,
                                     model.volume_elements);
        rows[4].second = fmt::format("{} vertices, {} triangles", model.surface.vertices.size(),
                                     model.surface.triangles.size());
    }
    for (const ModelGroup& group : model.groups)
        rows.emplace_back(
            fmt::format("material {}", group.name),
            fmt::format("E = {:.4g} Pa, nu = {:.4g}, rho = {:.4g} kg/m^3, {:.4g} m^3", group.material.young,
                        group.material.poisson, group.material.density, group.volume));
    const Eigen::VectorXd hz = frequencies(model);
    std::string text;
    for (Eigen::Index i = 0; i < hz.size() && i < 6; ++i)
        text += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", hz[i]);
    rows.emplace_back("frequencies", text + (hz.size() > 6 ? ", ... Hz" : " Hz"));
    for (const Left& left : what_rank_buys(model))
        rows.emplace_back(left.rank == 5 ? "what r buys" : "",
                          fmt::format("r = {:<3} leaves out {:.3g}%{}", left.rank, 100 * left.fraction,
                                      left.rank == model.rank ? "  (this model)" : ""));
    if (!model.interfaces.empty()) {
        std::vector<std::string> names;
        for (const DomainInterface& interface : model.interfaces)
            names.push_back(interface.name);
        rows.emplace_back("interfaces", fmt::format("{}", fmt::join(names, ", ")));
    }
    if (model.free_body) rows.emplace_back("free body", "nothing is fixed");
    rows.emplace_back("size", bytes_text(bytes));
    if (!model.command.empty()) rows.emplace_back("command", model.command);
    rows.insert(rows.end(), more.begin(), more.end());
    return two_columns(rows);
}

}  // namespace limber::cli
