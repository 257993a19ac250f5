// SPDX-License-Identifier: Apache-2.0
// The simulated device against sampled-data theory (docs/math/haptics.md, section 4): the stiffness at which
// the loop of device, hold, delay and coupling begins to oscillate, marched here and as eigenvalues there.
#include <limber/haptics/coupling.h>
#include <limber/haptics/simulated_device.h>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

// The loop with a still proxy at 0, as a linear map of its state from one reading to the next, eq. (12):
// position, velocity, the reading before, and the forces on their way. Exact by matrix exponentials; the
// device under test integrates by Runge-Kutta.
MatrixXd loop_matrix(const SimulatedDevice& device, const Hand& hand, const VirtualCoupling& coupling) {
    const double T = device.period;
    const int d = static_cast<int>(std::floor(device.delay / T + 1e-9));
    const double begins = std::max(0.0, device.delay - d * T);
    // (x, v, held force) in continuous time.
    MatrixXd continuous = MatrixXd::Zero(3, 3);
    continuous(0, 1) = 1;
    continuous(1, 0) = -hand.stiffness / device.mass;
    continuous(1, 1) = -(device.damping + hand.damping) / device.mass;
    continuous(1, 2) = 1 / device.mass;
    const MatrixXd first = (continuous * begins).exp(), second = (continuous * (T - begins)).exp();
    // State: x, v, x of the reading before, then forces F_{k-1}, …, F_{k-d-1}.
    const int n = 3 + d + 1;
    // F_k = −k_c x_k − b_c (x_k − x_{k−1})/T as a row.
    MatrixXd newest = MatrixXd::Zero(1, n);
    newest(0, 0) = -coupling.stiffness - coupling.damping / T;
    newest(0, 2) = coupling.damping / T;
    const auto force_row = [&](int back) -> MatrixXd {  // F_{k-back}
        if (back == 0) return newest;
        MatrixXd row = MatrixXd::Zero(1, n);
        row(0, 3 + back - 1) = 1;
        return row;
    };
    MatrixXd out = MatrixXd::Zero(n, n);
    // The force of d + 1 periods ago acts until `begins`, then that of d periods ago.
    MatrixXd mid = MatrixXd::Zero(2, n);
    mid.leftCols(2) = first.topLeftCorner(2, 2);
    mid += first.block(0, 2, 2, 1) * force_row(d + 1);
    out.topRows(2) = second.topLeftCorner(2, 2) * mid + second.block(0, 2, 2, 1) * force_row(d);
    out(2, 0) = 1;
    for (int back = 1; back <= d + 1; ++back)
        out.row(3 + back - 1) = force_row(back - 1);
    return out;
}

double spectral_radius(const MatrixXd& m) {
    return m.eigenvalues().cwiseAbs().maxCoeff();
}

// Whether a small push grows: the largest motion of the last fifth against that of the fifth before.
bool grows(const SimulatedDevice& device, Hand hand, const VirtualCoupling& coupling) {
    SimulatedDeviceState state;
    state.position = {1e-3, 0, 0};
    Vector3d before = state.position;
    constexpr int kPeriods = 20000;
    double late = 0, earlier = 0;
    for (int k = 0; k < kPeriods; ++k) {
        const Vector3d x = state.position;
        const Vector3d force =
            -coupling_force(coupling, before, x, Vector3d::Zero(), Vector3d::Zero(), device.period);
        before = x;
        advance(device, hand, force, state);
        const double size = std::hypot(state.position.x(), state.velocity.x() * 0.01);
        if (!(size < 1e6)) return true;
        if (k >= kPeriods * 4 / 5)
            late = std::max(late, size);
        else if (k >= kPeriods * 3 / 5)
            earlier = std::max(earlier, size);
    }
    return late > earlier && late > 1e-12;
}

template <class IsUnstable>
double critical_stiffness(double low, double high, const IsUnstable& is_unstable) {
    for (int i = 0; i < 18; ++i) {
        const double middle = std::sqrt(low * high);
        (is_unstable(middle) ? high : low) = middle;
    }
    return std::sqrt(low * high);
}

