// SPDX-License-Identifier: Apache-2.0
// A libFuzzer target: settings, constraints and motions as JSON. What is read can be written and read again;
// what is refused says where and what, and changes nothing.
#include "tests/limber/model/sample_model.h"

#include <limber/settings/read_settings.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace {

using namespace limber;

void require(bool holds) {
    if (!holds) std::abort();
}

template <class Settings>
void try_settings(std::string_view text, const Model& model) {
    Settings settings, again;
    const std::string before = settings_text(model, settings);
    const Status status = read_settings_text(text, "f.json", model, settings);
    const std::string after = settings_text(model, settings);
    if (status.ok()) {
        require(read_settings_text(after, "f.json", model, again).ok());
        require(settings_text(model, again) == after);
        return;
    }
    require(after == before);
    const InputError& error = status.error();
    require(!error.where.empty() && !error.problem.empty());
    require(error.where.size() + error.problem.size() + error.try_this.size() < 2000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Model model = warped(sample_model());
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try_settings<StvkSettings>(text, model);
    try_settings<WarpSettings>(text, model);
    FrameMotion frame;
    if (read_frame_text(text, "f.json", frame).ok()) require(!frame_problem(frame));
    Constraints constraints;
    const int vertices = static_cast<int>(model.surface.vertices.size());
    if (read_constraints_text(text, "f.json", vertices, constraints).ok()) {
        const std::string written = json_text_of(write_constraints(constraints));
        require(read_constraints_text(written, "f.json", vertices, constraints).ok());
    }
    return 0;
}
