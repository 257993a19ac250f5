// SPDX-License-Identifier: Apache-2.0
// Joins the glTF files of the bodies: the lists of one follow those of the other, and every index into a list
// moves by the length of what stands before (glTF 2.0, section 3 names the indices).
#include "build/scene/gltf_parts.h"

#include <limber/model/glb.h>
#include <limber/model/gltf_up.h>

#include <algorithm>
#include <map>

namespace limber::build {
namespace {

using nlohmann::json;

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

    void add(Gltf part) {
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
        for (const json& root : in["scenes"][in.value("scene", std::size_t{0})]["nodes"])
            out_.document["scenes"][0]["nodes"].push_back(root.get<std::size_t>() + first_["nodes"]);
        take_animation(in);
    }

    Gltf take() {
        for (auto it = out_.document.begin(); it != out_.document.end();)
            it = it->is_array() && it->empty() ? out_.document.erase(it) : std::next(it);
        out_.document["buffers"] = {{{"byteLength", out_.binary.size()}}};
        return std::move(out_);
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

// Floats at the end of the buffer; the number of their accessor.
std::size_t add_floats(Gltf& gltf, const std::vector<float>& values, std::size_t width) {
    gltf.binary.resize((gltf.binary.size() + 7) / 8 * 8, '\0');
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), sizeof(float) * values.size());
    json& views = list(gltf.document, "bufferViews");
    views.push_back({{"buffer", 0}, {"byteOffset", gltf.binary.size()}, {"byteLength", bytes.size()}});
    gltf.binary += bytes;
    gltf.document["buffers"][0]["byteLength"] = gltf.binary.size();
    json accessor = {{"bufferView", views.size() - 1},
                     {"componentType", 5126},
                     {"count", values.size() / width},
                     {"type", width == 1   ? "SCALAR"
                              : width == 3 ? "VEC3"
                                           : "VEC4"}};
    if (width == 1) {  // times must have their bounds
        accessor["min"] = {values.front()};
        accessor["max"] = {values.back()};
    }
    list(gltf.document, "accessors").push_back(std::move(accessor));
    return gltf.document["accessors"].size() - 1;
}

struct FramesAsFloats {
    std::vector<float> times, positions, rotations;
};

// Frames whose times floats cannot tell apart are left out. Quaternions stay on one side, so that programs
// that do not look for the short way find it.
FramesAsFloats as_floats(const std::vector<double>& times, const std::vector<Pose>& poses) {
    FramesAsFloats out;
    Eigen::Vector4d last = poses[0].orientation.coeffs();
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!out.times.empty() && !(static_cast<float>(times[i]) > out.times.back())) continue;
        out.times.push_back(static_cast<float>(times[i]));
        last = (last.dot(poses[i].orientation.coeffs()) < 0 ? -1 : 1) * poses[i].orientation.coeffs();
        for (const double x : poses[i].position)
            out.positions.push_back(static_cast<float>(x));
        for (const double x : last)
            out.rotations.push_back(static_cast<float>(x));
    }
    return out;
}

}  // namespace

Gltf split_gltf(const std::string& glb, const std::string& where) {
    const Result<GlbChunks> chunks = split_glb(glb, where);
    if (!chunks.ok()) throw chunks.error();
    return {json::parse(chunks.value().json), std::string(chunks.value().binary.value_or(""))};
}

std::string glb_of(const Gltf& gltf) {
    return join_glb(gltf.document.dump(), gltf.binary);
}

void put_in_place(Gltf& gltf, const std::string& name, const Pose& pose, const std::vector<double>& times,
                  const std::vector<Pose>& poses) {
    json& document = gltf.document;
    json& roots = document["scenes"][document.value("scene", std::size_t{0})]["nodes"];
    const Eigen::Vector3d& p = pose.position;
    const Eigen::Vector4d& r = pose.orientation.coeffs();
    const std::size_t node = document["nodes"].size();
    json above = {{"name", name},
                  {"translation", {p[0], p[1], p[2]}},
                  {"rotation", {r[0], r[1], r[2], r[3]}},
                  {"children", roots}};
    roots = {node};
    document["nodes"].push_back(std::move(above));
    if (poses.empty()) return;
    const FramesAsFloats frames = as_floats(times, poses);
    const std::size_t input = add_floats(gltf, frames.times, 1);
    json& animation = document["animations"][0];
    animation["name"] = "motion";
    const auto move = [&](const char* path, std::size_t output) {
        animation["channels"].push_back(
            {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
        animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    move("translation", add_floats(gltf, frames.positions, 3));
    move("rotation", add_floats(gltf, frames.rotations, 4));
}

void turn_up(Gltf& gltf, UpAxis up) {
    json& document = gltf.document;
    document["asset"] = gltf_asset(up);
    if (up == UpAxis::Y) return;
    json& roots = document["scenes"][document.value("scene", std::size_t{0})]["nodes"];
    json above = {{"children", roots}};
    turn_to_gltf_up(above, up);
    roots = {document["nodes"].size()};
    document["nodes"].push_back(std::move(above));
}

Gltf joined(std::vector<Gltf> parts) {
    Joiner joiner(parts[0].document["asset"]);
    for (Gltf& part : parts)
        joiner.add(std::move(part));
    return joiner.take();
}

}  // namespace limber::build
