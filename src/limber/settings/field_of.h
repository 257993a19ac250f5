// SPDX-License-Identifier: Apache-2.0
// How a field of each type is read and written; for the sources of this folder only.
#pragma once
#include <limber/contact/contact_settings.h>
#include <limber/domains/domains_body.h>
#include <limber/settings/field.h>
#include <limber/warp/warp_body.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

namespace limber {

// The kind of a member of type T, and how its value is read and written.
template <class T>
struct FieldType {  // an enum with words
    static_assert(std::is_enum_v<T>);
    static constexpr FieldKind kKind = FieldKind::Word;
    static T read(const JsonCursor& at, const Field&) { return at.word<T>(); }
    static nlohmann::json write(T value) { return word_of(value); }
};
template <>
struct FieldType<double> {
    static constexpr FieldKind kKind = FieldKind::Number;
    static double read(const JsonCursor& at, const Field& field) {
        return at.number(field.range, field.unit, field.what_helps);
    }
    static nlohmann::json write(double value) { return value; }
};
template <>
struct FieldType<int> {
    static constexpr FieldKind kKind = FieldKind::WholeNumber;
    static int read(const JsonCursor& at, const Field& field) {
        return at.whole_number(int(field.range.least), int(field.range.most), field.what_helps);
    }
    static nlohmann::json write(int value) { return value; }
};
template <>
struct FieldType<bool> {
    static constexpr FieldKind kKind = FieldKind::Flag;
    static bool read(const JsonCursor& at, const Field&) { return at.flag(); }
    static nlohmann::json write(bool value) { return value; }
};
template <>
struct FieldType<std::string> {
    static constexpr FieldKind kKind = FieldKind::Text;
    static std::string read(const JsonCursor& at, const Field&) { return at.text(); }
    static nlohmann::json write(const std::string& value) { return value; }
};
// A switch with the values Off and On.
template <class Switch>
struct SwitchType {
    static constexpr FieldKind kKind = FieldKind::Flag;
    static Switch read(const JsonCursor& at, const Field&) { return at.flag() ? Switch::On : Switch::Off; }
    static nlohmann::json write(Switch value) { return value == Switch::On; }
};
template <>
struct FieldType<LocalCoriolis> : SwitchType<LocalCoriolis> {};
template <>
struct FieldType<ContactSwitch> : SwitchType<ContactSwitch> {};
template <>
struct FieldType<SelfContact> : SwitchType<SelfContact> {};
template <>
struct FieldType<Sleeping> : SwitchType<Sleeping> {};
template <>
struct FieldType<std::optional<double>> {  // none: chosen automatically
    static constexpr FieldKind kKind = FieldKind::NumberOrAuto;
    static std::optional<double> read(const JsonCursor& at, const Field& field) {
        if (at.is_text()) {
            at.word_among({"auto"});
            return std::nullopt;
        }
        return at.number(field.range, field.unit, field.what_helps);
    }
    static nlohmann::json write(const std::optional<double>& value) {
        return value ? nlohmann::json(*value) : nlohmann::json("auto");
    }
};
template <>
struct FieldType<Eigen::Vector3d> {
    static constexpr FieldKind kKind = FieldKind::Vector3;
    static Eigen::Vector3d read(const JsonCursor& at, const Field& field) { return at.vector3(field.unit); }
    static nlohmann::json write(const Eigen::Vector3d& value) {
        return nlohmann::json::array({value.x(), value.y(), value.z()});
    }
};
template <>
struct FieldType<Eigen::Quaterniond> {
    static constexpr FieldKind kKind = FieldKind::Quaternion;
    static Eigen::Quaterniond read(const JsonCursor& at, const Field&) { return at.quaternion(); }
    static nlohmann::json write(const Eigen::Quaterniond& value) {
        return nlohmann::json::array({value.x(), value.y(), value.z(), value.w()});
    }
};
template <>
struct FieldType<std::vector<int>> {
    static constexpr FieldKind kKind = FieldKind::WholeNumbers;
    static std::vector<int> read(const JsonCursor& at, const Field& field) {
        return at.whole_numbers(int(field.range.least), int(field.range.most));
    }
    static nlohmann::json write(const std::vector<int>& value) { return value; }
};

template <class T>
struct MemberPointer;
template <class S, class T>
struct MemberPointer<T S::*> {
    using Struct = S;
    using Type = T;
};

// The field of the member S::kMember.
template <auto kMember>
auto field(Field about) {
    using Pointer = MemberPointer<decltype(kMember)>;
    using S = typename Pointer::Struct;
    using T = typename Pointer::Type;
    about.kind = FieldType<T>::kKind;
    if constexpr (FieldType<T>::kKind == FieldKind::Word)
        for (const auto& [word, value] : EnumWords<T>::kAll)
            about.words.emplace_back(word);
    FieldOf<S> out{std::move(about)};
    out.read = [](const JsonCursor& at, const Field& of, S& to) { to.*kMember = FieldType<T>::read(at, of); };
    out.write = [](const S& from) { return FieldType<T>::write(from.*kMember); };
    return out;
}

// A field that the reader of S reads, and nobody writes.
template <class S>
FieldOf<S> other_field(FieldKind kind, Field about) {
    about.kind = kind;
    return {std::move(about)};
}

// Reads the members of `object` that the list names and that have a `read`. Keys are those of the list, or of
// `more`.
template <class S>
void read_fields(const JsonCursor& object, const FieldList<S>& fields, S& out,
                 const std::vector<std::string>& more = {}) {
    std::vector<std::string> known = keys_of(fields);
    known.insert(known.end(), more.begin(), more.end());
    if (!object.expect_keys(known)) return;
    for (const FieldOf<S>& field : fields) {
        const auto dot = field.name.find('.');
        if (dot == std::string::npos) {
            if (field.read)
                object.when(field.name, [&](const JsonCursor& at) { field.read(at, field, out); });
            continue;
        }
        const std::string outer = field.name.substr(0, dot);
        object.when(outer, [&](const JsonCursor& inner) {
            std::vector<std::string> names;
            for (const Field& f : fields)
                if (f.name.compare(0, dot + 1, outer + ".") == 0) names.push_back(f.name.substr(dot + 1));
            if (inner.expect_keys(names))
                inner.when(field.name.substr(dot + 1),
                           [&](const JsonCursor& at) { field.read(at, field, out); });
        });
    }
}

template <class S>
nlohmann::json write_fields(const FieldList<S>& fields, const S& settings) {
    nlohmann::json out = nlohmann::json::object();
    for (const FieldOf<S>& field : fields) {
        if (!field.write) continue;
        const auto dot = field.name.find('.');
        if (dot == std::string::npos)
            out[field.name] = field.write(settings);
        else
            out[field.name.substr(0, dot)][field.name.substr(dot + 1)] = field.write(settings);
    }
    return out;
}

}  // namespace limber
