// SPDX-License-Identifier: Apache-2.0
// Khronos glTF 2.0, sections 3.5 (nodes) and 3.11 (animations).
#include "build/animation/node_tree.h"

#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/gltf_document.h"

#include <limber/model/glb.h>
#include <limber/model/gltf_up.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <map>

namespace limber::build {
namespace {

using Json = GltfDocument::Json;
using Numbers = std::shared_ptr<const std::vector<double>>;

// Exporters write floats: axes that are orthogonal, or scales that are alike, to this.
constexpr double kAlike = 1e-4;

class TreeReader {
 public:
    TreeReader(GltfDocument& gltf, std::string name) : gltf_(gltf), name_(std::move(name)) {}

    NodeTree read(const std::string& animation) {
        const std::size_t count = gltf_.count("nodes");
        if (count == 0) throw InputError{name_, "the file has no nodes", ""};
        if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw InputError{name_, "the file has too many nodes", ""};
        tree_.nodes.resize(count);
        for (std::size_t n = 0; n < count; ++n)
            read_node(n);
        read_parents();
        take_back_turn();
        read_animation(animation);
        return std::move(tree_);
    }

 private:
    AnimatedNode& node(std::uint64_t n) { return tree_.nodes[static_cast<std::size_t>(n)]; }

    void read_node(std::size_t n) {
        const std::string where = fmt::format("node {}", n);
        const Json& source = gltf_.item("nodes", n);
        AnimatedNode& out = node(n);
        out.name = gltf_.text(source, "name", where);
        if (const auto m = gltf_.numbers(source, "matrix", 16, where)) {
            read_matrix(Eigen::Map<const Eigen::Matrix4d>(m->data()), where, out);  // column by column
            return;
        }
        if (const auto t = gltf_.numbers(source, "translation", 3, where))
            out.translation = Eigen::Vector3d(t->data());
        if (const auto r = gltf_.numbers(source, "rotation", 4, where)) {
            out.rotation = Eigen::Quaterniond(r->data());  // x y z w
            if (!(out.rotation.norm() > 1e-6) || !std::isfinite(out.rotation.norm()))
                gltf_.fail(where, "the rotation is no unit quaternion");
            out.rotation.normalize();
        }
        if (const auto s = gltf_.numbers(source, "scale", 3, where))
            set_scale(Eigen::Vector3d(s->data()), out);
        if (!out.translation.allFinite() || !std::isfinite(out.scale))
            gltf_.fail(where, "the transformation is not finite");
    }

    static void set_scale(const Eigen::Vector3d& scale, AnimatedNode& out) {
        out.scale = scale.x();
        if (!(scale.minCoeff() > 0) || !((scale.array() - scale.x()).abs().maxCoeff() <= kAlike * scale.x()))
            out.distorts_children =
                fmt::format("is scaled by ({:.4g}, {:.4g}, {:.4g})", scale.x(), scale.y(), scale.z());
    }

    void read_matrix(const Eigen::Matrix4d& matrix, const std::string& where, AnimatedNode& out) const {
        if (matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1))
            gltf_.fail(where, "the last row of the matrix is not 0 0 0 1");
        if (!matrix.allFinite()) gltf_.fail(where, "the transformation is not finite");
        out.translation = matrix.topRightCorner<3, 1>();
        Eigen::Matrix3d axes = matrix.topLeftCorner<3, 3>();
        const Eigen::Vector3d scale = axes.colwise().norm();
        set_scale(scale, out);
        if (scale.minCoeff() > 0) axes *= scale.cwiseInverse().asDiagonal();
        const bool rotation =
            (axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kAlike &&
            axes.determinant() > 0;
        if (rotation)
            out.rotation = Eigen::Quaterniond(axes).normalized();
        else
            out.distorted = out.distorts_children = "has a matrix that is no rotation and scale";
    }

