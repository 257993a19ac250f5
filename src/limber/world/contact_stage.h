// SPDX-License-Identifier: Apache-2.0
// The part of a world's step that is about contact: detection, the solve, trials under impulses, sleep. For
// the sources of this folder only. docs/math/contact.md, sections 5 and 6.
#pragma once
#include "limber/contact/contact_settings.h"
#include "limber/contact/contact_solver.h"
#include "limber/contact/detect.h"
#include "limber/contact/islands.h"
#include "limber/contact/tree_coordinates.h"
#include "limber/world/body_kind.h"
#include "limber/world/contact_report.h"
#include "limber/world/parallel_for.h"
#include "limber/world/world_body.h"

#include <Eigen/Cholesky>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

namespace limber {

// What contact derives from a model, once for all its bodies that move in one way.
struct TouchSurface {
    std::shared_ptr<const ContactSurface> surface;
    Eigen::VectorXd reach;          // the most that a unit of each velocity moves a vertex
    double size = 0;                // diagonal of the box at rest, m
    double radius = 0;              // no vertex at rest is farther from the origin, m
    double young = 0, density = 0;  // the largest of its materials as built; Pa, kg/m³
    // Of a tree, which has no surface of its own: those of its parts as built; null: one has none.
    std::vector<std::shared_ptr<const TouchSurface>> parts;
};
// Null: the model has no surface that could touch.
std::shared_ptr<const TouchSurface> make_touch_surface(const std::shared_ptr<const Model>& model,
                                                       Method method);
std::shared_ptr<const TouchSurface> make_touch_tree(const std::shared_ptr<const Model>& model);

// What a contact remembers of the last step, by who touches whom and with what.
struct ContactMemory {
    std::uint32_t a = 0, b = 0, device = 0, obstacle = 0;  // numbers of ids; 0: none
    std::uint32_t domain_a = 0, domain_b = 0;              // of trees
    std::uint64_t key = 0;                                 // of the features
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();      // s: from where it stuck to where it is, world, m
    double impulse = 0;                                    // along the normal, N s
};

// Lists of contacts are in this order.
inline auto order_of(const ContactMemory& m) {
    return std::tie(m.a, m.domain_a, m.b, m.domain_b, m.device, m.obstacle, m.key);
}

// All of it that the future depends on.
struct ContactState {
    std::optional<ContactSettings> settings;  // none: contact is off
    std::vector<WorldObstacle> obstacles;     // by id
    std::uint32_t last_obstacle = 0;
    std::vector<WorldDevice> devices;  // by id
    std::uint32_t last_device = 0;
    // Of the last step, in their order.
    std::vector<ContactMemory> memory;
    std::vector<ContactPoint> points;
    std::vector<WorldContact> contacts;
    ContactReport report;
};

// A tree of domains in this step: its velocities in the solver are few coordinates w.
struct TouchingTree {
    TreeCoordinates coordinates;
    std::vector<std::shared_ptr<const SelfBound>> self_bounds;   // by part; empty: not asked for
    std::vector<double> y, impulses;                             // of the domains that touch
    std::vector<double> free_velocity, velocity, real_velocity;  // w
};

// One body, or the proxy of a device, in this step.
struct TouchingBody {
    std::shared_ptr<const TouchSurface> shared;   // null: it touches nothing
    std::shared_ptr<const SelfBound> self_bound;  // null: it is not asked for contact with itself
    Eigen::VectorXd reach;                        // of its velocities
    Pose now, start;                              // half-drifted, and at the start
    FrameMotion frame;                            // of the support
    bool on_support = false;
    bool takes_part = false;  // in this step
    bool moved = false;       // by the last impulses that were tried
    int place = -1;           // in the problem; -1: no contact
    Eigen::VectorXd start_velocity, free_velocity, velocity, real_velocity, impulse;
    Eigen::VectorXd start_shape;         // q and z of a warped body
    std::unique_ptr<TouchingTree> tree;  // null: a body with one surface
    Eigen::MatrixXd A;
    Eigen::LLT<Eigen::MatrixXd> cholesky;  // of A where the step is linearised again

    // Memory for n velocities: neither the first contact nor the first linearisation takes any.
    void set_size(Eigen::Index n) {
        for (Eigen::VectorXd* v : {&start_velocity, &free_velocity, &velocity, &real_velocity, &impulse})
            v->resize(n);
        A.setIdentity(n, n);
        if (cholesky.rows() != n) cholesky.compute(A);
    }
};

// The fastest that any point of the surface can be, m/s.
double point_speed(const WorldBody& body, const Eigen::VectorXd& reach, const Eigen::VectorXd& v);

// A pose some time before, on a straight way.
inline Pose moved_back(const Pose& end, const FrameMotion& motion, double seconds) {
    return {end.position - seconds * motion.velocity,
            (exp_rotation(-seconds * motion.angular_velocity) * end.orientation).normalized()};
}

// Calls f with a body of a kind that has its matrix; trees of domains do not.
template <class F, class Body>
void visit_touching(const F& f, Body& body) {
    std::visit(
        [&](auto& each) {
            if constexpr (TouchingKind<std::remove_cvref_t<decltype(each)>>)
                f(each);
            else
                assert(false);
        },
        body);
}

struct ContactStage {
    ContactState state;
    std::vector<TouchingBody> touching;  // by place in the list of bodies; behind them the devices
    bool prepared = false;               // touching fits the bodies and their settings

