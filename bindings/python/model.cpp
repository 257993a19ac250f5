// SPDX-License-Identifier: Apache-2.0
// Reduced models: built from meshes, read and written, and their forces.
#include "bindings/python/parts.h"
#include "bindings/python/progress.h"
#include "build/file/atomic_file.h"
#include "build/recipe/full_model.h"
#include "build/recipe/recipe.h"
#include "build/scene/scene.h"
#include "limber/reduced/modes.h"

#include <limber/model/model_file.h>
#include <limber/reduced/strain_form.h>
#include <limber/shown_name.h>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <numeric>

namespace limber::python {
namespace {

using Path = std::filesystem::path;
using PythonModelPointer = std::shared_ptr<PythonModel>;

std::vector<Material> materials_of(const Model& model) {
    std::vector<Material> out;
    for (const ModelGroup& group : model.groups)
        out.push_back(group.material);
    return out;
}

const std::vector<std::string> kRecipeWords = {
    "resolution", "fill",  "tets",          "max_volume", "fix",     "young",        "poisson",   "density",
    "material",   "modes", "rank",          "basis",      "mass",    "quadrature",   "unit",      "lean",
    "method",     "up",    "surface_basis", "improve",    "domains", "domain_basis", "interfaces"};

build::RankChoice rank_choice(const Words& words) {
    if (py::isinstance<py::str>(words["rank"])) return build::parse_rank(*words.text("rank"));
    return {.rank = *words.whole_number("rank", 1, kMostRank)};
}

// How the mesh is cut, and how many coordinates each domain gets.
build::DomainsChoice domains_choice(const Words& words) {
    build::DomainsChoice out = build::parse_domains(words.text("domains").value_or(""));
    if (words.has("rank"))
        out.ranks =
            build::parse_domain_ranks(py::isinstance<py::str>(words["rank"])
                                          ? *words.text("rank")
                                          : std::to_string(*words.whole_number("rank", 1, kMostRank)));
    if (words.choice("domain_basis", {"loaded", "fixed"}) == "fixed") out.basis = build::DomainBasis::Fixed;
    return out;
}

std::optional<build::VoxelFill> fill_of(const Words& words) {
    if (!words.has("fill")) return {};
    return words.choice("fill", {"fraction", "full"}) == "full" ? build::VoxelFill::Full
                                                                : build::VoxelFill::Fraction;
}

// {"NAME": SELECT} as the texts of --interface.
std::vector<std::string> interfaces_of(const Words& words) {
    std::vector<std::string> out;
    if (!words.has("interfaces")) return out;
    const std::string where = words.where("interfaces");
    if (!py::isinstance<py::dict>(words["interfaces"]))
        throw InputError{where, "it is no dictionary", "{\"tip\": \"z > 0.99\"}"};
    for (const auto& [name, select] : py::dict(words["interfaces"])) {
        const std::string text = text_of(py::str(name), where);
        const std::vector<std::string> selections =
            selections_of(py::reinterpret_borrow<py::object>(select), where);
        if (selections.size() != 1)
            throw InputError{where,
                             fmt::format("'{}' has {} selections; it takes one", text, selections.size()),
                             "{\"tip\": \"z > 0.99\"}"};
        out.push_back(text + ": " + selections[0]);
    }
    return out;
}

build::Recipe recipe_of(const Words& words) {
    build::Recipe recipe;
    const std::map<std::string, double> metres = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}};
    recipe.metres_per_unit = metres.at(words.choice("unit", {"m", "cm", "mm", "in"}));
    const bool tets = words.flag("tets");
    if (tets && words.has("resolution"))
        throw InputError{words.where("resolution"), "it counts cubes, and tets asks for tetrahedra",
                         "max_volume bounds the size of tetrahedra"};
    if (tets && words.has("fill"))
        throw InputError{words.where("fill"), "it is about cubes, and tets asks for tetrahedra", ""};
    if (!tets && words.has("max_volume"))
        throw InputError{words.where("max_volume"), "it bounds the size of tetrahedra", "tets=True"};
    if (tets)
        recipe.filling = build::Tetrahedra{words.number("max_volume")};
    else
        recipe.filling = build::Voxels{words.whole_number("resolution", 1, 1024).value_or(0), fill_of(words)};
    recipe.fix = selections_of(words["fix"], words.where("fix"));
    recipe.materials = material_recipe(words);
    recipe.modes = words.whole_number("modes", 1, 1000);
    if (words.has("domains"))
        recipe.domains = domains_choice(words);
    else if (words.has("domain_basis"))
        throw InputError{words.where("domain_basis"), "only domains have one", "domains=\"auto:12\""};
    else if (words.has("rank"))
        recipe.rank = rank_choice(words);
    recipe.basis = build::parse_basis(words.text("basis").value_or("modal-derivatives"));
    recipe.improve = selections_of(words["improve"], words.where("improve"));
    recipe.interfaces = interfaces_of(words);
    recipe.mass = mass_kind(words.text("mass").value_or("consistent"));
    if (words.has("quadrature"))
        recipe.quadrature =
            parse_quadrature(words.choice("quadrature", {kQuadratureTexts.begin(), kQuadratureTexts.end()}));
    recipe.lean = words.flag("lean");
    if (words.has("up")) recipe.up = parse_up(words.choice("up", {"x", "y", "z", "-x", "-y", "-z"}));
    if (words.choice("surface_basis", {"float", "double"}) == "double")
        recipe.surface_basis = SurfaceBasis::Double;
    if (words.has("method")) {
        const std::string method = words.choice("method", {"both", "stvk", "warp"});
        recipe.method = method == "stvk"   ? build::MethodChoice::Stvk
                        : method == "warp" ? build::MethodChoice::Warp
                                           : build::MethodChoice::Both;
    }
    return recipe;
}

