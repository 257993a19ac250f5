// SPDX-License-Identifier: Apache-2.0
// An array of a model file, described once: the reader, the writer, the checks and the table in
// docs/model_file.md are made from the lists of these descriptions (model_parts.h).
#pragma once
#include <limber/model/appearance.h>
#include <limber/model/material.h>
#include <limber/model/number_limits.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace limber {

// Element types of the arrays, little-endian.
inline constexpr const char* kFloat64 = "float64";
inline constexpr const char* kFloat32 = "float32";
inline constexpr const char* kInt32 = "int32";

enum class Presence {
    Required,
    InFile,    // in memory it may be empty: chosen when the file is written
    Optional,  // arrays of one `set` are all there or all missing; missing means empty
};

struct ModelArray {
    const char* name;  // in the extension LIMBER_model
    // Lengths, the last index fastest: numbers, letters that stand for one length in all arrays, or "any". In
    // memory matrices are stored by columns, or by rows if their type says so; "n × 3" are the rows of one.
    const char* shape;
    const char* meaning;  // for docs/model_file.md
    Presence presence = Presence::Required;
    const char* set = "";
    double largest = kLargestNumber;  // of the absolute values of floating-point numbers
    const char* below = "";           // ids lie from 0 to this length, the end excluded; empty: no ids
};

// A description with its member: a pointer to it, or a function from the part to it.
template <class Member>
struct MemberArray {
    ModelArray info;
    Member member;
};
template <class Member>
constexpr MemberArray<Member> member_array(ModelArray info, Member member) {
    return {info, member};
}

using Lengths = std::vector<std::int64_t>;

// "s × 3" -> "s", "3".
inline std::vector<std::string_view> letters_of(std::string_view shape) {
    std::vector<std::string_view> out;
    while (!shape.empty()) {
        const std::size_t end = std::min(shape.find(' '), shape.size());
        if (const std::string_view word = shape.substr(0, end); word != "×") out.push_back(word);
        shape.remove_prefix(std::min(end + 1, shape.size()));
    }
    return out;
}

inline std::int64_t product(const Lengths& lengths) {
    std::int64_t out = 1;
    for (const std::int64_t length : lengths)
        out *= length;
    return out;
}

// What the letters stand for. A letter that is not known takes the length of the first array that has it.
class KnownLengths {
 public:
    static constexpr std::int64_t kUnknown = -1;

    void set(std::string_view letter, std::int64_t length) { list_.emplace_back(letter, length); }
    std::int64_t find(std::string_view letter) const {
        std::int64_t number = 0;
        for (const char c : letter) {
            if (c < '0' || c > '9') return find_letter(letter);
            number = 10 * number + (c - '0');
        }
        return number;
    }
    // The lengths that an array with these letters must have, where they are known; what was found elsewhere.
    Lengths expected(const std::vector<std::string_view>& letters, const Lengths& found) const {
        Lengths out = found;
        for (std::size_t d = 0; d < letters.size(); ++d)
            if (const std::int64_t known = find(letters[d]); known != kUnknown) out[d] = known;
        return out;
    }
    // Sets the letters that are not known to the lengths found.
    void learn(const std::vector<std::string_view>& letters, const Lengths& found) {
        for (std::size_t d = 0; d < letters.size(); ++d)
            if (find(letters[d]) == kUnknown && letters[d] != "any") set(letters[d], found[d]);
    }

 private:
    std::int64_t find_letter(std::string_view letter) const {
        for (const auto& [known, length] : list_)
            if (known == letter) return length;
        return kUnknown;
    }
    std::vector<std::pair<std::string, std::int64_t>> list_;
};

// How a member of type T lies in a file: the type of its numbers, its lengths, its bytes. kInFile is the type
// there; WarpRows are doubles in memory and floats in files.
template <class T>
struct ArrayLayout;

template <>
struct ArrayLayout<double> {
    static constexpr const char* kInFile = kFloat64;
    static Lengths lengths(const double&, std::size_t) { return {}; }
    static void resize(double&, const Lengths&) {}
    static double* data(double& x) { return &x; }
    static std::size_t size(const double&) { return 1; }
};

// E, nu, rho.
template <>
struct ArrayLayout<Material> {
    static_assert(sizeof(Material) == 3 * sizeof(double) && std::is_trivially_copyable_v<Material>);
    static constexpr const char* kInFile = kFloat64;
    static Lengths lengths(const Material&, std::size_t) { return {3}; }
    static void resize(Material&, const Lengths&) {}
    static double* data(Material& m) { return &m.young; }
    static std::size_t size(const Material&) { return 3; }
};

template <int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
struct ArrayLayout<Eigen::Matrix<double, Rows, Columns, Options, MaxRows, MaxColumns>> {
    using Matrix = Eigen::Matrix<double, Rows, Columns, Options, MaxRows, MaxColumns>;
    static constexpr bool kByRows = Matrix::IsRowMajor && Columns != 1;
    static constexpr const char* kInFile = kByRows ? kFloat32 : kFloat64;

