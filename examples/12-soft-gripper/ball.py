# SPDX-License-Identifier: Apache-2.0
"""Writes the surface of a ball, a cube of 10 x 10 squares on each side blown up: ball.py RADIUS > ball.obj"""
import math
import sys

CELLS = 10


def main(radius):
    number = {}
    faces = []

    def vertex(corner):
        if corner not in number:
            number[corner] = len(number) + 1
            x = [math.tan(math.pi / 4 * (2 * c / CELLS - 1)) for c in corner]
            scale = radius / math.sqrt(sum(c * c for c in x))
            print("v %.9g %.9g %.9g" % tuple(scale * c for c in x))
        return number[corner]

    for axis in range(3):
        for side in (0, CELLS):
            for i in range(CELLS):
                for j in range(CELLS):
                    square = []
                    for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        corner = [0, 0, 0]
                        corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, i + di, j + dj
                        square.append(vertex(tuple(corner)))
                    a, b, c, d = square if side else reversed(square)
                    faces += [(a, b, c), (a, c, d)]
    for face in faces:
        print("f %d %d %d" % face)


main(float(sys.argv[1]))
