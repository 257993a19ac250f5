// SPDX-License-Identifier: Apache-2.0
#include "build/picture/lettering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace limber::build {
namespace {

// A letter is a few strokes, separated by blanks, on a grid; each point is two hexadecimal digits, x then y.
// Baseline y = 3, small letters reach 9, capitals C, tails 0.
//   -  straight lines       ~  a smooth open curve (quadratic B-spline; touches the middles of its control
//   .  a dot                   polygon's sides)     @  a smooth closed curve
struct Glyph {
    char32_t character;
    int width;  // of the ink, in grid units
    const char* strokes;
};
constexpr double kCapital = 9;  // grid units from the baseline to the top of a capital
constexpr double kGap = 2.6;    // between letters
constexpr double kPen = 1.15;   // width of the stroke

constexpr std::array kGlyphs = std::to_array<Glyph>({
    {U' ', 2, ""},
    {U'0', 6, "@03636C0C"},
    {U'1', 6, "-1A3C33 -1353"},
    {U'2', 6, "~0A0C6C6803 -0363"},
    {U'3', 6, "~0A0C6C6838 ~3868630305"},
    {U'4', 6, "-434C0666"},
    {U'5', 6, "-5C0C08 ~083969630305"},
    {U'6', 6, "~5C0C06 @03636909"},
    {U'7', 6, "-0C6C23"},
    {U'8', 6, "@18585C1C @03636808"},
    {U'9', 6, "@06666C0C ~696313"},
    {U'A', 6, "-033C63 -1656"},
    {U'B', 6, "-3C0C0333 -0838 ~3C5C5838 ~38686333"},
    {U'C', 6, "~6A6C0C036365"},
    {U'D', 6, "-2C0C0323 ~2C6C6323"},
    {U'E', 6, "-6C0C0363 -0858"},
    {U'F', 6, "-6C0C03 -0858"},
    {U'G', 6, "~6A6C0C036366 -6636"},
    {U'H', 6, "-0C03 -6C63 -0868"},
    {U'I', 0, "-0C03"},
    {U'J', 4, "-4C46 ~46430305"},
    {U'K', 6, "-0C03 -6C06 -2863"},
    {U'L', 5, "-0C0353"},
    {U'M', 8, "-030C468C83"},
    {U'N', 6, "-030C636C"},
    {U'O', 7, "@03737C0C"},
    {U'P', 6, "-030C3C ~3C6C6737 -0737"},
    {U'Q', 7, "@03737C0C -4572"},
    {U'R', 6, "-030C3C ~3C6C6737 -0737 -3763"},
    {U'S', 6, "~6A6C0C0868630305"},
    {U'T', 6, "-0C6C -3C33"},
    {U'U', 6, "-0C06 ~06036366 -666C"},
    {U'V', 6, "-0C336C"},
    {U'W', 8, "-0C2349638C"},
    {U'X', 6, "-0C63 -6C03"},
    {U'Y', 6, "-0C386C -3833"},
    {U'Z', 6, "-0C6C0363"},
    {U'a', 5, "@03535909 -5953"},
    {U'b', 5, "-0C03 @03535909"},
    {U'c', 5, "~585909035354"},
    {U'd', 5, "-5C53 @03535909"},
    {U'e', 5, "-0656 ~565909035354"},
    {U'f', 4, "~4C2C2A -2A23 -0949"},
    {U'g', 5, "@03535909 -5953 ~53500001"},
    {U'h', 5, "-0C03 ~06095956 -5653"},
    {U'i', 0, "-0903 .0C"},
    {U'j', 2, "-2921 ~212000 .2C"},
    {U'k', 4, "-0C03 -4905 -2743"},
    {U'l', 0, "-0C03"},
    {U'm', 8, "-0903 ~06094946 -4643 ~46498986 -8683"},
    {U'n', 5, "-0903 ~06095956 -5653"},
    {U'o', 5, "@03535909"},
    {U'p', 5, "-0900 @03535909"},
    {U'q', 5, "-5950 @03535909"},
    {U'r', 3, "-0903 ~060939"},
    {U's', 4, "~4849090646430304"},
    {U't', 3, "-1C15 ~151333 -0939"},
    {U'u', 5, "-0906 ~06035356 -5953"},
    {U'v', 6, "-093369"},
    {U'w', 8, "-0923496389"},
    {U'x', 5, "-0953 -5903"},
    {U'y', 6, "-0933 -6933 ~332000"},
    {U'z', 5, "-09590353"},
    {U'.', 0, ".03"},
    {U',', 1, "-1301"},
    {U':', 0, ".03 .08"},
    {U';', 1, "-1301 .18"},
    {U'!', 0, "-0C06 .03"},
    {U'?', 5, "~0A0C5C5826 .23"},
    {U'\'', 0, "-0C0A"},
    {U'"', 2, "-0C0A -2C2A"},
    {U'-', 4, "-0747"},
    {U'+', 6, "-0767 -3A34"},
    {U'=', 6, "-0565 -0868"},
    {U'*', 4, "-2A26 -0947 -4907"},
    {U'/', 4, "-024D"},
    {U'\\', 4, "-0D42"},
    {U'|', 0, "-0D01"},
    {U'_', 6, "-0161"},
    {U'^', 4, "-092C49"},
    {U'~', 6, "~060928476669"},
    {U'`', 1, "-0C1A"},
    {U'<', 5, "-590653"},
    {U'>', 5, "-095603"},
    {U'(', 2, "~2D0B0420"},
    {U')', 2, "~0D2B2400"},
    {U'[', 2, "-2D0D0121"},
    {U']', 2, "-0D2D2101"},
    {U'{', 3, "~3D1D1707 ~07171131"},
    {U'}', 3, "~0D2D2737 ~37272101"},
    {U'%', 6, "-036C @09292C0C @43636646"},
    {U'&', 6, "~63190C4C4A05033366"},
    {U'#', 6, "-2C13 -5C43 -0969 -0666"},
    {U'$', 6, "~6A6C0C0868630305 -3D32"},
    {U'@', 8, "@25555828 ~585585898C0C0373"},
    {U'µ', 5, "-0900 ~06035356 -5953"},
    {U'μ', 5, "-0900 ~06035356 -5953"},
    {U'²', 3, "~0B0C3C3A07 -0737"},
    {U'³', 3, "~0C3D3A1A ~1A3B370708"},
    {U'°', 3, "@09393C0C"},
    {U'·', 0, ".07"},
    {U'×', 4, "-0945 -4905"},
    {U'−', 5, "-0757"},
});
constexpr Glyph kUnknown{0, 5, "-030C5C5303"};

const Glyph& glyph_of(char32_t character) {
    const auto* found = std::find_if(kGlyphs.begin(), kGlyphs.end(),
                                     [&](const Glyph& glyph) { return glyph.character == character; });
    return found == kGlyphs.end() ? kUnknown : *found;
}

// UTF-8; bytes that are none become unknown characters.
std::vector<char32_t> characters_of(std::string_view text) {
    std::vector<char32_t> result;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i++]);
        int more = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
        char32_t code = lead < 0x80 ? lead
                        : more == 3 ? lead & 0x07U
                        : more == 2 ? lead & 0x0FU
                                    : lead & 0x1FU;
        if (lead >= 0x80 && lead < 0xC0) code = 0;
        for (; more > 0 && i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U; --more)
            code = (code << 6U) | (static_cast<unsigned char>(text[i++]) & 0x3FU);
        result.push_back(code);
    }
    return result;
}

