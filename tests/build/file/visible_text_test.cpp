// SPDX-License-Identifier: Apache-2.0
// What comes from files is shown, not obeyed.
#include "build/file/visible_text.h"

#include "build/file/xml_text.h"

#include <gtest/gtest.h>

namespace limber::build {
namespace {

TEST(VisibleText, ControlCharactersAreShownByTheirNumber) {
    EXPECT_EQ(visible_text("a\x1b[31mb"), "a\\x1b[31mb");
    EXPECT_EQ(visible_text("a\tb\rc\nd\x7f"), "a\\x09b\\x0dc\\x0ad\\x7f");
    EXPECT_EQ(visible_lines("a\tb\nc"), "a\\x09b\nc");
    EXPECT_EQ(visible_text(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(visible_text("\xc2\x9b"), "\\u009b");  // CSI of C1, as UTF-8
    EXPECT_EQ(visible_text("\x9b"
                           "31m"),
              "\\x9b31m");  // and as one byte
    EXPECT_EQ(visible_text("\xe2\x80\xae"
                           "txt"),
              "\\u202etxt");  // right-to-left override
}

TEST(VisibleText, OrdinaryTextInAnyLanguageStays) {
    for (const char* text : {"", "bar.msh: 3 vertices", "Größe", "軟体", "😀", "é"}) {
        EXPECT_EQ(visible_text(text), text);
        EXPECT_EQ(xml_text(text), text);
    }
}

// RFC 3629: too long a form, a surrogate, beyond U+10FFFF, cut off, a byte in the middle.
TEST(VisibleText, BytesThatAreNotUtf8AreShownOneByOne) {
    EXPECT_EQ(visible_text("\xc0\xaf"), "\\xc0\\xaf");
    EXPECT_EQ(visible_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(visible_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(visible_text("a\xe2\x82"), "a\\xe2\\x82");
    EXPECT_EQ(visible_text("\xff"
                           "a"),
              "\\xffa");
}

TEST(VisibleText, EveryOutcomeIsVisibleAlready) {
    std::string all;
    for (int round = 0; round < 4; ++round)
        for (int i = 0; i < 65536; ++i)  // pairs of bytes, in four neighbourhoods
            all += {static_cast<char>(i >> 8), static_cast<char>(i), static_cast<char>(round * 67)};
    const std::string shown = visible_text(all);
    EXPECT_EQ(visible_text(shown), shown);
    EXPECT_EQ(shown.find('\x1b'), std::string::npos);
}

TEST(XmlText, HasNoControlCharactersAndNoBrokenBytes) {
    EXPECT_EQ(xml_text("<a b=\"&\">"), "&lt;a b=&quot;&amp;&quot;&gt;");
    EXPECT_EQ(xml_text("a\x1b\n\x7f\xff\xe2\x80\xae"), "a_______");
}

}  // namespace
}  // namespace limber::build
