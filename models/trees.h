// SPDX-License-Identifier: Apache-2.0
// The built-in trees of domains: parts and their instances, or one mesh and how it is cut.
#pragma once
#include "build/domains/assembly.h"
#include "build/domains/build_domains.h"
#include "build/mesh/material.h"
#include "build/mesh_files/files.h"

#include <functional>
#include <string>
#include <vector>

namespace limber::models {

// What limber build is told to make a part of a tree. The foot stands at the origin, the part grows along z.
struct SamplePart {
    std::string name;
    build::AnyMesh mesh;
    int resolution = 0;  // of a surface
    std::string fix;     // empty: a free root
    build::Material material;
    int modes = 8, rank = 20;             // without the attachment modes of the interfaces
    std::vector<std::string> interfaces;  // "NAME: SELECT"
};

struct SampleTree {
    std::vector<SamplePart> parts;
    int root = 0;
    std::vector<build::AssemblyInstance> instances;  // parents before children
};
// All instances at rest, each a group of triangles.
build::SurfaceMesh surface_of(const SampleTree& tree);

// One body, cut.
struct SampleCut {
    std::vector<std::string> names;                                    // of the domains
    std::function<std::vector<int>(const build::VolumeMesh&)> labels;  // of the elements, into names
    std::vector<std::string> rigid;                                    // domains that do not deform
    build::DomainRanks ranks{build::DomainRanks::Kind::Each, 20};
};

SampleTree oak();
SampleTree great_oak();
SampleTree station();

build::SurfaceMesh flower();
SampleCut flower_cut();
build::SurfaceMesh word();
SampleCut word_cut();
build::SurfaceMesh dragon();
SampleCut dragon_cut();

}  // namespace limber::models
