// SPDX-License-Identifier: Apache-2.0
#include "build/file/nearest_word.h"
#include "build/file/xml_text.h"

#include <gtest/gtest.h>

namespace limber::build {
namespace {

TEST(NearestWord, ForgivesALetterTooManyTooFewOrWrong) {
    const std::vector<std::string> known = {"young", "poisson", "density"};
    EXPECT_EQ(nearest_word("yung", known), "young");
    EXPECT_EQ(nearest_word("poissson", known), "poisson");
    EXPECT_EQ(nearest_word("dencity", known), "density");
}

TEST(NearestWord, SaysNothingWhereNothingIsNear) {
    EXPECT_EQ(nearest_word("colour", {"young", "poisson", "density"}), "");
    EXPECT_EQ(nearest_word("young", {}), "");
}

TEST(XmlText, NoCharacterOpensATagOrEndsAnAttribute) {
    EXPECT_EQ(xml_text("<img src=\"x\" onerror='a&b'>"), "&lt;img src=&quot;x&quot; onerror='a&amp;b'&gt;");
    EXPECT_EQ(xml_text(std::string("a\0b\n", 4)), "a_b_");
    EXPECT_EQ(xml_text("Kräfte"), "Kräfte");
}

}  // namespace
}  // namespace limber::build
