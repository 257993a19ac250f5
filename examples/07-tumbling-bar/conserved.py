# SPDX-License-Identifier: Apache-2.0
"""What a flight must keep, and what it did keep: conserved.py motion.csv"""
import csv
import sys

GRAVITY = 9.81  # m/s²


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def length(x):
    return sum(c * c for c in x) ** 0.5


def vector(row, letter):
    return [row["bar." + letter + axis] for axis in "xyz"]


def main(file):
    with open(file, newline="") as text:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(text)]
    first = rows[0]
    centre, momentum = vector(first, "c"), vector(first, "p")
    about_centre = [l - o for l, o in zip(vector(first, "l"), cross(centre, momentum))]
    energy = first["bar.kinetic"] + first["bar.elastic"] + first["bar.potential"]
    # The mass, from the momentum that gravity brings.
    mass = (momentum[2] - rows[-1]["bar.pz"]) / (GRAVITY * rows[-1]["t"])
    turned, left, changed = 0.0, 0.0, 0.0
    for row in rows:
        t, c, p = row["t"], vector(row, "c"), vector(row, "p")
        spin = [l - o for l, o in zip(vector(row, "l"), cross(c, p))]
        turned = max(turned, length([a - b for a, b in zip(spin, about_centre)]) / length(about_centre))
        parabola = [x + v * t / mass for x, v in zip(centre, momentum)]
        parabola[2] -= GRAVITY * t * t / 2
        left = max(left, length([a - b for a, b in zip(c, parabola)]))
        changed = max(changed, abs(row["bar.kinetic"] + row["bar.elastic"] + row["bar.potential"] - energy))
    print(f"angular momentum about the centre: changed by {turned:.1e} of {length(about_centre):.4f} kg m²/s")
    print(f"centre of mass: off its parabola by {left:.1e} m at most")
    print(f"energy: changed by {changed / (first['bar.kinetic'] + first['bar.elastic']):.1e} of the energy of the motion, "
          f"while up to {max(row['bar.elastic'] for row in rows):.3f} J were elastic")


main(sys.argv[1])