TEST(SimulatedDevice, BeginsToOscillateWhereSampledDataTheorySays) {  // eq. (12)
    struct Case {
        double mass, damping, delay, coupling_damping, hand_stiffness, hand_damping;
    };
    for (const Case& c :
         {Case{0.1, 0.5, 0, 0, 0, 0}, Case{0.1, 0.5, 0.001, 0, 0, 0}, Case{0.2, 2, 0.002, 0, 0, 0},
          Case{0.05, 1, 0.003, 0, 0, 0}, Case{0.1, 1, 0.0005, 0, 0, 0}, Case{0.1, 1, 0.0017, 3, 0, 0},
          Case{0.1, 0.2, 0, 5, 0, 0}, Case{0.1, 0.5, 0.001, 2, 300, 3}}) {
        const SimulatedDevice device{c.mass, c.damping, 0.001, c.delay};
        Hand hand;
        hand.stiffness = c.hand_stiffness;
        hand.damping = c.hand_damping;
        ASSERT_FALSE(simulated_device_problem(device, hand.stiffness, hand.damping));
        const double theory = critical_stiffness(1, 1e6, [&](double k) {
            return spectral_radius(loop_matrix(device, hand, {k, c.coupling_damping})) > 1;
        });
        const double marched = critical_stiffness(1, 1e6, [&](double k) {
            return grows(device, hand, {k, c.coupling_damping});
        });
        // The aim is 15%; growth within 20 s is told from decay to a thousandth.
        EXPECT_NEAR(marched, theory, 0.005 * theory)
            << c.mass << " kg, " << c.damping << " N s/m, " << c.delay << " s";
        // A slow oscillation, eq. (14): k_c < (b + b_c)/(T/2 + τ) as far as it is slow against T and m/b.
        if (c.hand_stiffness == 0 && c.coupling_damping == 0) {
            EXPECT_NEAR(theory, c.damping / (0.0005 + c.delay), 0.15 * theory);
        }
    }
}

TEST(SimulatedDevice, FallsBackOnItsHandAsAnOscillatorDoes) {
    // Undamped, no force: x = cos ωt, exactly; ω = 100 rad/s.
    const SimulatedDevice device{0.1, 0, 0.001, 0};
    Hand hand;
    hand.stiffness = 1000;
    SimulatedDeviceState state;
    state.position = {1, 0, 0};
    for (int k = 1; k <= 1000; ++k) {
        advance(device, hand, Vector3d::Zero(), state);
        ASSERT_NEAR(state.position.x(), std::cos(0.1 * k), 1e-5);  // 100 radians of Runge-Kutta's phase
    }
}

TEST(SimulatedDevice, BalancesItsEnergy) {
    // Held forces in, damping out, the rest is motion.
    const SimulatedDevice device{0.1, 1.5, 0.001, 0.0013};
    SimulatedDeviceState state;
    for (int k = 0; k < 2000; ++k)
        advance(device, {}, Vector3d(std::sin(0.03 * k), std::cos(0.05 * k), 0.1), state);
    const double kinetic = 0.5 * device.mass * state.velocity.squaredNorm();
    EXPECT_NEAR(state.work_of_force, kinetic + state.dissipated, 1e-8 * state.dissipated);
}

TEST(SimulatedDevice, RefusesWhatItCannotResolve) {
    EXPECT_EQ(simulated_device_problem({0, 1, 0.001, 0}, 0, 0)->where, "mass");
    EXPECT_EQ(simulated_device_problem({0.1, -1, 0.001, 0}, 0, 0)->where, "damping");
    EXPECT_EQ(simulated_device_problem({0.1, 1, 0, 0}, 0, 0)->where, "period");
    EXPECT_EQ(simulated_device_problem({0.1, 1, 0.001, 0.1}, 0, 0)->where, "delay");
    EXPECT_EQ(simulated_device_problem({1e-9, 1, 0.001, 0}, 0, 0)->where, "mass");
    EXPECT_EQ(simulated_device_problem({0.1, 1, 0.001, 0}, NAN, 0)->where, "stiffness");
}

}  // namespace
}  // namespace limber
