// SPDX-License-Identifier: Apache-2.0
#include <limber/model/crc32c.h>
#include <limber/model/glb.h>
#include <limber/model/gltf_appearance.h>
#include <limber/model/json_text.h>
#include <limber/model/model_extension.h>
#include <limber/model/model_file.h>
#include <limber/model/surface_normals.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>

namespace limber {

static_assert(std::endian::native == std::endian::little,
              "model files are little-endian, and copied as they are");

namespace {

using Json = nlohmann::json;

constexpr const char* kDamaged = "the file is damaged; copy or build it again";
constexpr std::int64_t kAny = -1;  // a dimension that the file decides
// Of all numbers in an array: more do not fit in a .glb file.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 32;

// The bytes of a buffer view; nothing if it is not there or not inside the buffer.
std::optional<std::string_view> view_bytes(const Json& document, std::int64_t index,
                                           std::string_view binary) {
    const Json* views = find_array(document, "bufferViews");
    if (!views || index < 0 || static_cast<std::size_t>(index) >= views->size()) return std::nullopt;
    const Json& view = (*views)[static_cast<std::size_t>(index)];
    const auto length = find_count(view, "byteLength");
    const std::int64_t offset =
        find_member(view, "byteOffset") ? find_count(view, "byteOffset").value_or(-1) : 0;
    const auto size = static_cast<std::int64_t>(binary.size());
    if (find_count(view, "buffer") != 0 || !length || offset < 0 || offset > size || *length > size - offset)
        return std::nullopt;
    return binary.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(*length));
}

std::int64_t size_of_type(const std::string& type) {
    return type == kFloat64 ? 8 : 4;
}

// The extension of a document, read member by member. The first problem is kept; after it every member and
// array is empty, so that the caller need not ask after each.
class ExtensionReader {
 public:
    ExtensionReader(const Json& document, const Json& extension, std::string_view binary, std::string name)
        : document_(document), extension_(extension), binary_(binary), name_(std::move(name)) {}

    void fail(const std::string& part, std::string problem, std::string try_this = kDamaged) {
        if (!error_) error_ = InputError{name_ + ": " + part, std::move(problem), std::move(try_this)};
    }
    bool failed() const { return error_.has_value(); }
    std::optional<InputError> error() && { return std::move(error_); }

    std::int64_t count(const char* key) {
        const auto value = find_count(extension_, key);
        if (!value) fail(kExtension, std::string(key) + " must be a whole number");
        return value.value_or(0);
    }
    int small_count(const char* key) {
        const std::int64_t value = count(key);
        if (value > 1'000'000)
            fail(kExtension, std::string(key) + " is " + std::to_string(value) + ", which is too much");
        return failed() ? 0 : static_cast<int>(value);
    }
    std::string text(const char* key) {
        auto value = find_text(extension_, key);
        if (!value) fail(kExtension, std::string(key) + " must be a text");
        return value.value_or("");
    }
    bool flag(const char* key) {
        const auto value = find_boolean(extension_, key);
        if (!value) fail(kExtension, std::string(key) + " must be true or false");
        return value.value_or(false);
    }
    std::vector<std::string> texts(const char* key) {
        std::vector<std::string> out;
        const Json* list = find_array(extension_, key);
        if (!list) fail(kExtension, std::string(key) + " must be a list of texts");
        for (std::size_t i = 0; list && i < list->size(); ++i) {
            if (!(*list)[i].is_string()) fail(kExtension, std::string(key) + " must be a list of texts");
            out.push_back((*list)[i].is_string() ? (*list)[i].get<std::string>() : "");
        }
        return out;
    }

    // Is there an array whose name starts so?
    bool has_arrays_of(std::string_view prefix) const {
        const Json* arrays = find_object(extension_, "arrays");
        if (!arrays) return false;
        for (auto it = arrays->begin(); it != arrays->end(); ++it)
            if (std::string_view(it.key()).starts_with(prefix)) return true;
        return false;
    }

    // The bytes of an array: its type, shape, length and checksum are right. `shape` may hold kAny; what the
    // file says stands in shape() afterwards (zeros if anything failed).
    std::string_view bytes(const std::string& name, const std::string& type,
                           std::initializer_list<std::int64_t> shape) {
        shape_.assign(shape.size(), 0);
        const std::string_view found = failed() ? std::string_view() : checked_bytes(name, type, shape);
        if (failed()) shape_.assign(shape.size(), 0);
        return found;
    }
    std::int64_t shape(std::size_t dimension) const { return shape_[dimension]; }