using Polyline = std::vector<Eigen::Vector2d>;  // grid units

// Corner cutting (Chaikin) converges to the quadratic B-spline of the control points.
Polyline cut_corners(const Polyline& control, bool closed) {
    Polyline line = control;
    for (int pass = 0; pass < 4; ++pass) {
        Polyline finer;
        const std::size_t sides = closed ? line.size() : line.size() - 1;
        if (!closed) finer.push_back(line.front());
        for (std::size_t i = 0; i < sides; ++i) {
            const Eigen::Vector2d &a = line[i], &b = line[(i + 1) % line.size()];
            // The end sides of an open curve are kept up to the end point.
            if (closed || i > 0) finer.push_back(0.75 * a + 0.25 * b);
            if (closed || i + 1 < sides) finer.push_back(0.25 * a + 0.75 * b);
        }
        if (!closed) finer.push_back(line.back());
        line = std::move(finer);
    }
    if (closed) line.push_back(line.front());
    return line;
}

std::vector<Polyline> strokes_of(const Glyph& glyph) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    std::vector<Polyline> strokes;
    std::string_view left = glyph.strokes;
    while (!left.empty()) {
        const std::string_view stroke = left.substr(0, left.find(' '));
        left.remove_prefix(std::min(left.size(), stroke.size() + 1));
        Polyline points;
        for (std::size_t i = 1; i + 1 < stroke.size(); i += 2)
            points.emplace_back(digit(stroke[i]), digit(stroke[i + 1]) - 3);
        if (stroke[0] == '~' || stroke[0] == '@') points = cut_corners(points, stroke[0] == '@');
        strokes.push_back(std::move(points));
    }
    return strokes;
}

