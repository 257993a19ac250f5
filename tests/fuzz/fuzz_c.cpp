// SPDX-License-Identifier: Apache-2.0
// Random sequences of calls of the C interface: handles that live, were freed, are of another kind or were
// never given; sizes and texts that fit and that do not. Nothing may crash, and what succeeds is finite.
#include "bindings/c/limber.h"
#include "tests/limber/world/test_world.h"

#include <limber/model/model_file.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

// The bytes of the fuzzer as choices; zeros where they end.
class Choices {
 public:
    Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
    bool over() const { return at_ == end_; }
    unsigned below(unsigned count) { return (over() ? 0u : *at_++) % count; }
    template <class T>
    T among(const std::vector<T>& list) {
        return list[below(static_cast<unsigned>(list.size()))];
    }
    double number() {
        return among<double>({0, 0.01, -1, 1, 3.5, 1e-300, 1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()});
    }

 private:
    const std::uint8_t *at_, *end_;
};

const std::string& model_bytes(bool rigid) {
    const auto bytes_of = [](const limber::Model& model) { return limber::write_model(model).value().bytes; };
    static const std::string soft = bytes_of(*limber::test::soft_model(3));
    static const std::string box = [&] {
        limber::Model model = *limber::test::box_model({0.3, 0.2, 0.1});
        model.groups.emplace_back().name = "all";
        return bytes_of(model);
    }();
    return rigid ? box : soft;
}

const std::vector<std::string> kInputs = {
    R"({"add": {"model": "a"}})",
    R"({"add": {"name": "w", "model": "a", "method": "warp"}})",
    R"({"add": {"name": "l", "model": "a", "method": "linear", "position": [1, 0, 0]}})",
    R"({"add": {"name": "r", "model": "b", "method": "rigid", "angular_velocity": [1, 9, 0]}})",
    R"({"body": "body1", "remove": true})",
    R"({"remove": true})",
    R"({"gravity": [0, 0, -1]})",
    R"({"body": "w", "constraints": {"positions": [{"vertex": 3, "displacement": [0.1, 0, 0]}], "smoothing": 0.1}})",
    R"({"body": "w", "constraints": {"orientations": [{"vertex": 3, "orientation": [0, 0, 0.6, 0.8]}]}})",
    R"({"constraints": null})",
    R"({"pull": {"vertex": 3, "target": [1, 0, 0], "stiffness": 1000}})",
    R"({"pull": null, "forces": [{"vertex": 2, "force": [1, 2, 3]}]})",
    R"({"body": "body1", "set": {"rank": 2, "integrator": "energy", "materials": {"soft": {"young": 10}}}})",
    R"({"body": "body1", "state": {"q": [1e5, 0, 0], "v": [1e9, 0, 0]}})",
    R"({"body": "r", "place": {"position": [0, 0, 1e300], "angular_velocity": [1e150, 0, 0]}})",
    R"({"support": {"angular_velocity": [0, 0, 3]}})",
    R"({"shake": {"direction": [1, 0, 0], "amplitude": 0.1, "hz": 3}})",
    R"({"contact": {"friction": 0.5, "self": true}})",
    R"({"contact": null})",
    R"({"wind": {"velocity": [3, 0, 1], "gusts": 0.5}})",
    R"({"body": "w", "set": {"step": "semi-implicit"}})",
    R"({"body": "body1", "set": {"friction": 2, "layer": 3}})",
    R"({"add_obstacle": {"name": "floor", "shape": {"plane": {}}, "position": [0, 0, -0.2]}})",
    R"({"add_obstacle": {"name": "ball", "shape": {"sphere": {"radius": 0.3}}, "layer": 2}})",
    R"({"obstacle": "ball", "place": {"position": [0, 0, 0.1], "velocity": [0, 0, 1]}})",
    R"({"obstacle": "ball", "shake": {"direction": [0, 0, 1], "amplitude": 1, "hz": 5}})",
    R"({"obstacle": "floor", "remove": true})",
    R"({"add_device": {"name": "d", "radius": 0.1, "position": [0, 0, 0.4]}})",
    R"({"device": "d", "move": [0, 0, 0]})",
    R"({"device": "d", "set": {"stiffness": 1e6}})",
    R"({"device": "d", "remove": true})",
    R"({"body": 1})",
    "{",
    ""};

std::int32_t random_field(void* user, size_t frame, double* out, size_t count) {
    auto& choices = *static_cast<Choices*>(user);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = 0.1 * double(choices.below(20)) * double(frame);
    return choices.below(9) == 8;
}

// Runs of a step by a caller who does not count right.
void random_run(void* context, std::int32_t count, limber_task task, void* data) {
    const int way = *static_cast<const int*>(context);
    for (std::int32_t i = 0; way > 0 && i < way * count / 2; ++i)
        task(data, way == 3 ? -i : i);
}

