// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/full_model.h"

#include <limber/input_error.h>

#include <utility>
#include <vector>

namespace limber::build {

FemModel full_model(const Model& model) {
    if (model.volume.vertices.empty())
        throw InputError{model.name, "the model is lean: its full finite elements are not in the file",
                         "build it again without --lean"};
    VolumeMesh mesh;
    mesh.vertices = model.volume.vertices;
    mesh.tets.assign(model.volume.tets.begin(), model.volume.tets.end());
    mesh.bricks.assign(model.volume.bricks.begin(), model.volume.bricks.end());
    if (!model.volume.fraction.empty())
        mesh.fraction.assign(model.volume.fraction.begin() + std::ssize(mesh.tets),
                             model.volume.fraction.end());
    MaterialMap materials;
    materials.groups.clear();
    for (const ModelGroup& group : model.groups)
        materials.groups.push_back({group.name, group.material});
    materials.group_of_element.assign(model.volume.group_of_element.begin(),
                                      model.volume.group_of_element.end());
    std::vector<int> fixed(model.volume.fixed_vertices.begin(), model.volume.fixed_vertices.end());
    return {std::move(mesh), std::move(materials), std::move(fixed), {.brick_quadrature = model.quadrature}};
}

}  // namespace limber::build
