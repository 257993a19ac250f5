# SPDX-License-Identifier: Apache-2.0
"""Small bodies, random shapes and temporary folders for the tests."""
import tempfile
import unittest
from pathlib import Path

import limber
import numpy as np

FIX = "x<1e-6"


def fem(tets=False, **words):
    """A cantilever of 6 x 2 x 2 cubes, softer in its outer half."""
    mesh = limber.bar(cells=(6, 2, 2), size=(0.6, 0.2, 0.2), tets=tets)
    words = {"young": 1e6, "poisson": 0.4, "material": {"x>0.3": {"young": 4e5, "density": 800}}, **words}
    return limber.FemModel(mesh, fix=FIX, **words)


def model(tets=False, **words):
    mesh = limber.bar(cells=(6, 2, 2), size=(0.6, 0.2, 0.2), tets=tets)
    words = {"modes": 4, "rank": 8, "material": {"x>0.3": {"young": 4e5, "density": 800}}, **words}
    return limber.build(mesh, fix=FIX, young=1e6, poisson=0.4, **words)


def random(size, scale, seed):
    return scale * np.random.default_rng(seed).standard_normal(size)


def free_displacement(body, scale, seed):
    """Zero on fixed vertices, (3n,)."""
    u = np.zeros(3 * len(body.mesh.vertices))
    u[body.free_dofs] = random(len(body.free_dofs), scale, seed)
    return u


def relative(a, b):
    """|a - b| / |b|"""
    return np.linalg.norm(a - b) / np.linalg.norm(b)


class InFolder(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)
