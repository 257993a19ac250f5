#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 12 of the paper on our spoon: the tip's motion, full and reduced, as SVG.

usage: plot.py OUT.svg NAME=FILE.csv ...      (files of limber validate --csv)
"""
import csv
import sys

COLORS = ["#1f5fa8", "#2a8c4a", "#8a4fb0", "#b03030"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 360, 70, 16, 34, 44


def read(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return {key: [float(row[key]) for row in rows] for key in rows[0]}


def main():
    out, *inputs = sys.argv[1:]
    data = {name: read(path) for name, path in (text.split("=", 1) for text in inputs)}
    first = next(iter(data.values()))
    lines = [("full model", "#c8641e", first["t"], first["full.z"], "")]
    for color, (name, columns) in zip(COLORS, data.items()):
        lines.append((name, color, columns["t"], columns["reduced.z"], ' stroke-dasharray="6 4"'))

    low = min(min(line[3]) for line in lines)
    high = max(max(line[3]) for line in lines)
    end = first["t"][-1]
    x = lambda t: LEFT + (WIDTH - LEFT - RIGHT) * t / end
    y = lambda u: TOP + (HEIGHT - TOP - BOTTOM) * (high - u) / (high - low)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for second in range(int(end) + 1):
        svg.append(f'<line x1="{x(second):.1f}" y1="{TOP}" x2="{x(second):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{x(second):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{second}</text>')
    for centimetres in range(-20, 21):
        u = centimetres / 100
        if low <= u <= high:
            svg.append(f'<line x1="{LEFT}" y1="{y(u):.1f}" x2="{WIDTH - RIGHT}" y2="{y(u):.1f}" stroke="#ddd"/>'
                       f'<text x="{LEFT - 6}" y="{y(u) + 4:.1f}" text-anchor="end">{centimetres}</text>')
    place = LEFT
    for name, color, times, values, dash in lines:
        points = " ".join(f"{x(t):.1f},{y(u):.1f}" for t, u in zip(times, values))
        svg.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.6"{dash} points="{points}"/>')
        svg.append(f'<line x1="{place}" y1="18" x2="{place + 24}" y2="18" stroke="{color}" stroke-width="2"{dash}/>'
                   f'<text x="{place + 30}" y="22">{name}</text>')
        place += 50 + 7 * len(name)
    svg.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">time (s)</text>'
               f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
               'vertical displacement of the tip (cm)</text></svg>')
    with open(out, "w") as file:
        file.write("\n".join(svg) + "\n")


main()
