// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/stvk_batch.h"

#include "limber/reduced/batch.h"
#include "limber/reduced/stvk_body_impl.h"

#include <cassert>
#include <optional>

namespace limber {
namespace {

// What one sweep needs and finds.
template <class Scalar>
struct StvkSweep {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    Matrix q;  // a column per body
    QuarticBatch<Scalar> batch;

    StvkSweep(int rank, int bodies) : q(Matrix::Zero(rank, bodies)), batch(rank, bodies) {}
};

}  // namespace

struct StvkBatch::Impl {
    std::optional<StvkSweep<double>> doubles;
    std::optional<StvkSweep<float>> floats;

    template <class Scalar>
    std::optional<StvkSweep<Scalar>>& sweep() {
        if constexpr (std::is_same_v<Scalar, double>)
            return doubles;
        else
            return floats;
    }
};

StvkBatch::StvkBatch() : impl_(std::make_unique<Impl>()) {}
StvkBatch::~StvkBatch() = default;
StvkBatch::StvkBatch(StvkBatch&&) noexcept = default;
StvkBatch& StvkBatch::operator=(StvkBatch&&) noexcept = default;

bool StvkBatch::can_share(const StvkBody& a, const StvkBody& b) {
    const auto implicit = [](const StvkBody& body) {
        const StvkIntegrator integrator = body.settings().integrator;
        return integrator == StvkIntegrator::Newmark || integrator == StvkIntegrator::BackwardEuler;
    };
    // One scratch memory, or one each where threads step them: the same coefficients.
    const bool same = std::visit(
        []<class Scalar>(const ReducedSystem<Scalar>& x, const auto& other) {
            if constexpr (std::is_same_v<std::decay_t<decltype(other)>, ReducedSystem<Scalar>>)
                return x.coefficients() == other.coefficients();
            else
                return false;
        },
        a.impl_->scratch->system, b.impl_->scratch->system);
    return same && implicit(a) && implicit(b);
}

// The first point of an implicit step is the present one, so its force and stiffness can be found for all
// bodies together; with one Newton iteration that is all of it.
void StvkBatch::evaluate(const std::vector<StvkBody*>& bodies) {
    if (bodies.empty()) return;
    std::visit(
        [&]<class Scalar>(ReducedSystem<Scalar>& system) {
            const QuarticForm<Scalar>& energy = system.coefficients()->energy;
            std::optional<StvkSweep<Scalar>>& sweep = impl_->sweep<Scalar>();
            const auto count = static_cast<Eigen::Index>(bodies.size());
            if (!sweep || sweep->q.cols() != count || sweep->q.rows() != energy.rank)
                sweep.emplace(energy.rank, static_cast<int>(count));
            for (Eigen::Index i = 0; i < count; ++i) {
                const StvkBody::Impl& body = *bodies[std::size_t(i)]->impl_;
                for (Eigen::Index k = 0; k < body.size(); ++k)
                    sweep->q(k, i) = Scalar(body.state.q[body.settings->coordinates[std::size_t(k)]]);
            }
            limber::evaluate(energy, sweep->q, sweep->batch);
        },
        bodies[0]->impl_->scratch->system);
}

StepReport StvkBatch::trial(int which, StvkBody& body, double dt) {
    std::visit(
        [&]<class Scalar>(ReducedSystem<Scalar>& system) {
            const StvkSweep<Scalar>& sweep = *impl_->sweep<Scalar>();
            assert(which >= 0 && which < sweep.q.cols());
            const Eigen::Index r = sweep.q.rows();
            system.keep(body.impl_->present().u, sweep.batch.force.col(which),
                        sweep.batch.stiffness.middleCols(which * r, r));
        },
        body.impl_->scratch->system);
    const StepReport report = body.impl_->trial(dt, nullptr);
    // A second trial, under impulses, evaluates by itself: its bits must not depend on whether another body
    // used the scratch memory meanwhile.
    std::visit([](auto& system) { system.forget_kept(); }, body.impl_->scratch->system);
    return report;
}

}  // namespace limber
