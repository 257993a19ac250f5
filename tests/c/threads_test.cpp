// SPDX-License-Identifier: Apache-2.0
// The caller's threads through C: the bytes of a result are the same with any number of them, and whatever a
// limber_parallel_for does with its tasks.
#include "tests/c/c_models.h"

#include <limits>
#include <thread>

extern "C" void run_in_threads(void* threads, int32_t count, limber_task task, void* data);

namespace limber::test {
namespace {

// Three stacks of boxes on a floor, which are islands, and soft bodies of one model under forces.
class ParallelWorld {
 public:
    ParallelWorld(limber_parallel_for run, void* context) {
        static const OpenModel soft(soft_bytes()), box(box_bytes());
        const double gravity[3] = {0, 0, -9.81};
        EXPECT_EQ(limber_world_create_parallel(gravity, run, context, &handle_), LIMBER_OK);
        EXPECT_EQ(limber_world_add_model(handle_, "soft", 4, soft.handle), LIMBER_OK);
        EXPECT_EQ(limber_world_add_model(handle_, "box", 3, box.handle), LIMBER_OK);
        apply(R"({"add_obstacle": {"name": "floor", "shape": {"plane": {}}}})");
        for (int i = 0; i < 6; ++i) {
            const std::string stack = std::to_string(i / 2);
            const std::string place = i % 2 == 0 ? stack + ".0, 0, 0.055" : stack + ".02, 0.01, 0.16";
            apply(R"({"add": {"model": "box", "method": "rigid", "angular_velocity": [0, 0, )" + stack +
                  R"(], "position": [)" + place + "]}}");
        }
        for (const char* method : {"stvk", "stvk", "stvk", "warp", "linear"})
            apply(std::string(R"({"add": {"model": "soft", "layer": 0, "method": ")") + method + "\"}}");
        for (int i = 7; i <= 11; ++i)
            apply(R"({"body": "body)" + std::to_string(i) + R"(", "forces": [{"vertex": )" +
                  std::to_string(i) + R"(, "force": [1, 2, 0.5]}]})");
        EXPECT_EQ(limber_world_set_dt(handle_, 0.002), LIMBER_OK);
    }
    ~ParallelWorld() { limber_world_free(handle_); }
    ParallelWorld(const ParallelWorld&) = delete;
    ParallelWorld& operator=(const ParallelWorld&) = delete;

    limber_world* handle() const { return handle_; }

