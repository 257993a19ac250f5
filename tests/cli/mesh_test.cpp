// SPDX-License-Identifier: Apache-2.0
// limber mesh ...: on a cube of 1 m whose numbers are known.
#include "run_limber.h"

namespace limber::test {
namespace {

class MeshCommands : public InFolder {
 protected:
    // A closed cube of 8 vertices and 12 triangles, outward.
    std::string cube() const {
        write("cube.off",
              "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
              "3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 "
              "0 4\n3 3 4 7\n");
        return path("cube.off");
    }
};

TEST_F(MeshCommands, InfoTellsTheKnownNumbersOfACube) {
    const auto info = result_of({"mesh", "info", cube()});
    for (const char* key : {"vertices", "triangles", "tets", "bricks", "bounds", "volume", "components",
                            "watertight", "inverted", "problems"})
        EXPECT_TRUE(info.contains(key)) << key;
    EXPECT_EQ(info["vertices"], 8);
    EXPECT_EQ(info["triangles"], 12);
    EXPECT_EQ(info["tets"], 0);
    EXPECT_EQ(info["bricks"], 0);
    EXPECT_EQ(info["bounds"], nlohmann::json::parse("[[0.0,0.0,0.0],[1.0,1.0,1.0]]"));
    EXPECT_NEAR(info["volume"].get<double>(), 1, 1e-14);  // rounding
    EXPECT_EQ(info["components"], 1);
    EXPECT_EQ(info["watertight"], true);
    EXPECT_EQ(info["inverted"], 0);
    EXPECT_EQ(info["problems"], nlohmann::json::array());
}

TEST_F(MeshCommands, InfoNamesWhatIsWrong) {
    // One triangle of the cube is missing: three open edges.
    write("open.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n");
    const auto info = result_of({"mesh", "info", path("open.off")});
    EXPECT_EQ(info["watertight"], false);
    ASSERT_FALSE(info["problems"].empty());
    EXPECT_EQ(info["problems"][0]["kind"], "open_edges");
    EXPECT_EQ(info["problems"][0]["count"], 3);
    const Ran ran = run_limber({"mesh", "info", path("open.off")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.out.find("open_edges"), std::string::npos);
}

TEST_F(MeshCommands, InfoOfAVolumeCountsItsElements) {
    const auto info = result_of({"mesh", "info", bar("3,2,1", "3,2,1")});
    EXPECT_EQ(info["kind"], "volume");
    EXPECT_EQ(info["vertices"], 4 * 3 * 2);
    EXPECT_EQ(info["bricks"], 6);
    EXPECT_NEAR(info["volume"].get<double>(), 6, 1e-12);  // rounding
    EXPECT_EQ(info["inverted"], 0);
}

TEST_F(MeshCommands, VoxelizeFillsTheCube) {
    const auto made = result_of({"mesh", "voxelize", cube(), "-o", path("cube.vtu"), "--resolution", "4"});
    EXPECT_EQ(made["bricks"], made["surface_cubes"].get<int>() + made["inside_cubes"].get<int>());
    const auto info = result_of({"mesh", "info", path("cube.vtu")});
    EXPECT_EQ(info["bricks"], made["bricks"]);
    EXPECT_EQ(info["components"], 1);
    // A cube that touches the surface counts, so the body reaches at most one cube beyond it on each side.
    EXPECT_GE(info["volume"].get<double>(), 1 - 1e-9);
    EXPECT_LE(info["volume"].get<double>(), std::pow(1 + 2 * made["cube_side"].get<double>(), 3) + 1e-9);
    EXPECT_EQ(result_of({"mesh", "voxelize", cube(), "-o", path("split.vtu"), "--resolution", "2", "--hinges",
                         "split"})["filled_cubes"],
              0);
}

TEST_F(MeshCommands, TetrahedralizeFillsTheCubeExactly) {
    const auto made =
        result_of({"mesh", "tetrahedralize", cube(), "-o", path("cube.msh"), "--max-volume", "0.02"});
    const auto info = result_of({"mesh", "info", path("cube.msh")});
    EXPECT_EQ(info["tets"], made["tets"]);
    EXPECT_GE(made["tets"].get<int>(), 50);              // 1 m^3 in pieces of at most 0.02 m^3
    EXPECT_NEAR(info["volume"].get<double>(), 1, 1e-9);  // TetGen keeps the surface
    EXPECT_EQ(info["inverted"], 0);
}

TEST_F(MeshCommands, TetrahedralizeOffersVoxelsForAnOpenSurface) {
    write("open.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n");
    const auto error = error_of({"mesh", "tetrahedralize", path("open.off"), "-o", path("x.msh")});
    EXPECT_NE(error["try_this"].get<std::string>().find("voxelize"), std::string::npos) << error;
    EXPECT_FALSE(std::filesystem::exists(path("x.msh")));
}

TEST_F(MeshCommands, RepairWeldsAndSaysSo) {
    // Two triangles of a square that do not share their vertices, one vertex unused, one triangle twice.
    write("soup.off",
          "OFF\n7 3 0\n0 0 0\n1 0 0\n1 1 0\n0 0 0\n1 1 0\n0 1 0\n5 5 5\n3 0 1 2\n3 3 4 5\n3 0 1 2\n");
    const auto done = result_of({"mesh", "repair", path("soup.off"), "-o", path("mended.off")});
    EXPECT_EQ(done["welded_vertices"], 2);
    EXPECT_EQ(done["removed_vertices"], 1);
    EXPECT_EQ(done["duplicate"], 1);
    const auto info = result_of({"mesh", "info", path("mended.off")});
    EXPECT_EQ(info["vertices"], 4);
    EXPECT_EQ(info["triangles"], 2);
    // Vertices 0.01 apart are welded only when asked for.
    write("near.off", "OFF\n6 2 0\n0 0 0\n1 0 0\n1 1 0\n0 0.01 0\n1 1.01 0\n0 1 0\n3 0 1 2\n3 3 4 5\n");
    EXPECT_EQ(result_of({"mesh", "repair", path("near.off"), "-o", path("a.off")})["welded_vertices"], 0);
    EXPECT_EQ(result_of({"mesh", "repair", path("near.off"), "-o", path("b.off"), "--weld-distance",
                         "0.01"})["welded_vertices"],
              2);
}

TEST_F(MeshCommands, RepairTurnsInvertedTetsRound) {
    write("inverted.mesh",
          "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 "
          "0\nTetrahedra\n1\n1 3 2 4 0\nEnd\n");
    EXPECT_EQ(result_of({"mesh", "info", path("inverted.mesh")})["inverted"], 1);
    EXPECT_EQ(result_of({"mesh", "repair", path("inverted.mesh"), "-o", path("fixed.mesh")})["flipped"], 1);
    EXPECT_EQ(result_of({"mesh", "info", path("fixed.mesh")})["inverted"], 0);
}

TEST_F(MeshCommands, ConvertKeepsTheMeshThroughEveryVolumeFormat) {
    const std::string tets = bar("2,1,1", "0.3,0.1,0.1", /*tets=*/true);
    const auto expected = result_of({"mesh", "info", tets});
    for (const char* name : {"a.msh", "a.ele", "a.mesh", "a.veg", "a.vtk", "a.vtu"}) {
        const auto made = result_of({"mesh", "convert", tets, path(name)});
        EXPECT_EQ(made["tets"], 12);
        const auto info = result_of({"mesh", "info", path(name)});
        for (const char* key : {"vertices", "tets", "bricks", "components", "inverted"})
            EXPECT_EQ(info[key], expected[key]) << name;
        // Volume formats keep 17 digits.
        EXPECT_NEAR(info["volume"].get<double>(), expected["volume"].get<double>(), 1e-15) << name;
    }
    result_of({"mesh", "convert", tets, path("a.inp")});
    EXPECT_NE(file_text(path("a.inp")).find("C3D4"), std::string::npos);
}

TEST_F(MeshCommands, ConvertOfAVolumeToASurfaceFormatGivesItsBoundary) {
    const std::string bricks = bar("2,1,1", "2,1,1");
    const auto surface = result_of({"mesh", "convert", bricks, path("skin.stl")});
    EXPECT_EQ(surface["triangles"], 2 * (2 * 2 + 2 * 2 + 2 * 1));  // two for each of the 10 outer squares
    const auto info = result_of({"mesh", "info", path("skin.stl")});
    EXPECT_EQ(info["watertight"], true);
    EXPECT_NEAR(info["volume"].get<double>(), 2, 1e-6);  // STL holds floats
    const Ran told = run_limber({"mesh", "convert", bricks, path("skin.obj")});
    EXPECT_NE(told.err.find("note: "), std::string::npos);
}

}  // namespace
}  // namespace limber::test
