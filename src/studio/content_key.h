// SPDX-License-Identifier: Apache-2.0
// Names of things by what they are made of: SHA-256, so that nobody can make two uploads that share a name.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace limber::studio {

class ContentKey {
 public:
    ContentKey();
    ~ContentKey();
    ContentKey(const ContentKey&) = delete;
    ContentKey& operator=(const ContentKey&) = delete;

    void add_bytes(std::string_view bytes);
    // With its length before it, so that ("ab", "c") and ("a", "bc") differ.
    void add_text(std::string_view text);
    // Ends the sum: the first `digits` of 64 hexadecimal digits.
    std::string hex(std::size_t digits);

 private:
    struct State;
    std::unique_ptr<State> state_;
};

std::string key_of_file(const std::filesystem::path& path, std::size_t digits);

// "My Bunny.obj" -> "my-bunny-obj": letters, digits and single dashes, at most `longest` characters, never
// empty.
std::string slug(std::string_view text, std::size_t longest = 32);

}  // namespace limber::studio
