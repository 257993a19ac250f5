# SPDX-License-Identifier: Apache-2.0
"""Trees of domains: built, thrown, blown at, and one domain that comes off."""
import unittest

import limber
import numpy as np


def tree(fix=None, **words):
    mesh = limber.bar(cells=(12, 2, 2), size=(1.2, 0.2, 0.2))
    words = {"domains": "auto:3", "rank": 5, "young": 1e6, "density": 1000, **words}
    return limber.build(mesh, **({"fix": fix} if fix else {}), **words)


class Domains(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fixed = tree("x<1e-6")
        cls.loose = tree()

    def test_build_takes_the_words_of_the_command(self):
        world = limber.World()
        body = world.add(self.fixed)
        self.assertEqual(body.method, "domains")
        self.assertEqual(body.mount, "fixed")
        self.assertEqual(len(body.q), 15)
        self.assertEqual(len(limber.World().add(tree(rank="proportional:18")).q), 18)
        for words in ({"domains": "auto"}, {"rank": "some"}, {"domain_basis": "best"}, {"domains": 3}):
            with self.assertRaises((limber.InputError, TypeError, ValueError), msg=str(words)):
                tree(**words)
        with self.assertRaises(limber.InputError):
            limber.build(limber.bar(cells=(2, 2, 2), size=(1, 1, 1)), domain_basis="fixed")

    def test_a_part_declares_where_children_may_be_attached(self):
        mesh = limber.bar(cells=(6, 2, 2), size=(1, 0.2, 0.2))
        words = {"fix": "x<1e-6", "modes": 3, "rank": 5, "method": "stvk"}
        part = limber.build(mesh, interfaces={"tip": "x > 0.999", "side": "y > 0.199 && x > 0.3 && x < 0.7"}, **words)
        self.assertEqual(part.rank, 5 + 6 + 6)
        self.assertEqual(sorted(part.interfaces), ["side", "tip"])
        self.assertLess(np.abs(np.subtract(part.interfaces["tip"], [1, 0.1, 0.1])).max(), 1e-12)
        self.assertEqual(limber.build(mesh, **words).interfaces, {})
        for wrong in ("tip: x > 0.999", {"tip": "x > 0.999 && y < 0.001 && z < 0.001"}, {"tip": ["x > 0.9", "x > 0.8"]}):
            with self.assertRaises(limber.InputError, msg=str(wrong)):
                limber.build(mesh, interfaces=wrong, **words)

    def test_a_loose_tree_flies_on_a_parabola(self):
        world = limber.World(gravity=(0, 0, -10))
        body = world.add(self.loose, velocity=(1, 0, 5), angular_velocity=(0, 2, 1))
        start = body.rigid_state
        self.assertEqual(body.mount, "free")
        self.assertAlmostEqual(start["mass"], 48, places=9)
        world.step(0.01, 50)
        end = body.rigid_state
        self.assertLess(np.abs(end["momentum"] - 48 * np.array([1, 0, 0])).max(), 1e-9)
        self.assertLess(np.abs(end["position"] - start["position"] - [0.5, 0, 1.25]).max(), 1e-9)
        self.assertLess(np.abs(end["angular_momentum"] - start["angular_momentum"]).max(), 1e-9)

    def test_a_domain_comes_off_in_the_wind(self):
        world = limber.World(gravity=(0, 0, -10))
        body = world.add(self.fixed, name="bar")
        world.apply(wind={"velocity": (0, 8, 0), "gusts": 0.3, "seed": 2})
        world.step(0.01, 20)
        name, refused = self.detach_one(body)
        piece = world.body("bar." + name)
        self.assertEqual((piece.mount, len(world.bodies)), ("free", 2))
        self.assertEqual(piece.settings["coupling"], "exact")
        self.assertTrue(body.settings["domains"][name]["detach"])
        self.assertEqual(world.step(0.01, 20).not_converged, 0)
        self.assertLess(piece.rigid_state["velocity"][2], -1.5)  # 0.2 s of fall
        self.assertLessEqual(len(refused), 1)  # the root, where it was asked first

    @staticmethod
    def detach_one(body):
        """The first domain but the root, and those that were refused."""
        refused = []
        for name in ("domain0", "domain1", "domain2"):
            try:
                body.set(domains={name: {"detach": True}})
                return name, refused
            except limber.InputError:
                refused.append(name)
        raise AssertionError(refused)


if __name__ == "__main__":
    unittest.main()
