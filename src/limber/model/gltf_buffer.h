// SPDX-License-Identifier: Apache-2.0
// The one buffer of a glTF file that is being written, with its buffer views and accessors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

// What an accessor is for; the numbers are glTF's "target" of a buffer view.
enum class ViewTarget { None = 0, Vertices = 34962, Indices = 34963 };

class GltfBuffer {
 public:
    using Json = nlohmann::json;

    // Bytes at a multiple of 8; at least one. All functions give the index of what they added.
    std::size_t add_view(std::string_view bytes, ViewTarget target = ViewTarget::None);
    // Floats, `components` to an element: "SCALAR", "VEC2", "VEC3", "VEC4".
    enum class Bounds { Without, With };
    std::size_t add_floats(const std::vector<float>& values, int components, Bounds bounds,
                           ViewTarget target = ViewTarget::Vertices);
    // `count` 32-bit indices from byte `offset` of a view.
    std::size_t add_indices(std::size_t view, std::size_t offset, std::size_t count);

    std::size_t view_of_accessor(std::size_t accessor) const;
    std::string_view bytes() const { return binary_; }
    std::string_view bytes_of_view(std::size_t view) const;  // until something is added
    // Adds "buffers", "bufferViews" and "accessors" to the document.
    void write_to(Json& document) const;

 private:
    std::string binary_;
    Json views_ = Json::array(), accessors_ = Json::array();
    std::vector<std::size_t> view_of_accessor_;
};

// The bytes of a list of numbers, or of arrays of them.
template <class T>
std::string_view bytes_of(const T* first, std::size_t count) {
    return {reinterpret_cast<const char*>(first), count * sizeof(T)};
}

}  // namespace limber
