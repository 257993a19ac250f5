// SPDX-License-Identifier: Apache-2.0
#include <limber/model/crc32c.h>
#include <limber/model/glb.h>
#include <limber/model/gltf_appearance.h>
#include <limber/model/json_text.h>
#include <limber/model/model_extension.h>
#include <limber/model/model_file.h>
#include <limber/model/model_parts.h>
#include <limber/model/surface_normals.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace limber {

static_assert(std::endian::native == std::endian::little,
              "model files are little-endian, and copied as they are");

namespace {

using Json = nlohmann::json;

constexpr const char* kDamaged = "the file is damaged; copy or build it again";
// Of all numbers in an array: more do not fit in a .glb file.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 32;
constexpr std::int64_t kLongest = std::int64_t{1} << 29;  // of a dimension: the doubles that fit

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
    std::size_t bytes_taken() const { return bytes_taken_; }  // by the arrays that were read
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
    BrickQuadrature quadrature() {
        const bool exact = flag("exact_quadrature");
        if (find_boolean(extension_, "selective_quadrature").value_or(false))
            return BrickQuadrature::Selective;
        return exact ? BrickQuadrature::Exact : BrickQuadrature::Standard;
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

    bool has(const std::string& name) const { return find_array_entry(name) != nullptr; }

    // The bytes of an array whose type, shape, length and checksum are right; its lengths. Letters of the
    // shape that are not known yet become known. Memory is taken by the caller, after all checks.
    std::string_view bytes(const std::string& name, const char* type, const ModelArray& info,
                           Lengths& found) {
        const std::vector<std::string_view> letters = letters_of(info.shape);
        found.assign(letters.size(), 0);
        if (failed()) return {};
        const std::string_view out = checked_bytes(name, type, letters, found);
        if (!failed()) lengths.learn(letters, found);
        return out;
    }
    template <class T>
    void array(const std::string& name, const ModelArray& info, T& out) {
        Lengths found;
        const std::string_view from = bytes(name, LayoutOf<T>::kInFile, info, found);
        if (failed()) return;
        LayoutOf<T>::resize(out, found);
        fill(out, from);
    }
    // Is it missing on purpose? An optional array may be, if all of its set are.
    template <class List>
    bool left_out(const List& list, const ModelArray& info) const {
        if (info.presence != Presence::Optional) return false;
        bool any = false;
        for_each_name(list, [&](const ModelArray& other) {
            any = any || (std::string_view(other.set) == info.set && has(other.name));
        });
        return !any;
    }
    template <class List>
    bool has_any(const List& list) const {
        bool any = false;
        for_each_name(list, [&](const ModelArray& info) { any = any || has(info.name); });
        return any;
    }
    // The last length of an array; kUnknown if it is not there.
    std::int64_t last_length(const std::string& name) const {
        const Json* array = find_array_entry(name);
        const Json* shape = array ? find_array(*array, "shape") : nullptr;
        return shape && !shape->empty() ? to_count(shape->back()).value_or(KnownLengths::kUnknown)
                                        : KnownLengths::kUnknown;
    }

    template <class List, class Part>
    void part(const List& list, Part& out) {
        for_each_array(list, out, [&](const ModelArray& info, auto& value) {
            if (!left_out(list, info)) array(info.name, info, value);
        });
    }
    // The groups share each array.
    template <class List, class Group>
    void part(const List& list, std::vector<Group>& groups) {
        std::apply([&](const auto&... array) { (shared_array(list, array, groups), ...); }, list);
    }

    KnownLengths lengths;

 private:
    template <class List, class Visit>
    static void for_each_name(const List& list, Visit&& visit) {
        std::apply([&](const auto&... array) { (visit(array.info), ...); }, list);
    }
    template <class List, class Array, class Group>
    void shared_array(const List& list, const Array& array, std::vector<Group>& groups) {
        using Layout = LayoutOf<decltype(std::invoke(array.member, groups[0]))>;
        if (left_out(list, array.info)) return;
        Lengths found;
        const std::string_view all = bytes(array.info.name, Layout::kInFile, array.info, found);
        if (failed()) return;
        const std::size_t each = all.size() / groups.size();
        found.erase(found.begin());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            auto& value = std::invoke(array.member, groups[g]);
            Layout::resize(value, found);
            fill(value, all.substr(g * each, each));
        }
    }

