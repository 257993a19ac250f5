// SPDX-License-Identifier: Apache-2.0
// A glTF 2.0 document: JSON whose every type and number is checked before it is used, and the buffers that
// it points into. Specification: Khronos glTF 2.0, sections 3.6 and 4.4.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

class GltfDocument {
 public:
    using Json = nlohmann::json;

    // `binary`: the BIN chunk of a .glb, which outlives the document. `folder`: where other files may lie.
    // Throws InputError if the text is no JSON, no glTF 2, or needs an extension that changes the shape.
    GltfDocument(std::string_view json, std::optional<std::string_view> binary, std::string name,
                 std::filesystem::path folder);

    const Json& root() const { return root_; }
    // Item `index` of one of the document's lists ("nodes", "meshes" ...), an object.
    const Json& item(const char* list, std::uint64_t index) const;
    std::size_t count(const char* list) const;

    // A member of an object: null if it is absent.
    const Json* member(const Json& object, const char* key) const;
    // The same with its type demanded; nothing if it is absent. `where` is the object, for the complaint.
    std::optional<std::uint64_t> whole_number(const Json& object, const char* key,
                                              const std::string& where) const;
    const Json* array(const Json& object, const char* key, const std::string& where) const;
    const Json* object(const Json& object, const char* key, const std::string& where) const;
    std::string text(const Json& object, const char* key, const std::string& where) const;  // "" if absent
    // An array of exactly `size` finite numbers.
    std::optional<std::vector<double>> numbers(const Json& object, const char* key, std::size_t size,
                                               const std::string& where) const;

    // How many elements the accessor declares; checked against its data by the functions below.
    std::uint64_t accessor_count(std::uint64_t accessor) const;
    // count × 3 numbers of an accessor of VEC3.
    std::vector<double> positions(std::uint64_t accessor);
    // count × 2 numbers of an accessor of VEC2; they may be anything.
    std::vector<double> pairs(std::uint64_t accessor);
    // count × width finite numbers of an accessor of SCALAR, VEC2, VEC3 or VEC4.
    std::vector<double> vectors(std::uint64_t accessor, int width);
    // Whole numbers of an accessor of unsigned SCALARs.
    std::vector<std::uint32_t> indices(std::uint64_t accessor);

    // All bytes of a buffer view, which live as long as the document.
    std::string_view view_bytes(std::uint64_t view);

    // Bytes of the JSON text and of the buffers that were opened.
    std::uint64_t size() const { return size_; }
    [[noreturn]] void fail(const std::string& where, std::string problem, std::string try_this = "") const;

 private:
    struct Elements;
    std::string_view load(const std::string& uri, std::uint64_t length, const std::string& where);
    std::string_view buffer(std::uint64_t index);
    Elements elements(const Json& source, std::uint64_t byte_offset, std::uint64_t count, int components,
                      std::uint64_t component_type, const std::string& where);
    std::vector<double> accessor(std::uint64_t index, const std::string& type, int components,
                                 bool want_indices);
    void check_version_and_extensions() const;

    std::string name_;
    std::filesystem::path folder_;
    std::optional<std::string_view> binary_;
    Json root_;
    std::uint64_t size_ = 0;
    std::map<std::string, std::string> loaded_;  // by file, so that none is held twice; data URIs by number
    std::map<std::uint64_t, std::string_view> buffers_;  // those opened so far
};

}  // namespace limber::build
