#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the bars of three methods come to rest, beside the full model; the way there as SVG.

usage: compare.py MOTION.csv FULL_LOW.json FULL_HIGH.json OUT.svg
"""
import csv
import json
import math
import sys

METHODS = {"linear": ("linear modes", "#e07b39"), "warp": ("warping", "#004c8c"), "stvk": ("reduced StVK", "#3c8c5a")}
HEIGHT_OF_BAR = 0.2  # m
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 340, 70, 16, 34, 44


def row(name, low, high):
    """Where the lower corner of the tip is, and how far the upper one is from it."""
    apart = math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2] + HEIGHT_OF_BAR)
    print(f"  {name:<14} {1 + low[0]:8.4f} {low[2]:8.4f} {apart:10.4f}  ({100 * (apart / HEIGHT_OF_BAR - 1):+.1f}%)")


def plot(frames, rest, path):
    end = frames[-1]["t"]
    heights = {name: [frame[f"{name}.low.z"] for frame in frames] for name in METHODS}
    bottom = math.floor(10 * min(min(values) for values in heights.values())) / 10
    x = lambda t: LEFT + (WIDTH - LEFT - RIGHT) * t / end
    y = lambda u: TOP + (HEIGHT - TOP - BOTTOM) * u / bottom
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for second in range(int(end) + 1):
        svg.append(f'<line x1="{x(second):.1f}" y1="{TOP}" x2="{x(second):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{x(second):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{second}</text>')
    for tenth in range(round(-10 * bottom) + 1):
        u = -tenth / 10
        svg.append(f'<line x1="{LEFT}" y1="{y(u):.1f}" x2="{WIDTH - RIGHT}" y2="{y(u):.1f}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y(u) + 4:.1f}" text-anchor="end">{u:.1f}</text>')
    lines = [(name, color, "", [(frame["t"], u) for frame, u in zip(frames, heights[method])])
             for method, (name, color) in METHODS.items()]
    lines.append(("full model at rest", "black", ' stroke-dasharray="6 4"', [(0, rest), (end, rest)]))
    place = LEFT
    for name, color, dash, points in lines:
        way = " ".join(f"{x(t):.1f},{y(u):.1f}" for t, u in points)
        svg.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.8"{dash} points="{way}"/>'
                   f'<line x1="{place}" y1="18" x2="{place + 24}" y2="18" stroke="{color}" stroke-width="2"{dash}/>'
                   f'<text x="{place + 30}" y="22">{name}</text>')
        place += 56 + 7 * len(name)
    svg.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">time (s)</text>'
               f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
               'lower corner of the tip, z (m)</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(svg) + "\n")


def main():
    motion, full_low, full_high, out = sys.argv[1:]
    with open(motion) as file:
        frames = [{key: float(value) for key, value in line.items()} for line in csv.DictReader(file)]
    low, high = (json.load(open(path))["probe"] for path in (full_low, full_high))
    print(f"\nthe tip at rest        x (m)    z (m)   its height (m; {HEIGHT_OF_BAR} as built)")
    row("full model", low, high)
    for method, (name, _) in METHODS.items():
        last = frames[-1]
        row(name, *([last[f"{method}.{corner}.{axis}"] for axis in "xyz"] for corner in ("low", "high")))
    plot(frames, low[2], out)


main()
