// SPDX-License-Identifier: Apache-2.0
// Settings as JSON: every field of the lists is read, written and refused as its description says.
#include "tests/limber/model/sample_model.h"

#include <limber/settings/read_settings.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace limber::test {
namespace {

using Json = nlohmann::json;

// Two groups, three basis vectors, two modes.
const Model& model() {
    static const Model kModel = warped(sample_model());
    return kModel;
}

// { "damping": { "alpha": value } }
Json nested(const std::string& name, const Json& value) {
    const auto dot = name.find('.');
    if (dot == std::string::npos) return {{name, value}};
    return {{name.substr(0, dot), {{name.substr(dot + 1), value}}}};
}

Json member(const Json& json, const std::string& name) {
    const auto dot = name.find('.');
    return dot == std::string::npos ? json.at(name) : json.at(name.substr(0, dot)).at(name.substr(dot + 1));
}

// Allowed values that are not the default.
std::vector<Json> other_values(const Field& field) {
    switch (field.kind) {
        case FieldKind::Number:
            return {0.25, 0.125};
        case FieldKind::WholeNumber:
            return {2, 3};
        case FieldKind::Flag:
            return {true};
        case FieldKind::Word:
            return std::vector<Json>(field.words.begin(), field.words.end());
        case FieldKind::Text:
            return {"leaf"};
        case FieldKind::Vector3:
            return {Json::array({1.5, -2, 3})};
        case FieldKind::Quaternion:
            return {Json::array({0, 0.6, 0, 0.8})};
        case FieldKind::WholeNumbers:
            return {Json::array({2, 0}), Json::array({1})};
        case FieldKind::NumberOrAuto:
            return {0.25, "auto"};
        case FieldKind::Materials:
        case FieldKind::Domains:
            return {Json::object()};
    }
    return {};
}

// Values of the wrong type, and numbers outside of the range by one unit in the last place.
std::vector<Json> bad_values(const Field& field) {
    std::vector<Json> out = {nullptr, "no such word", Json::array({0, 0}), Json{{"no such key", 1}}};
    const double least = field.range.least, most = field.range.most,
                 inf = std::numeric_limits<double>::infinity();
    switch (field.kind) {
        case FieldKind::Text:
            out[1] = 3;
            break;
        case FieldKind::Number:
            out.push_back(field.range.above ? least : std::nextafter(least, -inf));
            out.push_back(field.range.below ? most : std::nextafter(most, inf));
            out.push_back(std::nan(""));
            out.push_back(true);
            break;
        case FieldKind::WholeNumber:
            out.push_back(least - 1);
            out.push_back(std::int64_t(least) - 1);
            out.push_back(std::int64_t(most) + 1);
            out.push_back(1.5);
            break;
        case FieldKind::Vector3:
            out.push_back(Json::array({0, 0, std::nan("")}));
            out.push_back(Json::array({0, 0, 0, 0}));
            break;
        case FieldKind::Quaternion:
            out.push_back(Json::array({0, 0, 0, 0}));
            out.push_back(Json::array({0, 0, 0, 1.00001}));
            break;
        case FieldKind::WholeNumbers:
            out[2] = Json::array({-1});
            out.push_back(Json::array({0.5}));
            out.push_back(7);
            break;
        default:
            out.push_back(7);
    }
    return out;
}

template <class Settings>
InputError error_of(const Json& json) {
    Settings settings;
    const Status status = read_settings(json, "s.json: bodies[0]", model(), settings);
    return status.ok() ? InputError{} : status.error();
}

template <class Settings>
void every_field_round_trips() {
    for (const FieldOf<Settings>& field : fields_of<Settings>())
        for (const Json& value : other_values(field)) {
            Settings settings;
            const Status status = read_settings(nested(field.name, value), "s", model(), settings);
            ASSERT_TRUE(status.ok()) << field.name << ": " << status.error().problem;
            if (!field.write) continue;
            const Json written = write_settings(model(), settings);
            EXPECT_EQ(member(written, field.name), value) << field.name;
            Settings again;
            ASSERT_TRUE(read_settings(written, "s", model(), again).ok()) << field.name;
            EXPECT_EQ(write_settings(model(), again), written) << field.name;
        }
}

TEST(Settings, EveryFieldGoesThroughJsonAndBack) {
    every_field_round_trips<StvkSettings>();
    every_field_round_trips<WarpSettings>();
}

template <class Settings>
void every_bad_value_is_refused() {
    for (const FieldOf<Settings>& field : fields_of<Settings>())
        for (const Json& value : bad_values(field)) {
            Settings settings;
            settings.alpha = 0.75;
            const Json before = write_settings(model(), settings);
            Json change = nested(field.name, value);
            if (!change.contains("damping")) change["damping"]["alpha"] = 0.5;
            const Status status = read_settings(change, "s.json: bodies[0]", model(), settings);
            ASSERT_FALSE(status.ok()) << field.name << " " << value;
            EXPECT_EQ(status.error().where.find("s.json: bodies[0]." + field.name), 0u)
                << status.error().where << " for " << field.name;
            EXPECT_EQ(write_settings(model(), settings), before) << "nothing changes on an error";
        }
}

TEST(Settings, EveryValueOfTheWrongTypeOrOutOfRangeIsRefusedAndNothingChanges) {
    every_bad_value_is_refused<StvkSettings>();
    every_bad_value_is_refused<WarpSettings>();
}

TEST(Settings, AreAsTheStructsHaveThemUnlessNamed) {
    StvkSettings settings;
    ASSERT_TRUE(
        read_settings(Json::parse(R"({"newton": 3, "damping": {"beta": 0.5}})"), "s", model(), settings)
            .ok());
    EXPECT_EQ(settings.newton, 3);
    EXPECT_EQ(settings.beta, 0.5);
    ASSERT_TRUE(read_settings(Json::parse(R"({"damping": {"alpha": 2}, "integrator": "energy"})"), "s",
                              model(), settings)
                    .ok());
    EXPECT_EQ(settings.newton, 3);
    EXPECT_EQ(settings.beta, 0.5);
    EXPECT_EQ(settings.alpha, 2);
    EXPECT_EQ(settings.integrator, StvkIntegrator::EnergyPreserving);
    ASSERT_TRUE(read_settings(Json::object(), "s", model(), settings).ok());
    EXPECT_EQ(settings.alpha, 2);
}

TEST(Settings, ChooseBasisVectorsThatTheModelHas) {
    StvkSettings settings;
    ASSERT_TRUE(read_settings({{"rank", 2}}, "s", model(), settings).ok());
    EXPECT_EQ(settings.coordinates, (std::vector<int>{0, 1}));
    EXPECT_EQ(error_of<StvkSettings>({{"rank", 4}}).problem,
              "rank 4 was asked for; the model has 3 basis vectors");
    EXPECT_EQ(error_of<StvkSettings>({{"coordinates", {0, 3}}}).where, "s.json: bodies[0].coordinates[1]");
    EXPECT_EQ(error_of<StvkSettings>({{"coordinates", {1, 1}}}).problem,
              "basis vector 1 was asked for twice");
    EXPECT_NE(error_of<StvkSettings>({{"coordinates", {1}}, {"rank", 1}}).problem, "");
}

TEST(Settings, UnknownKeysAreNamedWithTheNearest) {
    const InputError error = error_of<StvkSettings>({{"integrater", "newmark"}});
    EXPECT_EQ(error.where, "s.json: bodies[0]");
    EXPECT_EQ(error.problem, "unknown key 'integrater'");
    EXPECT_EQ(error.try_this, "'integrator'");
    const InputError inner = error_of<WarpSettings>({{"damping", {{"alfa", 1}}}});
    EXPECT_EQ(inner.where, "s.json: bodies[0].damping");
    EXPECT_EQ(inner.try_this, "'alpha'");
    EXPECT_EQ(error_of<StvkSettings>({{"integrator", "newmarc"}}).try_this, "'newmark'");
}

TEST(Settings, KeysOfTheOtherMethodSayWhichItIs) {
    for (const char* key : {"warping", "step", "coriolis", "young_scale", "density_scale"}) {
        const InputError error = error_of<StvkSettings>({{key, 1}});
        EXPECT_EQ(error.problem, "'" + std::string(key) + "' is a key of warped bodies");
        EXPECT_EQ(error.try_this, "\"method\": \"warp\", or leave it out");
    }
    for (const char* key : {"rank", "coordinates", "integrator", "newton", "tolerance", "precision"})
        EXPECT_EQ(error_of<WarpSettings>({{key, 1}}).problem,
                  "'" + std::string(key) + "' is a key of nonlinear bodies");
    EXPECT_EQ(error_of<WarpSettings>({{"damping", {{"strain_rate", 1}}}}).where,
              "s.json: bodies[0].damping.strain_rate");
}

TEST(Settings, MaterialsAreNamedByTheirGroup) {
    const std::string first = model().groups[0].name, second = model().groups[1].name;
    StvkSettings settings;
    ASSERT_TRUE(read_settings({{"materials", {{second, {{"young", 5e5}}}}}}, "s", model(), settings).ok());
    ASSERT_EQ(settings.materials.size(), 2u);
    EXPECT_EQ(settings.materials[1].young, 5e5);
    EXPECT_EQ(settings.materials[1].density, model().groups[1].material.density);
    EXPECT_EQ(settings.materials[0].young, model().groups[0].material.young);
    const Json written = write_settings(model(), settings);
    StvkSettings again;
    ASSERT_TRUE(read_settings(written, "s", model(), again).ok());
    EXPECT_EQ(again.materials[1].young, 5e5);
    const auto bad = [&](const char* constant, const Json& value) {
        return error_of<StvkSettings>({{"materials", {{first, {{constant, value}}}}}});
    };
    EXPECT_EQ(bad("young", -1).where, "s.json: bodies[0].materials." + first + ".young");
    EXPECT_EQ(bad("young", -1).problem, "it is -1 Pa; it must be from 1e-20 to 1e+20");
    EXPECT_EQ(bad("poisson", 0.5).problem, "it is 0.5; it must be between -1 and 0.5, both excluded");
    EXPECT_NE(bad("density", 0).problem, "");
    EXPECT_EQ(bad("yong", 1).try_this, "'young'");
    EXPECT_EQ(error_of<StvkSettings>({{"materials", {{first + "x", Json::object()}}}}).try_this,
              "'" + first + "'");
}

TEST(Settings, MaterialsOfWarpedBodiesBecomeScales) {
    Json twice = Json::object();
    for (const ModelGroup& group : model().groups)
        twice[group.name] = {{"young", 6 * group.material.young}, {"poisson", group.material.poisson}};
    WarpSettings settings{.young_scale = 3, .density_scale = 0.5};
    ASSERT_TRUE(read_settings({{"materials", twice}}, "s", model(), settings).ok());
    EXPECT_NEAR(settings.young_scale, 6, 1e-12);
    EXPECT_NEAR(settings.density_scale, 0.5, 1e-12);
    const std::string first = model().groups[0].name;
    const auto bad = [&](const Json& constants) {
        return error_of<WarpSettings>({{"materials", {{first, constants}}}});
    };
    EXPECT_NE(bad({{"young", 2 * model().groups[0].material.young}}).problem.find("alike"),
              std::string::npos);
    EXPECT_NE(bad({{"poisson", 0.1}}).problem.find("Poisson"), std::string::npos);
    EXPECT_NE(error_of<WarpSettings>({{"materials", twice}, {"young_scale", 2}}).problem.find("both"),
              std::string::npos);
    Json far = twice;
    for (auto& constants : far)
        constants["young"] = 1e20;
    EXPECT_NE(error_of<WarpSettings>({{"materials", far}}).problem, "");
}

TEST(Settings, OfABodyInASceneAreWithoutTheWorlds) {
    const auto& keys = body_settings_keys();
    EXPECT_EQ(std::count(keys.begin(), keys.end(), "damping"), 1);
    EXPECT_EQ(std::count(keys.begin(), keys.end(), "gravity"), 0);
    const Json body = {{"name", "b"}, {"rank", 2}, {"gravity", {0, 0, 1}}, {"warping", "local"}};
    EXPECT_EQ(body_settings_of(body), (Json{{"rank", 2}, {"warping", "local"}}));
}

Method method_read(const Json& json, const Model& of, InputError& error) {
    std::optional<InputError> problem;
    const Method method = read_method(JsonCursor(json, "s", problem), of);
    error = problem.value_or(InputError{});
    return method;
}

TEST(Method, IsTheOneThatIsNamedOrTheFirstThatTheModelCanDo) {
    InputError error;
    EXPECT_EQ(method_read(Json::object(), model(), error), Method::Stvk);
    EXPECT_EQ(method_read({{"method", "warp"}}, model(), error), Method::Warp);
    EXPECT_EQ(method_read({{"method", "linear"}}, model(), error), Method::Linear);
    EXPECT_EQ(method_read({{"method", "rigid"}}, model(), error), Method::Rigid);
    EXPECT_EQ(method_read({{"method", "warp"}, {"warping", "linear"}}, model(), error), Method::Linear);
    EXPECT_EQ(method_read({{"method", "warp"}, {"warping", "local"}}, model(), error), Method::Warp);
    EXPECT_EQ(error.problem, "");
    method_read({{"method", "linear"}, {"warping", "local"}}, model(), error);
    EXPECT_NE(error.problem.find("both"), std::string::npos);
    const Model stvk = sample_model();
    method_read({{"method", "warp"}}, stvk, error);
    EXPECT_EQ(error.where, "s: method");
    EXPECT_EQ(error.try_this, "limber build --method both");
    EXPECT_EQ(method_of(warp_settings_of(Method::Linear)), Method::Linear);
    EXPECT_EQ(method_of(warp_settings_of(Method::Warp)), Method::Warp);
}

TEST(ConstraintsJson, GoThroughJsonAndBack) {
    const Constraints given{.positions = {{3, {1, 2, 3}}},
                            .orientations = {{4, Eigen::Quaterniond(0.8, 0, 0.6, 0)}},
                            .exercised = {1, 2},
                            .priority = TaskPriority::OrientationFirst,
                            .positions_by = PositionMethod::Newton};
    std::optional<InputError> problem;
    const Json json = write_constraints(given);
    const Constraints read = read_constraints(JsonCursor(json, "s", problem), 5);
    ASSERT_FALSE(problem) << problem->where << problem->problem;
    EXPECT_TRUE(same_constraints(read, given));
    EXPECT_EQ(read.positions[0].displacement, given.positions[0].displacement);
    EXPECT_EQ(read.orientations[0].orientation.coeffs(), given.orientations[0].orientation.coeffs());
    EXPECT_EQ(write_constraints(read), json);
}

TEST(ConstraintsJson, TakeTheOldSpellingAndRefuseVerticesThatAreNotThere) {
    const auto error = [](const char* text, Constraints* out = nullptr) {
        std::optional<InputError> problem;
        const Json json = Json::parse(text);
        const Constraints read = read_constraints(JsonCursor(json, "s: pins", problem), 5);
        if (out) *out = read;
        return problem.value_or(InputError{});
    };
    Constraints old;
    EXPECT_EQ(error(R"({"method": "newton"})", &old).problem, "");
    EXPECT_EQ(old.positions_by, PositionMethod::Newton);
    EXPECT_EQ(error(R"({"method": "newton", "positions_by": "newton"})").problem, "unknown key 'method'");
    EXPECT_EQ(error(R"({"positions": [{"vertex": 5, "displacement": [0,0,0]}]})").where,
              "s: pins.positions[0].vertex");
    EXPECT_EQ(error(R"({"exercised": [0, 5]})").where, "s: pins.exercised[1]");
    EXPECT_EQ(error(R"({"orientations": [{"vertex": 0}]})").problem, "the key 'orientation' is missing");
    EXPECT_EQ(error("3").where, "s: pins");
}

TEST(FrameJson, AndPosesAndForcesGoThroughJsonAndBack) {
    std::optional<InputError> problem;
    const FrameMotion frame{.orientation = Eigen::Quaterniond(0.8, 0, 0.6, 0),
                            .acceleration = {1, 2, 3},
                            .angular_velocity = {4, 5, 6},
                            .angular_acceleration = {7, 8, 9}};
    const Json json = write_frame(frame);
    EXPECT_EQ(write_frame(read_frame(JsonCursor(json, "s", problem))), json);
    for (const FieldOf<FrameMotion>& field : fields_of<FrameMotion>())
        for (const Json& value : bad_values(field)) {
            problem.reset();
            const Json bad = nested(field.name, value);
            read_frame(JsonCursor(bad, "s", problem));
            ASSERT_TRUE(problem) << field.name << value;
            EXPECT_EQ(problem->where.find("s: " + field.name), 0u) << problem->where;
        }
    problem.reset();
    const Json pose = write_pose({{1, 2, 3}, Eigen::Quaterniond(0.8, 0, 0.6, 0)});
    EXPECT_EQ(write_pose(read_pose(JsonCursor(pose, "s", problem))), pose);
    const Json forces = Json::array({write_vertex_force({2, {1, 0, 0}})});
    const auto read = read_vertex_forces(JsonCursor(forces, "s", problem), 3);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(write_vertex_force(read[0]), forces[0]);
    EXPECT_FALSE(problem);
    read_vertex_forces(JsonCursor(forces, "s", problem), 2);
    EXPECT_EQ(problem->where, "s[0]: vertex");
}

TEST(DescribedFields, HaveAKindADefaultAndASentence) {
    const Json all = Json::parse(describe_fields_json());
    for (const DescribedStruct& of : described_structs()) {
        ASSERT_EQ(all.at(of.name).size(), of.fields.size());
        for (const Json& field : all.at(of.name)) {
            EXPECT_EQ(field.at("sentence").get<std::string>().back(), '.') << field;
            EXPECT_TRUE(field.contains("default") || field.contains("default_text")) << field;
            EXPECT_EQ(field.contains("words"), field.at("kind") == "word") << field;
        }
    }
    const Json& beta = all.at("StvkSettings").at(7);
    EXPECT_EQ(beta, (Json{{"name", "damping.beta"},
                          {"kind", "number"},
                          {"unit", "s"},
                          {"least", 0.0},
                          {"default", 0.0},
                          {"sentence", beta.at("sentence")}}));
}

}  // namespace
}  // namespace limber::test