    const Json* find_array_entry(const std::string& name) const {
        const Json* arrays = find_object(extension_, "arrays");
        return arrays ? find_object(*arrays, name.c_str()) : nullptr;
    }
    std::string_view checked_bytes(const std::string& name, const std::string& type,
                                   const std::vector<std::string_view>& letters, Lengths& found) {
        const std::string part = "array " + name;
        const auto refuse = [&](std::string problem) {
            fail(part, std::move(problem));
            return std::string_view();
        };
        const Json* array = find_array_entry(name);
        if (!array) return refuse("it is missing");
        if (find_text(*array, "type") != type) return refuse("its type must be " + type);
        const auto numbers = read_shape(*array, letters, found);
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
        bytes_taken_ += view->size();
        return *view;
    }

    // How many numbers the array has; nothing if it has another shape than expected.
    std::optional<std::int64_t> read_shape(const Json& array, const std::vector<std::string_view>& letters,
                                           Lengths& found) {
        const Json* shape = find_array(array, "shape");
        if (!shape || shape->size() != letters.size()) return std::nullopt;
        std::int64_t numbers = 1;
        for (std::size_t d = 0; d < letters.size(); ++d) {
            const std::int64_t want = lengths.find(letters[d]);
            const auto is = to_count((*shape)[d]);
            if (!is || (want != KnownLengths::kUnknown && *is != want) || *is > kLongest) return std::nullopt;
            if (*is > 0 && numbers > kMostNumbers / *is) return std::nullopt;
            numbers *= *is;
            found[d] = *is;
        }
        return numbers;
    }

    const Json& document_;
    const Json& extension_;
    std::string_view binary_;
    std::string name_;
    std::optional<InputError> error_;
    std::size_t bytes_taken_ = 0;
};

// Fills the parts of a model, one after another. Of a part that may be missing any array says that it is
// there.
struct PartReader {
    ExtensionReader& from;

    template <class List, class Part>
    void operator()(const List& list, Part& part) {
        if constexpr (std::is_same_v<Part, ModelVolume>)
            if (!from.has_any(list)) return;  // lean
        from.part(list, part);
    }
    template <class List, class Part>
    void operator()(const List& list, std::shared_ptr<const Part>& part) {
        if (!from.has_any(list) || (std::is_same_v<Part, StvkModel> && is_without_energy())) return;
        const auto made = std::make_shared<Part>();
        if constexpr (requires { made->groups; }) {
            made->groups.resize(static_cast<std::size_t>(from.lengths.find("g")));
            from.part(list, made->groups);
        } else {
            from.part(list, *made);
        }
        part = made;
    }

 private:
    // Up to format version 4 models for warping alone had masses, but no coefficients.
    bool is_without_energy() const {
        return from.last_length("groups.bulk") == 0 && from.last_length("groups.shear") == 0;
    }
};

// The basis from the floats of the morph targets, straight from the file: U_i = target_i / scale_i.
void read_targets(ExtensionReader& from, Model& model) {
    const Eigen::VectorXd& scale = model.target_scale;
    if (!from.failed() && !(scale.array() > 0).all())
        from.fail("array target_scale", "a scale is not positive");
    std::vector<std::string_view> targets;
    Lengths found;
    for (Eigen::Index i = 0; i < scale.size(); ++i)
        targets.push_back(from.bytes(numbered(kTargetArray, i), kFloat32, kTargetArray, found));
    if (from.failed()) return;
    Eigen::MatrixXd& out = model.surface.basis;
    out.resize(static_cast<Eigen::Index>(3 * model.surface.vertices.size()), scale.size());
    for (Eigen::Index i = 0; i < scale.size(); ++i)
        for (Eigen::Index row = 0; row < out.rows(); ++row) {
            float value;  // a view need not lie at a multiple of 4 bytes
            std::memcpy(&value, targets[static_cast<std::size_t>(i)].data() + sizeof value * std::size_t(row),
                        sizeof value);
            out(row, i) = value / scale[i];
        }
}

