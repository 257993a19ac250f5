// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::python {
namespace {

using Json = nlohmann::json;

constexpr int kMostDepth = 64;  // far below the depth that recursion can take

[[noreturn]] void refuse(const py::handle& value, const std::string& where) {
    throw InputError{where, fmt::format("JSON cannot hold {}", shown(value)),
                     "numbers, texts, lists, arrays and dictionaries"};
}

// Beyond 64 bits as a double.
Json whole_number_of(const py::handle& value, const std::string& where) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow == 0) return small;
    const double large = PyLong_AsDouble(number.ptr());
    if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse(value, where);
    }
    return large;
}

bool has_float(const py::handle& value) {
    const PyNumberMethods* methods = Py_TYPE(value.ptr())->tp_as_number;
    return methods != nullptr && methods->nb_float != nullptr;
}

Json convert(const py::handle& value, const std::string& where, int depth);

Json object_of(const py::dict& given, const std::string& where, int depth) {
    Json out = Json::object();
    for (const auto& [key, value] : given) {
        if (!py::isinstance<py::str>(key))
            throw InputError{where, fmt::format("{} is no word", shown(key)), ""};
        const std::string word = text_of(key, where);
        out[word] = convert(value, depth == 0 ? fmt::format("{}: {:.80}", where, word) : where, depth + 1);
    }
    return out;
}

Json list_of(const py::sequence& given, const std::string& where, int depth) {
    Json out = Json::array();
    for (const py::handle entry : given)
        out.push_back(convert(entry, where, depth + 1));
    return out;
}

Json convert(const py::handle& value, const std::string& where, int depth) {
    if (depth > kMostDepth)
        throw InputError{where, fmt::format("JSON cannot hold more than {} levels of lists", kMostDepth), ""};
    if (value.is_none()) return nullptr;
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
    if (py::isinstance<py::str>(value)) return text_of(value, where);
    if (PyFloat_Check(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
    if (py::isinstance<py::dict>(value))
        return object_of(py::reinterpret_borrow<py::dict>(value), where, depth);
    if (py::isinstance<py::bytes>(value) || PyType_Check(value.ptr())) refuse(value, where);
    // Arrays and numbers of numpy.
    if (py::hasattr(value, "tolist")) return convert(value.attr("tolist")(), where, depth + 1);
    if (PyIndex_Check(value.ptr())) return whole_number_of(value, where);
    if (py::isinstance<py::sequence>(value))
        return list_of(py::reinterpret_borrow<py::sequence>(value), where, depth);
    if (has_float(value)) {
        const double number = PyFloat_AsDouble(value.ptr());
        if (PyErr_Occurred() != nullptr) throw py::error_already_set();
        return number;
    }
    refuse(value, where);
}

void drop_nulls(Json& object) {
    for (auto member = object.begin(); member != object.end();) {
        if (member->is_object()) drop_nulls(*member);
        member = member->is_null() ? object.erase(member) : std::next(member);
    }
}

}  // namespace

Json json_of(const py::handle& value, const std::string& where) {
    return convert(value, where, 0);
}

Json json_of_words(const py::dict& words, const std::string& where) {
    Json out = object_of(words, where, 0);
    drop_nulls(out);
    return out;
}

py::object python_of(const Json& json) {
    if (json.is_boolean()) return py::bool_(json.get<bool>());
    if (json.is_number_float()) return py::float_(json.get<double>());
    if (json.is_number_unsigned()) return py::int_(json.get<std::uint64_t>());
    if (json.is_number_integer()) return py::int_(json.get<std::int64_t>());
    if (json.is_string()) return py::str(json.get_ref<const std::string&>());
    if (json.is_array()) {
        py::list out;
        for (const Json& entry : json)
            out.append(python_of(entry));
        return out;
    }
    if (json.is_object()) {
        py::dict out;
        for (const auto& [key, value] : json.items())
            out[py::str(key)] = python_of(value);
        return out;
    }
    return py::none();
}

}  // namespace limber::python
