// SPDX-License-Identifier: Apache-2.0
// What every function of the C interface does: looks its arguments over, and lets no exception out.
#pragma once
#include "bindings/c/handles.h"
#include "bindings/c/limber.h"

#include <limber/haptics/device_link.h>
#include <limber/model/vertex_force.h>
#include <limber/reduced/linear_statics.h>
#include <limber/reduced/principal_shapes.h>
#include <limber/result.h>
#include <limber/world/session.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace limber::c {

struct ModelHandle {
    static constexpr Kind kKind = Kind::Model;
    std::shared_ptr<const Model> model;
};
struct WorldHandle {
    static constexpr Kind kKind = Kind::World;
    Session session;
    // Of limber_body_…, so that reading a body takes no memory once each was read.
    Eigen::VectorXf displacement, normals;
    Eigen::VectorXd coordinates;
};
struct StateHandle {
    static constexpr Kind kKind = Kind::State;
    struct OfWorld {
        WorldState state;
        double dt;  // s
    };
    struct OfBody {
        decltype(RestoreState::state) state;
        bool flies;
    };
    std::variant<OfWorld, OfBody> state;
};
struct StaticsHandle {
    static constexpr Kind kKind = Kind::Statics;
    LinearStatics statics;
};
struct ShapesHandle {
    static constexpr Kind kKind = Kind::Shapes;
    PrincipalShapes found;
};

struct LinkHandle {
    static constexpr Kind kKind = Kind::Link;
    std::unique_ptr<DeviceLink> link;  // its address stays: two threads use it
};

// Keeps the reason for limber_error().
limber_status fail(limber_status status, const InputError& error);
limber_status fail(limber_status status, const char* where, std::string problem);
limber_status no_memory();
limber_status unexpected(const char* what);

// Whether the bytes can be memory of the caller's.
bool reachable(const void* memory, std::size_t bytes);

// Looks arguments over one after the other; after the first that is wrong it looks no further.
class Arguments {
 public:
    bool ok() const { return status_ == LIMBER_OK; }
    limber_status status() const { return status_; }

    template <class T>
    T* handle(const void* handle, const char* name) {
        if (!ok()) return nullptr;
        Slot* slot = find_slot(handle);
        if (slot && slot->kind == T::kKind) return static_cast<T*>(slot->object);
        return wrong_handle(handle, slot, T::kKind, name), nullptr;
    }
    // An array of `count` that must have `needed`.
    template <class T>
    bool array(const T* memory, std::size_t count, std::size_t needed, const char* name) {
        if (ok() && count != needed) wrong_size(count, needed, name);
        return memory_for(memory, count, name);
    }
    // An array that may be empty, and then null.
    template <class T>
    bool memory_for(const T* memory, std::size_t count, const char* name) {
        if (!ok() || count == 0) return ok();
        // T may be a handle, a pointer itself.  NOLINTNEXTLINE(bugprone-sizeof-expression)
        if (count > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(T))
            return wrong_size(count, 0, name), false;
        // NOLINTNEXTLINE(bugprone-sizeof-expression)
        return check_memory(memory, count * sizeof(T), alignof(T), name);
    }
    template <class T>
    bool one(const T* memory, const char* name) {
        return memory_for(memory, 1, name);
    }
    std::string_view text(const char* text, std::size_t size, const char* name) {
        return memory_for(text, size, name) ? std::string_view(text, size) : std::string_view();
    }
    const WorldBody* body(const WorldHandle* world, std::uint32_t number);
    // `memory` for a new handle of any kind.
    template <class T>
    bool handle_out(T** memory, const char* name) {
        return one(memory, name);
    }
    void refuse(const char* where, std::string problem) {
        if (ok()) status_ = fail(LIMBER_REFUSED, where, std::move(problem));
    }

 private:
    bool check_memory(const void* memory, std::size_t bytes, std::size_t alignment, const char* name);
    void wrong_handle(const void* handle, const Slot* slot, Kind wanted, const char* name);
    void wrong_size(std::size_t given, std::size_t needed, const char* name);

    limber_status status_ = LIMBER_OK;
};

inline limber_status done(const Status& status) {
    return status.ok() ? LIMBER_OK : fail(LIMBER_REFUSED, status.error());
}

// The text stays until the thread's next one.
limber_status give_text(std::string text, const char** out);

template <class T, class Public>
limber_status give_handle(T object, Public** out) {
    auto kept = std::make_unique<T>(std::move(object));
    void* handle = add_handle(T::kKind, kept.get());
    if (!handle) return no_memory();
    [[maybe_unused]] T* owned = kept.release();
    *out = static_cast<Public*>(handle);
    return LIMBER_OK;
}

template <class T>
limber_status free_handle(const void* handle, const char* name) {
    Arguments in;
    if (!in.handle<T>(handle, name)) return in.status();
    delete static_cast<T*>(remove_handle(T::kKind, handle));
    return LIMBER_OK;
}

template <class Body>
limber_status guarded(const Body& body) noexcept {
#if defined(__cpp_exceptions)
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return no_memory();
    } catch (const std::exception& error) {
        return unexpected(error.what());
    } catch (...) {
        return unexpected("an unknown exception");
    }
#else
    return body();
#endif
}

// Forces of `count` vertices, 3 numbers each.
inline std::vector<VertexForce> forces_of(const std::int32_t* vertices, const double* forces,
                                          std::size_t count) {
    std::vector<VertexForce> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back({vertices[i], Eigen::Vector3d(forces[3 * i], forces[3 * i + 1], forces[3 * i + 2])});
    return out;
}

// A state goes back in time, which neither a recording nor a replay can follow.
Status free_to_restore(const Session& session);

limber_step_report report_of(const StepReport& report, bool is_constrained);

}  // namespace limber::c
