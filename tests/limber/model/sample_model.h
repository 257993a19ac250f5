// SPDX-License-Identifier: Apache-2.0
// Small models for tests of the model file: a bar along x whose basis bends, twists and stretches it.
#pragma once
#include <limber/model/model_file.h>

#include <string>

namespace limber {

enum class SampleElements { Tets, Bricks };

struct SampleOptions {
    int cells = 3;  // along x, each a cube of 0.1 m
    int rank = 3;
    int groups = 2;
    SampleElements elements = SampleElements::Bricks;
};

// The coefficients are made up, different in every entry; all sizes and ids are right. The basis of the
// surface is kept as doubles.
Model sample_model(const SampleOptions& options = {});

// The basis of the surface kept once, as the floats of the morph targets: what `limber build` makes.
Model in_floats(Model model);

// The file of a model that is sound.
std::string file_bytes(const Model& model, const std::vector<RecordedMotion>& motions = {},
                       const ModelFileOptions& options = {});

// The model's reduced energy, as a copy of its own that may be changed.
StvkModel& own_stvk(Model& model);

// Inertia tensors of [X U], made up too: a Gram matrix, with the mass, weight and moments that are parts of
// it.
Model with_tensors(Model model);

// Only the surface, materials and inertia: what a rigid body needs.
Model without_basis(Model model);

// The volume taken out, as `limber build --lean` does.
Model lean(Model model);

// Two materials, one with a texture in PNG, and texture coordinates; a seam splits the vertices at x = 0.
Model textured(Model model);

// Two modes to warp over three nodes and all vertices: numbers that floats hold.
Model warped(Model model);

// Weight i is largest_weight sin(0.03 (i + 1) frame), at 24 frames a second.
RecordedMotion sample_motion(const Model& model, int frames, double largest_weight);

// 2 x 2 pixels.
std::string sample_png();

}  // namespace limber
