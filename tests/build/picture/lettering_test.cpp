// SPDX-License-Identifier: Apache-2.0
#include "build/picture/lettering.h"

#include <gtest/gtest.h>
#include <string>

namespace limber::build {
namespace {

const Eigen::Vector3d kBlack{0, 0, 0};

Image white(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                      255)};
}

// Sum of darkness over a part of the picture, in pixels of full ink.
double ink(const Image& image, int x0, int y0, int x1, int y1) {
    double sum = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
            sum += (255 - image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                         static_cast<std::size_t>(x))]) /
                   255.0;
    return sum;
}

TEST(Lettering, EveryPrintableCharacterHasItsOwnShapeWithinItsCell) {
    std::vector<Image> shapes;
    for (char c = '!'; c <= '~'; ++c) {
        Image image = white(60, 60);
        draw_text(image, 15, 40, 27, std::string(1, c), kBlack);  // 3 px to the grid unit
        EXPECT_GT(ink(image, 0, 0, 60, 60), 5) << c;
        // Tails go 9 px below the baseline and brackets 30 px above it; the pen adds 2 px.
        EXPECT_EQ(ink(image, 0, 0, 60, 7), 0) << c;
        EXPECT_EQ(ink(image, 0, 52, 60, 60), 0) << c;
        EXPECT_EQ(ink(image, 0, 0, 12, 60), 0) << c;
        const int right = 15 + static_cast<int>(text_width(std::string(1, c), 27)) + 4;
        EXPECT_EQ(ink(image, right, 0, 60, 60), 0) << c;
        for (std::size_t other = 0; other < shapes.size(); ++other) {
            // I and l are both one bar; | is a longer one.
            if (c == 'l' && '!' + static_cast<char>(other) == 'I') continue;
            EXPECT_NE(shapes[other].rgb, image.rgb) << c << " looks like " << static_cast<char>('!' + other);
        }
        shapes.push_back(image);
    }
}

TEST(Lettering, UnitsBeyondAsciiAreKnownAndOthersShowAsOneBox) {
    Image box = white(40, 40), stranger = white(40, 40);
    draw_text(box, 5, 30, 18, "\xE2\x82\xAC", kBlack);       // the euro sign
    draw_text(stranger, 5, 30, 18, "\xE6\xBC\xA2", kBlack);  // a Chinese character
    EXPECT_EQ(box.rgb, stranger.rgb);
    for (const std::string known : {"µ", "²", "³", "°", "·", "×", "−"}) {
        Image image = white(40, 40);
        draw_text(image, 5, 30, 18, known, kBlack);
        EXPECT_GT(ink(image, 0, 0, 40, 40), 2) << known;
        EXPECT_NE(image.rgb, box.rgb) << known;
    }
}

TEST(Lettering, WidthAddsUpAndScalesWithTheSize) {
    EXPECT_EQ(text_width("", 10), 0);
    const double a = text_width("a", 9), aa = text_width("aa", 9), aaa = text_width("aaa", 9);
    EXPECT_NEAR(aaa - aa, aa - a, 1e-12);  // rounding
    EXPECT_NEAR(text_width("stress", 30), 2 * text_width("stress", 15), 1e-12);
}

TEST(Lettering, TextBeyondTheBordersIsCut) {
    Image image = white(10, 10);
    draw_text(image, -20, 5, 12, "wide text that leaves the picture", kBlack);
    draw_text(image, 3, 200, 12, "below", kBlack);
    draw_text(image, 3, -200, 12, "above", kBlack);
    EXPECT_GT(ink(image, 0, 0, 10, 10), 0);
}

}  // namespace
}  // namespace limber::build
