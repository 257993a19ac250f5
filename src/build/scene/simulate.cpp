// SPDX-License-Identifier: Apache-2.0
#include "build/scene/simulate.h"

#include "build/or_throw.h"
#include "build/scene/scene_inputs.h"
#include "build/scene/world_threads.h"

#include <limber/world/session.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

std::string refusal_of(const StepReport& step) {
    if (step.problem == StepProblem::BlowUp)
        return "the step was refused and the body stopped: loads or supports would carry it beyond all "
               "bounds";
    return fmt::format("the step did not converge: residual {:.2e} after {} iterations", step.residual,
                       step.iterations);
}

constexpr double kMostNumbers = 5e8;              // 4 GB of doubles
constexpr std::size_t kMostContacts = 4'000'000;  // in all frames: 0.6 GB
constexpr std::size_t kMostProblems = 8;          // told one by one

bool has_modes(const SceneBody& body) {
    return body.method == Method::Warp || body.method == Method::Linear;
}

// When steps begin; a recording may change how long they are. Products in place of sums: 3 · 0.1 s is 0.3 s.
class StepTimes {
 public:
    explicit StepTimes(double dt) : dt_(dt) {}
    double of(long long step) const { return since_ + static_cast<double>(step - first_) * dt_; }
    void change(double dt, long long step) {
        if (dt == dt_) return;
        since_ = of(step);
        first_ = step;
        dt_ = dt;
    }

 private:
    double dt_;
    double since_ = 0;     // s, when dt_ began to hold
    long long first_ = 0;  // the step
};

// Writes down what a world does.
class Recorder {
 public:
    explicit Recorder(const Scene& scene) : scene_(scene) {
        check_memory();
        out_.bodies.resize(scene.bodies.size());
        for (std::size_t b = 0; b < scene.bodies.size(); ++b)
            take_memory(scene.bodies[b], out_.bodies[b]);
        impulse_.assign(scene.bodies.size(), Eigen::Vector3d::Zero());
        out_.probes.assign(scene.probes.size(), Eigen::MatrixXd(3, frames()));
        const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(3, frames());
        out_.devices.assign(scene.devices.size(), {none, none});
        hand_impulse_.assign(scene.devices.size(), Eigen::Vector3d::Zero());
    }

    void report(const std::string& problem) {
        ++out_.not_converged;
        if (out_.problems.size() < kMostProblems) out_.problems.push_back(problem);
    }

