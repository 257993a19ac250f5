// SPDX-License-Identifier: Apache-2.0
// The parts of the module, and what they share.
#pragma once
#include "bindings/python/arrays.h"
#include "bindings/python/words.h"
#include "build/fem/assemble.h"
#include "build/recipe/materials.h"

#include <limber/model/model.h>
#include <limber/reduced/quartic_form.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber::python {

void add_meshes(py::module_& module);        // mesh.cpp
void add_fem(py::module_& module);           // fem.cpp
void add_solvers(py::module_& module);       // solve.cpp
void add_models(py::module_& module);        // model.cpp
void add_bodies(py::module_& module);        // body.cpp
void add_warp_bodies(py::module_& module);   // warp.cpp
void add_rigid_bodies(py::module_& module);  // rigid.cpp
void add_worlds(py::module_& module);        // world.cpp
void add_world_bodies(py::module_& module);  // world_body.cpp
void add_scenes(py::module_& module);        // scene.cpp

using FemPointer = std::shared_ptr<build::FemModel>;

// The words that make a full model of a volume mesh: fix, young, poisson, density, material, quadrature.
extern const std::vector<std::string> kBodyWords;
build::MaterialRecipe material_recipe(const Words& words);
// body: a FemModel (then no words of kBodyWords may be given), a VolumeMesh, or the name of a file.
FemPointer fem_of(const py::object& body, const Words& words);
build::MassKind mass_kind(const std::string& word);

// A model as Python holds it: with its energy polynomial, and what building it told.
struct PythonModel {
    explicit PythonModel(std::shared_ptr<const Model> frozen);
    std::shared_ptr<const Model> model;
    std::optional<QuarticForm<double>>
        energy;                // of the materials as built; none: built without the reduced energy
    QuarticEval<double> eval;  // scratch, under Python's lock
    std::vector<std::string> notes;
    std::vector<std::pair<std::string, double>> seconds;  // per stage
};

// The full model that a reduced one came from. Throws InputError if it is lean.
FemPointer full_model(const Model& model);

// Surface vertices: a vertex, several, or a SELECT.
std::vector<int> surface_vertices_of(const py::object& at, const Model& model, const std::string& where);

}  // namespace limber::python
