// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/corpus, through its reader: seeds of the fuzz targets, and inputs named bad_*,
// which once broke a reader or are of a kind that could.
#include "build/file/read_file.h"
#include "tests/fuzz/readers.h"
#include "tests/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace limber::build {
namespace {

class Corpus : public testing::TestWithParam<Reader> {};

TEST_P(Corpus, GoodFilesAreReadAndBadOnesRefused) {
    const std::filesystem::path folder =
        std::filesystem::path(test::test_data_dir()) / "corpus" / GetParam().name;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const bool good = !entry.path().filename().string().starts_with("bad_");
        EXPECT_NO_THROW(EXPECT_EQ(GetParam().try_it(read_file(entry.path())), good) << entry.path())
            << entry.path();
        ++files;
    }
    EXPECT_GT(files, 0) << folder;
}

// Cut short, or with one byte changed, a file is still only a sound mesh or an InputError.
TEST_P(Corpus, DamagedFilesGiveASoundMeshOrAnInputError) {
    const std::filesystem::path folder =
        std::filesystem::path(test::test_data_dir()) / "corpus" / GetParam().name;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string whole = read_file(entry.path());
        // About 200 places per file keep this to seconds.
        const std::size_t step = std::max<std::size_t>(1, whole.size() / 200);
        for (std::size_t i = 0; i < whole.size(); i += step) {
            EXPECT_NO_THROW(GetParam().try_it(std::string_view(whole).substr(0, i)))
                << entry.path() << " cut at " << i;
            std::string changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ 0x5a);
            EXPECT_NO_THROW(GetParam().try_it(changed)) << entry.path() << " changed at " << i;
        }
    }
}

// A word, a number or a name of 100 kB at many places: what is refused is not quoted at such length.
TEST_P(Corpus, LongWordsAreNotQuoted) {
    const std::filesystem::path folder =
        std::filesystem::path(test::test_data_dir()) / "corpus" / GetParam().name;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string whole = read_file(entry.path());
        const std::size_t step = std::max<std::size_t>(1, whole.size() / 40);
        for (std::size_t i = 0; i < whole.size(); i += step)
            for (const char letter : {'a', '1'}) {
                std::string changed = whole;
                changed.insert(i, 100'000, letter);
                EXPECT_NO_THROW(GetParam().try_it(changed)) << entry.path() << ", inserted at " << i;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(kReaders),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace limber::build