// All of it, however long.
std::string written(const py::handle& value) {
    return text_of(py::repr(value), "build");
}

// What would build it again.
std::string call_text(const std::string& mesh, const py::kwargs& given) {
    std::string text = fmt::format("limber.build({}", mesh);
    for (const auto& [key, value] : given)
        text += fmt::format(", {}={}", text_of(key, "build"), written(value));
    return text + ")";
}

build::BuildInput input_of(const py::object& mesh, build::Recipe& recipe) {
    if (py::isinstance<build::SurfaceMesh>(mesh)) return {mesh.cast<build::SurfaceMesh>(), "mesh", {}};
    if (py::isinstance<build::VolumeMesh>(mesh)) return {mesh.cast<build::VolumeMesh>(), "mesh", {}};
    if (!py::isinstance<py::str>(mesh) && !py::hasattr(mesh, "__fspath__"))
        throw InputError{
            "build",
            fmt::format("{} is neither a mesh nor the name of a file or of a built-in model", shown(mesh)),
            ""};
    const std::string name = path_of(mesh, "build").string();
    return without_lock([&] { return build::open_input(name, recipe); });
}

PythonModelPointer build_model(const py::object& mesh, const py::object& progress, const py::kwargs& given) {
    build::Recipe recipe = recipe_of(Words(given, "build", kRecipeWords));
    const build::BuildInput input = input_of(mesh, recipe);
    recipe.command = call_text(written(mesh), given);
    const build::Progress tell_python = progress_of(progress);
    return without_lock([&] {
        build::Built built = build::build_model(input, recipe, tell_python);
        auto out = std::make_shared<PythonModel>(std::move(built.model));
        out->notes = std::move(built.notes);
        out->seconds = std::move(built.seconds);
        return out;
    });
}

PythonModelPointer load(const Path& path) {
    return without_lock([&] { return std::make_shared<PythonModel>(build::load_model(path)); });
}

PythonModelPointer load_rigid(const Path& path) {
    return without_lock([&] { return std::make_shared<PythonModel>(build::load_rigid_model(path)); });
}

std::vector<std::string> save(const PythonModel& model, const Path& path, bool morph_normals) {
    if (path.extension() != ".glb")
        throw InputError{path.string(), "a model is a .glb file", path.stem().string() + ".glb"};
    return without_lock([&] {
        Result<ModelBytes> file =
            write_model(*model.model, {}, {.morph_normals = morph_normals}, path.string());
        if (!file.ok()) throw file.error();
        build::write_file(path, file.value().bytes);
        return std::move(file.value().warnings);
    });
}

const QuarticForm<double>& energy_of(const PythonModel& model) {
    if (!model.energy)
        throw InputError{shown_name(model.model->name),
                         "the model was built without the reduced energy and has no cubic forces",
                         "WarpBody, or build it with method='both'"};
    return *model.energy;
}

py::array_t<double> force(PythonModel& model, const py::object& q) {
    evaluate_force(energy_of(model), vector_of(q, model.model->rank, "q"), model.eval);
    return adopt(Eigen::VectorXd(model.eval.force));
}

py::array_t<double> stiffness(PythonModel& model, const py::object& q) {
    evaluate(energy_of(model), vector_of(q, model.model->rank, "q"), model.eval);
    // Symmetric: columns are rows.
    return adopt<double>(Eigen::MatrixXd(model.eval.stiffness), {model.model->rank, model.model->rank});
}

double energy(PythonModel& model, const py::object& q) {
    evaluate_force(energy_of(model), vector_of(q, model.model->rank, "q"), model.eval);
    return model.eval.energy;
}

