// SPDX-License-Identifier: Apache-2.0
#include "limber/domains/make_tree.h"

#include "limber/model/model.h"
#include "limber/reduced/modes.h"
#include "limber/reduced/strain_form.h"

namespace limber {

using Eigen::MatrixXd;

InertiaTensors inertia_tensors(const Model& model) {
    InertiaTensors out;
    const Eigen::Index n = model.rank + 1;
    out.rank = model.rank;
    out.c.setZero(3, n);
    MatrixXd G = MatrixXd::Zero(3 * n, 3 * n);
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const ModelGroup& group = model.groups[g];
        const double density = group.material.density;
        out.mass += density * group.volume;
        if (model.rank > 0) {
            out.c += density * model.stvk->groups[g].first_tensor;
            G += density * model.stvk->groups[g].second_tensor;
        } else {
            out.c += density * group.first_moment;
            G += density * group.second_moment;
        }
    }
    out.set_G(G);
    return out;
}

DomainTree make_tree(const DomainsModel& model) {
    DomainTree tree;
    std::vector<char> used(model.parts.size(), 0);
    for (const Domain& d : model.domains)
        used[std::size_t(d.part)] = 1;
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
        const DomainPart& part = model.parts[p];
        PartCoefficients& to = tree.parts.emplace_back();
        if (!used[p]) {
            to.energy = QuarticForm<double>(0);
            continue;
        }
        const Model& of = *part.model;
        to.inertia = inertia_tensors(of);
        to.interfaces.assign(part.interfaces.begin(), part.interfaces.end());
        to.drag = surface_drag(of.surface, of.rank);
        if (of.rank == 0) {
            to.energy = QuarticForm<double>(0);
            continue;
        }
        std::vector<Material> materials;
        for (const ModelGroup& group : of.groups)
            materials.push_back(group.material);
        to.energy = symmetrize<double>(weighted_strain_form(of, materials), of.rank);
        to.mass = reduced_mass(of);
    }
    const std::vector<double> scales = domain_scales(model);
    for (std::size_t i = 0; i < model.domains.size(); ++i) {
        const Domain& d = model.domains[i];
        TreeDomain& to = tree.domains.emplace_back();
        to.part = d.part;
        to.parent = d.parent;
        to.interface = d.interface;
        to.scale = scales[i];
        if (d.parent < 0) continue;
        const double up = scales[std::size_t(d.parent)];
        const DomainInterface& on = model.parts[std::size_t(model.domains[std::size_t(d.parent)].part)]
                                        .interfaces[std::size_t(d.interface)];
        to.attachment.rotation = d.rotation.normalized().toRotationMatrix();
        to.attachment.offset = up * (d.position - on.centre);
        // Domains that were cut from one mesh have their origin in the interface's centre.
        if (to.attachment.offset.squaredNorm() <= 1e-24 * up * up * on.covariance.trace())
            to.attachment.offset.setZero();
        to.attachment.scale = up;
    }
    index_domains(tree);
    return tree;
}

}  // namespace limber
