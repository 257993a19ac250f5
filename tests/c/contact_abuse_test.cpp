// SPDX-License-Identifier: Apache-2.0
// Contact, obstacles, haptic devices, links, clones and linear statics through C under abuse: error codes,
// nothing changed, no crash.
#include "tests/c/abuse.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace limber::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Handles and numbers are opaque; a test may call any of them another kind.
template <class To>
To* as(void* handle) {
    return static_cast<To*>(handle);
}

Calls<limber_world> contact_calls() {
    Room& r = room();
    return {{"contact_settings", [&](auto* w) { return limber_world_contact_settings(w, &r.text); }},
            {"wind", [&](auto* w) { return limber_world_wind(w, &r.text); }},
            {"contact_report", [&](auto* w) { return limber_world_contact_report(w, &r.text); }},
            {"contacts_count", [&](auto* w) { return limber_world_contacts_count(w, &r.count); }},
            {"contacts", [&](auto* w) { return limber_world_contacts(w, r.numbers, 0); }},
            {"obstacles", [&](auto* w) { return limber_world_obstacles(w, &r.text); }},
            {"find_obstacle",
             [](auto* w) {
                 std::uint32_t number = 0;
                 return limber_world_find_obstacle(w, "floor", 5, &number);
             }},
            {"obstacle_inputs", [&](auto* w) { return limber_obstacle_inputs(w, 1, &r.text); }},
            {"devices", [&](auto* w) { return limber_world_devices(w, &r.text); }},
            {"find_device",
             [](auto* w) {
                 std::uint32_t number = 0;
                 return limber_world_find_device(w, "stylus", 6, &number);
             }},
            {"device_move", [&](auto* w) { return limber_device_move(w, 1, r.numbers); }},
            {"device_numbers",
             [&](auto* w) { return limber_device_numbers(w, 1, r.numbers, LIMBER_DEVICE_NUMBERS); }},
            {"save",
             [](auto* w) {
                 limber_state* state = nullptr;
                 const limber_status status = limber_world_save(w, &state);
                 if (status == LIMBER_OK) limber_state_free(state);
                 return status;
             }},
            {"clone", [](auto* w) {
                 limber_world* copy = nullptr;
                 const limber_status status = limber_world_clone(w, &copy);
                 if (status == LIMBER_OK) limber_world_free(copy);
                 return status;
             }}};
}

Calls<limber_link> link_calls() {
    Room& r = room();
    return {
        {"exchange",
         [&](auto* link) {
             std::uint32_t events = 0;
             return limber_link_exchange(link, r.numbers, r.numbers + 3, &events);
         }},
        {"read", [&](auto* link) { return limber_link_read(link, r.numbers, r.numbers + 3); }},
        {"answer", [&](auto* link) { return limber_link_answer(link, r.numbers); }},
        {"numbers", [&](auto* link) { return limber_link_numbers(link, r.numbers, LIMBER_LINK_NUMBERS); }}};
}

Calls<limber_statics> statics_calls() {
    Room& r = room();
    return {
        {"info",
         [](auto* statics) {
             limber_statics_numbers numbers;
             return limber_statics_info(statics, &numbers);
         }},
        {"coordinates",
         [&](auto* statics) {
             limber_statics_numbers numbers{};
             (void)limber_statics_info(statics, &numbers);
             return limber_statics_coordinates(statics, nullptr, nullptr, 0, r.numbers,
                                               std::size_t(numbers.rank));
         }},
        {"compliance", [&](auto* statics) { return limber_statics_compliance(statics, 0, r.numbers, 9); }},
        {"spring_force", [&](auto* statics) {
             std::int32_t is_fixed = 0;
             return limber_statics_spring_force(statics, 0, r.numbers, r.numbers + 3, &is_fixed);
         }}};
}

// A box that falls onto a floor, under a stylus.
class CContactAbuse : public ::testing::Test {
 protected:
    CContactAbuse() : soft(soft_bytes()), box(box_bytes()) {
        world.add_models(soft, box);
        world.apply(R"({"gravity": [0, 0, -9.81]})");
        world.apply(R"({"add_obstacle": {"name": "floor", "shape": {"plane": {}}}})");
        world.apply(
            R"({"add": {"name": "box", "model": "box", "method": "rigid", "position": [0, 0, 0.06]}})");
        world.apply(R"({"add_device": {"name": "stylus", "radius": 0.05, "position": [0, 0, 0.5]}})");
        EXPECT_EQ(limber_world_set_dt(world.handle, 0.002), LIMBER_OK);
        std::fill(std::begin(room().numbers), std::end(room().numbers), 0.25);
    }
    std::vector<double> contacts() const {
        std::size_t count = 0;
        EXPECT_EQ(limber_world_contacts_count(world.handle, &count), LIMBER_OK);
        std::vector<double> out(count);
        EXPECT_EQ(limber_world_contacts(world.handle, out.data(), count), LIMBER_OK) << limber_error();
        return out;
    }
    OpenModel soft, box;
    OpenWorld world;
};

