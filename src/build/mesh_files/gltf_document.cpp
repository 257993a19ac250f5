// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/gltf_document.h"

#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/mesh/surface_mesh.h"
#include "build/mesh_files/gltf_uri.h"
#include "build/mesh_files/load_scalar.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

// glTF nests about ten levels deep. A file of nothing but brackets would take a hundred times its length.
constexpr int kDeepest = 100;

bool is_too_deep(std::string_view json) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepest) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

nlohmann::json parse(std::string_view text, const std::string& name) {
    if (is_too_deep(text))
        throw InputError{name, fmt::format("the JSON is nested more than {} levels deep", kDeepest), ""};
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw InputError{fmt::format("{}: byte {} of the JSON", name, error.byte), "this is not JSON",
                         "the file is truncated or damaged; export it again"};
    } catch (const nlohmann::json::exception&) {  // a number beyond the range of a double
        throw InputError{name, "the JSON holds a number that is too large", ""};
    }
}

// Required extensions under which positions and indices still mean the same. KHR_mesh_quantization only
// allows more component types, all of which are read.
bool leaves_the_shape_alone(std::string_view extension) {
    for (const std::string_view prefix :
         {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_xmp"})
        if (extension.starts_with(prefix)) return true;
    return extension == "KHR_mesh_quantization" || extension == "KHR_animation_pointer" ||
           extension == "KHR_node_visibility";
}

std::optional<ScalarType> scalar_type(std::uint64_t component_type) {
    switch (component_type) {
        case 5120:
            return ScalarType::Int8;
        case 5121:
            return ScalarType::UInt8;
        case 5122:
            return ScalarType::Int16;
        case 5123:
            return ScalarType::UInt16;
        case 5125:
            return ScalarType::UInt32;
        case 5126:
            return ScalarType::Float32;
        default:
            return std::nullopt;
    }
}

// What 1.0 is stored as in a normalized accessor (glTF 2.0, section 3.11).
double full_scale(ScalarType type) {
    switch (type) {
        case ScalarType::Int8:
            return 127;
        case ScalarType::UInt8:
            return 255;
        case ScalarType::Int16:
            return 32767;
        case ScalarType::UInt16:
            return 65535;
        default:
            return 1;
    }
}

}  // namespace

// Equal elements inside one buffer, all checked to lie in it.
struct GltfDocument::Elements {
    const char* first;
    std::size_t stride;  // bytes
    ScalarType type;
    double operator()(std::uint64_t element, int component) const {
        return load_scalar(type, first + element * stride + component * size_of(type), std::endian::little);
    }
};

GltfDocument::GltfDocument(std::string_view json, std::optional<std::string_view> binary, std::string name,
                           std::filesystem::path folder)
    : name_(std::move(name)),
      folder_(std::move(folder)),
      binary_(binary),
      root_(parse(json, name_)),
      size_(json.size()) {
    if (!root_.is_object()) throw InputError{name_, "the JSON is no object, so this is no glTF file", ""};
    check_version_and_extensions();
}

void GltfDocument::fail(const std::string& where, std::string problem, std::string try_this) const {
    throw InputError{fmt::format("{}: {}", name_, where), std::move(problem), std::move(try_this)};
}

void GltfDocument::check_version_and_extensions() const {
    const Json* asset = object(root_, "asset", "the document");
    if (!asset) fail("the document", "there is no asset, so this is no glTF file");
    const std::string version = text(*asset, "version", "asset");
    if (!version.starts_with("2."))
        fail("asset", fmt::format("the glTF version is '{}'; limber reads 2.0", printable(version)),
             "export the mesh as glTF 2.0");
    const Json* required = array(root_, "extensionsRequired", "the document");
    if (!required) return;
    for (const Json& entry : *required) {
        const std::string extension = entry.is_string() ? entry.get<std::string>() : "?";
        if (!leaves_the_shape_alone(extension))
            fail(
                "extensionsRequired",
                fmt::format("the file needs the extension {}, which limber does not read",
                            printable(extension)),
                extension.find("draco") != std::string::npos || extension.find("meshopt") != std::string::npos
                    ? "export the mesh without compression"
                    : "export the mesh without this extension");
    }
}

const GltfDocument::Json* GltfDocument::member(const Json& object, const char* key) const {
    const auto found = object.find(key);  // end() where it is no object
    return found == object.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> GltfDocument::whole_number(const Json& object, const char* key,
                                                        const std::string& where) const {
    const Json* value = member(object, key);
    if (!value) return std::nullopt;
    if (value->is_number_unsigned()) return value->get<std::uint64_t>();
    if (value->is_number_float()) {  // JSON may write 3 as 3.0
        const double x = value->get<double>();
        if (x >= 0 && x < 9e15 && x == std::floor(x)) return static_cast<std::uint64_t>(x);
    }
    fail(where, fmt::format("{} must be a whole number that is not negative", key));
}

const GltfDocument::Json* GltfDocument::array(const Json& object, const char* key,
                                              const std::string& where) const {
    const Json* value = member(object, key);
    if (value && !value->is_array()) fail(where, fmt::format("{} must be an array", key));
    return value;
}

const GltfDocument::Json* GltfDocument::object(const Json& object, const char* key,
                                               const std::string& where) const {
    const Json* value = member(object, key);
    if (value && !value->is_object()) fail(where, fmt::format("{} must be an object", key));
    return value;
}

std::string GltfDocument::text(const Json& object, const char* key, const std::string& where) const {
    const Json* value = member(object, key);
    if (!value) return "";
    if (!value->is_string()) fail(where, fmt::format("{} must be a text", key));
    return value->get<std::string>();
}

std::optional<std::vector<double>> GltfDocument::numbers(const Json& object, const char* key,
                                                         std::size_t size, const std::string& where) const {
    const Json* values = array(object, key, where);
    if (!values) return std::nullopt;
    std::vector<double> out;
    for (const Json& value : *values) {
        if (!value.is_number() || out.size() == size) break;
        out.push_back(value.get<double>());
    }
    if (values->size() != size || out.size() != size)
        fail(where, fmt::format("{} must have {} numbers", key, size));
    return out;
}

std::size_t GltfDocument::count(const char* list) const {
    const Json* items = array(root_, list, "the document");
    return items ? items->size() : 0;
}

const GltfDocument::Json& GltfDocument::item(const char* list, std::uint64_t index) const {
    if (index >= count(list))
        fail("the document",
             fmt::format("something names entry {} of {}, but there are {}", index, list, count(list)));
    const Json& found = root_[list][static_cast<std::size_t>(index)];
    if (!found.is_object())
        fail("the document", fmt::format("entry {} of {} must be an object", index, list));
    return found;
}

std::string_view GltfDocument::load(const std::string& uri, std::uint64_t length, const std::string& where) {
    const std::string full_where = fmt::format("{}: {}", name_, where);
    if (is_data_uri(uri)) return loaded_[where] = bytes_of_data_uri(uri, length, full_where);
    const std::filesystem::path file = file_of_uri(uri, folder_, full_where);
    const auto [entry, is_new] = loaded_.try_emplace(file.string());
    if (is_new) entry->second = read_file(file);
    return entry->second;
}

// A buffer's bytes, cut to the length that it declares.
std::string_view GltfDocument::buffer(std::uint64_t index) {
    if (const auto opened = buffers_.find(index); opened != buffers_.end()) return opened->second;
    const Json& source = item("buffers", index);
    const std::string where = fmt::format("buffer {}", index);
    const auto length = whole_number(source, "byteLength", where);
    if (!length) fail(where, "there is no byteLength");

    std::string_view bytes;
    if (member(source, "uri")) {
        bytes = load(text(source, "uri", where), *length, where);
    } else {
        if (index != 0 || !binary_) fail(where, "the buffer has neither a uri nor a binary chunk");
        bytes = *binary_;
    }
    if (*length > bytes.size())
        fail(where, fmt::format("byteLength is {}, but there are {} bytes", *length, bytes.size()),
             "the file is truncated; copy or export it again");
    size_ += *length;
    return buffers_[index] = bytes.substr(0, static_cast<std::size_t>(*length));
}

std::string_view GltfDocument::view_bytes(std::uint64_t index) {
    const std::string where = fmt::format("bufferView {}", index);
    const Json& view = item("bufferViews", index);
    const auto buffer_index = whole_number(view, "buffer", where);
    const auto length = whole_number(view, "byteLength", where);
    if (!buffer_index || !length) fail(where, "buffer and byteLength are needed");
    const std::uint64_t offset = whole_number(view, "byteOffset", where).value_or(0);
    const std::string_view bytes = buffer(*buffer_index);
    if (offset > bytes.size() || *length > bytes.size() - offset)
        fail(where, fmt::format("bytes {} to {} + {} are outside buffer {}, which has {}", offset, offset,
                                *length, *buffer_index, bytes.size()));
    return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(*length));
}

// The elements that `source` (an accessor, or the indices or values of a sparse one) takes from its buffer
// view.
GltfDocument::Elements GltfDocument::elements(const Json& source, std::uint64_t byte_offset,
                                              std::uint64_t count, int components,
                                              std::uint64_t component_type, const std::string& where) {
    const auto type = scalar_type(component_type);
    if (!type) fail(where, fmt::format("unknown componentType {}", component_type));
    const auto view_index = whole_number(source, "bufferView", where);
    if (!view_index) fail(where, "there is no bufferView");
    const std::string view_where = fmt::format("bufferView {}", *view_index);
    const Json& view = item("bufferViews", *view_index);
    const std::string_view bytes = view_bytes(*view_index);

    const std::uint64_t element_size = components * size_of(*type);
    const std::uint64_t stride = whole_number(view, "byteStride", view_where).value_or(element_size);
    if (stride < element_size || stride > 252)
        fail(view_where, fmt::format("byteStride is {} for elements of {} bytes; the limit is 252", stride,
                                     element_size));
    // The last element needs only its own bytes, not a whole stride. No product here can overflow.
    const bool fits = count <= kMostNumbered && byte_offset <= bytes.size() && count > 0 &&
                      stride * (count - 1) + element_size <= bytes.size() - byte_offset;
    if (!fits)
        fail(where,
             fmt::format("{} elements of {} bytes from byte {} do not fit in bufferView {} of {} bytes",
                         count, stride, byte_offset, *view_index, bytes.size()),
             "the count is wrong or the file is truncated");
    return {bytes.data() + byte_offset, static_cast<std::size_t>(stride), *type};
}

std::uint64_t GltfDocument::accessor_count(std::uint64_t index) const {
    const std::string where = fmt::format("accessor {}", index);
    const auto count = whole_number(item("accessors", index), "count", where);
    if (!count || *count == 0 || *count > kMostNumbered)
        fail(where, fmt::format("count must be between 1 and {}", kMostNumbered));
    return *count;
}

// All numbers of an accessor, sparse changes applied.
std::vector<double> GltfDocument::accessor(std::uint64_t index, const std::string& type, int components,
                                           bool want_indices) {
    const std::string where = fmt::format("accessor {}", index);
    const Json& source = item("accessors", index);
    const std::uint64_t count = accessor_count(index);
    const std::string found_type = text(source, "type", where);
    if (found_type != type)
        fail(where, fmt::format("the type is '{}'; {} is needed here", printable(found_type), type));
    const std::uint64_t component_type = whole_number(source, "componentType", where).value_or(0);
    const auto scalar = scalar_type(component_type);
    const bool is_unsigned =
        scalar == ScalarType::UInt8 || scalar == ScalarType::UInt16 || scalar == ScalarType::UInt32;
    if (!scalar || (want_indices && !is_unsigned) || (!want_indices && scalar == ScalarType::UInt32))
        fail(where, fmt::format("componentType {} cannot be used for {}", component_type,
                                want_indices ? "indices" : "positions"));
    const Json* normalized = member(source, "normalized");
    const double scale =
        normalized && normalized->is_boolean() && normalized->get<bool>() ? 1 / full_scale(*scalar) : 1;
    const auto convert = [&](double stored) { return scale == 1 ? stored : std::max(stored * scale, -1.0); };

    const Json* sparse = object(source, "sparse", where);
    std::vector<double> out;
    if (member(source, "bufferView")) {
        const std::uint64_t offset = whole_number(source, "byteOffset", where).value_or(0);
        const Elements base = elements(source, offset, count, components, component_type, where);
        out.reserve(static_cast<std::size_t>(count) * components);
        for (std::uint64_t i = 0; i < count; ++i)
            for (int c = 0; c < components; ++c)
                out.push_back(convert(base(i, c)));
    } else {
        // Zeros take no bytes in the file, so its length must bound them.
        if (!sparse)
            fail(where, "the accessor has no data (no bufferView)", "export the mesh without compression");
        if (count > size_) fail(where, fmt::format("{} zeros in a file of {} bytes", count, size_));
        out.assign(static_cast<std::size_t>(count) * components, 0.0);
    }
    if (!sparse) return out;

    const std::string sparse_where = where + " (sparse)";
    const std::uint64_t changes = whole_number(*sparse, "count", sparse_where).value_or(0);
    const Json* at = object(*sparse, "indices", sparse_where);
    const Json* values = object(*sparse, "values", sparse_where);
    if (!at || !values) fail(sparse_where, "indices and values are needed");
    const std::uint64_t at_type = whole_number(*at, "componentType", sparse_where).value_or(0);
    if (at_type != 5121 && at_type != 5123 && at_type != 5125)
        fail(sparse_where, fmt::format("componentType {} cannot be used for indices", at_type));
    const Elements places = elements(*at, whole_number(*at, "byteOffset", sparse_where).value_or(0), changes,
                                     1, at_type, sparse_where);
    const Elements changed = elements(*values, whole_number(*values, "byteOffset", sparse_where).value_or(0),
                                      changes, components, component_type, sparse_where);
    for (std::uint64_t i = 0; i < changes; ++i) {
        const double place = places(i, 0);
        if (place >= static_cast<double>(count))
            fail(sparse_where, fmt::format("index {} is beyond the count of {}", place, count));
        for (int c = 0; c < components; ++c)
            out[static_cast<std::size_t>(place) * components + c] = convert(changed(i, c));
    }
    return out;
}

std::vector<double> GltfDocument::positions(std::uint64_t index) {
    std::vector<double> out = accessor(index, "VEC3", 3, false);
    for (std::size_t i = 0; i < out.size(); ++i)
        if (!std::isfinite(out[i]))
            fail(fmt::format("accessor {}", index),
                 fmt::format("a coordinate of vertex {} is {}", i / 3, out[i]),
                 "every coordinate must be a finite number");
    return out;
}

std::vector<double> GltfDocument::pairs(std::uint64_t index) {
    return accessor(index, "VEC2", 2, false);
}

std::vector<double> GltfDocument::vectors(std::uint64_t index, int width) {
    std::vector<double> out =
        accessor(index, width == 1 ? "SCALAR" : fmt::format("VEC{}", width), width, false);
    for (const double x : out)
        if (!std::isfinite(x))
            fail(fmt::format("accessor {}", index), fmt::format("a number is {}", x),
                 "every number must be finite");
    return out;
}

std::vector<std::uint32_t> GltfDocument::indices(std::uint64_t index) {
    const std::vector<double> numbers = accessor(index, "SCALAR", 1, true);
    return {numbers.begin(), numbers.end()};
}

}  // namespace limber::build
