// SPDX-License-Identifier: Apache-2.0
#include "build/file/atomic_file.h"
#include "build/scene/npz.h"
#include "build/scene/scene_gltf.h"
#include "build/scene/simulate.h"

#include <fmt/format.h>

#include <limber/input_error.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace limber::build {
namespace {

std::string ending_of(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

// Numbers of a frame beside q and the energies, of a body that flies: the name, the columns, the numbers.
struct RigidColumns {
    const char* name;  // in the .npz
    std::vector<const char*> columns;
    const Eigen::MatrixXd& values;
};
std::vector<RigidColumns> rigid_columns(const RigidMotion& flight) {
    return {{"c", {"cx", "cy", "cz"}, flight.centre},
            {"r", {"rx", "ry", "rz", "rw"}, flight.orientation},
            {"p", {"px", "py", "pz"}, flight.momentum},
            {"l", {"lx", "ly", "lz"}, flight.angular_momentum}};
}

// Of a tree of domains none: its thousands of coordinates are in the .npz.
Eigen::Index columns_of_q(const SceneBody& body, const RecordedBody& recorded) {
    return body.method == Method::Domains ? 0 : recorded.q.rows();
}

// "1.5"; nothing where there is no number.
std::string cell(double x) {
    return std::isnan(x) ? "," : fmt::format(",{}", x);
}

void add_header(const std::string& name, Eigen::Index coordinates, const RecordedBody& body,
                std::string& out) {
    for (Eigen::Index i = 0; i < coordinates; ++i)
        out += fmt::format(",{}.q{}", name, i);
    out += fmt::format(",{}.kinetic,{}.elastic", name, name);
    if (body.flight) {
        out += fmt::format(",{}.potential", name);
        for (const RigidColumns& group : rigid_columns(*body.flight))
            for (const char* column : group.columns)
                out += fmt::format(",{}.{}", name, column);
    }
    if (!body.touch) return;
    for (const char* column : {"contacts", "fx", "fy", "fz", "depth"})
        out += fmt::format(",{}.{}", name, column);
}

void add_cells(const RecordedBody& body, Eigen::Index coordinates, Eigen::Index frame, std::string& out) {
    for (Eigen::Index i = 0; i < coordinates; ++i)
        out += cell(body.q(i, frame));
    out += cell(body.kinetic[frame]) + cell(body.elastic[frame]);
    if (body.flight) {
        out += cell(body.flight->potential[frame]);
        for (const RigidColumns& group : rigid_columns(*body.flight))
            for (const double x : group.values.col(frame))
                out += cell(x);
    }
    if (!body.touch) return;
    out += cell(body.touch->contacts[frame]);
    for (const double x : body.touch->force.col(frame))
        out += cell(x);
    out += cell(body.touch->depth[frame]);
}

// t, then per body NAME.q0 ... NAME.kinetic, NAME.elastic, what one that flies has, and its contacts where
// there are any, then per probe NAME.x, NAME.y, NAME.z, then per device these of its proxy and
// NAME.fx, NAME.fy, NAME.fz, then the columns of a body for each domain that was detached.
void write_csv(const std::filesystem::path& path, const Scene& scene, const Recording& recording) {
    AtomicFile file(path);
    std::ostream& out = file.stream();
    std::string header = "t";
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        add_header(scene.bodies[b].name, columns_of_q(scene.bodies[b], recording.bodies[b]),
                   recording.bodies[b], header);
    for (const SceneProbe& probe : scene.probes)
        header += fmt::format(",{}.x,{}.y,{}.z", probe.name, probe.name, probe.name);
    for (const SceneDevice& device : scene.devices)
        for (const char* column : {"x", "y", "z", "fx", "fy", "fz"})
            header += fmt::format(",{}.{}", device.name, column);
    for (const RecordedPiece& piece : recording.pieces)
        add_header(piece.name, 0, piece.body, header);
    out << header << '\n';
    for (std::size_t f = 0; f < recording.times.size(); ++f) {
        const auto frame = static_cast<Eigen::Index>(f);
        std::string row = fmt::format("{}", recording.times[f]);
        for (std::size_t b = 0; b < scene.bodies.size(); ++b)
            add_cells(recording.bodies[b], columns_of_q(scene.bodies[b], recording.bodies[b]), frame, row);
        for (const Eigen::MatrixXd& probe : recording.probes)
            row += fmt::format(",{},{},{}", probe(0, frame), probe(1, frame), probe(2, frame));
        for (const RecordedDevice& device : recording.devices)
            for (const Eigen::MatrixXd* numbers : {&device.proxy, &device.force})
                for (const double x : numbers->col(frame))
                    row += fmt::format(",{}", x);
        for (const RecordedPiece& piece : recording.pieces)
            add_cells(piece.body, 0, frame, row);
        out << row << '\n';
    }
    file.commit();
}

// t; NAME.q (frames x r), NAME.kinetic, NAME.elastic, of one that flies NAME.potential, NAME.c, NAME.r,
// NAME.p, NAME.l, where there is contact NAME.contacts, NAME.f, NAME.depth; NAME (frames x 3) per probe;
// NAME.x and NAME.f (frames x 3) per device; the arrays of a body for each domain that was detached, NaN
// before it was; contacts.frame, contacts.a, … of every point that pushes.
void write_arrays(const std::filesystem::path& path, const Scene& scene, const Recording& recording) {
    const std::size_t frames = recording.times.size();
    const auto span = [](const auto& matrix) {
        return std::span<const double>(matrix.data(), static_cast<std::size_t>(matrix.size()));
    };
    std::vector<NpzEntry> entries = {{"t", {frames}, recording.times}};
    const auto add_body = [&](const std::string& name, const RecordedBody& body) {
        // A column per frame, contiguous: a row of the array.
        entries.push_back({name + ".q", {frames, static_cast<std::size_t>(body.q.rows())}, span(body.q)});
        entries.push_back({name + ".kinetic", {frames}, span(body.kinetic)});
        entries.push_back({name + ".elastic", {frames}, span(body.elastic)});
        if (body.flight) {
            entries.push_back({name + ".potential", {frames}, span(body.flight->potential)});
            for (const RigidColumns& group : rigid_columns(*body.flight))
                entries.push_back(
                    {name + "." + group.name, {frames, group.columns.size()}, span(group.values)});
        }
        if (!body.touch) return;
        entries.push_back({name + ".contacts", {frames}, span(body.touch->contacts)});
        entries.push_back({name + ".f", {frames, 3}, span(body.touch->force)});
        entries.push_back({name + ".depth", {frames}, span(body.touch->depth)});
    };
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        add_body(scene.bodies[b].name, recording.bodies[b]);
    for (const RecordedPiece& piece : recording.pieces)
        add_body(piece.name, piece.body);
    for (std::size_t p = 0; p < scene.probes.size(); ++p)
        entries.push_back({scene.probes[p].name, {frames, 3}, span(recording.probes[p])});
    for (std::size_t d = 0; d < scene.devices.size(); ++d) {
        entries.push_back({scene.devices[d].name + ".x", {frames, 3}, span(recording.devices[d].proxy)});
        entries.push_back({scene.devices[d].name + ".f", {frames, 3}, span(recording.devices[d].force)});
    }
    if (scene.contact) {
        const RecordedContacts& all = recording.contacts;
        const std::size_t count = all.frame.size();
        for (const auto& [name, numbers] : {std::pair{"frame", &all.frame},
                                            {"a", &all.a},
                                            {"b", &all.b},
                                            {"obstacle", &all.obstacle},
                                            {"device", &all.device},
                                            {"depth", &all.depth}})
            entries.push_back({std::string("contacts.") + name, {count}, *numbers});
        for (const auto& [name, numbers] : {std::pair{"position", &all.position},
                                            {"normal", &all.normal},
                                            {"impulse", &all.impulse},
                                            {"force", &all.force}})
            entries.push_back({std::string("contacts.") + name, {count, 3}, *numbers});
    }
    write_npz(path, entries);
}

}  // namespace

void check_recording_name(const std::filesystem::path& path) {
    const std::string ending = ending_of(path);
    if (ending != ".glb" && ending != ".csv" && ending != ".npz")
        throw InputError{path.string(), "a recording is written as .glb, .csv or .npz", "-o motion.glb"};
}

std::vector<std::string> write_recording(const std::filesystem::path& path, const Scene& scene,
                                         const Recording& recording) {
    check_recording_name(path);
    const std::string ending = ending_of(path);
    if (ending == ".csv") write_csv(path, scene, recording);
    if (ending == ".npz") write_arrays(path, scene, recording);
    if (ending != ".glb") return {};
    SceneBytes file = scene_gltf(scene, recording, path.string());
    write_file(path, file.bytes);
    return std::move(file.warnings);
}

}  // namespace limber::build
