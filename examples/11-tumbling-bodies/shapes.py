# SPDX-License-Identifier: Apache-2.0
"""Writes the surfaces of a ring and of a jack, a small ball with six arms: shapes.py"""
import math


def write(name, vertices, triangles):
    with open(name, "w", encoding="utf-8") as out:
        out.writelines("v %.6g %.6g %.6g\n" % v for v in vertices)
        out.writelines("f %d %d %d\n" % tuple(i + 1 for i in t) for t in triangles)


def ring(radius, thickness, around, across):
    vertices, triangles = [], []
    for i in range(around):
        a = 2 * math.pi * i / around
        for j in range(across):
            b = 2 * math.pi * j / across
            r = radius + thickness * math.cos(b)
            vertices.append((r * math.cos(a), r * math.sin(a), thickness * math.sin(b)))
    at = lambda i, j: (i % around) * across + j % across
    for i in range(around):
        for j in range(across):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [(a, b, c), (a, c, d)]
    return vertices, triangles


def jack(ball, arm, cells):
    """A cube of cells x cells squares on each side, blown up to r = ball + arm (x^10 + y^10 + z^10) on the unit sphere."""
    vertices, triangles, known = [], [], {}

    def vertex(corner):
        if corner not in known:
            known[corner] = len(vertices)
            x = [math.tan(math.pi / 4 * (2 * c / cells - 1)) for c in corner]
            length = math.sqrt(sum(c * c for c in x))
            x = [c / length for c in x]
            r = ball + arm * sum(c ** 10 for c in x)
            vertices.append(tuple(r * c for c in x))
        return known[corner]

    for axis in range(3):
        for side in (0, cells):
            for i in range(cells):
                for j in range(cells):
                    corners = []
                    for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        corner = [0, 0, 0]
                        corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, i + di, j + dj
                        corners.append(vertex(tuple(corner)))
                    a, b, c, d = corners if side else reversed(corners)
                    triangles += [(a, b, c), (a, c, d)]
    return vertices, triangles


write("ring.obj", *ring(0.11, 0.035, 40, 14))
write("jack.obj", *jack(0.05, 0.09, 14))