    // Copies that take their memory only after all checks.
    Eigen::VectorXd doubles(const std::string& name) {
        const std::string_view from = bytes(name, kFloat64, {kAny});
        Eigen::VectorXd out(shape(0));
        copy(from, out.data());
        return out;
    }
    // All entries of a matrix, by columns; as numpy sees it, columns x (rows / 3) x 3.
    Eigen::MatrixXd basis(const std::string& name, std::size_t vertices, int rank) {
        const std::string_view from = bytes(name, kFloat64, {rank, static_cast<std::int64_t>(vertices), 3});
        if (failed()) return {};
        Eigen::MatrixXd out(static_cast<Eigen::Index>(3 * vertices), rank);
        copy(from, out.data());
        return out;
    }
    // The same from the floats of the morph targets, straight from the file: U_i = target_i / scale_i.
    Eigen::MatrixXd basis_of_targets(std::size_t vertices, const Eigen::VectorXd& scale) {
        std::vector<std::string_view> targets;
        for (Eigen::Index i = 0; i < scale.size(); ++i)
            targets.push_back(bytes(target_name(i), kFloat32, {static_cast<std::int64_t>(vertices), 3}));
        if (failed()) return {};
        Eigen::MatrixXd out(static_cast<Eigen::Index>(3 * vertices), scale.size());
        for (Eigen::Index i = 0; i < scale.size(); ++i)
            for (Eigen::Index row = 0; row < out.rows(); ++row)
                out(row, i) = float_at(targets[static_cast<std::size_t>(i)], row) / scale[i];
        return out;
    }
    // A matrix by columns, of the size that the file says.
    Eigen::MatrixXd matrix(const std::string& name) {
        const std::string_view from = bytes(name, kFloat64, {kAny, kAny});
        Eigen::MatrixXd out(shape(1), shape(0));
        copy(from, out.data());
        return out;
    }
    // Floats, points x 3 x columns.
    WarpRows warp_rows(const std::string& name, std::int64_t points, std::int64_t columns) {
        const std::string_view from = bytes(name, kFloat32, {points, 3, columns});
        if (failed()) return {};
        WarpRows out(static_cast<Eigen::Index>(3 * points), static_cast<Eigen::Index>(columns));
        for (Eigen::Index row = 0; row < out.rows(); ++row)
            for (Eigen::Index i = 0; i < out.cols(); ++i)
                out(row, i) = float_at(from, row * out.cols() + i);
        return out;
    }
    std::vector<Eigen::Vector3d> points(const std::string& name) {
        const std::string_view from = bytes(name, kFloat64, {kAny, 3});
        std::vector<Eigen::Vector3d> out(static_cast<std::size_t>(shape(0)));
        if (!out.empty()) copy(from, out[0].data());
        return out;
    }
    std::vector<float> floats(const std::string& name) {
        const std::string_view from = bytes(name, kFloat32, {kAny});
        std::vector<float> out(static_cast<std::size_t>(shape(0)));
        copy(from, out.data());
        return out;
    }
    std::vector<std::int32_t> ids(const std::string& name) {
        const std::string_view from = bytes(name, kInt32, {kAny});
        std::vector<std::int32_t> out(static_cast<std::size_t>(shape(0)));
        copy(from, out.data());
        return out;
    }
    template <std::size_t N>
    std::vector<std::array<std::int32_t, N>> elements(const std::string& name) {
        const std::string_view from = bytes(name, kInt32, {kAny, static_cast<std::int64_t>(N)});
        std::vector<std::array<std::int32_t, N>> out(static_cast<std::size_t>(shape(0)));
        if (!out.empty()) copy(from, out[0].data());
        return out;
    }
    // A view need not lie at a multiple of 4 bytes.
    static float float_at(std::string_view from, Eigen::Index index) {
        float out;
        std::memcpy(&out, from.data() + sizeof out * static_cast<std::size_t>(index), sizeof out);
        return out;
    }
    template <class T>
    static void copy(std::string_view from, T* to) {
        if (!from.empty()) std::memcpy(to, from.data(), from.size());
    }

