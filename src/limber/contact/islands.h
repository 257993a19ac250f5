// SPDX-License-Identifier: Apache-2.0
// Which bodies touch each other, directly or through others.
#pragma once
#include <limber/contact/contact_solver.h>

#include <vector>

namespace limber {

// Of a problem: islands in the order of their first body, bodies and contacts ascending. Bodies without
// contact are in none. Takes memory only for more bodies or contacts than ever before.
class Islands {
 public:
    void find(const ContactProblem& problem);
    std::size_t size() const { return first_body_.empty() ? 0 : first_body_.size() - 1; }
    Island operator[](std::size_t i) const;

 private:
    int root(int body);

    std::vector<int> parent_, island_of_;
    std::vector<int> bodies_, contacts_;  // island by island
    std::vector<std::size_t> first_body_, first_contact_, cursor_;
};

}  // namespace limber
