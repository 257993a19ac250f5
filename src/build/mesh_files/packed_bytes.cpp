// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/packed_bytes.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>

namespace limber::build {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

}  // namespace

std::size_t PackedBytes::most_left() const {
    const std::size_t left = bytes_.size() - position_;
    return encoding_ == Encoding::Raw ? left : decoded_.size() + left / 4 * 3;
}

std::string PackedBytes::take(std::size_t count) {
    if (count > most_left())
        throw InputError{where_, fmt::format("{} bytes are needed, at most {} are there", count, most_left()),
                         "the file is truncated or a count is wrong"};
    if (encoding_ == Encoding::Raw) {
        position_ += count;
        return std::string(bytes_.substr(position_ - count, count));
    }
    std::string out = std::exchange(decoded_, {});
    out.reserve(count + 3);
    while (out.size() < count)
        decode_group(out);
    decoded_ = out.substr(count);
    out.resize(count);
    return out;
}

void PackedBytes::decode_group(std::string& out) {
    unsigned bits = 0;
    int digits = 0, padding = 0;
    while (digits + padding < 4) {
        if (position_ == bytes_.size())
            throw InputError{where_, "the base64 text ends early",
                             "the file is truncated or a count is wrong"};
        const char c = bytes_[position_++];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        const int digit = digit_of(c);
        if (c == '=' && digits >= 2) {
            ++padding;
        } else if (digit >= 0 && padding == 0) {
            bits = bits << 6 | static_cast<unsigned>(digit);
            ++digits;
        } else {
            throw InputError{where_,
                             fmt::format("byte {} of the base64 text has no place there", position_ - 1),
                             "the file is damaged or a count is wrong"};
        }
    }
    bits <<= 6 * padding;
    for (int k = 0; k < 3 - padding; ++k)
        out += static_cast<char>(bits >> (16 - 8 * k) & 0xff);
}

std::string to_base64(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
        unsigned bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < here ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= here ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

}  // namespace limber::build
