// SPDX-License-Identifier: Apache-2.0
// limber draw: PNG files of the asked size that show what they should.
#include "build/file/npy.h"
#include "run_limber.h"

namespace limber::test {
namespace {

class DrawCommand : public InFolder {
 protected:
    // Width and height as the header of the PNG file has them (bytes 16 to 23, big-endian).
    std::pair<unsigned, unsigned> png_size(const std::string& name) const {
        const std::string bytes = file_text(path(name));
        EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n") << name;
        if (bytes.size() < 24) return {};
        const auto number = [&](std::size_t at) {
            unsigned value = 0;
            for (std::size_t i = 0; i < 4; ++i)
                value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
            return value;
        };
        return {number(16), number(20)};
    }
    // u = (0, 0, 0.3 x) on the 12 vertices of a bar of 2 x 1 x 1 cells, in two frames; the first is zero.
    void write_frames(const std::string& name) const {
        std::vector<double> values(2 * 12 * 3, 0.0);
        for (std::size_t v = 0; v < 12; ++v)
            values[12 * 3 + 3 * v + 2] = 0.3 * 0.5 * static_cast<double>(v % 3);
        build::write_npy(path(name), {2, 12, 3}, values);
    }
};

TEST_F(DrawCommand, EveryOptionChangesThePicture) {
    const std::string mesh = bar("2,1,1", "1,0.2,0.2");
    write_frames("u.npy");
    const auto draw = [&](Arguments extra) {
        Arguments all = {"draw", mesh, "-o", path("p.png"), "--width", "240", "--height", "160"};
        all.insert(all.end(), extra.begin(), extra.end());
        result_of(all);
        EXPECT_EQ(png_size("p.png"), std::pair(240u, 160u));
        return file_text(path("p.png"));
    };
    const std::string rest = draw({});
    EXPECT_EQ(draw({"--displacement", path("u.npy")}), rest);  // frame 0 is zero
    const std::string bent = draw({"--displacement", path("u.npy"), "--frame", "1"});
    EXPECT_NE(bent, rest);
    EXPECT_EQ(draw({"--displacement", path("u.npy"), "--frame", "-1"}), bent);
    EXPECT_EQ(draw({"--displacement", path("u.npy"), "--frame", "1", "--scale", "0"}), rest);
    EXPECT_NE(draw({"--displacement", path("u.npy"), "--frame", "1", "--scale", "2"}), bent);
    EXPECT_NE(draw({"--displacement", path("u.npy"), "--frame", "1", "--ghost"}), bent);
    EXPECT_NE(draw({"--displacement", path("u.npy"), "--frame", "1", "--color-by", "displacement"}), bent);
    EXPECT_NE(draw({"--edges"}), rest);
    EXPECT_NE(draw({"--fix", "x<0.01"}), rest);
    EXPECT_NE(draw({"--view", "-1 -1 1"}), rest);
    EXPECT_NE(draw({"--up", "y"}), rest);
    write("two.obj", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n");
    const auto draw_two = [&](Arguments extra) {
        Arguments all = {"draw", path("two.obj"), "-o", path("q.png"), "--width", "60", "--height", "40"};
        all.insert(all.end(), extra.begin(), extra.end());
        result_of(all);
        return file_text(path("q.png"));
    };
    EXPECT_NE(draw_two({"--color-by", "group"}), draw_two({}));
    EXPECT_NE(draw_two({"--color", "b: 0.1 0.5 0.1"}), draw_two({}));
    EXPECT_NE(run_limber({"draw", path("two.obj"), "-o", path("q.png"), "--color", "c: 1 1 1"}).status, 0);
}

TEST_F(DrawCommand, ThePictureStandsAsTheFileSays) {
    write("tri.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const auto draw = [&](const std::string& file, Arguments extra = {}) {
        Arguments all = {"draw", path(file), "-o", path("p.png"), "--width", "240", "--height", "160"};
        all.insert(all.end(), extra.begin(), extra.end());
        const std::string up = result_of(all)["up"];
        return std::pair(up, file_text(path("p.png")));
    };
    const auto [up, picture] = draw("tri.obj");
    EXPECT_EQ(up, "y");
    EXPECT_EQ(draw("tri.obj", {"--up", "y"}).second, picture);
    EXPECT_NE(draw("tri.obj", {"--up", "z"}).second, picture);
    EXPECT_EQ(draw("tri.obj", {"--up=-x"}).first, "-x");
    // A model has its own; its coordinates are those of the mesh.
    result_of({"build", path("tri.obj"), "-o", path("m.glb"), "--up", "z", "--resolution", "4", "--modes",
               "3", "--rank", "3"});
    EXPECT_EQ(draw("m.glb").first, "z");
    EXPECT_EQ(draw("m.glb", {"--up", "y"}).second, picture);
}

TEST_F(DrawCommand, ASurfaceIsCarriedByItsVolume) {
    const std::string volume = bar("2,1,1", "1,0.2,0.2");
    result_of({"mesh", "convert", volume, path("skin.obj")});
    write_frames("u.npy");
    const auto result = result_of({"draw", path("skin.obj"), "--volume", volume, "--displacement",
                                   path("u.npy"), "--frame", "1", "--color-by", "displacement", "--width",
                                   "240", "--height", "160", "-o", path("p.png")});
    EXPECT_EQ(png_size("p.png"), std::pair(240u, 160u));
    EXPECT_NEAR(result["max_displacement"].get<double>(), 0.3, 1e-12);  // at x = 1
    EXPECT_EQ(result["triangles"], 20);
}

TEST_F(DrawCommand, WhatDoesNotFitTogetherIsRefused) {
    const std::string mesh = bar("2,1,1", "1,0.2,0.2");
    result_of({"mesh", "convert", mesh, path("skin.obj")});
    write_frames("u.npy");
    const auto refused = [&](Arguments extra) {
        Arguments all = {"draw", mesh, "-o", path("p.png")};
        all.insert(all.end(), extra.begin(), extra.end());
        return error_of(all)["where"].get<std::string>();
    };
    EXPECT_EQ(refused({"--displacement", path("u.npy"), "--frame", "2"}), "--frame");
    EXPECT_EQ(refused({"--displacement", path("u.npy"), "--frame", "-3"}), "--frame");
    EXPECT_EQ(refused({"--displacement", path("none.npy")}), path("none.npy"));
    EXPECT_EQ(refused({"--displacement", mesh}), mesh);
    build::write_npy(path("small.npy"), {4, 3}, std::vector<double>(12, 0.0));
    EXPECT_EQ(refused({"--displacement", path("small.npy")}), path("small.npy"));
    build::write_npy(path("nan.npy"), {12, 3}, std::vector<double>(36, std::nan("")));
    EXPECT_EQ(refused({"--displacement", path("nan.npy")}), path("nan.npy"));
    EXPECT_EQ(refused({"--volume", mesh, "--displacement", path("u.npy")}), "--volume");
    EXPECT_EQ(refused({"--ghost"}), "--displacement");
    EXPECT_EQ(refused({"--width", "0"}), "--width");
    EXPECT_EQ(refused({"--width", "9000"}), "--width");
    EXPECT_EQ(refused({"--view", "1 0"}), "--view");
    EXPECT_EQ(refused({"--scale", "nan"}), "--scale");
    EXPECT_EQ(refused({"--fix", "x>5"}), "--fix 'x>5'");
    EXPECT_EQ(
        error_of({"draw", path("skin.obj"), "--displacement", path("u.npy"), "-o", path("p.png")})["where"],
        "--displacement");
    EXPECT_FALSE(std::filesystem::exists(path("p.png")));
}

}  // namespace
}  // namespace limber::test
