// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/packed_bytes.h"
#include "tests/build/mesh_files/volume_samples.h"

#include <zlib.h>

namespace limber::build::read_vtu_test {
namespace {

VolumeMesh volume(std::string_view bytes) {
    return std::get<VolumeMesh>(read_vtu(bytes, "m.vtu"));
}

const std::string kText = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
  <UnstructuredGrid>
    <Piece NumberOfPoints="5" NumberOfCells="2">
      <PointData><DataArray type="Float32" Name="ignored" format="ascii">nonsense</DataArray></PointData>
      <Points>
        <DataArray type="Float64" NumberOfComponents="3" format="ascii">
          0 0 0  1 0 0  0 1 0  0 0 1  0 0 -1
        </DataArray>
      </Points>
      <Cells>
        <DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3 0 2 1 4</DataArray>
        <DataArray type="Int32" Name="offsets" format="ascii">4 8</DataArray>
        <DataArray type="UInt8" Name="types" format="ascii">10 10</DataArray>
      </Cells>
    </Piece>
  </UnstructuredGrid>
</VTKFile>
)";

TEST(ReadVtu, Text) {
    const VolumeMesh mesh = volume(kText);
    EXPECT_EQ(mesh.vertices[4], Vertex(0, 0, -1));
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {0, 2, 1, 4}}));
}

TEST(ReadVtu, PiecesAreJoined) {
    const auto begin = kText.find("    <Piece"), end = kText.find("  </UnstructuredGrid>");
    std::string text = kText;
    text.insert(end, kText.substr(begin, end - begin));
    const VolumeMesh mesh = volume(text);
    EXPECT_EQ(mesh.vertices.size(), 10u);
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {0, 2, 1, 4}, {5, 6, 7, 8}, {5, 7, 6, 9}}));
}

// How the bytes of an array are packed: behind their length, plainly or in blocks compressed with zlib.
struct Packing {
    std::endian order = std::endian::little;
    int word = 4;                // bytes of a length
    std::size_t block_size = 0;  // 0: not compressed
    bool base64 = true;

    std::string word_of(std::size_t n) const {
        std::string bytes;
        if (word == 8)
            put(bytes, order, std::uint64_t{n});
        else
            put(bytes, order, static_cast<std::uint32_t>(n));
        return bytes;
    }
    std::string operator()(const std::string& raw) const {
        const auto encode = [this](const std::string& bytes) { return base64 ? to_base64(bytes) : bytes; };
        if (block_size == 0) return encode(word_of(raw.size()) + raw);
        const std::size_t blocks = (raw.size() + block_size - 1) / block_size;
        std::string head = word_of(blocks) + word_of(block_size) + word_of(raw.size() % block_size), body;
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::string block = raw.substr(b * block_size, block_size);
            std::string out(compressBound(block.size()), '\0');
            uLongf length = out.size();
            compress(reinterpret_cast<Bytef*>(out.data()), &length,
                     reinterpret_cast<const Bytef*>(block.data()), block.size());
            head += word_of(length);
            body += out.substr(0, length);
        }
        return encode(head) + encode(body);  // VTK encodes the head by itself
    }
};

template <class T>
std::string raw_array(std::endian order, std::initializer_list<double> numbers) {
    std::string bytes;
    for (double x : numbers)
        put(bytes, order, static_cast<T>(x));
    return bytes;
}

// The mesh of kText, with arrays as raw bytes, packed and put inside the XML or behind it.
template <class Real, class Index>
std::string packed_file(const Packing& packing, bool appended) {
    const char* real = sizeof(Real) == 8 ? "Float64" : "Float32";
    const std::string index =
        fmt::format("{}{}", std::is_signed_v<Index> ? "Int" : "UInt", 8 * sizeof(Index));
    std::string heap;
    const auto array = [&](const std::string& attributes, const std::string& raw) {
        if (!appended)
            return fmt::format("<DataArray {} format=\"binary\">\n{}\n</DataArray>", attributes,
                               packing(raw));
        const auto offset = heap.size();
        heap += packing(raw);
        return fmt::format("<DataArray {} format=\"appended\" offset=\"{}\"/>", attributes, offset);
    };
    const auto o = packing.order;
    std::string file = fmt::format(
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"{}\" header_type=\"UInt{}\"{}>"
        "<UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">",
        o == std::endian::big ? "BigEndian" : "LittleEndian", 8 * packing.word,
        packing.block_size > 0 ? " compressor=\"vtkZLibDataCompressor\"" : "");
    file += "<Points>" +
            array(fmt::format(R"(type="{}" NumberOfComponents="3")", real),
                  raw_array<Real>(o, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1})) +
            "</Points><Cells>";
    file += array(fmt::format(R"(type="{}" Name="connectivity")", index),
                  raw_array<Index>(o, {0, 1, 2, 3, 0, 2, 1, 4}));
    file += array(fmt::format(R"(type="{}" Name="offsets")", index), raw_array<Index>(o, {4, 8}));
    file += array(R"(type="UInt8" Name="types")", raw_array<std::uint8_t>(o, {10, 10}));
    file += "</Cells></Piece></UnstructuredGrid>";
    if (appended)
        file += fmt::format("<AppendedData encoding=\"{}\">\n _", packing.base64 ? "base64" : "raw") + heap +
                "\n</AppendedData>";
    return file + "</VTKFile>\n";
}

