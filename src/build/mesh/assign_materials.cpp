// SPDX-License-Identifier: Apache-2.0
// Which element has which material: the file's groups first, then the user's choices.
#include "build/mesh/select.h"

#include <fmt/format.h>

namespace limber::build {

MaterialMap assign_materials(const VolumeMesh& mesh, const Material& base,
                             const std::vector<MaterialChoice>& choices) {
    check_material(base, "material");
    MaterialMap map;
    map.groups = {{"default", base}};
    map.group_of_element.assign(mesh.element_count(), 0);

    const auto give = [&](const std::string& name, const Material& material,
                          const std::vector<int>& elements) {
        const int group = static_cast<int>(map.groups.size());
        map.groups.push_back({name, material});
        for (int e : elements)
            map.group_of_element[static_cast<std::size_t>(e)] = group;
    };
    for (const auto& [name, material] : mesh.materials) {
        check_material(material,
                       fmt::format("material of '{}' in the mesh file", name.empty() ? "all" : name));
        give(name.empty() ? "all" : name, material, select_elements(name.empty() ? "all" : "@" + name, mesh));
    }
    for (const auto& [select, material] : choices) {
        check_material(material, fmt::format("material of '{}'", select));
        give(select, material, select_elements(select, mesh));
    }
    return map;
}

}  // namespace limber::build
