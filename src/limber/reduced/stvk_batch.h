// SPDX-License-Identifier: Apache-2.0
// Bodies of one model and one set of materials, evaluated together: the coefficients are read once for each
// register full of bodies. docs/math/reduced_stvk.md, section 8.
#pragma once
#include <limber/reduced/stvk_body.h>

#include <memory>
#include <vector>

namespace limber {

class StvkBatch {
 public:
    StvkBatch();
    ~StvkBatch();
    StvkBatch(StvkBatch&&) noexcept;
    StvkBatch& operator=(StvkBatch&&) noexcept;

    // Bodies that are evaluated together have the same coefficients, as bodies of one model with the same
    // materials, coordinates and precision have in a world; others are stepped one by one. Steps by central
    // differences too: they have no matrix that could be shared.
    static bool can_share(const StvkBody& a, const StvkBody& b);

    // Of bodies that can_share(): force and stiffness at their present shapes. Allocates only for more bodies
    // than ever before, or others.
    void evaluate(const std::vector<StvkBody*>& bodies);
    // body.trial(dt) of the number `which` in the last evaluate(); equal to it but for rounding.
    StepReport trial(int which, StvkBody& body, double dt);

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber
