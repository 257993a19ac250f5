// SPDX-License-Identifier: Apache-2.0
// Writes a model and its motion by the native library, for limber.test.js to compare with:
//     write_reference SCENARIO.json MODEL.glb MOTION.f64 WARPED.f64
// A motion: for every step q, v, kinetic and elastic energy; then the surface's displacement and normals.
#include "bindings/wasm/settings_json.h"
#include "bindings/wasm/warp_json.h"
#include "tests/limber/reduced/test_model.h"
#include "tests/limber/warp/random_warp_model.h"

#include <limber/model/model_file.h>

#include <array>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

int refuse(const limber::InputError& error) {
    return std::cerr << error.where << ": " << error.problem << '\n', 1;
}

class MotionFile {
 public:
    explicit MotionFile(const char* name) : out_(name, std::ios::binary) {}
    template <class Vector>
    void add(const Vector& numbers) {
        const Eigen::VectorXd doubles = numbers.template cast<double>();
        out_.write(reinterpret_cast<const char*>(doubles.data()),
                   static_cast<std::streamsize>(sizeof(double)) * doubles.size());
    }
    template <class AnyBody>
    void add_state(const AnyBody& body) {
        add(body.state().q);
        add(body.state().v);
        add(Eigen::Vector2d(body.kinetic_energy(), body.elastic_energy()));
    }
    bool good() const { return bool(out_); }

 private:
    std::ofstream out_;
};

template <class AnyBody>
std::optional<limber::InputError> add_forces(const json& event, AnyBody& body) {
    if (event.contains("clear")) body.clear_forces();
    for (const json& entry : event.value("forces", json::array())) {
        const auto f = entry["force"].get<std::array<double, 3>>();
        if (const Status problem = body.add_force({entry["vertex"].get<int>(), {f[0], f[1], f[2]}});
            !problem.ok())
            return problem;
    }
    if (event.contains("frame")) {
        limber::FrameMotion frame;
        if (auto problem = limber::read_frame(event["frame"].dump(), frame)) return problem;
        if (const Status problem = body.set_frame(frame); !problem.ok()) return problem;
    }
    return std::nullopt;
}

// Every event of the scenario, then the step, then what it gave.
template <class AnyBody, class Play>
std::optional<limber::InputError> record(const json& scenario, AnyBody& body, const Play& play,
                                         MotionFile& out) {
    for (int step = 0; step < scenario["steps"].get<int>(); ++step) {
        for (const json& event : scenario["events"]) {
            if (event["step"].get<int>() != step) continue;
            if (auto problem = play(event)) return problem;
            if (auto problem = add_forces(event, body)) return problem;
        }
        if (!body.step(scenario["dt"].get<double>()).converged)
            return limber::InputError{"step " + std::to_string(step), "it was refused", ""};
        out.add_state(body);
    }
    return std::nullopt;
}

int write_motion(const json& scenario, limber::test::ModelPtr model, MotionFile out) {
    limber::StvkSettings settings;
    if (auto problem = limber::read_settings(scenario["settings"].dump(), *model, settings))
        return refuse(*problem);
    limber::StvkBody body = limber::test::body_of(model, settings);
    const auto play = [&](const json& event) -> std::optional<limber::InputError> {
        if (!event.contains("set")) return std::nullopt;
        limber::StvkSettings next = body.settings();
        auto problem = limber::read_settings(event["set"].dump(), *model, next);
        return problem ? problem : body.set(next);
    };
    if (auto problem = record(scenario, body, play, out)) return refuse(*problem);
    Eigen::VectorXf u, n;
    body.surface_displacement(u);
    body.surface_normals(u, n);
    out.add(u);
    out.add(n);
    return out.good() ? 0 : 1;
}

int write_warped_motion(const json& scenario, limber::test::ModelPtr model, MotionFile out) {
    limber::WarpSettings settings;
    if (auto problem = limber::read_warp_settings(scenario["settings"].dump(), settings))
        return refuse(*problem);
    limber::Result<limber::WarpBody> made = limber::make_warp_body(model->warp, settings);
    if (!made.ok()) return refuse(made.error());
    limber::WarpBody& body = made.value();
    const auto play = [&](const json& event) -> std::optional<limber::InputError> {
        if (event.contains("set")) {
            limber::WarpSettings next = body.settings();
            auto problem = limber::read_warp_settings(event["set"].dump(), next);
            if (!problem) problem = body.set(next);
            if (problem) return problem;
        }
        if (!event.contains("manipulation")) return std::nullopt;
        limber::Constraints constraints;
        auto problem = limber::read_manipulation(event["manipulation"].dump(), manipulation);
        return problem ? problem : body.set_constraints(constraints);
    };
    if (auto problem = record(scenario, body, play, out)) return refuse(*problem);
    Eigen::VectorXf u, n;
    body.surface_shape(u, n);
    out.add(u);
    out.add(n);
    return out.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 1;
    std::ifstream file(argv[1]);
    const json scenario = json::parse(file);

    limber::Model made = limber::test::random_body(8, 5);
    made.warp = std::make_shared<const limber::WarpModel>(
        limber::test::random_warp_model(6, 12, static_cast<int>(made.surface.vertices.size()), 4));
    made.up = limber::UpAxis::MinusX;
    const limber::Result<limber::ModelBytes> written = limber::write_model(made);
    if (!written.ok()) return refuse(written.error());
    std::ofstream(argv[2], std::ios::binary) << written.value().bytes;
    // As the file has it: the basis of the surface and modes to warp are floats there.
    const auto read = limber::read_model(written.value().bytes, argv[2]);
    if (!read.ok()) return refuse(read.error());
    const std::shared_ptr<const limber::Model>& model = read.value();

    if (int failed = write_motion(scenario["stvk"], model, MotionFile(argv[3]))) return failed;
    return write_warped_motion(scenario["warp"], model, MotionFile(argv[4]));
}
