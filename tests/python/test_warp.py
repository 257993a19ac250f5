# SPDX-License-Identifier: Apache-2.0
"""Warped bodies: against plain numpy, their constraints, the moving support, and bad input."""
import unittest

import limber
import numpy as np
import small


def rotation(w):
    """exp([w]×) by the eigenvectors of i[w]×: nothing of limber's own formula."""
    cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    values, vectors = np.linalg.eigh(1j * cross)
    return np.real(vectors @ np.diag(np.exp(-1j * values)) @ vectors.conj().T)


def mean_rotation(w, steps=400):
    """∫₀¹ exp(τ[w]×) dτ by the midpoint rule, error O(1/steps²)."""
    return sum(rotation((i + 0.5) / steps * w) for i in range(steps)) / steps


class WarpedBodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = small.model(modes=6)
        cls.tip = int(np.argmax(cls.model.surface_vertices.sum(axis=1)))

    def test_the_shape_is_the_mean_rotation_of_the_linear_one(self):
        body = limber.WarpBody(self.model)
        body.q = small.random(6, 0.5, seed=1)
        rows = slice(3 * self.tip, 3 * self.tip + 3)
        linear, w = self.model.warp_modes[rows] @ body.q, self.model.warp_rotations[rows] @ body.q
        self.assertGreater(np.linalg.norm(w), 0.3)
        z = body.shape_coordinates[6:]
        self.assertTrue(np.array_equal(body.shape_coordinates[:6], body.q))
        self.assertEqual(z.shape, (self.model.warp_companions.shape[1],))
        expected = mean_rotation(w) @ (linear + self.model.warp_companions[rows] @ z)
        self.assertLess(small.relative(body.surface_displacement()[self.tip], expected), 1e-5)
        body.set(warping="local")
        expected = mean_rotation(w) @ linear
        self.assertLess(small.relative(body.surface_displacement()[self.tip], expected), 1e-5)
        body.set(warping="linear")
        self.assertLess(small.relative(body.surface_displacement()[self.tip], linear), 1e-6)

    def test_a_mode_vibrates_at_its_frequency(self):
        body = limber.WarpBody(self.model, step="closed-form")
        q = np.zeros(6)
        q[0] = 1e-3
        body.q = q
        period = 1 / self.model.frequencies_hz[0]
        body.step(period / 100, steps=100)
        self.assertAlmostEqual(body.q[0], 1e-3, delta=1e-12)
        body.set(young_scale=4)
        body.step(period / 100, steps=50)  # half the time, twice the frequency
        self.assertAlmostEqual(body.q[0], 1e-3, delta=1e-11)

    def test_a_vertex_is_dragged_and_turned(self):
        body = limber.WarpBody(self.model)
        size = np.linalg.norm(np.ptp(self.model.surface_vertices, axis=0))
        target = np.array([-0.02, 0.05, 0.08])
        body.set_constraints(positions=[(self.tip, 0 * target)], positions_by="newton")
        for frame in range(30):
            body.set_position_target(0, target * (frame + 1) / 30)
            body.step(1 / 30)
        self.assertLess(np.linalg.norm(body.surface_displacement()[self.tip] - target), 1e-6 * size)
        self.assertLess(body.constraint_report["position_error"], 1e-6 * size)
        body.set_constraints()
        body.set(damping={"alpha": 5})
        body.step(1 / 30, steps=2000)
        self.assertLess(np.abs(body.surface_displacement()).max(), 1e-9)

    def test_a_support_that_falls_freely_takes_gravity_away(self):
        for kind in (limber.Body, limber.WarpBody):
            body = kind(self.model, gravity=(0, 0, -9.81))
            body.set_frame(acceleration=(0, 0, -9.81))
            body.step(0.01, steps=20)
            self.assertLess(np.abs(body.q).max(), 1e-12)
            body.set_frame()
            body.step(0.01, steps=20)
            self.assertGreater(np.abs(body.q).max(), 1e-3)

    def test_poses_of_a_support_are_a_motion(self):
        dt, spin = 1e-3, 2.0

        def pose(t):  # falls, and turns about z
            return (0, 0, -0.5 * 9.81 * t * t), (0, 0, np.sin(0.5 * spin * t), np.cos(0.5 * spin * t))

        motion = limber.motion_of([pose(-dt), pose(0), pose(dt)], dt)
        # Rounding of positions near 1e-5 m over dt², of angles over dt and dt².
        np.testing.assert_allclose(motion["acceleration"], (0, 0, -9.81), atol=1e-9)
        np.testing.assert_allclose(motion["angular_velocity"], (0, 0, spin), atol=1e-9)
        np.testing.assert_allclose(motion["angular_acceleration"], 0, atol=1e-7)
        body = limber.WarpBody(self.model)
        body.set_frame(**motion)
        body.step(0.01)
        self.assertGreater(np.abs(body.q).max(), 0)
        for bad in ([pose(0)] * 2, [pose(0), pose(0), ((0, 0, np.nan), (0, 0, 0, 1))]):
            with self.assertRaises(limber.InputError):
                limber.motion_of(bad, dt)

    def test_a_state_goes_on_in_a_clone(self):
        body = limber.WarpBody(self.model, gravity=(0, 0, -9.81))
        body.step(0.02, steps=10)
        saved, clone = body.state(), body.clone()
        body.step(0.02, steps=10)
        clone.step(0.02, steps=10)
        self.assertTrue(np.array_equal(body.q, clone.q))
        clone.restore(saved)
        clone.step(0.02, steps=10)
        self.assertTrue(np.array_equal(body.q, clone.q))

    def test_a_constrained_state_goes_on_too(self):
        for positions_by in ("predicted", "newton", "previous"):
            body = limber.WarpBody(self.model, gravity=(0, 0, -9.81), damping={"beta": 0.01})
            body.add_force(self.tip, (0, 1, 0))
            body.set_constraints(positions=[(self.tip, (0, 0, 0.02))], positions_by=positions_by,
                                 orientations=[(self.tip, (np.sin(0.1), 0, 0, np.cos(0.1)))])
            body.step(0.02, steps=10)
            saved, clone = body.state(), body.clone()
            body.step(0.02, steps=10)
            clone.step(0.02, steps=10)
            self.assertTrue(np.array_equal(body.q, clone.q))
            self.assertEqual(body.constraint_report, clone.constraint_report)
            clone.restore(saved)
            clone.step(0.02, steps=10)
            self.assertTrue(np.array_equal(body.q, clone.q))


