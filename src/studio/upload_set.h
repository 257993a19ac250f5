// SPDX-License-Identifier: Apache-2.0
// A mesh and the files that it names (buffers, material libraries, pictures), each sent by itself, as one
// upload:
//   uploads/ID/mesh.EXT
//   uploads/ID/companions/...   at the places that the mesh names; all of them are links to other uploads
#pragma once
#include "studio/store.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace limber::studio {

struct Companion {
    std::string path;    // as seen from the mesh: "textures/wood.png"
    std::string upload;  // its id
};

struct UploadSet {
    std::string mesh;  // its id
    std::vector<Companion> companions;
};

// {"mesh": ID, "companions": [{"path", "upload"}, ...]}. It came over the network: paths are relative, climb
// nowhere, and end as companions do. Throws InputError.
UploadSet parse_upload_set(const nlohmann::json& request);

// Store::tidying() is held. Throws InputError if one of the uploads is not there.
Upload join_uploads(const Store& store, const UploadSet& set);

// The folder with the companions of an upload; it is there only if it has some.
std::filesystem::path companions_of(const Upload& upload);

}  // namespace limber::studio
