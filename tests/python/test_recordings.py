# SPDX-License-Identifier: Apache-2.0
"""The recordings of tests/data/recordings in Python: what `limber simulate` gives, byte for byte."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import limber
import numpy as np

RECORDINGS = Path(__file__).resolve().parent.parent / "data" / "recordings"


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.folder = Path(kept.name)
        cls.program = os.environ["LIMBER_PROGRAM"]
        subprocess.run([RECORDINGS / "make_models", cls.program, cls.folder], check=True)

    def test_python_moves_as_the_program(self):
        for name in ("every_input", "touching", "version_1"):
            with self.subTest(name):
                self.follow(name)

    def follow(self, name):
        file, out = self.folder / f"{name}.json", self.folder / f"{name}.npz"
        subprocess.run([self.program, "simulate", file, "-o", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        expected = dict(np.load(out))
        scene = json.loads(file.read_text())
        world = limber.World()
        world.start_replay(scene, folder=self.folder)
        names = [body["name"] for body in scene["bodies"]]
        frames = len(expected["t"])
        self.assertEqual(frames, scene["recording"]["steps"] + 1)
        for frame in range(1, frames):
            self.assertEqual(world.step().not_converged, 0)
            self.assertAlmostEqual(world.time, expected["t"][frame], delta=1e-12)
            for body in map(world.body, names):
                if body.q.size:
                    self.assertEqual(body.q.tobytes(), expected[f"{body.name}.q"][frame].tobytes(), (body.name, frame))
                if body.rigid_state:
                    self.assertEqual(body.rigid_state["position"].tobytes(),
                                     expected[f"{body.name}.c"][frame].tobytes(), (body.name, frame))
            for device in world.devices:
                if f"{device['name']}.x" in expected:
                    self.assertEqual(np.asarray(device["proxy"]).tobytes(),
                                     expected[f"{device['name']}.x"][frame].tobytes(), frame)
        world.step()
        self.assertEqual((world.steps, world.replay), (frames - 1, None))  # it is over


if __name__ == "__main__":
    unittest.main()
