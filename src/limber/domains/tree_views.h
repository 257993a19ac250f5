// SPDX-License-Identifier: Apache-2.0
// What the pools of a TreeWork have of one domain, and the factors of its matrices. For the sources of this
// folder.
#pragma once
#include "limber/domains/domain_kernels.h"
#include "limber/domains/tree_dynamics.h"

namespace limber {

inline SquareMap square(Eigen::VectorXd& pool, const TreeDomain& d) {
    return SquareMap(pool.data() + d.first_square, d.rank, d.rank);
}
inline auto segment(Eigen::VectorXd& x, const TreeDomain& d) {
    return x.segment(d.first, d.rank);
}
inline auto segment(const Eigen::VectorXd& x, const TreeDomain& d) {
    return x.segment(d.first, d.rank);
}
inline auto columns(Matrix6Xd& pool, const TreeDomain& d) {
    return pool.middleCols(d.first, d.rank);
}
inline auto columns(const Matrix6Xd& pool, const TreeDomain& d) {
    return pool.middleCols(d.first, d.rank);
}
// (R Φ)ᵀ of the link to domain d, and the same to be filled.
inline LinkRows link_rows(const Eigen::VectorXd& pool, const TreeDomain& d, const TreeDomain& parent) {
    return {pool.data() + 6 * d.first_phi, parent.rank, 6};
}
inline Eigen::Map<MatrixX6d> new_link_rows(Eigen::VectorXd& pool, const TreeDomain& d,
                                           const TreeDomain& parent) {
    return {pool.data() + 6 * d.first_phi, parent.rank, 6};
}

// Of the elastic energy: e s³.
inline double energy_scale(const TreeDomain& domain, const DomainState& state) {
    return state.young * domain.energy_scale;
}
// Of UᵀMU: d s⁵.
inline double mass_scale(const TreeDomain& domain, const DomainState& state) {
    return state.density * domain.mass_scale;
}

}  // namespace limber
