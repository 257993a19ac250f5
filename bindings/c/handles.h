// SPDX-License-Identifier: Apache-2.0
// Live handles by token. A token is a slot and how often the slot was used; no token is given twice, so one
// that was freed is never mistaken for another.
#pragma once
#include <atomic>
#include <cstdint>

namespace limber::c {

enum class Kind : std::uint8_t { None, Model, World, State, Statics, Shapes, Link };
const char* name_of(Kind kind);  // "model"

struct Slot {
    std::atomic<std::uint32_t> token{0};  // 0: free
    Kind kind = Kind::None;
    void* object = nullptr;
    std::uint32_t uses = 0;
};

inline constexpr std::uint32_t kSlotBits = 18, kChunkBits = 10;
inline constexpr std::uint32_t kMostSlots = 1u << kSlotBits, kMostUses = (1u << (32 - kSlotBits)) - 1;
inline constexpr std::uint32_t kChunkSize = 1u << kChunkBits, kChunks = kMostSlots / kChunkSize;

// Slots never move, so that looking one up takes no lock.
extern std::atomic<Slot*> slot_chunks[kChunks];

// The slot of a live handle; null: it was freed, or never given.
inline Slot* find_slot(const void* handle) {
    const auto token = reinterpret_cast<std::uintptr_t>(handle);
    if (token > 0xffffffffu) return nullptr;
    const auto place = static_cast<std::uint32_t>(token) & (kMostSlots - 1);
    Slot* chunk = slot_chunks[place >> kChunkBits].load(std::memory_order_acquire);
    if (!chunk) return nullptr;
    Slot& slot = chunk[place & (kChunkSize - 1)];
    return slot.token.load(std::memory_order_acquire) == token && token != 0 ? &slot : nullptr;
}

// Null: there is no slot left. The object stays the caller's then.
void* add_handle(Kind kind, void* object);
// Its object, to delete; null: the handle is not live, or of another kind.
void* remove_handle(Kind kind, const void* handle);

}  // namespace limber::c