    void after_step(const World& world, double time) {
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
            const WorldBody* body = find(world, b);
            if (!body) continue;
            if (body->contacts().points > 0 || !body->contacts().impulse.isZero(0))
                impulse_[b] += body->contacts().impulse;
            const StepReport& step = body->report();
            out_.max_iterations = std::max(out_.max_iterations, step.iterations);
            if (!step.converged)
                report(fmt::format("t = {:g} s, body {}: {}", time, body->name(), refusal_of(step)));
            else if (const ConstraintReport* held = body->constraint_report())
                note_errors(*held, time, out_.bodies[b].missed);
        }
        for (std::size_t p = 0; p < out_.pieces.size(); ++p)
            if (const WorldBody* body = find_piece(world, out_.pieces[p]))
                piece_impulse_[p] += body->contacts().impulse;
        for (std::size_t d = 0; d < scene_.devices.size(); ++d)
            if (const WorldDevice* device = find_device(world, d))
                hand_impulse_[d] += (time - last_time_) * device->force();
        note_contact(world.report().contact);
        since_row_ += time - last_time_;
        last_time_ = time;
        ++out_.steps;
        if (out_.steps % scene_.every == 0) record(world, time);
    }

    void record(const World& world, double time) {
        const auto frame = static_cast<Eigen::Index>(out_.times.size());
        out_.times.push_back(time);
        record_touch(world, frame);
        record_contacts(world, frame);
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
            if (const WorldBody* body = find(world, b))
                record_body(world, *body, shown_of(scene_.bodies[b]), frame, out_.bodies[b]);
            else
                repeat_body(frame, out_.bodies[b]);
        }
        record_pieces(world, frame);
        for (std::size_t p = 0; p < scene_.probes.size(); ++p) {
            const SceneProbe& probe = scene_.probes[p];
            if (const WorldBody* body = find(world, probe.body))
                out_.probes[p].col(frame) = displacement_of(probe, *body);
            else
                out_.probes[p].col(frame) = out_.probes[p].col(frame - 1);
        }
    }

    Recording take(double seconds) {
        out_.seconds = seconds;
        // Of a recording: bodies whose support never moved.
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
            if (scene_.replay && !scene_.bodies[b].flies() &&
                std::all_of(out_.bodies[b].poses.begin(), out_.bodies[b].poses.end(), [&](const Pose& pose) {
                    return pose.position == scene_.bodies[b].pose.position &&
                           pose.orientation.coeffs() == scene_.bodies[b].pose.orientation.coeffs();
                }))
                out_.bodies[b].poses.clear();
        return std::move(out_);
    }

 private:
    // Null: a recording or an event removed it.
    const WorldBody* find(const World& world, std::size_t b) const {
        const auto id = world.find(scene_.bodies[b].name);
        return id ? world.body(*id) : nullptr;
    }

    const WorldDevice* find_device(const World& world, std::size_t d) const {
        const auto id = world.find_device(scene_.devices[d].name);
        return id ? world.device(*id) : nullptr;
    }

    Eigen::Index frames() const { return 1 + static_cast<Eigen::Index>(scene_.steps() / scene_.every); }
    bool has_poses(const SceneBody& body) const { return body.support || scene_.replay || body.flies(); }

    void check_memory() const {
        double numbers = 1 + 3.0 * static_cast<double>(scene_.probes.size() + 2 * scene_.devices.size());
        for (const SceneBody& body : scene_.bodies) {
            numbers += 2 + static_cast<double>(body.coordinates()) + (has_poses(body) ? 7 : 0);
            if (has_modes(body))
                numbers += static_cast<double>(body.coordinates() + body.model->warp->companions());
            if (body.flies()) numbers += 14;
            if (scene_.contact) numbers += 5;
        }
        numbers *= static_cast<double>(frames());
        if (numbers > kMostNumbers)
            throw InputError{"every", fmt::format("{} frames would take {:.3g} GB", frames(), 8e-9 * numbers),
                             fmt::format("\"every\": {}", scene_.every * std::ceil(numbers / kMostNumbers))};
    }

    void record_touch(const World& world, Eigen::Index frame) {
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
            std::optional<TouchMotion>& touch = out_.bodies[b].touch;
            if (!touch) continue;
            const WorldBody* body = find(world, b);
            touch->contacts[frame] = body ? body->contacts().points : 0;
            touch->depth[frame] = body ? body->contacts().depth : 0;
            touch->force.col(frame) = since_row_ > 0 ? Eigen::Vector3d(impulse_[b] / since_row_)
                                                     : Eigen::Vector3d(Eigen::Vector3d::Zero());
            impulse_[b].setZero();
        }
        for (std::size_t d = 0; d < scene_.devices.size(); ++d) {
            if (const WorldDevice* device = find_device(world, d))
                out_.devices[d].proxy.col(frame) = device->proxy();
            else
                out_.devices[d].proxy.col(frame) = out_.devices[d].proxy.col(frame - 1);
            if (since_row_ > 0) out_.devices[d].force.col(frame) = hand_impulse_[d] / since_row_;
            hand_impulse_[d].setZero();
        }
        row_seconds_ = since_row_;
        since_row_ = 0;
    }

    void record_contacts(const World& world, Eigen::Index frame) {
        const auto place_of = [](const auto& list, const std::string& name) {
            const auto found =
                std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
            return found == list.end() ? -1.0 : static_cast<double>(found - list.begin());
        };
        RecordedContacts& out = out_.contacts;
        for (const WorldContact& contact : world.contacts()) {
            if (contact.impulse.isZero(0)) continue;
            if (out.frame.size() == kMostContacts) {
                ++out.left_out;
                continue;
            }
            const auto body_place = [&](BodyId id) {
                const WorldBody* body = world.body(id);
                return body ? place_of(scene_.bodies, body->name()) : -1.0;
            };
            const WorldObstacle* obstacle = world.obstacle(contact.obstacle);
            const WorldDevice* device = world.device(contact.device);
            out.frame.push_back(static_cast<double>(frame));
            out.a.push_back(body_place(contact.a));
            out.b.push_back(body_place(contact.b));
            out.obstacle.push_back(obstacle ? place_of(scene_.obstacles, obstacle->name()) : -1);
            out.device.push_back(device ? place_of(scene_.devices, device->name()) : -1);
            const auto add = [](std::vector<double>& to, const Eigen::Vector3d& x) {
                to.insert(to.end(), x.begin(), x.end());
            };
            add(out.position, contact.position);
            add(out.normal, contact.normal);
            add(out.impulse, contact.impulse);
            add(out.force, contact.force);
            out.depth.push_back(contact.depth);
        }
    }

    void note_contact(const ContactReport& now) {
        if (!now.enabled) return;
        if (!out_.contact) out_.contact = now;
        ContactReport& most = *out_.contact;
        most.stiffness = now.stiffness;
        most.margin = now.margin;
        most.asleep = now.asleep;
        most.points = std::max(most.points, now.points);
        most.touching = std::max(most.touching, now.touching);
        most.islands = std::max(most.islands, now.islands);
        most.iterations = std::max(most.iterations, now.iterations);
        most.linearizations = std::max(most.linearizations, now.linearizations);
        most.residual = std::max(most.residual, now.residual);
        most.depth = std::max(most.depth, now.depth);
        most.speed_error = std::max(most.speed_error, now.speed_error);
        most.reverted = std::max(most.reverted, now.reverted);
        most.left_out = std::max(most.left_out, now.left_out);
        most.cut_short = std::max(most.cut_short, now.cut_short);
        most.refused = std::max(most.refused, now.refused);
        out_.contact_not_converged += now.not_converged > 0 ? 1 : 0;
        out_.contact_speeds_off += now.speeds_off > 0 ? 1 : 0;
        out_.contact_radii_unsettled += now.radii_unsettled > 0 ? 1 : 0;
    }

    void take_memory(const SceneBody& body, RecordedBody& out) const {
        if (scene_.contact) {
            TouchMotion& touch = out.touch.emplace();
            touch.contacts.resize(frames());
            touch.depth.resize(frames());
            touch.force.resize(3, frames());
        }
        out.q.resize(body.coordinates(), frames());
        if (has_modes(body)) {
            out.turned_by.resize(body.coordinates(), frames());
            out.companions.resize(body.model->warp->companions(), frames());
        }
        out.kinetic.resize(frames());
        out.elastic.resize(frames());
        if (!body.flies()) return;
        RigidMotion& flight = out.flight.emplace();
        flight.potential.resize(frames());
        flight.orientation.resize(4, frames());
        for (Eigen::MatrixXd* each : {&flight.centre, &flight.momentum, &flight.angular_momentum})
            each->resize(3, frames());
    }

    static const WorldBody* find_piece(const World& world, const RecordedPiece& piece) {
        const auto id = world.find(piece.name);
        return id ? world.body(*id) : nullptr;
    }

    // Bodies that came off trees of the scene: a row since the frame at which they are first seen.
    void record_pieces(const World& world, Eigen::Index frame) {
        for (const WorldBody& body : world.bodies()) {
            const bool known = std::any_of(out_.pieces.begin(), out_.pieces.end(),
                                           [&](const RecordedPiece& p) { return p.name == body.name(); });
            const bool of_scene = std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
                                              [&](const SceneBody& b) { return b.name == body.name(); });
            if (!known && !of_scene && !body.subtree().empty()) add_piece(body);
        }
        for (std::size_t p = 0; p < out_.pieces.size(); ++p) {
            RecordedPiece& piece = out_.pieces[p];
            const WorldBody* body = find_piece(world, piece);
            if (!body) {
                repeat_body(frame, piece.body);
                continue;
            }
            record_body(world, *body, {}, frame, piece.body);
            if (piece.body.touch) {
                piece.body.touch->contacts[frame] = body->contacts().points;
                piece.body.touch->depth[frame] = body->contacts().depth;
                piece.body.touch->force.col(frame) = row_seconds_ > 0
                                                         ? Eigen::Vector3d(piece_impulse_[p] / row_seconds_)
                                                         : Eigen::Vector3d(Eigen::Vector3d::Zero());
                piece_impulse_[p].setZero();
            }
        }
    }

    void add_piece(const WorldBody& body) {
        const double numbers = static_cast<double>(body.q().size() + 21) * static_cast<double>(frames());
        piece_numbers_ += numbers;
        if (piece_numbers_ > kMostNumbers)
            throw InputError{"every",
                             fmt::format("{} frames of {} detached domains would take {:.3g} GB", frames(),
                                         out_.pieces.size() + 1, 8e-9 * piece_numbers_),
                             fmt::format("\"every\": {}", 10 * scene_.every)};
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        RecordedBody& out = out_.pieces.emplace_back(RecordedPiece{body.name(), {}}).body;
        piece_impulse_.push_back(body.contacts().impulse);
        const Eigen::Index rows = frames();
        out.q.setConstant(body.q().size(), rows, kNone);
        out.kinetic = out.elastic = Eigen::VectorXd::Constant(rows, kNone);
        const Eigen::MatrixXd vectors = Eigen::MatrixXd::Constant(3, rows, kNone);
        out.flight =
            RigidMotion{out.kinetic, vectors, Eigen::MatrixXd::Constant(4, rows, kNone), vectors, vectors};
        if (scene_.contact) out.touch = TouchMotion{out.kinetic, vectors, out.kinetic};
    }

    // What of a body is recorded beside what every body has.
    struct Shown {
        bool modes = false, poses = false;
    };
    Shown shown_of(const SceneBody& body) const { return {has_modes(body), has_poses(body)}; }

    static void record_body(const World& world, const WorldBody& body, const Shown& shown, Eigen::Index frame,
                            RecordedBody& out) {
        out.q.col(frame) = body.q();
        if (shown.modes) {
            Eigen::VectorXd shape;
            body.shape_coordinates(shape);
            out.turned_by.col(frame) = body.shape_rotations();
            out.companions.col(frame) = shape.tail(out.companions.rows());
        }
        out.kinetic[frame] = body.kinetic_energy();
        out.elastic[frame] = body.elastic_energy();
        if (shown.poses) out.poses.push_back(body.pose());
        if (!out.flight) return;
        const RigidState state = *body.rigid_state();
        const double mass = body.flight()->mass;
        out.flight->potential[frame] = -mass * world.gravity().dot(state.position);
        out.flight->centre.col(frame) = state.position;
        out.flight->orientation.col(frame) = state.orientation.coeffs();
        out.flight->momentum.col(frame) = state.momentum;
        out.flight->angular_momentum.col(frame) =
            state.angular_momentum + state.position.cross(state.momentum);
    }

    // A body that is gone keeps its last row.
    static void repeat_body(Eigen::Index frame, RecordedBody& out) {
        const auto repeat = [&](auto& rows) {
            if (rows.size() > 0) rows.col(frame) = rows.col(frame - 1).eval();
        };
        for (Eigen::MatrixXd* each : {&out.q, &out.turned_by, &out.companions})
            repeat(*each);
        for (Eigen::VectorXd* each : {&out.kinetic, &out.elastic})
            (*each)[frame] = (*each)[frame - 1];
        if (!out.poses.empty()) out.poses.push_back(Pose(out.poses.back()));
        if (!out.flight) return;
        out.flight->potential[frame] = out.flight->potential[frame - 1];
        for (Eigen::MatrixXd* each : {&out.flight->centre, &out.flight->orientation, &out.flight->momentum,
                                      &out.flight->angular_momentum})
            repeat(*each);
    }

    // In world axes: from the rest shape in the body's frame; of one that flies from where the scene placed
    // it at rest.
    Eigen::Vector3d displacement_of(const SceneProbe& probe, const WorldBody& body) const {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (const int v : probe.vertices)
            sum += body.flies()
                       ? Eigen::Vector3d(body.position(v) -
                                         scene_.bodies[probe.body].pose *
                                             body.model()->surface.vertices[static_cast<std::size_t>(v)])
                       : body.displacement(v);
        if (!body.flies()) sum = body.pose().orientation * sum;
        return sum / static_cast<double>(probe.vertices.size());
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

    const Scene& scene_;
    Recording out_;
    std::vector<Eigen::Vector3d> impulse_;        // of contacts since the last row, per body, N s
    std::vector<Eigen::Vector3d> hand_impulse_;   // the same of forces to the hand, per device
    double since_row_ = 0, last_time_ = 0;        // s
    std::vector<Eigen::Vector3d> piece_impulse_;  // as impulse_, per piece
    double row_seconds_ = 0;                      // between the last two rows, s
    double piece_numbers_ = 0;                    // that all frames of all pieces take
};

