# SPDX-License-Identifier: Apache-2.0
"""Pictures of a recorded motion: plays the .glb as Blender and three.js do, writes a mesh for each time, and lets
limber draw them.   usage: pictures.py MOTION.glb NAME "x y z" WIDTHxHEIGHT SECONDS...
"""
import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TYPE = {5123: "<u2", 5125: "<u4", 5126: "<f4"}


class Glb:
    def __init__(self, path):
        data = Path(path).read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.document = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]

    def array(self, index):
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        width = WIDTH[accessor["type"]]
        return np.frombuffer(self.binary, TYPE[accessor["componentType"]], accessor["count"] * width,
                             start).reshape(-1, width)

    def tracks(self):
        """By node and path: times and values."""
        animation = self.document["animations"][0]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = self.array(sampler["input"])[:, 0]
            yield (channel["target"]["node"], channel["target"]["path"],
                   times, self.array(sampler["output"]).reshape(len(times), -1))


def rotated(quaternion, points):
    axis, w = quaternion[:3], quaternion[3]
    across = 2 * np.cross(axis, points)
    return points + w * across + np.cross(axis, across)


def at(glb, seconds):
    """Vertices and triangles of all bodies, in the world."""
    now = {}
    for node, path, times, values in glb.tracks():
        now[node, path] = values[min(np.searchsorted(times, seconds), len(times) - 1)]
    vertices, triangles = [], []

    def visit(index, place):
        node = glb.document["nodes"][index]
        move = np.asarray(now.get((index, "translation"), node.get("translation", (0, 0, 0))), float)
        turn = np.asarray(now.get((index, "rotation"), node.get("rotation", (0, 0, 0, 1))), float)
        here = lambda points: place(rotated(turn, points) + move)
        if "mesh" in node:
            for primitive in glb.document["meshes"][node["mesh"]]["primitives"]:
                points = glb.array(primitive["attributes"]["POSITION"]).astype(float)
                for weight, target in zip(now.get((index, "weights"), ()), primitive.get("targets", ())):
                    points = points + weight * glb.array(target["POSITION"])
                triangles.extend(glb.array(primitive["indices"]).reshape(-1, 3) + len(vertices))
                vertices.extend(here(points))
        for child in node.get("children", ()):
            visit(child, here)

    for root in glb.document["scenes"][0]["nodes"]:
        visit(root, lambda points: points)
    return vertices, triangles


def main(motion, name, view, size, *times):
    glb = Glb(motion)
    width, height = size.split("x")
    for seconds in times:
        vertices, triangles = at(glb, float(seconds))
        mesh = f"{name}-{seconds}.obj"
        with open(mesh, "w") as out:
            out.writelines("v %.6g %.6g %.6g\n" % tuple(v) for v in vertices)
            out.writelines("f %d %d %d\n" % tuple(t + 1) for t in triangles)
        subprocess.run(["limber", "draw", mesh, "-o", f"{name}-{seconds}.png", "--view", view, "--edges", "--width", width,
                        "--height", height, "--quiet"], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
