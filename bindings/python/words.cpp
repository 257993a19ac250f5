// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/words.h"

#include "build/file/nearest_word.h"
#include "build/file/text_scanner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace limber::python {
namespace {

void expect_known(const std::string& word, const std::vector<std::string>& known, const std::string& where,
                  const char* kind) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    const std::string nearest = build::nearest_word(word, known);
    throw InputError{where, fmt::format("there is no {} '{}'", kind, build::printable(word)),
                     nearest.empty() ? fmt::format("one of {}", fmt::join(known, ", ")) : nearest};
}

}  // namespace

std::string shown(const py::handle& value) {
    constexpr py::ssize_t kMostShown = 80;
    const auto text = py::reinterpret_steal<py::object>(PyObject_Repr(value.ptr()));
    if (!text) throw py::error_already_set();
    const auto begin = py::reinterpret_steal<py::object>(PyUnicode_Substring(text.ptr(), 0, kMostShown));
    const auto bytes = py::reinterpret_steal<py::object>(
        PyUnicode_AsEncodedString(begin.ptr(), "utf-8", "backslashreplace"));
    if (!bytes) throw py::error_already_set();
    return std::string(py::reinterpret_borrow<py::bytes>(bytes)) +
           (PyUnicode_GetLength(text.ptr()) > kMostShown ? "..." : "");
}

std::string text_of(const py::handle& value, const std::string& where) {
    if (!py::isinstance<py::str>(value))
        throw InputError{where, fmt::format("{} is no text", shown(value)), ""};
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (text == nullptr) {
        PyErr_Clear();
        throw InputError{where, fmt::format("{} cannot be written in UTF-8", shown(value)), ""};
    }
    return {text, static_cast<std::size_t>(size)};
}

std::filesystem::path path_of(const py::handle& value, const std::string& where) {
    PyObject* bytes = nullptr;
    if (PyUnicode_FSConverter(value.ptr(), &bytes) == 0) {
        PyErr_Clear();
        throw InputError{where, fmt::format("{} is no name of a file", shown(value)), ""};
    }
    const auto owner = py::reinterpret_steal<py::bytes>(bytes);
    return std::string(owner);
}

Words::Words(const py::dict& given, std::string where, const std::vector<std::string>& known)
    : given_(given), where_(std::move(where)) {
    for (const auto& [key, value] : given_) {
        if (!py::isinstance<py::str>(key))
            throw InputError{where_, fmt::format("{} is no word", shown(key)), ""};
        expect_known(text_of(key, where_), known, where_, "argument");
    }
}

bool Words::has(const char* word) const {
    return given_.contains(word) && !given_[word].is_none();
}

py::object Words::operator[](const char* word) const {
    return has(word) ? py::object(given_[word]) : py::object(py::none());
}

std::optional<double> Words::number(const char* word) const {
    if (!has(word)) return {};
    try {
        return py::float_((*this)[word]).cast<double>();
    } catch (const py::error_already_set&) {
        throw InputError{where(word), fmt::format("{} is no number", shown((*this)[word])), ""};
    }
}

std::optional<int> Words::whole_number(const char* word, int least, int most) const {
    if (!has(word)) return {};
    const py::object value = (*this)[word];
    if (PyIndex_Check(value.ptr()) && !py::isinstance<py::bool_>(value)) {
        const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);
        if (PyErr_Occurred() != nullptr) throw py::error_already_set();
        if (number >= least && number <= most) return static_cast<int>(number);
    }
    const std::string range = most == std::numeric_limits<int>::max()
                                  ? fmt::format("from {} on", least)
                                  : fmt::format("from {} to {}", least, most);
    throw InputError{where(word), fmt::format("{} is no whole number {}", shown(value), range), ""};
}

std::optional<std::string> Words::text(const char* word) const {
    if (!has(word)) return {};
    return text_of((*this)[word], where(word));
}

bool Words::flag(const char* word) const {
    if (!has(word)) return false;
    const py::object value = (*this)[word];
    if (!py::isinstance<py::bool_>(value))
        throw InputError{where(word), fmt::format("{} is neither True nor False", shown(value)), ""};
    return value.cast<bool>();
}

std::string Words::choice(const char* word, const std::vector<std::string>& choices) const {
    return checked_choice(text(word).value_or(choices.front()), choices, where(word));
}

std::optional<Eigen::Vector3d> Words::vector3(const char* word) const {
    if (!has(word)) return {};
    return vector3_of((*this)[word], where(word));
}

std::string checked_choice(const std::string& word, const std::vector<std::string>& choices,
                           const std::string& where) {
    expect_known(word, choices, where, "choice");
    return word;
}

std::vector<std::string> selections_of(const py::object& value, const std::string& where) {
    if (value.is_none()) return {};
    if (py::isinstance<py::str>(value)) return {text_of(value, where)};
    if (!py::isinstance<py::array>(value) && py::isinstance<py::sequence>(value)) {
        const py::sequence list(value);
        if (list.size() == 0) return {};
        if (py::isinstance<py::str>(list[0])) {
            std::vector<std::string> texts;
            for (const py::handle text : list) {
                if (!py::isinstance<py::str>(text))
                    throw InputError{where, fmt::format("{} is no selection", shown(text)), ""};
                texts.push_back(text_of(text, where));
            }
            return texts;
        }
    }
    const auto ids = indices_of(value, 1, std::numeric_limits<int>::max(), where);
    if (ids.empty()) return {};
    return {fmt::format("#{}", fmt::join(ids, ","))};
}

}  // namespace limber::python
