// SPDX-License-Identifier: Apache-2.0
// Files that want more than to be read: to open others, to grow without end, to be called something.
#include "test_studio.h"

#include "studio/plans.h"

#include <zlib.h>

#include <atomic>
#include <thread>

namespace limber::studio {
namespace {

constexpr const char* kCanary = "CANARY-d41d8cd9";

class Uploads : public test::StudioTest {
 protected:
    void SetUp() override {
        StudioTest::SetUp();
        folder_.write("canary.bin", std::string(kCanary) + std::string(1000, 'x'));
        folder_.write("canary.mtl", std::string("newmtl ") + kCanary + "\nKd 1 0 0\n");
        start();
    }
    // No answer of any job on the file may hold what stands in the canary.
    void expect_nothing_leaks(const std::string& upload_id) {
        for (const auto& request : {nlohmann::json{{"kind", "check"}, {"upload", upload_id}},
                                    nlohmann::json{{"kind", "build"},
                                                   {"upload", upload_id},
                                                   {"modes", 1},
                                                   {"rank", 1},
                                                   {"fix", {"z<0.01"}},
                                                   {"filling", {{"voxels", {{"resolution", 2}}}}}}}) {
            const auto done = job(request);
            EXPECT_EQ(done.dump().find(kCanary), std::string::npos) << done;
            if (done["state"] != "done" || request["kind"] != "build") continue;
            const std::string model = get('/' + done["result"]["model"].get<std::string>()).body;
            EXPECT_EQ(model.find(kCanary), std::string::npos);
        }
        expect_alive();
    }
};

std::string gltf_with_buffer(const std::string& uri) {
    return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
               "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
               "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                              "min": [0, 0, 0], "max": [1, 1, 1]}],
               "bufferViews": [{"buffer": 0, "byteLength": 36}],
               "buffers": [{"byteLength": 36, "uri": ")" +
           uri + R"("}]})";
}

TEST_F(Uploads, AGltfOpensNoFile) {
    const std::string canary = (folder_.path() / "canary.bin").string();
    for (const std::string& uri : {canary, "file://" + canary, std::string("../../../canary.bin"),
                                   std::string("..%2f..%2f..%2fcanary.bin"), std::string("/etc/passwd")}) {
        const std::string id = upload("scene.gltf", gltf_with_buffer(uri));
        const auto check = job({{"kind", "check"}, {"upload", id}});
        EXPECT_EQ(check["state"], "failed") << uri;
        EXPECT_NE(check["error"]["try_this"].get<std::string>().find(".glb"), std::string::npos) << check;
        expect_nothing_leaks(id);
    }
}

TEST_F(Uploads, AnObjOpensNoMaterialLibraryAndSaysSo) {
    const std::string canary = (folder_.path() / "canary.mtl").string();
    for (const std::string& library :
         {canary, std::string("../../../canary.mtl"), std::string("../upload.json")}) {
        const std::string obj = "mtllib " + library + "\nusemtl " + kCanary + "x\n" + test::kTetrahedronObj;
        const std::string id = upload("a.obj", obj);
        const auto built = job({{"kind", "build"},
                                {"upload", id},
                                {"modes", 1},
                                {"rank", 1},
                                {"fix", {"z<0.01"}},
                                {"filling", {{"voxels", {{"resolution", 2}}}}}});
        EXPECT_EQ(built["state"], "done") << built;
        EXPECT_NE(built["notes"].dump().find("material library is left out"), std::string::npos)
            << built["notes"];
    }
    // The name in the OBJ itself is the sender's own; the colour in the library is not.
    const std::string obj = "mtllib " + canary + "\n" + test::kTetrahedronObj;
    expect_nothing_leaks(upload("b.obj", obj));
}

TEST_F(Uploads, AVegaFileIncludesNoOther) {
    const std::string id = upload("a.veg", "*INCLUDE " + (folder_.path() / "canary.bin").string() + "\n");
    EXPECT_EQ(job({{"kind", "check"}, {"upload", id}})["state"], "failed");
    expect_nothing_leaks(id);
}

TEST_F(Uploads, EachIsAloneInItsFolder) {
    upload("first.obj", test::kTetrahedronObj);
    upload("second.obj", test::kTetrahedronObj + "# other\n");
    int folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options_.cache / "uploads")) {
        if (!entry.is_directory()) continue;
        ++folders;
        const auto files = std::filesystem::directory_iterator(entry.path());
        EXPECT_EQ(std::distance(begin(files), end(files)), 1) << entry.path();
    }
    EXPECT_EQ(folders, 2);
    // Only the user can look inside.
    EXPECT_EQ(std::filesystem::status(options_.cache).permissions(), std::filesystem::perms::owner_all);
}

