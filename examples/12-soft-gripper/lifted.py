# SPDX-License-Identifier: Apache-2.0
"""How a ball was lifted, and whether it stays lifted: lifted.py motion.csv"""
import csv
import sys

G, FRICTION, CLOSED, HELD = 9.81, 0.9, 0.75, 2.5  # m/s², µ, s: the fingers press; s: at rest above

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def at(time):
    return min(rows, key=lambda row: abs(row["t"] - time))


closed, held, end = at(CLOSED), at(HELD), rows[-1]
press = held["right.fx"]
weight = -(held["left.fz"] + held["right.fz"])
print(f"the fingers press with {-held['left.fx']:.3f} N and {press:.3f} N; friction carries {weight:.4f} N of at most "
      f"{2 * FRICTION * press:.2f} N")
print(f"lifted by {held['ball.cz'] - closed['ball.cz']:.4f} m")
print(f"sinks by {(held['ball.cz'] - end['ball.cz']) / (end['t'] - held['t']) * 1e6:.2f} µm/s while it is held")
