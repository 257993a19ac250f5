// SPDX-License-Identifier: Apache-2.0
// limber assemble as a user runs them.
#include "run_limber.h"

namespace limber::test {
namespace {

class AssembleCommand : public InFolder {
 protected:
    // A bar along x that is fixed at its foot.
    nlohmann::json part() const {
        return result_of({"build", bar("6,2,2", "1,0.2,0.2"), "--fix", "x<0.001", "--modes", "3", "--rank",
                          "5", "--method", "stvk", "-o", path("bar.glb")});
    }
};

TEST_F(AssembleCommand, InstancesOfAPartBecomeATree) {
    const auto built = part();
    write("tree.json", R"({"parts": {"bar": "bar.glb"}, "root": "bar", "instances": [
        {"name": "a", "part": "bar", "position": [1, 0.1, 0.1], "scale": 0.5},
        {"name": "b", "part": "bar", "parent": "a", "position": [0.5, 0.2, 0.1]}]})");
    const auto tree = result_of({"assemble", path("tree.json"), "-o", path("tree.glb")});
    EXPECT_EQ(tree["domains"], 3);
    EXPECT_EQ(tree["parts"], 1);
    EXPECT_EQ(tree["coordinates"], 15);
    EXPECT_EQ(tree["depth"], 2);
    EXPECT_EQ(tree["frequencies_hz"].size(), 15u);
    EXPECT_LT(tree["frequencies_hz"][0], built["frequencies_hz"][0]);  // the end carries two more
    EXPECT_NEAR(tree["total_mass"].get<double>(), built["total_mass"].get<double>() * (1 + 2 * 0.125), 1e-9);
    const auto info = result_of({"info", path("tree.glb")});
    for (const char* key : {"domains", "parts", "coordinates", "depth", "frequencies_hz", "total_mass"})
        EXPECT_EQ(info[key], tree[key]) << key;
}

TEST_F(AssembleCommand, MistakesAreToldAndNothingIsWrittenOver) {
    part();
    write(
        "tree.json",
        R"({"parts": {"bar": "bar.glb"}, "root": "bar", "instances": [{"part": "bar", "interface": "tip"}]})");
    const auto unknown = run_limber({"assemble", path("tree.json"), "-o", path("tree.glb"), "--json"});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_NE(unknown.out.find("no interface 'tip'"), std::string::npos) << unknown.out;
    EXPECT_FALSE(std::filesystem::exists(path("tree.glb")));
    const std::string before = file_text(path("bar.glb"));
    EXPECT_EQ(run_limber({"assemble", path("tree.json"), "-o", path("bar.glb")}).status, 1);
    EXPECT_EQ(run_limber({"assemble", path("tree.json"), "-o", path("tree.json")}).status, 1);
    EXPECT_EQ(file_text(path("bar.glb")), before);
    EXPECT_EQ(run_limber({"build", path("bar.msh"), "--rigid", "a", "-o", path("x.glb")}).status, 1);
}

}  // namespace
}  // namespace limber::test
