// SPDX-License-Identifier: Apache-2.0
// Text from outside on its way to a log, a file system, a shell.
#include "studio/log_line.h"
#include "studio/plans.h"
#include "studio/secret.h"
#include "studio/shell_words.h"
#include "studio/store.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

namespace limber::studio {
namespace {

TEST(Names, ALogLineStaysOneLineOfAscii) {
    EXPECT_EQ(log_text("a\nb\x1b[31m\xff<img>"), "a\\x0ab\\x1b[31m\\xff<img>");
    EXPECT_LT(log_text(std::string(10000, 'a')).size(), 300u);
}

TEST(Names, AFileNameKeepsItsEndingAndNothingDangerous) {
    EXPECT_EQ(file_name_of("bunny.obj"), "bunny.obj");
    EXPECT_EQ(file_name_of("../../etc/passwd.obj"), "etc_passwd.obj");
    EXPECT_EQ(file_name_of("-rf .obj"), "rf_.obj");
    EXPECT_EQ(file_name_of("\xe6\xa8\xa1\xe5\x9e\x8b.obj"), "mesh.obj");
    EXPECT_EQ(file_name_of(""), "mesh");
    EXPECT_LT(file_name_of(std::string(5000, 'x') + ".stl").size(), 100u);
    EXPECT_TRUE(file_name_of(std::string(5000, 'x') + ".stl").ends_with(".stl"));
}

TEST(Names, AShellReadsBackTheWordsThatWereWritten) {
    const std::vector<std::string> words = {"plain", "it's", "$(touch x)", "a b", "", "x<1 && y>2", "\"`\\"};
    const std::string command = "for w in " + shell_words(words) + "; do printf '%s\\n' \"$w\"; done";
    FILE* pipe = popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string out;
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
        out += static_cast<char>(c);
    EXPECT_EQ(pclose(pipe), 0);
    std::string expected;
    for (const std::string& word : words)
        expected += word + '\n';
    EXPECT_EQ(out, expected);
}

TEST(Names, TokensAreLongAndNeverTheSame) {
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) {
        const std::string token = make_token();
        EXPECT_EQ(token.size(), 32u);
        EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
        seen.insert(token);
    }
    EXPECT_EQ(seen.size(), 100u);
}

TEST(Names, ALengthIsInTheUnitThatItIsRoundedTo) {
    EXPECT_EQ(length_text(12.345), "12.3 m");
    EXPECT_EQ(length_text(0.99999), "1 m");  // not 100 cm
    EXPECT_EQ(length_text(0.9994), "99.9 cm");
    EXPECT_EQ(length_text(0.0099999), "1 cm");  // not 10 mm
    EXPECT_EQ(length_text(0.00234), "2.34 mm");
    EXPECT_EQ(length_text(0.00099999), "1 mm");  // not 1e+03 µm
    EXPECT_EQ(length_text(9.9e-6), "9.9 µm");
    EXPECT_EQ(length_text(0), "0 mm");
}

}  // namespace
}  // namespace limber::studio
