// SPDX-License-Identifier: Apache-2.0
#include "limber/settings/nearest_word.h"

#include <algorithm>
#include <numeric>

namespace limber {

// Letters to insert, remove or replace to turn one word into the other (Levenshtein), one row at a time.
static std::size_t changes_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substitute = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substitute, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t changes = changes_between(word.substr(0, 64), candidate);
        if (changes < fewest) {
            fewest = changes;
            best = candidate;
        }
    }
    return best;
}

}  // namespace limber
