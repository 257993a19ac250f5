// SPDX-License-Identifier: Apache-2.0
#include <limber/model/crc32c.h>

#include <array>

namespace limber {

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // 0x1edc6f41 with its bits reversed

// The remainder that each value of a byte leaves.
constexpr std::array<std::uint32_t, 256> remainders() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (crc & 1 ? kPolynomial : 0);
        table[byte] = crc;
    }
    return table;
}

constexpr auto kRemainders = remainders();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : bytes)
        crc = (crc >> 8) ^ kRemainders[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return crc ^ 0xffffffff;
}

}  // namespace limber
