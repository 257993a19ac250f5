// SPDX-License-Identifier: Apache-2.0
// Bytes inside a file, as they are or in base64 (RFC 4648), taken from the front.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace limber::build {

class PackedBytes {
 public:
    enum class Encoding { Raw, Base64 };
    // `where` is for messages.
    PackedBytes(std::string_view bytes, Encoding encoding, std::string where)
        : bytes_(bytes), encoding_(encoding), where_(std::move(where)) {}

    // The next bytes; throws InputError before taking memory if there are not so many.
    // In base64, padding inside the stream (pieces encoded apart) and white space are stepped over.
    std::string take(std::size_t count);

    std::size_t most_left() const;                  // an upper bound of the bytes that take() can still give
    std::size_t used() const { return position_; }  // bytes of the file

 private:
    void decode_group(std::string& out);  // four characters, one to three bytes

    std::string_view bytes_;
    Encoding encoding_;
    std::string where_;
    std::size_t position_ = 0;
    std::string decoded_;  // of the last group, not taken yet
};

std::string to_base64(std::string_view bytes);

}  // namespace limber::build
