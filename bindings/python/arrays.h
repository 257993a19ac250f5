// SPDX-License-Identifier: Apache-2.0
// numpy in and out. What comes in is checked and copied; what goes out owns its numbers, or is a read-only
// view that keeps their owner alive. InputError names the argument.
#pragma once
#include <limber/input_error.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace limber::python {

namespace py = pybind11;

using Shape = std::vector<py::ssize_t>;

// Finite numbers, anything that numpy turns into an array of them.
Eigen::VectorXd vector_of(const py::handle& value, Eigen::Index size, const std::string& where);
Eigen::Vector3d vector3_of(const py::handle& value, const std::string& where);
// Three for each of n vertices: (n, 3) or (3n,).
Eigen::VectorXd vertex_vectors_of(const py::handle& value, Eigen::Index vertices, const std::string& where);
// Rows of `columns` whole numbers from 0 to below `limit`, the number of vertices (the largest int: not
// known).
std::vector<int> indices_of(const py::handle& value, py::ssize_t columns, py::ssize_t limit,
                            const std::string& where);
// (n, 3) positions.
std::vector<Eigen::Vector3d> points_of(const py::handle& value, const std::string& where);

// An array, last index fastest, that takes over a container of Scalars (or of small fixed arrays of them).
template <class Scalar, class Container>
py::array_t<Scalar> adopt(Container numbers, const Shape& shape) {
    auto kept = std::make_unique<Container>(std::move(numbers));
    auto* data = reinterpret_cast<Scalar*>(kept->data());
    py::capsule owner(kept.get(), [](void* p) { delete static_cast<Container*>(p); });
    kept.release();
    return py::array_t<Scalar>(shape, data, owner);
}

inline py::array_t<double> adopt(Eigen::VectorXd numbers) {
    const Shape shape = {numbers.size()};
    return adopt<double>(std::move(numbers), shape);
}

// A read-only view, last index fastest unless strides (bytes) are given.
template <class Scalar>
py::array_t<Scalar> view(const Scalar* data, const Shape& shape, const py::handle& owner,
                         const Shape& strides = {}) {
    py::array_t<Scalar> out(shape, strides, data, owner);
    out.attr("flags").attr("writeable") = false;
    return out;
}

// Of a vector of small fixed arrays, as rows.
template <class Scalar, class Row>
py::array_t<Scalar> view_rows(const std::vector<Row>& rows, const py::handle& owner) {
    static_assert(sizeof(Row) % sizeof(Scalar) == 0);
    return view(
        reinterpret_cast<const Scalar*>(rows.data()),
        {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(sizeof(Row) / sizeof(Scalar))},
        owner);
}

// Of a column-major matrix, as it lies in memory.
inline py::array_t<double> view_matrix(const Eigen::MatrixXd& matrix, const py::handle& owner) {
    constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
    return view(matrix.data(), {matrix.rows(), matrix.cols()}, owner,
                {size, size * std::max<py::ssize_t>(1, matrix.rows())});
}

inline py::array_t<double> view_vector(const Eigen::VectorXd& vector, const py::handle& owner) {
    return view(vector.data(), {vector.size()}, owner);
}

}  // namespace limber::python
