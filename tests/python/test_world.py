# SPDX-License-Identifier: Apache-2.0
"""Worlds: many bodies in one step, their inputs, states and recordings, and bad input to all of it."""
import json
import unittest

import limber
import numpy as np
import small

GRAVITY = (0, 0, -9.81)
TURNED = (0, 0, np.sqrt(0.5), np.sqrt(0.5))  # by 90° about z


def coordinates(world):
    return {body.name: body.q.tobytes() + body.v.tobytes() + b"".join(x.tobytes() for x in body.pose)
            for body in world.bodies}


class Worlds(small.InFolder):
    @classmethod
    def setUpClass(cls):
        cls.model = small.model(modes=4)
        cls.tip = int(np.argmax(cls.model.surface_vertices.sum(axis=1)))

    def of_all_kinds(self, **words):
        world = limber.World(gravity=GRAVITY, **words)
        world.add(self.model, name="soft", damping={"beta": 0.001}, newton=2)
        world.add(self.model, name="warped", method="warp", damping={"beta": 0.01}, position=(0, 1, 0))
        world.add(self.model, name="linear", method="linear", position=(0, 2, 0))
        world.add(self.model, name="rigid", method="rigid", density=500, position=(0, 0, 3), angular_velocity=(1, 2, 3))
        return world

    def test_a_body_moves_as_it_does_on_its_own(self):
        world = limber.World(gravity=GRAVITY)
        body = world.add(self.model, damping={"beta": 0.001})
        world.add(self.model, method="warp")
        alone = limber.Body(self.model, damping={"beta": 0.001}, gravity=GRAVITY)
        alone.add_force(self.tip, (0, 5, 0))
        alone.set_acceleration_from_forces()
        body.apply(forces=[{"vertex": self.tip, "force": (0, 5, 0)}])
        alone.step(0.002, 50)
        report = world.step(0.002, 50)
        self.assertEqual((report.step, report.not_converged), (50, 0))
        self.assertAlmostEqual(world.time, 0.1, places=12)
        self.assertTrue(np.array_equal(body.q, alone.q))
        self.assertEqual((body.kinetic_energy, body.elastic_energy), (alone.kinetic_energy, alone.elastic_energy))
        self.assertTrue(np.array_equal(body.surface_positions(), alone.surface_positions()))

    def test_many_bodies_of_a_model_move_as_each_alone(self):
        world = limber.World()
        bodies = [world.add(self.model, damping={"beta": 0.001}, q=small.random(self.model.rank, 0.05 * i, seed=i))
                  for i in range(3)]
        alone = [limber.Body(self.model, damping={"beta": 0.001}) for _ in bodies]
        for one, body in zip(alone, bodies):
            one.q = body.q
            one.set_acceleration_from_forces()
        self.assertEqual(world.step(0.002, 20).not_converged, 0)
        for one, body in zip(alone, bodies):
            one.step(0.002, 20)
        self.assertEqual(np.abs(bodies[0].q).max(), 0)
        for one, body in list(zip(alone, bodies))[1:]:
            self.assertLess(small.relative(body.q, one.q), 1e-9)  # sums in another order

    def test_positions_are_those_of_the_world(self):
        world = limber.World()
        body = world.add(self.model, position=(1, 2, 3), rotation=TURNED)
        body.q = small.random(self.model.rank, 0.02, seed=2)
        x, y, z = (self.model.surface_vertices + body.surface_displacement())[self.tip]
        np.testing.assert_allclose(body.surface_positions()[self.tip], (1 - y, 2 + x, 3 + z), atol=1e-12)
        np.testing.assert_allclose(body.position(self.tip), (1 - y, 2 + x, 3 + z), atol=1e-7)  # doubles, not floats
        place, orientation = body.pose
        np.testing.assert_allclose(place, (1, 2, 3))
        np.testing.assert_allclose(orientation, TURNED)
        body.v = v = small.random(self.model.rank, 1, seed=3)
        rows = slice(3 * self.tip, 3 * self.tip + 3)
        vx, vy, vz = self.model.surface_basis[rows] @ v
        np.testing.assert_allclose(body.velocity(self.tip), (-vy, vx, vz), atol=1e-6)

    def test_settings_are_what_set_takes(self):
        world = self.of_all_kinds()
        soft = world.body("soft")
        self.assertEqual(soft.settings["newton"], 2)
        self.assertEqual(soft.settings["damping"], {"alpha": 0, "beta": 0.001, "strain_rate": 0})
        self.assertNotIn("gravity", soft.settings)
        self.assertNotIn("friction", soft.settings)
        soft.set(friction=0.25, layer=6)
        self.assertEqual((soft.settings["friction"], soft.settings["layer"]), (0.25, 6))
        soft.set(damping={"alpha": 3}, integrator="euler")
        self.assertEqual(soft.settings["damping"], {"alpha": 3, "beta": 0.001, "strain_rate": 0})
        for body in world.bodies:
            before = body.settings
            body.set(**before)
            self.assertEqual(body.settings, before)
        warped = world.body("warped")
        warped.set(warping="linear")
        self.assertEqual((warped.method, warped.model is self.model), ("linear", True))

    def test_a_rigid_body_falls_and_keeps_its_spin(self):
        world = self.of_all_kinds()
        body = world.body("rigid")
        alone = limber.RigidBody(self.model, density=500, gravity=GRAVITY, position=(0, 0, 3), angular_velocity=(1, 2, 3))
        # A box of 0.6 x 0.2 x 0.2 m.
        self.assertAlmostEqual(alone.mass, 500 * 0.024, delta=1e-12)
        inertia = 12 / 12 * np.diag([0.04 + 0.04, 0.36 + 0.04, 0.36 + 0.04])
        np.testing.assert_allclose(alone.inertia, inertia, atol=1e-12)
        np.testing.assert_allclose(alone.angular_momentum, inertia @ (1, 2, 3), atol=1e-12)
        world.step(0.001, 500)
        alone.step(0.001, 500)
        state = body.rigid_state
        self.assertTrue(np.array_equal(state["position"], alone.position))
        self.assertTrue(np.array_equal(state["orientation"], alone.orientation))
        np.testing.assert_allclose(state["momentum"], (0, 0, -9.81 * 12 * 0.5), atol=1e-11)
        np.testing.assert_allclose(state["angular_momentum"], inertia @ (1, 2, 3), atol=1e-12)
        self.assertEqual((body.q.size, world.body("soft").rigid_state), (0, None))
        clone, saved = alone.clone(), alone.state()
        alone.add_force(self.tip, (0, 1, 0))
        clone.add_force(self.tip, (0, 1, 0))
        alone.step(0.001, 50)
        clone.step(0.001, 50)
        self.assertTrue(np.array_equal(alone.orientation, clone.orientation))
        self.assertGreater(alone.momentum[1], 0)
        alone.restore(saved)
        np.testing.assert_array_equal(alone.surface_positions(), body.surface_positions())
        alone.place(position=(0, 0, 0), rotation=(0, 0, 0, 1), velocity=(0, 0, 0), angular_velocity=(0, 0, 0))
        np.testing.assert_allclose(alone.surface_positions(), self.model.surface_vertices, atol=1e-12)

    def test_a_free_body_flies_and_keeps_its_momenta(self):
        mesh = limber.bar(cells=(6, 2, 2), size=(0.6, 0.2, 0.2))
        loose = limber.build(mesh, young=1e6, poisson=0.4, density=1000, modes=4, rank=8)
        world = limber.World(gravity=GRAVITY)
        body = world.add(loose, name="bar", velocity=(1, 0, 5), angular_velocity=(2, 3, 15), position=(0, 0, 1))
        self.assertEqual((body.mount, world.add(loose, mount="fixed").mount), ("free", "fixed"))
        before = body.rigid_state
        self.assertAlmostEqual(before["mass"], 24, places=9)
        self.assertTrue(np.allclose(before["angular_velocity"], (2, 3, 15), atol=1e-12))
        energy = body.kinetic_energy + body.elastic_energy - before["mass"] * np.dot(GRAVITY, before["position"])
        self.assertEqual(world.step(0.001, 500).not_converged, 0)
        now = body.rigid_state
        expected = before["position"] + 0.5 * np.array((1, 0, 5)) + 0.125 * np.array(GRAVITY)
        self.assertLess(np.linalg.norm(now["position"] - expected), 1e-12)
        self.assertTrue(np.array_equal(now["angular_momentum"], before["angular_momentum"]))
        changed = body.kinetic_energy + body.elastic_energy - now["mass"] * np.dot(GRAVITY, now["position"]) - energy
        self.assertLess(abs(changed), 1e-5 * energy)
        self.assertGreater(body.elastic_energy, 0)
        # Where the surface is, the pose and the shape say together.
        position, orientation = body.pose
        self.assertEqual(position.shape + orientation.shape, (3, 4))
        self.assertLess(np.linalg.norm(body.position(0) - body.surface_positions()[0]), 1e-6)
        world.apply(body="bar", place={"position": (0, 0, 0), "velocity": (0, 1, 0)})
        self.assertTrue(np.allclose(body.rigid_state["velocity"], (0, 1, 0)))
        for words in ({"integrator": "newmark"}, {"newton": 1}, {"mount": "moved"}, {"method": "warp", "mount": "free"}):
            with self.assertRaises(limber.InputError):
                world.add(loose, **words)
        with self.assertRaises(limber.InputError):
            world.add(self.model, mount="free")  # something of it is fixed
        # A body on its own stays where it is.
        alone = limber.Body(loose)
        alone.step(0.001)
        self.assertEqual(np.abs(alone.q).max(), 0)

    def test_a_clone_of_a_world_goes_on_bit_by_bit(self):
        world = self.of_all_kinds()
        world.apply(body="soft", pull={"vertex": self.tip, "target": (1, 0, 0), "stiffness": 3})
        world.step(0.002, 20)
        world.start_recording()
        copy = world.clone()
        self.assertFalse(copy.is_recording)
        world.step(steps=30)
        copy.step(steps=30)
        self.assertEqual(coordinates(copy), coordinates(world))
        copy.remove("soft")
        self.assertEqual((len(world), len(copy)), (4, 3))
        self.assertIs(copy.body("warped").model, self.model)
        self.assertRaises(limber.InputError, copy.restore, world.save())

    def test_any_closed_surface_is_a_rigid_body(self):
        limber.bar(cells=(2, 1, 1), size=(2, 1, 1)).boundary()[0].save(self.folder / "box.obj")
        model = limber.load_rigid(self.folder / "box.obj")
        body = limber.RigidBody(model, density=3)
        self.assertAlmostEqual(body.mass, 6, delta=1e-9)
        np.testing.assert_allclose(body.inertia, np.diag([1, 2.5, 2.5]), atol=1e-9)
        for name in dir(model):
            try:
                getattr(model, name)
            except limber.InputError:
                pass  # what it does not have
        for refused in (lambda: limber.Body(model), lambda: limber.WarpBody(model),
                        lambda: limber.World().add(model, method="stvk")):
            self.assertRaises(limber.InputError, refused)
        self.assertEqual(limber.World().add(model).method, "rigid")
        world = limber.World()
        world.start_replay({"dt": 0.01, "bodies": [{"model": "box.obj", "method": "rigid"}]}, folder=self.folder)
        world.step(steps=3)
        self.assertEqual((world.bodies[0].method, world.steps), ("rigid", 3))

    def test_a_release_starts_in_balance(self):
        world = limber.World()
        force = [{"vertex": self.tip, "force": (0, 0, -2)}]
        body = world.add(self.model, release=force)
        pulled = self.model.surface_basis[3 * self.tip + 2] * -2.0
        self.assertLess(small.relative(self.model.force(body.q), pulled), 1e-6)
        body.apply(forces=force)
        before = body.q
        world.step(0.001, 10)
        self.assertLess(small.relative(body.q, before), 1e-6)  # held, it stays

    def test_a_saved_world_goes_on_bit_by_bit(self):
        world = self.of_all_kinds()
        world.apply(body="warped", constraints={"positions": [{"vertex": self.tip, "displacement": (0, 0, 0.05)}],
                                                "positions_by": "newton", "smoothing": 0.1})
        world.apply(body="soft", pull={"vertex": self.tip, "target": (0.5, 0.2, 0.4), "stiffness": 20})
        world.apply(body="linear", shake={"direction": (0, 1, 0), "amplitude": 0.01, "hz": 3, "periods": 4})
        world.step(0.002, 50)
        state = world.save()
        removed = world.body("soft")
        for _ in range(2):
            world.step(0.003, 50)
            after = coordinates(world)
            world.remove(removed)
            world.add(self.model, name="another")
            world.step(0.001)
            self.assertRaises(limber.InputError, lambda: removed.q)
            world.restore(state)
            self.assertEqual(removed.name, "soft")  # is back
            world.step(0.003, 50)
            self.assertEqual(coordinates(world), after)
            world.restore(state)

    def test_every_contact_is_told(self):
        world = limber.World(gravity=GRAVITY)
        world.apply(contact={"sleep": False})
        world.apply(add_obstacle={"name": "floor", "shape": {"plane": {"normal": (0, 0, 1), "offset": -0.2}}})
        stone = world.add(self.model, name="stone", method="rigid", density=1000, position=(0, 0, -0.2))
        report = world.step(0.001, 2000)
        weight = 9.81 * 1000 * 0.6 * 0.2 * 0.2
        self.assertGreaterEqual(len(world.contacts), 4)
        for contact in world.contacts:
            self.assertEqual((contact["a"], contact["b"], contact["obstacle"], contact["device"]),
                             ("stone", None, "floor", None))
            self.assertAlmostEqual(contact["position"][2], -0.2, places=9)
            np.testing.assert_allclose(contact["normal"], (0, 0, 1), atol=1e-12)
            np.testing.assert_allclose(contact["impulse"], 0.001 * contact["force"])
            self.assertGreaterEqual(contact["depth"], 0)
            self.assertLess(contact["slip"], 1e-6)
        force = sum(contact["force"] for contact in world.contacts)
        np.testing.assert_allclose(force, (0, 0, weight), atol=1e-3 * weight)
        np.testing.assert_allclose(stone.contacts["force"], force, atol=1e-9 * weight)
        self.assertEqual(stone.contacts["points"], report.contact["touching"])
        self.assertGreater(report.contact["stiffness"], 0)
        for limit in ("not_converged", "speeds_off", "radii_unsettled", "reverted", "left_out", "cut_short", "refused"):
            self.assertEqual(report.contact[limit], 0, limit)
        self.assertEqual([one["name"] for one in world.obstacles], ["floor"])

    def test_removed_bodies_and_other_worlds_are_told(self):
        world, other = self.of_all_kinds(), limber.World()
        gone, foreign = world.add(self.model, name="gone"), other.add(self.model, name="soft")
        world.remove(gone)
        before = coordinates(world)
        for bad in (lambda: gone.q, lambda: gone.pose, lambda: gone.set(newton=1), lambda: gone.apply(pull=None),
                    lambda: gone.position(0), lambda: setattr(gone, "q", np.zeros(self.model.rank)),
                    lambda: world.remove(gone), lambda: world.apply(body=gone, pull=None),
                    lambda: world.apply(body="gone", pull=None), lambda: world.body("gone"),
                    lambda: world.remove(foreign), lambda: world.apply(body=foreign, remove=True),
                    lambda: world.restore(other.save()), lambda: world.apply(body="soft", support={"position": [0]}),
                    lambda: world.add(self.model, name="soft"), lambda: world.add(self.model, gravity=(0, 0, 1)),
                    lambda: world.add(self.model, q=[1]), lambda: world.add(self.model, velocity=(1, 0, 0)),
                    lambda: world.add(self.model, method="rigd"), lambda: world.add(small.model(method="stvk"), method="warp"),
                    lambda: world.add(self.model, release=[{"vertex": -1, "force": (0, 0, 1)}]),
                    lambda: world.apply({"body": "soft"}, pull={"vertex": 10**6, "target": (0, 0, 0), "stiffness": 1}),
                    lambda: world.apply(body="soft", constraints={"positions": [{"vertex": 0, "displacement": (0, 0, 0)}]}),
                    lambda: world.apply(body="rigid", support={}), lambda: world.apply(set={"newton": -1}),
                    lambda: world.step(0), lambda: world.step(0.1, 0), lambda: world.step(np.nan)):
            with self.assertRaises(limber.InputError) as caught:
                bad()
            self.assertTrue(caught.exception.problem)
        self.assertEqual(coordinates(world), before)
        self.assertEqual([body.name for body in world.bodies], ["soft", "warped", "linear", "rigid"])
        self.assertEqual(world.steps, 0)
        self.assertIn("removed", repr(gone))
        with self.assertRaises(limber.InputError) as caught:
            world.body("soft").set(damping={"alpha": -1})
        self.assertEqual(caught.exception.where, "set: damping.alpha")
        with self.assertRaises(limber.InputError) as caught:
            world.add(self.model, dampign={})
        self.assertIn("damping", caught.exception.try_this)
        self.assertRaises(TypeError, world.restore, {})
        self.assertRaises(TypeError, world.add, "bar.glb")


