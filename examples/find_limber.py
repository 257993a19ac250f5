# SPDX-License-Identifier: Apache-2.0
"""Finds the Python module of build/release for the examples; `import find_limber` before `import limber`.

Your own programs need none of this: PYTHONPATH=build/release/python python3 your_program.py
"""
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = "/usr/bin/python3"  # the one that numpy and the module are built for

if importlib.util.find_spec("limber") is None:
    sys.path.insert(0, str(ROOT / "build" / "release" / "python"))
try:
    import numpy  # noqa: F401
    import limber  # noqa: F401
except ImportError as problem:
    if os.path.realpath(sys.executable) != os.path.realpath(PYTHON) and os.path.exists(PYTHON):
        os.execv(PYTHON, [PYTHON, *sys.argv])
    sys.exit(f"error: {problem}\n  try: scripts/install_packages all && cmake --preset release && "
             "cmake --build --preset release")


def folder(name):
    """Where an example leaves its files."""
    path = ROOT / "build" / "examples" / name
    path.mkdir(parents=True, exist_ok=True)
    return path
