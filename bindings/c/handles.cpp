// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"

#include <new>
#include <vector>
#ifndef __wasm__
#include <mutex>
#endif

namespace limber::c {

std::atomic<Slot*> slot_chunks[kChunks];

namespace {

#ifdef __wasm__  // one thread, and a standard library without locks
struct Lock {};
#else
std::mutex handles_mutex;
struct Lock {
    std::lock_guard<std::mutex> held{handles_mutex};
};
#endif

std::vector<std::uint32_t>& free_places() {
    static std::vector<std::uint32_t> places;
    return places;
}
std::uint32_t places_in_use = 0;  // ever

Slot& slot_at(std::uint32_t place) {
    return slot_chunks[place >> kChunkBits].load(std::memory_order_relaxed)[place & (kChunkSize - 1)];
}

}  // namespace

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::Model:
            return "model";
        case Kind::World:
            return "world";
        case Kind::State:
            return "state";
        case Kind::Statics:
            return "statics";
        case Kind::Shapes:
            return "shapes";
        case Kind::Link:
            return "link";
        case Kind::None:
            break;
    }
    return "nothing";
}

void* add_handle(Kind kind, void* object) {
    [[maybe_unused]] const Lock lock;
    std::uint32_t place = places_in_use;
    if (!free_places().empty()) {
        place = free_places().back();
        free_places().pop_back();
    } else {
        if (place == kMostSlots) return nullptr;
        std::atomic<Slot*>& chunk = slot_chunks[place >> kChunkBits];
        if (!chunk.load(std::memory_order_relaxed)) {
            Slot* made = new (std::nothrow) Slot[kChunkSize];
            if (!made) return nullptr;
            chunk.store(made, std::memory_order_release);
        }
        ++places_in_use;
    }
    Slot& slot = slot_at(place);
    slot.kind = kind;
    slot.object = object;
    const std::uint32_t token = ++slot.uses << kSlotBits | place;
    slot.token.store(token, std::memory_order_release);
    // A token, never an address that is read.  NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(token));
}

void* remove_handle(Kind kind, const void* handle) {
    [[maybe_unused]] const Lock lock;
    Slot* slot = find_slot(handle);
    if (!slot || slot->kind != kind) return nullptr;
    slot->token.store(0, std::memory_order_release);
    slot->kind = Kind::None;
    // A slot whose uses are all made is left empty for good.
    if (slot->uses < kMostUses)
        free_places().push_back(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle)) &
                                (kMostSlots - 1));
    void* object = slot->object;
    slot->object = nullptr;
    return object;
}

}  // namespace limber::c
