// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

InputError error_of(auto call) {
    try {
        call();
    } catch (const InputError& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

double number(const std::string& text) {
    return TextScanner(text, "a.txt").number("a number");
}

TEST(TextScanner, TokensGoAcrossLinesAndCountThem) {
    TextScanner scan("one  two\r\n\n\tthree", "a.txt");
    EXPECT_EQ(scan.token(), "one");
    EXPECT_EQ(scan.token(), "two");
    EXPECT_EQ(scan.line(), 1u);
    EXPECT_EQ(scan.token(), "three");
    EXPECT_EQ(scan.where(), "a.txt:3");
    EXPECT_EQ(scan.token(), "");
    EXPECT_TRUE(scan.at_end());
}

TEST(TextScanner, TokensOnALineStopAtItsEnd) {
    TextScanner scan("a b \r\nc", "a.txt");
    EXPECT_EQ(scan.token_on_line(), "a");
    EXPECT_FALSE(scan.at_end_of_line());
    EXPECT_EQ(scan.token_on_line(), "b");
    EXPECT_TRUE(scan.at_end_of_line());
    EXPECT_EQ(scan.token_on_line(), "");
    scan.skip_line();
    EXPECT_EQ(scan.token_on_line(), "c");
    EXPECT_EQ(scan.line(), 2u);
}

TEST(TextScanner, RestOfLineHasNoBlanksAround) {
    TextScanner scan("g   left side \r\nnext", "a.txt");
    scan.token_on_line();
    EXPECT_EQ(scan.rest_of_line(), "left side");
    EXPECT_EQ(scan.line(), 2u);
    EXPECT_EQ(scan.rest_of_line(), "next");
    EXPECT_EQ(scan.line(), 2u);
    EXPECT_EQ(scan.rest_of_line(), "");
}

TEST(TextScanner, CommentsAreSkippedWithTheirLines) {
    TextScanner scan("# one\n\n  # two\n x # three\n#", "a.txt");
    scan.skip_comments('#');
    EXPECT_EQ(scan.line(), 4u);
    EXPECT_EQ(scan.token(), "x");
    scan.skip_comments('#');
    EXPECT_TRUE(scan.at_end());
}

TEST(TextScanner, NumbersInTheFormsThatFilesHave) {
    EXPECT_EQ(number("1"), 1);
    EXPECT_EQ(number("+1.5"), 1.5);
    EXPECT_EQ(number("-.5e+2"), -50);
    EXPECT_EQ(number("2.E-1"), 0.2);
    EXPECT_EQ(number("0.1"), 0.1);
    EXPECT_TRUE(std::isnan(number("nan")));
    EXPECT_EQ(number("-inf"), -std::numeric_limits<double>::infinity());
}

TEST(TextScanner, NumbersBeyondTheRangeBecomeZeroOrInfinity) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(number("1e400"), inf);
    EXPECT_EQ(number("-1.5e400"), -inf);
    EXPECT_EQ(number("1e-400"), 0);
    EXPECT_EQ(number("+0.001e-400"), 0);
    EXPECT_TRUE(std::signbit(number("-1e-400")));
    EXPECT_EQ(number("1e99999999999999999999"), inf);
    EXPECT_EQ(number("1e-99999999999999999999"), 0);
    EXPECT_EQ(number("0e99999"), 0);
    EXPECT_EQ(number(std::string(400, '9')), inf);
    EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0);
    EXPECT_EQ(number("0." + std::string(400, '0') + "1e401"), 1);
    EXPECT_EQ(number("0." + std::string(400, '0') + "1e900"), inf);
    EXPECT_EQ(number(std::string(400, '9') + "e-900"), 0);
    EXPECT_EQ(number("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(TextScanner, NumbersDoNotFollowTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
        std::setlocale(LC_ALL, locale);  // where it is not installed the test still holds
        EXPECT_EQ(number("1.5"), 1.5);
        EXPECT_EQ(number("1.5e400"), std::numeric_limits<double>::infinity());
    }
    std::setlocale(LC_ALL, before.c_str());
}

TEST(TextScanner, WhatIsNoNumberIsRefusedWithItsLine) {
    for (const char* text : {"x", "1x", "1,5", "--1", "+-1", "++1", "+", "-", ".", "0x10", "1e", "1 e5x"}) {
        const auto error = error_of([&] {
            TextScanner scan(text, "a.txt");
            scan.number("a coordinate");
            scan.number("a coordinate");
        });
        EXPECT_EQ(error.where, "a.txt:1") << text;
        EXPECT_NE(error.problem.find("expected a coordinate, found '"), std::string::npos) << text;
    }
    EXPECT_EQ(error_of([] { number("\n\n"); }).problem, "expected a number, but the file ends here");
    TextScanner scan("1 2\n3", "a.txt");
    scan.token();
    scan.token();
    EXPECT_EQ(error_of([&] { scan.to_number(scan.token_on_line(), "z"); }).problem,
              "expected z, but the line ends here");
}

TEST(TextScanner, FiniteNumbersOnly) {
    for (const char* text : {"nan", "inf", "-inf", "1e999", "NaN", "INFINITY"})
        EXPECT_NE(error_of([&] { TextScanner(text, "a").finite_number("x"); }).problem.find("x is "),
                  std::string::npos)
            << text;
    EXPECT_EQ(TextScanner("-2.5", "a").finite_number("x"), -2.5);
}

TEST(TextScanner, IntegersInTheirRange) {
    EXPECT_EQ(TextScanner("+12", "a").integer("n"), 12);
    EXPECT_EQ(TextScanner("-9223372036854775808", "a").integer("n"),
              std::numeric_limits<std::int64_t>::min());
    for (const char* text : {"9223372036854775808", "1.0", "1e3", "", "0x1", "1-"})
        error_of([&] { TextScanner(text, "a").integer("n"); });
}

TEST(TextScanner, CountsMustFitInTheFile) {
    EXPECT_EQ(TextScanner("2\n0 0\n0 0\n", "a").count("n", 4), 2u);
    EXPECT_EQ(TextScanner("2\n0 0\n0 0", "a").count("n", 4), 2u);  // no line end after the last
    EXPECT_EQ(TextScanner("7", "a").count("n", 0), 7u);            // things that take no bytes
    const auto error =
        error_of([] { TextScanner("4294967295\n0 0 0\n", "a").count("the number of vertices", 6); });
    EXPECT_EQ(error.problem, "the number of vertices is 4294967295, but only 7 bytes are left in the file");
    error_of([] { TextScanner("-1\n0 0 0\n", "a").count("n", 6); });
    error_of([] { TextScanner("9223372036854775807\n", "a").count("n", 1); });
}

TEST(TextScanner, BytesAreTakenWholeOrNotAtAll) {
    TextScanner scan("head\n\0\n\xff tail", "a");
    TextScanner binary(std::string_view("h\n\0\n\xff t", 7), "a");
    binary.skip_line();
    EXPECT_EQ(binary.take_bytes(3), std::string_view("\0\n\xff", 3));
    EXPECT_EQ(binary.line(), 3u);
    EXPECT_EQ(binary.bytes_left(), 2u);
    EXPECT_NE(error_of([&] { binary.take_bytes(3); }).problem.find("3 bytes are needed, 2 are left"),
              std::string::npos);
    error_of([&] { binary.take_bytes(std::numeric_limits<std::size_t>::max()); });
    EXPECT_EQ(binary.token(), "t");
}

TEST(TextScanner, ExpectedWords) {
    TextScanner scan("one two", "a");
    scan.expect("one");
    EXPECT_EQ(error_of([&] { scan.expect("three"); }).problem, "expected 'three', found 'two'");
    EXPECT_EQ(error_of([&] { scan.expect("three"); }).problem, "expected 'three', but the file ends here");
}

TEST(TextScanner, ComplaintsAreSafeToPrint) {
    EXPECT_EQ(printable("ok"), "ok");
    EXPECT_EQ(printable("a\x1b[31m\xff"), "a?[31m?");
    EXPECT_EQ(printable(std::string(100, 'x')), std::string(40, 'x') + "...");
}

}  // namespace
}  // namespace limber::build
