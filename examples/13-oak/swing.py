# SPDX-License-Identifier: Apache-2.0
"""How far the tip swings and how fast: swing.py motion.csv"""
import csv
import sys

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
after = [row for row in rows if row["t"] > 0.35]
x = [row["tip.x"] for row in after]
mean = sum(x) / len(x)
crossings = [b["t"] for a, b in zip(after, after[1:]) if a["tip.x"] - mean < 0 <= b["tip.x"] - mean]
print(f"the tip moves {max(x) - min(x):.3f} m from side to side")
if len(crossings) > 1:
    print(f"about {(len(crossings) - 1) / (crossings[-1] - crossings[0]):.2f} times a second")