template <class Real, class Index>
void expect_all_packings() {
    for (const auto order : {std::endian::little, std::endian::big})
        for (const int word : {4, 8})
            for (const std::size_t block_size : {0, 16, 1 << 15})
                for (const bool base64 : {true, false})
                    for (const bool appended : {true, false}) {
                        if (!base64 && !appended) continue;  // raw bytes cannot stand inside XML
                        const Packing packing{order, word, block_size, base64};
                        const std::string file = packed_file<Real, Index>(packing, appended);
                        const VolumeMesh expected = volume(kText);
                        VolumeMesh mesh;
                        ASSERT_EQ(complaint([&] { mesh = volume(file); }), "") << file;
                        expect_same_elements(expected, mesh);
                    }
}

TEST(ReadVtu, EveryPackingOfWideNumbers) {
    expect_all_packings<double, std::int64_t>();
    expect_all_packings<double, std::uint64_t>();
}
TEST(ReadVtu, EveryPackingOfNarrowNumbers) {
    expect_all_packings<float, std::int32_t>();
    expect_all_packings<float, std::uint32_t>();
    expect_all_packings<float, std::int16_t>();
    expect_all_packings<float, std::uint16_t>();
    expect_all_packings<float, std::int8_t>();
    expect_all_packings<float, std::uint8_t>();
}

TEST(ReadVtu, RefusesBadInput) {
    EXPECT_COMPLAINT(volume(""), "not well-formed XML");
    EXPECT_COMPLAINT(volume("<VTKFile"), "not well-formed XML");
    EXPECT_COMPLAINT(volume(kText.substr(0, kText.size() / 2)), "not well-formed XML");
    EXPECT_COMPLAINT(volume(replaced(kText, "UnstructuredGrid\"", "ImageData\"")), "found 'ImageData'");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfPoints=\"5\"", "NumberOfPoints=\"4\"")),
                     "more than the 12 numbers");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfPoints=\"5\"", "NumberOfPoints=\"6\"")), "m.vtu");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfPoints=\"5\"", "NumberOfPoints=\"4294967296\"")),
                     "NumberOfPoints is 4294967296");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfPoints=\"5\"", "NumberOfPoints=\"2000000000\"")),
                     "6000000000 numbers are announced");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfPoints=\"5\"", "NumberOfPoints=\"-5\"")),
                     "NumberOfPoints is -5");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfCells=\"2\"", "NumberOfCells=\"2000000000\"")),
                     "numbers are announced");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfCells=\"2\"", "NumberOfCells=\"1\"")),
                     "more than the 1 numbers");
    EXPECT_COMPLAINT(volume(replaced(kText, "0 2 1 4", "0 2 1 5")), "point 5 is not among 0 to 4");
    EXPECT_COMPLAINT(volume(replaced(kText, "0 2 1 4", "0 2 1 -1")), "point -1 is not among 0 to 4");
    EXPECT_COMPLAINT(volume(replaced(kText, "4 8", "4 9223372036854775807")), "numbers are announced");
    EXPECT_COMPLAINT(volume(replaced(kText, "4 8", "4 3")), "offsets fall");
    EXPECT_COMPLAINT(volume(replaced(kText, "0 0 -1", "0 nan -1")), "nan");
    EXPECT_COMPLAINT(volume(replaced(kText, "0 0 -1", "0 0 -inf")), "inf");
    EXPECT_COMPLAINT(volume(replaced(kText, "10 10", "10 24")), "second order");
    EXPECT_COMPLAINT(volume(replaced(kText, "NumberOfComponents=\"3\"", "NumberOfComponents=\"2\"")),
                     "NumberOfComponents");
    EXPECT_COMPLAINT(
        volume(replaced(kText, "type=\"Int32\" Name=\"offsets\"", "type=\"Float32\" Name=\"offsets\"")),
        "whole numbers");
    EXPECT_COMPLAINT(volume(replaced(kText, "type=\"Int32\"", "type=\"Complex\"")), "number type 'Complex'");
    EXPECT_COMPLAINT(volume(replaced(kText, "Name=\"offsets\"", "Name=\"off\"")), "missing");
    EXPECT_COMPLAINT(volume(replaced(kText, "format=\"ascii\">\n", "format=\"morse\">\n")), "format 'morse'");
    EXPECT_COMPLAINT(
        volume(replaced(kText, "LittleEndian\"", "LittleEndian\" compressor=\"vtkLZ4DataCompressor\"")),
        "vtkLZ4DataCompressor");
    EXPECT_COMPLAINT(volume(replaced(kText, "LittleEndian\"", "LittleEndian\" header_type=\"UInt16\"")),
                     "header_type");
    EXPECT_COMPLAINT(volume("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid/></VTKFile>"),
                     "holds no triangles");
}

