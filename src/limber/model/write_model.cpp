// SPDX-License-Identifier: Apache-2.0
#include <limber/model/crc32c.h>
#include <limber/model/glb.h>
#include <limber/model/gltf_appearance.h>
#include <limber/model/gltf_buffer.h>
#include <limber/model/gltf_up.h>
#include <limber/model/model_extension.h>
#include <limber/model/model_file.h>
#include <limber/model/surface_normals.h>
#include <limber/model/surface_tangents.h>
#include <limber/shown_name.h>

#include <cmath>
#include <limits>

namespace limber {

namespace {

using Json = nlohmann::json;
using Shape = std::vector<std::size_t>;

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

// The arrays of the extension, by name.
class Arrays {
 public:
    explicit Arrays(GltfBuffer& buffer) : buffer_(buffer) {}

    // An array of its own. An empty one takes no bytes: glTF has no empty buffer views.
    void add(const std::string& name, const char* type, Shape shape, std::string_view bytes) {
        describe(name, type, std::move(shape), bytes);
        if (!bytes.empty()) list_[name]["bufferView"] = buffer_.add_view(bytes);
    }
    // The bytes of a buffer view that glTF uses too.
    void share(const std::string& name, const char* type, Shape shape, std::string_view bytes,
               std::size_t view) {
        describe(name, type, std::move(shape), bytes);
        list_[name]["bufferView"] = view;
    }
    template <class Matrix>
    void doubles(const std::string& name, Shape shape, const Matrix& values) {
        add(name, kFloat64, std::move(shape),
            bytes_of(values.data(), static_cast<std::size_t>(values.size())));
    }
    void points(const std::string& name, const std::vector<Eigen::Vector3d>& values) {
        add(name, kFloat64, {values.size(), 3}, bytes_of(values.data(), values.size()));
    }
    void ids(const std::string& name, const std::vector<std::int32_t>& values) {
        add(name, kInt32, {values.size()}, bytes_of(values.data(), values.size()));
    }
    template <std::size_t N>
    void elements(const std::string& name, const std::vector<std::array<std::int32_t, N>>& values) {
        add(name, kInt32, {values.size(), N}, bytes_of(values.data(), values.size()));
    }
    Json take() { return std::move(list_); }

 private:
    void describe(const std::string& name, const char* type, Shape shape, std::string_view bytes) {
        list_[name] = {
            {"type", type}, {"shape", std::move(shape)}, {"bytes", bytes.size()}, {kChecksum, crc32c(bytes)}};
    }