class Recordings(small.InFolder):
    """The same scene and the same recording, wherever it runs: the same bytes."""

    def setUp(self):
        super().setUp()
        self.model = small.model(modes=4)
        self.model.save(self.folder / "bar.glb")
        self.model = limber.load(self.folder / "bar.glb")
        self.tip = int(np.argmax(self.model.surface_vertices.sum(axis=1)))

    def record(self):
        world = limber.World(gravity=GRAVITY)
        world.add_model("bar.glb", self.model)
        soft = world.add(self.model, name="soft", damping={"beta": 0.001}, newton=2)
        warped = world.add(self.model, name="warped", method="warp", damping={"beta": 0.01}, position=(0, 1, 0))
        world.add(self.model, name="stone", method="rigid", density=700, position=(0, 0, 2), angular_velocity=(1, 9, 2))
        world.step(0.002, 10)  # under way when the recording begins
        world.start_recording()
        self.assertTrue(world.is_recording)
        for frame in range(10):
            world.apply(body=soft, pull={"vertex": self.tip, "stiffness": 30, "target": (0.55, 0.1 + 0.01 * frame, 0.25)})
            if frame == 3:
                warped.apply(constraints={"positions": [{"vertex": self.tip, "displacement": (0, 0.01, 0.03)}],
                                          "positions_by": "newton"})
            if frame == 5:
                soft.set(materials={g["name"]: {"young": 2 * g["young"]} for g in self.model.groups})
                soft.apply(pull=None)
                world.gravity = (0, 0, -5)
            if frame == 6:
                world.body("stone").apply(forces=[{"vertex": self.tip, "force": (3, 0, 0)}])
                world.add(self.model, name="late", position=(0, 4, 0), release=[{"vertex": self.tip, "force": (0, 0, 1)}])
            if frame == 8:
                world.remove("late")
                world.add(self.model, name="late", method="linear", v=small.random(4, 0.1, seed=1))
            world.step(0.002 if frame < 7 else 0.001, 10)
        return world, world.stop_recording()

    def test_a_replay_is_the_same_motion(self):
        world, recording = self.record()
        self.assertFalse(world.is_recording)
        self.assertEqual(recording["recording"]["steps"], 100)
        self.assertEqual(json.loads(json.dumps(recording)), recording)
        for words in ({"models": {"bar.glb": self.model}}, {"folder": self.folder}):
            again = limber.World()
            again.start_replay(json.loads(json.dumps(recording)), **words)
            self.assertEqual(again.replay, (0, 100))
            self.assertEqual(again.step(steps=1000).step, 100)
            self.assertIsNone(again.replay)
            self.assertEqual(coordinates(again), coordinates(world))
            self.assertEqual(len(again), 4)

    def test_simulate_gives_the_same_bytes(self):
        world, recording = self.record()
        arrays = limber.simulate(recording, folder=self.folder)
        for name in ("soft", "warped"):
            self.assertEqual(arrays[name + ".q"][-1].tobytes(), world.body(name).q.tobytes(), name)
        self.assertEqual(arrays["stone.c"][-1].tobytes(), world.body("stone").rigid_state["position"].tobytes())
        # Frame by frame.
        again = limber.World()
        again.start_replay(recording, folder=self.folder)
        for frame in range(1, 101):
            again.step()
            for name in ("soft", "warped", "stone"):
                self.assertEqual(arrays[name + ".q"][frame].tobytes(), again.body(name).q.tobytes(), (name, frame))
            stone = again.body("stone").rigid_state
            self.assertEqual(arrays["stone.r"][frame].tobytes(), stone["orientation"].tobytes(), frame)
            self.assertEqual(arrays["stone.p"][frame].tobytes(), stone["momentum"].tobytes(), frame)

    def test_bad_recordings_change_nothing(self):
        world, recording = self.record()
        before, state = coordinates(world), world.save()
        for change in ({"bodies": 5}, {"dt": -1}, {"recording": {}}, {"bodies": [{"model": "none.glb"}]},
                       {"bodies": [{"model": "bar.glb", "newton": -1}]}, {"gravity": "down"}, {"other": 1}):
            with self.assertRaises(limber.InputError):
                world.start_replay({**recording, **change})
        self.assertRaises(limber.InputError, world.start_replay, recording, models={"bar.glb": 3})
        self.assertRaises(limber.InputError, world.start_replay, recording, models={"bar.glb": small.model()})
        self.assertEqual(coordinates(world), before)
        self.assertIsNone(world.replay)
        world.start_recording()
        self.assertRaises(limber.InputError, world.restore, state)
        self.assertIsNotNone(world.recorded())
        world.stop_recording()
        self.assertIsNone(world.recorded())
        refused = {**recording, "recording": {"version": 2, "steps": 10, "inputs": [{"step": 3, "body": "none", "pull": None}]}}
        world.start_replay(refused)
        self.assertRaises(limber.InputError, world.step, 0.1)  # dt is the replay's
        with self.assertRaises(limber.InputError) as caught:
            world.step(steps=10)
        self.assertIn("inputs[0]", caught.exception.where)
        self.assertIsNone(world.replay)


if __name__ == "__main__":
    unittest.main()
