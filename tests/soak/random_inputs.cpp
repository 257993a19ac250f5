// SPDX-License-Identifier: Apache-2.0
#include "tests/soak/random_inputs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace limber::soak {

using Eigen::Vector3d;

namespace {

constexpr int kMostBodies = 8;
constexpr double kHandSpeed = 2e-3;  // m per step: 2 m/s

template <class Id>
Id required(const Result<Id>& made) {
    if (!made.ok()) {
        fmt::print("refused: {}: {}\n", made.error().where, made.error().problem);
        std::exit(1);
    }
    return made.value();
}

}  // namespace

Player::Player(unsigned seed)
    : engine_(seed),
      kinds_(small_bodies(6)),
      world_({.gravity = {0, 0, -9.81}, .contact = ContactSettings{}}) {
    ObstacleDef floor;
    floor.shape = PlaneShape{};
    required(world_.add(floor));
    const std::shared_ptr<const Model> beam = held_beam(8);
    StvkSettings damped;
    damped.beta = 0.005;
    damped.integrator = StvkIntegrator::EnergyPreserving;
    damped.newton = 0;
    WarpSettings warped;
    warped.beta = 0.005;
    const Pose left{{-0.15, 0.2, 0.3}, Eigen::Quaterniond::Identity()};
    const Pose right{{-0.15, -0.2, 0.3}, Eigen::Quaterniond::Identity()};
    stvk_beam_ =
        required(world_.add(BodyDef{.name = "stvk", .model = beam, .settings = damped, .pose = left}));
    warped_beam_ = required(world_.add(
        BodyDef{.name = "warp", .model = beam, .method = Method::Warp, .settings = warped, .pose = right}));
    hand_ = goal_ = {0.1, 0, 0.5};
    ball_ = required(world_.add(
        DeviceDef{.name = "hand", .settings = {.radius = 0.03, .stiffness = 300}, .position = hand_}));
    for (int i = 0; i < 3; ++i)
        add();
    saved_ = world_.save();
}

double Player::uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
}
int Player::below(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(engine_);
}
Vector3d Player::direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(engine_), normal(engine_), normal(engine_)).normalized();
}
const WorldBody* Player::any_body() {
    return &world_.bodies()[static_cast<std::size_t>(below(static_cast<int>(world_.bodies().size())))];
}
const WorldBody* Player::any_free_body() {
    const WorldBody* body = any_body();
    return body->flies() ? body : nullptr;
}
// Every input here is sound: a refusal is a failure.
void Player::apply(const Input& input) {
    const Status status = world_.apply(input);
    if (status.ok()) return;
    fmt::print("refused: {}: {}\n", status.error().where, status.error().problem);
    std::exit(1);
}

void Player::poke() {
    goal_ = {uniform(-0.1, 0.2), uniform(-0.3, 0.3), uniform(0.02, 0.5)};
}
void Player::throw_body() {
    const WorldBody* body = any_free_body();
    if (!body) return;
    const Pose pose{{uniform(-0.1, 0.2), uniform(-0.3, 0.3), uniform(0.6, 0.9)},
                    Eigen::Quaterniond(Eigen::AngleAxisd(uniform(0, 3), direction()))};
    // Whoever throws a body lets go of it first: carried off on its spring, it would come back with ½kd².
    apply(SetSprings{body->id(), {}});
    apply(PlaceBody{body->id(), pose, uniform(0, 4) * direction(), uniform(0, 15) * direction()});
}
void Player::pull() {
    const WorldBody* body = any_body();
    SetSprings springs{body->id(), {}};
    if (below(2) == 0) {
        const int vertex = below(static_cast<int>(body->model()->surface.vertices.size()));
        springs.springs.push_back({vertex, body->position(vertex) + uniform(0, 0.1) * direction(), 50});
    }
    apply(springs);
}
void Player::push() {
    const WorldBody* body = any_body();
    const int vertex = below(static_cast<int>(body->model()->surface.vertices.size()));
    apply(SetForces{body->id(), {{vertex, uniform(0, 3) * direction()}}, {}});
    pushed_ = body->id();
}
void Player::edit_material() {
    const WorldBody* body = any_body();
    BodySettings settings = body->settings();
    if (auto* stvk = std::get_if<StvkSettings>(&settings)) {
        stvk->materials.clear();
        for (const ModelGroup& group : body->model()->groups) {
            Material material = group.material;
            material.young *= uniform(0.5, 4);
            material.poisson = uniform(0.2, 0.45);
            stvk->materials.push_back(material);
        }
    } else if (auto* warp = std::get_if<WarpSettings>(&settings)) {
        warp->young_scale = uniform(0.5, 4);
    } else if (auto* rigid = std::get_if<RigidSettings>(&settings)) {
        rigid->density = uniform(300, 3000);
    }
    apply(SetSettings{body->id(), settings});
}
void Player::add() {
    if (static_cast<int>(world_.bodies().size()) >= kMostBodies) return;
    const Pose pose{{uniform(-0.1, 0.2), uniform(-0.3, 0.3), uniform(0.9, 1.1)},
                    Eigen::Quaterniond(Eigen::AngleAxisd(uniform(0, 3), direction()))};
    const int kind = below(static_cast<int>(kinds_.size()));
    required(
        world_.add(free_body(kinds_[static_cast<std::size_t>(kind)], pose, uniform(0, 1) * direction())));
}
void Player::remove() {
    if (const WorldBody* body = any_free_body()) apply(RemoveBody{body->id()});
}
void Player::edit_contact() {
    ContactSettings settings;
    settings.friction = uniform(0, 1);
    settings.dissipation = uniform(0.3, 2);
    settings.sleep = below(2) == 0 ? Sleeping::On : Sleeping::Off;
    apply(SetContact{settings});
}
void Player::go_back() {
    if (below(2) == 0) {
        saved_ = world_.save();
        return;
    }
    if (const Status status = world_.restore(saved_); !status.ok()) {
        fmt::print("refused: {}\n", status.error().problem);
        std::exit(1);
    }
    hand_ = world_.device(ball_)->position();
}

std::string Player::act() {
    // The hand goes to its goal in a straight line.
    const Vector3d way = goal_ - hand_;
    hand_ += std::min(1.0, kHandSpeed / (way.norm() + 1e-12)) * way;
    apply(MoveDevice{ball_, hand_});
    if (below(50) != 0) return {};
    if (world_.body(pushed_)) apply(SetForces{pushed_, {}, {}});
    using Act = void (Player::*)();
    static constexpr std::pair<const char*, Act> kActs[] = {
        {"poke", &Player::poke},          {"poke", &Player::poke},
        {"throw", &Player::throw_body},   {"throw", &Player::throw_body},
        {"pull", &Player::pull},          {"push", &Player::push},
        {"edit", &Player::edit_material}, {"add", &Player::add},
        {"remove", &Player::remove},      {"contact", &Player::edit_contact},
        {"save", &Player::go_back}};
    const auto& [name, act] = kActs[below(static_cast<int>(std::size(kActs)))];
    (this->*act)();
    ++done_[name];
    return name;
}

}  // namespace limber::soak
