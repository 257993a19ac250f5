// SPDX-License-Identifier: Apache-2.0
#include "limber/contact/contact_settings.h"
#include "limber/haptics/device_settings.h"
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

constexpr FieldRange kDomainFactor{.least = kLeastDomainFactor, .most = kMostDomainFactor};

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
                                                .sentence = "Number of basis vectors used, from the first.",
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
const FieldList<DeviceSettings>& fields_of() {
    using S = DeviceSettings;
    static const FieldList<S> kFields = {
        field<&S::radius>({"radius",
                           "m",
                           {.least = 1e-9, .most = 1e9},
                           "Of the proxy, the sphere that touches bodies.",
                           "0.01"}),
        field<&S::stiffness>({"stiffness",
                              "N/m",
                              {.least = 0, .most = 1e12, .above = true},
                              "Of the coupling between device and proxy.",
                              "500"}),
        field<&S::damping>(
            {"damping", "N s/m", {.least = 0, .most = 1e9}, "Of the coupling between device and proxy."}),
        field<&S::mass>({"mass", "kg", {.least = 0, .most = 1e6}, "Of the proxy; at 0 it follows at once."}),
        field<&S::device_damping>(
            {"device_damping",
             "N s/m",
             {.least = 0, .most = 1e9},
             "Of the device itself. Where it is given, the coupling is scaled down to "
             "what is passive for any hand; at 0 it is unknown, and nothing is claimed."}),
        field<&S::delay>({"delay",
                          "s",
                          {.least = 0, .most = 1},
                          "From a reading to the force that answers it; at most 15 steps count."}),
        field<&S::max_speed>({"max_speed",
                              "m/s",
                              {.least = 0, .most = 1e9, .above = true},
                              "Readings that are faster are followed at this speed, and reported.",
                              "5"}),
        field<&S::max_force>({"max_force",
                              "N",
                              {.least = 0, .most = 1e12, .above = true},
                              "What is beyond is cut, and reported.",
                              "10"}),
        field<&S::friction>({.name = "friction",
                             .unit = "",
                             .range = {.least = 0, .most = 1000},
                             .sentence = "Of the proxy; auto: that of the contact settings.",
                             .what_helps = "\"auto\", or 0.5"})};
    return kFields;
}

template <>
const FieldList<DomainState>& fields_of() {
    using S = DomainState;
    static const FieldList<S> kFields = {
        field<&S::young>({"young_scale", "", kDomainFactor,
                          "Young's moduli of the domain, times those of its part.",
                          "1 for the material that the part was built with"}),
        field<&S::density>({"density_scale", "", kDomainFactor,
                            "Densities of the domain, times those of its part.",
                            "1 for the material that the part was built with"}),
        field<&S::frozen>({"frozen", "", {}, "The domain keeps its shape and moves like a rigid one."}),
        field<&S::detached>(
            {"detach",
             "",
             {},
             "The domain and all that hangs on it come off, for ever: while a world runs they "
             "become a free body named TREE.DOMAIN, at the start of a body they are left out."}),
        field<&S::part>(
            {.name = "replace",
             .unit = "",
             .range = {},
             .sentence =
                 "Another part of the same model in its place, at rest in the domain's frame; empty: that it "
                 "was built with. It must have as many coordinates, vertices and triangles, and interfaces "
                 "of the same names for what hangs on the domain.",
             .default_text = "as built"})};
    return kFields;
}

