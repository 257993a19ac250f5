// SPDX-License-Identifier: Apache-2.0
// Finds where surfaces touch obstacles, each other and themselves, or will within the step.
// docs/math/contact.md, section 3.
#pragma once
#include <limber/contact/contact_point.h>
#include <limber/contact/contact_surface.h>
#include <limber/contact/moved_surface.h>
#include <limber/contact/self_bound.h>
#include <limber/contact/self_contact.h>
#include <limber/contact/shape.h>
#include <limber/rigid/frame.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace limber {

// In place of a parent: the body has no other surface.
inline constexpr std::int32_t kOnlySurface = -2;

// A surface in one step. Points are assumed to move on a straight line through `start` and `now`, so twice as
// far in the step as from one to the other.
struct SurfaceMoment {
    const ContactSurface* surface = nullptr;  // frozen, shared
    SurfaceConfiguration now;                 // half-drifted: where gaps are measured
    SurfaceConfiguration start;               // at the start of the step: decides the side of thin things
    const SelfBound* self_bound = nullptr;    // spares the search for contact with itself; may be null
    double extra_drift = 0;    // m: how much farther than that any point may come in the step (forces, v*)
    std::uint32_t id = 0;      // of the body: of two equally fine surfaces the lower one is the finer
    std::uint32_t domain = 0;  // which of the body's surfaces; 0 where it has one
    // The domain on which it hangs, -1 of the root. Two surfaces of one body touch only where contact of
    // bodies with themselves is asked for, and never where the one hangs on the other, or both on a third.
    std::int32_t parent = kOnlySurface;
    std::uint32_t layers = ~0u;  // pairs without a common bit are left out
    bool awake = true;           // pairs of which nothing is awake are left out
};

struct ObstacleMoment {
    const Shape* shape = nullptr;
    Pose now, start;       // world from shape, half-drifted and at the start of the step
    std::uint32_t id = 0;  // of its own count; for whoever makes the list
    std::uint32_t layers = ~0u;
    bool awake = false;  // does it move?
};

struct DetectOptions {
    double margin = 1e-3;  // m: listed where gap + how far the two approach in the step is less
    // m: an overlap of two bodies that was not there a step before (or listed) is seen up to this depth, by
    // the nearest side. 0: up to 2% of the radius of the smaller one, but no more than half an edge of the
    // finer one; deeper ones are seen with the side of the way out. Overlaps with obstacles are seen at any
    // depth.
    double depth = 0;
    SelfContact self = SelfContact::Off;
    std::size_t most_contacts = 20000;  // more are left out, the widest gaps first, and reported
    // Of two surfaces, and eight times as many of all in a step; and eight times as many pairs of nodes.
    // Where large bodies lie in one another the search of a pair ends there, and is reported.
    std::size_t most_triangle_pairs = 2'000'000;
    // The contacts of the step before, in any order, with places in the lists of this call: a point that was
    // listed stays on its side of a thin thing, however deep. Part of the state of whoever steps.
    std::span<const ContactPoint> before{};
};

struct DetectReport {
    std::size_t contacts = 0;   // listed
    std::size_t left_out = 0;   // contacts beyond most_contacts
    std::size_t cut_short = 0;  // pairs of surfaces whose search ended at most_triangle_pairs
    std::size_t pairs = 0;      // bodies with bodies or obstacles whose bounds meet
    std::size_t nodes = 0;      // of trees, visited
    std::size_t refused = 0;    // surfaces and obstacles whose numbers are not finite or too few: left out
};

// Scratch memory: grows with use, then stays. One for each thread.
class DetectWork {
 public:
    DetectWork();
    ~DetectWork();
    DetectWork(DetectWork&&) noexcept;
    DetectWork& operator=(DetectWork&&) noexcept;

    struct Data;
    Data& data() { return *data_; }

 private:
    std::unique_ptr<Data> data_;
};

// Sets out to the contacts, sorted by body_a, body_b, obstacle, key. The same input gives the same bytes.
// Allocates nothing once work and out have grown.
DetectReport detect(std::span<const SurfaceMoment> surfaces, std::span<const ObstacleMoment> obstacles,
                    const DetectOptions& options, DetectWork& work, std::vector<ContactPoint>& out);

}  // namespace limber
