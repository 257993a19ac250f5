// SPDX-License-Identifier: Apache-2.0
// Writes a model and its motion by the native library, for limber.test.js to compare with:
//     write_reference SCENARIO.json MODEL.glb MOTION.f64
// The motion: for every step q, v, kinetic and elastic energy; then the surface's displacement and normals.
#include "bindings/wasm/settings_json.h"
#include "tests/limber/reduced/test_model.h"

#include <limber/model/model_file.h>

#include <array>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using nlohmann::json;

int main(int argc, char** argv) {
    if (argc != 4) return 1;
    std::ifstream file(argv[1]);
    const json scenario = json::parse(file);

    const auto model = limber::test::random_body_ptr(8, 5);
    const limber::ModelBytes bytes = limber::write_model(*model);
    if (!bytes) return std::cerr << bytes.error.where << ": " << bytes.error.problem << '\n', 1;
    std::ofstream(argv[2], std::ios::binary) << bytes.bytes;

    limber::BodySettings settings;
    if (auto problem = limber::read_settings(scenario["settings"].dump(), *model, settings))
        return std::cerr << problem->where << ": " << problem->problem << '\n', 1;
    limber::Body body = limber::test::body_of(model, settings);

    std::ofstream out(argv[3], std::ios::binary);
    const auto write = [&](const auto& numbers) {
        const Eigen::VectorXd doubles = numbers.template cast<double>();
        out.write(reinterpret_cast<const char*>(doubles.data()),
                  static_cast<std::streamsize>(sizeof(double)) * doubles.size());
    };
    for (int step = 0; step < scenario["steps"].get<int>(); ++step) {
        for (const json& event : scenario["events"]) {
            if (event["step"].get<int>() != step) continue;
            if (event.contains("set")) {
                limber::BodySettings next = body.settings();
                auto problem = limber::read_settings(event["set"].dump(), *model, next);
                if (!problem) problem = body.set(next);
                if (problem) return std::cerr << problem->where << ": " << problem->problem << '\n', 1;
            }
            if (event.contains("clear")) body.clear_forces();
            if (event.contains("forces"))
                for (const json& entry : event["forces"]) {
                    const auto f = entry["force"].get<std::array<double, 3>>();
                    if (body.add_force({entry["vertex"].get<int>(), {f[0], f[1], f[2]}})) return 1;
                }
        }
        if (!body.step(scenario["dt"].get<double>()).converged)
            return std::cerr << "step " << step << " was refused\n", 1;
        write(body.state().q);
        write(body.state().v);
        write(Eigen::Vector2d(body.kinetic_energy(), body.elastic_energy()));
    }
    Eigen::VectorXf u, n;
    body.surface_displacement(u);
    body.surface_normals(u, n);
    write(u);
    write(n);
    return out ? 0 : 1;
}
