// SPDX-License-Identifier: Apache-2.0
#include "studio/content_key.h"

#include <limber/input_error.h>

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <vector>

namespace limber::studio {

struct ContentKey::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

ContentKey::ContentKey() : state_(std::make_unique<State>()) {
    if (!state_->context || EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) != 1)
        throw InputError{"SHA-256", "the cryptography library does not work", ""};
}

ContentKey::~ContentKey() = default;

void ContentKey::add_bytes(std::string_view bytes) {
    EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

void ContentKey::add_text(std::string_view text) {
    add_bytes(std::to_string(text.size()) + ':');
    add_bytes(text);
}

std::string ContentKey::hex(std::size_t digits) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned length = 0;
    EVP_DigestFinal_ex(state_->context, sum.data(), &length);
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::string out;
    for (unsigned i = 0; i < length && out.size() < digits; ++i) {
        out += alphabet[sum[i] >> 4];
        out += alphabet[sum[i] & 15];
    }
    out.resize(std::min(out.size(), digits));
    return out;
}

std::string key_of_file(const std::filesystem::path& path, std::size_t digits) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError{path.string(), "cannot open the file", ""};
    ContentKey key;
    std::vector<char> block(1 << 16);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
        key.add_bytes({block.data(), static_cast<std::size_t>(in.gcount())});
    return key.hex(digits);
}

std::string slug(std::string_view text, std::size_t longest) {
    std::string out;
    for (const char c : text) {
        const bool upper = c >= 'A' && c <= 'Z';
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (upper || plain)
            out += upper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
        if (out.size() == longest) break;
    }
    while (!out.empty() && out.back() == '-')
        out.pop_back();
    return out.empty() ? "model" : out;
}

}  // namespace limber::studio
