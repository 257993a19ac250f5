// SPDX-License-Identifier: Apache-2.0
// Isotropic St.Venant-Kirchhoff materials and which element has which.
#pragma once
#include <string>
#include <vector>

namespace limber::build {

struct Material {
    double young = 1e6;     // Young's modulus E, Pa, > 0
    double poisson = 0.45;  // Poisson's ratio nu, -1 < nu < 0.5
    double density = 1000;  // kg/m^3, > 0
};

struct Lame {
    double lambda;  // E nu / ((1 + nu)(1 - 2 nu)), Pa
    double mu;      // shear modulus E / (2 (1 + nu)), Pa
};
Lame lame_of(const Material& material);

// Throws InputError{where, ...} if a constant is outside its range or not finite.
void check_material(const Material& material, const std::string& where);

// Which material every element has. Group 0 is "default" and always there.
struct MaterialMap {
    struct Group {
        std::string name;
        Material material;
    };
    std::vector<Group> groups = {{"default", {}}};
    std::vector<int> group_of_element;  // element -> index into groups

    const Material& of(std::size_t element) const {
        return groups[static_cast<std::size_t>(group_of_element[element])].material;
    }
};

}  // namespace limber::build
