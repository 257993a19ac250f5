// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::python {
namespace {

std::string shape_text(const py::array& array) {
    const std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// As numpy sees it, with elements of one of these kinds ('b' bool, 'i' and 'u' integers, 'f' floats).
py::array array_of(const py::handle& value, const char* kinds, const char* expected,
                   const std::string& where) {
    const py::array array = py::array::ensure(value);
    if (!array) {
        PyErr_Clear();
        throw InputError{where, fmt::format("{} were expected, and this is no array", expected), ""};
    }
    if (std::string(kinds).find(array.dtype().kind()) == std::string::npos && array.size() > 0)
        throw InputError{where,
                         fmt::format("{} were expected; the array's type is {}", expected,
                                     py::str(array.dtype()).cast<std::string>()),
                         ""};
    return array;
}

// Doubles in C order.
py::array_t<double> doubles_of(const py::handle& value, const std::string& where) {
    const py::array_t<double, py::array::c_style | py::array::forcecast> numbers(
        array_of(value, "biuf", "numbers", where));
    const double* bad = std::find_if_not(numbers.data(), numbers.data() + numbers.size(),
                                         [](double x) { return std::isfinite(x); });
    if (bad != numbers.data() + numbers.size())
        throw InputError{
            where, fmt::format("entry {} is {}; finite numbers were expected", bad - numbers.data(), *bad),
            ""};
    return numbers;
}

Eigen::VectorXd copy_of(const py::array_t<double>& numbers) {
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), numbers.size());
}

}  // namespace

Eigen::VectorXd vector_of(const py::handle& value, Eigen::Index size, const std::string& where) {
    const auto numbers = doubles_of(value, where);
    if (numbers.ndim() != 1 || numbers.size() != size)
        throw InputError{where, fmt::format("the shape is {}; ({},) was expected", shape_text(numbers), size),
                         ""};
    return copy_of(numbers);
}

Eigen::Vector3d vector3_of(const py::handle& value, const std::string& where) {
    return vector_of(value, 3, where);
}

Eigen::VectorXd vertex_vectors_of(const py::handle& value, Eigen::Index vertices, const std::string& where) {
    const auto numbers = doubles_of(value, where);
    const bool rows = numbers.ndim() == 2 && numbers.shape(0) == vertices && numbers.shape(1) == 3;
    const bool flat = numbers.ndim() == 1 && numbers.size() == 3 * vertices;
    if (!rows && !flat)
        throw InputError{
            where,
            fmt::format("the shape is {}; the mesh has {} vertices: ({}, 3) or ({},) was expected",
                        shape_text(numbers), vertices, vertices, 3 * vertices),
            ""};
    return copy_of(numbers);
}

std::vector<int> indices_of(const py::handle& value, py::ssize_t columns, py::ssize_t limit,
                            const std::string& where) {
    const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> numbers(
        array_of(value, "iu", "whole numbers", where));
    const bool right =
        columns == 1 ? numbers.ndim() == 1 : numbers.ndim() == 2 && numbers.shape(1) == columns;
    if (!right && numbers.size() > 0)
        throw InputError{where,
                         fmt::format("the shape is {}; {} was expected", shape_text(numbers),
                                     columns == 1 ? "(count,)" : fmt::format("(count, {})", columns)),
                         ""};
    std::vector<int> out;
    out.reserve(static_cast<std::size_t>(numbers.size()));
    for (const std::int64_t* i = numbers.data(); i != numbers.data() + numbers.size(); ++i) {
        if (*i < 0 || *i >= limit)
            throw InputError{
                where,
                limit == std::numeric_limits<int>::max()
                    ? fmt::format("{} is no id; ids count from 0", *i)
                    : fmt::format("{} is not one of the {} vertices, which count from 0", *i, limit),
                ""};
        out.push_back(static_cast<int>(*i));
    }
    return out;
}

std::vector<Eigen::Vector3d> points_of(const py::handle& value, const std::string& where) {
    const auto numbers = doubles_of(value, where);
    if (numbers.ndim() != 2 || numbers.shape(1) != 3)
        throw InputError{where, fmt::format("the shape is {}; (count, 3) was expected", shape_text(numbers)),
                         ""};
    std::vector<Eigen::Vector3d> out(static_cast<std::size_t>(numbers.shape(0)));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = Eigen::Map<const Eigen::Vector3d>(numbers.data() + 3 * i);
    return out;
}

}  // namespace limber::python
