// SPDX-License-Identifier: Apache-2.0
#include "limber/model/model.h"
#include "limber/reduced/stvk_body.h"
#include "limber/rigid/frame.h"
#include "limber/rigid/rigid_body.h"
#include "limber/settings/field_of.h"
#include "limber/warp/constraints.h"

namespace limber {
namespace {

// Of vertices and of basis vectors; the body says how many it has.
constexpr FieldRange kIndex{.least = 0, .most = 2147483647};

const char* const kSayMaterials =
    "Young's modulus, Poisson's ratio and density by the name of the material group";

}  // namespace

template <>
const FieldList<Material>& fields_of() {
    static const FieldList<Material> kFields = {
        field<&Material::young>({"young", "Pa", kMaterialConstant, "Young's modulus: how stiff it is.",
                                 "rubber is about 1e6 Pa, wood 1e10, steel 2e11"}),
        field<&Material::poisson>({"poisson",
                                   "",
                                   {.least = -1, .most = 0.5, .above = true, .below = true},
                                   "Poisson's ratio: how much it narrows when it is stretched.",
                                   "for a nearly incompressible material use 0.45 to 0.49"}),
        field<&Material::density>({"density", "kg/m^3", kMaterialConstant, "Mass per volume.",
                                   "water is 1000 kg/m^3, steel 7800"})};
    return kFields;
}

template <>
const FieldList<StvkSettings>& fields_of() {
    using S = StvkSettings;
    static const FieldList<S> kFields = {
        other_field<S>(FieldKind::Materials,
                       {.name = "materials",
                        .unit = "",
                        .range = {},
                        .sentence = std::string(kSayMaterials) + "; what is not named stays.",
                        .default_text = "as built"}),
        other_field<S>(FieldKind::WholeNumber, {.name = "rank",
                                                .unit = "",
                                                .range = {.least = 1, .most = kMostRank},
                                                .sentence = "Use only the first basis vectors, so many.",
                                                .default_text = "all"}),
        field<&S::coordinates>({.name = "coordinates",
                                .unit = "",
                                .range = kIndex,
                                .sentence = "Use only these basis vectors, numbered from 0, each once.",
                                .default_text = "all"}),
        field<&S::integrator>({"integrator",
                               "",
                               {},
                               "Newmark (implicit, average acceleration), central differences (explicit), "
                               "backward Euler (damps) or the average vector field (keeps energy)."}),
        field<&S::newton>({"newton",
                           "",
                           {.least = 0, .most = 1000},
                           "Newton iterations per step; 0: until the tolerance is met, at most 20.",
                           "1 as a rule, 0 to go on until the tolerance is met"}),
        field<&S::tolerance>({"tolerance", "", kPositive,
                              "Newton's method ends at this residual, relative to the largest force.",
                              "1e-8"}),
        field<&S::alpha>({"damping.alpha", "1/s", kNotNegative,
                          "Rayleigh damping by mass: slow motions, also rigid ones.", "0 for no damping"}),
        field<&S::beta>({"damping.beta", "s", kNotNegative,
                         "Rayleigh damping by the stiffness of the present shape: fast motions.",
                         "0 for no damping"}),
        field<&S::strain_rate>({"damping.strain_rate", "s", kNotNegative,
                                "Viscous stress by the rate of strain; never adds energy.",
                                "0 for no damping"}),
        field<&S::gravity>({.name = "gravity",
                            .unit = "m/s^2",
                            .range = {},
                            .sentence = "In world axes.",
                            .is_of_world = true}),
        field<&S::precision>(
            {"precision", "", {}, "Of energy, force and Newton's matrix; the state is always double."})};
    return kFields;
}

template <>
const FieldList<WarpSettings>& fields_of() {
    using S = WarpSettings;
    static const FieldList<S> kFields = {
        other_field<S>(FieldKind::Materials,
                       {.name = "materials",
                        .unit = "",
                        .range = {},
                        .sentence = std::string(kSayMaterials) +
                                    "; they become the scales, so all groups change by the same factor and "
                                    "Poisson's ratio stays.",
                        .default_text = "as built"}),
        field<&S::warping>(
            {"warping",
             "",
             {},
             "Warped with companions that keep lengths, local (without them, as in the paper), "
             "or plain linear modes."}),
        field<&S::step>({"step", "", {}, "Backward Euler (damps), or exact for a constant force."}),
        field<&S::alpha>({"damping.alpha", "1/s", kNotNegative,
                          "Rayleigh damping by mass: slow motions, also rigid ones.", "0 for no damping"}),
        field<&S::beta>({"damping.beta", "s", kNotNegative, "Rayleigh damping by stiffness: fast motions.",
                         "0 for no damping"}),
        field<&S::gravity>({.name = "gravity",
                            .unit = "m/s^2",
                            .range = {},
                            .sentence = "In world axes.",
                            .is_of_world = true}),
        field<&S::coriolis>({"coriolis", "", {}, "The force of the local frames as they turn."}),
        field<&S::young_scale>({"young_scale", "", kScale, "All of Young's moduli, times those of the model.",
                                "1 for the material that the model was built with"}),
        field<&S::density_scale>({"density_scale", "", kScale, "All densities, times those of the model.",
                                  "1 for the material that the model was built with"})};
    return kFields;
}

template <>
const FieldList<RigidSettings>& fields_of() {
    using S = RigidSettings;
    static const FieldList<S> kFields = {
        field<&S::density>({"density",
                            "kg/m^3",
                            {.least = 0, .most = 1e9, .above = true},
                            "Of the whole body; mass and inertia follow from its closed surface.",
                            "1000 for water, 7800 for steel"}),
        field<&S::gravity>({.name = "gravity",
                            .unit = "m/s^2",
                            .range = {},
                            .sentence = "In world axes.",
                            .is_of_world = true})};
    return kFields;
}

template <>
const FieldList<Constraints>& fields_of() {
    using S = Constraints;
    static const FieldList<S> kFields = {
        field<&S::exercised>({.name = "exercised",
                              .unit = "",
                              .range = kIndex,
                              .sentence = "The surface vertices that the constraint forces act on.",
                              .default_text = "the constrained ones, with torques"}),
        field<&S::priority>({"priority", "", {}, "Which is met first where not all can be."}),
        field<&S::positions_by>(
            {"positions_by",
             "",
             {},
             "How positions are met: by predicted rotations (fast, leaves an error), by Newton's "
             "method, or with the rotations of the previous step."})};
    return kFields;
}

template <>
const FieldList<FrameMotion>& fields_of() {
    using S = FrameMotion;
    static const FieldList<S> kFields = {
        field<&S::orientation>({"orientation", "", {}, "World from frame, x y z w, of unit length."}),
        field<&S::velocity>({"velocity", "m/s", {}, "Of the frame's origin, in world axes."}),
        field<&S::acceleration>({"acceleration", "m/s^2", {}, "Of the frame's origin, in world axes."}),
        field<&S::angular_velocity>({"angular_velocity", "rad/s", {}, "In world axes."}),
        field<&S::angular_acceleration>({"angular_acceleration", "rad/s^2", {}, "In world axes."})};
    return kFields;
}

namespace {

template <class S>
DescribedStruct described(const char* name) {
    DescribedStruct out{name, {}, {}};
    for (const FieldOf<S>& field : fields_of<S>()) {
        out.fields.push_back(field);
        out.defaults.push_back(field.write ? json_text_of(field.write(S{})) : std::string());
    }
    return out;
}

}  // namespace

std::vector<DescribedStruct> described_structs() {
    return {described<StvkSettings>("StvkSettings"),   described<WarpSettings>("WarpSettings"),
            described<RigidSettings>("RigidSettings"), described<Material>("Material"),
            described<Constraints>("Constraints"),     described<FrameMotion>("FrameMotion")};
}

std::string describe_fields_json() {
    nlohmann::json out = nlohmann::json::object();
    for (const DescribedStruct& of : described_structs()) {
        nlohmann::json& list = out[of.name] = nlohmann::json::array();
        for (std::size_t i = 0; i < of.fields.size(); ++i) {
            const Field& field = of.fields[i];
            nlohmann::json entry = {
                {"name", field.name}, {"kind", word_of(field.kind)}, {"sentence", field.sentence}};
            if (!field.unit.empty()) entry["unit"] = field.unit;
            if (field.range.has_least()) entry["least"] = field.range.least;
            if (field.range.has_most()) entry["most"] = field.range.most;
            if (field.range.above) entry["least_excluded"] = true;
            if (field.range.below) entry["most_excluded"] = true;
            if (!of.defaults[i].empty())
                entry["default"] = nlohmann::json::parse(of.defaults[i], nullptr, /*allow_exceptions=*/false);
            if (!field.default_text.empty()) entry["default_text"] = field.default_text;
            if (!field.words.empty()) entry["words"] = field.words;
            if (field.is_of_world) entry["of_world"] = true;
            list.push_back(std::move(entry));
        }
    }
    return json_text_of(out);
}

}  // namespace limber
