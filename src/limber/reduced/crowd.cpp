// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/crowd.h"

#include "limber/reduced/batch.h"
#include "limber/reduced/stvk_body_impl.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace limber {
namespace {

// What one sweep needs and finds, for bodies that share `coefficients`.
template <class Scalar>
struct Shared {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    std::shared_ptr<const ReducedCoefficients<Scalar>> coefficients;
    Matrix q;  // a column per body
    QuarticBatch<Scalar> batch;

    Shared(std::shared_ptr<const ReducedCoefficients<Scalar>> of, int bodies)
        : coefficients(std::move(of)),
          q(Matrix::Zero(coefficients->energy.rank, bodies)),
          batch(coefficients->energy.rank, bodies) {}
};

}  // namespace

struct Crowd::Impl {
    std::vector<StvkBody> bodies;
    std::vector<StepReport> reports;
    std::variant<Shared<double>, Shared<float>> shared;
};

Crowd::Crowd(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Crowd::~Crowd() = default;
Crowd::Crowd(Crowd&&) noexcept = default;
Crowd& Crowd::operator=(Crowd&&) noexcept = default;

int Crowd::size() const {
    return static_cast<int>(impl_->bodies.size());
}
StvkBody& Crowd::operator[](int body) {
    assert(0 <= body && body < size());
    return impl_->bodies[static_cast<std::size_t>(body)];
}
const StvkBody& Crowd::operator[](int body) const {
    assert(0 <= body && body < size());
    return impl_->bodies[static_cast<std::size_t>(body)];
}

CrowdResult make_crowd(const StvkBody& first, int count) {
    if (count < 1)
        return {std::nullopt, {"crowd", std::to_string(count) + " bodies were asked for", "at least 1"}};
    std::vector<StvkBody> bodies;
    for (int i = 0; i < count; ++i)
        bodies.push_back(first.clone());
    auto shared = std::visit(
        [&]<class Scalar>(
            const ReducedSystem<Scalar>& system) -> std::variant<Shared<double>, Shared<float>> {
            return Shared<Scalar>(system.coefficients(), count);
        },
        first.impl_->system);
    return {
        Crowd(std::make_unique<Crowd::Impl>(Crowd::Impl{
            std::move(bodies), std::vector<StepReport>(static_cast<std::size_t>(count)), std::move(shared)})),
        {}};
}

const std::vector<StepReport>& Crowd::step(double dt) {
    std::visit(
        [&]<class Scalar>(Shared<Scalar>& shared) {
            // The first point of an implicit step is the present one, so its force and stiffness can be found
            // for all bodies together.
            const auto sharing = [&](std::size_t i) {
                StvkBody::Impl& body = *impl_->bodies[i].impl_;
                auto* system = std::get_if<ReducedSystem<Scalar>>(&body.system);
                const bool implicit = body.settings.integrator == StvkIntegrator::Newmark ||
                                      body.settings.integrator == StvkIntegrator::BackwardEuler;
                return implicit && system && system->coefficients() == shared.coefficients ? system : nullptr;
            };
            const Eigen::Index r = shared.q.rows();
            for (std::size_t i = 0; i < impl_->bodies.size(); ++i)
                if (sharing(i))
                    shared.q.col(Eigen::Index(i)) = impl_->bodies[i].impl_->motion.u.template cast<Scalar>();
            evaluate(shared.coefficients->energy, shared.q, shared.batch);
            for (std::size_t i = 0; i < impl_->bodies.size(); ++i)
                if (auto* system = sharing(i))
                    system->keep(impl_->bodies[i].impl_->motion.u, shared.batch.force.col(Eigen::Index(i)),
                                 shared.batch.stiffness.middleCols(Eigen::Index(i) * r, r));
        },
        impl_->shared);
    for (std::size_t i = 0; i < impl_->bodies.size(); ++i)
        impl_->reports[i] = impl_->bodies[i].step(dt);
    return impl_->reports;
}

}  // namespace limber
