// SPDX-License-Identifier: Apache-2.0
#include "build/validate/signal.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber::build {

std::vector<double> zero_crossings(const Eigen::VectorXd& signal, double dt) {
    std::vector<double> times;
    if (signal.size() < 2) return times;
    const double away = 0.1 * signal.cwiseAbs().maxCoeff();
    int side = 0;             // on which it has last been away from zero
    double last_passage = 0;  // where the sign changed last, s
    for (Eigen::Index i = 0; i < signal.size(); ++i) {
        if (i > 0 && (signal[i] < 0) != (signal[i - 1] < 0))
            last_passage = dt * (static_cast<double>(i - 1) + signal[i - 1] / (signal[i - 1] - signal[i]));
        if (!(std::abs(signal[i]) >= away) || away == 0) continue;
        const int now = signal[i] > 0 ? 1 : -1;
        if (side != 0 && now != side) times.push_back(last_passage);
        side = now;
    }
    return times;
}

double crossing_frequency(const std::vector<double>& times, std::size_t crossings) {
    assert(crossings >= 2 && crossings <= times.size());
    // Two passages make a period.
    return 0.5 * static_cast<double>(crossings - 1) / (times[crossings - 1] - times[0]);
}

double first_peak(const Eigen::VectorXd& signal, double dt) {
    const auto times = zero_crossings(signal, dt);
    const Eigen::Index samples =
        times.empty() ? signal.size()
                      : std::min<Eigen::Index>(signal.size(), static_cast<Eigen::Index>(times[0] / dt) + 1);
    return signal.head(samples).cwiseAbs().maxCoeff();
}

}  // namespace limber::build
