// SPDX-License-Identifier: Apache-2.0
#include "tests/limber/model/sample_model.h"

#include <cmath>

namespace limber {

namespace {

using Eigen::Vector3d;

constexpr double kCell = 0.1;  // m

// Corner (j, k) of the square section number i.
int node(int i, int j, int k) {
    return 4 * i + 2 * j + k;
}

// Bend in y, stretch, twist about x, bend in z, and the same again with a shorter wave.
Vector3d shape(int i, const Vector3d& x, double length) {
    const double s = x.x() / length * (1 + i / 4);
    const Vector3d c = x - Vector3d(0, kCell / 2, kCell / 2);
    switch (i % 4) {
        case 0:
            return {-2 * s * c.y(), s * s, 0};
        case 1:
            return {s, -0.3 * c.y(), -0.3 * c.z()};
        case 2:
            return {0, -s * c.z(), s * c.y()};
        default:
            return {-2 * s * c.z(), 0, s * s * s};
    }
}

Eigen::MatrixXd basis(const std::vector<Vector3d>& vertices, int rank, double length) {
    Eigen::MatrixXd U(3 * vertices.size(), rank);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        for (int i = 0; i < rank; ++i)
            U.block<3, 1>(3 * v, i) = (1 + 0.37 * i) * shape(i, vertices[v], length);
    return U;
}

// Numbers between -1 and 1 that use all bits of a double; the same on every machine.
class Numbers {
 public:
    double operator()() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(static_cast<std::int64_t>(state_)) / 9223372036854775808.0;
    }

 private:
    std::uint64_t state_ = 1;
};

void add_group(int number, int rank, Numbers& numbers, Model& model, StvkModel& stvk) {
    const int terms = rank + rank * (rank + 1) / 2;
    ModelGroup& out = model.groups.emplace_back();
    StvkGroup& reduced = stvk.groups.emplace_back();
    out.name = number == 0 ? "default" : "group " + std::to_string(number);
    out.material = {1e6 + number, 0.3 + 0.1 * number / 3, 1000.0 + number};
    // AᵀA + 1: positive definite, as energies and masses are.
    const auto definite = [&](int size) -> Eigen::MatrixXd {
        const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(size, size, [&] { return numbers(); });
        return A.transpose() * A + Eigen::MatrixXd::Identity(size, size);
    };
    const auto packed = [](const Eigen::MatrixXd& W) {
        Eigen::VectorXd upper(W.rows() * (W.rows() + 1) / 2);
        for (Eigen::Index b = 0, at = 0; b < W.cols(); ++b)
            for (Eigen::Index a = 0; a <= b; ++a)
                upper[at++] = W(a, b);
        return upper;
    };
    reduced.bulk = packed(definite(terms));
    reduced.shear = packed(definite(terms));
    reduced.mass = definite(rank) / out.material.density;
    reduced.weight = Eigen::MatrixXd::NullaryExpr(rank, 3, [&] { return numbers(); });
    reduced.moment = Eigen::MatrixXd::NullaryExpr(rank, 9, [&] { return numbers(); });
    out.volume = 1.5 + numbers();
    out.first_moment = Vector3d(numbers(), numbers(), numbers());
    out.second_moment = Eigen::Matrix3d::NullaryExpr([&] { return numbers(); });
}

void add_elements(const SampleOptions& options, ModelVolume& volume) {
    for (int i = 0; i < options.cells; ++i) {
        const std::array<std::int32_t, 8> c = {node(i, 0, 0),     node(i + 1, 0, 0), node(i + 1, 1, 0),
                                               node(i, 1, 0),     node(i, 0, 1),     node(i + 1, 0, 1),
                                               node(i + 1, 1, 1), node(i, 1, 1)};
        if (options.elements == SampleElements::Bricks) {
            volume.bricks.push_back(c);
        } else {
            // The six tets round the diagonal from corner 0 to corner 6.
            for (const auto& [a, b] : {std::pair{1, 2}, std::pair{2, 3}, std::pair{3, 7}, std::pair{7, 4},
                                       std::pair{4, 5}, std::pair{5, 1}})
                volume.tets.push_back({c[0], c[a], c[b], c[6]});
        }
    }
    const std::size_t elements = volume.tets.size() + volume.bricks.size();
    for (std::size_t e = 0; e < elements; ++e)
        volume.group_of_element.push_back(static_cast<std::int32_t>(e) % options.groups);
}

std::vector<std::array<std::int32_t, 3>> skin(int cells) {
    std::vector<std::array<std::int32_t, 3>> out;
    const auto quad = [&](int a, int b, int c, int d) {
        out.push_back({a, b, c});
        out.push_back({a, c, d});
    };
    quad(node(0, 0, 0), node(0, 0, 1), node(0, 1, 1), node(0, 1, 0));
    for (int i = 0; i < cells; ++i) {
        quad(node(i, 0, 0), node(i + 1, 0, 0), node(i + 1, 0, 1), node(i, 0, 1));
        quad(node(i, 1, 0), node(i, 1, 1), node(i + 1, 1, 1), node(i + 1, 1, 0));
        quad(node(i, 0, 0), node(i, 1, 0), node(i + 1, 1, 0), node(i + 1, 0, 0));
        quad(node(i, 0, 1), node(i + 1, 0, 1), node(i + 1, 1, 1), node(i, 1, 1));
    }
    quad(node(cells, 0, 0), node(cells, 1, 0), node(cells, 1, 1), node(cells, 0, 1));
    return out;
}

}  // namespace

