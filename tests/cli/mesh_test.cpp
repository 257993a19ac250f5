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

// Each side has its own four vertices, as textures want it: every command sees one closed cube.
TEST_F(MeshCommands, SeamsAreNotHolesForAnyCommand) {
    std::string obj;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            for (int c = 0; c < 4; ++c) {
                const int first = c == 1 || c == 2, second = c >= 2;
                int x[3];
                x[axis] = side;
                x[(axis + 1) % 3] = side ? first : second;
                x[(axis + 2) % 3] = side ? second : first;
                obj += "v " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) +
                       "\n";
            }
    for (int s = 0; s < 6; ++s)
        obj += "f " + std::to_string(4 * s + 1) + " " + std::to_string(4 * s + 2) + " " +
               std::to_string(4 * s + 3) + " " + std::to_string(4 * s + 4) + "\n";
    write("seams.obj", obj);
    const auto info = result_of({"mesh", "info", path("seams.obj")});
    EXPECT_EQ(info["vertices"], 24);
    EXPECT_EQ(info["seam_vertices"], 16);
    EXPECT_EQ(info["watertight"], true);
    EXPECT_EQ(info["components"], 1);
    EXPECT_NEAR(info["volume"].get<double>(), 1, 1e-12);
    EXPECT_NEAR(info["thickness"].get<double>(), 1.0 / 3, 1e-12);
    EXPECT_EQ(info["problems"], nlohmann::json::array());
    EXPECT_EQ(info["tetrahedra"]["possible"], true);
    EXPECT_EQ(result_of({"mesh", "repair", path("seams.obj"), "-o", path("one.obj")})["welded_vertices"], 16);
    EXPECT_EQ(result_of({"mesh", "voxelize", path("seams.obj"), "-o", path("c.vtu"), "--resolution",
                         "5"})["open_triangles"],
              0);
    EXPECT_GT(
        result_of({"mesh", "tetrahedralize", path("seams.obj"), "-o", path("t.vtu")})["tets"].get<int>(),
        1000);
    for (const Arguments& how :
         {Arguments{"--resolution", "4"}, Arguments{"--tets", "--max-volume", "0.01"}}) {
        Arguments all = {"build", path("seams.obj"), "-o", path("m.glb"), "--modes", "2", "--rank", "2"};
        all.insert(all.end(), how.begin(), how.end());
        EXPECT_NEAR(result_of(all)["total_mass"].get<double>(), 1000, 1e-3);
    }
}

TEST_F(MeshCommands, InfoFindsSurfacesThatPassThroughThemselves) {
    // Two tetrahedra, one through the other.
    write("cross.off",
          "OFF\n8 8 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.1 0.1 0.1\n1.1 0.1 0.1\n0.1 1.1 0.1\n0.1 0.1 1.1\n"
          "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n3 4 6 5\n3 4 5 7\n3 4 7 6\n3 5 6 7\n");
    const auto info = result_of({"mesh", "info", path("cross.off")});
    ASSERT_EQ(info["problems"].size(), 1u);
    EXPECT_EQ(info["problems"][0]["kind"], "self_intersections");
    EXPECT_EQ(info["tetrahedra"]["possible"], false);
    // What info says is what the command does.
    const auto error = error_of({"mesh", "tetrahedralize", path("cross.off"), "-o", path("x.vtu")});
    EXPECT_NE(error["problem"].get<std::string>().find("intersects itself"), std::string::npos) << error;
}

TEST_F(MeshCommands, CubesKeepTheirFilledFractionInVtuFiles) {
    // A slab of 1 x 1 x 0.1 m in cubes of 0.25 m.
    write("slab.off",
          "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 0.1\n1 0 0.1\n1 1 0.1\n0 1 0.1\n"
          "3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 "
          "0 4\n3 3 4 7\n");
    const auto made =
        result_of({"mesh", "voxelize", path("slab.off"), "-o", path("slab.vtu"), "--resolution", "4"});
    EXPECT_NEAR(made["volume"].get<double>(), 0.1, 1e-7);  // fractions are floats
    EXPECT_NEAR(result_of({"mesh", "info", path("slab.vtu")})["volume"].get<double>(), 0.1, 1e-7);
    EXPECT_NEAR(
        result_of({"solve", "modes", path("slab.vtu"), "--fix", "x<0.01", "--count", "2"})["total_mass"]
            .get<double>(),
        100, 1e-4);
    EXPECT_NEAR(result_of({"mesh", "voxelize", path("slab.off"), "-o", path("full.vtu"), "--resolution", "4",
                           "--fill", "full"})["volume"]
                    .get<double>(),
                0.25, 1e-12);
    // Another format says what it loses.
    const Ran ran = run_limber({"mesh", "convert", path("slab.vtu"), path("slab.msh")});
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.err.find("count in full"), std::string::npos) << ran.err;
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
    const auto done = result_of({"mesh", "repair", path("soup.off"), "-o", path("repaired.off")});
    EXPECT_EQ(done["welded_vertices"], 2);
    EXPECT_EQ(done["removed_vertices"], 1);
    EXPECT_EQ(done["duplicate"], 1);
    const auto info = result_of({"mesh", "info", path("repaired.off")});
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
