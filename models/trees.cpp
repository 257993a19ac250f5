// SPDX-License-Identifier: Apache-2.0
#include "models/trees.h"

#include "build/mesh/boundary.h"

namespace limber::models {
namespace {

struct Place {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    double scale = 1;
};

build::SurfaceMesh skin_of(const build::AnyMesh& mesh) {
    if (const auto* surface = std::get_if<build::SurfaceMesh>(&mesh)) return *surface;
    return build::boundary_of(std::get<build::VolumeMesh>(mesh)).surface;
}

}  // namespace

build::SurfaceMesh surface_of(const SampleTree& tree) {
    std::vector<build::SurfaceMesh> skins;
    for (const SamplePart& part : tree.parts)
        skins.push_back(skin_of(part.mesh));
    build::SurfaceMesh out;
    const auto add = [&](const std::string& name, int part, const Place& at) {
        const build::SurfaceMesh& skin = skins[std::size_t(part)];
        const int first = int(out.vertices.size());
        build::Group group{name, {}};
        for (const Eigen::Vector3d& v : skin.vertices)
            out.vertices.push_back(at.position + at.rotation * (at.scale * v));
        for (const build::Triangle& t : skin.triangles) {
            group.ids.push_back(int(out.triangles.size()));
            out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
        out.triangle_groups.push_back(std::move(group));
    };
    add("root", tree.root, {});
    std::vector<Place> places;
    for (const build::AssemblyInstance& of : tree.instances) {
        const Place up = of.parent < 0 ? Place{} : places[std::size_t(of.parent)];
        const Eigen::Vector3d position = of.position.value_or(Eigen::Vector3d::Zero());
        places.push_back({up.position + up.rotation * (up.scale * position),
                          (up.rotation * of.rotation).normalized(), up.scale * of.scale});
        add(of.name, of.part, places.back());
    }
    return out;
}

}  // namespace limber::models
