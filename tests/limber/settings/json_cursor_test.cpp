// SPDX-License-Identifier: Apache-2.0
#include <limber/integrate/step_report.h>
#include <limber/settings/json_cursor.h>
#include <limber/settings/method.h>
#include <limber/settings/nearest_word.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace limber::test {
namespace {

using Json = nlohmann::json;

// What `read` finds wrong with the JSON, which stands in s.json.
template <class Read>
InputError problem_of(const Json& json, const Read& read) {
    std::optional<InputError> problem;
    read(JsonCursor(json, "s.json", problem));
    return problem.value_or(InputError{});
}

TEST(JsonCursor, NamesThePlaceOfAProblem) {
    const Json json = Json::parse(R"({"bodies": [{"damping": {"alpha": -1}}, {"q": [0, "x"]}]})");
    const auto alpha = problem_of(json, [](const JsonCursor& at) {
        at.at("bodies").entry(0).at("damping").at("alpha").number(kNotNegative, "1/s", "0");
    });
    EXPECT_EQ(alpha.where, "s.json: bodies[0].damping.alpha");
    EXPECT_EQ(alpha.problem, "it is -1 1/s; it must be 0 or more");
    EXPECT_EQ(alpha.try_this, "0");
    const auto q =
        problem_of(json, [](const JsonCursor& at) { at.at("bodies").entry(1).at("q").numbers(2); });
    EXPECT_EQ(q.where, "s.json: bodies[1].q[1]");
    EXPECT_EQ(q.problem, "the text 'x' where a number belongs");
}

TEST(JsonCursor, KeepsTheFirstProblemAndReadsOnWithZeros) {
    const Json fine = Json::parse(R"({"a": "x", "b": 1, "list": 3})");
    const auto first = problem_of(fine, [](const JsonCursor& at) {
        EXPECT_EQ(at.at("none").at("deeper").number(), 0);
        EXPECT_EQ(at.at("a").number(), 0);
        EXPECT_EQ(at.at("list").size(), 0u);
        EXPECT_TRUE(at.at("list").vector3().isZero(0));
        EXPECT_EQ(at.at("list").quaternion().w(), 1);
        at.when("b", [](const JsonCursor&) { ADD_FAILURE() << "nothing is read after a problem"; });
    });
    EXPECT_EQ(first.where, "s.json");
    EXPECT_EQ(first.problem, "the key 'none' is missing");
}

TEST(JsonCursor, KnowsTheTypesOfValues) {
    const auto problem = [](const char* text, const auto& read) {
        return problem_of(Json::parse(text), read).problem;
    };
    const auto whole = [](const JsonCursor& at) { at.whole_number(-2, 3); };
    EXPECT_EQ(problem("3", whole), "");
    EXPECT_EQ(problem("-2", whole), "");
    for (const char* bad : {"4", "-3", "1.5", "1.0", "18446744073709551615", "\"1\"", "null", "[]"})
        EXPECT_NE(problem(bad, whole), "") << bad;
    const auto flag = [](const JsonCursor& at) { at.flag(); };
    EXPECT_EQ(problem("true", flag), "");
    EXPECT_EQ(problem("1", flag), "the number 1 where true or false belongs");
    const auto unit = [](const JsonCursor& at) { at.quaternion(); };
    EXPECT_EQ(problem("[0, 0.6, 0, 0.8]", unit), "");
    EXPECT_EQ(problem("[0, 0, 0, 2]", unit),
              "a quaternion [x, y, z, w] of length 2; a rotation has length 1");
    EXPECT_NE(problem("[0, 0, 1]", unit), "");
    const auto rotation = [](const JsonCursor& at) { at.rotation(); };
    EXPECT_EQ(problem("[0, 0, 0, 1.0005]", rotation), "");
    EXPECT_NE(problem("[0, 0, 0, 1.002]", rotation), "");
    // What no text has, but a program may make.
    const Json infinite(std::numeric_limits<double>::infinity()), none(std::nan(""));
    EXPECT_NE(problem_of(infinite, [](const JsonCursor& at) { at.number(); }).problem, "");
    EXPECT_NE(problem_of(none, [](const JsonCursor& at) { at.number(); }).problem, "");
}

TEST(JsonCursor, NamesTheNearestKeyAndWord) {
    const Json json = Json::parse(R"({"dampin": 1, "method": "wrap"})");
    const auto key = problem_of(json, [](const JsonCursor& at) {
        at.expect_keys({"method", "damping", "rank"});
    });
    EXPECT_EQ(key.problem, "unknown key 'dampin'");
    EXPECT_EQ(key.try_this, "'damping'");
    const auto word = problem_of(json, [](const JsonCursor& at) { at.at("method").word<Method>(); });
    EXPECT_EQ(word.where, "s.json: method");
    EXPECT_EQ(word.problem, "'wrap' is none of stvk, warp, linear, rigid, domains");
    EXPECT_EQ(word.try_this, "'warp'");
    const auto far = problem_of(Json{{"x", 1}}, [](const JsonCursor& at) {
        at.expect_keys({"rank", "step"});
    });
    EXPECT_EQ(far.try_this, "the keys here are rank, step");
}

TEST(FieldRange, SaysWhichNumbersItHas) {
    EXPECT_EQ(FieldRange{}.text(), "finite");
    EXPECT_EQ(kPositive.text(), "above 0");
    EXPECT_EQ(kNotNegative.text(), "0 or more");
    EXPECT_EQ(kScale.text(), "from 1e-09 to 1e+09");
    const FieldRange open{.least = -1, .most = 0.5, .above = true, .below = true};
    EXPECT_EQ(open.text(), "between -1 and 0.5, both excluded");
    EXPECT_FALSE(open.contains(-1) || open.contains(0.5) || open.contains(std::nan("")));
    EXPECT_TRUE(open.contains(0.4999));
    EXPECT_TRUE(kNotNegative.contains(0) && !kPositive.contains(0));
    EXPECT_FALSE(FieldRange{}.contains(std::numeric_limits<double>::infinity()));
}

TEST(Words, OfAnEnumGoBothWays) {
    EXPECT_STREQ(word_of(StepProblem::None), "none");
    EXPECT_STREQ(word_of(StepProblem::TimeStep), "time-step");
    EXPECT_STREQ(word_of(StepProblem::NotSolved), "not-solved");
    EXPECT_STREQ(word_of(StepProblem::BlowUp), "blow-up");
    EXPECT_EQ(value_of_word<Method>("linear"), Method::Linear);
    EXPECT_EQ(value_of_word<Method>("Linear"), std::nullopt);
}

TEST(JsonText, IsRefusedWithAKeyTwiceOrNestedDeep) {
    EXPECT_TRUE(parse_json_text("3", "s").ok());
    for (const std::string& bad :
         {std::string(R"({"a": 1, "a": 2})"), std::string(200, '['), std::string("{"), std::string("1e999")})
        EXPECT_FALSE(parse_json_text(bad, "s").ok()) << bad;
}

TEST(JsonText, NamesTheLineAndTheKeyThatAreWrong) {
    const auto syntax = parse_json_text("{\n\"a\": [1,\n,]}", "s.json");
    ASSERT_FALSE(syntax.ok());
    EXPECT_EQ(syntax.error().where, "s.json:3");
    EXPECT_NE(syntax.error().problem.find("unexpected ','"), std::string::npos) << syntax.error().problem;
    const auto twice = parse_json_text("{\"a\": 1,\n\"a\": 2}", "s.json");
    ASSERT_FALSE(twice.ok());
    EXPECT_NE(twice.error().problem.find("'a' stands twice"), std::string::npos) << twice.error().problem;
    const auto bytes = parse_json_text("\"\x01\xff\"", "s.json");
    ASSERT_FALSE(bytes.ok());
    for (const char c : bytes.error().problem)
        EXPECT_TRUE(c >= 0x20 && c < 0x7f);
}

}  // namespace
}  // namespace limber::test
