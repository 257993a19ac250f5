// SPDX-License-Identifier: Apache-2.0
#include "build/basis/shape_cache.h"

#include "build/fem/element_blocks.h"
#include "build/file/npy.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <span>
#include <system_error>

namespace limber::build {
namespace {

// FNV-1a. Names need no cryptography: who can write to the folder can write any shape.
class Hash {
 public:
    explicit Hash(std::uint64_t start = 0xcbf29ce484222325) : value_(start) {}
    template <class T>
    Hash& add(std::span<const T> items) {
        static_assert(std::is_arithmetic_v<T>);
        for (const std::byte b : std::as_bytes(items))
            value_ = (value_ ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3;
        return *this;
    }
    template <class T>
    Hash& add(const T& item) {
        return add(std::span<const T>(&item, 1));
    }
    std::uint64_t value() const { return value_; }

 private:
    std::uint64_t value_;
};

std::uint64_t hash_of(const FemModel& model, const StaticOptions& options) {
    Hash hash;
    for (const Vertex& x : model.mesh().vertices)
        hash.add(std::span<const double>(x.data(), 3));
    for (const Tet& tet : model.mesh().tets)
        hash.add(std::span<const int>(tet));
    for (const Brick& brick : model.mesh().bricks)
        hash.add(std::span<const int>(brick));
    for (std::size_t e = 0; e < model.mesh().element_count(); ++e)
        hash.add(model.materials().of(e).young).add(model.materials().of(e).poisson);
    hash.add(std::span<const int>(model.fixed_vertices()));
    hash.add(model.blocks().points_per_brick).add(options.tolerance).add(options.max_iterations);
    return hash.value();
}

}  // namespace

ShapeCache::ShapeCache(std::filesystem::path folder, const FemModel& model, const StaticOptions& options)
    : folder_(std::move(folder)), size_(3 * model.vertex_count()), model_(hash_of(model, options)) {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!std::filesystem::is_directory(folder_, error))
        throw InputError{folder_.string(), "the folder for solved shapes cannot be made",
                         "name a folder that can be written"};
}

std::filesystem::path ShapeCache::file_of(const Eigen::VectorXd& force) const {
    const std::uint64_t of_force =
        Hash(model_).add(std::span<const double>(force.data(), std::size_t(size_))).value();
    return folder_ / fmt::format("shape-{:016x}-{:016x}.npy", model_, of_force);
}

std::optional<CachedShape> ShapeCache::load(const Eigen::VectorXd& force) const {
    if (folder_.empty()) return std::nullopt;
    std::error_code error;
    const std::filesystem::path file = file_of(force);
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    try {
        const NpyArray array = read_npy(file);
        if (array.values.empty()) return CachedShape{};
        Eigen::VectorXd u =
            Eigen::Map<const Eigen::VectorXd>(array.values.data(), Eigen::Index(array.values.size()));
        if (u.size() == size_ && u.allFinite()) return CachedShape{std::move(u)};
    } catch (const InputError&) {
        // Damaged: solved and written again.
    }
    return std::nullopt;
}

void ShapeCache::store(const Eigen::VectorXd& force, const CachedShape& shape) const {
    if (folder_.empty()) return;
    const std::size_t vertices = shape ? std::size_t(size_) / 3 : 0;
    write_npy(file_of(force), {vertices, 3},
              shape ? std::span<const double>(shape->data(), 3 * vertices) : std::span<const double>());
}

}  // namespace limber::build
