// SPDX-License-Identifier: Apache-2.0
// A tree of rigid plates, square and thin, each on the edge of the one before: mass and area are known in
// closed form.
#pragma once
#include <limber/model/model.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace limber::test {

struct Plate {
    double side = 0.1, thickness = 0.001;  // m; its normal is z, its origin the middle
    double density = 500;                  // kg/m³
    double mass() const { return density * side * side * thickness; }
    double area() const { return side * side; }
};

inline std::shared_ptr<Model> plate_part(const Plate& plate) {
    auto model = std::make_shared<Model>();
    model->name = "plate";
    const Eigen::Vector3d half(plate.side / 2, plate.side / 2, plate.thickness / 2);
    for (int corner = 0; corner < 8; ++corner)
        model->surface.vertices.emplace_back((corner & 1 ? 1 : -1) * half.x(),
                                             (corner & 2 ? 1 : -1) * half.y(),
                                             (corner & 4 ? 1 : -1) * half.z());
    model->surface.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int v = 0; v < 8; ++v)
        model->surface.input_vertex.push_back(v);
    model->surface.basis.resize(24, 0);
    ModelGroup& group = model->groups.emplace_back();
    group.name = "default";
    group.material = {.young = 1e6, .poisson = 0.3, .density = plate.density};
    group.volume = plate.mass() / plate.density;
    group.first_moment.setZero();
    group.second_moment = (group.volume / 3 * half.cwiseAbs2()).asDiagonal();
    return model;
}

// `count` domains in a row along x.
inline std::shared_ptr<const Model> plate_tree(const Plate& plate, int count) {
    auto tree = std::make_shared<DomainsModel>();
    DomainPart& part = tree->parts.emplace_back();
    part.model = plate_part(plate);
    const double x = plate.side / 2;
    auto edge = interface_of("edge", {{x, -0.1 * x, 0}, {x, 0.1 * x, 0}, {0.9 * x, 0, 0}}, {1, 1, 1},
                             Eigen::MatrixXd(9, 0));
    EXPECT_TRUE(edge.ok());
    part.interfaces.push_back(std::move(edge).value());
    for (int i = 0; i < count; ++i) {
        Domain& d = tree->domains.emplace_back();
        d.name = "plate" + std::to_string(i);
        d.parent = i - 1;
        d.interface = i == 0 ? -1 : 0;
        if (i > 0) d.position.x() = plate.side;
    }
    auto model = tree_model(tree);
    EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().problem);
    model.value().free_body = true;
    return std::make_shared<const Model>(std::move(model).value());
}

}  // namespace limber::test