py::array_t<double> mass(const PythonModel& model) {
    const Model& from = *model.model;
    // Modes to warp are mass-normalised.
    Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(from.rank, from.rank);
    if (from.stvk) sum.setZero();
    for (std::size_t g = 0; from.stvk && g < from.groups.size(); ++g)
        sum += from.groups[g].material.density * from.stvk->groups[g].mass;
    return adopt<double>(std::move(sum), {from.rank, from.rank});
}

py::list groups(const PythonModel& model) {
    py::list out;
    for (const ModelGroup& g : model.model->groups)
        out.append(py::dict(py::arg("name") = g.name, py::arg("young") = g.material.young,
                            py::arg("poisson") = g.material.poisson, py::arg("density") = g.material.density,
                            py::arg("volume") = g.volume));
    return out;
}

// Of the frozen model's parts; `self` keeps the model alive.
const Model& of(const py::object& self) {
    return *self.cast<const PythonModel&>().model;
}

py::array_t<double> warp_rows(const py::object& self, WarpRows WarpModel::*part) {
    const Model& model = of(self);
    if (!model.warp)
        throw InputError{shown_name(model.name), "the model was built without modal warping",
                         "build it with method='both'"};
    const WarpRows& rows = (*model.warp).*part;
    return view(rows.data(), {rows.rows(), rows.cols()}, self);
}

void add_arrays(py::class_<PythonModel, PythonModelPointer>& type) {
    type.def_property_readonly(
            "basis",
            [](const py::object& self) {
                if (of(self).volume.vertices.empty())
                    throw InputError{shown_name(of(self).name),
                                     "the model is lean: the basis of the volume is not in it",
                                     "build it without lean, or surface_basis"};
                return view_matrix(of(self).volume.basis, self);
            },
            "U, (3 volume vertices, r): u = basis @ q; rows 3 vertex + component. UᵀMU = 1.")
        .def_property_readonly(
            "surface_basis", [](const py::object& self) { return view_matrix(of(self).surface.basis, self); },
            "(3 surface vertices, r)")
        .def_property_readonly(
            "surface_vertices",
            [](const py::object& self) { return view_rows<double>(of(self).surface.vertices, self); },
            "(s, 3), at rest, m")
        .def_property_readonly(
            "triangles",
            [](const py::object& self) { return view_rows<std::int32_t>(of(self).surface.triangles, self); },
            "(m, 3) of the surface")
        .def_property_readonly(
            "input_vertex",
            [](const py::object& self) {
                const auto& ids = of(self).surface.input_vertex;
                return view(ids.data(), {static_cast<py::ssize_t>(ids.size())}, self);
            },
            "(s,): the vertex of the mesh that each surface vertex came from")
        .def_property_readonly(
            "frequencies_hz",
            [](const py::object& self) { return view_vector(of(self).frequencies_hz, self); },
            "of the linear modes that the basis came from")
        .def_property_readonly(
            "spectrum", [](const py::object& self) { return view_vector(of(self).spectrum, self); },
            "singular values of mass-PCA, descending; may be empty")
        .def_property_readonly(
            "warp_modes", [](const py::object& self) { return warp_rows(self, &WarpModel::surface_modes); },
            "Φ of the linear modes, (3 surface vertices, m)")
        .def_property_readonly(
            "warp_rotations",
            [](const py::object& self) { return warp_rows(self, &WarpModel::surface_rotations); },
            "Ψ, their rotation vectors (rad), (3 surface vertices, m)")
        .def_property_readonly(
            "warp_companions",
            [](const py::object& self) { return warp_rows(self, &WarpModel::surface_companions); },
            "Γ, the fields that keep the lengths of warped shapes, (3 surface vertices, k)");
}

