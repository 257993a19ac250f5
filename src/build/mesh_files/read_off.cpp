// SPDX-License-Identifier: Apache-2.0
// OFF of Geomview, ASCII: plain or with colours (C), normals (N) and texture coordinates (ST), which are
// passed over. A vertex or face takes one line; # starts a comment.
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/polygon.h"

#include <fmt/format.h>

namespace limber::build {
namespace {

// Reads "OFF", "COFF", "NOFF", "STOFF", "STCNOFF" ... and leaves the scanner at the counts, which some
// writers put on the same line, even without a space ("OFF490 518 0").
TextScanner after_keyword(std::string_view bytes, const std::string& name) {
    TextScanner scan(bytes, name);
    scan.skip_comments('#');
    const std::size_t start = bytes.size() - scan.bytes_left();
    const std::string_view keyword = scan.token();
    std::string_view rest = keyword;
    for (const std::string_view part : {"ST", "C", "N"})
        if (rest.starts_with(part)) rest.remove_prefix(part.size());
    if (rest.starts_with("4OFF") || rest.starts_with("nOFF") || rest.starts_with("4nOFF"))
        scan.fail("the points do not have three coordinates", "export the mesh as plain OFF");
    if (!rest.starts_with("OFF"))
        scan.fail("the file does not start with 'OFF'", "check that this is an OFF file");
    rest.remove_prefix(3);
    if (!rest.empty() && !(rest[0] >= '0' && rest[0] <= '9'))
        scan.fail(fmt::format("unknown kind of OFF file: '{}'", printable(keyword)),
                  "export the mesh as plain OFF");

    TextScanner counts(bytes, name);
    counts.take_bytes(start + keyword.size() - rest.size());
    return counts;
}

}  // namespace

SurfaceMesh read_off(std::string_view bytes, const std::string& name) {
    TextScanner scan = after_keyword(bytes, name);
    scan.skip_comments('#');
    if (TextScanner(scan).token() == "BINARY")
        scan.fail("this is a binary OFF file; limber reads the ASCII form",
                  "export the mesh as ASCII OFF or as PLY");
    const std::size_t vertex_count = scan.count("the number of vertices", 6);  // "0 0 0\n"
    scan.skip_comments('#');
    const std::size_t face_count = scan.count("the number of faces", 8);  // "3 0 0 0\n"
    if (vertex_count > kMostNumbered) scan.fail(fmt::format("more than {} vertices", kMostNumbered));
    scan.skip_line();  // the number of edges, which nobody keeps right

    SurfaceMesh mesh;
    mesh.vertices.resize(vertex_count);
    for (Vertex& vertex : mesh.vertices) {
        scan.skip_comments('#');
        for (double& x : vertex)
            x = scan.finite_number("a coordinate");
        scan.skip_line();
    }

    PolygonCutter cutter;
    std::vector<int> corners;
    for (std::size_t face = 0; face < face_count; ++face) {
        scan.skip_comments('#');
        corners.resize(scan.count("the number of corners", 2));
        for (int& corner : corners) {
            const std::int64_t index = scan.integer("a vertex of a face");
            if (index < 0 || index >= static_cast<std::int64_t>(vertex_count))
                scan.fail(fmt::format("a face names vertex {}, but the file has {}, counted from 0", index,
                                      vertex_count));
            corner = static_cast<int>(index);
        }
        if (corners.size() < 3)
            scan.fail(fmt::format("a face has {} corners; it needs at least 3", corners.size()));
        if (mesh.triangles.size() + corners.size() > kMostNumbered)
            scan.fail(fmt::format("more than {} triangles", kMostNumbered));
        cutter.cut(mesh.vertices, corners, mesh.triangles);
        scan.skip_line();  // colours
    }
    if (mesh.triangles.empty())
        throw InputError{name, fmt::format("the file has no faces ({} vertices)", vertex_count),
                         "check the export"};
    return mesh;
}

}  // namespace limber::build