// Before format version 4 always doubles.
void read_surface_basis(ExtensionReader& from, Model& model) {
    if (model.rank == 0) return;
    const bool doubles = from.has("surface.basis");
    model.surface.kept_as = doubles ? SurfaceBasis::Double : SurfaceBasis::Float;
    if (doubles) return;  // read with the other arrays
    if (from.has(numbered(kTargetArray, 0)) || from.has(numbered(kTargetArray, 1)))
        read_targets(from, model);
    else
        from.fail("array surface.basis", "it is missing");
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
    for (std::size_t set = 0; set < kMostTextureSets; ++set) {
        const std::string name = numbered(kTextureCoordinateArray, static_cast<std::ptrdiff_t>(set));
        if (!from.has(name)) break;
        from.array(name, kTextureCoordinateArray, look.texture_coordinates.emplace_back());
    }
    if (from.failed()) return;
    read_gltf_materials(document, look);
    read_images(document, binary, look);
    remove_missing_textures(look);
    const auto materials = static_cast<std::int64_t>(look.materials.size());
    for (SurfacePart& part : look.parts)
        if (part.material >= materials) part.material = -1;
}

// Since format version 4; before, z was shown upwards.
UpAxis read_up(ExtensionReader& from) {
    if (from.count("version") < 4) return UpAxis::Z;
    const auto up = parse_up(from.text("up"));
    if (!up) from.fail(kExtension, "up must be x, y, z, -x, -y or -z");
    return up.value_or(UpAxis::Z);
}

// What the surface looks like is left out of the parts of a tree: each would take a copy of all images.
enum class Looks { Read, LeftOut };

Model read_extension(ExtensionReader& from, const Json& document, std::string_view binary, Looks looks) {
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
    model.quadrature = from.quadrature();
    model.command = from.text("command");
    if (!from.failed() && model.rank > kMostRank)
        from.fail(kExtension, "the rank is " + std::to_string(model.rank));
    const std::vector<std::string> groups = from.texts("groups");
    if (groups.empty()) from.fail(kExtension, "there is no material group");
    if (from.failed()) return model;
    for (const std::string& name : groups)
        model.groups.emplace_back().name = name;

    set_rank(from.lengths, model.rank);
    from.lengths.set("g", static_cast<std::int64_t>(groups.size()));
    for_each_part(model, PartReader{from});
    if (!from.failed() && model.surface.vertices.empty()) from.fail("array surface.vertices", "it is empty");
    if (!from.failed() && model.surface.triangles.empty())
        from.fail("array surface.triangles", "it is empty");
    if (!from.failed()) read_surface_basis(from, model);
    if (!from.failed() && looks == Looks::Read) read_appearance(from, document, binary, model);
    return model;
}

// The names that are listed, and the arrays that all of them share.
void read_interfaces(ExtensionReader& from, std::vector<DomainInterface>& out) {
    const std::vector<std::string> names = from.texts("interfaces");
    for (const std::string& of : names)
        out.emplace_back().name = of;
    from.lengths.set("i", static_cast<std::int64_t>(names.size()));
    if (!names.empty()) from.part(kInterfaceArrays, out);
}

