# SPDX-License-Identifier: Apache-2.0
"""What the shared library exports: every function of the interface in C, and of C++ only what public headers declare.

usage: check_symbols.py LIBRARY.so INSTALLED_HEADERS
"""
import pathlib
import re
import subprocess
import sys

library, headers = sys.argv[1:]
header = re.sub(r"#ifdef __wasm.*?#endif", "", (pathlib.Path(headers) / "limber.h").read_text(), flags=re.S)
# Which is checked against the list of functions by another test.
listed = set(re.findall(r"^LIMBER_API .*?(limber_\w+)\(", header, re.M))
declared = set(re.findall(r"\w+", "\n".join(
    re.sub(r"//.*", "", path.read_text()) for path in (pathlib.Path(headers) / "limber").rglob("*.h"))))
lines = subprocess.run(["nm", "-D", "-C", "--defined-only", library], check=True, stdout=subprocess.PIPE,
                       text=True).stdout.splitlines()
names = {re.sub(r"^[0-9a-f]+ \w ", "", line) for line in lines}
in_c = {name for name in names if re.fullmatch(r"limber_\w+", name)}
problems = [f"{name} is listed and not exported" for name in sorted(listed - in_c)]
problems += [f"{name} is exported and not listed" for name in sorted(in_c - listed)]
for name in sorted(names - in_c):
    # "limber::World::step(double)", "typeinfo for limber::World": the first name in the namespace is what a header declares.
    own = re.match(r"(?:(?:typeinfo|typeinfo name|vtable|VTT) for )?limber::([a-zA-Z_]\w*)", name)
    if not own:
        problems.append(f"{name} is not limber's and is exported")
    elif own[1] not in declared:
        problems.append(f"{name} is exported, and no public header declares {own[1]}")
if not any(name.startswith("limber::World::step") for name in names):
    problems.append("limber::World::step is not exported")
print("\n".join(problems) or f"{len(in_c)} functions in C and {len(names) - len(in_c)} names in C++ are exported")
sys.exit(1 if problems else 0)
