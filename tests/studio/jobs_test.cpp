// SPDX-License-Identifier: Apache-2.0
// Whole jobs, from the upload to the model, with the program itself in the child processes.
#include "test_studio.h"

#include <fmt/format.h>

#include <cstring>

namespace limber::studio {
namespace {

class Jobs : public test::StudioTest {
 protected:
    void SetUp() override {
        StudioTest::SetUp();
        start();
    }
    // The numbers at the head of a .bin file.
    static std::array<std::uint32_t, 3> counts(const std::string& bytes) {
        std::array<std::uint32_t, 3> out{};
        EXPECT_GE(bytes.size(), sizeof out);
        std::memcpy(out.data(), bytes.data(), std::min(bytes.size(), sizeof out));
        return out;
    }
};

TEST_F(Jobs, AMeshIsUploadedCheckedFilledBuiltAndRemoved) {
    const std::string mesh = upload("corner.obj", test::kTetrahedronObj);
    const auto check = job({{"kind", "check"}, {"upload", mesh}});
    ASSERT_EQ(check["state"], "done") << check;
    EXPECT_EQ(check["result"]["info"]["vertices"], 4);
    EXPECT_EQ(check["result"]["longest"], 1.0);
    EXPECT_EQ(check["result"]["size_text"], "1 m long");
    EXPECT_TRUE(check["result"]["unit_guess"].is_null());
    const auto shown = counts(get('/' + check["result"]["mesh"].get<std::string>()).body);
    EXPECT_EQ(shown, (std::array<std::uint32_t, 3>{4, 6, 4}));  // V, E, F of a tetrahedron

    const auto fill =
        job({{"kind", "fill"}, {"upload", mesh}, {"filling", {{"voxels", {{"resolution", 2}}}}}});
    ASSERT_EQ(fill["state"], "done") << fill;
    const auto cubes = counts(get('/' + fill["result"]["positions"].get<std::string>()).body);
    EXPECT_EQ(cubes[0], fill["result"]["vertices"].get<std::uint32_t>());
    // A closed skin of quads in two triangles each: E = 2 F for quads.
    EXPECT_EQ(cubes[1], cubes[2]);

    const auto build = job({{"kind", "build"},
                            {"upload", mesh},
                            {"name", "corner"},
                            {"filling", {{"voxels", {{"resolution", 2}}}}},
                            {"fix", {"z<0.01"}},
                            {"modes", 2},
                            {"rank", 3}});
    ASSERT_EQ(build["state"], "done") << build;
    EXPECT_EQ(build["result"]["info"]["rank"], 3);
    const std::string id = build["result"]["id"];
    const auto model = get("/api/models/" + id + ".glb");
    EXPECT_EQ(model.body.substr(0, 4), "glTF");
    EXPECT_EQ(get("/api/models/" + id + ".png").body.substr(1, 3), "PNG");

    nlohmann::json entry;
    const nlohmann::json gallery = get("/api/gallery").json();
    for (const auto& candidate : gallery["models"])
        if (candidate["id"] == id) entry = candidate;
    EXPECT_EQ(entry["state"], "ready");
    EXPECT_EQ(entry["kind"], "built");
    EXPECT_EQ(entry["rank"], 3);
    EXPECT_EQ(entry["size"], "1 m");
    EXPECT_EQ(entry["upload"], mesh);
    EXPECT_NE(entry["command"].get<std::string>().find("limber build corner.obj"), std::string::npos);

    const auto variant = job({{"kind", "build"}, {"from_model", id}, {"name", "two"}, {"rank", 2}});
    ASSERT_EQ(variant["state"], "done") << variant;
    EXPECT_EQ(variant["result"]["info"]["rank"], 2);
    EXPECT_EQ(variant["result"]["info"]["modes"], 2);

    EXPECT_EQ(remove("/api/models/" + id).status, 200);
    EXPECT_EQ(get("/api/models/" + id + ".glb").status, 404);
    EXPECT_EQ(remove("/api/models/bar").status, 404);
}

TEST_F(Jobs, AUnitThatMakesABodyUnlikelyLargeIsDoubted) {
    const std::string mesh =
        upload("large.obj", "v 0 0 0\nv 200 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const auto metres = job({{"kind", "check"}, {"upload", mesh}, {"unit", "m"}});
    EXPECT_EQ(metres["result"]["size_text"], "200 m long: are these millimetres? Then it is 20 cm long.");
    EXPECT_EQ(metres["result"]["unit_guess"], "mm");
    const auto millimetres = job({{"kind", "check"}, {"upload", mesh}, {"unit", "mm"}});
    EXPECT_EQ(millimetres["result"]["size_text"], "20 cm long");
    EXPECT_TRUE(millimetres["result"]["unit_guess"].is_null());
}

TEST_F(Jobs, TheProposedUnitMakesTheBodyBetweenAMillimetreAndAHundredMetres) {
    // A corner of a cube whose legs are so many units long.
    const auto proposed = [&](double size) {
        const std::string obj = fmt::format(
            "v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", size);
        const auto check = job({{"kind", "check"}, {"upload", upload("corner.obj", obj)}, {"unit", "m"}});
        return check["result"]["unit_guess"];
    };
    // No named unit is large enough: 9.9 um times 10^4 are 9.9 cm, nearest to 30 cm among powers of ten.
    EXPECT_EQ(proposed(9.9e-6), 1e4);
    EXPECT_EQ(proposed(50), "cm");   // 50 cm
    EXPECT_EQ(proposed(250), "mm");  // 25 cm
    EXPECT_EQ(proposed(3e4), "mm");  // 30 m; 300 m in cm
    EXPECT_EQ(proposed(1e6), 1e-7);  // 1 km in mm; 10 cm, nearer to 30 cm than 1 m is
    EXPECT_TRUE(proposed(0.2).is_null());
    EXPECT_TRUE(proposed(0.0015).is_null());  // small, but every other unit makes it smaller
}

TEST_F(Jobs, ARepairedMeshIsAnUploadOfItsOwn) {
    // One triangle faces inwards, one comes twice.
    const std::string mesh = upload(
        "corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 2 3 4\n");
    const auto before = job({{"kind", "check"}, {"upload", mesh}});
    EXPECT_FALSE(before["result"]["problems"].empty());
    const auto repair = job({{"kind", "repair"}, {"upload", mesh}});
    ASSERT_EQ(repair["state"], "done") << repair;
    EXPECT_EQ(repair["result"]["name"], "corner-repaired.obj");
    EXPECT_EQ(repair["result"]["report"]["duplicate"], 1);
    const auto after = job({{"kind", "check"}, {"upload", repair["result"]["upload"]}});
    ASSERT_EQ(after["state"], "done") << after;
    EXPECT_TRUE(after["result"]["problems"].empty()) << after["result"]["problems"];
    EXPECT_NEAR(after["result"]["info"]["volume"].get<double>(), 1.0 / 6, 1e-12);
}

TEST_F(Jobs, ProblemsOfAMeshComeWithPointsInMetres) {
    // Without one triangle: three open edges, each told by the middle of its triangle.
    const std::string mesh =
        upload("open.obj", "v 0 0 0\nv 300 0 0\nv 0 300 0\nv 0 0 300\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    const auto check = job({{"kind", "check"}, {"upload", mesh}, {"unit", "mm"}});
    ASSERT_EQ(check["state"], "done") << check;
    bool found = false;
    for (const auto& problem : check["result"]["problems"]) {
        if (problem["kind"] != "open_edges") continue;
        found = true;
        EXPECT_EQ(problem["count"], 3);
        ASSERT_EQ(problem["points"].size(), 3u);
        for (const auto& point : problem["points"])  // corners at 0 and 0.3 m: middles have 0.1 m and 0
            for (const auto& x : point)
                EXPECT_TRUE(x == 0.0 || std::abs(x.get<double>() - 0.1) < 1e-12) << point;
    }
    EXPECT_TRUE(found) << check["result"]["problems"];
}

TEST_F(Jobs, AFileThatCannotBeReadGivesAHelpfulError) {
    const auto check = job({{"kind", "check"}, {"upload", upload("broken.obj", "v 0 0\nf 1 2 3\n")}});
    EXPECT_EQ(check["state"], "failed");
    EXPECT_EQ(check["error"]["where"], "broken.obj:1");
    EXPECT_NE(check["error"]["problem"], "");
    const auto answer = post("/api/uploads?name=notes.txt", "hello");
    EXPECT_EQ(answer.status, 400);
    EXPECT_NE(answer.json()["error"]["problem"].get<std::string>().find("txt"), std::string::npos)
        << answer.body;
}

#ifndef __SANITIZE_ADDRESS__  // too much arithmetic for the sanitizers
TEST_F(Jobs, ASampleIsBuiltOnceAndFoundAfterARestart) {
    const auto answer = post("/api/gallery/bar/build", "");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const std::string id = answer.json()["job"];
    EXPECT_EQ(post("/api/gallery/bar/build", "").json()["job"], id);
    // Another request of the same kind: the page was closed, the job goes on.
    const auto done = wait_for(id);
    ASSERT_EQ(done["state"], "done") << done;
    EXPECT_EQ(get("/api/models/bar.glb").status, 200);
    stop();
    start();
    EXPECT_EQ(get("/api/jobs/" + id).json()["state"], "done");
    EXPECT_EQ(get("/api/models/bar.glb").body.substr(0, 4), "glTF");
    EXPECT_EQ(post("/api/gallery/nothing/build", "").status, 404);
}
#endif

TEST_F(Jobs, PartOfAFileCanBeAskedFor) {
    const auto fill = job({{"kind", "check"}, {"upload", upload("a.obj", test::kTetrahedronObj)}});
    const std::string path = '/' + fill["result"]["mesh"].get<std::string>();
    const std::string whole = get(path).body;
    auto connection = client();
    const auto part = connection.Get(path, httplib::Headers{{"Range", "bytes=4-11"}});
    ASSERT_TRUE(part);
    EXPECT_EQ(part->status, 206);
    EXPECT_EQ(part->body, whole.substr(4, 8));
    const auto head = connection.Head(path);
    ASSERT_TRUE(head);
    EXPECT_EQ(head->get_header_value("Content-Length"), std::to_string(whole.size()));
}

#ifndef __SANITIZE_ADDRESS__  // too much arithmetic for the sanitizers
TEST_F(Jobs, AValidationTellsErrorsAndCurves) {
    const auto build = job({{"kind", "build"},
                            {"upload", upload("corner.obj", test::kTetrahedronObj)},
                            {"filling", {{"voxels", {{"resolution", 2}}}}},
                            {"fix", {"z<0.01"}},
                            {"modes", 2},
                            {"rank", 2}});
    ASSERT_EQ(build["state"], "done") << build;
    const auto validation = job({{"kind", "validate"}, {"model", build["result"]["id"]}});
    ASSERT_EQ(validation["state"], "done") << validation;
    const auto& result = validation["result"];
    EXPECT_TRUE(result.contains("displacement_error"));
    const auto& curve = result["curve"];
    EXPECT_GT(curve["t"].size(), 100u);
    EXPECT_EQ(curve["t"].size(), curve["full"].size());
    EXPECT_EQ(curve["t"].size(), curve["reduced"].size());
    EXPECT_EQ(curve["full"][0], 0.0);  // from rest
    // The first swing of the curve is the amplitude that the test itself tells.
    double largest = 0;
    for (const auto& x : curve["full"])
        largest = std::max(largest, std::abs(x.get<double>()));
    EXPECT_GE(largest, 0.99 * result["full"]["amplitude"].get<double>());  // the curve is thinned
    const auto report = get('/' + result["report"].get<std::string>());
    EXPECT_NE(report.body.find("<html"), std::string::npos);
    EXPECT_NE(report.headers.find("Content-Disposition")->second.find("attachment"), std::string::npos);
}

TEST_F(Jobs, TheQualityOfAModelIsMappedAndImproved) {
    const auto build = job({{"kind", "build"},
                            {"upload", upload("corner.obj", test::kTetrahedronObj)},
                            {"filling", {{"voxels", {{"resolution", 4}}}}},
                            {"fix", {"z<0.01"}},
                            {"modes", 2},
                            {"rank", 2}});
    ASSERT_EQ(build["state"], "done") << build;
    const auto quality = job({{"kind", "quality"}, {"model", build["result"]["id"]}});
    ASSERT_EQ(quality["state"], "done") << quality;
    const auto& local = quality["result"]["local_compliance"];
    ASSERT_FALSE(local["points"].empty());
    const auto worst = local["worst"];
    // Four vertices, four triangles, and four ratios.
    EXPECT_EQ(get('/' + quality["result"]["map"].get<std::string>()).body.size(), 12u + 48 + 48 + 16);
    // It is no work that the gallery lists.
    for (const auto& listed : get("/api/jobs").json()["jobs"])
        EXPECT_NE(listed["kind"], "quality");

    const auto place = [&](int axis) { return worst["position"][static_cast<std::size_t>(axis)].dump(); };
    const auto better = job({{"kind", "build"},
                             {"from_model", build["result"]["id"]},
                             {"improve", {"near:" + place(0) + ',' + place(1) + ',' + place(2)}}});
    ASSERT_EQ(better["state"], "done") << better;
    EXPECT_EQ(better["result"]["info"]["static_responses"], 3);
    const auto again = job({{"kind", "quality"}, {"model", better["result"]["id"]}});
    ASSERT_EQ(again["state"], "done") << again;
    // The improved place stands first.
    const auto& first = again["result"]["local_compliance"]["points"][0];
    EXPECT_EQ(first["vertex"], worst["vertex"]);
    EXPECT_NEAR(first["ratio"].get<double>(), 1, 1e-6);
}
#endif

}  // namespace
}  // namespace limber::studio
