// SPDX-License-Identifier: Apache-2.0
// The format (PKWARE's APPNOTE, sections 4.3.6 to 4.3.16): each file with a header before it, then a
// directory of all of them, then the place of the directory. All numbers are little-endian.
#include "build/scene/npz.h"

#include "build/file/atomic_file.h"
#include "build/file/npy.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace limber::build {
namespace {

constexpr std::uint64_t kLargest = 0xffffffff;  // offsets have 32 bits
constexpr std::uint16_t kVersion = 20, kStored = 0;
constexpr std::uint16_t kUtf8Names = 1 << 11;
constexpr std::uint16_t kTime = 0, kDate = (1 << 5) | 1;  // 1 January 1980: same input, same bytes

class Bytes {
 public:
    Bytes& u16(std::uint16_t value) { return put(value, 2); }
    Bytes& u32(std::uint64_t value) { return put(value, 4); }
    Bytes& text(std::string_view value) {
        bytes_ += value;
        return *this;
    }
    const std::string& str() const { return bytes_; }

 private:
    Bytes& put(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
        return *this;
    }
    std::string bytes_;
};

std::uint32_t checksum(std::string_view header, std::string_view data) {
    auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
    // Without bytes there may be no pointer, and crc32 of a null pointer starts anew.
    if (!data.empty()) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size());
    return static_cast<std::uint32_t>(crc);
}

}  // namespace

void write_npz(const std::filesystem::path& path, const std::vector<NpzEntry>& entries) {
    AtomicFile file(path);
    std::uint64_t offset = 0;
    const auto write = [&](std::string_view bytes) {
        file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        offset += bytes.size();
    };
    Bytes directory;
    for (const NpzEntry& entry : entries) {
        const std::string name = entry.name + ".npy";
        const std::string header = npy_header(entry.shape);
        const std::string_view data(reinterpret_cast<const char*>(entry.values.data()),
                                    entry.values.size_bytes());
        const std::uint64_t size = header.size() + data.size();
        if (offset + size > kLargest || name.size() > 0xffff)
            throw InputError{path.string(), "the recording is larger than the 4 GB that a .npz can hold",
                             "a larger \"every\" in the scene"};
        // What the header of the file and its entry in the directory share.
        Bytes common;
        common.u16(kVersion).u16(kUtf8Names).u16(kStored).u16(kTime).u16(kDate);
        common.u32(checksum(header, data)).u32(size).u32(size);
        common.u16(static_cast<std::uint16_t>(name.size())).u16(0);  // no extra field

        directory.text("PK\1\2").u16(kVersion).text(common.str());
        directory.u16(0).u16(0).u16(0).u32(0).u32(offset).text(name);  // comment, disk, attributes
        write(Bytes().text("PK\3\4").text(common.str()).text(name).str());
        write(header);
        write(data);
    }
    const std::uint64_t start = offset;
    if (start + directory.str().size() > kLargest || entries.size() > 0xffff)
        throw InputError{path.string(), "the recording is larger than a .npz can hold",
                         "a larger \"every\" in the scene"};
    write(directory.str());
    const auto count = static_cast<std::uint16_t>(entries.size());
    write(Bytes()
              .text("PK\5\6")
              .u16(0)
              .u16(0)
              .u16(count)
              .u16(count)
              .u32(offset - start)
              .u32(start)
              .u16(0)
              .str());
    file.commit();
}

}  // namespace limber::build