void add_facts(py::class_<PythonModel, PythonModelPointer>& type) {
    type.def_property_readonly("name", [](const PythonModel& m) { return m.model->name; })
        .def_property_readonly(
            "rank", [](const PythonModel& m) { return m.model->rank; }, "r")
        .def_property_readonly(
            "up", [](const PythonModel& m) { return up_text(m.model->up); },
            "which way is up in its coordinates: 'x', 'y', 'z', '-x', '-y' or '-z'")
        .def_property_readonly("modes", [](const PythonModel& m) { return m.model->modes; })
        .def_property_readonly(
            "methods", [](const PythonModel& m) { return methods_of(*m.model); },
            "what a body of it can be: 'stvk' (Body), 'warp' (WarpBody)")
        .def_property_readonly(
            "interfaces",
            [](const PythonModel& m) {
                std::map<std::string, std::array<double, 3>> out;
                for (const DomainInterface& of : m.model->interfaces)
                    out[of.name] = {of.centre.x(), of.centre.y(), of.centre.z()};
                return out;
            },
            "where an assembly may attach children: name and centre, m")
        .def_property_readonly("basis_kind", [](const PythonModel& m) { return m.model->basis_kind; })
        .def_property_readonly("groups", &groups,
                               "name, young, poisson, density and volume of each material group")
        .def_property_readonly("mass", &mass, "Uᵀ M U, (r, r); the identity but for rounding")
        .def_property_readonly(
            "total_mass", [](const PythonModel& m) { return total_mass(*m.model); }, "kg")
        .def_property_readonly(
            "free_body", [](const PythonModel& m) { return m.model->free_body; }, "nothing is fixed")
        .def_property_readonly("lean", [](const PythonModel& m) { return m.model->volume.vertices.empty(); })
        .def_property_readonly("volume_vertices",
                               [](const PythonModel& m) { return m.model->volume_vertices; })
        .def_property_readonly("volume_elements",
                               [](const PythonModel& m) { return m.model->volume_elements; })
        .def_property_readonly("command", [](const PythonModel& m) { return m.model->command; })
        .def_readonly("notes", &PythonModel::notes, "what building it told")
        .def_property_readonly(
            "seconds",
            [](const PythonModel& m) {
                py::dict out;
                for (const auto& [stage, seconds] : m.seconds)
                    out[py::str(stage)] = seconds;
                return out;
            },
            "of each stage of building it")
        .def("__repr__", [](const PythonModel& m) {
            return fmt::format("<limber.Model '{}': rank {}, {} surface vertices, {} elements>",
                               m.model->name, m.model->rank, m.model->surface.vertices.size(),
                               m.model->volume_elements);
        });
}

}  // namespace

PythonModel::PythonModel(std::shared_ptr<const Model> frozen) : model(std::move(frozen)), eval(model->rank) {
    if (model->stvk)
        energy = symmetrize<double>(weighted_strain_form(*model, materials_of(*model)), model->rank);
}

FemPointer full_model(const Model& model) {
    return std::make_shared<build::FemModel>(build::full_model(model));
}

std::vector<int> surface_vertices_of(const py::object& at, const Model& model, const std::string& where) {
    if (py::isinstance<py::str>(at)) return build::select_on_model(where, text_of(at, where), model);
    const auto count = static_cast<py::ssize_t>(model.surface.vertices.size());
    if (PyIndex_Check(at.ptr()) && !py::isinstance<py::array>(at)) {
        py::list one;
        one.append(at);
        return indices_of(one, 1, count, where);
    }
    return indices_of(at, 1, count, where);
}

void add_models(py::module_& module) {
    py::class_<PythonModel, PythonModelPointer> type(
        module, "Model",
        "A reduced model: displacements u = U q, forces cubic in q. Arrays are read-only views.");
    add_facts(type);
    add_arrays(type);
    type.def("energy", &energy, py::arg("q"), "Elastic energy V(q), J.")
        .def("force", &force, py::arg("q"), "R(q) = dV/dq = Uᵀ R(Uq), (r,).")
        .def("stiffness", &stiffness, py::arg("q"), "K(q) = dR/dq = Uᵀ K(Uq) U, (r, r).")
        .def(
            "select",
            [](const PythonModel& m, const std::string& text) {
                std::vector<int> ids = build::select_on_model("select", text, *m.model);
                const Shape shape = {static_cast<py::ssize_t>(ids.size())};
                return adopt<int>(std::move(ids), shape);
            },
            py::arg("select"), "Surface vertices that a SELECT names; '#12' counts as the mesh does.")
        .def(
            "full_model", [](const PythonModel& m) { return full_model(*m.model); },
            "The FemModel that it was reduced from.")
        .def("save", &save, py::arg("path"), py::arg("morph_normals") = false,
             "Writes a .glb; returns what other programs will show wrong.");
    module.def(
        "build", &build_model, py::arg("mesh"), py::kw_only(), py::arg("progress") = py::none(),
        "From a mesh to a Model: `limber build`, with its words.\n\n"
        "build(mesh, *, resolution=None, tets=False, max_volume=None, fix=None, young=None, poisson=None,\n"
        "      density=None, material=None, modes=20, rank=30, basis='modal-derivatives',\n"
        "      mass='consistent', quadrature='standard', unit='m', lean=False, method=None, improve=None,\n"
        "      progress=None)\n"
        "improve: one or more SELECT; the static responses of a patch there join the basis, 3 vectors each.\n"
        "method: 'stvk', 'warp' or 'both'; None: both where that costs little.\n"
        "mesh: a SurfaceMesh, a VolumeMesh, a file, or the name of a built-in model. rank: a number, or\n"
        "'auto:1%'. basis: 'modal-derivatives', 'modes', 'pick:4,9', 'file:SHAPES.npy', 'sketch:FILE'.");
    module.def("load", &load, py::arg("path"), "Reads a model that limber wrote.");
    module.def("load_rigid", &load_rigid, py::arg("path"),
               "A model for rigid bodies only: of any closed surface, or one that limber wrote.");
}

}  // namespace limber::python
