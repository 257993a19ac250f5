// SPDX-License-Identifier: Apache-2.0
// Two soft bodies fall on a floor, one on the other: prints which forces they feel until they lie still.
#include <limber/model/model_file.h>
#include <limber/world/world.h>

#include <cstdio>
#include <fstream>
#include <iterator>

int failed(const limber::InputError& error) {
    std::printf("%s: %s; try: %s\n", error.where.c_str(), error.problem.c_str(), error.try_this.c_str());
    return 1;
}

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    std::ifstream file(name, std::ios::binary);
    const auto model = limber::read_model(std::string(std::istreambuf_iterator<char>(file), {}), name);
    if (!model.ok()) return failed(model.error());
    limber::World world({.gravity = {0, 0, -9.81}});
    // The first obstacle turns contact on; a plane is solid where z < 0.
    const auto floor = world.add(limber::ObstacleDef{.name = "floor", .shape = limber::PlaneShape{}});
    if (!floor.ok()) return failed(floor.error());
    for (const char* body : {"lower", "upper"}) {
        limber::BodyDef def{.name = body, .model = model.value()};
        def.pose.position.z() = *body == 'l' ? 0.1 : 0.25;
        if (const auto added = world.add(def); !added.ok()) return failed(added.error());
    }
    for (int step = 1; step <= 2000; ++step) {
        world.step(0.001);
        if (step % 500 != 0) continue;
        for (const limber::WorldBody& body : world.bodies())  // the force is that of all its contacts
            std::printf("%.1f s %s: at %.6f m, force %.4f N, weight %.4f N%s\n", world.time(),
                        body.name().c_str(), body.rigid_state()->position.z(), body.contacts().force.z(),
                        9.81 * body.flight()->mass, body.asleep() ? ", asleep" : "");
    }
}