// Calls step(i), which makes step i and returns when it ended, s.
template <class Step>
Recording run(const Scene& scene, const World& world, Recorder& recorder, const Progress& progress,
              const Step& step) {
    recorder.record(world, 0);
    const long long steps = scene.steps();
    const auto began = std::chrono::steady_clock::now();
    for (long long i = 0; i < steps; ++i) {
        if (i % 64 == 0) tell(progress, "stepping", static_cast<double>(i) / static_cast<double>(steps));
        const double end = step(i);
        recorder.after_step(world, end);
    }
    return recorder.take(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

Recording replay(const Scene& scene, const Progress& progress, const ParallelFor& parallel_for) {
    Recorder recorder(scene);
    WorldDef def;
    def.parallel_for = parallel_for;
    Session session(def);
    for (const auto& [name, model] : scene.models)
        session.add_model(name, model);
    or_throw(session.start_replay(scene.replay->scene, scene.replay->where));
    StepTimes times(session.dt());
    return run(scene, session.world(), recorder, progress, [&](long long i) {
        session.step(1);
        if (session.replay_problem()) throw InputError(*session.replay_problem());
        times.change(session.dt(), i);
        return times.of(i + 1);
    });
}

}  // namespace

Recording simulate(const Scene& scene, const Progress& progress, int threads) {
    const WorldThreads of_steps(threads);
    if (scene.replay) return replay(scene, progress, of_steps.parallel_for());
    Recorder recorder(scene);
    WorldDef def;
    def.gravity = scene.gravity;
    def.parallel_for = of_steps.parallel_for();
    World world(def);
    SceneInputs inputs(scene, world);
    for (const std::string& problem : inputs.start_problems())
        recorder.report(problem);
    const StepTimes times(scene.dt);
    return run(scene, world, recorder, progress, [&](long long i) {
        inputs.before_step(times.of(i), times.of(i + 1));
        world.step(scene.dt);
        return times.of(i + 1);
    });
}

}  // namespace limber::build
