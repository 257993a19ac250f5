// SPDX-License-Identifier: Apache-2.0
// Where children may be attached to a part that is built alone: --interface "NAME: SELECT".
// docs/math/domains.md, section 7.
#pragma once
#include "build/recipe/body_mesh.h"

#include <limber/model/domain_interface.h>

#include <Eigen/Core>
#include <string>
#include <vector>

namespace limber::build {

// Vertices of the body's surface, weighted by their area.
struct DeclaredInterface {
    std::string name;
    std::vector<int> vertices;
    std::vector<double> weights;
    std::vector<Eigen::Vector3d> points;  // m
};

// "near:x,y,z" stands for the patch round that vertex. Throws InputError: no name, a name twice, nothing, one
// or two vertices selected, vertices in one line.
std::vector<DeclaredInterface> declared_interfaces(const BodyMesh& body,
                                                   const std::vector<std::string>& texts);

// Six loads for each: unit forces along x, y, z and unit torques about them at its centre, 3n x 6·interfaces.
Eigen::MatrixXd attachment_loads(const BodyMesh& body, const std::vector<DeclaredInterface>& declared);

// With U on the volume; deviation: from rigidity, of each (domain_basis.h).
std::vector<DomainInterface> interfaces_of(const BodyMesh& body,
                                           const std::vector<DeclaredInterface>& declared,
                                           const Eigen::MatrixXd& U, std::vector<double>& deviation);

}  // namespace limber::build
