# SPDX-License-Identifier: Apache-2.0
"""What a collision of many bodies must keep, and what it did keep: collided.py motion.csv"""
import csv
import sys


def length(x):
    return sum(c * c for c in x) ** 0.5


def main(file):
    with open(file, encoding="utf-8", newline="") as text:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(text)]
    names = [key[:-3] for key in rows[0] if key.endswith(".cx")]

    def total(row, letter):
        return [sum(row[f"{name}.{letter}{axis}"] for name in names) for axis in "xyz"]

    def energy(row):
        return sum(row[f"{name}.{kind}"] for name in names for kind in ("kinetic", "elastic", "potential"))

    first = rows[0]
    scale = sum(length([first[f"{name}.p{axis}"] for axis in "xyz"]) for name in names)
    spin = sum(length([first[f"{name}.l{axis}"] for axis in "xyz"]) for name in names)
    changed = max(length([a - b for a, b in zip(total(row, "p"), total(first, "p"))]) for row in rows) / scale
    turned = max(length([a - b for a, b in zip(total(row, "l"), total(first, "l"))]) for row in rows) / spin
    print(f"momentum: changed by {changed:.1e} of what the bodies have, angular momentum by {turned:.1e}")
    start = energy(first)
    highest = max((energy(b) - energy(a)) / start for a, b in zip(rows, rows[1:]))
    print(f"energy: {100 * (1 - energy(rows[-1]) / start):.1f}% lost, never more than {100 * max(highest, 0):.2g}% gained "
          "from one row to the next")
    touched = sum(any(row[f"{name}.contacts"] > 0 for row in rows) for name in names)
    print(f"{touched} of {len(names)} bodies touched another; deepest overlap "
          f"{1e3 * max(row[f'{name}.depth'] for row in rows for name in names):.1f} mm")


main(sys.argv[1])
