// SPDX-License-Identifier: Apache-2.0
#include "build/picture/draw.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>
#include <png.h>
#include <filesystem>
#include <fstream>
#include <random>

namespace limber::build {
namespace {

// A folder of its own for each test case, gone afterwards.
class Png : public testing::Test {
 protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() /
                 ("limber_png_" + std::to_string(std::random_device{}()) +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directory(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path folder;
};

Image noise(int width, int height) {
    std::mt19937 random(11);
    Image image{
        width, height,
        std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
    for (auto& byte : image.rgb)
        byte = static_cast<std::uint8_t>(random());
    return image;
}

Image read_by_libpng(const std::filesystem::path& path) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&header, path.c_str()), 0) << header.message;
    header.format = PNG_FORMAT_RGB;
    Image image{static_cast<int>(header.width), static_cast<int>(header.height),
                std::vector<std::uint8_t>(PNG_IMAGE_SIZE(header))};
    EXPECT_NE(png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr), 0) << header.message;
    return image;
}

TEST_F(Png, LibpngReadsBackEveryPixel) {
    for (const auto& [width, height] : {std::pair(1, 1), std::pair(7, 3), std::pair(300, 200)}) {
        const Image image = noise(width, height);
        write_png(folder / "noise.png", image);
        const Image back = read_by_libpng(folder / "noise.png");
        EXPECT_EQ(back.width, width);
        EXPECT_EQ(back.height, height);
        EXPECT_EQ(back.rgb, image.rgb);
    }
}

TEST_F(Png, AnImageWhoseBytesDoNotFitItsSizeIsRefusedAndLeavesNoFile) {
    Image image = noise(4, 4);
    image.rgb.pop_back();
    EXPECT_THROW(write_png(folder / "short.png", image), InputError);
    EXPECT_THROW(write_png(folder / "empty.png", Image{}), InputError);
    EXPECT_THROW(write_png(folder / "negative.png", Image{-2, -2, std::vector<std::uint8_t>(12)}),
                 InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Png, AMissingFolderIsAnInputError) {
    EXPECT_THROW(write_png(folder / "none" / "x.png", noise(2, 2)), InputError);
}

}  // namespace
}  // namespace limber::build