 private:
    std::string_view checked_bytes(const std::string& name, const std::string& type,
                                   std::initializer_list<std::int64_t> shape) {
        const std::string part = "array " + name;
        const auto refuse = [&](std::string problem) {
            fail(part, std::move(problem));
            return std::string_view();
        };
        const Json* arrays = find_object(extension_, "arrays");
        const Json* array = arrays ? find_object(*arrays, name.c_str()) : nullptr;
        if (!array) return refuse("it is missing");
        if (find_text(*array, "type") != type) return refuse("its type must be " + type);
        const auto numbers = read_shape(*array, shape);
        if (!numbers) return refuse("its shape does not fit the model");

        const std::int64_t expected = *numbers * size_of_type(type);
        std::optional<std::string_view> view = "";
        if (expected > 0)
            view = view_bytes(document_, find_count(*array, "bufferView").value_or(-1), binary_);
        if (!view) return refuse("its buffer view is missing or lies outside the file");
        if (static_cast<std::int64_t>(view->size()) != expected || find_count(*array, "bytes") != expected)
            return refuse("its buffer view has " + std::to_string(view->size()) +
                          " bytes; its shape asks for " + std::to_string(expected));
        if (find_count(*array, kChecksum) != std::int64_t{crc32c(*view)})
            return refuse("the checksum is wrong: the bytes have changed since they were written");
        return *view;
    }

    // How many numbers the array has; nothing if it has another shape than expected.
    std::optional<std::int64_t> read_shape(const Json& array, std::initializer_list<std::int64_t> expected) {
        const Json* found = find_array(array, "shape");
        if (!found || found->size() != expected.size()) return std::nullopt;
        std::int64_t numbers = 1;
        for (std::size_t d = 0; d < expected.size(); ++d) {
            const std::int64_t want = expected.begin()[d];
            const auto is = to_count((*found)[d]);
            if (!is || (want != kAny && *is != want) || *is > kMostNumbers) return std::nullopt;
            if (*is > 0 && numbers > kMostNumbers / *is) return std::nullopt;
            numbers *= *is;
            shape_[d] = *is;
        }
        return numbers;
    }

