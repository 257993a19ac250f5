# SPDX-License-Identifier: Apache-2.0
"""When the box flips, against the exact solution of Euler's equations: flips.py motion.csv"""
import csv
import math
import sys

SIDES = (0.4, 0.3, 0.1)  # m
MASS = 500 * SIDES[0] * SIDES[1] * SIDES[2]  # kg
INERTIA = [MASS / 12 * (sum(s * s for s in SIDES) - side * side) for side in SIDES]  # ascending


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def in_body_axes(x, q):
    """The vector x of the world, for the orientation q = x y z w."""
    u, w = [-q[0], -q[1], -q[2]], q[3]
    t = [2 * c for c in cross(u, x)]
    return [a + w * b + c for a, b, c in zip(x, t, cross(u, t))]


def complete_elliptic_integral(k):
    """K(k), by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def exact_time_between_flips(spin):
    """Half the period of Ω₂ (Landau & Lifshitz, Mechanics, section 37), for M² > 2 E I₂."""
    i1, i2, i3 = INERTIA
    energy2 = sum(i * w * w for i, w in zip(INERTIA, spin))  # 2 E
    momentum2 = sum((i * w) ** 2 for i, w in zip(INERTIA, spin))  # M²
    k2 = (i2 - i1) * (energy2 * i3 - momentum2) / ((i3 - i2) * (momentum2 - energy2 * i1))
    rate = math.sqrt((i3 - i2) * (momentum2 - energy2 * i1) / (i1 * i2 * i3))
    return 2 * complete_elliptic_integral(math.sqrt(k2)) / rate


def main(file):
    with open(file, newline="") as text:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(text)]
    flips, before = [], None
    for row in rows:
        centre, momentum, about_origin, turned = (
            [row["box." + letter + axis] for axis in axes]
            for letter, axes in (("c", "xyz"), ("p", "xyz"), ("l", "xyz"), ("r", "xyzw")))
        orbit = cross(centre, momentum)
        spin = [l / i for l, i in zip(in_body_axes([a - b for a, b in zip(about_origin, orbit)], turned), INERTIA)]
        if before and (before[1] > 0) != (spin[1] > 0):
            flips.append(before[0] + (row["t"] - before[0]) * before[1] / (before[1] - spin[1]))
        if not before:
            exact = exact_time_between_flips(spin)
        before = (row["t"], spin[1])
    between = (flips[-1] - flips[0]) / (len(flips) - 1)
    print(f"{len(flips)} flips, {between:.5f} s apart; exact: {exact:.5f} s ({100 * (between / exact - 1):+.3f}%)")
    energy = [row["box.kinetic"] + row["box.potential"] for row in rows]
    print(f"energy: {energy[0]:.6f} J at the start, changed by {max(abs(e - energy[0]) for e in energy):.1e} J")
    print(f"highest point of the centre: {max(row['box.cz'] for row in rows):.4f} m; v²/2g = {20 ** 2 / 2 / 9.81:.4f} m")


main(sys.argv[1])
