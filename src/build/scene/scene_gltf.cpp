// SPDX-License-Identifier: Apache-2.0
// Joins the glTF files of the bodies: the lists of one follow those of the other, and every index into a list
// moves by the length of what stands before (glTF 2.0, section 3 names the indices).
#include "build/scene/scene_gltf.h"

#include <limber/model/glb.h>
#include <limber/model/model_file.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::build {
namespace {

using nlohmann::json;

struct Gltf {
    json document;
    std::string binary;
};

Gltf split(const std::string& glb, const std::string& where) {
    GlbChunks chunks;
    if (const auto error = split_glb(glb, where, chunks)) throw *error;
    return {json::parse(chunks.json), std::string(chunks.binary.value_or(""))};
}

json& list(json& document, const char* name) {
    json& out = document[name];
    if (out.is_null()) out = json::array();
    return out;
}

class Joiner {
 public:
    explicit Joiner(const json& asset) {
        out_.document = {{"asset", asset}, {"scene", 0}, {"scenes", {{{"nodes", json::array()}}}}};
    }

    void add(Gltf part, const SceneBody& body) {
        json& in = part.document;
        for (const char* name :
             {"accessors", "images", "samplers", "textures", "materials", "meshes", "nodes"})
            first_[name] = list(out_.document, name).size();
        take_views(in, part.binary);
        for (json& texture : list(in, "textures")) {
            shift(texture, "source", "images");
            shift(texture, "sampler", "samplers");
        }
        for (json& material : list(in, "materials"))
            shift_textures(material);
        for (json& mesh : list(in, "meshes"))
            for (json& primitive : list(mesh, "primitives")) {
                shift(primitive, "indices", "accessors");
                shift(primitive, "material", "materials");
                shift_all(primitive["attributes"]);
                if (primitive.contains("targets"))
                    for (json& target : primitive["targets"])
                        shift_all(target);
            }
        for (json& node : list(in, "nodes")) {
            node.erase("extensions");  // the model's own data are not taken along
            shift(node, "mesh", "meshes");
            if (node.contains("children"))
                for (json& child : node["children"])
                    child = child.get<std::size_t>() + first_["nodes"];
        }
        for (const char* name :
             {"accessors", "images", "samplers", "textures", "materials", "meshes", "nodes"})
            for (json& entry : list(in, name))
                out_.document[name].push_back(std::move(entry));
        place(in, body);
        take_animation(in);
    }

    std::string finish() {
        for (auto it = out_.document.begin(); it != out_.document.end();)
            it = it->is_array() && it->empty() ? out_.document.erase(it) : std::next(it);
        out_.document["buffers"] = {{{"byteLength", out_.binary.size()}}};
        return join_glb(out_.document.dump(), out_.binary);
    }

 private:
    void shift(json& object, const char* key, const char* target) {
        if (object.contains(key)) object[key] = object[key].get<std::size_t>() + first_[target];
    }
    void shift_all(json& attributes) {
        for (json& accessor : attributes)
            accessor = accessor.get<std::size_t>() + first_["accessors"];
    }
    void shift_textures(json& value) {
        if (!value.is_object()) return;
        for (auto& [key, inner] : value.items()) {
            if (key.ends_with("Texture")) shift(inner, "index", "textures");
            shift_textures(inner);
        }
    }

    // Only the views that accessors and images use.
    void take_views(json& in, const std::string& binary) {
        json& views = list(out_.document, "bufferViews");
        std::map<std::size_t, std::size_t> taken;
        const auto take = [&](json& user) {
            if (!user.contains("bufferView")) return;
            const auto old = user["bufferView"].get<std::size_t>();
            const auto [place, added] = taken.try_emplace(old, views.size());
            user["bufferView"] = place->second;
            if (!added) return;
            json view = in["bufferViews"][old];
            const std::size_t begin = view.value("byteOffset", std::size_t{0});
            out_.binary.resize((out_.binary.size() + 7) / 8 * 8, '\0');
            view["buffer"] = 0;
            view["byteOffset"] = out_.binary.size();
            out_.binary += binary.substr(begin, view["byteLength"].get<std::size_t>());
            views.push_back(std::move(view));
        };
        for (json& accessor : list(in, "accessors")) {
            take(accessor);
            if (accessor.contains("sparse")) {
                take(accessor["sparse"]["indices"]);
                take(accessor["sparse"]["values"]);
            }
        }
        for (json& image : list(in, "images"))
            take(image);
    }