class Run {
 public:
    explicit Run(Choices choices) : in_(choices) {}
    ~Run() {
        for (void* handle : handles_)
            for (auto end : {free_model, free_world, free_state, free_statics, free_shapes, free_link})
                end(handle);
    }
    void go() {
        if (in_.below(8) > 0) a_whole_world();
        for (int calls = 0; calls < 60 && !in_.over(); ++calls)
            call();
    }

 private:
    static void free_model(void* h) { limber_model_free(static_cast<limber_model*>(h)); }
    static void free_world(void* h) { limber_world_free(static_cast<limber_world*>(h)); }
    static void free_state(void* h) { limber_state_free(static_cast<limber_state*>(h)); }
    static void free_statics(void* h) { limber_statics_free(static_cast<limber_statics*>(h)); }
    static void free_shapes(void* h) { limber_shapes_free(static_cast<limber_shapes*>(h)); }

    static void free_link(void* h) { limber_link_free(static_cast<limber_link*>(h)); }

    // Mostly of the right kind, alive or freed; else any other, none, a guess, or an address.
    template <class T>
    T* handle() {
        const std::vector<void*>& own = made<T>();
        const unsigned way = in_.below(12);
        if (way < 8) return own.empty() ? nullptr : static_cast<T*>(in_.among(own));
        if (way == 8) return reinterpret_cast<T*>(std::uintptr_t{in_.below(256)} << 18 | in_.below(8));
        if (way == 9) return reinterpret_cast<T*>(this);
        return handles_.empty() ? nullptr : static_cast<T*>(in_.among(handles_));
    }
    template <class T>
    std::vector<void*>& made() {
        if constexpr (std::is_same_v<T, limber_model>) return models_;
        if constexpr (std::is_same_v<T, limber_world>) return worlds_;
        if constexpr (std::is_same_v<T, limber_state>) return states_;
        if constexpr (std::is_same_v<T, limber_statics>) return statics_;
        if constexpr (std::is_same_v<T, limber_shapes>) return shapes_;
        if constexpr (std::is_same_v<T, limber_link>) return links_;
    }
    template <class T>
    void keep(limber_status status, T* handle) {
        if (status != LIMBER_OK) return;
        handles_.push_back(handle);
        made<T>().push_back(handle);
    }
    std::size_t size(std::size_t good) {
        return in_.among<std::size_t>({good, good, good, good, 0, good + 1, std::size_t{1} << 62});
    }
    // Numbers that a call wrote must be finite.
    void check(limber_status status, const std::vector<double>& numbers) {
        if (status != LIMBER_OK) return;
        for (const double x : numbers)
            if (!std::isfinite(x)) std::abort();
    }

    void call() {
        switch (in_.below(10)) {
            case 0:
                return make();
            case 1:
                return change();
            case 2:
                return change();
            case 3:
                return read_body();
            case 4:
                return record();
            case 5:
                return read_model();
            case 6:
                return numerics();
            case 7:
                return read_contacts();
            case 8:
                return use_link();
            default:
                return end();
        }
    }

    void make() {
        const std::string& bytes = model_bytes(in_.below(2) == 1);
        limber_model* model = nullptr;
        limber_world* world = nullptr;
        limber_state* state = nullptr;
        limber_statics* statics = nullptr;
        limber_shapes* shapes = nullptr;
        limber_link* link = nullptr;
        const double gravity[3] = {0, in_.number(), 0};
        switch (in_.below(10)) {
            case 0:
                return keep(
                    limber_model_load(bytes.data(), in_.below(4) ? bytes.size() : in_.below(200), &model),
                    model);
            case 1:
                return keep(limber_world_create(in_.below(2) ? gravity : nullptr, &world), world);
            case 2:
                return keep(limber_world_save(handle<limber_world>(), &state), state);
            case 3:
                return keep(limber_statics_create(handle<limber_model>(), &statics), statics);
            case 4:
                return keep(limber_shapes_create(random_field, &in_, 6 + in_.below(2), in_.below(6),
                                                 in_.number(), int(in_.below(5)) - 1, &shapes),
                            shapes);
            case 7:
                return keep(limber_body_save(handle<limber_world>(), in_.below(6), &state), state);
            case 8:
                return keep(create_parallel(gravity, &world), world);
            case 5:
                return keep(limber_world_clone(handle<limber_world>(), &world), world);
            case 6:
                return keep(limber_link_create(in_.number(), in_.number(), in_.number(), in_.number(),
                                               in_.number(), &link),
                            link);
            default:
                return a_whole_world();
        }
    }
    limber_status create_parallel(const double* gravity, limber_world** world) {
        static int ways[] = {0, 1, 2, 3, 4};
        const unsigned way = in_.below(6);
        return limber_world_create_parallel(gravity, way < 5 ? random_run : nullptr, &ways[way % 5], world);
    }
    // Most sequences would have no world with bodies otherwise.
    void a_whole_world() {
        limber_world* world = nullptr;
        keep(in_.below(4) == 0 ? create_parallel(nullptr, &world) : limber_world_create(nullptr, &world),
             world);
        for (const bool rigid : {false, true}) {
            limber_model* model = nullptr;
            keep(limber_model_load(model_bytes(rigid).data(), model_bytes(rigid).size(), &model), model);
            (void)limber_world_add_model(world, rigid ? "b" : "a", 1, model);
        }
        (void)limber_world_set_dt(world, 0.01);
        const bool touches = in_.below(2) == 1;
        for (const std::string& input : kInputs)
            if (&input < &kInputs[4] || (touches && input.find("add_") == 2))
                (void)limber_world_apply(world, input.data(), input.size());
    }

