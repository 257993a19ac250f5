// SPDX-License-Identifier: Apache-2.0
// The field lists of all settings, for tools:
//     limber_describe json               prints them
//     limber_describe refresh FILE...    writes them between the markers of docs and declarations
#include "limber/settings/declare_fields.h"
#include "limber/settings/field.h"

#include <fstream>
#include <iostream>
#include <sstream>

namespace {

int refresh(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) return std::cerr << "error: " << file << ": it cannot be read\n", 1;
    const auto fresh = limber::with_declared_fields(text.str(), file);
    if (!fresh.ok())
        return std::cerr << "error: " << fresh.error().where << ": " << fresh.error().problem << '\n', 1;
    if (fresh.value() == text.str()) return 0;
    std::ofstream out(file, std::ios::binary);
    out << fresh.value();
    std::cout << file << '\n';
    return out ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "json" && argc == 2) return std::cout << limber::describe_fields_json() << '\n', 0;
    if (what != "refresh")
        return std::cerr << "usage: limber_describe json | limber_describe refresh FILE...\n", 1;
    int failed = 0;
    for (int i = 2; i < argc; ++i)
        failed |= refresh(argv[i]);
    return failed;
}