class Methods(small.InFolder):
    def test_a_model_can_be_for_one_method(self):
        self.assertEqual(small.model().methods, ["stvk", "warp"])
        stvk, warp = small.model(method="stvk"), small.model(method="warp", rank=None)
        self.assertEqual((stvk.methods, warp.methods), (["stvk"], ["warp"]))
        warp.save(self.folder / "bar.glb")
        again = limber.load(self.folder / "bar.glb")
        self.assertTrue(np.array_equal(again.warp_rotations, warp.warp_rotations))
        for refused in (lambda: limber.Body(again), lambda: again.force(np.zeros(again.rank)),
                        lambda: limber.WarpBody(stvk), lambda: stvk.warp_modes):
            with self.assertRaises(limber.InputError) as caught:
                refused()
            self.assertIn("built", caught.exception.problem)

    def test_bad_words_are_refused(self):
        body = limber.WarpBody(small.model())
        for bad in (lambda: body.set(warp="linear"), lambda: body.set(step="euler"), lambda: body.set(young_scale=0),
                    lambda: body.set_frame(orientation=(1, 2, 3)), lambda: body.set_frame(acceleration=(np.nan, 0, 0)),
                    lambda: body.set_constraints(positions=[("x>0.5", (0, 0, 0))]),
                    lambda: body.set_constraints(positions=[(0, (np.nan, 0, 0))]),
                    lambda: body.set_constraints(orientations=[(5, (0, 0, 0, 2))]),
                    lambda: body.set_position_target(0, (0, 0, 0)), lambda: body.add_modal_force([1])):
            self.assertRaises(limber.InputError, bad)
        self.assertTrue(body.step(1 / 30).converged)
