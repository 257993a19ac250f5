// SPDX-License-Identifier: Apache-2.0
// A world that somebody plays with: two beams that are held at one end, as StVK and warped, a ball in a hand,
// and bodies that are thrown, pulled, changed, added and removed.
#pragma once
#include "tests/soak/soft_bodies.h"

#include <limber/world/world.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace limber::soak {

class Player {
 public:
    explicit Player(unsigned seed);

    World& world() { return world_; }
    // What happens before the next step, if anything does; returns what it was, or empty.
    std::string act();
    // How often each of them was done.
    const std::map<std::string, long long>& done() const { return done_; }

 private:
    void poke();
    void throw_body();
    void pull();
    void push();
    void edit_material();
    void add();
    void remove();
    void edit_contact();
    void go_back();

    double uniform(double from, double to);
    int below(int count);
    Eigen::Vector3d direction();
    const WorldBody* any_body();
    const WorldBody* any_free_body();
    void apply(const Input& input);

    std::mt19937 engine_;
    std::vector<SmallBody> kinds_;
    World world_;
    BodyId stvk_beam_, warped_beam_;
    DeviceId ball_;
    Eigen::Vector3d hand_ = Eigen::Vector3d::Zero(), goal_ = Eigen::Vector3d::Zero();
    BodyId pushed_;  // by a force that ends with the next act: in the long run it would have any speed
    WorldState saved_;
    std::map<std::string, long long> done_;
};

}  // namespace limber::soak
