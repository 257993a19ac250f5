# SPDX-License-Identifier: Apache-2.0
"""Whatever is given to whatever function of the module: it works, or a TypeError or ValueError tells why not."""
import ast
import os
import unittest
import warnings
from pathlib import Path

import limber
import numpy as np
import small


class NoFile:
    """Says that it is a path, and is none."""

    def __fspath__(self):
        return 5


class NoIndex:
    def __index__(self):
        raise ValueError("not today")


WRONG = [
    None, True, 5, -1, 2.5, float("nan"), 10**30, 1j, "", "text", "\ud800", "a\0b", b"bytes", object(), [], [1],
    (1, 2), [[1, 2], [3]], ["x>0", 1], [None], {}, {"a": 1}, {1: 2}, {"x>0": 5}, {"default": 5}, {"x>0": {"young": "a"}},
    {1, 2}, range(3), lambda: 0, int, NoFile(), NoIndex(), np.zeros((2, 2)), np.array(5), np.array(["a"]),
    np.array([None]), np.array([1 + 1j]), np.zeros(0), [(0, 5)], [(5,)], ["ab"], [("x>0", (0, 0))], [{}], [(None, None)],
]


def functions(tree):
    """(class or None, name, names of the parameters) of everything that can be called."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield None, node.name, parameters(node)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.decorator_list:
                    yield node.name, member.name, parameters(member)


def parameters(node):
    positional = [a.arg for a in node.args.args if a.arg != "self"]
    return positional, [a.arg for a in node.args.kwonlyargs]


class WrongTypes(small.InFolder):
    def setUp(self):
        super().setUp()
        self.mesh = limber.bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1))
        self.surface = self.mesh.boundary()[0]
        self.fem = limber.FemModel(self.mesh, fix=small.FIX)
        self.model = limber.build(self.mesh, fix=small.FIX, modes=2, rank=2, method="both")
        self.body = limber.Body(self.model)
        self.warp = limber.WarpBody(self.model)
        self.world = limber.World()
        self.objects = {
            "SurfaceMesh": self.surface, "VolumeMesh": self.mesh, "SparseMatrix": self.fem.mass(),
            "FemModel": self.fem, "Model": self.model, "Body": self.body, "WarpBody": self.warp,
            "RigidBody": limber.RigidBody(self.model), "World": self.world, "WorldBody": self.world.add(self.model),
        }
        n, q = len(self.mesh.vertices), np.zeros(2)
        # A good value of every parameter that must be given.
        self.good = {
            "vertices": self.mesh.vertices, "triangles": self.surface.triangles, "path": "out.glb", "surface": self.surface,
            "mesh": self.mesh, "name": "bar", "volume": self.mesh, "u": np.zeros((n, 3)), "x": np.zeros(self.fem.mass().shape[0]),
            "acceleration": (0, 0, 1), "body": self.fem, "dt": 0.01, "duration": 0.02, "select": "x>0.1", "q": q, "model": self.model,
            "poses": [((0, 0, 0), (0, 0, 0, 1))] * 3, "at": 8, "force": (0, 0, 1), "state": {}, "count": 2, "i": 0,
            "position": 0, "displacement": (0, 0, 0), "orientation": 0, "target": (0, 0, 0, 1), "scene": {"bodies": []},
        }
        self.particular = {
            ("Body", "add_reduced_force"): {"force": q}, ("WarpBody", "add_modal_force"): {"force": q},
            ("World", "remove"): {"body": "none"}, ("World", "restore"): {"state": self.world.save()},
            ("World", "__init__"): {}, (None, "read_mesh"): {"path": "none.obj"},
            (None, "build"): {"fix": small.FIX, "modes": 2, "rank": 2}, (None, "solve_modes"): {"count": 1},
            (None, "validate"): {"periods": 1, "dt": 0.01, "duration": 0.02},
        }
        self.tree = ast.parse(Path(limber.__file__).with_name("limber.pyi").read_text())
        # Files that a name such as "text" makes stay here.
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def tell(self, what, call, accepted=(TypeError, ValueError)):  # limber.InputError is a ValueError
        try:
            call()
        except accepted as error:
            self.assertTrue(str(error), what)
            self.assertLess(len(str(error)), 5000, what)
        except BaseException as error:
            self.fail(f"{what}: {type(error).__name__}: {error}")

    def test_every_parameter_of_every_function(self):
        tried = 0
        for owner, name, (positional, keywords) in functions(self.tree):
            if owner in ("InputError", "Constants", "Damping"):
                continue
            home = limber if owner is None else getattr(limber, owner) if name == "__init__" else self.objects[owner]
            call = home if name == "__init__" else getattr(home, name)
            particular = self.particular.get((owner, name), {})
            for parameter in positional + keywords:
                for wrong in WRONG:
                    words = {k: self.good[k] for k in positional + keywords if k in self.good and (
                        k in positional or k in ("dt", "duration"))}
                    words.update(particular)
                    words[parameter] = wrong
                    dunder = name in ("__matmul__", "__getitem__", "__len__")
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        self.tell(f"{owner}.{name}({parameter}={wrong!r})",
                                  (lambda: call(wrong)) if dunder else (lambda: call(**words)),
                                  # A sequence ends by an IndexError.
                                  (TypeError, ValueError, IndexError) if name == "__getitem__" else (TypeError, ValueError))
                    tried += 1
        self.assertGreater(tried, 3000)

    def test_words_that_are_not_known_and_properties(self):
        for body in (self.body, self.warp):
            for part in ("q", "v") + (("a",) if body is self.body else ()):
                for wrong in WRONG:
                    self.tell(f"{part} = {wrong!r}", lambda: setattr(body, part, wrong))
            for wrong in WRONG:
                self.tell(f"restore q = {wrong!r}", lambda: body.restore({"q": wrong}))
                self.tell(f"restore time = {wrong!r}", lambda: body.restore({"time": wrong}))
        for word in ("\ud800", "", "a" * 10**5):
            for call in (self.body.set, self.warp.set, self.warp.set_constraints, self.body.set_frame):
                self.tell(repr(word[:5]), lambda: call(**{word: 1}))

    def test_every_key_of_every_input(self):
        world = limber.World()
        for method in ("stvk", "warp", "linear", "rigid"):
            world.add(self.model, name=method, method=method)
        before = world.save()
        inside = {"add": ("model", "method", "position", "rotation", "q", "v", "velocity", "release", "newton", "damping"),
                  "place": ("position", "rotation", "velocity", "angular_velocity"), "state": ("q", "v"),
                  "set": ("damping", "materials", "rank", "warping", "density", "gravity"),
                  "support": ("position", "rotation", "velocity", "acceleration", "angular_velocity"),
                  "shake": ("direction", "amplitude", "hz", "periods"), "follow": ("rate", "positions", "orientations"),
                  "constraints": ("positions", "orientations", "exercised", "priority", "positions_by", "smoothing"),
                  "pull": ("vertex", "target", "stiffness", "space"), "gravity": (), "forces": (), "reduced_force": (),
                  "remove": (), "body": ()}
        whole = {"add": {"model": self.model}, "pull": {"vertex": 8, "target": [0, 0, 0], "stiffness": 1},
                 "shake": {"direction": [1, 0, 0], "amplitude": 0.01, "hz": 1},
                 "follow": {"rate": 10, "positions": [0] * 9, "orientations": [0, 0, 0, 1] * 3}}
        for key, keys in inside.items():
            for wrong in WRONG:
                for body in (None, "stvk", "warp", "rigid"):
                    words = {} if body is None or key == "body" else {"body": body}
                    self.tell(f"{key} = {wrong!r}", lambda: world.apply({**words, key: wrong}))
                    for member in keys:
                        input = {**words, key: {**whole.get(key, {}), member: wrong}}
                        self.tell(f"{key}.{member} = {wrong!r}", lambda: world.apply(input))
                    world.step(0.01)
                    self.assertTrue(np.isfinite(np.concatenate([b.q for b in world.bodies] + [[0]])).all(), key)
                    world.restore(before)

    def test_what_a_constraint_needs_is_told(self):
        for word in ("positions", "orientations"):
            for wrong in (5, "x>0", {8: (0, 0, 0)}, [5], [(8,)], ["ab", 3], [(8, 0, 0, 0)]):
                with self.assertRaises(limber.InputError) as caught:
                    self.warp.set_constraints(**{word: wrong})
                self.assertIn(f"set_constraints: {word}", caught.exception.where)
                if wrong not in (["ab", 3],):
                    self.assertIn("a vertex and its target", caught.exception.problem)
                    self.assertIn("[(12, (0, 0, 0", caught.exception.try_this)
        self.warp.set_constraints(positions=[(8, (0, 0, 0.001))])
        self.warp.set_constraints(positions=((np.int64(8), np.zeros(3)),))


if __name__ == "__main__":
    unittest.main()
