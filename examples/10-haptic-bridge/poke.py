#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a hand goes that pokes the deck of the bridge for a minute, as t,x,y,z at 100 Hz: pokes of different depth at
different places, each a minimum-jerk reach as of a hand, with a tremor of 9 Hz. The bridge is 256 m long, its deck at
z = 18 m, and the ball has a radius of 2.5 m: a toy bridge, a thousand times as large."""
import math
import random

DECK, RADIUS, SECONDS, RATE = 18.0, 2.5, 60, 100


def reach(s):  # minimum jerk, 0 to 1
    s = min(max(s, 0.0), 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


def keys():
    """Times and places of the hand between reaches."""
    draw = random.Random(5)
    t, above = 0.0, DECK + RADIUS + 2
    out = [(0.0, (0.0, 0.0, above))]
    while t < SECONDS:
        x, y = draw.uniform(-40, 40), draw.uniform(-2, 2)
        deep = DECK + RADIUS - draw.uniform(0.5, 4)
        for wait, place in ((0.5, (x, y, above)), (0.4, (x, y, deep)), (draw.uniform(0.2, 0.8), (x, y, deep)),
                            (0.5, (x + draw.uniform(-3, 3), y, deep)), (0.3, (x, y, above))):
            t += wait
            out.append((t, place))
    return out


def main():
    path = keys()
    print("t,x,y,z")
    i = 0
    for k in range(SECONDS * RATE + 1):
        t = k / RATE
        while i + 2 < len(path) and path[i + 1][0] <= t:
            i += 1
        (t0, a), (t1, b) = path[i], path[i + 1]
        s = reach((t - t0) / (t1 - t0))
        tremor = [0.02 * math.sin(2 * math.pi * 9 * t + phase) for phase in (0, 2, 4)]
        print(f"{t:.2f}," + ",".join(f"{p + s * (q - p) + r:.4f}" for p, q, r in zip(a, b, tremor)))


main()
