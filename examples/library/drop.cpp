// SPDX-License-Identifier: Apache-2.0
// A soft body under gravity for a tenth of a second: prints its coordinates.
#include <limber/model/model_file.h>
#include <limber/world/world.h>

#include <cstdio>
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    std::ifstream file(name, std::ios::binary);
    const auto model = limber::read_model(std::string(std::istreambuf_iterator<char>(file), {}), name);
    if (!model.ok()) return std::puts(model.error().problem.c_str()), 1;
    limber::World world({.gravity = {0, 0, -9.81}});
    const auto body = world.add({.model = model.value()});
    if (!body.ok()) return std::puts(body.error().problem.c_str()), 1;
    for (int i = 0; i < 100; ++i)
        world.step(0.001);
    for (const double q : world.body(body.value())->q())
        std::printf("%.17g\n", q);
}