    bool on() const { return state.settings && state.settings->enabled == ContactSwitch::On; }
    void move_obstacles(double dt);
    void read_devices(double dt);
    // Proxies move as the last run() found, or freely where there was none.
    void move_proxies(double dt);

    // Between the trials of all bodies and their commits.
    void run(std::vector<WorldBody>& bodies, double gravity, double dt, const ParallelFor& parallel);
    // After the commits: who fell asleep.
    void put_to_sleep(std::vector<WorldBody>& bodies, double gravity, double dt);

    // What is remembered of one that is gone.
    void forget(BodyId id);
    void forget(ObstacleId id);
    void forget(DeviceId id);

 private:
    void forget(std::uint32_t ContactMemory::*who, std::uint32_t number);
    void choose_automatic_values(const std::vector<WorldBody>& bodies, double gravity);
    void describe(std::vector<WorldBody>& bodies, double dt);
    void describe_devices(double dt);
    void list_before();
    // contact_trees.cpp
    void describe_tree(WorldBody& body, std::size_t place, const SurfaceMoment& common, double half,
                       double dt);
    std::size_t add_tree_rows(const WorldBody& body, TouchingTree& tree, const SurfaceMoment& surface,
                              const SurfacePoint& point, const Eigen::Matrix3d& axes,
                              const Eigen::Matrix3d& axes_cross_offset);
    enum class Moment { Start, End };
    Eigen::Vector3d tree_velocity(const WorldBody& body, const TouchingTree& tree, std::size_t point,
                                  Moment moment) const;
    void reduce_tree(WorldBody& body, TouchingBody& t);
    void add_reduced_rows(const TouchingBody& t);
    bool try_tree(WorldBody& body, TouchingBody& t, const Island& island, double dt);
    void linearize_tree(WorldBody& body, TouchingBody& t, const Island& island);
    double tree_speed(WorldBody& body, const TouchingBody& t);
    bool is_device(std::size_t place) const { return place + state.devices.size() >= touching.size(); }
    WorldDevice& device_at(std::size_t place) {
        return state.devices[place + state.devices.size() - touching.size()];
    }
    bool wake_touched(std::vector<WorldBody>& bodies, double dt);
    void build_problem(std::vector<WorldBody>& bodies, double dt, const ParallelFor& parallel);
    // contact_islands.cpp
    void solve_islands(std::vector<WorldBody>& bodies, double dt, const ParallelFor& parallel);
    void solve_open(const ParallelFor& parallel);
    void list_bodies_of_open();
    void guess_impulses(const Island& island);
    void collect_impulses(const Island& island);
    bool try_impulses(std::vector<WorldBody>& bodies, int b, const Island& island, double dt);
    void linearize(std::vector<WorldBody>& bodies, int b, const Island& island);
    void keep_solution(const Island& island);
    void go_back_to_kept(const Island& island);
    double take_real_velocities(const Island& island);
    void remember(std::vector<WorldBody>& bodies, double dt);

    std::vector<SurfaceMoment> surfaces_;
    std::vector<std::size_t> body_of_surface_;
    std::vector<ObstacleMoment> obstacles_;
    DetectWork detect_work_;
    Eigen::VectorXd difference_;        // scratch of describe_tree()
    std::vector<ContactPoint> before_;  // of the last step
    std::vector<ContactPoint> points_;  // listed in this step
    ContactProblem problem_;
    std::vector<std::size_t> body_in_problem_;
    std::vector<Eigen::Matrix3d> axes_;  // rows n, t₁, t₂ of each contact
    struct KeptContact {
        Eigen::Vector3d velocity, impulse;
        double radius;
    };
    std::vector<KeptContact> kept_;  // of each contact
    struct TreePoints {
        int a = -1, b = -1;  // in the coordinates of their trees; -1: no tree
    };
    std::vector<TreePoints> tree_points_;  // of each contact
    Islands islands_;
    struct IslandProgress {
        IslandReport solved;
        double error = 0;  // of the contact speeds, m/s
        bool converged = true, settled = true;
    };
    std::vector<IslandProgress> progress_;  // of each island
    std::vector<std::size_t> open_;         // islands that are not yet done, ascending
    struct BodyOfOpen {
        int body;            // place in the problem
        std::size_t island;  // place
    };
    std::vector<BodyOfOpen> bodies_of_open_;
    std::vector<IslandWork> island_work_;  // of each lane
    std::vector<ContactMemory> next_memory_;
    std::vector<ContactPoint> next_points_;
    std::vector<WorldContact> next_contacts_;
};

}  // namespace limber
