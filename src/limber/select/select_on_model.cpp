// SPDX-License-Identifier: Apache-2.0
#include "limber/select/select_on_model.h"

#include <algorithm>
#include <utility>

namespace limber {

Result<std::vector<int>> select_on_model(std::string_view text, const Model& model,
                                         const SelectSources& sources) {
    // Ascending in the vertex of the user's mesh, then in that of the surface.
    std::vector<std::pair<std::int32_t, int>> by_input;
    for (std::size_t v = 0; v < model.surface.input_vertex.size(); ++v)
        by_input.emplace_back(model.surface.input_vertex[v], static_cast<int>(v));
    std::sort(by_input.begin(), by_input.end());

    const SelectForm form = select_form(text);
    const bool by_id = form == SelectForm::Ids || form == SelectForm::File;
    const std::size_t count = by_input.empty() ? 0 : static_cast<std::size_t>(by_input.back().first) + 1;
    Result<std::vector<int>> found =
        by_id ? select_ids(text, count, sources) : select_points(text, model.surface.vertices, sources);
    if (!found.ok()) return found;
    std::vector<int> out;
    for (const int id : found.value()) {
        const std::int32_t input = by_id ? id : model.surface.input_vertex[static_cast<std::size_t>(id)];
        const auto first = std::lower_bound(by_input.begin(), by_input.end(), std::pair{input, 0});
        if (first == by_input.end() || first->first != input)
            return InputError{"", "vertex " + std::to_string(id) + " of the mesh is not on the surface",
                              "\"near:x,y,z\" takes the nearest vertex of the surface"};
        out.push_back(first->second);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace limber