    void change() {
        auto* world = handle<limber_world>();
        switch (in_.below(7)) {
            case 0: {
                const std::string name = in_.among<std::string>({"a", "b", ""});
                return void(limber_world_add_model(world, name.data(), name.size(), handle<limber_model>()));
            }
            case 1:
                return void(limber_world_set_dt(world, in_.number()));
            case 2:
                return void(limber_world_step(world, int(in_.below(5)) - 1, nullptr));
            case 3:
                return void(limber_world_restore(world, handle<limber_state>()));
            case 4:
                return void(limber_body_restore(world, in_.below(6), handle<limber_state>()));
            default: {
                std::string input = in_.among(kInputs);
                if (in_.below(8) == 0 && !input.empty())
                    input[in_.below(unsigned(input.size()))] = char(in_.below(256));
                return void(limber_world_apply(world, input.data(), input.size()));
            }
        }
    }

    void read_body() {
        auto* world = handle<limber_world>();
        const auto body = in_.among<std::uint32_t>({1, 2, 3, 4, 5, 0, 0xffffffff});
        const int which = int(in_.below(15)) - 1;
        std::size_t count = 0;
        const char* text = nullptr;
        limber_step_report report;
        limber_constraint_report constrained;
        std::vector<float> floats(2000);
        std::vector<std::int32_t> vertices = {int(in_.below(40)) - 1, 0};
        std::vector<double> out(6), forces(6, in_.number());
        switch (in_.below(9)) {
            case 7:
                return void(limber_body_inputs(world, body, &text));
            case 0: {
                if (limber_body_numbers_count(world, body, which, &count) != LIMBER_OK) return;
                out.resize(count);
                // A step that no explicit scheme limits is infinite.
                const limber_status read = limber_body_numbers(world, body, which, out.data(), size(count));
                return which == LIMBER_STABLE_DT || which == LIMBER_SPRING_FORCES ? void() : check(read, out);
            }
            case 1:
                return void(limber_body_settings(world, body, &text));
            case 2:
                return void(limber_body_report(world, body, &report));
            case 3:
                return void(limber_body_constraints(world, body, &constrained));
            case 4:
                return check(
                    limber_body_vertices(world, body, in_.below(5), vertices.data(), 2, out.data(), size(6)),
                    out);
            case 5:
                return void(limber_body_surface(world, body, in_.below(2) ? floats.data() : nullptr,
                                                in_.below(2) ? floats.data() : nullptr,
                                                in_.among<std::size_t>({90, 24, 0})));
            case 6:
                return void(
                    limber_body_suggest_pull_stiffness(world, body, vertices[0], in_.number(), out.data()));
            default:
                return void(limber_body_balance(world, body, vertices.data(), forces.data(), 2, out.data(),
                                                in_.among<std::size_t>({3, 5, 0}), &report));
        }
    }

    void read_contacts() {
        auto* world = handle<limber_world>();
        const std::string name = in_.among<std::string>({"floor", "ball", "d", "body1", ""});
        const auto device = in_.among<std::uint32_t>({1, 2, 0, 0xffffffff});
        std::size_t count = 0;
        std::uint32_t number = 0;
        const char* text = nullptr;
        std::vector<double> out(LIMBER_DEVICE_NUMBERS);
        const double position[3] = {in_.number(), 0.1, in_.number()};
        switch (in_.below(11)) {
            case 10:
                return void(limber_obstacle_inputs(world, device, &text));
            case 8:
                return void(limber_world_contact_settings(world, &text));
            case 9:
                return void(limber_world_wind(world, &text));
            case 0:
                return void(limber_world_contact_report(world, &text));
            case 1: {
                if (limber_world_contacts_count(world, &count) != LIMBER_OK) return;
                out.resize(count);
                return check(limber_world_contacts(world, out.data(), size(count)), out);
            }
            case 2:
                return void(limber_world_obstacles(world, &text));
            case 3:
                return void(limber_world_find_obstacle(world, name.data(), name.size(), &number));
            case 4:
                return void(limber_world_devices(world, &text));
            case 5:
                return void(limber_world_find_device(world, name.data(), name.size(), &number));
            case 6:
                return check(limber_device_numbers(world, device, out.data(), size(out.size())), out);
            default:
                return void(limber_device_move(world, device, position));
        }
    }

