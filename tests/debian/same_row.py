# SPDX-License-Identifier: Apache-2.0
"""Whether a program printed the coordinates of the last row of a motion.    usage: same_row.py MOTION.csv PRINTED"""
import csv
import pathlib
import sys

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    *_, last = csv.DictReader(file)
expected = [float(value) for name, value in last.items() if name.startswith("body.q")]
printed = [float(line) for line in pathlib.Path(sys.argv[2]).read_text().split()]
if not expected or printed != expected:
    sys.exit(f"FAILED: {sys.argv[2]} differs:\n{printed}\n{expected}")
