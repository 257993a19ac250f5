// SPDX-License-Identifier: Apache-2.0
// The newest value from one thread for any number of others, without locks: a sequence lock over two slots.
// The writer never waits. A reader takes the newest whole value, also while the writer is in the middle of
// the next one, so that it need not wait for a thread that is not running.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace limber {

template <class T>
class LatestValue {
    static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
    // By one thread at a time.
    void write(const T& value) {
        Words words{};
        std::memcpy(words.data(), &value, sizeof(T));
        const std::uint64_t number = written_.load(std::memory_order_relaxed) + 1;
        begun_.store(number, std::memory_order_relaxed);
        // Released after begun_: a reader who sees one of these words sees at least that number there.
        Slot& slot = slots_[number % 2];
        for (std::size_t i = 0; i < kWords; ++i)
            slot[i].store(words[i], std::memory_order_release);
        written_.store(number, std::memory_order_release);
    }

    // None: nothing was written yet, or the writer overtook the reader kTries times.
    std::optional<T> read() const {
        for (int attempt = 0; attempt < kTries; ++attempt) {
            const std::uint64_t number = written_.load(std::memory_order_acquire);
            if (number == 0) return std::nullopt;
            Words words;
            const Slot& slot = slots_[number % 2];
            for (std::size_t i = 0; i < kWords; ++i)
                words[i] = slot[i].load(std::memory_order_acquire);
            // The slot is written again by number + 2.
            if (begun_.load(std::memory_order_relaxed) > number + 1) continue;
            T out;
            std::memcpy(static_cast<void*>(&out), words.data(), sizeof(T));
            return out;
        }
        return std::nullopt;
    }

    // Values written so far.
    std::uint64_t writes() const { return written_.load(std::memory_order_acquire); }

 private:
    static constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
    static constexpr int kTries = 100;  // a read takes some 20 ns
    using Words = std::array<std::uint64_t, kWords>;
    using Slot = std::array<std::atomic<std::uint64_t>, kWords>;

    std::atomic<std::uint64_t> begun_{0}, written_{0};
    std::array<Slot, 2> slots_{};
};

}  // namespace limber
