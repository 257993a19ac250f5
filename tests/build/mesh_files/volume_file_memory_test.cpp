// SPDX-License-Identifier: Apache-2.0
// Readers take no memory that the file's length does not justify: every allocation of this program is
// watched while small files announce billions of things.
#include "tests/build/mesh_files/volume_samples.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

namespace {
std::atomic<std::size_t> largest_allocation{0};  // bytes
}

[[gnu::noinline]] void* operator new(std::size_t size) {
    std::size_t largest = largest_allocation;
    while (size > largest && !largest_allocation.compare_exchange_weak(largest, size)) {
    }
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace limber::build::volume_file_memory_test {
namespace {

struct Liar {
    const char* name;
    std::string bytes;
    std::function<void(std::string_view)> read;
};

std::string gmsh_binary(std::initializer_list<std::uint64_t> sizes) {
    std::string bytes = "$MeshFormat\n4.1 1 8\n";
    put(bytes, std::endian::little, std::int32_t{1});
    bytes += "\n$EndMeshFormat\n$Nodes\n";
    for (auto n : sizes)
        put(bytes, std::endian::little, n);
    return bytes;
}

TEST(VolumeFileMemory, SmallFilesThatAnnounceBillionsTakeAlmostNone) {
    const auto gmsh = [](std::string_view b) { read_gmsh(b, "m"); };
    const auto medit = [](std::string_view b) { read_medit(b, "m"); };
    const auto vtk = [](std::string_view b) { read_vtk(b, "m"); };
    const auto vtu = [](std::string_view b) { read_vtu(b, "m"); };
    const auto vega = [](std::string_view b) { read_vega(b, "m"); };
    const auto node = [](std::string_view b) { read_tetgen(b, "", "m"); };
    const auto ele = [](std::string_view b) { read_tetgen("1 3\n0 0 0 0\n", b, "m"); };
    const std::string gmsh2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n",
                      gmsh4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
    const std::string vtk_head = " \nt\nBINARY\nDATASET UNSTRUCTURED_GRID\n",
                      v3 = "# vtk DataFile Version 3.0" + vtk_head,
                      v5 = "# vtk DataFile Version 5.1" + vtk_head;
    const std::string piece =
        "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"2000000000\" ";
    const std::string points = "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"";
    const std::string end = "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>";
    const Liar liars[] = {
        {"nodes 2.2", gmsh2 + "$Nodes\n4294967296\n1 0 0 0\n", gmsh},
        {"elements 2.2", gmsh2 + "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n4294967296\n", gmsh},
        {"names", gmsh2 + "$PhysicalNames\n4294967296\n", gmsh},
        {"entities", gmsh4 + "$Entities\n4294967296 0 0 0\n", gmsh},
        {"physicals", gmsh4 + "$Entities\n1 0 0 0\n1 0 0 0 4294967296\n", gmsh},
        {"node blocks", gmsh4 + "$Nodes\n4294967296 1 1 1\n3 1 0 4294967296\n", gmsh},
        {"nodes 4.1", gmsh4 + "$Nodes\n1 4294967296 1 1\n3 1 0 4294967296\n", gmsh},
        {"nodes 4.1 binary", gmsh_binary({1, std::uint64_t{1} << 62, 1, 1}), gmsh},
        {"node tag", gmsh4 + "$Nodes\n1 1 1 1\n3 1 0 1\n9223372036854775807\n0 0 0\n$EndNodes\n", gmsh},
        {"vertices", "MeshVersionFormatted 2\nDimension 3\nVertices\n4294967296\n0 0 0 0\n", medit},
        {"tetrahedra", "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nTetrahedra 4294967296\n",
         medit},
        {"points", v3 + "POINTS 4294967296 double\n", vtk},
        {"cells", v3 + "POINTS 0 double\n\nCELLS 4294967296 4294967296\n", vtk},
        {"offsets", v5 + "POINTS 0 double\n\nCELLS 4294967296 4294967296\nOFFSETS vtktypeint64\n", vtk},
        {"types", v3 + "POINTS 0 double\n\nCELL_TYPES 4294967296\n", vtk},
        {"text points", piece + "NumberOfCells=\"0\">" + points + "ascii\">0 0 0" + end, vtu},
        {"packed points", piece + "NumberOfCells=\"0\">" + points + "binary\">AAAA" + end, vtu},
        {"vega vertices", "*VERTICES\n4294967296 3 0 0\n1 0 0 0\n", vega},
        {"vega elements", "*VERTICES\n1 3 0 0\n1 0 0 0\n*ELEMENTS\nTET\n4294967296 4 0\n", vega},
        {"node", "4294967296 3 0 0\n0 0 0 0\n", node},
        {"ele", "4294967296 4 0\n0 0 0 0 0\n", ele},
    };
    for (const Liar& liar : liars) {
        largest_allocation = 0;
        const std::string error = complaint([&] { liar.read(liar.bytes); });
        const std::size_t largest = largest_allocation;
        EXPECT_NE(error, "") << liar.name;
        EXPECT_GT(largest, 0u);  // the watch is on
        // 200 bytes of text may hold 100 numbers of 8 bytes; messages and tables take some hundreds.
        EXPECT_LT(largest, 10000u) << liar.name << ": " << error;
    }
}

}  // namespace
}  // namespace limber::build::volume_file_memory_test
