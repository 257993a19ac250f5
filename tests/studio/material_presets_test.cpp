// SPDX-License-Identifier: Apache-2.0
#include "studio/material_presets.h"

#include "studio/job_request.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace limber::studio {
namespace {

TEST(MaterialPresets, EachIsPossibleAndNamesItsSource) {
    std::set<std::string> ids;
    double softer = 0;
    for (const MaterialPreset& preset : material_presets()) {
        EXPECT_TRUE(is_id(preset.id)) << preset.id;
        EXPECT_TRUE(ids.insert(preset.id).second) << preset.id;
        EXPECT_GT(preset.young, softer) << preset.id << ": softest first";
        softer = preset.young;
        // An isotropic material has a positive energy for -1 < nu < 0.5; beyond 0.48 linear elements lock.
        EXPECT_GE(preset.poisson, 0) << preset.id;
        EXPECT_LE(preset.poisson, 0.48) << preset.id;
        EXPECT_GT(preset.density, 10) << preset.id;     // lighter than any solid but aerogel
        EXPECT_LT(preset.density, 23000) << preset.id;  // osmium
        EXPECT_GT(std::string(preset.source).size(), 20u) << preset.id;
    }
    for (const char* wanted : {"rubber", "silicone", "jelly", "foam", "wood", "steel", "cork", "muscle"})
        EXPECT_TRUE(ids.contains(wanted)) << wanted;
}

}  // namespace
}  // namespace limber::studio
