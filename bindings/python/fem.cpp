// SPDX-License-Identifier: Apache-2.0
// The full model: forces, stiffness and mass of all vertices.
#include "bindings/python/parts.h"
#include "bindings/python/progress.h"
#include "build/mesh_files/files.h"
#include "build/recipe/selection.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <fmt/format.h>

#include <algorithm>

namespace limber::python {

const std::vector<std::string> kBodyWords = {"fix", "young", "poisson", "density", "material", "quadrature"};

namespace {

using build::FemModel;
// Both triangles, by rows.
using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// "SELECT: young=2e6 ...", or {SELECT: {"young": 2e6, ...}}.
std::vector<std::string> material_texts(const Words& words) {
    const py::object given = words["material"];
    if (!py::isinstance<py::dict>(given)) return selections_of(given, words.where("material"));
    std::vector<std::string> texts;
    for (const auto& [select, constants] : py::dict(given)) {
        const std::string name = text_of(py::str(select), words.where("material"));
        if (!py::isinstance<py::dict>(constants))
            throw InputError{words.where("material"),
                             fmt::format("'{}' has no dictionary of constants", name),
                             "{\"x>0.5\": {\"young\": 2e6}}"};
        const std::vector<std::string> known = {"young", "poisson", "density"};
        const Words of_group(py::reinterpret_borrow<py::dict>(constants),
                             fmt::format("{} '{}'", words.where("material"), name), known);
        std::string text = name + ":";
        for (const std::string& word : known)
            if (const auto number = of_group.number(word.c_str()))
                text += fmt::format(" {}={}", word, *number);
        texts.push_back(text);
    }
    return texts;
}

std::vector<int> fixed_vertices(const Words& words, const build::VolumeMesh& mesh) {
    std::vector<int> fixed;
    for (const std::string& text : selections_of(words["fix"], words.where("fix"))) {
        const auto ids = build::select_some("fix", text, mesh);
        fixed.insert(fixed.end(), ids.begin(), ids.end());
    }
    return fixed;
}

RowMatrix both_triangles(const build::SparseMatrix& lower) {
    const build::SparseMatrix full = lower.selfadjointView<Eigen::Lower>();
    RowMatrix out = full;
    out.makeCompressed();
    return out;
}

py::array_t<double> product(const RowMatrix& matrix, const py::object& x) {
    return adopt(Eigen::VectorXd(matrix * vector_of(x, matrix.cols(), "x")));
}

py::array_t<double> dense(const RowMatrix& matrix) {
    // Symmetric: columns are rows.
    return adopt<double>(Eigen::MatrixXd(matrix), {matrix.rows(), matrix.cols()});
}

py::array_t<int> free_dofs(const FemModel& model) {
    std::vector<int> out(static_cast<std::size_t>(model.free_dofs()));
    for (int v = 0; v < model.vertex_count(); ++v)
        for (int c = 0; c < 3 && model.free_index(v) >= 0; ++c)
            out[static_cast<std::size_t>(3 * model.free_index(v) + c)] = 3 * v + c;
    const Shape shape = {static_cast<py::ssize_t>(out.size())};
    return adopt<int>(std::move(out), shape);
}

// In the shape in which u was given.
py::array_t<double> like(const py::object& u, Eigen::VectorXd values) {
    const py::ssize_t n = values.size() / 3;
    const Shape shape = py::array::ensure(u).ndim() == 2 ? Shape{n, 3} : Shape{3 * n};
    return adopt<double>(std::move(values), shape);
}

py::array_t<double> force(const FemModel& model, const py::object& u) {
    const Eigen::VectorXd displacement = vertex_vectors_of(u, model.vertex_count(), "u");
    Eigen::VectorXd out;
    without_lock([&] { build::internal_force(model, displacement, out); });
    return like(u, std::move(out));
}

RowMatrix stiffness(const FemModel& model, const py::object& u) {
    const Eigen::VectorXd displacement =
        u.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Zero(3 * model.vertex_count()))
                    : vertex_vectors_of(u, model.vertex_count(), "u");
    return without_lock([&] {
        Eigen::VectorXd unused;
        build::SparseMatrix lower;
        build::force_and_stiffness(model, displacement, unused, lower);
        return both_triangles(lower);
    });
}

double energy(const FemModel& model, const py::object& u) {
    const Eigen::VectorXd displacement = vertex_vectors_of(u, model.vertex_count(), "u");
    return without_lock([&] { return build::elastic_energy(model, displacement); });
}

void add_matrix_class(py::module_& module) {
    py::class_<RowMatrix>(
        module, "SparseMatrix",
        "A symmetric matrix as CSR arrays, both triangles, on the free degrees of freedom.\n"
        "scipy.sparse.csr_matrix((K.data, K.indices, K.indptr), K.shape) takes them.")
        .def_property_readonly("shape", [](const RowMatrix& m) { return py::make_tuple(m.rows(), m.cols()); })
        .def_property_readonly("nnz", [](const RowMatrix& m) { return m.nonZeros(); })
        .def_property_readonly("data",
                               [](const py::object& self) {
                                   const auto& m = self.cast<const RowMatrix&>();
                                   return view(m.valuePtr(), {m.nonZeros()}, self);
                               })
        .def_property_readonly("indices",
                               [](const py::object& self) {
                                   const auto& m = self.cast<const RowMatrix&>();
                                   return view(m.innerIndexPtr(), {m.nonZeros()}, self);
                               })
        .def_property_readonly("indptr",
                               [](const py::object& self) {
                                   const auto& m = self.cast<const RowMatrix&>();
                                   return view(m.outerIndexPtr(), {m.rows() + 1}, self);
                               })
        .def("toarray", &dense, "As a dense array.")
        .def("__matmul__", &product, py::arg("x"))
        .def("__repr__", [](const RowMatrix& m) {
            return fmt::format("<limber.SparseMatrix: {} x {}, {} entries>", m.rows(), m.cols(),
                               m.nonZeros());
        });
}

}  // namespace

