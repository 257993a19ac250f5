// SPDX-License-Identifier: Apache-2.0
// The C interface under abuse: error codes, nothing changed, no crash.
#include "tests/c/abuse.h"

#include <limits>
#include <set>

namespace limber::test {
namespace {

constexpr char kScene[] = R"({"bodies": []})";

Calls<limber_model> model_calls() {
    Room& r = room();
    return {
        {"info", [&](auto* m) { return limber_model_info(m, &r.text); }},
        {"floats_count", [&](auto* m) { return limber_model_floats_count(m, 0, &r.count); }},
        {"floats", [&](auto* m) { return limber_model_floats(m, 0, r.floats, 90); }},
        {"ints_count", [&](auto* m) { return limber_model_ints_count(m, 0, &r.count); }},
        {"ints", [&](auto* m) { return limber_model_ints(m, LIMBER_INPUT_VERTICES, r.ints, 30); }},
        {"modes", [&](auto* m) { return limber_model_modes(m, nullptr, 0, r.numbers, 6, r.numbers, 36); }},
        {"derivative",
         [&](auto* m) { return limber_model_modal_derivative(m, nullptr, 0, 0, 0, r.numbers, 6); }},
        {"rayleigh",
         [&](auto* m) {
             return limber_model_rayleigh_frequency(m, nullptr, 0, r.numbers, 6, r.numbers + 6);
         }},
        {"select", [&](auto* m) { return limber_model_select(m, "all", 3, r.ints, 30, &r.count); }}};
}

Calls<limber_world> world_calls() {
    Room& r = room();
    const auto report = [] {
        static limber_step_report kept;
        return &kept;
    };
    return {
        {"apply", [](auto* w) { return limber_world_apply(w, "{}", 2); }},
        {"set_dt", [](auto* w) { return limber_world_set_dt(w, 0.01); }},
        {"clock",
         [](auto* w) {
             limber_clock clock;
             return limber_world_clock(w, &clock);
         }},
        {"step", [](auto* w) { return limber_world_step(w, 1, nullptr); }},
        {"bodies", [&](auto* w) { return limber_world_bodies(w, &r.text); }},
        {"find",
         [](auto* w) {
             std::uint32_t body = 0;
             return limber_world_find(w, "stvk", 4, &body);
         }},
        {"recording_text", [&](auto* w) { return limber_recording_text(w, &r.text); }},
        {"recording_start", [](auto* w) { return limber_recording_start(w); }},
        {"recording_stop", [&](auto* w) { return limber_recording_stop(w, &r.text); }},
        {"numbers_count", [&](auto* w) { return limber_body_numbers_count(w, 1, LIMBER_Q, &r.count); }},
        {"numbers", [&](auto* w) { return limber_body_numbers(w, 1, LIMBER_Q, r.numbers, 6); }},
        {"settings", [&](auto* w) { return limber_body_settings(w, 1, &r.text); }},
        {"inputs", [&](auto* w) { return limber_body_inputs(w, 1, &r.text); }},
        {"body_save",
         [](auto* w) {
             limber_state* state = nullptr;
             const limber_status status = limber_body_save(w, 1, &state);
             if (status == LIMBER_OK) limber_state_free(state);
             return status;
         }},
        {"model",
         [](auto* w) {
             limber_model* model = nullptr;
             const limber_status status = limber_body_model(w, 1, &model);
             if (status == LIMBER_OK) limber_model_free(model);
             return status;
         }},
        {"report", [=](auto* w) { return limber_body_report(w, 1, report()); }},
        {"constraints",
         [](auto* w) {
             limber_constraint_report constrained;
             return limber_body_constraints(w, 1, &constrained);
         }},
        {"vertices",
         [&](auto* w) {
             const std::int32_t vertex = 0;
             return limber_body_vertices(w, 1, LIMBER_POSITION, &vertex, 1, r.numbers, 3);
         }},
        {"surface", [&](auto* w) { return limber_body_surface(w, 1, r.floats, nullptr, 90); }},
        {"stiffness", [&](auto* w) { return limber_body_suggest_pull_stiffness(w, 1, 0, 0.01, r.numbers); }},
        {"balance",
         [&, report](auto* w) {
             return limber_body_balance(w, 1, nullptr, nullptr, 0, r.numbers, 6, report());
         }},
        {"replay_progress",
         [](auto* w) {
             limber_progress progress;
             return limber_replay_progress(w, &progress);
         }},
        {"replay_problem", [&](auto* w) { return limber_replay_problem(w, &r.text); }},
        {"replay_stop", [](auto* w) { return limber_replay_stop(w); }},
        {"replay_start", [](auto* w) { return limber_replay_start(w, kScene, sizeof kScene - 1); }}};
}

class CAbuse : public ::testing::Test {
 protected:
    CAbuse() : soft(soft_bytes()), box(box_bytes()) {
        world.add_models(soft, box);
        for (const std::string& input : kAddAll)
            world.apply(input);
    }
    OpenModel soft, box;
    OpenWorld world;
};

TEST_F(CAbuse, TheCallsSucceedOnGoodHandles) {
    for (const auto& [name, call] : model_calls())
        EXPECT_EQ(call(soft.handle), LIMBER_OK) << name << limber_error();
    for (const auto& [name, call] : world_calls())
        EXPECT_EQ(call(world.handle), LIMBER_OK) << name << limber_error();
}

TEST_F(CAbuse, NullFreedUnknownAndOtherHandlesAreToldApart) {
    limber_model* freed_model = nullptr;
    limber_world* freed_world = nullptr;
    ASSERT_EQ(limber_model_load(soft_bytes().data(), soft_bytes().size(), &freed_model), LIMBER_OK);
    ASSERT_EQ(limber_world_create(nullptr, &freed_world), LIMBER_OK);
    ASSERT_EQ(limber_model_free(freed_model), LIMBER_OK);
    ASSERT_EQ(limber_world_free(freed_world), LIMBER_OK);
    // Handles that take the places of the freed ones are not mistaken for them.
    const OpenWorld after, after_too;
    refuse_all<limber_model>(model_calls(), nullptr, LIMBER_NULL);
    refuse_all<limber_world>(world_calls(), nullptr, LIMBER_NULL);
    refuse_all(model_calls(), freed_model, LIMBER_BAD_HANDLE);
    refuse_all(world_calls(), freed_world, LIMBER_BAD_HANDLE);
    refuse_all(model_calls(), reinterpret_cast<limber_model*>(world.handle), LIMBER_WRONG_KIND);
    refuse_all(world_calls(), reinterpret_cast<limber_world*>(soft.handle), LIMBER_WRONG_KIND);
    int on_stack = 0;
    for (const auto address :
         {std::uintptr_t{1}, std::uintptr_t{0xffffffff}, std::uintptr_t{0x123456789abcdef},
          reinterpret_cast<std::uintptr_t>(&on_stack)}) {
        refuse_all(model_calls(), reinterpret_cast<limber_model*>(address), LIMBER_BAD_HANDLE);
        refuse_all(world_calls(), reinterpret_cast<limber_world*>(address), LIMBER_BAD_HANDLE);
    }
    EXPECT_EQ(limber_model_free(freed_model), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_world_free(freed_world), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_model_free(nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_state_free(nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_state_free(reinterpret_cast<limber_state*>(world.handle)), LIMBER_WRONG_KIND);
    EXPECT_EQ(limber_statics_free(reinterpret_cast<limber_statics*>(soft.handle)), LIMBER_WRONG_KIND);
    EXPECT_EQ(limber_shapes_free(reinterpret_cast<limber_shapes*>(soft.handle)), LIMBER_WRONG_KIND);
    EXPECT_EQ(limber_world_restore(world.handle, reinterpret_cast<limber_state*>(soft.handle)),
              LIMBER_WRONG_KIND);
    EXPECT_EQ(limber_world_add_model(world.handle, "m", 1, freed_model), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_world_step(world.handle, 1, nullptr), LIMBER_OK);
}

TEST_F(CAbuse, NoHandleIsGivenTwice) {
    std::set<limber_world*> given;
    for (int i = 0; i < 40000; ++i) {  // more than one place can be used
        limber_world* made = nullptr;
        ASSERT_EQ(limber_world_create(nullptr, &made), LIMBER_OK);
        ASSERT_TRUE(given.insert(made).second) << i;
        ASSERT_EQ(limber_world_free(made), LIMBER_OK);
    }
}

TEST_F(CAbuse, NullPointersWrongSizesAndCrookedPointersAreRefused) {
    Room& r = room();
    EXPECT_EQ(limber_fields(nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_model_load(nullptr, 10, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_model_load(soft_bytes().data(), soft_bytes().size(), nullptr), LIMBER_NULL);
    limber_model* none = nullptr;
    EXPECT_EQ(limber_model_load(nullptr, 0, &none), LIMBER_REFUSED);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(limber_world_create(nullptr, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_apply(world.handle, nullptr, 3), LIMBER_NULL);
    EXPECT_EQ(limber_world_apply(world.handle, "{}", std::numeric_limits<std::size_t>::max()),
              LIMBER_WRONG_SIZE);
    EXPECT_EQ(limber_world_clock(world.handle, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_save(world.handle, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_body_numbers(world.handle, 1, LIMBER_Q, nullptr, 6), LIMBER_NULL);
    EXPECT_EQ(limber_body_surface(world.handle, 1, nullptr, nullptr, 90), LIMBER_NULL);
    for (const std::size_t count : {std::size_t{0}, std::size_t{5}, std::size_t{7}, std::size_t{1} << 62,
                                    std::numeric_limits<std::size_t>::max()}) {
        EXPECT_EQ(limber_body_numbers(world.handle, 1, LIMBER_Q, r.numbers, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_model_floats(soft.handle, 0, r.floats, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_model_ints(soft.handle, 0, r.ints, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_body_surface(world.handle, 1, r.floats, r.floats, count), LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_model_modes(soft.handle, nullptr, 0, r.numbers, count, r.numbers, 36),
                  LIMBER_WRONG_SIZE);
        EXPECT_EQ(limber_model_modal_derivative(soft.handle, nullptr, 0, 0, 0, r.numbers, count),
                  LIMBER_WRONG_SIZE);
    }
    EXPECT_EQ(limber_body_vertices(world.handle, 1, LIMBER_POSITION, r.ints, 2, r.numbers, 3),
              LIMBER_WRONG_SIZE);
    EXPECT_EQ(limber_body_vertices(world.handle, 1, LIMBER_POSITION, nullptr, 2, r.numbers, 6), LIMBER_NULL);
    EXPECT_EQ(limber_model_select(soft.handle, "all", 3, r.ints, 2, &r.count), LIMBER_WRONG_SIZE);
    EXPECT_EQ(r.count, 30u);
    EXPECT_EQ(limber_select_points("all", 3, r.numbers, 4, r.ints, 2, &r.count), LIMBER_WRONG_SIZE);
    auto* crooked = reinterpret_cast<double*>(reinterpret_cast<char*>(r.numbers) + 1);
    EXPECT_EQ(limber_body_numbers(world.handle, 1, LIMBER_Q, crooked, 6), LIMBER_BAD_POINTER);
    EXPECT_EQ(limber_world_create(crooked, nullptr), LIMBER_BAD_POINTER);
}

TEST_F(CAbuse, UnknownArraysVerticesAndModesAreRefused) {
    Room& r = room();
    for (const std::int32_t which : {-1, 13, 1000, std::numeric_limits<std::int32_t>::min()}) {
        EXPECT_EQ(limber_body_numbers_count(world.handle, 1, which, &r.count), LIMBER_REFUSED);
        EXPECT_EQ(limber_body_numbers(world.handle, 1, which, r.numbers, 6), LIMBER_REFUSED);
        EXPECT_EQ(limber_model_floats_count(soft.handle, which, &r.count), LIMBER_REFUSED);
        EXPECT_EQ(limber_model_floats(soft.handle, which, r.floats, 90), LIMBER_REFUSED);
        EXPECT_EQ(limber_model_ints(soft.handle, which, r.ints, 30), LIMBER_REFUSED);
        EXPECT_EQ(limber_body_vertices(world.handle, 1, which, r.ints, 1, r.numbers, 3), LIMBER_REFUSED);
    }
    for (const std::int32_t vertex : {-1, 30, std::numeric_limits<std::int32_t>::max()}) {
        EXPECT_EQ(limber_body_vertices(world.handle, 1, LIMBER_POSITION, &vertex, 1, r.numbers, 3),
                  LIMBER_REFUSED);
        EXPECT_EQ(limber_body_suggest_pull_stiffness(world.handle, 1, vertex, 0.01, r.numbers),
                  LIMBER_REFUSED);
        EXPECT_EQ(limber_body_suggest_pull_stiffness(world.handle, 4, vertex, 0.01, r.numbers),
                  LIMBER_REFUSED);
    }
    EXPECT_EQ(limber_body_suggest_pull_stiffness(world.handle, 4, 0, -1, r.numbers), LIMBER_REFUSED);
    EXPECT_EQ(limber_model_modal_derivative(soft.handle, nullptr, 0, 6, 0, r.numbers, 6), LIMBER_REFUSED);
    EXPECT_EQ(limber_model_modal_derivative(soft.handle, nullptr, 0, 0, -1, r.numbers, 6), LIMBER_REFUSED);
    EXPECT_EQ(limber_model_modes(soft.handle, "{", 1, r.numbers, 6, r.numbers, 36), LIMBER_REFUSED);
    // The surface of a rigid body has no reduced energy, and no balance.
    EXPECT_EQ(limber_model_modes(box.handle, nullptr, 0, nullptr, 0, nullptr, 0), LIMBER_REFUSED);
    limber_step_report report;
    EXPECT_EQ(limber_body_balance(world.handle, 4, nullptr, nullptr, 0, nullptr, 0, &report), LIMBER_REFUSED);
    limber_statics* statics = nullptr;
    EXPECT_EQ(limber_statics_create(box.handle, &statics), LIMBER_REFUSED);
    EXPECT_EQ(limber_world_step(world.handle, -1, nullptr), LIMBER_REFUSED);
    for (const double dt : {0.0, -1.0, std::numeric_limits<double>::infinity(), kNaN})
        EXPECT_EQ(limber_world_set_dt(world.handle, dt), LIMBER_REFUSED);
    const double gravity[3] = {0, kNaN, 0};
    limber_world* none = nullptr;
    EXPECT_EQ(limber_world_create(gravity, &none), LIMBER_REFUSED);
}

TEST_F(CAbuse, RemovedBodiesAreGoneUntilTheirStateIsRestored) {
    limber_state* state = nullptr;
    ASSERT_EQ(limber_world_save(world.handle, &state), LIMBER_OK);
    world.apply(R"({"body": "stvk", "remove": true})");
    for (const auto& [name, call] : world_calls()) {
        const std::string word = name;
        if (word == "find" || word.starts_with("numbers") || word == "settings" || word == "report" ||
            word == "constraints" || word == "vertices" || word == "surface" || word == "stiffness" ||
            word == "balance" || word == "inputs" || word == "body_save") {
            EXPECT_EQ(call(world.handle), LIMBER_NO_BODY) << name;
        }
    }
    EXPECT_EQ(apply_text(world.handle, R"({"body": "stvk", "pull": null})"), LIMBER_REFUSED);
    ASSERT_EQ(limber_world_restore(world.handle, state), LIMBER_OK);
    EXPECT_EQ(world.numbers(1, LIMBER_Q).size(), 6u);
    const OpenWorld other;
    EXPECT_EQ(limber_world_restore(other.handle, state), LIMBER_REFUSED);
    ASSERT_EQ(limber_recording_start(world.handle), LIMBER_OK);
    EXPECT_EQ(limber_world_restore(world.handle, state), LIMBER_REFUSED);
    EXPECT_EQ(limber_state_free(state), LIMBER_OK);
    EXPECT_EQ(limber_world_restore(world.handle, state), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_state_free(state), LIMBER_BAD_HANDLE);
}

TEST_F(CAbuse, StatesOfOtherBodiesAndOfWorldsAreRefused) {
    limber_state *of_world = nullptr, *of_rigid = nullptr, *of_stvk = nullptr;
    EXPECT_EQ(limber_body_save(world.handle, 1, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_body_save(world.handle, 9, &of_stvk), LIMBER_NO_BODY);
    ASSERT_EQ(limber_world_save(world.handle, &of_world), LIMBER_OK);
    ASSERT_EQ(limber_body_save(world.handle, 4, &of_rigid), LIMBER_OK);
    ASSERT_EQ(limber_body_save(world.handle, 1, &of_stvk), LIMBER_OK);
    ASSERT_EQ(limber_world_step(world.handle, 5, nullptr), LIMBER_OK);
    const std::vector<double> q = world.numbers(1, LIMBER_Q), pose = world.numbers(4, LIMBER_POSE);
    EXPECT_EQ(limber_body_restore(world.handle, 1, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_body_restore(world.handle, 1, reinterpret_cast<limber_state*>(soft.handle)),
              LIMBER_WRONG_KIND);
    EXPECT_EQ(limber_body_restore(world.handle, 9, of_stvk), LIMBER_NO_BODY);
    EXPECT_EQ(limber_body_restore(world.handle, 1, of_world), LIMBER_REFUSED);
    EXPECT_EQ(limber_body_restore(world.handle, 1, of_rigid), LIMBER_REFUSED);  // it flies
    EXPECT_EQ(limber_body_restore(world.handle, 2, of_stvk), LIMBER_REFUSED);   // of another method
    EXPECT_EQ(limber_world_restore(world.handle, of_stvk), LIMBER_REFUSED);
    ASSERT_EQ(limber_recording_start(world.handle), LIMBER_OK);
    const std::vector<double> begun = world.numbers(1, LIMBER_Q);
    EXPECT_EQ(limber_body_restore(world.handle, 1, of_stvk), LIMBER_REFUSED);
    EXPECT_EQ(world.numbers(1, LIMBER_Q), begun);
    EXPECT_EQ(world.numbers(1, LIMBER_Q), q);
    EXPECT_EQ(world.numbers(4, LIMBER_POSE), pose);
    for (limber_state* state : {of_world, of_rigid, of_stvk})
        EXPECT_EQ(limber_state_free(state), LIMBER_OK);
    EXPECT_EQ(limber_body_restore(world.handle, 1, of_stvk), LIMBER_BAD_HANDLE);
}

TEST_F(CAbuse, BadInputsChangeNothing) {
    ASSERT_EQ(limber_world_step(world.handle, 5, nullptr), LIMBER_OK);
    const std::vector<double> q = world.numbers(1, LIMBER_Q);
    for (const char* input :
         {"", "{", "[]", "null", "{\"pul\": 1}", "{\"add\": {}}", "{\"add\": {\"model\": \"none\"}}",
          "{\"body\": 3}", "{\"gravity\": [0, 0, 1e999]}", "{\"gravity\": [0, 0, 1], \"body\": \"nobody\"}",
          "{\"state\": {\"q\": [1]}}",
          "{\"body\": \"rigid\", \"constraints\": {\"positions\": []}, \"state\": {}}",
          "{\"body\": \"stvk\", \"set\": {\"density\": 3}}", "\xff\xfe{}"}) {
        const limber_status status = apply_text(world.handle, input);
        EXPECT_EQ(status, LIMBER_REFUSED) << input;
    }
    const std::string deep(100000, '[');
    EXPECT_EQ(apply_text(world.handle, deep), LIMBER_REFUSED);
    EXPECT_EQ(limber_replay_start(world.handle, deep.data(), deep.size()), LIMBER_REFUSED);
    EXPECT_EQ(world.numbers(1, LIMBER_Q), q);
    limber_clock clock{};
    ASSERT_EQ(limber_world_clock(world.handle, &clock), LIMBER_OK);
    EXPECT_EQ(clock.gravity[1], -1);
}

struct Asked {
    int calls = 0;
    int fails_at = -1;
    double value = 1;
};
std::int32_t constant_field(void* user, size_t, double* out, size_t count) {
    auto& asked = *static_cast<Asked*>(user);
    if (asked.calls++ == asked.fails_at) return 1;
    for (std::size_t i = 0; i < count; ++i)
        out[i] = asked.value;
    return 0;
}

TEST(CShapes, CallbacksThatFailEndTheCall) {
    limber_shapes* shapes = nullptr;
    for (int fails_at = 0; fails_at < 6; ++fails_at) {
        Asked asked{.fails_at = fails_at};
        EXPECT_EQ(limber_shapes_create(constant_field, &asked, 6, 3, 1e-9, 4, &shapes), LIMBER_REFUSED);
        EXPECT_EQ(asked.calls, fails_at + 1);
    }
    Asked infinite{.value = std::numeric_limits<double>::infinity()};
    EXPECT_EQ(limber_shapes_create(constant_field, &infinite, 6, 3, 1e-9, 4, &shapes), LIMBER_REFUSED);
    Asked fine;
    EXPECT_EQ(limber_shapes_create(nullptr, &fine, 6, 3, 1e-9, 4, &shapes), LIMBER_NULL);
    EXPECT_EQ(limber_shapes_create(constant_field, &fine, 7, 3, 1e-9, 4, &shapes), LIMBER_WRONG_SIZE);
    EXPECT_EQ(limber_shapes_create(constant_field, &fine, std::size_t{3} << 60, 3, 1e-9, 4, &shapes),
              LIMBER_WRONG_SIZE);
    EXPECT_EQ(limber_shapes_create(constant_field, &fine, 6, 3, -1, 4, &shapes), LIMBER_REFUSED);
    EXPECT_EQ(limber_shapes_create(constant_field, &fine, 6, 3, kNaN, 4, &shapes), LIMBER_REFUSED);
    EXPECT_EQ(limber_shapes_create(constant_field, &fine, 6, 3, 1e-9, -1, &shapes), LIMBER_REFUSED);
    ASSERT_EQ(shapes, nullptr);
    ASSERT_EQ(limber_shapes_create(constant_field, &fine, 6, 3, 1e-9, 4, &shapes), LIMBER_OK);
    limber_shapes_numbers numbers{};
    ASSERT_EQ(limber_shapes_info(shapes, &numbers), LIMBER_OK);
    EXPECT_EQ(numbers.count, 1);
    EXPECT_EQ(numbers.frames, 3);
    float shape[6];
    double weights[3];
    EXPECT_EQ(limber_shapes_copy(shapes, shape, 5, weights, 3), LIMBER_WRONG_SIZE);
    ASSERT_EQ(limber_shapes_copy(shapes, shape, 6, weights, 3), LIMBER_OK);
    EXPECT_NEAR(shape[2] * weights[1], 1, 1e-6);
    EXPECT_EQ(limber_shapes_free(shapes), LIMBER_OK);
}

TEST(CStatus, EveryStatusHasAWord) {
    std::set<std::string> words;
    for (int status = LIMBER_OK; status <= LIMBER_FAILED; ++status)
        words.insert(limber_status_word(static_cast<limber_status>(status)));
    EXPECT_EQ(words.size(), 10u);
    EXPECT_STREQ(limber_status_word(static_cast<limber_status>(15)), "unknown");
}

}  // namespace
}  // namespace limber::test
