// SPDX-License-Identifier: Apache-2.0
// A soft body in a window, in real time: x to the right, z up. While a mouse button is down gravity acts
// upwards. usage: window MODEL.glb
#include <SDL.h>
#include <SDL_opengl.h>
#include <limber/model/model_file.h>
#include <limber/world/world.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

constexpr double kStep = 0.001;    // s
constexpr double kLongest = 0.05;  // s of motion for one picture: a slow machine shows slow motion

// Lights and an orthographic view that holds the body at rest twice.
void look_at(const limber::ModelSurface& surface, int width, int height) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& x : surface.vertices)
        box.extend(x);
    const Eigen::Vector3d centre = box.center();
    const double half = box.diagonal().norm(), wide = half * width / height;
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_COLOR_MATERIAL);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    glColor3f(1.0f, 0.55f, 0.15f);
    glClearColor(0.1f, 0.1f, 0.12f, 1);
    glMatrixMode(GL_PROJECTION);
    glOrtho(-wide, wide, -half, half, -4 * half, 4 * half);
    glMatrixMode(GL_MODELVIEW);
    glRotated(-75, 1, 0, 0);
    glTranslated(-centre.x(), -centre.y(), -centre.z());
}

void draw(const limber::WorldBody& body) {
    static Eigen::VectorXf shape, normals;
    const limber::ModelSurface& surface = body.model()->surface;
    body.surface_shape(shape, normals);
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        shape.segment<3>(3 * static_cast<Eigen::Index>(v)) += surface.vertices[v].cast<float>();
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, shape.data());
    glNormalPointer(GL_FLOAT, 0, normals.data());
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * surface.triangles.size()), GL_UNSIGNED_INT,
                   surface.triangles.data());
}

int show(SDL_Window* window, limber::World& world, limber::BodyId id) {
    look_at(world.body(id)->model()->surface, 800, 600);
    Uint32 before = SDL_GetTicks();
    double behind = 0;  // s that the world is behind the clock
    for (;;) {
        for (SDL_Event event; SDL_PollEvent(&event);) {
            if (event.type == SDL_QUIT) return 0;
            if (event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP) {
                const double g = event.type == SDL_MOUSEBUTTONDOWN ? 9.81 : -9.81;
                if (!world.apply(limber::SetGravity{{0, 0, g}}).ok()) return 1;
            }
        }
        const Uint32 now = SDL_GetTicks();
        behind = std::min(behind + (now - before) / 1000.0, kLongest);
        before = now;
        for (; behind > kStep; behind -= kStep)
            world.step(kStep);
        draw(*world.body(id));
        SDL_GL_SwapWindow(window);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    std::ifstream file(name, std::ios::binary);
    const auto model = limber::read_model(std::string(std::istreambuf_iterator<char>(file), {}), name);
    if (!model.ok()) return std::puts(model.error().problem.c_str()), 1;
    limber::World world({.gravity = {0, 0, -9.81}});
    const auto body = world.add({.model = model.value()});
    if (!body.ok()) return std::puts(body.error().problem.c_str()), 1;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return std::puts(SDL_GetError()), 1;
    SDL_Window* window = SDL_CreateWindow("limber", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 800, 600,
                                          SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window)) return std::puts(SDL_GetError()), 1;
    const int status = show(window, world, body.value());
    SDL_Quit();
    return status;
}