TEST(ReadVtu, RefusesCutAppendedData) {
    const Packing plain{std::endian::little, 4, 0, false};
    const Packing zipped{std::endian::little, 8, 16, false};
    for (const Packing& packing : {plain, zipped}) {
        const std::string whole = packed_file<double, std::int32_t>(packing, true);
        const std::size_t end = whole.rfind("\n</AppendedData>");
        for (std::size_t size = 0; size < end; ++size)
            EXPECT_NE(complaint([&] { volume(whole.substr(0, size)); }), "") << size << " bytes";
        EXPECT_EQ(complaint([&] { volume(whole.substr(0, end)); }), "");
    }
}

TEST(ReadVtu, RefusesLengthsThatContradictTheCounts) {
    const Packing packing{std::endian::little, 4, 0, true};
    const std::string file = packed_file<double, std::int32_t>(packing, false);
    EXPECT_COMPLAINT(volume(replaced(file, "NumberOfPoints=\"5\"", "NumberOfPoints=\"4\"")),
                     "120 bytes of data; 96 are expected");
    EXPECT_COMPLAINT(volume(replaced(file, "NumberOfPoints=\"5\"", "NumberOfPoints=\"2000000000\"")),
                     "cannot hold them");
}

// A file of one array that claims to inflate from nearly nothing.
std::string bomb(std::size_t points, std::size_t block_size, std::size_t last_size,
                 const std::string& compressed) {
    const Packing packing{std::endian::little, 8, 1, true};
    const std::string head = packing.word_of(1) + packing.word_of(block_size) + packing.word_of(last_size) +
                             packing.word_of(compressed.size());
    return fmt::format(
        "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>"
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"0\"><Points><DataArray type=\"Float64\" "
        "NumberOfComponents=\"3\" "
        "format=\"binary\">{}{}</DataArray></Points></Piece></UnstructuredGrid></VTKFile>",
        points, to_base64(head), to_base64(compressed));
}

TEST(ReadVtu, RefusesZlibBombs) {
    EXPECT_COMPLAINT(volume(bomb(100000000, 2400000000, 0, "x")), "cannot hold");
    EXPECT_COMPLAINT(volume(bomb(1000, 2400000000, 0, "x")), "24000 bytes are expected");
    EXPECT_COMPLAINT(volume(bomb(1000, 24000, 0, std::string(30, 'x'))), "compressed block 0 is damaged");
    // A stream that inflates to more than is stated does not get the room.
    const std::string zeros(1 << 20, '\0');
    std::string compressed(compressBound(zeros.size()), '\0');
    uLongf length = compressed.size();
    ASSERT_EQ(compress(reinterpret_cast<Bytef*>(compressed.data()), &length,
                       reinterpret_cast<const Bytef*>(zeros.data()), zeros.size()),
              Z_OK);
    compressed.resize(length);
    EXPECT_COMPLAINT(volume(bomb(1000, 24000, 0, compressed)), "compressed block 0 is damaged");
}

