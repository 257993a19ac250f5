// SPDX-License-Identifier: Apache-2.0
#include <limber/model/crc32c.h>
#include <limber/model/gltf_surface.h>
#include <limber/model/model_extension.h>
#include <limber/model/model_file.h>
#include <limber/model/model_parts.h>

namespace limber {

namespace {

using Json = nlohmann::json;

// The arrays of the extension, by name. Bytes that glTF does not use too get a buffer view of their own.
class ArrayWriter {
 public:
    explicit ArrayWriter(GltfSurface& file) : file_(file) {}

    // An empty array takes no bytes: glTF has no empty buffer views.
    void add(const std::string& name, const char* type, const Lengths& shape, std::string_view bytes) {
        list_[name] = {{"type", type}, {"shape", shape}, {"bytes", bytes.size()}, {kChecksum, crc32c(bytes)}};
        if (const auto shared = file_.views.find(name); shared != file_.views.end())
            list_[name]["bufferView"] = shared->second;
        else if (!bytes.empty())
            list_[name]["bufferView"] = file_.buffer.add_view(bytes);
    }
    template <class T>
    void add(const std::string& name, const ModelArray& info, const T& value) {
        const Lengths shape = learn(letters_of(info.shape), value);
        if constexpr (kRounded<T>) {
            std::string bytes;
            append_bytes(value, bytes);
            add(name, LayoutOf<T>::kInFile, shape, bytes);
        } else {
            add(name, LayoutOf<T>::kInFile, shape, bytes_of(first_number(value), LayoutOf<T>::size(value)));
        }
    }

    template <class List, class Part>
    void operator()(const List& list, const Part& part) {
        if constexpr (std::is_same_v<Part, ModelVolume>)
            if (part.vertices.empty()) return;  // lean
        for_each_array(list, part, [&](const ModelArray& info, const auto& value) {
            if (!left_out(list, part, info)) add(info.name, info, value);
        });
        if constexpr (std::is_same_v<Part, ModelSurface>) add_numbered(part);
    }
    // One array of each property, all groups after one another.
    template <class List, class Group>
    void operator()(const List& list, const std::vector<Group>& groups) {
        std::apply([&](const auto&... array) { (add_stacked(list, array, groups), ...); }, list);
    }
    template <class List, class Part>
    void operator()(const List& list, const std::shared_ptr<const Part>& part) {
        if (!part) return;
        if constexpr (requires { part->groups; })
            (*this)(list, part->groups);
        else
            (*this)(list, *part);
    }

    KnownLengths lengths;
    Json take() { return std::move(list_); }

 private:
    template <class List, class Part>
    bool left_out(const List& list, const Part& part, const ModelArray& info) const {
        if constexpr (std::is_same_v<Part, ModelSurface>)
            if (part.kept_as == SurfaceBasis::Float && std::string_view(info.set) == "basis") return true;
        return info.presence == Presence::Optional && !has_set(list, part, info.set);
    }
    template <class List, class Array, class Group>
    void add_stacked(const List& list, const Array& array, const std::vector<Group>& groups) {
        if (left_out(list, groups[0], array.info)) return;
        std::vector<std::string_view> letters = letters_of(array.info.shape);
        letters.erase(letters.begin());
        std::string bytes;
        for (const Group& group : groups)
            append_bytes(std::invoke(array.member, group), bytes);
        const auto& first = std::invoke(array.member, groups[0]);
        Lengths shape = learn(letters, first);
        shape.insert(shape.begin(), static_cast<std::int64_t>(groups.size()));
        add(array.info.name, LayoutOf<decltype(first)>::kInFile, shape, bytes);
    }
    // Texture coordinates; morph targets, unless doubles of the basis stand beside them.
    void add_numbered(const ModelSurface& surface) {
        const auto sets = static_cast<std::ptrdiff_t>(surface.appearance.texture_coordinates.size());
        for (std::ptrdiff_t i = 0; i < sets; ++i)
            add(numbered(kTextureCoordinateArray, i), kTextureCoordinateArray,
                surface.appearance.texture_coordinates[static_cast<std::size_t>(i)]);
        if (surface.kept_as == SurfaceBasis::Double) return;
        const Lengths shape = {static_cast<std::int64_t>(surface.vertices.size()), 3};
        for (Eigen::Index i = 0; i < surface.basis.cols(); ++i) {
            const std::string name = numbered(kTargetArray, i);
            add(name, kFloat32, shape, file_.buffer.bytes_of_view(file_.views.at(name)));
        }
    }
    template <class T>
    Lengths learn(const std::vector<std::string_view>& letters, const T& value) {
        const Lengths found = LayoutOf<T>::lengths(value, letters.size());
        lengths.learn(letters, found);
        return lengths.expected(letters, found);
    }

    GltfSurface& file_;
    Json list_ = Json::object();
};

Json extension_of(const Model& model, Json arrays) {
    Json groups = Json::array();
    for (const ModelGroup& group : model.groups)
        groups.push_back(group.name);
    Json out = {{"version", model.stvk ? 4 : 5},
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

Json arrays_of(const Model& model, GltfSurface& file) {
    ArrayWriter arrays(file);
    arrays.lengths.set("r", model.rank);
    arrays.lengths.set("n", model.volume_vertices);
    for_each_part(model, arrays);
    return arrays.take();
}

}  // namespace

Result<ModelBytes> write_model(const Model& model, const std::vector<RecordedMotion>& motions,
                               const ModelFileOptions& options, const std::string& where) {
    if (auto problem = model_problem(model, where)) return std::move(*problem);
    if (model.target_scale.size() != model.rank) {
        Model scaled = model;
        choose_target_scale(scaled);
        return write_model(scaled, motions, options, where);
    }

    GltfSurface file;
    file.document["extensionsUsed"] = Json::array({kExtension});
    const MovingSurface shown{model.name, model.up, model.surface, model.surface.basis, model.target_scale};
    if (const Status added = add_gltf_surface(shown, motions, options, where, file); !added.ok())
        return added.error();
    file.document["extensions"][kExtension] = extension_of(model, arrays_of(model, file));
    return glb_of(std::move(file), where);
}

}  // namespace limber
