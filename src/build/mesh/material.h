// SPDX-License-Identifier: Apache-2.0
// Which element has which material.
#pragma once
#include <limber/model/material.h>

#include <string>
#include <vector>

namespace limber::build {

using limber::Material;

struct Lame {
    double lambda;  // E nu / ((1 + nu)(1 - 2 nu)), Pa
    double mu;      // shear modulus E / (2 (1 + nu)), Pa
};
inline Lame lame_of(const Material& m) {
    return {m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson)), m.shear()};
}

// Throws InputError{where, ...} if a constant is outside its range or not finite.
inline void check_material(const Material& material, const std::string& where) {
    if (const auto problem = material_problem(material, where)) throw *problem;
}

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