    // A node above those of the body, in its place.
    void place(json& in, const SceneBody& body) {
        json children = json::array();
        for (const json& root : in["scenes"][in.value("scene", std::size_t{0})]["nodes"])
            children.push_back(root.get<std::size_t>() + first_["nodes"]);
        json& nodes = out_.document["nodes"];
        out_.document["scenes"][0]["nodes"].push_back(nodes.size());
        const Eigen::Vector3d& p = body.position;
        const Eigen::Quaterniond& r = body.rotation;
        nodes.push_back({{"name", body.name},
                         {"translation", {p.x(), p.y(), p.z()}},
                         {"rotation", {r.x(), r.y(), r.z(), r.w()}},
                         {"children", children}});
    }

    // All channels in one animation, so that the bodies move together.
    void take_animation(json& in) {
        json& animations = list(out_.document, "animations");
        if (animations.empty())
            animations.push_back(
                {{"name", "motion"}, {"samplers", json::array()}, {"channels", json::array()}});
        json& all = animations[0];
        for (json& animation : list(in, "animations")) {
            const std::size_t first = all["samplers"].size();
            for (json& sampler : animation["samplers"]) {
                shift(sampler, "input", "accessors");
                shift(sampler, "output", "accessors");
                all["samplers"].push_back(std::move(sampler));
            }
            for (json& channel : animation["channels"]) {
                channel["sampler"] = channel["sampler"].get<std::size_t>() + first;
                shift(channel["target"], "node", "nodes");
                all["channels"].push_back(std::move(channel));
            }
        }
    }

    Gltf out_;
    std::map<std::string, std::size_t> first_;  // length of each list before this body's entries
};

bool is_placed(const SceneBody& body) {
    return !body.position.isZero(0) || body.rotation.vec() != Eigen::Vector3d::Zero();
}

// The whole file of one body, with a node above it where it is placed.
std::string put_in_place(const std::string& glb, const SceneBody& body, const std::string& where) {
    Gltf gltf = split(glb, where);
    json& document = gltf.document;
    json& roots = document["scenes"][document.value("scene", std::size_t{0})]["nodes"];
    const Eigen::Vector3d& p = body.position;
    const Eigen::Quaterniond& r = body.rotation;
    const json above = {{"name", body.name + " in its place"},
                        {"translation", {p.x(), p.y(), p.z()}},
                        {"rotation", {r.x(), r.y(), r.z(), r.w()}},
                        {"children", roots}};
    roots = {document["nodes"].size()};
    document["nodes"].push_back(above);
    return join_glb(document.dump(), gltf.binary);
}

}  // namespace

SceneBytes scene_gltf(const Scene& scene, const Recording& recording, const std::string& where) {
    SceneBytes out;
    std::optional<Joiner> joiner;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        const bool alone = scene.bodies.size() == 1;
        const RecordedMotion motion{"motion", recording.times, recording.bodies[b].q};
        Model shown;
        if (!alone) {
            shown = *body.model;
            shown.volume = {};
        }
        ModelBytes file = write_model(alone ? *body.model : shown, {motion}, {}, where);
        if (!file) throw file.error;
        for (const std::string& warning : file.warnings)
            out.warnings.push_back(alone ? warning : body.name + ": " + warning);
        if (alone) {
            out.bytes = is_placed(body) ? put_in_place(file.bytes, body, where) : std::move(file.bytes);
            return out;
        }
        Gltf part = split(file.bytes, where);
        if (!joiner) joiner.emplace(part.document["asset"]);
        joiner->add(std::move(part), body);
    }
    out.bytes = joiner->finish();
    return out;
}

}  // namespace limber::build
