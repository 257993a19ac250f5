// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace limber::build {
namespace {

using Json = nlohmann::json;

// "motion.glb#node"
Guide::Node read_node(const JsonPlace& place, const std::string& animation, SceneFolder& folder) {
    const std::string text = place.text();
    const auto mark = text.find('#');
    if (mark == std::string::npos || mark == 0 || mark + 1 == text.size())
        place.fail(fmt::format("'{}' names no node of a file", printable(text)), "\"motion.glb#node\"");
    const auto tree = folder.motion(text.substr(0, mark), animation, place);
    return {tree,
            find_node(*tree, text.substr(mark + 1), fmt::format("{} '{}'", place.where(), printable(text)))};
}

enum class Between { Linear, Step, Smooth };

// Values at times, as a list of {"time", KEY} objects; width numbers each.
Keyframes read_keys(const JsonPlace& list, const std::string& key, Between between) {
    std::vector<double> times, values;
    list.each([&](const JsonPlace& frame) {
        times.push_back(frame.at("time").number());
        if (times.size() > 1 && !(times.back() > times[times.size() - 2]))
            frame.fail(fmt::format("its time {:g} s does not come after {:g} s", times.back(),
                                   times[times.size() - 2]),
                       "frames in the order of their times, each time once");
        const JsonPlace value = frame.at(key);
        const Eigen::VectorXd numbers =
            key == "rotation" ? Eigen::VectorXd(read_rotation(value).coeffs()) : value.numbers(3);
        values.insert(values.end(), numbers.begin(), numbers.end());
    });
    if (times.empty()) list.fail("the list has no frame");
    if (between == Between::Smooth) return smooth_keyframes(times, values, key == "rotation" ? 4 : 3);
    return {between == Between::Step ? Interpolation::Step : Interpolation::Linear,
            std::make_shared<const std::vector<double>>(std::move(times)),
            std::make_shared<const std::vector<double>>(std::move(values))};
}

Guide guide_of(AnimatedNode node) {
    return {{{std::make_shared<const NodeTree>(NodeTree{{std::move(node)}, ""}), 0}}};
}

// {"frames": [{"time", "position", "rotation"} ...], "interpolation"}: either of the two may be missing in
// all.
Guide read_frames(const JsonPlace& place) {
    place.expect_keys({"frames", "interpolation"});
    Between between = Between::Linear;
    place.when("interpolation", [&](const JsonPlace& p) {
        const std::string word = p.word({"linear", "step", "smooth"});
        between = word == "step" ? Between::Step : word == "smooth" ? Between::Smooth : Between::Linear;
    });
    const JsonPlace frames = place.at("frames");
    bool moves = false, turns = false;
    frames.each([&](const JsonPlace& frame) {
        frame.expect_keys({"time", "position", "rotation"});
        moves |= frame.has("position");
        turns |= frame.has("rotation");
    });
    if (!moves && !turns) frames.fail("no frame has a 'position' or a 'rotation'");
    AnimatedNode node;
    if (moves) node.moves = read_keys(frames, "position", between);
    if (turns) node.turns = read_keys(frames, "rotation", between);
    return guide_of(std::move(node));
}

bool is_list_of_objects(const JsonPlace& place) {
    return place.value().is_array() && !place.value().empty() && place.value()[0].is_object();
}

}  // namespace

std::shared_ptr<const NodeTree> SceneFolder::motion(const std::string& name, const std::string& animation,
                                                    const JsonPlace& place) {
    auto& kept = motions_[{name, animation}];
    if (kept) return kept;
    try {
        kept = std::make_shared<const NodeTree>(read_animated_file(file(name), animation));
    } catch (const InputError& error) {
        throw InputError{place.where() + ": " + error.where, error.problem, error.try_this};
    }
    return kept;
}

Eigen::Quaterniond read_rotation(const JsonPlace& place) {
    const Eigen::Vector4d xyzw = place.numbers(4);
    if (!(std::abs(xyzw.norm() - 1) < 1e-3))
        place.fail(
            fmt::format("a quaternion [x, y, z, w] of length {:.6g}; a rotation has length 1", xyzw.norm()),
            "[0, 0, 0, 1] is no rotation");
    return Eigen::Quaterniond(xyzw).normalized();
}

Guide read_guide(const JsonPlace& place, SceneFolder& folder) {
    if (place.value().is_string()) return {{read_node(place, "", folder)}};
    if (place.value().is_object() && place.has("frames")) return read_frames(place);
    std::string animation;
    if (place.value().is_object()) {
        place.expect_keys({"node", "animation"});
        place.when("animation", [&](const JsonPlace& p) { animation = p.text(); });
    }
    const JsonPlace nodes = place.value().is_object() ? place.at("node") : place;
    if (nodes.value().is_string()) return {{read_node(nodes, animation, folder)}};
    Guide guide;
    nodes.each([&](const JsonPlace& p) { guide.nodes.push_back(read_node(p, animation, folder)); });
    if (guide.nodes.empty()) nodes.fail("the list has no node");
    return guide;
}

Guide read_path(const JsonPlace* position, const JsonPlace* rotation) {
    AnimatedNode node;
    const auto check_keys = [](const JsonPlace& list, const std::string& key) {
        list.each([&](const JsonPlace& frame) { frame.expect_keys({"time", key}); });
    };
    if (position && is_list_of_objects(*position)) {
        check_keys(*position, "position");
        node.moves = read_keys(*position, "position", Between::Linear);
    } else if (position) {
        node.translation = position->numbers(3);
    }
    if (rotation && is_list_of_objects(*rotation)) {
        check_keys(*rotation, "rotation");
        node.turns = read_keys(*rotation, "rotation", Between::Linear);
    } else if (rotation) {
        node.rotation = read_rotation(*rotation);
    }
    return guide_of(std::move(node));
}

}  // namespace limber::build
