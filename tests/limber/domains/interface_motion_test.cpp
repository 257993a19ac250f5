// SPDX-License-Identifier: Apache-2.0
#include <limber/domains/interface_motion.h>
#include <limber/rigid/cross_matrix.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <random>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Plate {
    std::vector<Vector3d> points;
    std::vector<double> weights;
    Eigen::MatrixXd basis;  // all affine fields about the centre, then `more` random ones
};

// In the plane z = 0.3, or spread in space.
Plate plate(bool planar, int more, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Plate out;
    Vector3d centre = Vector3d::Zero();
    double total = 0;
    for (int p = 0; p < 7; ++p) {
        out.points.emplace_back(uniform(engine), 0.6 * uniform(engine), planar ? 0.3 : uniform(engine));
        out.weights.push_back(1.2 + uniform(engine));
        centre += out.weights.back() * out.points.back();
        total += out.weights.back();
    }
    centre /= total;
    out.basis = Eigen::MatrixXd::NullaryExpr(21, 12 + more, [&] { return 0.2 * uniform(engine); });
    for (int p = 0; p < 7; ++p)
        for (int l = 0; l < 12; ++l) {
            const int axis = l % 3, factor = l / 3;  // e_axis times x, y, z or 1
            Vector3d u = Vector3d::Zero();
            u[axis] = factor < 3 ? (out.points[std::size_t(p)] - centre)[factor] : 1.0;
            out.basis.block<3, 1>(3 * p, l) = u;
        }
    return out;
}

DomainInterface made(const Plate& of) {
    auto result = interface_of("plate", of.points, of.weights, of.basis);
    EXPECT_TRUE(result.ok());
    return std::move(result).value();
}

// q of a rotation about the centre and a shift.
VectorXd rotated(const DomainInterface& interface, const Matrix3d& Q, const Vector3d& shift) {
    VectorXd q = VectorXd::Zero(interface.shift.cols());
    q.head<9>() = (Q - Matrix3d::Identity()).reshaped();
    q.segment<3>(9) = shift;
    return q;
}

LinkMotion moved(const DomainInterface& interface, const Attachment& attachment, const VectorXd& q,
                 const VectorXd& v, Matrix6Xd* phi = nullptr) {
    LinkMotion out;
    const LinkInterface link(interface);
    MatrixX6d rows(q.size(), 6);
    set_link_rows(link, attachment, move_link(link, attachment, q, v, out), rows);
    if (phi) *phi = rows.transpose();
    return out;
}

TEST(InterfaceMotion, ARigidlyTurnedInterfaceGivesItsRotationWhateverTheAxis) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const bool planar : {true, false})
        for (int trial = 0; trial < 60; ++trial) {
            const DomainInterface interface = made(plate(planar, 3, unsigned(trial)));
            Vector3d axis(uniform(engine), uniform(engine), trial % 3 ? uniform(engine) : 0.0);
            const double angle = (15.0 + 135.0 * trial / 59) * std::numbers::pi / 180;  // up to 150°
            const Matrix3d Q = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
            const Vector3d shift(0.3, -1, 2);
            const VectorXd q = rotated(interface, Q, shift);
            const LinkMotion link = moved(interface, {}, q, VectorXd::Zero(q.size()));
            EXPECT_LE((link.R - Q).norm(), 1e-13) << angle;  // rounding only
            EXPECT_LE((link.x - interface.centre - shift).norm(), 1e-13);
        }
}

// Along q(t) = q₀ + q₁t + q₂t²/2 with central differences of fourth order, step 1e-3: their own error is
// below 1e-10 here.
TEST(InterfaceMotion, DerivativesEqualFiniteDifferencesAlsoOfPlanarInterfacesTurnedBy150Degrees) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    double worst = 0;
    for (const bool planar : {true, false})
        for (int trial = 0; trial < 30; ++trial) {
            const DomainInterface interface = made(plate(planar, 3, unsigned(100 + trial)));
            const Vector3d axis(uniform(engine), uniform(engine), trial % 3 ? uniform(engine) : 0.0);
            const double angle = 150.0 * trial / 29 * std::numbers::pi / 180;
            const Matrix3d Q = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
            VectorXd q0 = rotated(interface, Q, Vector3d(0.1, 0.2, 0.3));
            const auto random = [&](double size) {
                return VectorXd(VectorXd::NullaryExpr(q0.size(), [&] { return size * uniform(engine); }));
            };
            q0 += random(0.05);  // strained as well
            const VectorXd q1 = random(0.3), q2 = random(0.3);
            Attachment attachment;
            attachment.rotation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
            attachment.offset = Vector3d(0.3, -0.2, 0.5);
            attachment.scale = 1.3;
            const auto at = [&](double t, Matrix6Xd* phi = nullptr) {
                return moved(interface, attachment, q0 + t * q1 + 0.5 * t * t * q2, q1 + t * q2, phi);
            };
            Matrix6Xd phi;
            const LinkMotion now = at(0, &phi);
            const double h = 1e-3;
            const LinkMotion a = at(-2 * h), b = at(-h), c = at(h), d = at(2 * h);
            const auto slope = [&](const auto& of) -> decltype(of(a)) {
                return (of(a) - 8 * of(b) + 8 * of(c) - of(d)) / (12 * h);
            };
            const Matrix3d R_rate = slope([](const LinkMotion& l) { return Matrix3d(l.R); });
            const Vector3d x_rate = slope([](const LinkMotion& l) { return Vector3d(l.x); });
            const Vector3d omega_rate = slope([](const LinkMotion& l) { return Vector3d(l.omega); });
            const Vector3d rate_rate = slope([](const LinkMotion& l) { return Vector3d(l.rate); });
            worst = std::max(worst, (R_rate - cross_matrix(now.omega) * now.R).norm());
            worst = std::max(worst, (x_rate - now.rate).norm());
            worst = std::max(worst, (phi.topRows<3>() * q1 - now.rate).norm());
            worst = std::max(worst, (phi.bottomRows<3>() * q1 - now.omega).norm());
            worst = std::max(worst, (omega_rate - phi.bottomRows<3>() * q2 - now.bias_omega).norm());
            worst = std::max(worst, (rate_rate - phi.topRows<3>() * q2 - now.bias).norm());
        }
    RecordProperty("worst", std::to_string(worst));
    EXPECT_LE(worst, 1e-8);
}

TEST(InterfaceMotion, PointsWithoutAFrameAreRefusedWithTheirPlace) {
    const Eigen::MatrixXd none2 = Eigen::MatrixXd::Zero(6, 1), none4 = Eigen::MatrixXd::Zero(12, 1);
    const auto two = interface_of("a to b", {Vector3d::Zero(), Vector3d::UnitX()}, {1, 1}, none2);
    ASSERT_FALSE(two.ok());
    EXPECT_NE(two.error().problem.find("2 vertices"), std::string::npos);
    EXPECT_EQ(two.error().where, "interface a to b");
    const auto line = interface_of(
        "a to b", {Vector3d(1, 0, 0), Vector3d(2, 0, 0), Vector3d(3, 0, 0), Vector3d(4, 1e-6, 0)},
        {1, 1, 1, 1}, none4);
    ASSERT_FALSE(line.ok());
    EXPECT_NE(line.error().problem.find("in one line"), std::string::npos);
    EXPECT_NE(line.error().problem.find("(2.5, "), std::string::npos);
}

}  // namespace
}  // namespace limber
