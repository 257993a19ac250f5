// SPDX-License-Identifier: Apache-2.0
// From a request to the commands that do it. The commands are those that a person would type; each plan runs
// in a folder of its own, with nothing but the uploaded mesh.
#pragma once
#include "studio/job.h"
#include "studio/job_request.h"
#include "studio/store.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace limber::studio {

// All throw InputError if the upload, the sample or the model is not there. The store must outlive the plans.
Plan plan_check(const Store& store, const CheckRequest& request);
// Leaves the repaired mesh as an upload of its own.
Plan plan_repair(Store& store, const RepairRequest& request);
Plan plan_fill(const Store& store, const FillRequest& request);
Plan plan_build(Store& store, const BuildRequest& request);
// The built-in model as it is meant; its id is its name.
Plan plan_sample(Store& store, const std::string& name);
// A mesh of the command line with all defaults; its id is the upload's.
Plan plan_given(Store& store, const Upload& mesh);
Plan plan_validate(const Store& store, const std::string& id, const std::filesystem::path& model);
// The local compliance of a model and a map of it; also at the places that its build improved.
Plan plan_quality(const Store& store, const std::string& id, const std::filesystem::path& model);
// A picture of what is not built yet. `source`: the name of a sample, or an upload.
Plan plan_sample_picture(const Store& store, const std::string& name);
Plan plan_mesh_picture(const Store& store, const Upload& mesh);

// "bar-tets" -> "Bar of tetrahedra".
std::string sample_title(const std::string& name);

// Of the parts of a sample tree, by their names; empty: all of one colour.
struct PartColor {
    std::string part;
    std::array<double, 3> rgb;  // linear, 0 to 1
};
std::vector<PartColor> sample_colors(const std::string& name);

// "0.2 m", "35 mm".
std::string length_text(double metres);

// Steps of several plans.
Step draw_step(const std::string& file, const std::vector<PartColor>& colors = {});
// Links to the upload and its companions in the folder; a mesh of the command line stays where it is.
std::string mesh_argument(const Upload& mesh);
void put_into(const std::filesystem::path& folder, const Upload& mesh);
// Plan::reads of a plan that reads this mesh.
std::vector<std::filesystem::path> files_of(const Upload& mesh);
std::vector<std::string> filling_arguments(const Filling& filling);

// A file that a command reads beside the mesh.
struct SideFile {
    std::string name, bytes;
};
// The selection itself, or a file with its ids if it is too long for an argument.
std::string select_argument(const std::string& select, std::vector<SideFile>& files);
// --domains; labels go through a file.
std::string domains_argument(const DomainsRequest& domains, std::vector<SideFile>& files);
Upload require_upload(const Store& store, const std::string& id);

}  // namespace limber::studio