 private:
    void apply(const std::string& input) {
        EXPECT_EQ(apply_text(handle_, input), LIMBER_OK) << input << limber_error();
    }
    limber_world* handle_ = nullptr;
};

// Every number of the world after some steps.
std::vector<double> stepped(limber_world* world) {
    limber_steps steps{};
    EXPECT_EQ(limber_world_step(world, 60, &steps), LIMBER_OK) << limber_error();
    EXPECT_EQ(steps.not_converged, 0);
    std::size_t count = 0;
    EXPECT_EQ(limber_world_contacts_count(world, &count), LIMBER_OK);
    std::vector<double> all(count);
    EXPECT_EQ(limber_world_contacts(world, all.data(), count), LIMBER_OK);
    EXPECT_GT(count, 12u * LIMBER_CONTACT_NUMBERS);  // six boxes touch
    for (std::uint32_t body = 1; body <= 11; ++body)
        for (const auto which : {LIMBER_Q, LIMBER_V, LIMBER_POSE, LIMBER_ENERGIES, LIMBER_BODY_CONTACTS}) {
            EXPECT_EQ(limber_body_numbers_count(world, body, which, &count), LIMBER_OK) << limber_error();
            const std::size_t before = all.size();
            all.resize(before + count);
            EXPECT_EQ(limber_body_numbers(world, body, which, all.data() + before, count), LIMBER_OK);
        }
    return all;
}

std::vector<double> in_one_thread() {
    const ParallelWorld world(nullptr, nullptr);
    return stepped(world.handle());
}

TEST(CThreads, ThreadsOfAProgramInCChangeNoByte) {
    const std::vector<double> expected = in_one_thread();
    for (std::int32_t threads : {1, 2, 8}) {
        const ParallelWorld world(run_in_threads, &threads);
        EXPECT_EQ(stepped(world.handle()), expected) << threads;
    }
}

// The context is how often they were called.
void called(void* context) {
    ++*static_cast<int*>(context);
}
void does_nothing(void* context, int32_t, limber_task, void*) {
    called(context);
}
void does_every_second(void* context, int32_t count, limber_task task, void* data) {
    called(context);
    for (int32_t i = 0; i < count; i += 2)
        task(data, i);
}
void goes_backwards(void* context, int32_t count, limber_task task, void* data) {
    called(context);
    for (int32_t i = count; i-- > 0;)
        task(data, i);
}
void does_each_twice(void* context, int32_t count, limber_task task, void* data) {
    called(context);
    for (int32_t i = 0; i < 2 * count; ++i)
        task(data, i / 2);
}
void does_one_all_the_time(void* context, int32_t count, limber_task task, void* data) {
    called(context);
    for (int32_t i = 0; i < count; ++i)
        task(data, 0);
}
void goes_beyond_the_ends(void* context, int32_t count, limber_task task, void* data) {
    called(context);
    for (const int32_t i :
         {std::numeric_limits<int32_t>::min(), -1, count, std::numeric_limits<int32_t>::max()})
        task(data, i);
}
void does_all_in_four_threads_at_once(void* context, int32_t count, limber_task task, void* data) {
    called(context);
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k)
        threads.emplace_back([=] {
            for (int32_t i = 0; i < count; ++i)
                task(data, i);
        });
    for (std::thread& thread : threads)
        thread.join();
}

TEST(CThreads, CallbacksThatMiscountChangeNoByte) {
    const std::vector<double> expected = in_one_thread();
    const std::pair<const char*, limber_parallel_for> callbacks[] = {
        {"does nothing", does_nothing},
        {"does every second", does_every_second},
        {"goes backwards", goes_backwards},
        {"does each twice", does_each_twice},
        {"does one all the time", does_one_all_the_time},
        {"goes beyond the ends", goes_beyond_the_ends},
        {"does all in four threads at once", does_all_in_four_threads_at_once}};
    for (const auto& [name, run] : callbacks) {
        int calls = 0;
        const ParallelWorld world(run, &calls);
        EXPECT_EQ(stepped(world.handle()), expected) << name;
        EXPECT_GT(calls, 60) << name;
    }
}

// A clone has the callback of its original, and outlives it.
TEST(CThreads, ClonesAreSteppedBesideTheirOriginals) {
    std::int32_t threads = 2;
    limber_world* copy = nullptr;
    std::vector<double> first, second;
    {
        const ParallelWorld world(run_in_threads, &threads);
        stepped(world.handle());
        ASSERT_EQ(limber_world_clone(world.handle(), &copy), LIMBER_OK);
        std::thread other([&] { second = stepped(copy); });
        first = stepped(world.handle());
        other.join();
        EXPECT_EQ(first, second);
        first = stepped(world.handle());
    }
    EXPECT_EQ(stepped(copy), first);
    EXPECT_EQ(limber_world_free(copy), LIMBER_OK);
}

TEST(CThreads, AWorldThatIsRefusedCallsNobody) {
    int calls = 0;
    limber_world* world = nullptr;
    double gravity[4] = {0, kNaN, 0, 0};
    EXPECT_EQ(limber_world_create_parallel(gravity, does_nothing, &calls, nullptr), LIMBER_NULL);
    EXPECT_EQ(limber_world_create_parallel(gravity, does_nothing, &calls, &world), LIMBER_REFUSED);
    auto* crooked = reinterpret_cast<double*>(reinterpret_cast<char*>(gravity) + 1);
    EXPECT_EQ(limber_world_create_parallel(crooked, does_nothing, &calls, &world), LIMBER_BAD_POINTER);
    EXPECT_EQ(world, nullptr);
    ASSERT_EQ(limber_world_create_parallel(nullptr, does_nothing, &calls, &world), LIMBER_OK);
    EXPECT_EQ(limber_world_step(world, 3, nullptr), LIMBER_OK);  // there is nothing to do
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(limber_world_free(world), LIMBER_OK);
}

}  // namespace
}  // namespace limber::test