    void use_link() {
        auto* link = handle<limber_link>();
        std::vector<double> out(LIMBER_LINK_NUMBERS), place(4);
        const double given[3] = {in_.number(), in_.number(), 0};
        std::uint32_t events = 0;
        switch (in_.below(4)) {
            case 0:
                return check(limber_link_exchange(link, given, place.data(), &events), place);
            case 1:
                return check(limber_link_read(link, place.data(), &place[3]), place);
            case 2:
                return void(limber_link_answer(link, given));
            default:
                return void(limber_link_numbers(link, out.data(), size(out.size())));
        }
    }

    void record() {
        auto* world = handle<limber_world>();
        const char* text = nullptr;
        limber_progress progress;
        switch (in_.below(7)) {
            case 0:
                return void(limber_recording_start(world));
            case 1:
                if (limber_recording_stop(world, &text) == LIMBER_OK) scene_ = text;
                return;
            case 2:
                return void(limber_recording_text(world, &text));
            case 3:
                return void(limber_replay_start(world, scene_.data(), scene_.size()));
            case 4:
                return void(limber_replay_progress(world, &progress));
            case 5:
                return void(limber_replay_problem(world, &text));
            default:
                return void(limber_replay_stop(world));
        }
    }

    void read_model() {
        auto* model = handle<limber_model>();
        const int which = int(in_.below(10)) - 1;
        std::size_t count = 0;
        const char* text = nullptr;
        switch (in_.below(4)) {
            case 0:
                return void(limber_model_info(model, &text));
            case 1: {
                if (limber_model_floats_count(model, which, &count) != LIMBER_OK) return;
                std::vector<float> out(count);
                return void(limber_model_floats(model, which, out.data(), size(count)));
            }
            case 2: {
                if (limber_model_ints_count(model, which, &count) != LIMBER_OK) return;
                std::vector<std::int32_t> out(count);
                return void(limber_model_ints(model, which, out.data(), size(count)));
            }
            default: {
                const std::string select =
                    in_.among<std::string>({"all", "x>0", "#1-5", "near:0,0,0", "@a", "("});
                std::vector<std::int32_t> out(30);
                const std::size_t room = in_.among<std::size_t>({30, 0});
                return void(
                    limber_model_select(model, select.data(), select.size(), out.data(), room, &count));
            }
        }
    }

    void numerics() {
        auto* model = handle<limber_model>();
        auto* statics = handle<limber_statics>();
        auto* shapes = handle<limber_shapes>();
        std::vector<double> out(64), more(9, in_.number());
        std::vector<float> floats(60);
        limber_statics_numbers about;
        limber_shapes_numbers found;
        std::int32_t fixed = 0;
        const std::int32_t vertex = int(in_.below(40)) - 1;
        switch (in_.below(8)) {
            case 0:
                return void(limber_model_modes(model, nullptr, 0, out.data(), size(3), more.data(), size(9)));
            case 1:
                return void(limber_model_modal_derivative(model, "{}", 2, vertex, 0, out.data(), size(3)));
            case 2:
                return void(limber_model_rayleigh_frequency(model, "{", in_.below(2), more.data(), size(3),
                                                            out.data()));
            case 3:
                return void(limber_statics_info(statics, &about));
            case 4:
                return void(
                    limber_statics_coordinates(statics, &vertex, more.data(), 1, out.data(), in_.below(9)));
            case 5:
                return void(limber_statics_compliance(statics, vertex, out.data(), size(9)));
            case 6:
                return void(limber_statics_spring_force(statics, vertex, more.data(), out.data(), &fixed));
            default:
                if (limber_shapes_info(shapes, &found) != LIMBER_OK) return;
                return void(limber_shapes_copy(shapes, floats.data(), size(std::size_t(found.count) * 6),
                                               out.data(), std::size_t(found.count * found.frames)));
        }
    }

    void end() {
        if (handles_.empty()) return;
        void* which = in_.among(handles_);
        in_.among<void (*)(void*)>(
            {free_model, free_world, free_state, free_statics, free_shapes, free_link})(which);
    }

    Choices in_;
    std::vector<void*> handles_, models_, worlds_, states_, statics_, shapes_, links_;
    std::string scene_ =
        R"({"bodies": [{"model": "a"}], "recording": {"version": 2, "steps": 3, "inputs": []}})";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Run(Choices(data, size)).go();
    return 0;
}
