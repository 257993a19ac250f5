// SPDX-License-Identifier: Apache-2.0
// .npz files by an own small reader of zip, written from its specification.
#include "build/scene/npz.h"

#include "build/file/npy.h"
#include "build/file/read_file.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <map>

namespace limber::test {
namespace {

using namespace build;

std::uint32_t number(const std::string& bytes, std::size_t at, int size) {
    std::uint32_t value = 0;
    for (int i = size - 1; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

// Goes through the central directory, from the end of the file, and checks each checksum.
std::map<std::string, std::string> unzip(const std::string& zip) {
    std::map<std::string, std::string> files;
    const std::size_t end = zip.size() - 22;
    EXPECT_EQ(zip.substr(end, 4), "PK\5\6");
    std::size_t at = number(zip, end + 16, 4);
    for (std::uint32_t i = 0; i < number(zip, end + 10, 2); ++i) {
        EXPECT_EQ(zip.substr(at, 4), "PK\1\2");
        EXPECT_EQ(number(zip, at + 10, 2), 0u);  // stored
        const std::uint32_t size = number(zip, at + 24, 4), name = number(zip, at + 28, 2);
        const std::size_t local = number(zip, at + 42, 4);
        EXPECT_EQ(zip.substr(local, 4), "PK\3\4");
        const std::size_t data = local + 30 + number(zip, local + 26, 2) + number(zip, local + 28, 2);
        const std::string bytes = zip.substr(data, size);
        EXPECT_EQ(number(zip, at + 16, 4),
                  crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
        EXPECT_EQ(number(zip, at + 16, 4), number(zip, local + 14, 4));
        files[zip.substr(at + 46, name)] = bytes;
        at += 46 + name + number(zip, at + 30, 2) + number(zip, at + 32, 2);
    }
    EXPECT_EQ(at, end);
    return files;
}

TEST(Npz, ArraysComeBackByName) {
    const auto path =
        std::filesystem::temp_directory_path() / ("limber_npz_" + std::to_string(getpid()) + ".npz");
    const std::vector<double> a = {1, 2.5, -3, 4, 5, 6}, b = {7};
    write_npz(path, {{"spoon.q", {2, 3}, a}, {"t", {1}, b}, {"none", {0, 3}, {}}});
    const auto files = unzip(read_file(path));
    std::filesystem::remove(path);
    ASSERT_EQ(files.size(), 3u);
    const NpyArray q = read_npy(files.at("spoon.q.npy"), "q");
    EXPECT_EQ(q.shape, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(q.values, a);
    EXPECT_EQ(read_npy(files.at("t.npy"), "t").values, b);
    EXPECT_EQ(read_npy(files.at("none.npy"), "none").shape, (std::vector<std::size_t>{0, 3}));
}

}  // namespace
}  // namespace limber::test
