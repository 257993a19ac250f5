// SPDX-License-Identifier: Apache-2.0
#include "build/basis/shape_cache.h"

#include "build/fem/element_blocks.h"
#include "build/file/checked_numbers.h"

#include <fmt/format.h>

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
    hash.add(std::span<const double>(model.mesh().fraction));
    for (std::size_t e = 0; e < model.mesh().element_count(); ++e)
        hash.add(model.materials().of(e).young).add(model.materials().of(e).poisson);
    hash.add(std::span<const int>(model.fixed_vertices()));
    hash.add(static_cast<int>(model.quadrature())).add(options.tolerance).add(options.max_iterations);
    return hash.value();
}

}  // namespace

ShapeCache::ShapeCache(std::filesystem::path folder, const FemModel& model, const StaticOptions& options)
    : folder_(std::move(folder)), size_(3 * model.vertex_count()), model_(hash_of(model, options)) {
    if (folder_.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
}

std::filesystem::path ShapeCache::file_of(const Eigen::VectorXd& force) const {
    const std::uint64_t of_force =
        Hash(model_).add(std::span<const double>(force.data(), std::size_t(size_))).value();
    return folder_ / fmt::format("shape-{:016x}-{:016x}.cache", model_, of_force);
}

std::optional<CachedShape> ShapeCache::load(const Eigen::VectorXd& force) const {
    if (folder_.empty()) return std::nullopt;
    const auto kept = load_numbers(file_of(force));
    if (!kept) return std::nullopt;
    if (kept->size() == 0) return CachedShape{};
    if (kept->rows() != size_ || kept->cols() != 1) return std::nullopt;
    return CachedShape{kept->col(0)};
}

void ShapeCache::store(const Eigen::VectorXd& force, const CachedShape& shape) const {
    if (folder_.empty()) return;
    store_numbers(file_of(force), shape ? Eigen::MatrixXd(*shape) : Eigen::MatrixXd());
}

}  // namespace limber::build