build::MassKind mass_kind(const std::string& word) {
    return checked_choice(word, {"consistent", "lumped"}, "mass") == "lumped" ? build::MassKind::Lumped
                                                                              : build::MassKind::Consistent;
}

build::MaterialRecipe material_recipe(const Words& words) {
    build::MaterialRecipe recipe;
    recipe.young = words.number("young");
    recipe.poisson = words.number("poisson");
    recipe.density = words.number("density");
    recipe.choices = material_texts(words);
    return recipe;
}

FemPointer fem_of(const py::object& body, const Words& words) {
    if (py::isinstance<FemModel>(body)) {
        for (const std::string& word : kBodyWords)
            if (words.has(word.c_str()))
                throw InputError{words.where(word.c_str()), "the full model that was given has its own", ""};
        return body.cast<FemPointer>();
    }
    build::VolumeMesh mesh;
    if (py::isinstance<build::VolumeMesh>(body))
        mesh = body.cast<const build::VolumeMesh&>();
    else if (py::isinstance<py::str>(body) || py::hasattr(body, "__fspath__"))
        mesh = build::read_volume(path_of(body, words.where()));
    else
        throw InputError{
            words.where(),
            fmt::format("{} is neither a VolumeMesh nor a FemModel nor the name of a file", shown(body)),
            "limber.voxelize(surface) fills a surface with cubes"};
    const build::FemOptions options{
        .brick_quadrature =
            parse_quadrature(words.choice("quadrature", {kQuadratureTexts.begin(), kQuadratureTexts.end()}))
                .value_or(BrickQuadrature::Standard)};
    const build::MaterialRecipe recipe = material_recipe(words);
    std::vector<int> fixed = fixed_vertices(words, mesh);
    return without_lock([&] {
        build::MaterialMap materials = build::assign_materials(mesh, recipe);
        return std::make_shared<FemModel>(std::move(mesh), std::move(materials), std::move(fixed), options);
    });
}

void add_fem(py::module_& module) {
    add_matrix_class(module);
    py::class_<FemModel, FemPointer>(
        module, "FemModel",
        "Geometrically exact StVK finite elements of a volume mesh.\n\n"
        "FemModel(volume, *, fix=None, young=None, poisson=None, density=None, material=None,\n"
        "         quadrature='standard')\n"
        "volume: a VolumeMesh or a file. fix: SELECT, several, or vertex ids. material: {SELECT: {'young': "
        "...}}.\n"
        "Constants that are not given are the file's, else E = 1e6 Pa, nu = 0.45, 1000 kg/m^3.")
        .def(py::init([](const py::object& volume, const py::kwargs& words) {
                 return fem_of(volume, Words(words, "FemModel", kBodyWords));
             }),
             py::arg("volume"))
        .def_property_readonly(
            "mesh", [](const FemModel& m) -> const build::VolumeMesh& { return m.mesh(); },
            py::return_value_policy::reference_internal)
        .def_property_readonly(
            "fixed_vertices",
            [](const py::object& self) {
                const auto& fixed = self.cast<const FemModel&>().fixed_vertices();
                return view(fixed.data(), {static_cast<py::ssize_t>(fixed.size())}, self);
            },
            "ascending ids")
        .def_property_readonly(
            "free_dofs", &free_dofs,
            "Where each row of the matrices stands in a vector of 3n: 3 vertex + component.")
        .def_property_readonly("total_mass", &build::total_mass, "kg")
        .def("energy", &energy, py::arg("u"), "Elastic energy V(u), J.")
        .def("force", &force, py::arg("u"),
             "R(u) = dV/du in N on all vertices, in the shape of u. At fixed vertices -R is the support's "
             "force.")
        .def("stiffness", &stiffness, py::arg("u") = py::none(),
             "K(u) = dR/du in N/m on the free degrees of freedom; without u: at rest.")
        .def(
            "mass",
            [](const FemModel& model, const std::string& kind) {
                const build::MassKind mass = mass_kind(kind);
                return without_lock([&] { return both_triangles(build::mass_matrix(model, mass)); });
            },
            py::arg("kind") = "consistent", "'consistent' or 'lumped', kg, on the free degrees of freedom.")
        .def(
            "gravity_force",
            [](const FemModel& model, const py::object& acceleration) {
                const py::ssize_t n = model.vertex_count();
                return adopt<double>(build::gravity_force(model, vector3_of(acceleration, "acceleration")),
                                     {n, 3});
            },
            py::arg("acceleration"), "(n, 3), N")
        .def("__repr__", [](const FemModel& m) {
            return fmt::format("<limber.FemModel: {} vertices, {} fixed, {} elements>", m.vertex_count(),
                               m.fixed_vertices().size(), m.mesh().element_count());
        });
}

}  // namespace limber::python
