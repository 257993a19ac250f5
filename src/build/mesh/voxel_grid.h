// SPDX-License-Identifier: Apache-2.0
// One bit per cube of a grid. Rows run along x in words of 64 bits, so that whole words are worked on at
// once; 1024^3 cubes take 128 MB.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber::build {

using Cell = std::array<int, 3>;

class VoxelGrid {
 public:
    explicit VoxelGrid(const Cell& size)
        : size_(size),
          row_words_((size[0] + 63) / 64),
          words_(static_cast<std::size_t>(row_words_) * static_cast<std::size_t>(size[1]) *
                 static_cast<std::size_t>(size[2])) {}

    const Cell& size() const { return size_; }
    int row_words() const { return row_words_; }
    std::size_t word_count() const { return words_.size(); }

    bool contains(const Cell& c) const {
        return c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && c[0] < size_[0] && c[1] < size_[1] && c[2] < size_[2];
    }
    // False outside the grid.
    bool operator[](const Cell& c) const {
        return contains(c) && (words_[index(c[0] / 64, c[1], c[2])] >> (c[0] % 64) & 1);
    }
    void set(const Cell& c) { words_[index(c[0] / 64, c[1], c[2])] |= std::uint64_t{1} << (c[0] % 64); }

    std::size_t index(int word, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(row_words_) +
               static_cast<std::size_t>(word);
    }
    std::uint64_t& word(std::size_t i) { return words_[i]; }
    std::uint64_t word(std::size_t i) const { return words_[i]; }
    // Zero outside the grid.
    std::uint64_t word(int w, int y, int z) const {
        const bool inside = w >= 0 && y >= 0 && z >= 0 && w < row_words_ && y < size_[1] && z < size_[2];
        return inside ? words_[index(w, y, z)] : 0;
    }
    // The bits of word w that are cubes of the grid.
    std::uint64_t valid_bits(int w) const {
        const int bits = size_[0] - 64 * w;
        return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }

    std::size_t count() const {
        std::size_t n = 0;
        for (const std::uint64_t w : words_)
            n += static_cast<std::size_t>(std::popcount(w));
        return n;
    }
    // Calls visit(cell) for every set bit, x fastest, z slowest.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (int z = 0; z < size_[2]; ++z)
            for (int y = 0; y < size_[1]; ++y)
                for (int w = 0; w < row_words_; ++w)
                    for (std::uint64_t bits = words_[index(w, y, z)]; bits; bits &= bits - 1)
                        visit(Cell{64 * w + std::countr_zero(bits), y, z});
    }

 private:
    Cell size_;
    int row_words_;
    std::vector<std::uint64_t> words_;
};

}  // namespace limber::build
