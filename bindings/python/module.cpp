// SPDX-License-Identifier: Apache-2.0
// The Python module limber. docs/python.md; types: limber.pyi beside the module.
#include "bindings/python/parts.h"

#include <exception>

namespace limber::python {
namespace {

// limber.InputError, a ValueError; made once, never destroyed.
PyObject* input_error_type = nullptr;

void raise(const InputError& error) {
    std::string message = error.where + ": " + error.problem;
    if (!error.try_this.empty()) message += "\n  try: " + error.try_this;
    try {
        // Names of files may hold any bytes.
        const auto text = [](const std::string& s) {
            return py::reinterpret_steal<py::object>(
                PyUnicode_DecodeUTF8(s.data(), static_cast<Py_ssize_t>(s.size()), "replace"));
        };
        const py::object instance = py::handle(input_error_type)(text(message));
        instance.attr("where") = text(error.where);
        instance.attr("problem") = text(error.problem);
        instance.attr("try_this") = text(error.try_this);
        PyErr_SetObject(input_error_type, instance.ptr());
    } catch (py::error_already_set& other) {
        other.restore();
    }
}

void add_errors(py::module_& module) {
    input_error_type = PyErr_NewExceptionWithDoc("limber.InputError",
                                                 "Bad input: `where` it is, the `problem` with its number "
                                                 "and unit, and what to do (`try_this`, may be empty).",
                                                 PyExc_ValueError, nullptr);
    if (input_error_type == nullptr) throw py::error_already_set();
    module.add_object("InputError", py::handle(input_error_type));
    py::register_exception_translator([](std::exception_ptr problem) {
        try {
            if (problem) std::rethrow_exception(problem);
        } catch (const InputError& error) {
            raise(error);
        } catch (const py::cast_error& error) {  // else a RuntimeError
            PyErr_SetString(PyExc_TypeError, error.what());
        }
    });
}

}  // namespace
}  // namespace limber::python

PYBIND11_MODULE(limber, module) {
    using namespace limber::python;
    module.doc() =
        "Soft bodies: from a mesh to finite elements to a reduced model that runs thousands of times a "
        "second.\n\n"
        "Units are SI, vertex ids are 0-based. Vectors over vertices are (n, 3) or (3n,), ordered 3 vertex + "
        "component.\nSELECT is a text such as 'x<0.001 && !(y>0.2)', '#12,15', 'near:x,y,z', '@group', "
        "'all'.";
    module.attr("__version__") = LIMBER_VERSION;
    add_errors(module);
    add_meshes(module);
    add_fem(module);
    add_solvers(module);
    add_models(module);
    add_bodies(module);
    add_warp_bodies(module);
    add_rigid_bodies(module);
    add_worlds(module);
    add_scenes(module);
}
