// SPDX-License-Identifier: Apache-2.0
// Settings, constraints, motions and forces as JSON, in the words of a scene file: the one reader and writer
// for scenes, recordings, Python and WebAssembly. Keys: field_lists.cpp, and the tables in
// docs/scene_file.md.
#pragma once
#include <limber/contact/contact_settings.h>
#include <limber/domains/domains_body.h>
#include <limber/model/model.h>
#include <limber/reduced/stvk_body.h>
#include <limber/rigid/frame.h>
#include <limber/rigid/rigid_body.h>
#include <limber/settings/field.h>
#include <limber/settings/json_cursor.h>
#include <limber/settings/method.h>
#include <limber/warp/warp_body.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

// Change what the object names, and nothing else; on an error nothing. The error's place is `where` and the
// key: "scene.json: bodies[0].damping.alpha".
Status read_settings(const nlohmann::json& object, const std::string& where, const Model& model,
                     StvkSettings& in_out);
// Materials become scales: the same factor in all groups, and Poisson's ratio stays.
Status read_settings(const nlohmann::json& object, const std::string& where, const Model& model,
                     WarpSettings& in_out);
Status read_settings(const nlohmann::json& object, const std::string& where, const Model& model,
                     RigidSettings& in_out);
Status read_settings(const nlohmann::json& object, const std::string& where, const Model& model,
                     DomainsSettings& in_out);

// Reading what is written gives the same settings.
nlohmann::json write_settings(const Model& model, const StvkSettings& settings);
nlohmann::json write_settings(const Model& model, const WarpSettings& settings);
nlohmann::json write_settings(const Model& model, const RigidSettings& settings);
nlohmann::json write_settings(const Model& model, const DomainsSettings& settings);

// The keys at the top of settings of any method, without those that a world has for all its bodies.
const std::vector<std::string>& body_settings_keys();
// The members of an object that are such settings: what a body in a scene has besides its name, model, ...
nlohmann::json body_settings_of(const nlohmann::json& object);

// { "method", "warping" }: the method that an object names, or the first that the model can do. A model that
// cannot do it is refused. "warp" with "warping": "linear" is "linear".
Method read_method(const JsonCursor& object, const Model& model);
Method method_of(const WarpSettings& settings);
// As a body of that method starts: "linear" is Warping::Linear.
WarpSettings warp_settings_of(Method method);

// { "positions": [{ "vertex", "displacement" }], "orientations": [{ "vertex", "orientation" }], "exercised",
//   "priority", "positions_by" }; "method" is the old spelling of "positions_by". What is not named is as in
// Constraints{}. Vertices are from 0 to vertex_count - 1.
Constraints read_constraints(const JsonCursor& at, int vertex_count);
nlohmann::json write_constraints(const Constraints& constraints);
// Of the keys "priority" and "positions_by" only, as a body in a scene has them; what is not named stays.
void read_constraint_keys(const JsonCursor& object, Constraints& in_out);

// { "orientation", "acceleration", "angular_velocity", "angular_acceleration" }; what is not named is at
// rest.
FrameMotion read_frame(const JsonCursor& at);
nlohmann::json write_frame(const FrameMotion& frame);

// { "stiffness", … }, what is left out as by default; null: contact is off.
std::optional<ContactSettings> read_contact(const JsonCursor& at);
nlohmann::json write_contact(const ContactSettings& settings);

// The fields of WindSettings, and "elapsed", s; null: no air.
struct ReadWind {
    std::optional<WindSettings> settings;
    double elapsed = 0;
};
ReadWind read_wind(const JsonCursor& at);
nlohmann::json write_wind(const WindSettings& settings, double elapsed);

// { "position", "rotation" }; either may be missing.
Pose read_pose(const JsonCursor& at);
nlohmann::json write_pose(const Pose& pose);

// { "vertex", "force" }, and a list of them.
VertexForce read_vertex_force(const JsonCursor& at, int vertex_count);
std::vector<VertexForce> read_vertex_forces(const JsonCursor& list, int vertex_count);
nlohmann::json write_vertex_force(const VertexForce& force);

// The same from text, and as text.
template <class Settings>
Status read_settings_text(std::string_view text, const std::string& where, const Model& model,
                          Settings& in_out);
template <class Settings>
std::string settings_text(const Model& model, const Settings& settings);
Status read_frame_text(std::string_view text, const std::string& where, FrameMotion& out);
Status read_constraints_text(std::string_view text, const std::string& where, int vertex_count,
                             Constraints& out);

}  // namespace limber