    // Whose child each node is; that nobody has two parents and nobody is his own ancestor.
    void read_parents() {
        const std::size_t count = tree_.nodes.size();
        std::vector<std::vector<std::size_t>> children(count);
        for (std::size_t n = 0; n < count; ++n) {
            const std::string where = fmt::format("node {}", n);
            const Json* list = gltf_.array(gltf_.item("nodes", n), "children", where);
            if (!list) continue;
            for (const Json& entry : *list) {
                if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() >= count)
                    gltf_.fail(where,
                               fmt::format("children names a node that is not there; there are {}", count));
                const auto child = entry.get<std::size_t>();
                if (node(child).parent >= 0)
                    gltf_.fail(fmt::format("node {}", child), "the node has two parents");
                node(child).parent = static_cast<int>(n);
                children[n].push_back(child);
            }
        }
        std::vector<std::size_t> reached;
        for (std::size_t n = 0; n < count; ++n)
            if (node(n).parent < 0) reached.push_back(n);
        for (std::size_t i = 0; i < reached.size(); ++i)
            reached.insert(reached.end(), children[reached[i]].begin(), children[reached[i]].end());
        if (reached.size() != count) throw InputError{name_, "a node contains itself", ""};
    }

    // The roots of a file that limber wrote turn up to +Y.
    void take_back_turn() {
        const auto up = recorded_gltf_up(gltf_.root());
        tree_.up = up.value_or(UpAxis::Y);
        if (!up) return;
        for (AnimatedNode& root : tree_.nodes)
            if (root.parent < 0) root.rotation = without_gltf_turn(root.rotation, *up);
    }

    std::uint64_t choose(const std::string& wanted) const {
        const std::size_t count = gltf_.count("animations");
        if (count == 0)
            throw InputError{
                name_, "the file has no animation",
                "export it with its animation, or place the body with 'position' and 'rotation'"};
        std::vector<std::string> names;
        for (std::uint64_t a = 0; a < count; ++a) {
            names.push_back(
                printable(gltf_.text(gltf_.item("animations", a), "name", fmt::format("animation {}", a))));
            if (wanted.empty() || names.back() == wanted) return a;
        }
        names.resize(std::min<std::size_t>(names.size(), 20));
        throw InputError{name_, fmt::format("there is no animation '{}'", printable(wanted)),
                         fmt::format("the file has {}", fmt::join(names, ", "))};
    }

    void read_animation(const std::string& wanted) {
        const std::uint64_t index = choose(wanted);
        const std::string where = fmt::format("animation {}", index);
        const Json& animation = gltf_.item("animations", index);
        tree_.animation = gltf_.text(animation, "name", where);
        const Json* channels = gltf_.array(animation, "channels", where);
        const Json* samplers = gltf_.array(animation, "samplers", where);
        if (!channels || !samplers) gltf_.fail(where, "channels and samplers are needed");
        for (std::size_t c = 0; c < channels->size(); ++c)
            read_channel((*channels)[c], *samplers, fmt::format("{}, channel {}", where, c));
    }

    void read_channel(const Json& channel, const Json& samplers, const std::string& where) {
        const Json* target = gltf_.object(channel, "target", where);
        const auto sampler = gltf_.whole_number(channel, "sampler", where);
        if (!target || !sampler || *sampler >= samplers.size())
            gltf_.fail(where, "it needs a target and a sampler that is there");
        const auto which = gltf_.whole_number(*target, "node", where);
        if (!which) return;  // an extension's; glTF says to pass it over
        if (*which >= tree_.nodes.size())
            gltf_.fail(where, fmt::format("it moves node {}, but there are {}", *which, tree_.nodes.size()));
        const std::string path = gltf_.text(*target, "path", where);
        AnimatedNode& moved = node(*which);
        if (path == "scale") moved.distorts_children = "changes its scale in the animation";
        if (path != "translation" && path != "rotation") return;  // weights move no node
        if (gltf_.member(gltf_.item("nodes", *which), "matrix"))
            gltf_.fail(where, fmt::format("node {} has a matrix, which cannot be animated", *which));
        auto& keys = path == "translation" ? moved.moves : moved.turns;
        if (keys) gltf_.fail(where, fmt::format("the {} of node {} is animated twice", path, *which));
        keys = read_keys(samplers[static_cast<std::size_t>(*sampler)], path == "translation" ? 3 : 4, where);
    }

