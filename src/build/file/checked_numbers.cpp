// SPDX-License-Identifier: Apache-2.0
#include "build/file/checked_numbers.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"

#include <limber/input_error.h>
#include <limber/model/crc32c.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace limber::build {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr std::string_view kCacheMagic = "limber numbers 1\n";
constexpr std::size_t kCacheHead = kCacheMagic.size() + 2 * sizeof(std::uint64_t);

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
T number_at(std::string_view bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

}  // namespace

void store_numbers(const std::filesystem::path& file, const Eigen::MatrixXd& numbers) {
    // The name stands first for the checksum only.
    const std::string name = file.filename().string();
    std::string bytes = name;
    bytes += kCacheMagic;
    const std::uint64_t shape[] = {static_cast<std::uint64_t>(numbers.rows()),
                                   static_cast<std::uint64_t>(numbers.cols())};
    append(bytes, shape, 2);
    append(bytes, numbers.data(), static_cast<std::size_t>(numbers.size()));
    const std::uint32_t checksum = crc32c(bytes);
    append(bytes, &checksum, 1);
    try {
        write_file(file, std::string_view(bytes).substr(name.size()), Durability::Cached);
    } catch (const InputError&) {
        // It is computed again next time.
    }
}

std::optional<Eigen::MatrixXd> load_numbers(const std::filesystem::path& file) {
    std::string bytes = file.filename().string();
    const std::size_t name = bytes.size();
    try {
        bytes += read_file(file);
    } catch (const InputError&) {
        return {};
    }
    const std::string_view content = std::string_view(bytes).substr(name);
    if (!content.starts_with(kCacheMagic) || content.size() < kCacheHead + sizeof(std::uint32_t)) return {};
    const std::size_t end = bytes.size() - sizeof(std::uint32_t);
    if (crc32c(std::string_view(bytes).substr(0, end)) != number_at<std::uint32_t>(bytes, end)) return {};
    const auto rows = number_at<std::uint64_t>(content, kCacheMagic.size());
    const auto cols = number_at<std::uint64_t>(content, kCacheMagic.size() + sizeof(std::uint64_t));
    const std::size_t entries = (content.size() - kCacheHead - sizeof(std::uint32_t)) / sizeof(double);
    if ((rows == 0 || cols == 0) ? entries != 0 : entries % rows != 0 || entries / rows != cols) return {};
    Eigen::MatrixXd numbers(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    if (entries > 0) std::memcpy(numbers.data(), content.data() + kCacheHead, entries * sizeof(double));
    if (!numbers.allFinite()) return {};
    return numbers;
}

}  // namespace limber::build
