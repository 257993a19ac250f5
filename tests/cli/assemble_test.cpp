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

// A bar that carries two others at its free end: declared, the end answers them as full elements do.
TEST_F(AssembleCommand, ADeclaredInterfaceIsKeptAndCarriesChildren) {
    const auto with = [&](const std::vector<std::string>& more, const std::string& file) {
        std::vector<std::string> words = {"build",    bar("6,2,2", "1,0.2,0.2"),
                                          "--fix",    "x<0.001",
                                          "--modes",  "3",
                                          "--rank",   "5",
                                          "--method", "stvk",
                                          "-o",       path(file)};
        words.insert(words.end(), more.begin(), more.end());
        return result_of(words);
    };
    const auto plain = with({}, "plain.glb");
    EXPECT_FALSE(plain.contains("interfaces"));
    const auto built = with(
        {"--interface", "tip: x > 0.999", "--interface", "side: y > 0.199 && x > 0.3 && x < 0.7"}, "bar.glb");
    EXPECT_EQ(built["rank"], 5 + 6 + 6);
    ASSERT_EQ(built["interfaces"].size(), 2u);
    EXPECT_EQ(built["interfaces"][0]["name"], "tip");
    EXPECT_NEAR(built["interfaces"][0]["centre"][0].get<double>(), 1, 1e-12);
    EXPECT_NEAR(built["interfaces"][0]["centre"][1].get<double>(), 0.1, 1e-12);
    for (const auto& interface : built["interfaces"]) {
        EXPECT_GT(interface["deviation_from_rigidity"], 0);
        EXPECT_LT(interface["deviation_from_rigidity"], 0.5);
    }
    const auto info = result_of({"info", path("bar.glb")});
    EXPECT_EQ(info["interfaces"][1]["name"], "side");
    EXPECT_EQ(info["interfaces"][0]["centre"], built["interfaces"][0]["centre"]);

    const auto tree_of = [&](const std::string& file, const std::string& where) {
        write("tree.json", R"({"parts": {"bar": ")" + file + R"("}, "root": "bar", "instances": [
            {"name": "a", "part": "bar", )" +
                               where + "}]}");
        return result_of({"assemble", path("tree.json"), "-o", path("tree.glb")});
    };
    // On the centre of the face, so both stand at the same place; three more shapes cannot make it stiffer.
    const auto named = tree_of("bar.glb", R"("interface": "tip", "position": [1, 0, 0])");
    const auto nearest = tree_of("plain.glb", R"("position": [1, 0, 0])");
    EXPECT_EQ(named["coordinates"], 34);
    EXPECT_LT(named["frequencies_hz"][0], nearest["frequencies_hz"][0]);
}

TEST_F(AssembleCommand, InterfacesWithoutAFrameAreRefusedWithTheirPlace) {
    const std::string mesh = bar("6,2,2", "1,0.2,0.2");
    const auto told = [&](const std::vector<std::string>& interfaces) {
        std::vector<std::string> words = {"build", mesh,          "--fix", "x<0.001",  "--modes",
                                          "3",     "--rank",      "5",     "--method", "stvk",
                                          "-o",    path("x.glb"), "--json"};
        for (const std::string& text : interfaces) {
            words.push_back("--interface");
            words.push_back(text);
        }
        const auto run = run_limber(words);
        EXPECT_EQ(run.status, 1);
        EXPECT_FALSE(std::filesystem::exists(path("x.glb")));
        return run.out;
    };
    const auto expect = [&](const std::vector<std::string>& interfaces, const char* text) {
        const std::string out = told(interfaces);
        EXPECT_NE(out.find(text), std::string::npos) << out;
    };
    expect({"corner: x > 0.999 && y < 0.001 && z < 0.001"}, "one vertex is selected, at (1, 0, 0) m");
    expect({"two: x > 0.8 && y < 0.001 && z < 0.001"}, "two vertices are selected, at (");
    expect({"edge: x > 0.999 && z < 0.001"}, "3 vertices lie in one line near (1, 0.1");
    expect({"x > 0.999"}, "no name");
    expect({"tip: x > 0.999", "tip: x > 0.8"}, "two of them have the name 'tip'");
    expect({"tip: x > 7"}, "selects no vertex");
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
