# SPDX-License-Identifier: Apache-2.0
"""What the boxes of a stack carry: carried.py motion.csv"""
import csv
import sys

G, MASS = 9.81, 12.0  # m/s^2, kg

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

row = min(rows, key=lambda each: abs(each["t"] - 0.9))
# A box is pushed up from below by all the weight above and its own, and down from above by the rest: its own is left.
worst = max(abs(row[f"box{i}.fz"] / (MASS * G * (10 if i == 9 else 1)) - 1) for i in range(10))
print(f"each box is carried to within {worst:.1e} of its weight at {row['t']:g} s")
print(f"deepest overlap {max(row[f'box{i}.depth'] for i in range(10)):.1e} m")
print(f"highest box before {row['box9.cz']:.3f} m, at the end {rows[-1]['box9.cz']:.3f} m")