    GltfBuffer& buffer_;
    Json list_ = Json::object();
};

// One array of each property, all groups after one another. Matrices go by columns.
void add_groups(const Model& model, Arrays& arrays) {
    const std::size_t count = model.groups.size(), r = static_cast<std::size_t>(model.rank);
    const std::size_t packed = static_cast<std::size_t>(model.groups[0].bulk.size());
    const auto stack = [&](const std::string& name, Shape shape, const auto& values_of) {
        std::vector<double> all;
        for (const ModelGroup& group : model.groups) {
            const auto& values = values_of(group);
            all.insert(all.end(), values.data(), values.data() + values.size());
        }
        shape.insert(shape.begin(), count);
        arrays.doubles(name, std::move(shape), all);
    };
    stack("groups.material", {3}, [](const ModelGroup& g) {
        return Eigen::Vector3d(g.material.young, g.material.poisson, g.material.density);
    });
    stack(
        "groups.bulk", {packed}, [](const ModelGroup& g) -> const auto& { return g.bulk; });
    stack(
        "groups.shear", {packed}, [](const ModelGroup& g) -> const auto& { return g.shear; });
    stack(
        "groups.mass", {r, r}, [](const ModelGroup& g) -> const auto& { return g.mass; });
    stack(
        "groups.weight", {3, r}, [](const ModelGroup& g) -> const auto& { return g.weight; });
    if (model.groups[0].moment.size() > 0)
        stack(
            "groups.moment", {9, r}, [](const ModelGroup& g) -> const auto& { return g.moment; });
    stack("groups.volume", {}, [](const ModelGroup& g) { return Eigen::Matrix<double, 1, 1>(g.volume); });
    stack(
        "groups.first_moment", {3}, [](const ModelGroup& g) -> const auto& { return g.first_moment; });
    stack(
        "groups.second_moment", {3, 3}, [](const ModelGroup& g) -> const auto& { return g.second_moment; });
}

void add_volume(const Model& model, Arrays& arrays) {
    const ModelVolume& volume = model.volume;
    if (volume.vertices.empty()) return;  // lean
    arrays.points("volume.vertices", volume.vertices);
    arrays.elements("volume.tets", volume.tets);
    arrays.elements("volume.bricks", volume.bricks);
    arrays.ids("volume.group_of_element", volume.group_of_element);
    if (!volume.fraction.empty())
        arrays.add("volume.fraction", kFloat32, {volume.fraction.size()},
                   bytes_of(volume.fraction.data(), volume.fraction.size()));
    arrays.ids("volume.fixed_vertices", volume.fixed_vertices);
    arrays.doubles("volume.basis", {static_cast<std::size_t>(model.rank), volume.vertices.size(), 3},
                   volume.basis);
}

// Modes and rotations as floats: they are shown in floats, and doubles would double the file. The normals are
// those of the surface.
void add_warp(const Model& model, Arrays& arrays) {
    if (!model.warp) return;
    const WarpModel& warp = *model.warp;
    const auto m = static_cast<std::size_t>(warp.modes());
    const auto rows = [&](const std::string& name, const WarpRows& values) {
        const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> floats =
            values.cast<float>();
        arrays.add(name, kFloat32,
                   {static_cast<std::size_t>(values.rows() / 3), 3, static_cast<std::size_t>(values.cols())},
                   bytes_of(floats.data(), static_cast<std::size_t>(floats.size())));
    };
    arrays.doubles("warp.eigenvalues", {m}, warp.eigenvalues);
    arrays.doubles("warp.node_mass", {static_cast<std::size_t>(warp.nodes())}, warp.node_mass);
    arrays.points("warp.node_moment", warp.node_moment);
    rows("warp.node_modes", warp.node_modes);
    rows("warp.node_rotations", warp.node_rotations);
    rows("warp.surface_modes", warp.surface_modes);
    rows("warp.surface_rotations", warp.surface_rotations);
    if (warp.companions() == 0) return;
    arrays.doubles(
        "warp.companion_forms",
        {static_cast<std::size_t>(warp.companion_forms.cols()), static_cast<std::size_t>(warp.companions())},
        warp.companion_forms);
    rows("warp.surface_companions", warp.surface_companions);
}

// Morph target i is target_scale_i U_i. Its floats are limber's own data unless doubles stand beside them.
Json morph_targets(const Model& model, const SurfaceNormals& normals, const ModelFileOptions& options,
                   GltfBuffer& buffer, Arrays& arrays) {
    Json targets = Json::array();
    for (Eigen::Index i = 0; i < model.rank; ++i) {
        const Eigen::VectorXd moved = model.target_scale[i] * model.surface.basis.col(i);
        const Eigen::VectorXf as_floats = moved.cast<float>();
        const std::size_t accessor = buffer.add_floats(
            {as_floats.data(), as_floats.data() + as_floats.size()}, 3, GltfBuffer::Bounds::With);
        if (model.surface.kept_as == SurfaceBasis::Float)
            arrays.share(target_name(i), kFloat32, {model.surface.vertices.size(), 3},
                         bytes_of(as_floats.data(), static_cast<std::size_t>(as_floats.size())),
                         buffer.view_of_accessor(accessor));
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
Json surface_mesh(const Model& model, const ModelFileOptions& options, GltfBuffer& buffer, Arrays& arrays) {
    const ModelSurface& surface = model.surface;
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
        arrays.share("surface.texture_coordinates." + std::to_string(set), kFloat32, {coordinates.size(), 2},
                     bytes_of(coordinates.data(), coordinates.size()), buffer.view_of_accessor(accessor));
    }
    if (!look.colors.empty()) {
        const float* first = look.colors.data()->data();
        const std::size_t accessor =
            buffer.add_floats({first, first + 4 * look.colors.size()}, 4, GltfBuffer::Bounds::Without);
        attributes["COLOR_0"] = accessor;
        arrays.share("surface.colors", kFloat32, {look.colors.size(), 4},
                     bytes_of(look.colors.data(), look.colors.size()), buffer.view_of_accessor(accessor));
    }

    const std::string_view corners = bytes_of(surface.triangles.data(), surface.triangles.size());
    const std::size_t corner_view = buffer.add_view(corners, ViewTarget::Indices);
    arrays.share("surface.triangles", kInt32, {surface.triangles.size(), 3}, corners, corner_view);
    const Json targets = morph_targets(model, normals, options, buffer, arrays);

    std::vector<SurfacePart> parts = look.parts;
    if (parts.empty()) parts.push_back({0, static_cast<std::int32_t>(surface.triangles.size()), -1});
    constexpr std::size_t kTriangleBytes = 3 * sizeof(std::int32_t);
    Json primitives = Json::array();
    for (const SurfacePart& part : parts) {
        Json primitive = {{"attributes", attributes},
                          {"indices", buffer.add_indices(corner_view, part.first_triangle * kTriangleBytes,
                                                         3 * static_cast<std::size_t>(part.triangle_count))},
                          {"targets", targets}};
        if (part.material >= 0) primitive["material"] = part.material;
        primitives.push_back(std::move(primitive));
    }

    Json names = Json::array();
    for (int i = 0; i < model.rank; ++i)
        names.push_back("q" + std::to_string(i));
    Json mesh = {{"primitives", primitives},
                 {"weights", std::vector<int>(static_cast<std::size_t>(model.rank), 0)},
                 {"extras", {{"targetNames", names}}}};
    if (!model.name.empty()) mesh["name"] = model.name;
    return mesh;
}

void add_surface_arrays(const Model& model, Arrays& arrays) {
    const ModelSurface& surface = model.surface;
    arrays.points("surface.vertices", surface.vertices);
    arrays.ids("surface.input_vertex", surface.input_vertex);
    if (surface.kept_as == SurfaceBasis::Double)
        arrays.doubles("surface.basis", {static_cast<std::size_t>(model.rank), surface.vertices.size(), 3},
                       surface.basis);
    std::vector<std::array<std::int32_t, 3>> parts;
    for (const SurfacePart& part : surface.appearance.parts)
        parts.push_back({part.first_triangle, part.triangle_count, part.material});
    arrays.elements("surface.parts", parts);
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

std::optional<InputError> sample(const Model& model, const RecordedMotion& motion, const std::string& where,
                                 Weights& out, std::vector<std::string>& warnings) {
    const std::string part = where + ": motion '" + shown_name(motion.name) + "'";
    const auto frames = static_cast<Eigen::Index>(motion.times.size());
    if (frames == 0 || motion.q.rows() != model.rank || motion.q.cols() != frames)
        return InputError{part,
                          "there are " + std::to_string(frames) + " times and " +
                              std::to_string(motion.q.cols()) + " frames of " +
                              std::to_string(motion.q.rows()) + " coordinates; the rank is " +
                              std::to_string(model.rank),
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
        for (Eigen::Index i = 0; i < model.rank; ++i) {
            const double weight = motion.q(i, frame) / model.target_scale[i];
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

Json extension_of(const Model& model, Json arrays) {
    Json groups = Json::array();
    for (const ModelGroup& group : model.groups)
        groups.push_back(group.name);
    Json out = {{"version", kModelFileVersion},
                {"name", model.name},
                {"up", up_text(model.up)},
                {"rank", model.rank},
                {"modes", model.modes},
                {"basis_kind", model.basis_kind},
                {"groups", std::move(groups)},
                {"volume_vertices", model.volume_vertices},
                {"volume_elements", model.volume_elements},
                {"free_body", model.free_body},
                {"lumped_mass", model.lumped_mass},
                {"exact_quadrature", model.exact_quadrature},
                {"command", model.command},
                {"arrays", std::move(arrays)}};
    out[kChecksum] = extension_checksum(out);
    return out;
}

ModelBytes refused(InputError error) {
    return {"", {}, std::move(error)};
}

}  // namespace

ModelBytes write_model(const Model& given, const std::vector<RecordedMotion>& motions,
                       const ModelFileOptions& options, const std::string& where) {
    if (auto problem = model_problem(given, where)) return refused(std::move(*problem));
    if (given.surface.triangles.empty())
        return refused({where, "the model has no surface, so there is nothing to show", ""});
    if (given.target_scale.size() == 0) {
        Model scaled = given;
        choose_target_scale(scaled);
        return write_model(scaled, motions, options, where);
    }
    const Model& model = given;

    ModelBytes out;
    GltfBuffer buffer;
    Arrays arrays(buffer);
    Json document = {{"asset", gltf_asset(model.up)},
                     {"extensionsUsed", Json::array({kExtension})},
                     {"scene", 0},
                     {"scenes", Json::array({Json{{"nodes", Json::array({0})}}})}};
    document["nodes"] = Json::array({Json{{"mesh", 0}}});
    turn_to_gltf_up(document["nodes"][0], model.up);
    if (!model.name.empty()) document["nodes"][0]["name"] = model.name;
    document["meshes"] = Json::array({surface_mesh(model, options, buffer, arrays)});
    write_gltf_materials(model.surface.appearance, document);
    add_images(model.surface.appearance, buffer, document);
    for (const RecordedMotion& motion : motions) {
        Weights weights;
        if (auto problem = sample(model, motion, where, weights, out.warnings))
            return refused(std::move(*problem));
        document["animations"].push_back(animation(motion.name, weights, buffer));
    }

    add_surface_arrays(model, arrays);
    add_volume(model, arrays);
    add_warp(model, arrays);
    add_groups(model, arrays);
    const auto list = [&](const std::string& name, const Eigen::VectorXd& values) {
        arrays.doubles(name, {static_cast<std::size_t>(values.size())}, values);
    };
    list("target_scale", model.target_scale);
    list("frequencies_hz", model.frequencies_hz);
    list("spectrum", model.spectrum);
    document["extensions"][kExtension] = extension_of(model, arrays.take());
    buffer.write_to(document);

    const std::string json = compact_json(document);
    if (glb_size(json.size(), buffer.bytes().size()) > kLargestGlb)
        return refused({where,
                        "the model takes " + std::to_string(glb_size(json.size(), buffer.bytes().size())) +
                            " bytes; a .glb file holds 4 GiB",
                        "build it with --lean, a smaller rank or a coarser mesh"});
    out.bytes = join_glb(json, buffer.bytes());
    return out;
}

}  // namespace limber
