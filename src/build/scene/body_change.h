// SPDX-License-Identifier: Apache-2.0
// What scenes say of a body's settings, at the start and in events.
#pragma once
#include <limber/model/model.h>
#include <limber/reduced/stvk_body.h>
#include <limber/warp/warp_body.h>

#include <map>
#include <optional>
#include <string>

namespace limber::build {

enum class SceneMethod { Stvk, Warp };

// What is not named stays.
struct BodyChange {
    struct Constants {
        std::optional<double> young, poisson, density;
    };
    std::map<std::string, Constants> materials;  // by the name of the group
    std::optional<double> alpha, beta;

    // Of a nonlinear body alone.
    std::optional<double> strain_rate;
    std::optional<int> rank;  // the first basis vectors
    std::optional<StvkIntegrator> integrator;
    std::optional<int> newton;  // 0: until the tolerance is met

    // Of a warped body alone.
    std::optional<Warping> warping;
    std::optional<OscillatorStep> step;
    std::optional<LocalCoriolis> coriolis;
    std::optional<double> young_scale, density_scale;
};

// The settings after a change. Throw InputError{where, ...} for groups that the model has not, and for what
// the model cannot do.
StvkSettings changed(StvkSettings settings, const BodyChange& change, const Model& model,
                     const std::string& where);
// Materials become scales, so they must change alike in all groups; Poisson's ratio stays.
WarpSettings changed(WarpSettings settings, const BodyChange& change, const Model& model,
                     const std::string& where);

}  // namespace limber::build
