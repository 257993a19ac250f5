// SPDX-License-Identifier: Apache-2.0
// A tree of domains as a body: a shared frozen model, settings, a small state, and the scratch memory of its
// steps. docs/math/domains.md.
#pragma once
#include <limber/domains/tree_paths.h>
#include <limber/domains/tree_step.h>
#include <limber/domains/wind.h>
#include <limber/integrate/step_report.h>
#include <limber/model/model.h>
#include <limber/model/vertex_force.h>
#include <limber/result.h>
#include <limber/rigid/frame.h>
#include <limber/rigid/rigid_body.h>

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

namespace limber {

struct DomainsSettings {
    Coupling coupling = Coupling::Exact;
    double tolerance = 1e-2;     // Newton ends at a correction of this part of the accelerations
    double alpha = 0, beta = 0;  // local Rayleigh damping of each domain, 1/s and s
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s², world axes
    RootMount mount = RootMount::Carried;               // Free: nothing carries the root
    std::vector<DomainState> domains{};                 // one per domain; empty: as built
};

// What is derived from a model once and shared by all bodies of it: frozen.
struct SharedDomains;
Result<std::shared_ptr<const SharedDomains>> share_domains(std::shared_ptr<const Model> model);

// Where a tree stands half-way through a step, and how it moves there: what contact looks at.
struct TreeTouch {
    Eigen::VectorXd q;  // of the shape
    // Frames of the domains: in that of a carried root, or in the world.
    std::vector<Eigen::Vector3d> positions;
    std::vector<Eigen::Matrix3d> rotations;
    // Twists (v, ω) of these frames in their axes, with the velocities of the start of the step and with
    // those of the end of the last trial; of a carried root relative to it. 6 x domains.
    Matrix6Xd start, end;
    TreePaths paths;  // to the domains that touch

    // For the sources of this folder.
    bool drifted = false;
    double seconds = 0;
    Eigen::Vector3d root_position;  // world, of a free root
    Eigen::VectorXd impulse;
};

// A moved-from body may only be destroyed or assigned to.
class DomainsBody {
 public:
    ~DomainsBody();
    DomainsBody(DomainsBody&&) noexcept;
    DomainsBody& operator=(DomainsBody&&) noexcept;
    DomainsBody clone() const;  // in the same state under the same forces; shares all that does not move

    const Model& model() const;
    const std::shared_ptr<const Model>& shared_model() const;    // the same
    const std::shared_ptr<const Model>& model_as_built() const;  // before domains were replaced
    const DomainTree& tree() const;
    const DomainsSettings& settings() const;  // domains filled in
    // The state stays, but for the velocities of domains that are frozen. A domain that is detached takes
    // along all that hangs on it, and never comes back. One that is replaced by another part is at rest in
    // its frame; the forces are cleared then, and model() is another one. On an error nothing changes.
    Status set(DomainsSettings settings);

    const TreeState& state() const;
    Status set_state(const TreeState& state);  // on an error nothing changes

    // Of a carried root: how it stands and moves at the end of the next steps until it is changed; in the
    // middle of a step it is halfway from the end of the last. A free one refuses.
    const FrameMotion& frame() const;
    Status set_frame(const FrameMotion& frame);

    // Of a free root. pose() is the frame of the root; velocity() that of the centre of mass and
    // angular_velocity() that of the root's frame, world axes.
    bool flies() const;
    Pose pose() const;
    double mass() const;  // kg
    Eigen::Vector3d velocity() const;
    Eigen::Vector3d angular_velocity() const;
    Eigen::Vector3d point_velocity(int vertex) const;  // in the world, m/s
    RigidState rigid_state() const;  // of the whole: its angular momentum is about the centre
    // The same three; the shape and its velocity stay. A carried root refuses. On an error nothing changes.
    Status place(const Pose& root, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angular_velocity);
    // Shape and its velocity; a free tree keeps its pose, the velocity of its centre and its spin.
    Status set_shape(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

    // On vertices of the surface, world axes, until they are changed. A vertex that domains share passes
    // equal parts on to them.
    void clear_forces();
    Status add_force(const VertexForce& force);

    // The air that moves past the domains in the next steps, `time` s after its gusts began; null: none.
    // `origin` is where a carried root stands in the world, m.
    void set_wind(std::shared_ptr<const Wind> wind, double time, const Eigen::Vector3d& origin);

    // As those of StvkBody. Allocate nothing. impulse: one entry per coordinate.
    StepReport step(double dt);
    StepReport trial(double dt, const Eigen::VectorXd* impulse = nullptr);
    void commit();
    const TreeStepReport& step_details() const;  // of the last trial

    // What contact asks of a tree with Coupling::Exact; its matrix is never formed. docs/math/contact.md,
    // section 5. Moves to the half-drifted pose, after a trial or of a tree that stands still.
    void drift(double seconds);
    const TreeTouch& touching() const;
    // rows += weight · axes · ∂x/∂y of a vertex of a domain's part, 3 x (6 + r), y as in TreePaths. Axes: in
    // the frame of a carried root, or in the world.
    void add_rows(int domain, int vertex, double weight, const Eigen::Matrix3d& axes,
                  Eigen::Ref<Eigen::Matrix3Xd> rows) const;
    // Paths to the domains that touch, ascending, with the matrix of the last trial.
    TreePaths& touch_domains(std::span<const int> domains);
    // y at the start of the step and at the end of the last trial.
    void start_velocities(Eigen::Ref<Eigen::VectorXd> y) const;
    void trial_velocities(Eigen::Ref<Eigen::VectorXd> y) const;
    const Eigen::VectorXd& trial_rates() const;  // q̇ there
    // After commit(): touching().start of the present state, in the frames of the last evaluation.
    void update_start();
    // Under impulses on the domains that touch, in the places of y.
    StepReport trial_touching(double dt, const Eigen::Ref<const Eigen::VectorXd>& impulses);
    void halt();

    double kinetic_energy() const;  // J; of a carried root relative to it
    double elastic_energy() const;  // J
    TreeMomentum momentum() const;  // of a carried root relative to it; world axes of a free one
    // Of one vertex of the surface, in the root's frame: from rest, m, and relative to the frame, m/s. A
    // vertex that domains share is where they are on average.
    Eigen::Vector3d displacement(int vertex) const;
    Eigen::Vector3d velocity(int vertex) const;
    // Pose of each domain in the root's frame, x = position + orientation · scale · (X + Uq).
    Pose domain_pose(std::size_t domain) const;
    // Its motion (v, ω) in its own axes; of a carried root relative to that, of a free one to the world.
    Vector6d domain_twist(std::size_t domain) const;
    // A stiffness for pulling at a vertex by a spring, N/m (integrate/pull_stiffness.h), from the compliance
    // and the inverse mass of the tree at rest on a still root. Errors: no such vertex, a dt that is not
    // positive.
    Result<double> suggest_pull_stiffness(int vertex, double dt) const;
    // All of the surface: displacement and unit normals, 3 entries a vertex. Allocates where `out` grows.
    void surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const;

 private:
    struct Impl;
    friend Result<DomainsBody> make_domains_body(std::shared_ptr<const SharedDomains>, DomainsSettings);
    explicit DomainsBody(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// At rest.
Result<DomainsBody> make_domains_body(std::shared_ptr<const SharedDomains> shared,
                                      DomainsSettings settings = {});
Result<DomainsBody> make_domains_body(std::shared_ptr<const Model> model, DomainsSettings settings = {});

}  // namespace limber