TEST_F(CContactAbuse, TheCallsSucceedOnGoodHandles) {
    for (const auto& [name, call] : contact_calls())
        EXPECT_EQ(call(world.handle), LIMBER_OK) << name << limber_error();
    limber_link* link = nullptr;
    limber_statics* statics = nullptr;
    ASSERT_EQ(limber_link_create(0.001, 1, 0, 10, 5, &link), LIMBER_OK);
    ASSERT_EQ(limber_statics_create(soft.handle, &statics), LIMBER_OK);
    for (const auto& [name, call] : link_calls())
        EXPECT_EQ(call(link), LIMBER_OK) << name << limber_error();
    for (const auto& [name, call] : statics_calls())
        EXPECT_EQ(call(statics), LIMBER_OK) << name << limber_error();
    EXPECT_EQ(limber_link_free(link), LIMBER_OK);
    EXPECT_EQ(limber_statics_free(statics), LIMBER_OK);
}

TEST_F(CContactAbuse, NullFreedUnknownAndOtherHandlesAreToldApart) {
    limber_world* freed_world = nullptr;
    limber_link* freed_link = nullptr;
    limber_statics* freed_statics = nullptr;
    ASSERT_EQ(limber_world_clone(world.handle, &freed_world), LIMBER_OK);
    ASSERT_EQ(limber_link_create(0.001, 1, 0, 10, 5, &freed_link), LIMBER_OK);
    ASSERT_EQ(limber_statics_create(soft.handle, &freed_statics), LIMBER_OK);
    ASSERT_EQ(limber_world_free(freed_world), LIMBER_OK);
    ASSERT_EQ(limber_link_free(freed_link), LIMBER_OK);
    ASSERT_EQ(limber_statics_free(freed_statics), LIMBER_OK);
    refuse_bad_handles(contact_calls(), freed_world, soft.handle);
    refuse_bad_handles(link_calls(), freed_link, world.handle);
    refuse_bad_handles(statics_calls(), freed_statics, world.handle);
    EXPECT_EQ(limber_link_free(freed_link), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_link_free(nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_link_free(as<limber_link>(soft.handle)), LIMBER_WRONG_KIND);
    EXPECT_EQ(limber_statics_free(freed_statics), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_statics_free(nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_step(world.handle, 1, nullptr), LIMBER_OK);
}

TEST_F(CContactAbuse, NullPointersAndWrongSizesAreRefused) {
    Room& r = room();
    limber_world* w = world.handle;
    ASSERT_EQ(limber_world_step(w, 300, nullptr), LIMBER_OK);
    ASSERT_FALSE(contacts().empty());
    EXPECT_EQ(limber_world_contact_settings(w, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_wind(w, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_contact_report(w, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_contacts_count(w, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_contacts(w, nullptr, contacts().size()), LIMBER_NULL);
    EXPECT_EQ(limber_world_obstacles(w, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_devices(w, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_clone(w, nullptr), LIMBER_NULL);
    std::uint32_t number = 0;
    for (auto* find : {&limber_world_find_obstacle, &limber_world_find_device}) {
        EXPECT_EQ(find(w, nullptr, 5, &number), LIMBER_NULL);
        EXPECT_EQ(find(w, "floor", 5, nullptr), LIMBER_NULL);
        EXPECT_EQ(find(w, "floor", std::numeric_limits<std::size_t>::max(), &number), LIMBER_WRONG_SIZE);
        EXPECT_EQ(find(w, "", 0, &number), LIMBER_REFUSED);
        EXPECT_EQ(find(w, "box", 3, &number), LIMBER_REFUSED);  // a body
    }
    EXPECT_EQ(number, 0u);
    EXPECT_EQ(limber_device_move(w, 1, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_device_numbers(w, 1, nullptr, LIMBER_DEVICE_NUMBERS), LIMBER_NULL);
    limber_link* link = nullptr;
    limber_statics* statics = nullptr;
    ASSERT_EQ(limber_link_create(0.001, 1, 0, 10, 5, &link), LIMBER_OK);
    ASSERT_EQ(limber_statics_create(soft.handle, &statics), LIMBER_OK);
    std::uint32_t events = 0;
    std::int32_t is_fixed = 0;
    EXPECT_EQ(limber_link_create(0.001, 1, 0, 10, 5, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_link_exchange(link, r.numbers, nullptr, &events), LIMBER_NULL);
    EXPECT_EQ(limber_link_exchange(link, r.numbers, r.numbers, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_link_read(link, nullptr, r.numbers), LIMBER_NULL);
    EXPECT_EQ(limber_link_read(link, r.numbers, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_link_answer(link, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_statics_create(soft.handle, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_statics_info(statics, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_statics_compliance(statics, 0, nullptr, 9), LIMBER_NULL);
    EXPECT_EQ(limber_statics_spring_force(statics, 0, nullptr, r.numbers, &is_fixed), LIMBER_NULL);
    EXPECT_EQ(limber_statics_spring_force(statics, 0, r.numbers, nullptr, &is_fixed), LIMBER_NULL);
    EXPECT_EQ(limber_statics_spring_force(statics, 0, r.numbers, r.numbers, nullptr), LIMBER_NULL);
    for (const std::size_t count : {std::size_t{0}, std::size_t{7}, contacts().size() + 1,
                                    std::size_t{1} << 62, std::numeric_limits<std::size_t>::max()}) {
        EXPECT_EQ(limber_world_contacts(w, r.numbers, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_device_numbers(w, 1, r.numbers, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_link_numbers(link, r.numbers, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_statics_compliance(statics, 0, r.numbers, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_statics_coordinates(statics, nullptr, nullptr, 0, r.numbers, count),
                  LIMBER_WRONG_SIZE);
    }
    auto* crooked = reinterpret_cast<double*>(reinterpret_cast<char*>(r.numbers) + 1);
    EXPECT_EQ(limber_device_move(w, 1, crooked), LIMBER_BAD_POINTER);
    EXPECT_EQ(limber_link_answer(link, crooked), LIMBER_BAD_POINTER);
    EXPECT_EQ(limber_statics_compliance(statics, 0, crooked, 9), LIMBER_BAD_POINTER);
    EXPECT_EQ(limber_link_free(link), LIMBER_OK);
    EXPECT_EQ(limber_statics_free(statics), LIMBER_OK);
}

TEST_F(CContactAbuse, UnknownNumbersVerticesAndValuesAreRefused) {
    Room& r = room();
    for (const std::uint32_t device : {0u, 2u, 0xffffffffu}) {
        EXPECT_EQ(limber_device_move(world.handle, device, r.numbers), LIMBER_REFUSED);
        EXPECT_EQ(limber_device_numbers(world.handle, device, r.numbers, LIMBER_DEVICE_NUMBERS),
                  LIMBER_REFUSED);
    }
    limber_link* link = nullptr;
    for (const double bad : {0.0, -1.0, kInfinity, kNaN})
        EXPECT_EQ(limber_link_create(bad, 1, 0, 10, 5, &link), LIMBER_REFUSED) << bad;
    for (const double bad : {-1.0, kInfinity, kNaN}) {
        EXPECT_EQ(limber_link_create(0.001, bad, 0, 10, 5, &link), LIMBER_REFUSED) << bad;
        EXPECT_EQ(limber_link_create(0.001, 1, bad, 10, 5, &link), LIMBER_REFUSED) << bad;
        EXPECT_EQ(limber_link_create(0.001, 1, 0, 10, bad, &link), LIMBER_REFUSED) << bad;
    }
    EXPECT_EQ(link, nullptr);
    limber_statics* statics = nullptr;
    ASSERT_EQ(limber_statics_create(soft.handle, &statics), LIMBER_OK);
    limber_statics_numbers numbers{};
    ASSERT_EQ(limber_statics_info(statics, &numbers), LIMBER_OK);
    std::int32_t is_fixed = 0;
    const double force[3] = {1, 0, 0}, bad_force[3] = {kNaN, 0, 0};
    for (const std::int32_t vertex : {-1, 30, std::numeric_limits<std::int32_t>::max()}) {
        EXPECT_EQ(limber_statics_compliance(statics, vertex, r.numbers, 9), LIMBER_REFUSED);
        EXPECT_EQ(limber_statics_spring_force(statics, vertex, force, r.numbers, &is_fixed), LIMBER_REFUSED);
        EXPECT_EQ(
            limber_statics_coordinates(statics, &vertex, force, 1, r.numbers, std::size_t(numbers.rank)),
            LIMBER_REFUSED);
    }
    const std::int32_t vertex = 0;
    EXPECT_EQ(
        limber_statics_coordinates(statics, &vertex, bad_force, 1, r.numbers, std::size_t(numbers.rank)),
        LIMBER_REFUSED);
    EXPECT_EQ(limber_statics_free(statics), LIMBER_OK);
}

TEST_F(CContactAbuse, BadInputsOfContactObstaclesAndDevicesChangeNothing) {
    ASSERT_EQ(limber_world_step(world.handle, 300, nullptr), LIMBER_OK);
    const std::vector<double> before = contacts();
    const char* text = nullptr;
    ASSERT_EQ(limber_world_obstacles(world.handle, &text), LIMBER_OK);
    const std::string obstacles = text;
    ASSERT_EQ(limber_world_devices(world.handle, &text), LIMBER_OK);
    const std::string devices = text;
    for (const char* input :
         {R"({"contact": {"friction": -1}})", R"({"contact": {"stiffness": 0}})", R"({"contact": 7})",
          R"({"add_obstacle": {"shape": {"plane": {}}, "name": "floor"}})",
          R"({"add_obstacle": {"shape": {"blob": {}}}})",
          R"({"add_obstacle": {"shape": {"sphere": {"radius": -1}}}})",
          R"({"obstacle": "wall", "remove": true})",
          R"({"obstacle": "floor", "place": {"rotation": [0, 0, 0, 0]}})",
          R"({"obstacle": "floor", "pull": null})", R"({"add_device": {"radius": 0}})",
          R"({"add_device": {"name": "stylus"}})", R"({"device": "pen", "move": [0, 0, 0]})",
          R"({"device": "stylus", "move": [0, 0]})", R"({"device": "stylus", "set": {"stiffness": -5}})"})
        EXPECT_EQ(apply_text(world.handle, input), LIMBER_REFUSED) << input;
    EXPECT_EQ(contacts(), before);
    ASSERT_EQ(limber_world_obstacles(world.handle, &text), LIMBER_OK);
    EXPECT_EQ(obstacles, text);
    ASSERT_EQ(limber_world_devices(world.handle, &text), LIMBER_OK);
    EXPECT_EQ(devices, text);
}

TEST_F(CContactAbuse, RemovedObstaclesAndDevicesAreGoneAndTheirNumbersNotGivenAgain) {
    std::uint32_t floor = 0, stylus = 0, again = 0;
    ASSERT_EQ(limber_world_find_obstacle(world.handle, "floor", 5, &floor), LIMBER_OK);
    ASSERT_EQ(limber_world_find_device(world.handle, "stylus", 6, &stylus), LIMBER_OK);
    world.apply(R"({"obstacle": "floor", "remove": true})");
    world.apply(R"({"device": "stylus", "remove": true})");
    EXPECT_EQ(limber_world_find_obstacle(world.handle, "floor", 5, &again), LIMBER_REFUSED);
    EXPECT_EQ(limber_world_find_device(world.handle, "stylus", 6, &again), LIMBER_REFUSED);
    EXPECT_EQ(limber_device_move(world.handle, stylus, room().numbers), LIMBER_REFUSED);
    world.apply(R"({"add_obstacle": {"name": "floor", "shape": {"plane": {}}}})");
    ASSERT_EQ(limber_world_find_obstacle(world.handle, "floor", 5, &again), LIMBER_OK);
    EXPECT_NE(again, floor);
}

TEST_F(CContactAbuse, ACloneGoesOnBitByBitAndBelongsToItself) {
    ASSERT_EQ(limber_world_step(world.handle, 100, nullptr), LIMBER_OK);
    limber_world* copy = nullptr;
    limber_state* state = nullptr;
    ASSERT_EQ(limber_world_clone(world.handle, &copy), LIMBER_OK);
    ASSERT_EQ(limber_world_save(world.handle, &state), LIMBER_OK);
    EXPECT_EQ(limber_world_restore(copy, state), LIMBER_REFUSED);  // of another world
    ASSERT_EQ(limber_state_free(state), LIMBER_OK);
    ASSERT_EQ(limber_world_step(copy, 200, nullptr), LIMBER_OK);
    ASSERT_EQ(limber_world_step(world.handle, 200, nullptr), LIMBER_OK);
    for (const std::int32_t which : {LIMBER_POSE, LIMBER_MOMENTA, LIMBER_BODY_CONTACTS}) {
        std::size_t count = 0;
        ASSERT_EQ(limber_body_numbers_count(copy, 1, which, &count), LIMBER_OK);
        std::vector<double> out(count);
        ASSERT_EQ(limber_body_numbers(copy, 1, which, out.data(), count), LIMBER_OK);
        EXPECT_EQ(out, world.numbers(1, which));
    }
    std::vector<double> same(contacts().size());
    ASSERT_EQ(limber_world_contacts(copy, same.data(), same.size()), LIMBER_OK);
    EXPECT_EQ(same, contacts());
    // The models came with it.
    EXPECT_EQ(apply_text(copy, R"({"add": {"model": "box", "method": "rigid", "position": [0, 0, 2]}})"),
              LIMBER_OK);
    std::uint32_t body = 0;
    EXPECT_EQ(limber_world_find(world.handle, "body2", 5, &body), LIMBER_NO_BODY);
    EXPECT_EQ(limber_world_free(copy), LIMBER_OK);
    EXPECT_EQ(limber_world_step(world.handle, 1, nullptr), LIMBER_OK);
}

}  // namespace
}  // namespace limber::test
