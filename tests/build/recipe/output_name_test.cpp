// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/output_name.h"

#include "build/file/atomic_file.h"
#include "tests/build/recipe/tiny_model.h"

#include <limber/model/glb.h>
#include <limber/model/model_file.h>

#include <gtest/gtest.h>
#include <unistd.h>

namespace limber::build {
namespace {

namespace fs = std::filesystem;

class OutputName : public ::testing::Test {
 protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    void put(const std::string& name, const std::string& bytes) const { write_file(folder_ / name, bytes); }
    std::string beside(const std::string& mesh) const {
        const fs::path out = model_file_beside(folder_ / mesh);
        EXPECT_EQ(out.parent_path(), folder_);
        return out.filename().string();
    }
    fs::path folder_ = fs::temp_directory_path() / ("limber_output_name_" + std::to_string(getpid()));
};

TEST_F(OutputName, AModelStandsBesideItsMesh) {
    put("bunny.obj", "v 0 0 0\n");
    EXPECT_EQ(beside("bunny.obj"), "bunny.glb");
    EXPECT_EQ(beside("my.old.bunny.stl"), "my.old.bunny.glb");
    EXPECT_EQ(model_file_beside("spoon"), "spoon.glb");  // built in
}

TEST_F(OutputName, AGlbIsNotWrittenOverByItsModel) {
    const std::string mesh = join_glb(R"({"asset":{"version":"2.0"}})", "");
    EXPECT_EQ(beside("bunny.glb"), "bunny-soft.glb");  // also before the mesh is there
    put("bunny.glb", mesh);
    EXPECT_EQ(beside("bunny.glb"), "bunny-soft.glb");
    put("bunny-soft.glb", mesh);  // of somebody else
    EXPECT_EQ(beside("bunny.glb"), "bunny-soft-2.glb");
    put("bunny-soft-2.glb", "text");
    EXPECT_EQ(beside("bunny.glb"), "bunny-soft-3.glb");
}

TEST_F(OutputName, AnotherGlbIsNotWrittenOverButAModelIsBuiltAgain) {
    put("bunny.obj", "v 0 0 0\n");
    put("bunny.glb", join_glb(R"({"asset":{"version":"2.0"},"extensionsUsed":["LIMBER_model"]})", ""));
    EXPECT_EQ(beside("bunny.obj"), "bunny-soft.glb");
    const std::string model = write_model(*test::tiny_model()).value().bytes;
    put("bunny-soft.glb", model);
    EXPECT_TRUE(is_model_file(folder_ / "bunny-soft.glb"));
    EXPECT_EQ(beside("bunny.obj"), "bunny-soft.glb");
    put("bunny.glb", model);
    EXPECT_EQ(beside("bunny.obj"), "bunny.glb");
    EXPECT_EQ(beside("bunny.glb"), "bunny-soft.glb");  // a model as the mesh of another
}

TEST_F(OutputName, LinksAndFoldersAreSeenThrough) {
    put("bunny.obj", "v 0 0 0\n");
    fs::create_symlink("bunny.obj", folder_ / "bunny.glb");
    EXPECT_EQ(beside("bunny.obj"), "bunny-soft.glb");
    fs::create_directory(folder_ / "bunny-soft.glb");
    EXPECT_EQ(beside("bunny.obj"), "bunny-soft-2.glb");
}

TEST_F(OutputName, OddFilesAreNoModels) {
    EXPECT_FALSE(is_model_file(folder_ / "none.glb"));
    EXPECT_FALSE(is_model_file(folder_));
    put("short.glb", "glTF");
    EXPECT_FALSE(is_model_file(folder_ / "short.glb"));
    put("long.glb", std::string("glTF\2\0\0\0\377\377\377\377\377\377\377\377JSON{}", 22));
    EXPECT_FALSE(is_model_file(folder_ / "long.glb"));
}

}  // namespace
}  // namespace limber::build
