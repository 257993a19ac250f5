// SPDX-License-Identifier: Apache-2.0
#include "limber/select/select.h"

#include "limber/model/number_limits.h"
#include "limber/printable.h"
#include "limber/select/condition.h"
#include "limber/select/leading_number.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

namespace limber {
namespace {

constexpr std::string_view kSeparators = ", \t\r\n", kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);  // npos + 1 is 0
}

// The text before the next comma or blank that is not a comma or blank; `text` loses it and what precedes it.
std::string_view next_item(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(kSeparators), text.size()));
    const auto item = text.substr(0, text.find_first_of(kSeparators));
    text.remove_prefix(item.size());
    return item;
}

// Ids beyond every count are the largest number; no number: none.
std::optional<std::size_t> whole_number(std::string_view digits) {
    std::size_t id = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (error == std::errc::result_out_of_range) return std::numeric_limits<std::size_t>::max();
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return id;
}

// "12" or "20-30".
Status mark_item(std::string_view item, const std::string& where, std::vector<bool>& marks) {
    const auto dash = item.find('-');
    const auto first = whole_number(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_number(item.substr(dash + 1));
    if (!first || !last)
        return InputError{where, "expected a vertex id or a range, found '" + printable(item) + "'",
                          "ids are whole numbers from 0, ranges like 20-30"};
    if (std::max(*first, *last) >= marks.size())
        return InputError{where,
                          "vertex " + printable(item) + " is not there; the mesh has " +
                              std::to_string(marks.size()) + " vertices",
                          "ids count from 0, in the file's order"};
    if (*first > *last) return InputError{where, "the range " + printable(item) + " runs backwards", ""};
    for (std::size_t id = *first; id <= *last; ++id)
        marks[id] = true;
    return {};
}

std::string_view prefix_of(SelectForm form) {
    switch (form) {
        case SelectForm::Ids:
            return "#";
        case SelectForm::Near:
            return "near:";
        case SelectForm::Group:
            return "@";
        case SelectForm::File:
            return "file:";
        default:
            return "";
    }
}

}  // namespace

SelectForm select_form(std::string_view text) {
    text = trimmed(text);
    if (text.empty()) return SelectForm::Empty;
    if (text == "all") return SelectForm::All;
    if (text == "none") return SelectForm::None;
    for (const SelectForm form : {SelectForm::Ids, SelectForm::Near, SelectForm::Group, SelectForm::File})
        if (text.starts_with(prefix_of(form))) return form;
    return SelectForm::Condition;
}

Eigen::AlignedBox3d usable_bounds(PointSpan points) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& point : points)
        if ((point.array().abs() <= kLargestNumber).all()) box.extend(point);
    return box;
}

Status mark_ids(std::string_view list, const std::string& where, std::vector<bool>& marks) {
    for (auto item = next_item(list); !item.empty(); item = next_item(list))
        if (Status status = mark_item(item, where, marks); !status.ok()) return status;
    return {};
}

std::vector<int> ids_of_marks(const std::vector<bool>& marks) {
    std::vector<int> ids;
    for (std::size_t i = 0; i < marks.size(); ++i)
        if (marks[i]) ids.push_back(static_cast<int>(i));
    return ids;
}

Result<std::vector<int>> select_nearest(std::string_view place, const std::string& where, PointSpan points) {
    const std::string example = "write it like \"near:0,0,1\", in m";
    Eigen::Vector3d wanted;
    for (double& coordinate : wanted) {
        const auto item = next_item(place);
        const LeadingNumber number = leading_number(item);
        if (item.empty()) return InputError{where, "expected three numbers x,y,z", example};
        if (number.length != item.size() || number.out_of_range)
            return InputError{where, "expected a number, found '" + printable(item) + "'", example};
        coordinate = number.value;
    }
    if (const auto extra = next_item(place); !extra.empty())
        return InputError{where, "a fourth number '" + printable(extra) + "'", example};

    std::vector<int> best;
    double best_distance_squared = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double distance_squared = (points[i] - wanted).squaredNorm();
        if (distance_squared < best_distance_squared) {
            best_distance_squared = distance_squared;
            best = {static_cast<int>(i)};
        }
    }
    return best;
}

InputError unknown_group(std::string_view name, const std::string& where,
                         const std::vector<std::string_view>& known) {
    constexpr std::size_t kShown = 12;
    std::string list;
    for (std::size_t i = 0; i < std::min(known.size(), kShown); ++i)
        list += (i == 0 ? "@" : ", @") + printable(known[i]);
    if (known.size() > kShown) list += " and " + std::to_string(known.size() - kShown) + " more";
    return {where, "the mesh has no group '" + printable(name) + "'",
            known.empty() ? "the file names no groups; use a condition such as \"x<0.1\""
                          : "its groups are " + list};
}

Result<std::vector<int>> select_ids(std::string_view text, std::size_t count, const SelectSources& sources) {
    text = trimmed(text);
    const std::string where = "in '" + printable(text) + "'";
    const SelectForm form = select_form(text);
    assert(form == SelectForm::Ids || form == SelectForm::File);
    const std::string_view rest = text.substr(prefix_of(form).size());
    if (form == SelectForm::Ids && rest.find_first_not_of(kSeparators) == std::string_view::npos)
        return InputError{where, "no ids follow", "write them like \"#12,15,20-30\""};
    if (form == SelectForm::File && !sources.file)
        return InputError{where, "a selection from a file is not possible here",
                          "the ids themselves, like \"#12,15,20-30\""};
    std::vector<bool> marks(count, false);
    const Status status = form == SelectForm::Ids ? mark_ids(rest, where, marks) : sources.file(rest, marks);
    if (!status.ok()) return status.error();
    return ids_of_marks(marks);
}

Result<std::vector<int>> select_points(std::string_view text, PointSpan points,
                                       const SelectSources& sources) {
    text = trimmed(text);
    const std::string where = "in '" + printable(text) + "'";
    const SelectForm form = select_form(text);
    const std::string_view rest = text.substr(prefix_of(form).size());
    std::vector<int> ids;
    switch (form) {
        case SelectForm::Empty:
            return InputError{where, "the selection is empty text",
                              "write a condition such as \"x<0.1\", or all"};
        case SelectForm::None:
            return ids;
        case SelectForm::All:
            ids.resize(points.size());
            std::iota(ids.begin(), ids.end(), 0);
            return ids;
        case SelectForm::Near:
            return select_nearest(rest, where, points);
        case SelectForm::Group:
            if (!sources.group) return unknown_group(rest, where, {});
            return sources.group(rest, where);
        case SelectForm::Ids:
        case SelectForm::File:
            return select_ids(text, points.size(), sources);
        case SelectForm::Condition:
            break;
    }
    const Result<Condition> condition = parse_condition(text, usable_bounds(points));
    if (!condition.ok()) return condition.error();
    for (std::size_t i = 0; i < points.size(); ++i)
        if (holds(condition.value(), points[i])) ids.push_back(static_cast<int>(i));
    return ids;
}

std::string ids_text(const std::vector<int>& ids) {
    std::string out;
    for (std::size_t i = 0; i < ids.size();) {
        std::size_t last = i;
        while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1)
            ++last;
        out += (out.empty() ? "#" : ",") + std::to_string(ids[i]);
        if (last > i) out += (last == i + 1 ? "," : "-") + std::to_string(ids[last]);
        i = last + 1;
    }
    return out.empty() ? "none" : out;
}

}  // namespace limber
