// SPDX-License-Identifier: Apache-2.0
// JSON out of random numbers: keys and words that readers know, in places where they may or may not belong.
#pragma once
#include <limber/settings/field.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace limber::test {

class RandomJson {
 public:
    explicit RandomJson(unsigned seed) : engine_(seed) {
        for (const DescribedStruct& of : described_structs())
            for (const Field& field : of.fields) {
                words_.push_back(field.name.substr(0, field.name.find('.')));
                words_.push_back(field.name.substr(field.name.find('.') + 1));
                words_.insert(words_.end(), field.words.begin(), field.words.end());
            }
        for (const char* word :
             {"all", "soft", "vertex", "displacement", "positions", "orientations", "method", "force",
              "position", "rotation", "", "\xff", "stvk", "warp", "linear", "rigid"})
            words_.push_back(word);
    }

    nlohmann::json value(int depth) {
        switch (below(depth > 0 ? 10 : 7)) {
            case 0:
                return nullptr;
            case 1:
                return below(2) == 0;
            case 2:
                return below(7) - 2;
            case 3:
                return number();
            case 4:
                return std::numeric_limits<std::uint64_t>::max() - std::uint64_t(below(2));
            case 5:
            case 6:
                return word();
            case 7: {
                nlohmann::json list = nlohmann::json::array();
                for (int i = below(5); i > 0; --i)
                    list.push_back(below(2) ? nlohmann::json(number()) : value(depth - 1));
                return list;
            }
            default:
                return object(depth);
        }
    }
    nlohmann::json object(int depth) {
        nlohmann::json out = nlohmann::json::object();
        for (int i = below(4); i > 0; --i)
            out[word()] = value(depth - 1);
        return out;
    }
    std::string word() { return words_[std::size_t(below(int(words_.size())))]; }

 private:
    int below(int end) { return int(engine_() % unsigned(end)); }
    double number() {
        const double some[] = {0,           -1,   1e-300, 1e300, 0.3,
                               1,           1e-9, -0.0,   0.5,   std::numeric_limits<double>::infinity(),
                               std::nan("")};
        return some[below(11)];
    }

    std::mt19937 engine_;
    std::vector<std::string> words_;
};

}  // namespace limber::test
