// SPDX-License-Identifier: Apache-2.0
// The bytes expected here are those of NumPy's format description (numpy.lib.format, version 1.0).
#include "build/file/npy.h"

#include "build/file/read_file.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

namespace limber::build {
namespace {

class NpyFile : public ::testing::Test {
 protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() /
            ("limber_npy_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path folder_;
};

std::string npy(const std::string& header, const std::string& data, char version = 1) {
    std::string out = "\x93NUMPY";
    out += version;
    out += '\0';
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    if (version > 1) out += std::string(2, '\0');
    return out + header + data;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

InputError error_of(const std::string& bytes) {
    try {
        read_npy(bytes, "u.npy");
    } catch (const InputError& error) {
        return error;
    }
    return {};
}

TEST_F(NpyFile, FileHasTheBytesThatNumpyDescribes) {
    const std::vector<double> values = {1.5, -2, 0.1, 4, 5, 6};
    write_npy(folder_ / "u.npy", {2, 3}, values);
    const std::string bytes = read_file(folder_ / "u.npy");

    EXPECT_EQ(bytes.substr(0, 6), "\x93NUMPY");
    EXPECT_EQ(bytes[6], 1);
    EXPECT_EQ(bytes[7], 0);
    const std::size_t length =
        static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0u);  // "evenly divisible by 64 for alignment purposes"
    const std::string header = bytes.substr(10, length);
    EXPECT_EQ(header.find("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"), 0u);
    EXPECT_EQ(header.back(), '\n');
    EXPECT_EQ(bytes.substr(10 + length), bytes_of(values));
}

TEST_F(NpyFile, EveryShapeComesBackBitByBit) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    for (const std::vector<std::size_t>& shape :
         std::vector<std::vector<std::size_t>>{{}, {1}, {5}, {0}, {0, 3}, {2, 3, 4}, {1, 1, 1, 1, 7}}) {
        const auto count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
        std::vector<double> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = i == 1 ? tiny : -1.0 / (3.0 + static_cast<double>(i));
        write_npy(folder_ / "a.npy", shape, values);
        const NpyArray back = read_npy(folder_ / "a.npy");
        EXPECT_EQ(back.shape, shape);
        ASSERT_EQ(back.values.size(), count);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(std::bit_cast<std::uint64_t>(back.values[i]), std::bit_cast<std::uint64_t>(values[i]));
    }
}

TEST_F(NpyFile, RowsWrittenOneByOneEqualTheWholeArray) {
    std::vector<double> all;
    NpyRows rows(folder_ / "rows.npy", {2, 3});
    for (int frame = 0; frame < 11; ++frame) {
        std::vector<double> row(6);
        std::iota(row.begin(), row.end(), 6.0 * frame);
        rows.append(row);
        all.insert(all.end(), row.begin(), row.end());
    }
    rows.commit();
    write_npy(folder_ / "whole.npy", {11, 2, 3}, all);
    EXPECT_EQ(read_file(folder_ / "rows.npy"), read_file(folder_ / "whole.npy"));
}

TEST_F(NpyFile, RowsWithoutCommitLeaveNothing) {
    {
        NpyRows rows(folder_ / "rows.npy", {1});
        rows.append(std::vector<double>{1});
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST(Npy, FortranOrderAndFloatsAreRead) {
    // The array [[1 2 3] [4 5 6]] column by column.
    const NpyArray a = read_npy(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                                    bytes_of<float>({1, 4, 2, 5, 3, 6})),
                                "a.npy");
    EXPECT_EQ(a.shape, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(a.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, LaterVersionsAndOtherOrdersOfKeysAreRead) {
    for (char version : {2, 3}) {
        const auto a = read_npy(npy("{\"shape\": (2,), 'fortran_order': False, 'descr': '<f8'}\n",
                                    bytes_of<double>({7, 8}), version),
                                "a");
        EXPECT_EQ(a.values, (std::vector<double>{7, 8}));
    }
}

TEST(Npy, WholeNumbersAreRead) {
    const auto long_ones = read_npy(
        npy("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", bytes_of<std::int64_t>({-7, 8})),
        "a");
    EXPECT_EQ(long_ones.values, (std::vector<double>{-7, 8}));
    const auto bytes = read_npy(
        npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", bytes_of<std::uint8_t>({200, 0})),
        "a");
    EXPECT_EQ(bytes.values, (std::vector<double>{200, 0}));
}

TEST(Npy, NumbersOfOtherKindsAreNamedAndRefused) {
    const auto error =
        error_of(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", bytes_of<double>({7})));
    EXPECT_EQ(error.where, "u.npy");
    EXPECT_NE(error.problem.find("<c8"), std::string::npos);
    EXPECT_NE(error.try_this.find("astype"), std::string::npos);
    EXPECT_NE(
        error_of(npy("{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }", bytes_of<double>({7})))
            .problem,
        "");
}

TEST(Npy, AShapeThatTheFileCannotHoldTakesNoMemory) {
    for (const char* shape : {"(4294967296, 1000)", "(18446744073709551615, 3)", "(9223372036854775807, 2)",
                              "(2,)", "(99999999999999999999999,)",
                              "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
                              "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"}) {
        const auto error =
            error_of(npy(std::string("{'descr': '<f8', 'fortran_order': False, 'shape': ") + shape + ", }",
                         bytes_of<double>({7})));
        EXPECT_NE(error.problem, "") << shape;
    }
}

TEST(Npy, EveryTruncationIsAnError) {
    const std::string whole = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
                                  bytes_of<double>({1, 2, 3, 4, 5, 6}));
    ASSERT_EQ(error_of(whole).problem, "");
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(error_of(whole.substr(0, length)).problem, "") << length;
    EXPECT_NE(error_of(whole + "x").problem, "");
}

TEST(Npy, BrokenHeadersAreErrors) {
    for (const char* header :
         {"", "{", "{}", "[1]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}",
          "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
          "{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
          "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "{'descr: '<f8'}",
          "{'other': 'x', }", "{'descr': '<f8', 'fortran_order': False, 'shape': (1"})
        EXPECT_NE(error_of(npy(header, bytes_of<double>({7}))).problem, "") << header;
    EXPECT_NE(error_of(npy("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", bytes_of<double>({7}), 9))
                  .problem,
              "");
    EXPECT_NE(error_of("PK\3\4 this is something else").problem, "");
}

}  // namespace
}  // namespace limber::build