// A tetrahedron whose corners are in a buffer of its own: 4 x 3 floats, then 12 indices of 16 bits.
std::string tetrahedron_gltf(const std::string& uri) {
    return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
               "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
               "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                              "min": [0, 0, 0], "max": [1, 1, 1]},
                             {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
               "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
               "buffers": [{"byteLength": 72, "uri": ")" +
           uri + R"("}]})";
}

std::string tetrahedron_buffer() {
    const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::uint16_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    std::string out(reinterpret_cast<const char*>(corners), sizeof corners);
    return out.append(reinterpret_cast<const char*>(triangles), sizeof triangles);
}

TEST_F(Uploads, AMeshAndTheFilesThatItNamesAreOneUpload) {
    const std::string gltf = upload("scene.gltf", tetrahedron_gltf("parts/my%20scene.bin"));
    const std::string buffer = upload("my_scene.bin", tetrahedron_buffer());
    const nlohmann::json set = {{"mesh", gltf},
                                {"companions", {{{"path", "parts/my scene.bin"}, {"upload", buffer}}}}};
    const auto answer = post("/api/upload-sets", set.dump());
    ASSERT_EQ(answer.status, 200) << answer.body;
    const std::string id = answer.json()["upload"];
    EXPECT_EQ(post("/api/upload-sets", set.dump()).json()["upload"], id);
    // Without its buffer it cannot be read, with it it can; also after a restart.
    EXPECT_EQ(job({{"kind", "check"}, {"upload", gltf}})["state"], "failed");
    stop();
    start();
    const auto check = job({{"kind", "check"}, {"upload", id}});
    ASSERT_EQ(check["state"], "done") << check;
    EXPECT_EQ(check["title"], "scene.gltf");
    EXPECT_EQ(check["result"]["info"]["vertices"], 4);
    const auto repair = job({{"kind", "repair"}, {"upload", id}});
    ASSERT_EQ(repair["state"], "done") << repair;
    EXPECT_EQ(repair["result"]["name"], "scene-repaired.glb");

    // A model is never named like its mesh.
    const auto build = job({{"kind", "build"},
                            {"upload", repair["result"]["upload"]},
                            {"name", "scene-repaired"},
                            {"filling", {{"voxels", {{"resolution", 2}}}}},
                            {"fix", {"z<0.01"}},
                            {"up", "-x"},
                            {"modes", 2},
                            {"rank", 3}});
    ASSERT_EQ(build["state"], "done") << build;
    EXPECT_NE(build["command"].get<std::string>().find("-o scene-repaired-soft.glb"), std::string::npos);
    EXPECT_EQ(build["result"]["info"]["up"], "-x");
}

TEST_F(Uploads, ACompanionLiesBelowItsMesh) {
    const std::string mesh = upload("a.obj", test::kTetrahedronObj), picture = upload("a.png", "no picture");
    for (const char* path : {"", "/a.png", "../a.png", "x/../a.png", "./a.png", "x//a.png", "a.png/", "a.obj",
                             "a.sh", "x\\a.png", "1/2/3/4/5/6/7/8/9.png", "a\n.png"}) {
        const nlohmann::json set = {{"mesh", mesh}, {"companions", {{{"path", path}, {"upload", picture}}}}};
        EXPECT_EQ(post("/api/upload-sets", set.dump()).status, 400) << path;
    }
    const nlohmann::json twice = {
        {"mesh", mesh},
        {"companions", {{{"path", "a.png"}, {"upload", picture}}, {{"path", "a.png"}, {"upload", picture}}}}};
    EXPECT_EQ(post("/api/upload-sets", twice.dump()).status, 400);
    // A file cannot be a folder too.
    const nlohmann::json both = {
        {"mesh", mesh},
        {"companions",
         {{{"path", "a.png"}, {"upload", picture}}, {{"path", "a.png/b.png"}, {"upload", picture}}}}};
    EXPECT_EQ(post("/api/upload-sets", both.dump()).status, 400);
    const nlohmann::json unknown = {{"mesh", mesh},
                                    {"companions", {{{"path", "a.png"}, {"upload", "u-png-0"}}}}};
    EXPECT_EQ(post("/api/upload-sets", unknown.dump()).status, 400);
    for (const auto& entry : std::filesystem::directory_iterator(options_.cache / "uploads"))
        EXPECT_EQ(entry.path().filename().string().find("incoming"), std::string::npos) << entry.path();
    expect_alive();
}

TEST_F(Uploads, TheSameContentIsTheSameUpload) {
    const std::string first = upload("a.obj", test::kTetrahedronObj);
    EXPECT_EQ(upload("b.obj", test::kTetrahedronObj), first);
    EXPECT_NE(upload("a.obj", test::kTetrahedronObj + "\n"), first);
    EXPECT_NE(upload("a.off", test::kTetrahedronObj), first);  // it is read in another way
}

