// SPDX-License-Identifier: Apache-2.0
// A soft body under gravity for a tenth of a second: prints its coordinates.
#include <limber/model/model_file.h>
#include <limber/version.h>
#include <limber/world/world.h>

#include <cstdio>
#include <fstream>
#include <iterator>

int main(int, char** argv) {
    std::ifstream file(argv[1], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    auto model = limber::read_model(bytes, argv[1]);
    if (!model.ok()) return std::printf("%s\n", model.error().problem.c_str()), 1;
    limber::World world({.gravity = {0, 0, -9.81}});
    const auto body = world.add({.model = model.value()});
    if (!body.ok()) return std::printf("%s\n", body.error().problem.c_str()), 1;
    for (int i = 0; i < 100; ++i)
        world.step(0.001);
    for (const double q : world.body(body.value())->q())
        std::printf("%.17g\n", q);
}