double distance_to_stroke(const Eigen::Vector2d& p, const Polyline& line) {
    double least = (p - line.front()).norm();
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const Eigen::Vector2d side = line[i + 1] - line[i];
        const double length_squared = std::max(side.squaredNorm(), 1e-12);
        const double t = std::clamp((p - line[i]).dot(side) / length_squared, 0.0, 1.0);
        least = std::min(least, (p - line[i] - t * side).norm());
    }
    return least;
}

}  // namespace

double text_width(std::string_view text, double size) {
    double width = 0;
    for (const char32_t c : characters_of(text))
        width += glyph_of(c).width + kGap;
    return std::max(0.0, width - kGap) * size / kCapital;
}

void draw_text(Image& image, double x, double y, double size, std::string_view text,
               const Eigen::Vector3d& color) {
    const double unit = size / kCapital;  // px
    const double half_pen = std::max(kPen * unit, 1.0) / 2;
    for (const char32_t c : characters_of(text)) {
        const Glyph& glyph = glyph_of(c);
        const std::vector<Polyline> strokes = strokes_of(glyph);
        // Between the tails (3 units below the baseline) and the brackets (10 above it), and the pen around.
        const int left = std::max(0, static_cast<int>(x - 2 * half_pen - 1));
        const int right = std::min(image.width, static_cast<int>(x + glyph.width * unit + 2 * half_pen + 2));
        const int top = std::max(0, static_cast<int>(y - 10 * unit - 2 * half_pen - 1));
        const int bottom = std::min(image.height, static_cast<int>(y + 3 * unit + 2 * half_pen + 2));
        for (int row = top; row < bottom; ++row)
            for (int column = left; column < right; ++column) {
                const Eigen::Vector2d p((column + 0.5 - x) / unit, (y - row - 0.5) / unit);
                double ink = 0;
                for (const Polyline& stroke : strokes) {
                    const double pen = stroke.size() == 1 ? 1.3 * half_pen : half_pen;
                    ink =
                        std::max(ink, std::clamp(pen + 0.5 - distance_to_stroke(p, stroke) * unit, 0.0, 1.0));
                }
                if (ink == 0) continue;
                for (int k = 0; k < 3; ++k) {
                    const auto at =
                        3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(column)) +
                        static_cast<std::size_t>(k);
                    image.rgb[at] = static_cast<std::uint8_t>(
                        std::lround((1 - ink) * image.rgb[at] + ink * 255 * color[k]));
                }
            }
        x += (glyph.width + kGap) * unit;
    }
}

}  // namespace limber::build