// The bytes of all parts together fit in the file: no two arrays share theirs.
DomainPart read_domain_part(const Json& document, const Json& object, std::string_view binary,
                            const std::string& name, std::optional<InputError>& error, std::size_t& taken) {
    ExtensionReader from(document, object, binary, name);
    DomainPart out;
    auto model = std::make_shared<Model>(read_extension(from, document, binary, Looks::LeftOut));
    if (!from.failed()) read_interfaces(from, out.interfaces);
    taken += from.bytes_taken();
    if (taken > binary.size()) from.fail(kExtension, "its arrays take more bytes than the file has");
    error = std::move(from).error();
    out.model = std::move(model);
    return out;
}

Result<std::shared_ptr<const Model>> read_tree(const Json& document, const Json& extension,
                                               std::string_view binary, const std::string& name) {
    ExtensionReader from(document, extension, binary, name);
    const std::vector<std::string> names = from.texts("domains");
    const std::string title = from.text("name"), command = from.text("command");
    const UpAxis up = read_up(from);
    const bool free_body = from.flag("free_body");
    if (!from.failed() && (names.empty() || names.size() > kMostDomains))
        from.fail(kExtension, "it has " + std::to_string(names.size()) + " domains; 1 to " +
                                  std::to_string(kMostDomains) + " are taken");
    DomainTable table;
    from.lengths.set("j", static_cast<std::int64_t>(names.size()));
    if (!from.failed()) from.part(kDomainArrays, table);
    const Json* parts = find_array(extension, "parts");
    if (!from.failed() && (!parts || parts->empty() || parts->size() > kMostDomains))
        from.fail(kExtension, "parts must be a list of 1 to " + std::to_string(kMostDomains));
    std::size_t taken = from.bytes_taken();
    if (auto problem = std::move(from).error()) return std::move(*problem);

    auto tree = std::make_shared<DomainsModel>();
    for (std::size_t p = 0; p < parts->size(); ++p) {
        std::optional<InputError> error;
        tree->parts.push_back(read_domain_part(document, (*parts)[p], binary,
                                               name + ": part " + std::to_string(p), error, taken));
        if (error) return std::move(*error);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& r = table.rotation[i];
        tree->domains.push_back({names[i], table.part[i], table.parent[i], table.interface[i],
                                 table.position[i], Eigen::Quaterniond(r[3], r[0], r[1], r[2]),
                                 table.scale[i]});
    }
    tree->frequencies_hz = table.frequencies_hz;
    if (auto problem = domains_problem(*tree, name)) return std::move(*problem);
    Result<Model> model = tree_model(std::move(tree), name);
    if (!model.ok()) return model.error();
    model.value().name = title;
    model.value().command = command;
    model.value().up = up;
    model.value().free_body = free_body;
    if (auto problem = model_problem(model.value(), name)) return std::move(*problem);
    return std::shared_ptr<const Model>(std::make_shared<Model>(std::move(model).value()));
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

Result<std::shared_ptr<const Model>> read_model(std::string_view bytes, const std::string& name) {
    const Result<GlbChunks> chunks = split_glb(bytes, name);
    if (!chunks.ok()) return chunks.error();
    const Result<Json> parsed = parse_json_object(chunks.value().json, name);
    if (!parsed.ok()) return parsed.error();
    const Json& document = parsed.value();
    InputError error;
    const Json* extension = find_extension(document, name, error);
    if (!extension) return error;

    const std::string_view binary = chunks.value().binary.value_or("");
    if (find_member(*extension, "parts")) return read_tree(document, *extension, binary, name);
    ExtensionReader from(document, *extension, binary, name);
    Model model = read_extension(from, document, binary, Looks::Read);
    if (!from.failed() && find_member(*extension, "interfaces")) read_interfaces(from, model.interfaces);
    if (auto problem = std::move(from).error()) return std::move(*problem);
    if (auto problem = model_problem(model, name)) return std::move(*problem);
    // The normals, from a surface that is known to be sound. Nobody else has the part yet.
    if (model.warp)
        std::const_pointer_cast<WarpModel>(model.warp)->normals = SurfaceNormals(model.surface).at_rest();
    return std::shared_ptr<const Model>(std::make_shared<Model>(std::move(model)));
}

}  // namespace limber
