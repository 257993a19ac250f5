#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of README.md as printed, in order, as someone would type them in a fresh clone.

usage: run_readme.py REPOSITORY BUILD     (BUILD: the folder with bin/limber and python/)

The shell block and the Python block of "Usage" run; ./run, ./test and the builds by hand are what called
this test. `limber studio` stays in the foreground: it counts as done when it has printed its address.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

STUDIO_SECONDS = 60  # until it prints its address

MOST_DIFFERENCE = 0.5  # levels of 255 a byte, on average: another machine rounds a few pixels at edges otherwise


# The bytes of a PNG's rows before compression: filtered alike by one encoder, so they can be compared.
def filtered_bytes(path):
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    return zlib.decompress(packed)


def mean_difference(a, b):
    a, b = filtered_bytes(a), filtered_bytes(b)
    if len(a) != len(b):
        return 255.0
    return sum(min((x - y) % 256, (y - x) % 256) for x, y in zip(a, b)) / len(a)


def blocks(text, heading, language):
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


# A command may go on in the next line, after a backslash; so does a loop, up to its "done".
def commands(block):
    lines, loop = [], ""
    for line in block.replace("\\\n", " ").splitlines():
        loop += line + "\n"
        if loop.startswith("for ") and not line.endswith("done"):
            continue
        if loop.strip():
            lines.append(loop.rstrip())
        loop = ""
    return lines


def run(command, folder, environment):
    return subprocess.run(["bash", "-ec", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)


def opens_studio(command, folder, environment):
    print(f"$ {command}", flush=True)
    with subprocess.Popen(["bash", "-c", "exec " + command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as studio:
        watchdog = subprocess.Popen(["sleep", str(STUDIO_SECONDS)])
        try:
            for line in studio.stdout:
                print(line, end="")
                if "http://127.0.0.1:" in line:
                    return True
                if watchdog.poll() is not None:
                    return False
            return False
        finally:
            watchdog.kill()
            watchdog.wait()
            studio.terminate()


def main():
    repository, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    readme = (repository / "README.md").read_text()
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as scratch:
        # A clone has its files at the top and its build in build/release; nothing is written into the real one.
        clone = pathlib.Path(scratch) / "limber"
        shutil.copytree(repository / "examples", clone / "examples")
        (clone / "build").mkdir()
        (clone / "build" / "release").symlink_to(build)
        folder = clone
        count = 0
        for command in commands("".join(blocks(readme, "Usage", "sh"))):
            bare = command.split("#", 1)[0].strip()
            if bare.startswith("limber studio"):
                if not opens_studio(bare, folder, environment):
                    sys.exit("error: the studio printed no address")
            else:
                print(f"$ {command}", flush=True)
                # Folder and exports of one line hold for the next ones.
                done = run(command + "\nprintf '\\n%s\\n%s' \"$PWD\" \"$PATH\"", folder, environment)
                if done.returncode != 0:
                    sys.exit(f"{done.stdout}\nerror: exit status {done.returncode}: {bare}")
                _, place, path = done.stdout.rsplit("\n", 2)
                folder, environment["PATH"] = pathlib.Path(place), path
            count += 1
        for name in re.findall(r'<img src="docs/pictures/(\w+\.png)"', readme):
            difference = mean_difference(repository / "docs" / "pictures" / name, folder / name)
            print(f"{name}: differs by {difference:.4f} levels a byte from the one in docs/pictures")
            if difference > MOST_DIFFERENCE:
                sys.exit(f"error: docs/pictures/{name} is not what the commands of README.md draw")
        for block in blocks(readme, "Usage", "python"):
            print(block, flush=True)
            done = subprocess.run(["/usr/bin/python3", "-c", block], cwd=folder, timeout=600,
                                  env=environment | {"PYTHONPATH": str(build / "python")})
            if done.returncode != 0:
                sys.exit("error: the Python block failed")
            count += 1
        if count < 10:
            sys.exit(f"error: only {count} commands were found in README.md")
        print(f"{count} commands")


if __name__ == "__main__":
    main()
