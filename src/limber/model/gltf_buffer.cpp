// SPDX-License-Identifier: Apache-2.0
#include <limber/model/gltf_buffer.h>

#include <algorithm>
#include <bit>

namespace limber {

static_assert(std::endian::native == std::endian::little,
              "model files are little-endian, and copied as they are");

namespace {

constexpr int kFloat = 5126, kUnsignedInt = 5125;

const char* type_name(int components) {
    constexpr const char* kNames[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    return kNames[components - 1];
}

}  // namespace

std::size_t GltfBuffer::add_view(std::string_view bytes, ViewTarget target) {
    binary_.resize((binary_.size() + 7) / 8 * 8);
    Json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", bytes.size()}};
    if (target != ViewTarget::None) view["target"] = static_cast<int>(target);
    binary_ += bytes;
    views_.push_back(std::move(view));
    return views_.size() - 1;
}

std::size_t GltfBuffer::add_floats(const std::vector<float>& values, int components, Bounds bounds,
                                   ViewTarget target) {
    Json accessor = {{"bufferView", add_view(bytes_of(values.data(), values.size()), target)},
                     {"componentType", kFloat},
                     {"count", values.size() / components},
                     {"type", type_name(components)}};
    if (bounds == Bounds::With) {
        std::vector<float> lowest(values.begin(), values.begin() + components), highest = lowest;
        for (std::size_t i = 0; i < values.size(); ++i) {
            lowest[i % components] = std::min(lowest[i % components], values[i]);
            highest[i % components] = std::max(highest[i % components], values[i]);
        }
        accessor["min"] = lowest;
        accessor["max"] = highest;
    }
    view_of_accessor_.push_back(views_.size() - 1);
    accessors_.push_back(std::move(accessor));
    return accessors_.size() - 1;
}

std::size_t GltfBuffer::add_indices(std::size_t view, std::size_t offset, std::size_t count) {
    view_of_accessor_.push_back(view);
    accessors_.push_back({{"bufferView", view},
                          {"byteOffset", offset},
                          {"componentType", kUnsignedInt},
                          {"count", count},
                          {"type", "SCALAR"}});
    return accessors_.size() - 1;
}

std::size_t GltfBuffer::view_of_accessor(std::size_t accessor) const {
    return view_of_accessor_[accessor];
}

std::string_view GltfBuffer::bytes_of_view(std::size_t view) const {
    return bytes().substr(views_[view]["byteOffset"].get<std::size_t>(),
                          views_[view]["byteLength"].get<std::size_t>());
}

void GltfBuffer::write_to(Json& document) const {
    document["buffers"] = Json::array({Json{{"byteLength", binary_.size()}}});
    document["bufferViews"] = views_;
    document["accessors"] = accessors_;
}

}  // namespace limber