Upload sent(Store& store, const std::string& name, const std::string& bytes) {
    IncomingUpload incoming(store);
    EXPECT_TRUE(incoming.add(bytes));
    return incoming.finish(name);
}

TEST_F(Uploads, TheSameBytesUnderManyNamesAtOnceAreThereAsSoonAsTheyAreAnswered) {
    Store store(folder_.path() / "store", "1");
    std::atomic<int> lost{0};
    std::vector<std::thread> clients;
    for (int client = 0; client < 3; ++client)
        clients.emplace_back([&, client] {
            for (int i = 0; i < 60; ++i) {
                const std::string id =
                    sent(store, "mesh-" + std::to_string(10 * i + client) + ".obj", test::kTetrahedronObj).id;
                const auto found = store.find_upload(id);
                if (!found || test::file_text(found->file) != test::kTetrahedronObj) ++lost;
            }
        });
    for (std::thread& client : clients)
        client.join();
    EXPECT_EQ(lost, 0);
}

TEST_F(Uploads, AJobThatWaitsFindsItsMeshAfterItWasSentAgainUnderAnotherName) {
    Store store(folder_.path() / "store", "1");
    const std::string id = sent(store, "bunny.obj", test::kTetrahedronObj).id;
    const Plan waiting = plan_check(store, {id, "m"});
    EXPECT_EQ(sent(store, "rabbit.OBJ", test::kTetrahedronObj).id, id);
    std::filesystem::create_directories(waiting.folder);
    waiting.prepare();
    EXPECT_EQ(test::file_text(waiting.folder / "bunny.obj"), test::kTetrahedronObj);
    EXPECT_EQ(store.find_upload(id)->name, "rabbit.OBJ");
    EXPECT_EQ(waiting.reads, std::vector{store.find_upload(id)->file.parent_path()});
}

TEST_F(Uploads, OneThatAnEarlierVersionStoredIsFound) {
    Store store(folder_.path() / "store", "1");
    folder_.write("store/uploads/u-obj-12/bunny.obj", test::kTetrahedronObj);
    folder_.write("store/uploads/u-obj-12.json", R"({"name": "my bunny.obj", "file": "bunny.obj"})");
    const auto found = store.find_upload("u-obj-12");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->called, "my_bunny.obj");
    EXPECT_EQ(found->bytes, test::kTetrahedronObj.size());
}

TEST_F(Uploads, AFileThatUnpacksToMuchMoreIsContained) {
    // 64 MB of zeros as one zlib block of 64 KB in a .vtu that claims them as coordinates.
    const std::string zeros(64u << 20, '\0');
    std::string packed(compressBound(zeros.size()), '\0');
    uLongf length = packed.size();
    ASSERT_EQ(compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                        reinterpret_cast<const Bytef*>(zeros.data()), zeros.size(), 9),
              Z_OK);
    packed.resize(length);
    std::string blocks;  // uint64: number of blocks, size of each, size of the last, packed size
    for (const std::uint64_t value :
         {std::uint64_t{1}, std::uint64_t{zeros.size()}, std::uint64_t{0}, std::uint64_t{length}})
        blocks.append(reinterpret_cast<const char*>(&value), 8);
    const std::string bomb =
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece NumberOfPoints=\"2796202\" "
        "NumberOfCells=\"1\">"
        "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" "
        "offset=\"0\"/></Points>"
        "<Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
        "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray>"
        "<DataArray type=\"UInt8\" Name=\"types\" "
        "format=\"ascii\">10</DataArray></Cells></Piece></UnstructuredGrid>"
        "<AppendedData encoding=\"raw\">_" +
        blocks + packed + "</AppendedData></VTKFile>";
    const auto check = job({{"kind", "check"}, {"upload", upload("bomb.vtu", bomb)}});
    // Whether it is refused or found to be of no volume, the studio goes on.
    if (check["state"] == "failed")
        EXPECT_NE(check["error"]["problem"], "") << check;
    else
        EXPECT_FALSE(check["result"]["problems"].empty()) << check["result"]["problems"];
    expect_alive();
}

TEST_F(Uploads, ABodyThatIsCutShortLeavesNothingBehind) {
    stop();
    options_.stall_time = std::chrono::milliseconds(200);
    start();
    const std::string head =
        "POST /api/uploads?name=a.obj HTTP/1.1\r\nHost: localhost\r\nX-Limber-Token: " + studio_->token() +
        "\r\nContent-Length: 1000\r\n\r\n";
    const std::string answer = raw(head + "v 0 0 0\n");
    EXPECT_NE(answer.find(" 408 "), std::string::npos) << answer;
    EXPECT_TRUE(std::filesystem::is_empty(options_.cache / "uploads"));
    expect_alive();
}

}  // namespace
}  // namespace limber::studio
