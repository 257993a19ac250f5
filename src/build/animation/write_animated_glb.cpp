// SPDX-License-Identifier: Apache-2.0
#include "build/animation/node_tree.h"

#include <limber/model/glb.h>
#include <limber/model/gltf_buffer.h>
#include <limber/model/gltf_up.h>

#include <map>

namespace limber::build {
namespace {

using Json = nlohmann::json;

class AnimationWriter {
 public:
    void add(std::size_t node, const char* path, const Keyframes& keys, int width) {
        const std::size_t input = floats(*keys.times, 1, GltfBuffer::Bounds::With);
        const std::size_t output = floats(*keys.values, width, GltfBuffer::Bounds::Without);
        const char* word = keys.interpolation == Interpolation::Step          ? "STEP"
                           : keys.interpolation == Interpolation::CubicSpline ? "CUBICSPLINE"
                                                                              : "LINEAR";
        channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", word}});
    }
    Json animation(const std::string& name) const {
        return {{"name", name}, {"channels", channels_}, {"samplers", samplers_}};
    }
    bool empty() const { return channels_.empty(); }
    const GltfBuffer& buffer() const { return buffer_; }

 private:
    // Lists that nodes share are written once.
    std::size_t floats(const std::vector<double>& values, int width, GltfBuffer::Bounds bounds) {
        const auto [entry, added] = written_.try_emplace(&values, 0);
        if (added)
            entry->second = buffer_.add_floats(std::vector<float>(values.begin(), values.end()), width,
                                               bounds, ViewTarget::None);
        return entry->second;
    }

    GltfBuffer buffer_;
    Json channels_ = Json::array(), samplers_ = Json::array();
    std::map<const std::vector<double>*, std::size_t> written_;
};

}  // namespace

std::string write_animated_glb(const NodeTree& tree) {
    Json nodes = Json::array(), roots = Json::array();
    AnimationWriter writer;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        const AnimatedNode& node = tree.nodes[n];
        const Eigen::Vector3d& t = node.translation;
        const Eigen::Vector4d& r = node.rotation.coeffs();
        Json entry = {{"name", node.name},
                      {"translation", {t.x(), t.y(), t.z()}},
                      {"rotation", {r[0], r[1], r[2], r[3]}}};
        if (node.scale != 1) entry["scale"] = {node.scale, node.scale, node.scale};
        nodes.push_back(std::move(entry));
        if (node.moves) writer.add(n, "translation", *node.moves, 3);
        if (node.turns) writer.add(n, "rotation", *node.turns, 4);
    }
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        const int parent = tree.nodes[n].parent;
        (parent < 0 ? roots : nodes[static_cast<std::size_t>(parent)]["children"]).push_back(n);
    }
    if (tree.up != UpAxis::Y) {  // last, so that the numbers of the others stay
        Json above = {{"children", roots}};
        turn_to_gltf_up(above, tree.up);
        roots = Json::array({nodes.size()});
        nodes.push_back(std::move(above));
    }
    Json document = {{"asset", gltf_asset(tree.up)},
                     {"scene", 0},
                     {"scenes", Json::array({Json{{"nodes", roots}}})},
                     {"nodes", nodes}};
    if (!writer.empty()) {
        document["animations"] = Json::array({writer.animation(tree.animation)});
        writer.buffer().write_to(document);
    }
    return join_glb(document.dump(-1, ' ', false, Json::error_handler_t::replace), writer.buffer().bytes());
}

}  // namespace limber::build
