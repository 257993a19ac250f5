// SPDX-License-Identifier: Apache-2.0
#include <limber/model/gltf_appearance.h>
#include <limber/model/json_text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace limber {

namespace {

using Json = nlohmann::json;

const char* const kAlphaModes[] = {"OPAQUE", "MASK", "BLEND"};

const Json& empty_array() {
    static const Json none = Json::array();
    return none;
}

const Json& list(const Json& document, const char* key) {
    const Json* found = find_array(document, key);
    return found ? *found : empty_array();
}

double share(const Json& object, const char* key, double otherwise) {
    const double x = find_number(object, key).value_or(otherwise);
    return x >= 0 && x <= 1 ? x : otherwise;
}

template <std::size_t N>
std::array<double, N> shares(const Json& object, const char* key, std::array<double, N> otherwise) {
    const Json* values = find_array(object, key);
    if (!values || values->size() != N) return otherwise;
    std::array<double, N> out;
    for (std::size_t i = 0; i < N; ++i) {
        const Json& value = (*values)[i];
        if (!value.is_number()) return otherwise;
        out[i] = value.get<double>();
        if (!(out[i] >= 0 && out[i] <= 1)) return otherwise;
    }
    return out;
}

// An index into a list; -1 if it is absent or no index at all.
std::int32_t index(const Json& object, const char* key) {
    const auto found = find_count(object, key);
    return found && *found < std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(*found)
                                                                      : -1;
}

constexpr const char* kTransform = "KHR_texture_transform";
const std::string kMaterialExtensions = "KHR_materials_";
constexpr std::size_t kLongestExtensions = 1u
                                           << 16;  // bytes of JSON of one material; longer ones are left out

std::array<double, 2> pair(const Json& object, const char* key, std::array<double, 2> otherwise) {
    const Json* values = find_array(object, key);
    if (!values || values->size() != 2 || !(*values)[0].is_number() || !(*values)[1].is_number())
        return otherwise;
    const std::array<double, 2> out = {(*values)[0].get<double>(), (*values)[1].get<double>()};
    return std::isfinite(out[0]) && std::isfinite(out[1]) ? out : otherwise;
}

TextureUse texture_use(const Json& material, const char* key) {
    const Json* use = find_object(material, key);
    if (!use) return {};
    TextureUse out = {index(*use, "index"), find_member(*use, "texCoord") ? index(*use, "texCoord") : 0, {}};
    const Json* extensions = find_object(*use, "extensions");
    const Json* transform = extensions ? find_object(*extensions, kTransform) : nullptr;
    if (!transform) return out;
    out.transform.offset = pair(*transform, "offset", out.transform.offset);
    out.transform.scale = pair(*transform, "scale", out.transform.scale);
    const double rotation = find_number(*transform, "rotation").value_or(0);
    if (std::isfinite(rotation)) out.transform.rotation = rotation;
    // It may name another set than the texture itself does.
    if (find_member(*transform, "texCoord")) out.set = index(*transform, "texCoord");
    return out;
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string material_extensions(const Json& material) {
    const Json* extensions = find_object(material, "extensions");
    if (!extensions) return "";
    Json kept = Json::object();
    for (const auto& [name, value] : extensions->items())
        if (name.compare(0, kMaterialExtensions.size(), kMaterialExtensions) == 0 && value.is_object())
            kept[name] = value;
    const std::string text = kept.empty() ? "" : dumped(kept);
    return text.size() <= kLongestExtensions ? text : "";
}

// An object, or null for text that is none.
Json parsed_extensions(const std::string& text) {
    Json out = text.empty() ? Json() : Json::parse(text, nullptr, /*allow_exceptions=*/false);
    return out.is_object() ? out : Json();
}

// Textures of extensions are the objects "...Texture" with an index. Those that are gone are removed.
void renumber_textures(Json& extension, const std::vector<std::int32_t>& new_texture, std::size_t sets) {
    for (auto member = extension.begin(); member != extension.end();) {
        const std::string& key = member.key();
        const std::string ending = "Texture";
        const bool is_texture = key.size() >= ending.size() && member->is_object() &&
                                key.compare(key.size() - ending.size(), ending.size(), ending) == 0;
        if (!is_texture) {
            ++member;
            continue;
        }
        const std::int32_t texture = index(*member, "index");
        const std::int32_t set = find_member(*member, "texCoord") ? index(*member, "texCoord") : 0;
        const bool there = texture >= 0 && static_cast<std::size_t>(texture) < new_texture.size() &&
                           new_texture[static_cast<std::size_t>(texture)] >= 0 && set >= 0 &&
                           static_cast<std::size_t>(set) < sets;
        if (there) {
            (*member)["index"] = new_texture[static_cast<std::size_t>(texture)];
            ++member;
        } else {
            member = extension.erase(member);
        }
    }
}

double texture_number(const Json& material, const char* texture, const char* key, double otherwise) {
    const Json* use = find_object(material, texture);
    return use ? find_number(*use, key).value_or(otherwise) : otherwise;
}

SurfaceMaterial read_material(const Json& source) {
    SurfaceMaterial out;
    out.name = find_text(source, "name").value_or("");
    if (const Json* pbr = find_object(source, "pbrMetallicRoughness")) {
        out.base_color = shares(*pbr, "baseColorFactor", out.base_color);
        out.metallic = share(*pbr, "metallicFactor", out.metallic);
        out.roughness = share(*pbr, "roughnessFactor", out.roughness);
        out.base_color_texture = texture_use(*pbr, "baseColorTexture");
        out.metallic_roughness_texture = texture_use(*pbr, "metallicRoughnessTexture");
    }
    out.emissive = shares(source, "emissiveFactor", out.emissive);
    out.emissive_texture = texture_use(source, "emissiveTexture");
    out.normal_texture = texture_use(source, "normalTexture");
    out.normal_scale = texture_number(source, "normalTexture", "scale", out.normal_scale);
    out.occlusion_texture = texture_use(source, "occlusionTexture");
    if (const Json* occlusion = find_object(source, "occlusionTexture"))
        out.occlusion_strength = share(*occlusion, "strength", out.occlusion_strength);
    const std::string alpha = find_text(source, "alphaMode").value_or("");
    for (int mode = 0; mode < 3; ++mode)
        if (alpha == kAlphaModes[mode]) out.alpha_mode = static_cast<AlphaMode>(mode);
    out.alpha_cutoff = std::max(0.0, find_number(source, "alphaCutoff").value_or(out.alpha_cutoff));
    out.double_sided = find_boolean(source, "doubleSided").value_or(false);
    out.extensions = material_extensions(source);
    return out;
}

SurfaceTexture read_texture(const Json& source, const Json& samplers) {
    SurfaceTexture out;
    out.image = index(source, "source");
    const std::int32_t sampler = index(source, "sampler");
    if (sampler < 0 || static_cast<std::size_t>(sampler) >= samplers.size()) return out;
    const Json& found = samplers[static_cast<std::size_t>(sampler)];
    const auto known = [&](const char* key, std::initializer_list<std::int32_t> values,
                           std::int32_t otherwise) {
        const std::int32_t value = index(found, key);
        return std::find(values.begin(), values.end(), value) != values.end() ? value : otherwise;
    };
    out.mag_filter = known("magFilter", {9728, 9729}, 0);
    out.min_filter = known("minFilter", {9728, 9729, 9984, 9985, 9986, 9987}, 0);
    out.wrap_s = known("wrapS", {33071, 33648, 10497}, out.wrap_s);
    out.wrap_t = known("wrapT", {33071, 33648, 10497}, out.wrap_t);
    return out;
}

Json texture_json(const TextureUse& use) {
    Json out = {{"index", use.texture}};
    if (use.set != 0) out["texCoord"] = use.set;
    const TextureTransform plain;
    if (use.transform == plain) return out;
    Json& transform = out["extensions"][kTransform] = Json::object();
    if (use.transform.offset != plain.offset) transform["offset"] = use.transform.offset;
    if (use.transform.scale != plain.scale) transform["scale"] = use.transform.scale;
    if (use.transform.rotation != plain.rotation) transform["rotation"] = use.transform.rotation;
    return out;
}

// Values that glTF takes for granted are not written.
Json material_json(const SurfaceMaterial& m) {
    const SurfaceMaterial plain;
    Json pbr = Json::object();
    if (m.base_color != plain.base_color) pbr["baseColorFactor"] = m.base_color;
    if (m.metallic != plain.metallic) pbr["metallicFactor"] = m.metallic;
    if (m.roughness != plain.roughness) pbr["roughnessFactor"] = m.roughness;
    if (m.base_color_texture.texture >= 0) pbr["baseColorTexture"] = texture_json(m.base_color_texture);
    if (m.metallic_roughness_texture.texture >= 0)
        pbr["metallicRoughnessTexture"] = texture_json(m.metallic_roughness_texture);

    Json out = {{"pbrMetallicRoughness", pbr}};
    if (!m.name.empty()) out["name"] = m.name;
    if (m.emissive != plain.emissive) out["emissiveFactor"] = m.emissive;
    if (m.emissive_texture.texture >= 0) out["emissiveTexture"] = texture_json(m.emissive_texture);
    if (m.normal_texture.texture >= 0) {
        out["normalTexture"] = texture_json(m.normal_texture);
        if (m.normal_scale != plain.normal_scale) out["normalTexture"]["scale"] = m.normal_scale;
    }
    if (m.occlusion_texture.texture >= 0) {
        out["occlusionTexture"] = texture_json(m.occlusion_texture);
        if (m.occlusion_strength != plain.occlusion_strength)
            out["occlusionTexture"]["strength"] = m.occlusion_strength;
    }
    if (m.alpha_mode != plain.alpha_mode) out["alphaMode"] = kAlphaModes[static_cast<int>(m.alpha_mode)];
    if (m.alpha_mode == AlphaMode::Mask && m.alpha_cutoff != plain.alpha_cutoff)
        out["alphaCutoff"] = m.alpha_cutoff;
    if (m.double_sided) out["doubleSided"] = true;
    if (Json extensions = parsed_extensions(m.extensions); !extensions.is_null())
        out["extensions"] = std::move(extensions);
    return out;
}

// The names of all extensions that are used in it, at any depth.
void collect_extensions(const Json& json, std::set<std::string>& out) {
    if (const Json* extensions = json.is_object() ? find_object(json, "extensions") : nullptr)
        for (const auto& [name, value] : extensions->items())
            out.insert(name);
    if (json.is_structured())
        for (const Json& inner : json)
            collect_extensions(inner, out);
}

Json sampler_json(const SurfaceTexture& texture) {
    Json out = {{"wrapS", texture.wrap_s}, {"wrapT", texture.wrap_t}};
    if (texture.mag_filter != 0) out["magFilter"] = texture.mag_filter;
    if (texture.min_filter != 0) out["minFilter"] = texture.min_filter;
    return out;
}

}  // namespace

void read_gltf_materials(const Json& document, Appearance& out) {
    out.materials.clear();
    out.textures.clear();
    for (const Json& material : list(document, "materials"))
        out.materials.push_back(read_material(material));
    for (const Json& texture : list(document, "textures"))
        out.textures.push_back(read_texture(texture, list(document, "samplers")));
    out.images.assign(list(document, "images").size(), {});
}

void remove_missing_textures(Appearance& appearance) {
    std::vector<std::int32_t> new_image(appearance.images.size(), -1);
    std::vector<SurfaceImage> images;
    for (std::size_t i = 0; i < appearance.images.size(); ++i) {
        const auto type = image_type(appearance.images[i].bytes);
        if (!type) continue;
        new_image[i] = static_cast<std::int32_t>(images.size());
        images.push_back(std::move(appearance.images[i]));
        images.back().type = *type;
    }
    appearance.images = std::move(images);

    std::vector<std::int32_t> new_texture(appearance.textures.size(), -1);
    std::vector<SurfaceTexture> textures;
    for (std::size_t t = 0; t < appearance.textures.size(); ++t) {
        SurfaceTexture texture = appearance.textures[t];
        if (texture.image < 0 || static_cast<std::size_t>(texture.image) >= new_image.size()) continue;
        texture.image = new_image[static_cast<std::size_t>(texture.image)];
        if (texture.image < 0) continue;
        new_texture[t] = static_cast<std::int32_t>(textures.size());
        textures.push_back(texture);
    }
    appearance.textures = std::move(textures);

    for (SurfaceMaterial& m : appearance.materials)
        for (TextureUse* use : {&m.base_color_texture, &m.metallic_roughness_texture, &m.normal_texture,
                                &m.occlusion_texture, &m.emissive_texture}) {
            const bool there = use->texture >= 0 &&
                               static_cast<std::size_t>(use->texture) < new_texture.size() && use->set >= 0 &&
                               static_cast<std::size_t>(use->set) < appearance.texture_coordinates.size();
            const std::int32_t texture = there ? new_texture[static_cast<std::size_t>(use->texture)] : -1;
            *use = texture >= 0 ? TextureUse{texture, use->set, use->transform} : TextureUse{};
        }
    for (SurfaceMaterial& m : appearance.materials) {
        Json extensions = parsed_extensions(m.extensions);
        m.extensions.clear();
        if (extensions.is_null()) continue;
        for (Json& extension : extensions)
            if (extension.is_object())
                renumber_textures(extension, new_texture, appearance.texture_coordinates.size());
        m.extensions = dumped(extensions);
    }
}

void write_gltf_materials(const Appearance& appearance, Json& document) {
    // Lists of glTF are never empty.
    if (!appearance.materials.empty()) document["materials"] = Json::array();
    std::set<std::string> used;
    for (const SurfaceMaterial& material : appearance.materials) {
        document["materials"].push_back(material_json(material));
        collect_extensions(document["materials"].back(), used);
    }
    for (const std::string& name : used)
        document["extensionsUsed"].push_back(name);
    if (!appearance.textures.empty()) document["textures"] = document["samplers"] = Json::array();
    for (const SurfaceTexture& texture : appearance.textures) {
        document["textures"].push_back({{"sampler", document["samplers"].size()}, {"source", texture.image}});
        document["samplers"].push_back(sampler_json(texture));
    }
}

}  // namespace limber