template <>
const FieldList<DomainsSettings>& fields_of() {
    using S = DomainsSettings;
    static const FieldList<S> kFields = {
        field<&S::coupling>({"coupling",
                             "",
                             {},
                             "What a domain feels of those that hang on it: exact, or their mass at the "
                             "interface (L1) or at its centre (L2), as in the paper."}),
        field<&S::tolerance>({"tolerance",
                              "",
                              {.least = 0, .most = 0.1, .above = true},
                              "Newton's method ends at a correction of this part of the accelerations.",
                              "0.01"}),
        field<&S::alpha>({"damping.alpha", "1/s", kNotNegative,
                          "Rayleigh damping by mass, of each domain in its own frame.", "0 for no damping"}),
        field<&S::beta>({"damping.beta", "s", kNotNegative,
                         "Rayleigh damping by the stiffness of each domain at rest: fast motions.",
                         "0 for no damping"}),
        field<&S::gravity>({.name = "gravity",
                            .unit = "m/s^2",
                            .range = {},
                            .sentence = "In world axes.",
                            .is_of_world = true}),
        other_field<S>(
            FieldKind::Domains,
            {.name = "domains",
             .unit = "",
             .range = {},
             .sentence =
                 "Domains by name: `young_scale`, `density_scale`, `frozen`, `detach`, `replace`; what "
                 "is not named stays.",
             .default_text = "as built"})};
    return kFields;
}

template <>
const FieldList<ContactSettings>& fields_of() {
    using S = ContactSettings;
    static const FieldList<S> kFields = {
        field<&S::enabled>({"enabled", "", {}, "Whether bodies touch obstacles and each other."}),
        field<&S::stiffness>({.name = "stiffness",
                              .unit = "Pa/m",
                              .range = {.least = 1, .most = 1e15},
                              .sentence =
                                  "Pressure per depth of overlap, whatever the mesh; chosen from sizes, "
                                  "weights and materials, and reported in the result.",
                              .what_helps = "\"auto\", or 1e8"}),
        field<&S::dissipation>({"dissipation",
                                "s/m",
                                {.least = 0, .most = 1e6},
                                "How much a contact damps: none pushes apart faster than one over this.",
                                "1; 0 for contact that loses nothing"}),
        field<&S::friction>({"friction",
                             "",
                             {.least = 0, .most = 1000},
                             "Of bodies and obstacles that have none of their own; between two it is the "
                             "geometric mean of theirs.",
                             "0.5; ice has 0.05, rubber 1"}),
        field<&S::self>({"self", "", {}, "Whether a body touches itself."}),
        field<&S::margin>({.name = "margin",
                           .unit = "m",
                           .range = {.least = 0, .most = 1e6, .above = true},
                           .sentence = "Gap below which a contact is listed; a hundredth of the smallest "
                                       "body.",
                           .what_helps = "\"auto\""}),
        field<&S::sleep>({"sleep",
                          "",
                          {},
                          "Bodies at rest with all that they touch are not stepped until something wakes "
                          "them."})};
    return kFields;
}

template <>
const FieldList<WindSettings>& fields_of() {
    using S = WindSettings;
    static const FieldList<S> kFields = {
        field<&S::velocity>({"velocity", "m/s", {}, "Of the air on average, at most 1000 m/s."}),
        field<&S::drag>({"drag",
                         "",
                         {.least = 0, .most = kMostWindDrag},
                         "Coefficient C of the force ½ρCAu² with ρ = 1.2 kg/m³.",
                         "1"}),
        field<&S::gusts>({"gusts",
                          "",
                          {.least = 0, .most = kMostGusts},
                          "Standard deviation of each component over the mean speed.",
                          "0.3"}),
        field<&S::seed>(
            {"seed", "", {.least = 0, .most = kMostSeed}, "Of the gusts: each has its own.", "1"})};
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
    return {described<StvkSettings>("StvkSettings"),       described<WarpSettings>("WarpSettings"),
            described<RigidSettings>("RigidSettings"),     described<DomainsSettings>("DomainsSettings"),
            described<DomainState>("DomainState"),         described<Material>("Material"),
            described<Constraints>("Constraints"),         described<FrameMotion>("FrameMotion"),
            described<ContactSettings>("ContactSettings"), described<DeviceSettings>("DeviceSettings"),
            described<WindSettings>("WindSettings")};
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
