// SPDX-License-Identifier: Apache-2.0
#include <limber/model/crc32c.h>
#include <limber/model/gltf_surface.h>
#include <limber/model/gltf_up.h>
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

DomainTable table_of(const DomainsModel& tree) {
    DomainTable out;
    for (const Domain& d : tree.domains) {
        out.part.push_back(d.part);
        out.parent.push_back(d.parent);
        out.interface.push_back(d.interface);
        out.position.push_back(d.position);
        out.rotation.push_back({d.rotation.x(), d.rotation.y(), d.rotation.z(), d.rotation.w()});
        out.scale.push_back(d.scale);
    }
    out.frequencies_hz = tree.frequencies_hz;
    return out;
}

int version_of(const Model& model) {
    if (!model.stvk) return 5;
    return model.stvk->has_tensors() ? 6 : 4;
}

Json names_of(const std::vector<DomainInterface>& interfaces) {
    Json out = Json::array();
    for (const DomainInterface& interface : interfaces)
        out.push_back(interface.name);
    return out;
}

Json extension_of(const Model& model, Json arrays) {
    Json groups = Json::array();
    for (const ModelGroup& group : model.groups)
        groups.push_back(group.name);
    Json out = {{"version", version_of(model)},
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
                {"exact_quadrature", model.quadrature == BrickQuadrature::Exact},
                {"command", model.command},
                {"arrays", std::move(arrays)}};
    if (model.quadrature == BrickQuadrature::Selective) out["selective_quadrature"] = true;
    if (!model.interfaces.empty()) out["interfaces"] = names_of(model.interfaces);
    out[kChecksum] = extension_checksum(out);
    return out;
}

Json arrays_of(const Model& model, GltfSurface& file) {
    ArrayWriter arrays(file);
    arrays.lengths.set("r", model.rank);
    arrays.lengths.set("n", model.volume_vertices);
    for_each_part(model, arrays);
    if (!model.interfaces.empty()) arrays(kInterfaceArrays, model.interfaces);
    return arrays.take();
}

// A node for each domain below one that turns up to glTF's; instances of a part share its mesh.
void add_nodes(const Model& model, Json& document) {
    const DomainsModel& tree = *model.domains;
    Json nodes = Json::array({Json{{"name", model.name}, {"children", Json::array({1})}}});
    turn_to_gltf_up(nodes[0], model.up);
    for (const Domain& d : tree.domains) {
        Json node = {{"name", d.name}, {"mesh", d.part}};
        if (d.position != Eigen::Vector3d::Zero())
            node["translation"] = {d.position.x(), d.position.y(), d.position.z()};
        if (!d.rotation.isApprox(Eigen::Quaterniond::Identity(), 0))
            node["rotation"] = {d.rotation.x(), d.rotation.y(), d.rotation.z(), d.rotation.w()};
        if (d.scale != 1) node["scale"] = {d.scale, d.scale, d.scale};
        nodes.push_back(std::move(node));
    }
    for (std::size_t i = 1; i < tree.domains.size(); ++i)
        nodes[std::size_t(tree.domains[i].parent) + 1]["children"].push_back(i + 1);
    document["nodes"] = std::move(nodes);
}

Result<ModelBytes> write_tree(const Model& model, const ModelFileOptions& options, const std::string& where) {
    GltfSurface file;
    file.document["extensionsUsed"] = Json::array({kExtension});
    file.document["asset"] = gltf_asset(model.up);
    file.document["scene"] = 0;
    file.document["scenes"] = Json::array({Json{{"nodes", Json::array({0})}}});
    add_nodes(model, file.document);
    Json parts = Json::array(), names = Json::array();
    for (const DomainPart& part : model.domains->parts) {
        Model of = *part.model;
        if (of.target_scale.size() != of.rank) choose_target_scale(of);
        file.views.clear();
        const MovingSurface shown{of.name, of.up, of.surface, of.surface.basis, of.target_scale};
        file.document["meshes"].push_back(gltf_mesh(shown, options, file.buffer, file.views));
        ArrayWriter arrays(file);
        arrays.lengths.set("r", of.rank);
        arrays.lengths.set("n", of.volume_vertices);
        for_each_part(of, arrays);
        of.interfaces.clear();  // the part's own count
        if (!part.interfaces.empty()) arrays(kInterfaceArrays, part.interfaces);
        Json entry = extension_of(of, arrays.take());
        entry.erase(kChecksum);  // that of the whole covers it
        entry["interfaces"] = names_of(part.interfaces);
        parts.push_back(std::move(entry));
    }
    for (const Domain& d : model.domains->domains)
        names.push_back(d.name);
    file.views.clear();
    ArrayWriter arrays(file);
    arrays(kDomainArrays, table_of(*model.domains));
    Json extension = {{"version", 7},
                      {"name", model.name},
                      {"up", up_text(model.up)},
                      {"command", model.command},
                      {"free_body", model.free_body},
                      {"domains", std::move(names)},
                      {"parts", std::move(parts)},
                      {"arrays", arrays.take()}};
    extension[kChecksum] = extension_checksum(extension);
    file.document["extensions"][kExtension] = std::move(extension);
    return glb_of(std::move(file), where);
}

}  // namespace

Result<ModelBytes> write_model(const Model& model, const std::vector<RecordedMotion>& motions,
                               const ModelFileOptions& options, const std::string& where) {
    if (auto problem = model_problem(model, where)) return std::move(*problem);
    if (model.domains) {
        if (!motions.empty())
            return InputError{where, "the weights of one mesh do not move a tree of domains", ""};
        return write_tree(model, options, where);
    }
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
