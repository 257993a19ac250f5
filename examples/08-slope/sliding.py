# SPDX-License-Identifier: Apache-2.0
"""Creep, acceleration and contact force of boxes on a slope: sliding.py motion.csv"""
import csv
import math
import sys

G, TILT = 9.81, math.atan(0.5)
MASS = 1000 * 0.4 * 0.3 * 0.1  # kg

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def along(row, name):
    """Down the slope, m."""
    return row[f"{name}.cx"] * math.cos(TILT) - row[f"{name}.cz"] * math.sin(TILT)


def at(time):
    return min(rows, key=lambda row: abs(row["t"] - time))


creep = along(rows[-1], "sticks") - along(at(1), "sticks")
print(f"sticks: {creep:.1e} m from 1 s to 2 s")
a, b, c = (along(at(t), "slides") for t in (1, 1.5, 2))
measured, expected = (a - 2 * b + c) / 0.25, G * (math.sin(TILT) - 0.45 * math.cos(TILT))
print(f"slides: {measured:.5f} m/s^2, theory {expected:.5f}, off by {abs(measured / expected - 1):.1e}")
force = math.hypot(*(rows[-1][f"sticks.f{axis}"] for axis in "xyz"))
print(f"contact force: {force:.4f} N, weight {MASS * G:.4f} N, off by {abs(force / (MASS * G) - 1):.1e}")