    Keyframes read_keys(const Json& sampler, int width, const std::string& where) {
        const auto input = gltf_.whole_number(sampler, "input", where);
        const auto output = gltf_.whole_number(sampler, "output", where);
        if (!input || !output) gltf_.fail(where, "its sampler has no input or no output");
        const std::string word = gltf_.text(sampler, "interpolation", where);
        Keyframes keys;
        if (word == "STEP")
            keys.interpolation = Interpolation::Step;
        else if (word == "CUBICSPLINE")
            keys.interpolation = Interpolation::CubicSpline;
        else if (!word.empty() && word != "LINEAR")
            gltf_.fail(where, fmt::format("unknown interpolation '{}'", printable(word)));
        keys.times = times(*input, where);
        keys.values = numbers(*output, width);
        const std::size_t each = keys.interpolation == Interpolation::CubicSpline ? 3 : 1;
        if (keys.values->size() != each * static_cast<std::size_t>(width) * keys.times->size())
            gltf_.fail(where, fmt::format("{} values for {} times",
                                          keys.values->size() / static_cast<std::size_t>(width),
                                          keys.times->size()));
        if (width == 4) check_rotations(*keys.values, each, where);
        return keys;
    }

    // Many samplers may share an accessor; it is read once.
    Numbers numbers(std::uint64_t accessor, int width) {
        auto& kept = read_[{accessor, width}];
        if (!kept) kept = std::make_shared<const std::vector<double>>(gltf_.vectors(accessor, width));
        return kept;
    }

    Numbers times(std::uint64_t accessor, const std::string& where) {
        const Numbers out = numbers(accessor, 1);
        if (!ascending_.contains(accessor)) {
            for (std::size_t i = 0; i < out->size(); ++i)
                if (!((*out)[i] >= 0) || (i > 0 && !((*out)[i] > (*out)[i - 1])))
                    gltf_.fail(where,
                               fmt::format("key {} is at {} s; times must ascend from 0 on", i, (*out)[i]));
            ascending_[accessor] = true;
        }
        return out;
    }

    // Slopes of a spline may be anything; the value stands in the middle of three.
    void check_rotations(const std::vector<double>& values, std::size_t each,
                         const std::string& where) const {
        for (std::size_t at = each == 3 ? 4 : 0; at < values.size(); at += 4 * each) {
            const double length = Eigen::Map<const Eigen::Vector4d>(values.data() + at).norm();
            if (!(length > 1e-6)) gltf_.fail(where, "a rotation is no unit quaternion");
        }
    }

    GltfDocument& gltf_;
    std::string name_;
    NodeTree tree_;
    std::map<std::pair<std::uint64_t, int>, Numbers> read_;
    std::map<std::uint64_t, bool> ascending_;  // accessors of times that were checked
};

}  // namespace

NodeTree read_animated_glb(std::string_view bytes, const std::string& name, const std::string& animation) {
    const Result<GlbChunks> split = split_glb(bytes, name);
    if (!split.ok()) throw split.error();
    const GlbChunks& chunks = split.value();
    GltfDocument gltf(chunks.json, chunks.binary, name, {});
    return TreeReader(gltf, name).read(animation);
}

NodeTree read_animated_gltf(std::string_view bytes, const std::string& name,
                            const std::filesystem::path& folder, const std::string& animation) {
    GltfDocument gltf(bytes, std::nullopt, name, folder);
    return TreeReader(gltf, name).read(animation);
}

NodeTree read_animated_file(const std::filesystem::path& path, const std::string& animation) {
    const FileFormat format = format_of(path);
    if (format == FileFormat::Glb) return read_animated_glb(read_file(path), path.string(), animation);
    if (format != FileFormat::Gltf)
        throw InputError{path.string(), "animations are read from .glb and .gltf files", "export it as .glb"};
    const auto folder = path.parent_path();
    return read_animated_gltf(read_file(path), path.string(), folder.empty() ? "." : folder, animation);
}

}  // namespace limber::build
