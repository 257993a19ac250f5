#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real meshes through check, fill, hold, build and pull, by command.

usage: run_corpus.py LIMBER FOLDER [--table docs/corpus.md] [NAME...]

What must hold for each mesh: no command fails; a body between 1 mm and 100 m; where the check says that the surface is
closed and does not intersect itself, tetrahedra fill it; of a closed surface the mass is that of its volume within 1%;
a pull of a tenth of its weight moves it and nothing is NaN. Prints a table; --table writes it into the docs.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import time

import fetch

DENSITY = 1000.0  # kg/m^3, the default of limber build
METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}


class Failure(Exception):
    pass


def call(limber, *arguments, allowed=(0,)):
    started = time.monotonic()
    done = subprocess.run([limber, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=900)
    if done.returncode not in allowed:
        raise Failure(f"limber {' '.join(map(str, arguments))}: exit status {done.returncode}: "
                      f"{(done.stdout + done.stderr).strip()[-600:]}")
    return json.loads(done.stdout), time.monotonic() - started


def up_of(mesh):
    return "z" if mesh.suffix == ".stl" else "y"


def hold_and_pull(bounds, metres, up):
    """The lowest twentieth is held, the highest twentieth is pulled sideways. SELECT, in metres."""
    axis = "xyz".index(up)
    low, high = metres * bounds[0][axis], metres * bounds[1][axis]
    return f"{up}<{low + 0.05 * (high - low):.9g}", f"{up}>{high - 0.05 * (high - low):.9g}"


def try_mesh(limber, name, mesh, unit, folder):
    row = {"mesh": name, "format": mesh.suffix[1:], "unit": unit}
    info, _ = call(limber, "mesh", "info", mesh)
    size = METRES[unit] * max(b - a for a, b in zip(*info["bounds"]))
    row |= {"triangles": info["triangles"], "size": size, "closed": info["watertight"],
            "problems": [problem["kind"] for problem in info["problems"]]}
    if not 1e-3 <= size <= 100:
        raise Failure(f"it is {size} m long")
    up = up_of(mesh)
    hold, top = hold_and_pull(info["bounds"], METRES[unit], up)
    model = folder / f"{name}.glb"
    built, seconds = call(limber, "build", mesh, "--unit", unit, "--fix", hold, "-o", model)
    row |= {"elements": built["elements"], "mass": built["total_mass"], "build": seconds,
            "bytes": built["bytes"], "frequency": built["frequencies_hz"][0], "up": built.get("up")}
    if built.get("up", up) != up:
        raise Failure(f"up is {built['up']}, not {up}")
    if info["watertight"]:
        weighed = DENSITY * abs(info["volume"]) * METRES[unit]**3
        row["mass_error"] = built["total_mass"] / weighed - 1
        if abs(row["mass_error"]) > 0.01:
            raise Failure(f"it weighs {built['total_mass']:.4g} kg; its volume weighs {weighed:.4g} kg")
    # Pulled sideways at the top for half a period of the lowest mode, with a tenth of its weight.
    force = [0.0, 0.0, 0.0]
    force["xyz".index(up) - 1] = 0.1 * 9.81 * built["total_mass"]
    period = 1 / built["frequencies_hz"][0]
    scene = folder / f"{name}.json"
    scene.write_text(json.dumps({
        "duration": period, "dt": period / 200, "bodies": [{"name": "body", "model": model.name}],
        "forces": [{"body": "body", "at": top, "force": force, "from": 0, "to": period / 2}],
        "probes": [{"name": "top", "body": "body", "at": top}]}))
    motion = folder / f"{name}.csv"
    call(limber, "simulate", scene, "-o", motion)
    lines = motion.read_text().splitlines()
    columns = [lines[0].split(",").index(f"top.{axis}") for axis in "xyz"]
    moved = max(math.dist((0, 0, 0), [float(line.split(",")[c]) for c in columns]) for line in lines[1:])
    row["moved"] = moved
    if not (math.isfinite(moved) and 1e-6 * size < moved < 10 * size):
        raise Failure(f"a tenth of its weight moves it by {moved} m")
    # What the check says about tetrahedra is what the command does.
    if info["watertight"] and not row["problems"]:
        tets, _ = call(limber, "mesh", "tetrahedralize", mesh, "-o", folder / f"{name}.msh")
        row["tets"] = tets["tets"] if "tets" in tets else tets["tetrahedra"]
    return row


def length(metres):
    return f"{metres:.3g} m" if metres >= 1 else f"{metres * 100:.3g} cm" if metres >= 0.01 else f"{metres * 1e3:.3g} mm"


def mass(kilograms):
    return f"{kilograms:.3g} kg" if kilograms >= 1 else f"{kilograms * 1e3:.3g} g" if kilograms >= 1e-3 \
        else f"{kilograms * 1e6:.3g} mg"


def table(rows):
    out = ["| mesh | file | triangles | size | closed | cubes | mass | lowest frequency | build | model |",
           "|---|---|---:|---:|---|---:|---:|---:|---:|---:|"]
    for r in rows:
        out.append(f"| {r['mesh']} | {r['format']} | {r['triangles']:,} | {length(r['size'])} | "
                   f"{'yes' if r['closed'] else 'no'} | {r['elements']:,} | {mass(r['mass'])} | "
                   f"{r['frequency']:.3g} Hz | {r['build']:.1f} s | {r['bytes'] / 1e6:.1f} MB |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("limber")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    out = options.folder / "models"
    out.mkdir(parents=True, exist_ok=True)
    rows, failed = [], 0
    for name, package, path, unit in fetch.entries():
        if options.names and name not in options.names:
            continue
        try:
            row = try_mesh(options.limber, name, fetch.fetch_mesh(name, package, path, options.folder), unit, out)
            rows.append(row)
            print(f"{name}: {length(row['size'])}, {mass(row['mass'])}, {row['elements']} elements, "
                  f"{row['build']:.1f} s, moved {length(row['moved'])}; {', '.join(row['problems']) or 'no problems'}",
                  flush=True)
        except (Failure, subprocess.SubprocessError, OSError, KeyError) as problem:
            failed += 1
            print(f"{name}: FAILED: {problem!r}", flush=True)
    if options.table:
        text = options.table.read_text()
        begin, end = "<!-- table -->\n", "<!-- end of table -->"
        head, rest = text.split(begin, 1)
        options.table.write_text(head + begin + table(rows) + end + rest.split(end, 1)[1])
    print(f"{len(rows)} passed, {failed} failed")
    sys.exit(failed != 0 or not rows)


if __name__ == "__main__":
    main()
