// SPDX-License-Identifier: Apache-2.0
#include "studio/secret.h"

#include <limber/input_error.h>

#include <sys/random.h>

#include <array>

namespace limber::studio {

std::string make_token() {
    std::array<unsigned char, 16> bytes{};
    // Requests of up to 256 bytes are not cut short (getrandom(2)).
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw InputError{"token", "the kernel gives no random numbers", ""};
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const unsigned char byte : bytes) {
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

bool same_secret(std::string_view given, std::string_view secret) {
    if (given.size() != secret.size() || secret.empty()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < secret.size(); ++i)
        difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i]);
    return difference == 0;
}

}  // namespace limber::studio
