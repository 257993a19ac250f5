// SPDX-License-Identifier: Apache-2.0
#include "build/scene/scene_gltf.h"

#include "build/or_throw.h"
#include "build/scene/gltf_parts.h"
#include "limber/reduced/principal_shapes.h"

#include <limber/model/model_file.h>
#include <limber/warp/warp_surface.h>

#include <fmt/format.h>

namespace limber::build {
namespace {

// Of the body's size: how far from its place a vertex of a warped body may be drawn.
constexpr double kShapeTolerance = 1e-4;
constexpr Eigen::Index kMostShapes = 300;

double size_of(const Model& model) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& x : model.surface.vertices)
        box.extend(x);
    return box.diagonal().norm();
}

// The principal shapes of what `field` gives for each frame, `rows` numbers.
template <class FieldOfFrame>
PrincipalShapes shown_shapes(const FieldOfFrame& field, const SceneBody& body, const RecordedBody& recorded,
                             Eigen::Index rows, std::vector<std::string>& warnings) {
    const double tolerance = kShapeTolerance * size_of(*body.model);
    PrincipalShapes found = principal_shapes(field, recorded.q.cols(), tolerance, kMostShapes);
    if (found.error > tolerance)
        warnings.push_back(
            fmt::format("the motion is shown by {} shapes to {:.3g} m", found.shapes.cols(), found.error));
    if (found.shapes.cols() == 0) {  // a body that never moves has one target all the same
        found.shapes.setZero(rows, 1);
        found.weights.setZero(1, recorded.q.cols());
    }
    return found;
}

// A warped body moves on curves, which morph targets cannot: what is written are the principal shapes of its
// motion.
PrincipalShapes principal_motion(const SceneBody& body, const RecordedBody& recorded,
                                 std::vector<std::string>& warnings) {
    const WarpSurface surface(*body.model->warp);
    Eigen::VectorXf displacement, normals;
    const auto field = [&](Eigen::Index frame) {
        surface.shape({recorded.q.col(frame).cast<float>(), recorded.turned_by.col(frame).cast<float>(),
                       recorded.companions.col(frame).cast<float>()},
                      Warping::Warped, displacement, normals);
        return Eigen::VectorXd(displacement.cast<double>());
    };
    return shown_shapes(field, body, recorded, 3 * Eigen::Index(body.model->surface.vertices.size()),
                        warnings);
}

// So does a tree of domains, whose frames turn.
PrincipalShapes principal_motion_of_tree(const SceneBody& body, const RecordedBody& recorded,
                                         std::vector<std::string>& warnings) {
    DomainsBody tree = or_throw(make_domains_body(body.model));
    Eigen::VectorXf displacement, normals;
    const auto field = [&](Eigen::Index frame) {
        TreeState state = tree.state();
        state.q = recorded.q.col(frame);
        or_throw(tree.set_state(state));
        tree.surface_shape(displacement, normals);
        return Eigen::VectorXd(displacement.cast<double>());
    };
    return shown_shapes(field, body, recorded, 3 * Eigen::Index(body.model->surface.vertices.size()),
                        warnings);
}

// What is shown of a body, without limber's own data.
Result<ModelBytes> shown_motion(const SceneBody& body, const Recording& recording,
                                const RecordedBody& recorded, const std::string& where,
                                std::vector<std::string>& warnings) {
    const Model& model = *body.model;
    if (body.method == Method::Rigid)  // its node moves
        return write_moving_surface({model.name, model.up, model.surface, {}, {}}, {}, {}, where);
    if (body.method == Method::Stvk) {
        const Eigen::VectorXd scale = model.target_scale.size() > 0
                                          ? model.target_scale
                                          : target_scale_of(model.surface.vertices, model.surface.basis);
        return write_moving_surface({model.name, model.up, model.surface, model.surface.basis, scale},
                                    {{"motion", recording.times, recorded.q}}, {}, where);
    }
    const PrincipalShapes found = body.method == Method::Domains
                                      ? principal_motion_of_tree(body, recorded, warnings)
                                      : principal_motion(body, recorded, warnings);
    const Eigen::VectorXd scale = target_scale_of(model.surface.vertices, found.shapes);
    return write_moving_surface({model.name, model.up, model.surface, found.shapes, scale},
                                {{"motion", recording.times, found.weights}}, {}, where);
}

bool is_placed(const SceneBody& body, const RecordedBody& recorded) {
    return !recorded.poses.empty() || !body.pose.position.isZero(0) ||
           body.pose.orientation.vec() != Eigen::Vector3d::Zero();
}

}  // namespace

SceneBytes scene_gltf(const Scene& scene, const Recording& recording, const std::string& where) {
    SceneBytes out;
    std::vector<Gltf> parts;
    const bool alone = scene.bodies.size() == 1;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        const RecordedBody& recorded = recording.bodies[b];
        const bool whole = alone && body.method == Method::Stvk;
        std::vector<std::string> warnings;
        Result<ModelBytes> written =
            whole ? write_model(*body.model, {{"motion", recording.times, recorded.q}}, {}, where)
                  : shown_motion(body, recording, recorded, where, warnings);
        if (!written.ok()) throw written.error();
        ModelBytes& file = written.value();
        warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
        for (const std::string& warning : warnings)
            out.warnings.push_back(alone ? warning : body.name + ": " + warning);
        if (whole && !is_placed(body, recorded) && scene.up == body.model->up) {
            out.bytes = std::move(file.bytes);
            return out;
        }
        Gltf part = split_gltf(file.bytes, where);
        part.document["nodes"][0].erase("rotation");  // the scene is turned as a whole
        put_in_place(part, alone ? body.name + " in its place" : body.name, body.pose_at(0), recording.times,
                     recorded.poses);
        if (whole) {
            turn_up(part, scene.up);
            out.bytes = glb_of(part);
            return out;
        }
        parts.push_back(std::move(part));
    }
    Gltf all = joined(std::move(parts));
    turn_up(all, scene.up);
    out.bytes = glb_of(all);
    return out;
}

}  // namespace limber::build