    const Json& document_;
    const Json& extension_;
    std::string_view binary_;
    std::string name_;
    std::vector<std::int64_t> shape_;
    std::optional<InputError> error_;
};

void read_groups(ExtensionReader& from, Model& model) {
    const std::vector<std::string> names = from.texts("groups");
    const auto count = static_cast<std::int64_t>(names.size());
    const std::int64_t r = model.rank;
    if (count == 0) from.fail(kExtension, "there is no material group");
    const std::string_view material = from.bytes("groups.material", kFloat64, {count, 3});
    const std::string_view bulk = from.bytes("groups.bulk", kFloat64, {count, kAny});
    const std::int64_t packed = from.shape(1);  // model_problem() compares it with the rank
    const std::string_view shear = from.bytes("groups.shear", kFloat64, {count, packed});
    const std::string_view mass = from.bytes("groups.mass", kFloat64, {count, r, r});
    const std::string_view weight = from.bytes("groups.weight", kFloat64, {count, 3, r});
    const std::string_view moment = from.has_arrays_of("groups.moment")
                                        ? from.bytes("groups.moment", kFloat64, {count, 9, r})
                                        : std::string_view();
    const std::string_view volume = from.bytes("groups.volume", kFloat64, {count});
    const std::string_view first_moment = from.bytes("groups.first_moment", kFloat64, {count, 3});
    const std::string_view second_moment = from.bytes("groups.second_moment", kFloat64, {count, 3, 3});
    if (from.failed()) return;

    model.groups.resize(names.size());
    for (std::size_t g = 0; g < names.size(); ++g) {
        ModelGroup& group = model.groups[g];
        const auto share = [&](std::string_view all) {
            const std::size_t each = all.size() / names.size();
            return all.substr(g * each, each);
        };
        group.name = names[g];
        Eigen::Vector3d constants;
        ExtensionReader::copy(share(material), constants.data());
        group.material = {constants[0], constants[1], constants[2]};
        group.bulk.resize(packed);
        ExtensionReader::copy(share(bulk), group.bulk.data());
        group.shear.resize(packed);
        ExtensionReader::copy(share(shear), group.shear.data());
        group.mass.resize(r, r);
        ExtensionReader::copy(share(mass), group.mass.data());
        group.weight.resize(r, 3);
        ExtensionReader::copy(share(weight), group.weight.data());
        if (!moment.empty()) {
            group.moment.resize(r, 9);
            ExtensionReader::copy(share(moment), group.moment.data());
        }
        ExtensionReader::copy(share(volume), &group.volume);
        ExtensionReader::copy(share(first_moment), group.first_moment.data());
        ExtensionReader::copy(share(second_moment), group.second_moment.data());
    }
}

void read_surface(ExtensionReader& from, Model& model) {
    ModelSurface& surface = model.surface;
    surface.vertices = from.points("surface.vertices");
    surface.triangles = from.elements<3>("surface.triangles");
    surface.input_vertex = from.ids("surface.input_vertex");
    // Before format version 4 always doubles.
    if (from.has_arrays_of("surface.basis") || !from.has_arrays_of("surface.target.")) {
        surface.kept_as = SurfaceBasis::Double;
        surface.basis = from.basis("surface.basis", surface.vertices.size(), model.rank);
    } else {
        if (!from.failed() &&
            (model.target_scale.size() != model.rank || !(model.target_scale.array() > 0).all()))
            from.fail("array target_scale", "a scale is missing or not positive");
        surface.basis = from.basis_of_targets(surface.vertices.size(), model.target_scale);
    }
    if (!from.failed() && surface.vertices.empty()) from.fail("array surface.vertices", "it is empty");
    if (!from.failed() && surface.triangles.empty()) from.fail("array surface.triangles", "it is empty");
}

void read_volume(ExtensionReader& from, Model& model) {
    if (!from.has_arrays_of("volume.")) return;  // lean
    ModelVolume& volume = model.volume;
    volume.vertices = from.points("volume.vertices");
    volume.tets = from.elements<4>("volume.tets");
    volume.bricks = from.elements<8>("volume.bricks");
    volume.group_of_element = from.ids("volume.group_of_element");
    if (from.has_arrays_of("volume.fraction")) volume.fraction = from.floats("volume.fraction");
    volume.fixed_vertices = from.ids("volume.fixed_vertices");
    volume.basis = from.basis("volume.basis", volume.vertices.size(), model.rank);
}

// The normals come later, from a surface that is known to be sound.
std::shared_ptr<WarpModel> read_warp(ExtensionReader& from, const Model& model) {
    if (!from.has_arrays_of("warp.")) return nullptr;
    auto warp = std::make_shared<WarpModel>();
    warp->eigenvalues = from.doubles("warp.eigenvalues");
    warp->node_mass = from.doubles("warp.node_mass");
    warp->node_moment = from.points("warp.node_moment");
    const std::int64_t modes = warp->modes(), nodes = warp->nodes();
    const auto vertices = static_cast<std::int64_t>(model.surface.vertices.size());
    warp->node_modes = from.warp_rows("warp.node_modes", nodes, modes);
    warp->node_rotations = from.warp_rows("warp.node_rotations", nodes, modes);
    warp->surface_modes = from.warp_rows("warp.surface_modes", vertices, modes);
    warp->surface_rotations = from.warp_rows("warp.surface_rotations", vertices, modes);
    // Since format version 3, both or none.
    if (from.has_arrays_of("warp.companion_forms") || from.has_arrays_of("warp.surface_companions")) {
        warp->companion_forms = from.matrix("warp.companion_forms");
        warp->surface_companions =
            from.warp_rows("warp.surface_companions", vertices, warp->companion_forms.rows());
    }
    return warp;
}

// Images may share a buffer view; together they take no more than the file.
void read_images(const Json& document, std::string_view binary, Appearance& look) {
    const Json* images = find_array(document, "images");
    std::size_t left = binary.size();
    for (std::size_t i = 0; i < look.images.size(); ++i) {
        const Json& image = (*images)[i];
        const auto bytes = view_bytes(document, find_count(image, "bufferView").value_or(-1), binary);
        if (!bytes || bytes->size() > left) continue;
        left -= bytes->size();
        look.images[i].bytes = *bytes;
        look.images[i].name = find_text(image, "name").value_or("");
    }
}

// Other programs may have changed the looks: what they left out is left out here.
void read_appearance(ExtensionReader& from, const Json& document, std::string_view binary, Model& model) {
    Appearance& look = model.surface.appearance;
    const auto vertices = static_cast<std::int64_t>(model.surface.vertices.size());
    for (std::size_t set = 0; set < kMostTextureSets; ++set) {
        const std::string name = "surface.texture_coordinates." + std::to_string(set);
        if (!from.has_arrays_of(name)) break;
        const std::string_view bytes = from.bytes(name, kFloat32, {vertices, 2});
        if (from.failed()) return;
        look.texture_coordinates.emplace_back(static_cast<std::size_t>(vertices));
        ExtensionReader::copy(bytes, look.texture_coordinates.back()[0].data());
    }
    if (from.has_arrays_of("surface.colors")) {
        const std::string_view bytes = from.bytes("surface.colors", kFloat32, {vertices, 4});
        if (from.failed()) return;
        look.colors.resize(static_cast<std::size_t>(vertices));
        if (vertices > 0) ExtensionReader::copy(bytes, look.colors[0].data());
    }
    read_gltf_materials(document, look);
    read_images(document, binary, look);
    remove_missing_textures(look);
    const auto materials = static_cast<std::int64_t>(look.materials.size());
    for (const auto& [first, count, material] : from.elements<3>("surface.parts"))
        look.parts.push_back({first, count, material < materials ? material : -1});
}

// Since format version 4; before, z was shown upwards.
UpAxis read_up(ExtensionReader& from) {
    if (from.count("version") < 4) return UpAxis::Z;
    const auto up = parse_up(from.text("up"));
    if (!up) from.fail(kExtension, "up must be x, y, z, -x, -y or -z");
    return up.value_or(UpAxis::Z);
}

Model read_extension(ExtensionReader& from, const Json& document, std::string_view binary) {
    Model model;
    model.name = from.text("name");
    model.up = read_up(from);
    model.rank = from.small_count("rank");
    model.modes = from.small_count("modes");
    model.basis_kind = from.text("basis_kind");
    model.volume_vertices = from.count("volume_vertices");
    model.volume_elements = from.count("volume_elements");
    model.free_body = from.flag("free_body");
    model.lumped_mass = from.flag("lumped_mass");
    model.exact_quadrature = from.flag("exact_quadrature");
    model.command = from.text("command");
    if (!from.failed() && (model.rank < 1 || model.rank > kMostRank))
        from.fail(kExtension, "the rank is " + std::to_string(model.rank));
    model.target_scale = from.doubles("target_scale");
    read_groups(from, model);
    read_surface(from, model);
    read_volume(from, model);
    if (!from.failed()) read_appearance(from, document, binary, model);
    model.frequencies_hz = from.doubles("frequencies_hz");
    model.spectrum = from.doubles("spectrum");
    return model;
}

// The extension's object, of a version that is known and with the right checksum; or the problem.
const Json* find_extension(const Json& document, const std::string& name, InputError& error) {
    const Json* extensions = find_object(document, "extensions");
    const Json* extension = extensions ? find_object(*extensions, kExtension) : nullptr;
    if (!extension) {
        error = {name, "this is a glTF without limber's data", "build a model from it with limber build"};
        return nullptr;
    }
    const auto version = find_count(*extension, "version");
    if (!version || *version < 1) {
        error = {name, "the format version is missing", kDamaged};
        return nullptr;
    }
    if (*version > kModelFileVersion) {
        error = {name,
                 "the model has format version " + std::to_string(*version) + "; this limber reads up to " +
                     std::to_string(kModelFileVersion),
                 "use a newer limber, or build the model again with this one"};
        return nullptr;
    }
    if (find_count(*extension, kChecksum) != std::int64_t{extension_checksum(*extension)}) {
        error = {name + ": " + kExtension, "the checksum is wrong: the text has changed since it was written",
                 kDamaged};
        return nullptr;
    }
    return extension;
}

}  // namespace

ModelResult read_model(std::string_view bytes, const std::string& name) {
    GlbChunks chunks;
    if (auto problem = split_glb(bytes, name, chunks)) return {nullptr, std::move(*problem)};
    Json document;
    if (auto problem = parse_json_object(chunks.json, name, document)) return {nullptr, std::move(*problem)};
    ModelResult result;
    const Json* extension = find_extension(document, name, result.error);
    if (!extension) return result;

    const std::string_view binary = chunks.binary.value_or("");
    ExtensionReader from(document, *extension, binary, name);
    Model model = read_extension(from, document, binary);
    const std::shared_ptr<WarpModel> warp = read_warp(from, model);
    model.warp = warp;
    if (auto problem = std::move(from).error()) return {nullptr, std::move(*problem)};
    if (auto problem = model_problem(model, name)) return {nullptr, std::move(*problem)};
    if (warp) warp->normals = SurfaceNormals(model.surface).at_rest();
    result.model = std::make_shared<const Model>(std::move(model));
    return result;
}

}  // namespace limber
