// SPDX-License-Identifier: Apache-2.0
// Every setting described once: readers, writers, declarations, controls and the tables of the docs are made
// from these lists.
#pragma once
#include <limber/settings/json_cursor.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber {

enum class FieldKind {
    Number,
    WholeNumber,
    NumberOrAuto,
    Flag,
    Word,
    Text,
    Vector3,
    Quaternion,
    WholeNumbers,
    Materials,
    Domains
};
template <>
struct EnumWords<FieldKind> {
    static constexpr WordValue<FieldKind> kAll[] = {{"number", FieldKind::Number},
                                                    {"whole number", FieldKind::WholeNumber},
                                                    {"number or auto", FieldKind::NumberOrAuto},
                                                    {"flag", FieldKind::Flag},
                                                    {"word", FieldKind::Word},
                                                    {"text", FieldKind::Text},
                                                    {"vector", FieldKind::Vector3},
                                                    {"quaternion", FieldKind::Quaternion},
                                                    {"whole numbers", FieldKind::WholeNumbers},
                                                    {"materials", FieldKind::Materials},
                                                    {"domains", FieldKind::Domains}};
};

struct Field {
    std::string name;            // "damping.alpha" is the member alpha of the object damping
    std::string unit;            // SI; empty: none
    FieldRange range;            // of numbers, and of the entries of lists
    std::string sentence;        // what it does
    std::string what_helps{};    // what to try instead of a value that is out of range
    std::string default_text{};  // where the default is no plain value: "as built"
    // A world has one for all its bodies: scene files and inputs do not set it for a body.
    bool is_of_world = false;
    FieldKind kind = FieldKind::Number;
    std::vector<std::string> words{};  // of an enum
};

// A field of the struct S.
template <class S>
struct FieldOf : Field {
    // Reads a value that is of the right kind and in range into S. Null: the reader of S does it.
    void (*read)(const JsonCursor& at, const Field& field, S& out) = nullptr;
    // Null: not written, since other fields say the same.
    nlohmann::json (*write)(const S& settings) = nullptr;
};

template <class S>
using FieldList = std::vector<FieldOf<S>>;

// The list of the struct S; specialised in field_lists.cpp.
template <class S>
const FieldList<S>& fields_of();

// A list without its struct, as the declarations and the docs take it.
struct DescribedStruct {
    std::string name;  // "StvkSettings"
    std::vector<Field> fields;
    // Of the fields, as JSON, out of a struct that is made without arguments; empty: see default_text.
    std::vector<std::string> defaults;
};
// Of every struct that has a list.
std::vector<DescribedStruct> described_structs();
// { "StvkSettings": [{ "name", "kind", "unit", "least", "most", "least_excluded", "most_excluded", "default",
//   "words", "sentence", "of_world" } ...], ... }; what does not apply is left out.
std::string describe_fields_json();

// The first parts of the names: "damping" for "damping.alpha". Each once, in the order of the list.
template <class S>
std::vector<std::string> keys_of(const FieldList<S>& fields) {
    std::vector<std::string> out;
    for (const Field& field : fields) {
        std::string key = field.name.substr(0, field.name.find('.'));
        if (out.empty() || out.back() != key) out.push_back(std::move(key));
    }
    return out;
}

}  // namespace limber
