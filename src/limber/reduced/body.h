// SPDX-License-Identifier: Apache-2.0
// One soft body: a shared frozen model, its present settings, a small state, and the scratch memory of its
// steps.
//     M̃ q̈ + D(q, q̇) + R(q) = f̃                                    docs/math/reduced_stvk.md (10)
#pragma once
#include <limber/input_error.h>
#include <limber/integrate/step_report.h>
#include <limber/model/model.h>
#include <limber/support/support_frame.h>

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace limber {

enum class BodyIntegrator {
    Newmark,             // implicit, beta = 1/4, gamma = 1/2
    CentralDifferences,  // explicit, up to stable_dt()
    BackwardEuler,       // implicit, damps
    EnergyPreserving,    // average vector field: energy holds to Newton's tolerance at any step
};

// What energy, force, stiffness and Newton's matrix are computed in. The state is always double.
enum class BodyPrecision { Double, Float };

struct BodySettings {
    std::vector<Material> materials{};  // one per group; empty: as built
    std::vector<int> coordinates{};     // the basis vectors in use, each once; empty: all
    BodyIntegrator integrator = BodyIntegrator::Newmark;
    // Corrections a step; 0: until the tolerance is met (at most 20), as EnergyPreserving always does.
    int newton = 1;
    double tolerance = 1e-8;                            // on StepReport::residual
    double alpha = 0, beta = 0;                         // local Rayleigh damping, 1/s and s
    double strain_rate = 0;                             // viscous stress eta C:Ė, s; never adds energy
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s^2, world axes
    BodyPrecision precision = BodyPrecision::Double;
};

// The first r' basis vectors, as BodySettings::coordinates.
std::vector<int> first_coordinates(int count);

// Saved and restored under the same settings, frame and forces, the motion goes on bit by bit.
struct BodyState {
    double time = 0;          // s
    Eigen::VectorXd q, v, a;  // r entries, zero where a coordinate is not in use
};

struct VertexForce {
    int vertex;             // of the surface
    Eigen::Vector3d force;  // N, world axes
};

struct BodyResult;
struct CrowdResult;

// A moved-from body may only be destroyed or assigned to. Functions that are const share scratch memory: one
// thread at a time.
class Body {
 public:
    ~Body();
    Body(Body&&) noexcept;
    Body& operator=(Body&&) noexcept;
    // A second body of the model in the same state under the same forces; shares all that does not move.
    Body clone() const;

    const Model& model() const;
    const BodySettings& settings() const;  // materials and coordinates filled in
    // New polynomials where materials or coordinates changed; the state stays, but for coordinates that are
    // no longer in use. On an error nothing changes.
    std::optional<InputError> set(BodySettings settings);

    const BodyState& state() const;
    // On an error nothing changes: entries must be finite, q no longer than a thousand times the body.
    std::optional<InputError> set_state(const BodyState& state);
    // a = M̃⁻¹ (f̃ - D - R) at the present q, q̇ and forces: with what a run that is not at rest begins.
    void set_acceleration_from_forces();

    // How the rigid support stands and moves in the next steps until it is changed; q is relative to it.
    // Allocates nothing. On an error nothing changes: a model without moments (files of format 1) takes no
    // angular velocity or acceleration, and a free body has no support that could move.
    const FrameMotion& frame() const;
    std::optional<InputError> set_frame(const FrameMotion& frame);

    // Forces that act in the next steps until they are changed; on top of gravity and the frame's inertia.
    // World axes, whichever way the frame turns meanwhile. Allocate nothing. On an error (no such vertex, not
    // finite) nothing is added.
    void clear_forces();
    std::optional<InputError> add_force(const VertexForce& force);
    std::optional<InputError> add_reduced_force(const Eigen::VectorXd& force);  // r entries, in the frame

    // One step; allocates nothing. converged = false: nothing moved and time stands; after a blow-up the
    // body was stopped as well (q̇ = q̈ = 0). See report.problem, and docs/math/newmark.md, section 5.
    StepReport step(double dt);

    double kinetic_energy() const;  // J
    double elastic_energy() const;  // J
    double stable_dt() const;       // s, of central differences at the present state; allocates

    // u = Uq on the surface, 3s entries; and unit normals of the deformed surface, angle-weighted. Allocate
    // nothing once `out` has its size.
    void surface_displacement(Eigen::VectorXf& out) const;
    void surface_normals(const Eigen::VectorXf& displacement, Eigen::VectorXf& out) const;

 private:
    friend class Crowd;
    friend BodyResult make_body(std::shared_ptr<const Model> model, BodySettings settings);
    friend CrowdResult make_crowd(const Body& first, int count);
    struct Impl;
    explicit Body(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Either a body or the reason why not.
struct BodyResult {
    std::optional<Body> body;
    InputError error;
    explicit operator bool() const { return body.has_value(); }
};

// A body at rest.
BodyResult make_body(std::shared_ptr<const Model> model, BodySettings settings = {});

}  // namespace limber
