// SPDX-License-Identifier: Apache-2.0
#include "limber/settings/declare_fields.h"

#include "limber/settings/field.h"

#include <sstream>
#include <vector>

// A tool that runs once in a while: sums of strings are fine.
// NOLINTBEGIN(performance-inefficient-string-concatenation)
namespace limber {
namespace {

enum class Form { Markdown, TypeScript, Python };

constexpr std::size_t kLineWidth = 118;

// What a marker asks for.
struct Wanted {
    std::string name;    // of the struct, or "StvkSettings.damping"
    std::string option;  // may be empty
    std::string indent;
};

struct DeclaredField {
    Field field;  // its name without what the marker names
    std::string default_json;
};

// "1000.0" as "1000", in lists too.
std::string without_zeros(std::string json) {
    for (auto at = json.find(".0"); at != std::string::npos; at = json.find(".0", at + 1))
        if (const auto next = at + 2; next == json.size() || json[next] == ',' || json[next] == ']')
            json.erase(at, 2);
    return json;
}

std::string default_of(const DeclaredField& of) {
    return of.field.default_text.empty() ? of.default_json : of.field.default_text;
}

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

Result<std::vector<DeclaredField>> wanted_fields(const Wanted& wanted, const std::string& file) {
    const auto dot = wanted.name.find('.');
    const std::string inner = dot == std::string::npos ? "" : wanted.name.substr(dot + 1) + ".";
    std::vector<DeclaredField> out;
    for (const DescribedStruct& of : described_structs())
        if (of.name == wanted.name.substr(0, dot))
            for (std::size_t i = 0; i < of.fields.size(); ++i) {
                DeclaredField one{of.fields[i], without_zeros(of.defaults[i])};
                if (!starts_with(one.field.name, inner)) continue;
                if (one.field.is_of_world && wanted.option == "body") continue;
                one.field.name.erase(0, inner.size());
                out.push_back(std::move(one));
            }
    if (out.empty()) return InputError{file, "there are no fields of '" + wanted.name + "'", ""};
    return out;
}

// Lines of at most kLineWidth columns.
std::string wrapped(const std::string& text, const std::string& before) {
    std::string out, line;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!line.empty() && before.size() + line.size() + 1 + word.size() > kLineWidth) {
            out += before + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return out + before + line + "\n";
}

// " Unit: Pa, from 1e-20 to 1e+20.": what a value may be, beyond its type.
std::string limits_of(const Field& field) {
    std::string out = field.unit.empty() ? "" : " Unit: " + field.unit;
    const bool limited = field.range.has_least() || field.range.has_most();
    if (limited && field.kind != FieldKind::WholeNumbers)
        out += (out.empty() ? " Range: " : ", ") + field.range.text();
    return out.empty() ? "" : out + ".";
}

std::string values_in_markdown(const Field& field) {
    std::string words;
    switch (field.kind) {
        case FieldKind::Number:
        case FieldKind::WholeNumber:
            return field.range.text();
        case FieldKind::NumberOrAuto:
            return "`auto`, or " + field.range.text();
        case FieldKind::Flag:
            return "`true`, `false`";
        case FieldKind::Word:
            for (const std::string& word : field.words)
                words += (words.empty() ? "`" : ", `") + word + "`";
            return words;
        case FieldKind::Text:
            return "a name";
        case FieldKind::Vector3:
            return "x y z";
        case FieldKind::Quaternion:
            return "x y z w";
        case FieldKind::WholeNumbers:
            return "a list";
        case FieldKind::Materials:
            return "by group";
        case FieldKind::Domains:
            return "by domain";
    }
    return "";
}

std::string markdown(const std::vector<DeclaredField>& fields) {
    std::string out = "| key | unit | values | default | means |\n|---|---|---|---|---|\n";
    for (const DeclaredField& of : fields) {
        std::string given = default_of(of);
        if (of.field.default_text.empty()) {
            for (char& c : given)
                if (c == '"') c = '`';
            if (of.field.kind == FieldKind::Flag) given = "`" + given + "`";
        }
        out += "| `" + of.field.name + "` | " + of.field.unit + " | " + values_in_markdown(of.field) + " | " +
               given + " | " + of.field.sentence + " |\n";
    }
    return out;
}

std::string type_in_typescript(const Field& field) {
    std::string words;
    switch (field.kind) {
        case FieldKind::Number:
        case FieldKind::WholeNumber:
            return "number";
        case FieldKind::NumberOrAuto:
            return "number | 'auto'";
        case FieldKind::Flag:
            return "boolean";
        case FieldKind::Word:
            for (const std::string& word : field.words)
                words += (words.empty() ? "'" : " | '") + word + "'";
            return words;
        case FieldKind::Text:
            return "string";
        case FieldKind::Vector3:
            return "[number, number, number]";
        case FieldKind::Quaternion:
            return "[number, number, number, number]";
        case FieldKind::WholeNumbers:
            return "number[]";
        case FieldKind::Materials:
            return "Record<string, Partial<Material>>";
        case FieldKind::Domains:
            return "Record<string, DomainState>";
    }
    return "";
}

std::string typescript(const std::vector<DeclaredField>& fields, const Wanted& wanted) {
    const std::string mark = wanted.option == "required" ? ": " : "?: ";
    std::string out, open;  // the object that is open, "damping"
    for (const DeclaredField& of : fields) {
        const auto dot = of.field.name.find('.');
        const std::string outer = dot == std::string::npos ? "" : of.field.name.substr(0, dot);
        if (outer != open && !open.empty()) out += wanted.indent + "};\n";
        if (outer != open && !outer.empty()) out += wanted.indent + outer + mark + "{\n";
        open = outer;
        const std::string indent = wanted.indent + (outer.empty() ? "" : "  ");
        const std::string about =
            of.field.sentence + limits_of(of.field) + " Default: " + default_of(of) + ".";
        const std::string one_line = indent + "/** " + about + " */\n";
        out += one_line.size() <= kLineWidth + 1
                   ? one_line
                   : indent + "/**\n" + wrapped(about, indent + " * ") + indent + " */\n";
        out += indent + of.field.name.substr(dot == std::string::npos ? 0 : dot + 1) + mark +
               type_in_typescript(of.field) + ";\n";
    }
    return open.empty() ? out : out + wanted.indent + "};\n";
}

std::string type_in_python(FieldKind kind) {
    switch (kind) {
        case FieldKind::Number:
            return "float";
        case FieldKind::WholeNumber:
            return "int";
        case FieldKind::NumberOrAuto:
            return "Union[float, str]";
        case FieldKind::Flag:
            return "bool";
        case FieldKind::Word:
        case FieldKind::Text:
            return "str";
        case FieldKind::Vector3:
        case FieldKind::Quaternion:
        case FieldKind::WholeNumbers:
            return "ArrayLike";
        case FieldKind::Materials:
            return "Mapping[str, Constants]";
        case FieldKind::Domains:
            return "Mapping[str, Mapping[str, float]]";
    }
    return "";
}

std::string python(const std::vector<DeclaredField>& fields, const Wanted& wanted) {
    std::string out, previous;
    for (const DeclaredField& of : fields) {
        const auto dot = of.field.name.find('.');
        const std::string name = of.field.name.substr(0, dot);
        const std::string type = dot == std::string::npos ? type_in_python(of.field.kind) : "Damping";
        if (name == previous) continue;
        previous = name;
        if (wanted.option == "dict") {
            out += wanted.indent + name + ": " + type + "\n";
            continue;
        }
        const bool plain = dot == std::string::npos && of.field.default_text.empty() && type != "ArrayLike" &&
                           wanted.option != "change";
        const std::string given = of.default_json == "true"    ? "True"
                                  : of.default_json == "false" ? "False"
                                                               : of.default_json;
        out += wanted.indent + name +
               (plain ? ": " + type + " = " + given : ": Optional[" + type + "] = None") + ",\n";
    }
    return out;
}

// The marker in a line, if it is one: the text between `before` and `after`.
std::optional<std::string> marked(const std::string& line, const std::string& before,
                                  const std::string& after) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.compare(begin, before.size(), before) != 0) return std::nullopt;
    const auto from = begin + before.size();
    if (line.size() < from + after.size() || !line.ends_with(after)) return std::nullopt;
    return line.substr(from, line.size() - after.size() - from);
}

}  // namespace