    static Lengths lengths(const Matrix& m, std::size_t dimensions) {
        Lengths out = {static_cast<std::int64_t>(m.rows())};
        if (dimensions == 3) out = {static_cast<std::int64_t>(m.rows() / 3), 3};
        if (Columns != 1) out.insert(kByRows ? out.end() : out.begin(), static_cast<std::int64_t>(m.cols()));
        return out;
    }
    // Rows and columns of the matrix with these lengths. 64 bits: Eigen::Index has 32 in WebAssembly.
    static std::array<std::int64_t, 2> rows_and_columns(const Lengths& lengths) {
        std::int64_t rows = 1, columns = 1;
        for (std::size_t d = 0; d < lengths.size(); ++d)
            (Columns != 1 && d == (kByRows ? lengths.size() - 1 : 0) ? columns : rows) *= lengths[d];
        return {rows, columns};
    }
    static void resize(Matrix& m, const Lengths& lengths) {
        const auto [rows, columns] = rows_and_columns(lengths);
        m.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    }
    static double* data(Matrix& m) { return m.data(); }
    static std::size_t size(const Matrix& m) { return static_cast<std::size_t>(m.size()); }
};

// A list of numbers, or of a few numbers each.
template <class Element>
struct NumbersOf {
    using Number = Element;
    static constexpr std::size_t kCount = 1;
};
template <>
struct NumbersOf<Eigen::Vector3d> {
    using Number = double;
    static constexpr std::size_t kCount = 3;
};
template <class T, std::size_t N>
struct NumbersOf<std::array<T, N>> {
    using Number = T;
    static constexpr std::size_t kCount = N;
};
template <>
struct NumbersOf<SurfacePart> {
    using Number = std::int32_t;
    static constexpr std::size_t kCount = 3;
};
template <class Element>
struct ArrayLayout<std::vector<Element>> {
    using Number = typename NumbersOf<Element>::Number;
    static constexpr std::size_t kCount = NumbersOf<Element>::kCount;
    static_assert(sizeof(Element) == kCount * sizeof(Number));
    static constexpr const char* kInFile = std::is_same_v<Number, double>  ? kFloat64
                                           : std::is_same_v<Number, float> ? kFloat32
                                                                           : kInt32;

    static Lengths lengths(const std::vector<Element>& list, std::size_t dimensions) {
        Lengths out = {static_cast<std::int64_t>(list.size())};
        if (dimensions == 2) out.push_back(static_cast<std::int64_t>(kCount));
        return out;
    }
    static void resize(std::vector<Element>& list, const Lengths& lengths) {
        list.resize(static_cast<std::size_t>(lengths[0]));
    }
    static Number* data(std::vector<Element>& list) { return reinterpret_cast<Number*>(list.data()); }
    static std::size_t size(const std::vector<Element>& list) { return kCount * list.size(); }
};

template <class T>
using LayoutOf = ArrayLayout<std::remove_cvref_t<T>>;

// The first number of a member; there are LayoutOf<T>::size() of them.
template <class T>
const auto* first_number(const T& value) {
    return LayoutOf<T>::data(const_cast<T&>(value));
}

// Are the numbers in memory of another type than in the file?
template <class T>
constexpr bool kRounded =
    std::string_view(LayoutOf<T>::kInFile) ==
    kFloat32&& std::is_same_v<std::remove_reference_t<decltype(*first_number(std::declval<const T&>()))>,
                              const double>;

// Appends the bytes of a member as a file has them.
template <class T>
void append_bytes(const T& value, std::string& out) {
    const auto* first = first_number(value);
    const std::size_t count = LayoutOf<T>::size(value);
    const auto append = [&](const auto& number) {
        out.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    if constexpr (kRounded<T>) {
        for (std::size_t i = 0; i < count; ++i)
            append(static_cast<float>(first[i]));
    } else if (count > 0) {
        out.append(reinterpret_cast<const char*>(first), count * sizeof *first);
    }
}

// Fills a member of the right size. The bytes may lie at any address.
template <class T>
void fill(T& value, std::string_view bytes) {
    auto* first = LayoutOf<T>::data(value);
    if constexpr (kRounded<T>) {
        for (std::size_t i = 0; i < LayoutOf<T>::size(value); ++i) {
            float number;
            std::memcpy(&number, bytes.data() + sizeof number * i, sizeof number);
            first[i] = number;
        }
    } else if (!bytes.empty()) {
        std::memcpy(first, bytes.data(), bytes.size());
    }
}

// Calls visit(description, member of the part) for each array of a list.
template <class List, class Part, class Visit>
void for_each_array(const List& list, Part& part, Visit&& visit) {
    std::apply([&](const auto&... array) { (visit(array.info, std::invoke(array.member, part)), ...); },
               list);
}

// Is any array of an optional set filled?
template <class List, class Part>
bool has_set(const List& list, const Part& part, std::string_view set) {
    bool found = false;
    for_each_array(list, part, [&](const ModelArray& info, const auto& value) {
        found = found || (set == info.set && LayoutOf<decltype(value)>::size(value) > 0);
    });
    return found;
}

}  // namespace limber
