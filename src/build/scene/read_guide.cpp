// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace limber::build {
namespace {

// "motion.glb#node"
Guide::Node read_node(const JsonCursor& place, const std::string& animation, SceneFolder& folder) {
    const std::string text = or_throw(place, place.text());
    const auto mark = text.find('#');
    if (mark == std::string::npos || mark == 0 || mark + 1 == text.size())
        refuse(place, fmt::format("'{}' names no node of a file", printable(text)), "\"motion.glb#node\"");
    const auto tree = folder.motion(text.substr(0, mark), animation, place);
    return {tree,
            find_node(*tree, text.substr(mark + 1), fmt::format("{} '{}'", place.where(), printable(text)))};
}

enum class Between { Linear, Step, Smooth };  // as their words in read_frames()

// Values at times, as a list of {"time", KEY} objects; width numbers each.
Keyframes read_keys(const JsonCursor& list, const std::string& key, Between between) {
    std::vector<double> times, values;
    list.each([&](const JsonCursor& frame) {
        times.push_back(or_throw(frame, frame.at("time").number({}, "s")));
        if (times.size() > 1 && !(times.back() > times[times.size() - 2]))
            refuse(frame,
                   fmt::format("its time {:g} s does not come after {:g} s", times.back(),
                               times[times.size() - 2]),
                   "frames in the order of their times, each time once");
        const JsonCursor value = frame.at(key);
        const Eigen::VectorXd numbers = key == "rotation" ? Eigen::VectorXd(value.rotation().coeffs())
                                                          : Eigen::VectorXd(value.vector3("m"));
        values.insert(values.end(), numbers.begin(), numbers.end());
    });
    if (times.empty()) refuse(list, "the list has no frame");
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
Guide read_frames(const JsonCursor& place) {
    or_throw(place, place.expect_keys({"frames", "interpolation"}));
    Between between = Between::Linear;
    place.when("interpolation", [&](const JsonCursor& p) {
        between = static_cast<Between>(or_throw(p, p.word_among({"linear", "step", "smooth"})));
    });
    const JsonCursor frames = place.at("frames");
    bool moves = false, turns = false;
    frames.each([&](const JsonCursor& frame) {
        or_throw(frame, frame.expect_keys({"time", "position", "rotation"}));
        moves |= frame.has("position");
        turns |= frame.has("rotation");
    });
    if (!moves && !turns) refuse(frames, "no frame has a 'position' or a 'rotation'");
    AnimatedNode node;
    if (moves) node.moves = read_keys(frames, "position", between);
    if (turns) node.turns = read_keys(frames, "rotation", between);
    return guide_of(std::move(node));
}

bool is_list_of_objects(const JsonCursor& place) {
    return place.value().is_array() && !place.value().empty() && place.value()[0].is_object();
}

}  // namespace

std::shared_ptr<const NodeTree> SceneFolder::motion(const std::string& name, const std::string& animation,
                                                    const JsonCursor& place) {
    auto& kept = motions_[{name, animation}];
    if (kept) return kept;
    try {
        kept = std::make_shared<const NodeTree>(read_animated_file(file(name), animation));
    } catch (const InputError& error) {
        throw InputError{place.where() + ": " + error.where, error.problem, error.try_this};
    }
    return kept;
}

Guide read_guide(const JsonCursor& place, SceneFolder& folder) {
    if (place.is_text()) return {{read_node(place, "", folder)}};
    if (place.is_object() && place.has("frames")) return read_frames(place);
    std::string animation;
    if (place.is_object()) {
        or_throw(place, place.expect_keys({"node", "animation"}));
        place.when("animation", [&](const JsonCursor& p) { animation = or_throw(p, p.text()); });
    }
    const JsonCursor nodes = place.is_object() ? place.at("node") : place;
    if (nodes.is_text()) return {{read_node(nodes, animation, folder)}};
    Guide guide;
    nodes.each([&](const JsonCursor& p) { guide.nodes.push_back(read_node(p, animation, folder)); });
    if (guide.nodes.empty()) refuse(nodes, "the list has no node");
    return guide;
}

Guide read_path(const JsonCursor* position, const JsonCursor* rotation) {
    AnimatedNode node;
    const auto check_keys = [](const JsonCursor& list, const std::string& key) {
        list.each([&](const JsonCursor& frame) { frame.expect_keys({"time", key}); });
        or_throw(list);
    };
    if (position && is_list_of_objects(*position)) {
        check_keys(*position, "position");
        node.moves = read_keys(*position, "position", Between::Linear);
    } else if (position) {
        node.translation = position->vector3("m");
    }
    if (rotation && is_list_of_objects(*rotation)) {
        check_keys(*rotation, "rotation");
        node.turns = read_keys(*rotation, "rotation", Between::Linear);
    } else if (rotation) {
        node.rotation = rotation->rotation();
    }
    return guide_of(std::move(node));
}

}  // namespace limber::build
