// SPDX-License-Identifier: Apache-2.0
#include "studio/content_key.h"

#include "test_studio.h"

#include <gtest/gtest.h>

namespace limber::studio {
namespace {

TEST(ContentKey, IsSha256) {  // the test vectors of FIPS 180-2, B.1 and B.2
    ContentKey abc;
    abc.add_bytes("abc");
    EXPECT_EQ(abc.hex(64), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ContentKey longer;
    longer.add_bytes("abcdbcdecdefdefgefghfghighijhijk");
    longer.add_bytes("ijkljklmklmnlmnomnopnopq");
    EXPECT_EQ(longer.hex(8), "248d6a61");
}

TEST(ContentKey, TextsThatAreCutElsewhereDiffer) {
    ContentKey a, b;
    a.add_text("ab");
    a.add_text("c");
    b.add_text("a");
    b.add_text("bc");
    EXPECT_NE(a.hex(16), b.hex(16));
}

TEST(ContentKey, AFileHasTheKeyOfItsBytes) {
    const test::TemporaryFolder folder;
    folder.write("f", "abc");
    EXPECT_EQ(key_of_file(folder.path() / "f", 8), "ba7816bf");
}

TEST(ContentKey, SlugsAreIds) {
    EXPECT_EQ(slug("My <b>Bunny</b>.obj"), "my-b-bunny-b-obj");
    EXPECT_EQ(slug("---"), "model");
    EXPECT_EQ(slug("\xe6\xa8\xa1"), "model");
    EXPECT_EQ(slug(std::string(100, 'a')).size(), 32u);
}

}  // namespace
}  // namespace limber::studio
