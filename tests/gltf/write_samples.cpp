// SPDX-License-Identifier: Apache-2.0
// Writes models of every kind into a folder, for programs that are not ours to judge.
//     usage: write_gltf_samples FOLDER
#include "build/domains/assembly.h"
#include "build/mesh_files/write_surface.h"
#include "build/scene/scene_gltf.h"
#include "models/models.h"
#include "tests/build/recipe/tiny_model.h"
#include "tests/limber/model/sample_model.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <tuple>

using namespace limber;

namespace {

bool save(const std::string& path, const std::string& bytes) {
    std::ofstream out(path, std::ios::binary);
    out << bytes;
    return out.flush().good();
}
bool save(const std::string& path, const Result<ModelBytes>& file) {
    if (file.ok()) return save(path, file.value().bytes);
    std::fprintf(stderr, "%s: %s\n", file.error().where.c_str(), file.error().problem.c_str());
    return false;
}

// A warped and a nonlinear bar on a support that moves, and a rigid one.
std::string moving_scene() {
    const auto list = [](std::vector<double> values) {
        return std::make_shared<const std::vector<double>>(std::move(values));
    };
    build::AnimatedNode node;
    node.moves = build::Keyframes{build::Interpolation::Linear, list({0, 1}), list({0, 0, 0, 1, 0, 0})};
    node.turns = build::Keyframes{build::Interpolation::Linear, list({0, 1}), list({0, 0, 0, 1, 0, 0, 1, 0})};
    build::Scene scene;
    scene.duration = 0.5;
    scene.dt = 0.01;
    scene.gravity = {0, 0, -9.81};
    scene.bodies.resize(2);
    for (build::SceneBody& body : scene.bodies) {
        body.model = test::tiny_model();
        body.support =
            build::Guide{{{std::make_shared<const build::NodeTree>(build::NodeTree{{node}, ""}), 0}}};
    }
    scene.bodies[0].name = "warped";
    scene.bodies[0].method = Method::Warp;
    scene.bodies[1].name = "nonlinear";
    build::SceneBody& flying = scene.bodies.emplace_back();
    flying.name = "rigid";
    flying.model = test::tiny_model();
    flying.method = Method::Rigid;
    flying.angular_velocity = {1, 2, 3};
    return build::scene_gltf(scene, build::simulate(scene), "scene.glb").bytes;
}

// Three bars on one another, two of them turned and scaled: instances of one part.
Model assembled() {
    build::Assembly assembly;
    assembly.parts = {{"bar", test::tiny_model(), false}, {"rod", test::tiny_model(), true}};
    for (const auto& [name, part, parent] :
         {std::tuple("a", 0, -1), std::tuple("b", 1, 0), std::tuple("c", 0, 1)}) {
        build::AssemblyInstance& of = assembly.instances.emplace_back();
        of.name = name;
        of.part = part;
        of.parent = parent;
        of.position = Eigen::Vector3d(1, 0.1, 0.1);
        of.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 1, 0).normalized()));
        of.scale = 0.7;
    }
    return *build::assemble(assembly, "tree").model;
}

// Every texture that a material can have.
Model with_all_textures(Model model) {
    Appearance& look = model.surface.appearance;
    look.texture_coordinates.push_back(look.texture_coordinates[0]);
    SurfaceMaterial& all = look.materials[0];
    all.metallic_roughness_texture = {0, 1};
    all.normal_texture = {0, 0};
    all.occlusion_texture = {0, 1};
    all.emissive_texture = {0, 0};
    all.alpha_mode = AlphaMode::Mask;
    return model;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    const std::string folder = std::string(argv[1]) + "/";
    Model bricks = in_floats(sample_model({.cells = 8, .rank = 6}));
    bricks.up = UpAxis::MinusX;
    const Model tets = sample_model({.cells = 8, .rank = 5, .elements = SampleElements::Tets});
    Model look = in_floats(textured(sample_model({.cells = 8, .rank = 4})));
    look.up = UpAxis::Y;
    const RecordedMotion swing = sample_motion(bricks, 49, 8);
    RecordedMotion back = sample_motion(bricks, 13, 2);
    back.name = "back";
    const bool saved =
        save(folder + "bricks.glb", write_model(bricks, {swing, back})) &&
        save(folder + "tets.glb", write_model(tets, {sample_motion(tets, 10, 3)}, {.morph_normals = true})) &&
        save(folder + "lean.glb", write_model(lean(bricks))) &&
        save(folder + "rigid.glb", write_model(without_basis(look))) &&
        save(folder + "textured.glb",
             write_model(look, {sample_motion(look, 10, 3)}, {.morph_normals = true})) &&
        save(folder + "all_textures.glb", write_model(with_all_textures(look))) &&
        save(folder + "scene.glb", moving_scene()) && save(folder + "tree.glb", write_model(assembled())) &&
        save(folder + "mesh.glb", build::glb_bytes(models::spoon(), "mesh.glb")) &&
        save(folder + "skeleton.glb", build::write_animated_glb(*models::motion("jelly-box")));
    return saved ? 0 : 1;
}