// All counts agree and every block is sound, but no mesh consists of a million equal points.
TEST(ReadVtu, RefusesSoundStreamsThatExpandBeyondAnyMesh) {
    const std::size_t points = 1'000'000;
    const std::string zeros(24 * points, '\0');
    const Packing packing{std::endian::little, 8, 1 << 20, true};
    const auto file = [&](std::size_t pieces) {
        std::string text =
            "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" "
            "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>";
        const std::size_t each = points / pieces;
        for (std::size_t i = 0; i < pieces; ++i)
            text += fmt::format(
                "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"0\"><Points><DataArray type=\"Float64\" "
                "NumberOfComponents=\"3\" format=\"binary\">{}</DataArray></Points></Piece>",
                each, packing(zeros.substr(0, 24 * each)));
        return text + "</UnstructuredGrid></VTKFile>";
    };
    for (const std::size_t pieces : {1, 50}) {
        ASSERT_LT(file(pieces).size(), 100'000u);
        EXPECT_COMPLAINT(volume(file(pieces)), "no mesh is compressed so far");
    }
}

// The most regular mesh there is: it compresses best, and must be read.
TEST(ReadVtu, ReadsALargeCompressedGrid) {
    constexpr int n = 40, m = n + 1;
    std::string points, connectivity, offsets;
    const auto o = std::endian::little;
    for (int k = 0; k < m; ++k)
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < m; ++i)
                for (const int x : {i, j, k})
                    put(points, o, static_cast<float>(x));
    for (int k = 0, cell = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const int at = (k * m + j) * m + i;
                for (const int c : {0, 1, m + 1, m, m * m, m * m + 1, m * m + m + 1, m * m + m})
                    put(connectivity, o, std::int64_t{at + c});
                put(offsets, o, std::int64_t{8 * ++cell});
            }
    const Packing packing{o, 4, 1 << 15, true};
    const auto array = [&](const char* attributes, const std::string& raw) {
        return fmt::format("<DataArray {} format=\"binary\">{}</DataArray>", attributes, packing(raw));
    };
    const std::string file =
        fmt::format(
            "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">"
            "<UnstructuredGrid><Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\"><Points>",
            m * m * m, n * n * n) +
        array(R"(type="Float32" NumberOfComponents="3")", points) + "</Points><Cells>" +
        array(R"(type="Int64" Name="connectivity")", connectivity) +
        array(R"(type="Int64" Name="offsets")", offsets) +
        array(R"(type="UInt8" Name="types")", std::string(n * n * n, '\x0c')) +
        "</Cells></Piece></UnstructuredGrid></VTKFile>";
    EXPECT_LT(3 * file.size(), points.size() + connectivity.size() + offsets.size());  // compressed well
    const VolumeMesh mesh = volume(file);
    EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(m * m * m));
    EXPECT_EQ(mesh.bricks.size(), static_cast<std::size_t>(n * n * n));
}

// Small pieces that all name one large array would take memory that the file's length does not justify.
TEST(ReadVtu, RefusesManyPiecesThatShareOneArray) {
    std::string array;
    put(array, std::endian::little, std::uint32_t{24000});
    array += std::string(24000, '\0');
    std::string file = "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>";
    for (int i = 0; i < 100; ++i)
        file +=
            "<Piece NumberOfPoints=\"1000\" NumberOfCells=\"0\"><Points>"
            "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>"
            "</Points></Piece>";
    file += "</UnstructuredGrid><AppendedData encoding=\"raw\">_" + array + "</AppendedData></VTKFile>";
    EXPECT_COMPLAINT(volume(file), "arrays overlap");
}

TEST(PackedBytes, Base64AsInRfc4648) {
    const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, packed] : vectors) {
        EXPECT_EQ(to_base64(plain), packed);
        PackedBytes bytes(packed, PackedBytes::Encoding::Base64, "here");
        EXPECT_EQ(bytes.take(std::string_view(plain).size()), plain);
        EXPECT_COMPLAINT(bytes.take(1), "here");
    }
    PackedBytes pieces("Zg==\n Zm9v", PackedBytes::Encoding::Base64, "here");
    EXPECT_EQ(pieces.take(2), "ff");
    EXPECT_EQ(pieces.take(2), "oo");
    PackedBytes wrong("Zm*v", PackedBytes::Encoding::Base64, "here");
    EXPECT_COMPLAINT(wrong.take(1), "has no place there");
}

}  // namespace
}  // namespace limber::build::read_vtu_test
