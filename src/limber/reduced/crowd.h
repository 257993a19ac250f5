// SPDX-License-Identifier: Apache-2.0
// Many bodies of one model and one set of materials, stepped together: every step reads the coefficients once
// for each register full of bodies. docs/math/reduced_stvk.md, section 8.
#pragma once
#include <limber/reduced/stvk_body.h>

#include <memory>
#include <vector>

namespace limber {

struct CrowdResult;

class Crowd {
 public:
    ~Crowd();
    Crowd(Crowd&&) noexcept;
    Crowd& operator=(Crowd&&) noexcept;

    int size() const;
    // A body to read, push, place or set by itself: forces and frames are each body's own. One whose
    // materials, coordinates or precision were changed no longer shares: it steps alone.
    StvkBody& operator[](int body);
    const StvkBody& operator[](int body) const;

    // One step of every body, with a report for each (they stay valid until the next step). Equals
    // body.step(dt) for each but for rounding; what is shared is the first evaluation of a step, with Newmark
    // and one correction all of it. Allocates nothing.
    const std::vector<StepReport>& step(double dt);

 private:
    friend CrowdResult make_crowd(const StvkBody& first, int count);
    struct Impl;
    explicit Crowd(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Either a crowd or the reason why not.
struct CrowdResult {
    std::optional<Crowd> crowd;
    InputError error;
    explicit operator bool() const { return crowd.has_value(); }
};

// `count` copies of a body, its state and forces with it.
CrowdResult make_crowd(const StvkBody& first, int count);

}  // namespace limber
