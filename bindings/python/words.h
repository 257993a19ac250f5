// SPDX-License-Identifier: Apache-2.0
// Keyword arguments: the words of the command line and of scene files, read one by one. A word that is not
// known is refused with the nearest one that is; None counts as not given.
#pragma once
#include "bindings/python/arrays.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace limber::python {

// As Python shows it, for messages: at most 80 characters.
std::string shown(const py::handle& value);
// A text in UTF-8, which lone surrogates do not have; the name of a file, a text or os.PathLike.
std::string text_of(const py::handle& value, const std::string& where);
std::filesystem::path path_of(const py::handle& value, const std::string& where);

class Words {
 public:
    // `where` is the function, for messages.
    Words(const py::dict& given, std::string where, const std::vector<std::string>& known);

    bool has(const char* word) const;
    py::object operator[](const char* word) const;  // None if not given

    std::optional<double> number(const char* word) const;
    std::optional<int> whole_number(const char* word, int least, int most) const;
    std::optional<std::string> text(const char* word) const;
    bool flag(const char* word) const;  // false if not given
    // One of the choices; the first of them if not given.
    std::string choice(const char* word, const std::vector<std::string>& choices) const;
    std::optional<Eigen::Vector3d> vector3(const char* word) const;

    const std::string& where() const { return where_; }
    std::string where(const char* word) const { return where_ + ": " + word; }

 private:
    py::dict given_;
    std::string where_;
};

// Checks one word against the choices, naming the nearest.
std::string checked_choice(const std::string& word, const std::vector<std::string>& choices,
                           const std::string& where);

// A selection, several, or ids: as texts of SELECT (build/mesh/select.h).
std::vector<std::string> selections_of(const py::object& value, const std::string& where);

}  // namespace limber::python
