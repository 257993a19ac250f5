// SPDX-License-Identifier: Apache-2.0
#include <limber/model/gltf_surface.h>

#include <limber/model/glb.h>
#include <limber/model/gltf_appearance.h>
#include <limber/model/gltf_up.h>
#include <limber/model/model_extension.h>
#include <limber/model/model_parts.h>
#include <limber/model/surface_normals.h>
#include <limber/model/surface_tangents.h>
#include <limber/shown_name.h>

#include <cmath>
#include <limits>
#include <optional>

namespace limber {

namespace {

using Json = nlohmann::json;

// Blender's shape keys end here.
constexpr double kLargestWeight = 10;

float finite_float(double x) {
    const double limit = std::numeric_limits<float>::max();
    return static_cast<float>(std::fmin(std::fmax(x, -limit), limit));
}

template <class Vector>
std::vector<float> floats_of(const std::vector<Vector>& vectors) {
    std::vector<float> out;
    out.reserve(Vector::RowsAtCompileTime * vectors.size());
    for (const Vector& vector : vectors)
        for (const double x : vector)
            out.push_back(finite_float(x));
    return out;
}

// Morph target i is scale_i shape_i.
Json morph_targets(const MovingSurface& shown, const SurfaceNormals& normals, const ModelFileOptions& options,
                   GltfBuffer& buffer, SharedViews& views) {
    Json targets = Json::array();
    for (Eigen::Index i = 0; i < shown.shapes.cols(); ++i) {
        const Eigen::VectorXd moved = shown.scale[i] * shown.shapes.col(i);
        const Eigen::VectorXf as_floats = moved.cast<float>();
        const std::size_t accessor = buffer.add_floats(
            {as_floats.data(), as_floats.data() + as_floats.size()}, 3, GltfBuffer::Bounds::With);
        views[numbered(kTargetArray, i)] = buffer.view_of_accessor(accessor);
        Json target = {{"POSITION", accessor}};
        if (options.morph_normals)
            target["NORMAL"] =
                buffer.add_floats(floats_of(normals.derivative(moved)), 3, GltfBuffer::Bounds::Without);
        targets.push_back(std::move(target));
    }
    return targets;
}

// The texture coordinates of the first normal map.
std::optional<std::size_t> normal_map_set(const Appearance& look) {
    for (const SurfaceMaterial& material : look.materials)
        if (material.normal_texture.texture >= 0)
            return static_cast<std::size_t>(material.normal_texture.set);
    return std::nullopt;
}

// The surface as one mesh: a primitive for each part, all with the same vertices and morph targets.
Json surface_mesh(const MovingSurface& shown, const ModelFileOptions& options, GltfBuffer& buffer,
                  SharedViews& views) {
    const ModelSurface& surface = shown.surface;
    const Appearance& look = surface.appearance;
    const SurfaceNormals normals(surface);
    const std::vector<Eigen::Vector3d> rest_normals = normals.at_rest();
    Json attributes = {
        {"POSITION", buffer.add_floats(floats_of(surface.vertices), 3, GltfBuffer::Bounds::With)},
        {"NORMAL", buffer.add_floats(floats_of(rest_normals), 3, GltfBuffer::Bounds::Without)}};
    if (const auto set = normal_map_set(look))
        attributes["TANGENT"] = buffer.add_floats(floats_of(surface_tangents(surface, rest_normals, *set)), 4,
                                                  GltfBuffer::Bounds::Without);
    for (std::size_t set = 0; set < look.texture_coordinates.size(); ++set) {
        const auto& coordinates = look.texture_coordinates[set];
        const float* first = coordinates.data()->data();
        const std::size_t accessor =
            buffer.add_floats({first, first + 2 * coordinates.size()}, 2, GltfBuffer::Bounds::Without);
        attributes["TEXCOORD_" + std::to_string(set)] = accessor;
        views[numbered(kTextureCoordinateArray, static_cast<std::ptrdiff_t>(set))] =
            buffer.view_of_accessor(accessor);
    }
    if (!look.colors.empty()) {
        const float* first = look.colors.data()->data();
        const std::size_t accessor =
            buffer.add_floats({first, first + 4 * look.colors.size()}, 4, GltfBuffer::Bounds::Without);
        attributes["COLOR_0"] = accessor;
        views["surface.colors"] = buffer.view_of_accessor(accessor);
    }

    const std::size_t corner_view =
        buffer.add_view(bytes_of(surface.triangles.data(), surface.triangles.size()), ViewTarget::Indices);
    views["surface.triangles"] = corner_view;
    const Json targets = morph_targets(shown, normals, options, buffer, views);

    std::vector<SurfacePart> parts = look.parts;
    if (parts.empty()) parts.push_back({0, static_cast<std::int32_t>(surface.triangles.size()), -1});
    constexpr std::size_t kTriangleBytes = 3 * sizeof(std::int32_t);
    Json primitives = Json::array();
    for (const SurfacePart& part : parts) {
        Json primitive = {
            {"attributes", attributes},
            {"indices",
             buffer.add_indices(corner_view, static_cast<std::size_t>(part.first_triangle) * kTriangleBytes,
                                3 * static_cast<std::size_t>(part.triangle_count))}};
        if (!targets.empty()) primitive["targets"] = targets;
        if (part.material >= 0) primitive["material"] = part.material;
        primitives.push_back(std::move(primitive));
    }

    Json mesh = {{"primitives", primitives}};
    if (!targets.empty()) {
        Json names = Json::array();
        for (std::size_t i = 0; i < targets.size(); ++i)
            names.push_back("q" + std::to_string(i));
        mesh["weights"] = std::vector<int>(targets.size(), 0);
        mesh["extras"] = {{"targetNames", names}};
    }
    if (!shown.name.empty()) mesh["name"] = shown.name;
    return mesh;
}

void add_images(const Appearance& look, GltfBuffer& buffer, Json& document) {
    for (const SurfaceImage& image : look.images) {
        Json entry = {{"bufferView", buffer.add_view(image.bytes)},
                      {"mimeType", image.type == ImageType::Png ? "image/png" : "image/jpeg"}};
        if (!image.name.empty()) entry["name"] = image.name;
        document["images"].push_back(std::move(entry));
    }
}

// The weights of a motion at the times that floats can tell apart; glTF wants them ascending.
struct Weights {
    std::vector<float> times, values;
};

std::optional<InputError> sample(const Eigen::VectorXd& scale, const RecordedMotion& motion,
                                 const std::string& where, Weights& out, std::vector<std::string>& warnings) {
    const std::string part = where + ": motion '" + shown_name(motion.name) + "'";
    const auto frames = static_cast<Eigen::Index>(motion.times.size());
    if (frames == 0 || scale.size() == 0 || motion.q.rows() != scale.size() || motion.q.cols() != frames)
        return InputError{part,
                          "there are " + std::to_string(frames) + " times and " +
                              std::to_string(motion.q.cols()) + " frames of " +
                              std::to_string(motion.q.rows()) + " coordinates; the rank is " +
                              std::to_string(scale.size()),
                          ""};
    double largest = 0;
    Eigen::Index largest_frame = 0, largest_target = 0;
    int left_out = 0;
    for (Eigen::Index frame = 0; frame < frames; ++frame) {
        const double time = motion.times[static_cast<std::size_t>(frame)];
        const bool ascends = frame == 0 || time > motion.times[static_cast<std::size_t>(frame - 1)];
        if (!(time >= 0) || !std::isfinite(static_cast<float>(time)) || !ascends)
            return InputError{part,
                              "frame " + std::to_string(frame) + " is at " + number(time, 6) +
                                  " s; times must ascend from 0 on",
                              ""};
        if (!out.times.empty() && !(static_cast<float>(time) > out.times.back())) {
            ++left_out;
            continue;
        }
        out.times.push_back(static_cast<float>(time));
        for (Eigen::Index i = 0; i < scale.size(); ++i) {
            const double weight = motion.q(i, frame) / scale[i];
            if (!std::isfinite(static_cast<float>(weight)))
                return InputError{part,
                                  "coordinate " + std::to_string(i) + " of frame " + std::to_string(frame) +
                                      " is not finite",
                                  ""};
            out.values.push_back(static_cast<float>(weight));
            if (std::abs(weight) > largest) {
                largest = std::abs(weight);
                largest_frame = frame;
                largest_target = i;
            }
        }
    }
    if (largest > kLargestWeight)
        warnings.push_back("motion '" + shown_name(motion.name) + "': weight " +
                           std::to_string(largest_target) + " reaches " + number(largest, 6) + " at " +
                           number(motion.times[static_cast<std::size_t>(largest_frame)], 6) +
                           " s; Blender and others cut weights off at 10");
    if (left_out > 0)
        warnings.push_back("motion '" + shown_name(motion.name) + "': " + std::to_string(left_out) +
                           " frames are left out; 32-bit floats cannot tell their times apart");
    return std::nullopt;
}

Json animation(const std::string& name, const Weights& weights, GltfBuffer& buffer) {
    const std::size_t input = buffer.add_floats(weights.times, 1, GltfBuffer::Bounds::With, ViewTarget::None);
    const std::size_t output =
        buffer.add_floats(weights.values, 1, GltfBuffer::Bounds::Without, ViewTarget::None);
    const Json channel = {{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}};
    const Json sampler = {{"input", input}, {"output", output}, {"interpolation", "LINEAR"}};
    Json out = {{"channels", Json::array({channel})}, {"samplers", Json::array({sampler})}};
    if (!name.empty()) out["name"] = name;
    return out;
}

}  // namespace

Json gltf_mesh(const MovingSurface& shown, const ModelFileOptions& options, GltfBuffer& buffer,
               SharedViews& views) {
    return surface_mesh(shown, options, buffer, views);
}

Status add_gltf_surface(const MovingSurface& shown, const std::vector<RecordedMotion>& motions,
                        const ModelFileOptions& options, const std::string& where, GltfSurface& out) {
    if (shown.surface.triangles.empty())
        return InputError{where, "the model has no surface, so there is nothing to show", ""};
    Json& document = out.document;
    document["asset"] = gltf_asset(shown.up);
    document["scene"] = 0;
    document["scenes"] = Json::array({Json{{"nodes", Json::array({0})}}});
    document["nodes"] = Json::array({Json{{"mesh", 0}}});
    turn_to_gltf_up(document["nodes"][0], shown.up);
    if (!shown.name.empty()) document["nodes"][0]["name"] = shown.name;
    document["meshes"] = Json::array({surface_mesh(shown, options, out.buffer, out.views)});
    write_gltf_materials(shown.surface.appearance, document);
    add_images(shown.surface.appearance, out.buffer, document);
    for (const RecordedMotion& motion : motions) {
        Weights weights;
        if (auto problem = sample(shown.scale, motion, where, weights, out.warnings)) return problem;
        document["animations"].push_back(animation(motion.name, weights, out.buffer));
    }
    return {};
}

Result<ModelBytes> glb_of(GltfSurface surface, const std::string& where) {
    surface.buffer.write_to(surface.document);
    const std::string json = compact_json(surface.document);
    const std::string_view binary = surface.buffer.bytes();
    if (glb_size(json.size(), binary.size()) > kLargestGlb)
        return InputError{where,
                          "the model takes " + std::to_string(glb_size(json.size(), binary.size())) +
                              " bytes; a .glb file holds 4 GiB",
                          "build it with --lean, a smaller rank or a coarser mesh"};
    return ModelBytes{join_glb(json, binary), std::move(surface.warnings)};
}

Result<ModelBytes> write_moving_surface(const MovingSurface& shown,
                                        const std::vector<RecordedMotion>& motions,
                                        const ModelFileOptions& options, const std::string& where) {
    GltfSurface out;
    if (const Status added = add_gltf_surface(shown, motions, options, where, out); !added.ok())
        return added.error();
    return glb_of(std::move(out), where);
}

}  // namespace limber