Model sample_model(const SampleOptions& options) {
    Model model;
    model.name = "bar";
    model.rank = options.rank;
    model.modes = 2;
    model.basis_kind = "modal-derivatives";
    model.command = "limber build bar.obj -o bar.glb";
    Numbers numbers;
    auto stvk = std::make_shared<StvkModel>();
    for (int g = 0; g < options.groups; ++g)
        add_group(g, options.rank, numbers, model, *stvk);
    model.stvk = std::move(stvk);

    const double length = options.cells * kCell;
    for (int i = 0; i <= options.cells; ++i)
        for (int j = 0; j < 2; ++j)
            for (int k = 0; k < 2; ++k)
                model.volume.vertices.emplace_back(i * kCell, j * kCell, k * kCell);
    add_elements(options, model.volume);
    model.volume.fixed_vertices = {0, 1, 2, 3};
    model.volume.basis = basis(model.volume.vertices, options.rank, length);
    model.volume_vertices = static_cast<std::int64_t>(model.volume.vertices.size());
    model.volume_elements = static_cast<std::int64_t>(model.volume.group_of_element.size());

    model.surface.vertices = model.volume.vertices;
    model.surface.triangles = skin(options.cells);
    model.surface.basis = model.volume.basis;
    model.surface.kept_as = SurfaceBasis::Double;
    for (std::size_t v = 0; v < model.surface.vertices.size(); ++v)
        model.surface.input_vertex.push_back(static_cast<std::int32_t>(v));
    model.frequencies_hz = Eigen::Vector2d(12.5, 1.0 / 3);
    model.spectrum = Eigen::Vector4d(1, 0.1, 0.01, 1e-300);
    choose_target_scale(model);
    return model;
}

Model in_floats(Model model) {
    model.surface.kept_as = SurfaceBasis::Float;
    round_surface_basis(model);
    return model;
}

std::string file_bytes(const Model& model, const std::vector<RecordedMotion>& motions,
                       const ModelFileOptions& options) {
    return write_model(model, motions, options).value().bytes;
}

StvkModel& own_stvk(Model& model) {
    auto copy = std::make_shared<StvkModel>(*model.stvk);
    model.stvk = copy;
    return *copy;
}

Model with_tensors(Model model) {
    const Eigen::Index r = model.rank, functions = 3 * (r + 1);
    Numbers numbers;
    StvkModel& stvk = own_stvk(model);
    for (std::size_t g = 0; g < stvk.groups.size(); ++g) {
        StvkGroup& group = stvk.groups[g];
        // Values at as many points as there are functions, and one more, each of its share of the volume.
        const Eigen::MatrixXd at =
            Eigen::MatrixXd::NullaryExpr(functions + 1, functions, [&] { return numbers(); });
        const double weight = model.groups[g].volume / double(functions + 1);
        group.second_tensor = weight * (at.transpose() * at);
        group.second_tensor = (0.5 * (group.second_tensor + group.second_tensor.transpose())).eval();
        group.first_tensor = weight * at.colwise().sum().reshaped(3, r + 1);
        group.weight = group.first_tensor.rightCols(r).transpose();
        for (Eigen::Index b = 0; b < r; ++b) {
            group.moment.row(b) = group.second_tensor.block<3, 3>(3 + 3 * b, 0).reshaped().transpose();
            for (Eigen::Index a = 0; a < r; ++a)
                group.mass(a, b) = group.second_tensor.block<3, 3>(3 + 3 * a, 3 + 3 * b).trace();
        }
    }
    return model;
}

