#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what functions.json says into limber.h and docs/c.md, between their markers.

    write_interface.py            writes both
    write_interface.py --check    changes nothing; fails where a file differs, or limber.js leaves a function out
"""
import json
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BEGIN, END = "functions.json: begin", "functions.json: end"
WHERE = {"wasm": "ifdef", "native": "ifndef"}  # "only"


def wrapped(text, first, rest, width):
    return "\n".join(textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest,
                                   break_long_words=False, break_on_hyphens=False))


def declaration(function):
    start = f"LIMBER_API {function.get('returns', 'limber_status')} {function['name']}("
    # A type and its name stay on one line.
    joined = function["arguments"].replace(" ", "\0").replace(",\0", ", ")
    return wrapped(start.replace(" ", "\0") + joined + ");", "", " " * len(start), 110).replace("\0", " ")


def in_header(groups):
    out = []
    for group in groups:
        out.append(f"/* ---- {group['group']} ---- */\n")
        for function in group["functions"]:
            text = wrapped("/* " + function["sentence"] + " */", "", "   ", 110) + "\n" + declaration(function) + "\n"
            if "only" in function:
                text = f"#{WHERE[function['only']]} __wasm__\n{text}#endif\n"
            out.append(text)
    return "\n".join(out)


def in_docs(groups):
    out = []
    for group in groups:
        out.append(f"### {group['group']}\n\n| function | |\n|---|---|")
        for function in group["functions"]:
            names = [] if function["arguments"] == "void" else [
                re.search(r"(\w+)$", argument).group(1) for argument in function["arguments"].split(",")]
            out.append(f"| `{function['name']}({', '.join(names)})` | {function['sentence']} |")
        out.append("")
    return "\n".join(out)


def with_part(path, part):
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if BEGIN in line)
    end = next(i for i, line in enumerate(lines) if END in line)
    return text, "\n".join(lines[:begin + 1] + ["", part.rstrip("\n"), ""] + lines[end:])


def main():
    groups = json.loads((HERE / "functions.json").read_text(encoding="utf-8"))
    names = [function["name"] for group in groups for function in group["functions"]]
    problems = [f"{name} is listed twice" for name in names if names.count(name) > 1]
    for path, part in ((HERE / "limber.h", in_header(groups)), (ROOT / "docs/c.md", in_docs(groups))):
        before, after = with_part(path, part)
        if "--check" not in sys.argv[1:]:
            path.write_text(after, encoding="utf-8")
        elif before != after:
            problems.append(f"{path.relative_to(ROOT)} differs from functions.json; run bindings/c/write_interface.py")
    in_wasm = [function["name"] for group in groups for function in group["functions"] if function.get("only") != "native"]
    used = set(re.findall(r"\blimber_\w+", (ROOT / "bindings/wasm/limber.js").read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        problems += [f"bindings/wasm/limber.js does not use {name}" for name in in_wasm if name not in used]
        problems += [f"bindings/wasm/limber.js uses {name}, which it does not have" for name in sorted(used - set(in_wasm))]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
