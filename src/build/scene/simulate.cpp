// SPDX-License-Identifier: Apache-2.0
#include "build/scene/simulate.h"

#include "build/scene/dragging.h"
#include "build/scene/running_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber::build {
namespace {

std::string refusal_of(const StepReport& step) {
    if (step.problem == StepProblem::BlowUp)
        return "the step was refused and the body stopped: loads or supports would carry it beyond all "
               "bounds";
    return fmt::format("the step did not converge: residual {:.2e} after {} iterations", step.residual,
                       step.iterations);
}

constexpr double kMostNumbers = 5e8;      // 4 GB of doubles
constexpr std::size_t kMostProblems = 8;  // told one by one

class Simulation {
 public:
    explicit Simulation(const Scene& scene)
        : scene_(scene), dt_(scene.dt), active_(scene.forces.size(), false) {
        check_memory();
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            bodies_.emplace_back(scene.bodies[b], scene.gravity);
            dragging_.emplace_back(scene, b);
            if (!bodies_[b].start_problem().empty()) report(bodies_[b].start_problem());
        }
    }

    Recording run(const Progress& progress) {
        before_step(0);
        for (RunningBody& body : bodies_)
            body.set_acceleration_from_forces();
        record(0);
        const long long steps = scene_.steps();
        const auto began = std::chrono::steady_clock::now();
        for (long long i = 0; i < steps; ++i) {
            if (i % 64 == 0) tell(progress, "stepping", static_cast<double>(i) / static_cast<double>(steps));
            if (i > 0) before_step(i);
            const double end = time_of(i + 1);
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
    double slack() const { return 1e-6 * dt_; }
    // When a step begins; a recording may change how long they are.
    double time_of(long long step) const { return dt_since_ + static_cast<double>(step - dt_step_) * dt_; }

    // What is recorded of a shape beside its coordinates.
    static Eigen::Index shape_numbers(const SceneBody& placed) {
        return placed.method == SceneMethod::Warp ? placed.coordinates() + placed.model->warp->companions()
                                                  : 0;
    }

    void check_memory() {
        const auto frames = 1 + static_cast<Eigen::Index>(scene_.steps() / scene_.every);
        double numbers = 1 + 3.0 * static_cast<double>(scene_.probes.size());
        for (const SceneBody& placed : scene_.bodies)
            numbers += 2 + static_cast<double>(placed.coordinates() + shape_numbers(placed)) +
                       (placed.support ? 7 : 0);
        numbers *= static_cast<double>(frames);
        if (numbers > kMostNumbers)
            throw InputError{"every", fmt::format("{} frames would take {:.3g} GB", frames, 8e-9 * numbers),
                             fmt::format("\"every\": {}", scene_.every * std::ceil(numbers / kMostNumbers))};
        for (const SceneBody& placed : scene_.bodies) {
            RecordedBody recorded;
            recorded.q.resize(placed.coordinates(), frames);
            if (placed.method == SceneMethod::Warp) {
                recorded.turned_by.resize(placed.coordinates(), frames);
                recorded.companions.resize(placed.model->warp->companions(), frames);
            }
            recorded.kinetic.resize(frames);
            recorded.elastic.resize(frames);
            out_.bodies.push_back(std::move(recorded));
        }
        out_.probes.assign(scene_.probes.size(), Eigen::MatrixXd(3, frames));
    }

    void report(const std::string& problem) {
        ++out_.not_converged;
        if (out_.problems.size() < kMostProblems) out_.problems.push_back(problem);
    }

    void before_step(long long step) {
        if (scene_.replay) {
            play_inputs(step);
            pull_springs();
            return;
        }
        change_settings(time_of(step));
        const double end = time_of(step + 1);
        change_forces(end);
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            move_support(b, end);
            dragging_[b].aim(end, slack(), bodies_[b]);
        }
    }

    void change_settings(double time) {
        for (; next_event_ < scene_.events.size() && scene_.events[next_event_].time <= time + slack();
             ++next_event_) {
            const SceneEvent& event = scene_.events[next_event_];
            bodies_[event.body].change(event.set, fmt::format("the event at {:g} s", event.time));
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
        for (RunningBody& body : bodies_)
            body.clear_forces();
        for (std::size_t i = 0; i < active_.size(); ++i) {
            if (!active_[i]) continue;
            const VertexPull& pull = scene_.forces[i].pull;
            for (const int v : pull.vertices)
                bodies_[scene_.forces[i].body].add_force(
                    v, pull.force / static_cast<double>(pull.vertices.size()));
        }
    }

    // As the frame moves at the end of the step. No pose before t = 0 is asked for: the body begins at rest
    // in its frame, however fast that moves.
    void move_support(std::size_t b, double end) {
        const SceneBody& placed = scene_.bodies[b];
        if (!placed.support) return;
        bodies_[b].set_frame(
            motion_of({placed.pose_at(end - dt_), placed.pose_at(end), placed.pose_at(end + dt_)}, dt_));
    }

    // docs/recording.md says in which order.
    void play_inputs(long long step) {
        const std::vector<ReplayInput>& inputs = scene_.replay->inputs;
        for (; next_input_ < inputs.size() && inputs[next_input_].step <= step; ++next_input_) {
            const ReplayInput& input = inputs[next_input_];
            if (input.pull) spring_ = *input.pull;
            if (input.dt) {
                dt_since_ = time_of(step);
                dt_step_ = step;
                dt_ = *input.dt;
            }
            for (RunningBody& body : bodies_) {
                if (input.pins && body.is_warped()) body.set_constraints(*input.pins);
                if (input.frame) body.set_frame(*input.frame);
                if (input.gravity) body.set_gravity(*input.gravity);
            }
            for (const auto& [b, change] : input.set)
                bodies_[b].change(change, fmt::format("the recording's step {}", step));
        }
    }

    void pull_springs() {
        for (RunningBody& body : bodies_) {
            body.clear_forces();
            if (spring_)
                body.add_force(spring_->vertex,
                               spring_->stiffness * (spring_->target - body.position(spring_->vertex)));
        }
    }

    void step(std::size_t b, double end) {
        const StepReport step = bodies_[b].step(dt_);
        out_.max_iterations = std::max(out_.max_iterations, step.iterations);
        if (!step.converged)
            report(fmt::format("t = {:g} s, body {}: {}", end, scene_.bodies[b].name, refusal_of(step)));
        else if (const auto held = bodies_[b].constraint_report())
            note_errors(*held, end, out_.bodies[b].missed);
    }

    static void note_errors(const ConstraintReport& now, double time, std::optional<MissedTargets>& most) {
        if (!most) most.emplace();
        if (now.position_error > most->position) {
            most->position = now.position_error;
            most->position_time = time;
        }
        if (now.orientation_error > most->orientation) {
            most->orientation = now.orientation_error;
            most->orientation_time = time;
        }
    }

    void record(double time) {
        const auto frame = static_cast<Eigen::Index>(out_.times.size());
        out_.times.push_back(time);
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            RecordedBody& out = out_.bodies[b];
            out.q.col(frame) = bodies_[b].q();
            if (out.turned_by.size() > 0) {
                out.turned_by.col(frame) = bodies_[b].turned_by();
                out.companions.col(frame) = bodies_[b].companions();
            }
            out.kinetic[frame] = bodies_[b].kinetic_energy();
            out.elastic[frame] = bodies_[b].elastic_energy();
            if (scene_.bodies[b].support) out.poses.push_back(scene_.bodies[b].pose_at(time));
        }
        for (std::size_t p = 0; p < scene_.probes.size(); ++p) {
            const SceneProbe& probe = scene_.probes[p];
            Eigen::Vector3d mean = Eigen::Vector3d::Zero();
            for (const int v : probe.vertices)
                mean += bodies_[probe.body].displacement(v);
            out_.probes[p].col(frame) = scene_.bodies[probe.body].pose_at(time).orientation * mean /
                                        static_cast<double>(probe.vertices.size());
        }
    }

    const Scene& scene_;
    std::vector<RunningBody> bodies_;
    std::vector<Dragging> dragging_;  // by body
    double dt_;
    double dt_since_ = 0;  // s, and the step since when dt_ holds
    long long dt_step_ = 0;
    std::vector<bool> active_;  // forces of the last step
    std::size_t next_event_ = 0, next_input_ = 0;
    std::optional<Spring> spring_;
    Recording out_;
};

}  // namespace

Recording simulate(const Scene& scene, const Progress& progress) {
    return Simulation(scene).run(progress);
}

}  // namespace limber::build
