// SPDX-License-Identifier: Apache-2.0
// Trees of domains from parts that were built one by one: instances on the interfaces of their parents.
// docs/assembly_file.md; docs/math/domains.md, section 11.
#pragma once
#include "build/progress.h"

#include <limber/model/model.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

struct AssemblyPart {
    std::string name;
    std::shared_ptr<const Model> model;  // fixed at its foot, unless it is the root or rigid
    bool rigid = false;                  // its instances do not deform, whatever its model could
};

// Relative to the parent, in the parent's own units, as a glTF node.
struct AssemblyInstance {
    std::string name;
    int part = 0;
    int parent = -1;  // an instance, anywhere in the list; -1: the root
    // One that was declared for the parent's part; empty: the surface of the parent nearest to `position`.
    std::string interface;
    std::optional<Eigen::Vector3d> position;  // none: the interface's centre
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    double scale = 1;
};

struct Assembly {
    std::vector<AssemblyPart> parts;
    int root = 0;  // a part; the root's domain is called "root"
    std::vector<AssemblyInstance> instances;
};

// Reads an assembly and its parts, from `folder` where their names are relative. Throws InputError.
Assembly read_assembly(std::string_view json, const std::string& name, const std::filesystem::path& folder);
Assembly read_assembly(const std::filesystem::path& path);

struct Assembled {
    std::shared_ptr<Model> model;  // domains set, without name and command
    std::vector<std::string> notes;
};

// One copy of each part, whatever the number of its instances. `where` is for messages. Throws InputError:
// names that repeat, cycles of parents, interfaces that are not there, parts that nothing holds or that have
// no energy or no mass, scales that are not positive.
Assembled assemble(const Assembly& assembly, const std::string& where, const Progress& progress = {});

}  // namespace limber::build
