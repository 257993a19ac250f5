// SPDX-License-Identifier: Apache-2.0
// One soft body: a shared frozen model, its present settings, a small state, and the scratch memory of its
// steps.
//     M̃ q̈ + (alpha M̃ + beta K(q)) q̇ + D(q, q̇) + R(q) = f̃          docs/math/reduced_stvk.md (10)
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/model.h>
#include <limber/model/vertex_force.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>
#include <limber/words.h>

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace limber {

enum class StvkIntegrator {
    Newmark,             // implicit, beta = 1/4, gamma = 1/2
    CentralDifferences,  // explicit, up to stable_dt()
    BackwardEuler,       // implicit, damps
    EnergyPreserving,    // average vector field: energy holds to Newton's tolerance at any step
};
template <>
struct EnumWords<StvkIntegrator> {
    static constexpr WordValue<StvkIntegrator> kAll[] = {{"newmark", StvkIntegrator::Newmark},
                                                         {"central", StvkIntegrator::CentralDifferences},
                                                         {"euler", StvkIntegrator::BackwardEuler},
                                                         {"energy", StvkIntegrator::EnergyPreserving}};
};

// What energy, force, stiffness and Newton's matrix are computed in. The state is always double.
enum class StvkPrecision { Double, Float };
template <>
struct EnumWords<StvkPrecision> {
    static constexpr WordValue<StvkPrecision> kAll[] = {{"double", StvkPrecision::Double},
                                                        {"float", StvkPrecision::Float}};
};

struct StvkSettings {
    std::vector<Material> materials{};  // one per group; empty: as built
    std::vector<int> coordinates{};     // the basis vectors in use, each once; empty: all
    StvkIntegrator integrator = StvkIntegrator::Newmark;
    // Corrections a step; 0: until the tolerance is met (at most 20), as EnergyPreserving always does.
    int newton = 1;
    double tolerance = 1e-8;                            // on StepReport::residual
    double alpha = 0, beta = 0;                         // local Rayleigh damping, 1/s and s
    double strain_rate = 0;                             // viscous stress eta C:Ė, s; never adds energy
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s^2, world axes
    StvkPrecision precision = StvkPrecision::Double;
};

// The first r' basis vectors, as StvkSettings::coordinates.
std::vector<int> first_coordinates(int count);

// Saved and restored under the same settings, frame and forces, the motion goes on bit by bit.
struct StvkState {
    double time = 0;          // s
    Eigen::VectorXd q, v, a;  // r entries, zero where a coordinate is not in use
};

// What is derived from a model once and shared by all bodies of it: frozen.
struct SharedStvk;
Result<std::shared_ptr<const SharedStvk>> share_stvk(std::shared_ptr<const Model> model);

// A moved-from body may only be destroyed or assigned to. A body and its clones share scratch memory, also in
// functions that are const: one thread at a time for all of them.
class StvkBody {
 public:
    ~StvkBody();
    StvkBody(StvkBody&&) noexcept;
    StvkBody& operator=(StvkBody&&) noexcept;
    // A second body of the model in the same state under the same forces; shares all that does not move.
    StvkBody clone() const;
    // Uses the polynomials and the scratch memory of another body of the same shared, where materials,
    // coordinates, precision and strain-rate damping are the same; false where they are not. Settings that
    // are the same are kept once.
    bool share_with(const StvkBody& other);
    // Scratch memory of its own, so that another thread may use the body.
    void unshare();

    const Model& model() const;
    const StvkSettings& settings() const;  // materials and coordinates filled in
    // New polynomials where materials or coordinates changed; the state stays, but for coordinates that are
    // no longer in use. On an error nothing changes.
    Status set(StvkSettings settings);

    const StvkState& state() const;
    // On an error nothing changes: entries must be finite, q no longer than a thousand times the body.
    Status set_state(const StvkState& state);
    // a = M̃⁻¹ (f̃ - D - R) at the present q, q̇ and forces: with what a run that is not at rest begins.
    void set_acceleration_from_forces();

    // How the rigid support stands and moves in the next steps until it is changed; q is relative to it.
    // Allocates nothing. On an error nothing changes: a model without moments (files of format 1) takes no
    // angular velocity or acceleration, and a free body has no support that could move.
    const FrameMotion& frame() const;
    Status set_frame(const FrameMotion& frame);

    // Forces that act in the next steps until they are changed; on top of gravity and the frame's inertia.
    // World axes, whichever way the frame turns meanwhile. Allocate nothing. On an error (no such vertex, not
    // finite) nothing is added.
    void clear_forces();
    Status add_force(const VertexForce& force);
    Status add_reduced_force(const Eigen::VectorXd& force);  // r entries, in the frame

    // One step: trial() and commit(). Allocates nothing. converged = false: nothing moved and time stands;
    // after a blow-up the body was stopped as well (q̇ = q̈ = 0). See report.problem, and
    // docs/math/newmark.md, section 5.
    StepReport step(double dt);
    // The end of a step from the present state, under an impulse that acts all through it and is over at its
    // end (r entries, in the frame, N s/√kg; null: none): the acceleration that Newmark's method and central
    // differences keep for the next step is without it. The state stays, so it can be asked again. Allocates
    // nothing.
    StepReport trial(double dt, const Eigen::VectorXd* impulse = nullptr);
    // Takes what the last trial found, once.
    void commit();

    double kinetic_energy() const;  // J
    double elastic_energy() const;  // J
    double stable_dt() const;       // s, of central differences at the present state; allocates

    // Of one vertex of the surface in the frame, in double precision: Uq, m, and U q̇, m/s.
    Eigen::Vector3d displacement(int vertex) const;
    Eigen::Vector3d velocity(int vertex) const;
    // Where a spring pulls at a vertex in a step of dt, m: there its force, held for the step, neither feeds
    // a swing nor damps it. docs/math/newmark.md (13)
    Eigen::Vector3d spring_displacement(int vertex, double dt) const;

    // u = Uq on the surface, 3s entries; and unit normals of the deformed surface, angle-weighted. Allocate
    // nothing once `out` has its size.
    void surface_displacement(Eigen::VectorXf& out) const;
    void surface_normals(const Eigen::VectorXf& displacement, Eigen::VectorXf& out) const;

    // What contact asks for (docs/math/contact.md, section 5). The velocities are those of the r' coordinates
    // in use.
    Eigen::Index velocity_size() const;
    void start_velocity(Eigen::VectorXd& out) const;
    // At the end of the last trial, which must have converged.
    void trial_velocity(Eigen::VectorXd& out) const;
    // A there: how an impulse changes the velocity, symmetric and positive definite. Right after the trial.
    void trial_matrix(Eigen::MatrixXd& out);
    // Keeps the shape that the present velocities lead to in that time.
    void drift(double seconds);
    const Eigen::VectorXd& drifted_q() const;  // r entries
    // out += weight · axes · ∂u/∂v of a vertex; the rows of axes are directions in the frame.
    void add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                  Eigen::Ref<Eigen::Matrix3Xd> out) const;
    // A trial under an impulse on these velocities.
    StepReport trial_touching(double dt, const Eigen::VectorXd& impulse);
    void halt();  // no velocity any more

 private:
    friend class StvkBatch;
    friend Result<StvkBody> make_stvk_body(std::shared_ptr<const SharedStvk> shared, StvkSettings settings);
    struct Impl;
    explicit StvkBody(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// A body at rest.
Result<StvkBody> make_stvk_body(std::shared_ptr<const SharedStvk> shared, StvkSettings settings = {});
Result<StvkBody> make_stvk_body(std::shared_ptr<const Model> model, StvkSettings settings = {});

}  // namespace limber
