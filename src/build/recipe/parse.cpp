// SPDX-License-Identifier: Apache-2.0
// The words of --basis and --rank.
#include "build/file/nearest_word.h"
#include "build/file/text_scanner.h"
#include "build/recipe/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace limber::build {
namespace {

template <class Number>
std::optional<Number> to_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

// What follows the prefix, if it is there.
std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return {};
    return text.substr(prefix.size());
}

PickedModes parse_picks(std::string_view list, const std::string& text) {
    PickedModes picked;
    while (true) {
        const auto comma = std::min(list.find(','), list.size());
        const auto mode = to_number<int>(list.substr(0, comma));
        if (!mode || *mode < 1)
            throw InputError{"--basis",
                             fmt::format("'{}' is no list of modes, which count from 1", printable(text)),
                             "--basis pick:4,9"};
        picked.modes.push_back(*mode);
        if (comma == list.size()) return picked;
        list.remove_prefix(comma + 1);
    }
}

}  // namespace

BasisRecipe parse_basis(const std::string& text) {
    if (text == "modal-derivatives") return ModalDerivatives{};
    if (text == "modes") return LinearModes{};
    if (const auto list = after(text, "pick:")) return parse_picks(*list, text);
    const auto name_of = [&](std::string_view file, const char* example) {
        if (file.empty())
            throw InputError{"--basis", fmt::format("a file name is missing in '{}'", printable(text)),
                             example};
        return std::filesystem::path(file);
    };
    if (const auto file = after(text, "file:")) return GivenShapes{name_of(*file, "--basis file:shapes.npy")};
    if (auto list = after(text, "sketch:")) {
        Sketched sketched;
        while (true) {
            const auto comma = std::min(list->find(','), list->size());
            sketched.files.push_back(name_of(list->substr(0, comma), "--basis sketch:forces.json"));
            if (comma == list->size()) return sketched;
            list->remove_prefix(comma + 1);
        }
    }
    const std::string nearest =
        nearest_word(text, {"modal-derivatives", "modes", "file:", "pick:", "sketch:"});
    throw InputError{"--basis",
                     fmt::format("'{}' is none of modal-derivatives, modes, pick:4,9, file:SHAPES.npy, "
                                 "sketch:FILE",
                                 printable(text)),
                     nearest.empty() ? "--basis modal-derivatives" : "--basis " + nearest};
}

RankChoice parse_rank(const std::string& text) {
    const InputError wrong{"--rank",
                           fmt::format("'{}' is neither a number of basis vectors from 1 to 200 nor a share "
                                       "of the spectrum such as auto:1%",
                                       printable(text)),
                           "--rank 30"};
    RankChoice choice;
    if (const auto rest = after(text, "auto:")) {
        const bool percent = rest->ends_with('%');
        const auto share = to_number<double>(rest->substr(0, rest->size() - (percent ? 1 : 0)));
        const double fraction = share.value_or(-1) * (percent ? 0.01 : 1);
        if (!(fraction > 0 && fraction < 1)) throw wrong;
        choice.auto_fraction = fraction;
        return choice;
    }
    const auto rank = to_number<int>(text);
    if (!rank || *rank < 1 || *rank > 200) throw wrong;
    choice.rank = *rank;
    return choice;
}

}  // namespace limber::build
