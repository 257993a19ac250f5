// SPDX-License-Identifier: Apache-2.0
#include "limber/contact/islands.h"

#include <algorithm>

namespace limber {

int Islands::root(int body) {
    while (parent_[std::size_t(body)] != body) {
        int& parent = parent_[std::size_t(body)];
        parent = parent_[std::size_t(parent)];  // halves the path
        body = parent;
    }
    return body;
}

void Islands::find(const ContactProblem& problem) {
    const std::size_t count = problem.bodies.size();
    parent_.resize(count);
    island_of_.assign(count, -1);
    for (std::size_t i = 0; i < count; ++i)
        parent_[i] = static_cast<int>(i);
    for (const SolverContact& contact : problem.contacts) {
        if (contact.b < 0) continue;
        const int a = root(contact.a), b = root(contact.b);
        parent_[std::size_t(std::max(a, b))] = std::min(a, b);  // the first body is the root
    }
    // Islands are numbered by their roots; only those that have a contact.
    int islands = 0;
    for (const SolverContact& contact : problem.contacts)
        island_of_[std::size_t(root(contact.a))] = -2;
    for (std::size_t i = 0; i < count; ++i)
        if (island_of_[i] == -2) island_of_[i] = islands++;
    const auto island_of = [&](int body) { return island_of_[std::size_t(root(body))]; };

    first_body_.assign(std::size_t(islands) + 1, 0);
    first_contact_.assign(std::size_t(islands) + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
        if (const int island = island_of(static_cast<int>(i)); island >= 0)
            ++first_body_[std::size_t(island) + 1];
    for (const SolverContact& contact : problem.contacts)
        ++first_contact_[std::size_t(island_of(contact.a)) + 1];
    for (std::size_t i = 0; i < std::size_t(islands); ++i) {
        first_body_[i + 1] += first_body_[i];
        first_contact_[i + 1] += first_contact_[i];
    }
    bodies_.resize(first_body_.back());
    contacts_.resize(first_contact_.back());
    cursor_.assign(first_body_.begin(), first_body_.end());
    for (std::size_t i = 0; i < count; ++i)
        if (const int island = island_of(static_cast<int>(i)); island >= 0)
            bodies_[cursor_[std::size_t(island)]++] = static_cast<int>(i);
    cursor_.assign(first_contact_.begin(), first_contact_.end());
    for (std::size_t c = 0; c < problem.contacts.size(); ++c)
        contacts_[cursor_[std::size_t(island_of(problem.contacts[c].a))]++] = static_cast<int>(c);
}

Island Islands::operator[](std::size_t i) const {
    return {std::span(bodies_).subspan(first_body_[i], first_body_[i + 1] - first_body_[i]),
            std::span(contacts_).subspan(first_contact_[i], first_contact_[i + 1] - first_contact_[i])};
}

}  // namespace limber