Result<std::string> with_declared_fields(const std::string& text, const std::string& file) {
    const Form form = file.ends_with(".md")   ? Form::Markdown
                      : file.ends_with(".ts") ? Form::TypeScript
                                              : Form::Python;
    const std::string before = form == Form::Markdown ? "<!-- " : form == Form::TypeScript ? "// " : "# ";
    const std::string after = form == Form::Markdown ? " -->" : "";
    std::string out;
    std::istringstream lines(text);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        const bool ends = marked(line, before + "end", after) == std::optional<std::string>("");
        if (inside && !ends) continue;
        inside = false;
        out += line + "\n";
        const auto asked = marked(line, before + "fields: ", after);
        if (!asked) continue;
        Wanted wanted;
        std::istringstream words(*asked);
        words >> wanted.name >> wanted.option;
        wanted.indent = line.substr(0, line.find_first_not_of(' '));
        const auto fields = wanted_fields(wanted, file);
        if (!fields.ok()) return fields.error();
        out += form == Form::Markdown     ? markdown(fields.value())
               : form == Form::TypeScript ? typescript(fields.value(), wanted)
                                          : python(fields.value(), wanted);
        inside = true;
    }
    if (inside) return InputError{file, "a marker of fields has no end", before + "end" + after};
    return out;
}

}  // namespace limber
// NOLINTEND(performance-inefficient-string-concatenation)
