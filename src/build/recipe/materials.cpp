// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/materials.h"

#include "build/file/text_scanner.h"
#include "build/recipe/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace limber::build {
namespace {

const std::string kExample = "--material \"x>0.5: young=2e6 poisson=0.4 density=900\"";

// "young=2e6 poisson=0.4": what is not named stays as in `base`.
Material parse_constants(std::string_view text, const Material& base, const std::string& where) {
    constexpr std::string_view separators = ", \t";
    Material material = base;
    bool any = false;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
        if (text.empty()) break;
        const auto item = text.substr(0, text.find_first_of(separators));
        text.remove_prefix(item.size());
        const auto equals = std::min(item.find('='), item.size());
        const auto key = item.substr(0, equals);
        const auto number = item.substr(std::min(equals + 1, item.size()));
        double* constant = key == "young"     ? &material.young
                           : key == "poisson" ? &material.poisson
                           : key == "density" ? &material.density
                                              : nullptr;
        if (!constant)
            throw InputError{where, fmt::format("'{}' is none of young, poisson, density", printable(key)),
                             kExample};
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), *constant);
        if (error != std::errc{} || end != number.data() + number.size())
            throw InputError{where, fmt::format("'{}' is not a number", printable(number)), kExample};
        any = true;
    }
    if (!any) throw InputError{where, "no constants follow the colon", kExample};
    return material;
}

}  // namespace

MaterialText split_material(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon == std::string::npos)
        throw InputError{
            "--material",
            fmt::format("'{}' has no colon between the selection and what follows", printable(text)),
            kExample};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

MaterialMap assign_materials(VolumeMesh mesh, const MaterialRecipe& recipe) {  // NOLINT: its copy is changed
    const auto override_constants = [&](Material& m) {
        m.young = recipe.young.value_or(m.young);
        m.poisson = recipe.poisson.value_or(m.poisson);
        m.density = recipe.density.value_or(m.density);
    };
    Material base = recipe.base;
    override_constants(base);
    check_material(base, "material");
    for (auto& [group, material] : mesh.materials)
        override_constants(material);

    std::vector<MaterialChoice> choices;
    for (const std::string& text : recipe.choices) {
        const auto [select, constants] = split_material(text);
        const std::string where = fmt::format("--material '{}'", printable(text));
        choices.push_back({select, parse_constants(constants, base, where)});
        check_material(choices.back().material, where);
        select_some_elements("--material", select, mesh);
    }
    return assign_materials(mesh, base, choices);
}

}  // namespace limber::build
