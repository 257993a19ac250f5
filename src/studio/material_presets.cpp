// SPDX-License-Identifier: Apache-2.0
#include "studio/material_presets.h"

#include <array>

namespace limber::studio {
namespace {

#define ASHBY "Ashby, Materials Selection in Mechanical Design, 5th ed. 2017, appendix A"

constexpr std::array<MaterialPreset, 12> kPresets = {{
    {"jelly", "Jelly (gelatine dessert)", 5e3, 0.48, 1050,
     "order of magnitude of a gel with some 5% gelatine: Hall et al., Phantom materials for elastography, "
     "IEEE "
     "Transactions on Ultrasonics, Ferroelectrics, and Frequency Control 44, 1355 (1997)"},
    {"muscle", "Muscle (relaxed)", 1.2e4, 0.48, 1060,
     "8-17 kPa: Engler et al., Matrix elasticity directs stem cell lineage specification, Cell 126, 677 "
     "(2006); "
     "density: Mendez & Keys, Metabolism 9, 184 (1960)"},
    {"silicone-soft", "Soft silicone (Ecoflex 00-30)", 6.9e4, 0.48, 1070,
     "Smooth-On technical bulletin, Ecoflex series: 100% modulus 10 psi, specific gravity 1.07"},
    {"foam", "Soft foam (flexible polymer foam, very low density)", 5e5, 0.3, 30,
     "0.3-1 MPa, 16-35 kg/m^3, " ASHBY},
    {"rubber", "Natural rubber", 2e6, 0.48, 930, "1.5-2.5 MPa, 920-930 kg/m^3, " ASHBY},
    {"silicone", "Silicone rubber", 5e6, 0.48, 1300, "lower end of 5-20 MPa and 1300-1800 kg/m^3, " ASHBY},
    {"cork", "Cork", 2e7, 0.05, 180,
     "within 13-50 MPa and 120-240 kg/m^3, " ASHBY
     "; Poisson's ratio near 0: Gibson & Ashby, Cellular Solids, 1997"},
    {"plastic", "Soft plastic (low-density polyethylene)", 2e8, 0.45, 920,
     "Callister & Rethwisch, Materials Science and Engineering: LDPE 0.17-0.28 GPa, 925 kg/m^3"},
    {"wood", "Wood (spruce, along the grain; taken as isotropic)", 1e10, 0.37, 400,
     "Sitka spruce, Wood Handbook, USDA Forest Products Laboratory, FPL-GTR-190 (2010), chapters 4 and 5"},
    {"aluminium", "Aluminium", 6.9e10, 0.33, 2700,
     "Callister & Rethwisch, Materials Science and Engineering, tables of elastic moduli"},
    {"glass", "Glass (soda-lime)", 7e10, 0.22, 2470, "68-72 GPa, 2440-2490 kg/m^3, " ASHBY},
    {"steel", "Steel", 2.07e11, 0.30, 7850,
     "plain carbon steel, Callister & Rethwisch, Materials Science and Engineering, tables of elastic "
     "moduli"},
}};

#undef ASHBY

}  // namespace

std::span<const MaterialPreset> material_presets() {
    return kPresets;
}

}  // namespace limber::studio