Model without_basis(Model model) {
    model.rank = model.modes = 0;
    model.basis_kind = "";
    model.stvk = nullptr;
    model.warp = nullptr;
    model.target_scale.resize(0);
    model.frequencies_hz.resize(0);
    model.spectrum.resize(0);
    model.surface.basis.resize(0, 0);
    model.surface.kept_as = SurfaceBasis::Float;
    return lean(std::move(model));
}

Model lean(Model model) {
    model.volume = {};
    return model;
}

Model textured(Model model) {
    ModelSurface& surface = model.surface;
    const auto first_new = static_cast<std::int32_t>(surface.vertices.size());
    // The cap at x = 0 (triangles 0 and 1) gets vertices of its own.
    Eigen::MatrixXd wider(surface.basis.rows() + 12, surface.basis.cols());
    wider << surface.basis, surface.basis.topRows(12);
    surface.basis = wider;
    for (int v = 0; v < 4; ++v) {
        surface.vertices.push_back(Eigen::Vector3d(surface.vertices[v]));
        surface.input_vertex.push_back(v);
    }
    for (int t = 0; t < 2; ++t)
        for (std::int32_t& corner : surface.triangles[t])
            corner += first_new;

    Appearance& look = surface.appearance;
    look.texture_coordinates.resize(1);
    for (const Eigen::Vector3d& x : surface.vertices)
        look.texture_coordinates[0].push_back(
            {static_cast<float>(x.x() + 0.01), static_cast<float>(x.y() * 3)});
    const auto triangles = static_cast<std::int32_t>(surface.triangles.size());
    look.parts = {{0, 2, 1}, {2, triangles - 2, 0}};
    look.images.push_back({"checker", ImageType::Png, sample_png()});
    look.textures.push_back({.image = 0, .mag_filter = 9729, .min_filter = 9987});
    SurfaceMaterial wood{.name = "wood", .base_color = {0.8, 0.5, 0.25, 1}, .metallic = 0, .roughness = 0.75};
    wood.base_color_texture = {0, 0};
    SurfaceMaterial glass{.name = "glass", .base_color = {1, 1, 1, 0.25}, .alpha_mode = AlphaMode::Blend};
    glass.double_sided = true;
    look.materials = {wood, glass};
    return model;
}

Model warped(Model model) {
    static constexpr Eigen::Index kModes = 2, kNodes = 3;
    const auto vertices = static_cast<Eigen::Index>(model.surface.vertices.size());
    // Eighths: exact as floats.
    const auto rows = [](Eigen::Index points, int start, Eigen::Index columns) {
        WarpRows out(3 * points, columns);
        for (int n = start; double& x : out.reshaped()) {
            n = (n * 5 + 3) % 64;
            x = 0.125 * n - 4;
        }
        return out;
    };
    auto warp = std::make_shared<WarpModel>();
    warp->eigenvalues = Eigen::Vector2d(40, 1000.0 / 3);
    warp->node_mass = Eigen::Vector3d(0.1, 0.2, 0.3);
    warp->node_moment = {{1, 2, 3}, {0, -1, 0.5}, {0.1, 0, 0}};
    warp->node_modes = rows(kNodes, 1, kModes);
    warp->node_rotations = rows(kNodes, 2, kModes);
    warp->surface_modes = rows(vertices, 3, kModes);
    warp->surface_rotations = rows(vertices, 4, kModes);
    warp->surface_companions = rows(vertices, 5, 1);
    warp->companion_forms = Eigen::RowVector3d(0.1, -2.0 / 3, 3e-5);
    model.warp = std::move(warp);
    return model;
}

RecordedMotion sample_motion(const Model& model, int frames, double largest_weight) {
    RecordedMotion out;
    out.name = "swing";
    out.q.resize(model.rank, frames);
    for (int f = 0; f < frames; ++f) {
        out.times.push_back(f / 24.0);
        for (int i = 0; i < model.rank; ++i)
            out.q(i, f) = largest_weight * model.target_scale[i] * std::sin(0.03 * (i + 1) * f);
    }
    return out;
}

std::string sample_png() {
    // Signature, IHDR (2 x 2, 8 bits, RGB), IDAT (zlib), IEND.
    static const unsigned char kBytes[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd, 0xd4, 0x9a,
        0x73, 0x00, 0x00, 0x00, 0x13, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x38, 0x31, 0x2d, 0x25,
        0xca, 0x46, 0x8e, 0x01, 0x88, 0x81, 0x2c, 0x00, 0x23, 0xc2, 0x04, 0xed, 0xff, 0x9c, 0x88, 0x8c,
        0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    return {reinterpret_cast<const char*>(kBytes), sizeof kBytes};
}

}  // namespace limber
