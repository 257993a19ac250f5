// SPDX-License-Identifier: Apache-2.0
#include "build/scene/simulate.h"

#include "build/scene/reduced_statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber::build {
namespace {

constexpr double kMostNumbers = 5e8;      // 4 GB of doubles
constexpr std::size_t kMostProblems = 8;  // told one by one

// A vertex's share of a force of the world, in the body's own frame.
void pull(Body& body, const SceneBody& placed, const VertexPull& how) {
    const Eigen::Vector3d share =
        placed.rotation.conjugate() * how.force / static_cast<double>(how.vertices.size());
    for (const int v : how.vertices)
        if (const auto error = body.add_force({v, share})) throw *error;
}

Eigen::VectorXd reduced_force(const SceneBody& placed) {
    const Model& model = *placed.model;
    Eigen::VectorXd f = Eigen::VectorXd::Zero(model.rank);
    for (const VertexPull& how : placed.release)
        for (const int v : how.vertices)
            f += model.surface.basis.middleRows<3>(3 * v).transpose() *
                 (placed.rotation.conjugate() * how.force / static_cast<double>(how.vertices.size()));
    return f;
}

void set(Body& body, const BodySettings& settings) {
    if (const auto error = body.set(settings)) throw *error;
}

class Simulation {
 public:
    explicit Simulation(const Scene& scene) : scene_(scene), active_(scene.forces.size(), false) {
        for (const SceneBody& placed : scene.bodies)
            start(placed);
        const auto frames = 1 + static_cast<Eigen::Index>(scene.steps() / scene.every);
        double numbers = 0;
        for (const SceneBody& placed : scene.bodies)
            numbers += placed.model->rank + 2;
        numbers =
            (numbers + 3.0 * static_cast<double>(scene.probes.size()) + 1) * static_cast<double>(frames);
        if (numbers > kMostNumbers)
            throw InputError{"every", fmt::format("{} frames would take {:.3g} GB", frames, 8e-9 * numbers),
                             fmt::format("\"every\": {}", scene.every * std::ceil(numbers / kMostNumbers))};
        for (const SceneBody& placed : scene.bodies)
            out_.bodies.push_back({Eigen::MatrixXd(placed.model->rank, frames), Eigen::VectorXd(frames),
                                   Eigen::VectorXd(frames)});
        out_.probes.assign(scene.probes.size(), Eigen::MatrixXd(3, frames));
    }

    Recording run(const Progress& progress) {
        change_settings(0);
        change_forces(scene_.dt);
        for (Body& body : bodies_)
            body.set_acceleration_from_forces();
        record(0);
        const long long steps = scene_.steps();
        const auto began = std::chrono::steady_clock::now();
        for (long long i = 0; i < steps; ++i) {
            if (i % 64 == 0) tell(progress, "stepping", static_cast<double>(i) / static_cast<double>(steps));
            const double begin = static_cast<double>(i) * scene_.dt;
            const double end = static_cast<double>(i + 1) * scene_.dt;
            change_settings(begin);
            change_forces(end);
            for (std::size_t b = 0; b < bodies_.size(); ++b)
                step(b, end);
            ++out_.steps;
            if (out_.steps % scene_.every == 0) record(end);
        }
        out_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return std::move(out_);
    }

 private:
    // Times are compared with this slack: 3 · 0.1 s is 0.3 s.
    double slack() const { return 1e-6 * scene_.dt; }

    void start(const SceneBody& placed) {
        const Model& model = *placed.model;
        BodySettings settings = changed({}, placed.settings, model, placed.name);
        settings.gravity = placed.rotation.conjugate() * scene_.gravity;
        BodyResult made = make_body(placed.model, settings);
        if (!made) throw made.error;
        Body& body = *made.body;
        BodyState state = body.state();
        if (placed.q) state.q = *placed.q;
        if (placed.v) state.v = *placed.v;
        if (!placed.release.empty()) {
            const auto balance = reduced_equilibrium(model, settings, reduced_force(placed));
            state.q = balance.q;
            if (!balance.converged)
                report(
                    fmt::format("body {}: no balance was found to release it from: residual {:.2e} after "
                                "{} iterations",
                                placed.name, balance.residual, balance.iterations));
        }
        if (placed.q || placed.v || !placed.release.empty())
            if (auto error = body.set_state(state)) {
                error->where = "body " + placed.name + ": " + error->where;
                throw *error;
            }
        bodies_.push_back(std::move(body));
    }

    void report(const std::string& problem) {
        ++out_.not_converged;
        if (out_.problems.size() < kMostProblems) out_.problems.push_back(problem);
    }

    void change_settings(double time) {
        for (; next_event_ < scene_.events.size() && scene_.events[next_event_].time <= time + slack();
             ++next_event_) {
            const SceneEvent& event = scene_.events[next_event_];
            Body& body = bodies_[event.body];
            set(body, changed(body.settings(), event.set, body.model(),
                              fmt::format("the event at {:g} s", event.time)));
        }
    }

    void change_forces(double end) {
        bool any = false;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            const SceneForce& force = scene_.forces[i];
            const bool now = end > force.from + slack() && end <= force.to + slack();
            any |= now != active_[i];
            active_[i] = now;
        }
        if (!any) return;
        for (Body& body : bodies_)
            body.clear_forces();
        for (std::size_t i = 0; i < active_.size(); ++i)
            if (active_[i]) {
                const SceneForce& force = scene_.forces[i];
                pull(bodies_[force.body], scene_.bodies[force.body], force.pull);
            }
    }

    void step(std::size_t b, double end) {
        const StepReport step = bodies_[b].step(scene_.dt);
        out_.max_iterations = std::max(out_.max_iterations, step.iterations);
        if (!step.converged)
            report(
                fmt::format("t = {:g} s, body {}: the step did not converge: residual {:.2e} after {} "
                            "iterations",
                            end, scene_.bodies[b].name, step.residual, step.iterations));
    }

    void record(double time) {
        const auto frame = static_cast<Eigen::Index>(out_.times.size());
        out_.times.push_back(time);
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            out_.bodies[b].q.col(frame) = bodies_[b].state().q;
            out_.bodies[b].kinetic[frame] = bodies_[b].kinetic_energy();
            out_.bodies[b].elastic[frame] = bodies_[b].elastic_energy();
        }
        for (std::size_t p = 0; p < scene_.probes.size(); ++p) {
            const SceneProbe& probe = scene_.probes[p];
            const Model& model = bodies_[probe.body].model();
            Eigen::Vector3d mean = Eigen::Vector3d::Zero();
            for (const int v : probe.vertices)
                mean += model.surface.basis.middleRows<3>(3 * v) * bodies_[probe.body].state().q;
            out_.probes[p].col(frame) =
                scene_.bodies[probe.body].rotation * mean / static_cast<double>(probe.vertices.size());
        }
    }

    const Scene& scene_;
    std::vector<Body> bodies_;
    std::vector<bool> active_;  // forces of the last step
    std::size_t next_event_ = 0;
    Recording out_;
};

}  // namespace

Recording simulate(const Scene& scene, const Progress& progress) {
    return Simulation(scene).run(progress);
}

}  // namespace limber::build
