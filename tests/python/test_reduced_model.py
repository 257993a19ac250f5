# SPDX-License-Identifier: Apache-2.0
"""Reduced models and bodies against the full model, and against the program."""
import csv
import json
import os
import subprocess
import unittest

import limber
import numpy as np
import small


class Reduction(small.InFolder):
    def test_forces_are_those_of_the_full_model(self):
        for tets in (False, True):
            model = small.model(tets)
            full, U = model.full_model(), model.basis
            q = small.random(model.rank, 0.3, seed=1)  # moves the tip by half the length: far from linear
            self.assertGreater(small.relative(model.stiffness(0 * q) @ q, model.force(q)), 0.1)
            self.assertLess(small.relative(model.force(q), U.T @ full.force(U @ q)), 1e-11)
            free = U[full.free_dofs]
            k = free.T @ np.stack([full.stiffness(U @ q) @ column for column in free.T]).T
            self.assertLess(small.relative(model.stiffness(q), k), 1e-11)
            self.assertLess(abs(model.energy(q) / full.energy(U @ q) - 1), 1e-11)

    def test_basis_is_orthonormal_in_the_mass(self):
        model = small.model()
        full = model.full_model()
        free = model.basis[full.free_dofs]
        gram = free.T @ np.stack([full.mass() @ column for column in free.T]).T
        self.assertLess(np.abs(gram - np.eye(model.rank)).max(), 1e-10)
        self.assertLess(np.abs(model.mass - np.eye(model.rank)).max(), 1e-10)
        self.assertEqual(np.abs(model.basis.reshape(-1, 3, model.rank)[full.fixed_vertices]).max(), 0)

    def test_a_model_survives_its_file(self):
        model = small.model()
        model.save(self.folder / "bar.glb")
        again = limber.load(self.folder / "bar.glb")
        q = small.random(model.rank, 0.3, seed=2)
        self.assertTrue(np.array_equal(again.force(q), model.force(q)))
        self.assertTrue(np.array_equal(again.basis, model.basis))
        self.assertTrue(np.array_equal(again.surface_basis, model.surface_basis))
        self.assertEqual((again.up, model.up), ("z", "z"))
        turned = limber.build("bar", fix="x<0.001", modes=3, rank=4, up="-x", surface_basis="double")
        turned.save(self.folder / "turned.glb")
        again = limber.load(self.folder / "turned.glb")
        self.assertEqual(again.up, "-x")
        self.assertTrue(np.array_equal(again.surface_basis, turned.surface_basis))
        again = limber.load(self.folder / "bar.glb")
        self.assertEqual([g["name"] for g in again.groups], [g["name"] for g in model.groups])
        self.assertEqual({g["density"] for g in again.groups}, {1000, 800})

    def test_arrays_outlive_the_model(self):
        basis = small.model().basis
        self.assertTrue(np.isfinite(basis).all())
        self.assertFalse(basis.flags.writeable)


class Bodies(unittest.TestCase):
    def test_energy_preserving_steps_preserve_energy(self):
        model = small.model()
        body = limber.Body(model, integrator="energy", tolerance=1e-12)
        body.q = small.random(model.rank, 0.05, seed=3)
        body.set_acceleration_from_forces()
        before = body.elastic_energy
        self.assertAlmostEqual(before, model.energy(body.q), delta=1e-12 * before)
        report = body.step(0.005, steps=200)
        self.assertTrue(report.converged)
        self.assertAlmostEqual(body.time, 1, places=9)
        self.assertGreater(body.kinetic_energy, 0)
        # Each of 200 steps solves to 1e-12 of the largest force.
        self.assertLess(abs(body.kinetic_energy + body.elastic_energy - before), 1e-8 * before)

    def test_a_material_changed_between_steps_is_exact(self):
        model = small.model()
        body = limber.Body(model)
        body.q = q = small.random(model.rank, 0.05, seed=4)
        before = body.elastic_energy
        body.set(materials={g["name"]: {"young": 3 * g["young"]} for g in model.groups})
        self.assertAlmostEqual(body.elastic_energy / before, 3, places=11)  # energy is linear in E
        self.assertTrue(np.array_equal(body.q, q))

    def test_a_restored_body_repeats_its_motion_bit_by_bit(self):
        body = limber.Body(small.model(), damping={"beta": 0.001})
        body.add_force("x>0.599", (0, 0, -20))
        body.step(0.001, 50)
        state = body.state()
        body.step(0.001, 50)
        after = body.q
        body.restore(state)
        body.step(0.001, 50)
        self.assertTrue(np.array_equal(body.q, after))

    def test_forces_bend_it_where_they_pull(self):
        model = small.model()
        body = limber.Body(model, integrator="euler", newton=0)
        tip = model.select("x>0.599")
        body.add_force(tip, (0, 0, -20))
        self.assertTrue(body.step(1.0, 30).converged)  # long damped steps end in balance
        force = model.surface_basis.reshape(-1, 3, model.rank)[tip].sum(0).T @ np.array([0, 0, -20]) / len(tip)
        self.assertLess(small.relative(model.force(body.q), force), 1e-6)
        moved = body.surface_positions() - model.surface_vertices
        self.assertLess(moved[tip, 2].mean(), -0.01)
        self.assertTrue(np.allclose(moved.ravel(), model.surface_basis @ body.q, rtol=0, atol=1e-7))  # floats
        self.assertTrue(np.allclose(np.linalg.norm(body.surface_normals(), axis=1), 1, atol=1e-5))

    def test_an_absurd_push_is_contained(self):
        body = limber.Body(small.model())
        body.add_force(0, (1e30, 0, 0))
        body.add_force("x>0.599", (0, 0, -1e30))
        report = body.step(10)
        self.assertFalse(report.converged)
        self.assertIn(report.problem, ("not-solved", "blow-up"))
        self.assertTrue(np.isfinite(body.q).all())

    def test_a_clone_goes_on_bit_by_bit(self):
        model = small.model()
        body = limber.Body(model, damping={"beta": 0.001}, gravity=(0, 0, -9.81), newton=2)
        body.add_force("x>0.599", (0, 5, 0))
        body.add_reduced_force(small.random(model.rank, 0.1, seed=5))
        body.set_frame(acceleration=(0, 1, 0))
        body.step(0.002, 20)
        body.set(materials={g["name"]: {"young": 2 * g["young"]} for g in model.groups})
        clone = body.clone()
        body.step(0.002, 20)
        clone.step(0.002, 20)
        self.assertTrue(np.array_equal(body.q, clone.q))
        clone.clear_forces()  # they share nothing that moves
        body.step(0.002, 20)
        clone.step(0.002, 20)
        self.assertGreater(small.relative(clone.q, body.q), 1e-3)


class Scenes(small.InFolder):
    SCENE = {
        "duration": 0.2, "dt": 0.002, "every": 4, "gravity": [0, 0, -9.81],
        "bodies": [{"name": "bar", "model": "bar.glb", "damping": {"beta": 0.001}, "newton": 2}],
        "forces": [{"at": "x>0.599", "force": np.array([0, 5.0, 0]), "to": 0.1}],
        "probes": [{"name": "tip", "at": "x>0.599"}],
    }

    def test_simulate_gives_what_the_program_writes(self):
        small.model().save(self.folder / "bar.glb")
        arrays = limber.simulate(self.SCENE, folder=self.folder, output=self.folder / "ours.npz")
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(self.SCENE, default=np.ndarray.tolist))
        subprocess.run([os.environ["LIMBER_PROGRAM"], "simulate", str(scene), "-o", str(self.folder / "out.csv"),
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(self.folder / "out.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        # The CSV has the shortest text of every number, which reads back as that number.
        self.assertEqual([float(row["t"]) for row in rows], arrays["t"].tolist())
        for i in range(arrays["bar.q"].shape[1]):
            self.assertEqual([float(row[f"bar.q{i}"]) for row in rows], arrays["bar.q"][:, i].tolist())
        self.assertEqual([float(row["tip.y"]) for row in rows], arrays["tip"][:, 1].tolist())
        self.assertEqual([float(row["bar.elastic"]) for row in rows], arrays["bar.elastic"].tolist())
        with np.load(self.folder / "ours.npz") as kept:
            self.assertEqual(set(kept), set(arrays))
            self.assertTrue(np.array_equal(kept["bar.q"], arrays["bar.q"]))

    def test_a_body_stepped_by_hand_follows_the_scene(self):
        model = small.model()
        model.save(self.folder / "bar.glb")
        arrays = limber.simulate(str(self.write_scene()))
        body = limber.Body(model, damping={"beta": 0.001}, newton=2, gravity=(0, 0, -9.81))
        body.add_force("x>0.599", (0, 5, 0))
        body.set_acceleration_from_forces()
        body.step(0.002, 50)
        body.clear_forces()
        body.step(0.002, 50)
        self.assertLess(small.relative(body.q, arrays["bar.q"][-1]), 1e-9)

    def write_scene(self):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(self.SCENE, default=np.ndarray.tolist))
        return path

    def test_validate_compares_with_the_full_model(self):
        result = limber.validate(small.model(modes=5, rank=15), periods=2, bend=0.05)
        self.assertTrue(result["converged"], result["problem"])
        # A small bend of a beam: its first modes and their derivatives hold the motion to a few per cent.
        self.assertLess(abs(result["frequency_error"]), 0.05)
        self.assertLess(result["displacement_error"], 0.1)
        self.assertEqual(result["full"]["probe"].shape, (len(result["t"]), 3))
        self.assertEqual(len(result["t"]), result["steps"] + 1)
        self.assertLessEqual(result["shape_error"], result["displacement_error"] * (1 + 1e-9))
        self.assertEqual(len(result["local_compliance"]["points"]), 12)

    def test_an_improved_place_gives_way_as_the_full_model(self):
        place = "near:0.3,0.1,0.2"
        before = small.model()
        after = small.model(improve=place)
        self.assertEqual(after.rank, before.rank + 3)
        local = limber.local_compliance(after, points=4, at=place)
        self.assertAlmostEqual(local["points"][0]["ratio"], 1, delta=1e-6)
        self.assertLess(limber.local_compliance(before, points=0, at=[place])["worst"]["ratio"], 0.99)
        # The numbers themselves, by numpy: a unit force shared by area, K at rest, the basis.
        end = "x>0.599"
        point = limber.local_compliance(after, points=0, at=end)["worst"]
        chosen = after.select(end)
        self.assertEqual(point["patch_vertices"], len(chosen))
        corners = after.surface_vertices[after.triangles]
        areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        share = np.bincount(after.triangles.ravel(), np.repeat(areas, 3))[chosen]
        force = np.zeros(after.basis.shape[0]).reshape(-1, 3)
        force[after.input_vertex[chosen]] = np.outer(share / share.sum(), point["normal"])
        force = force.ravel()
        g = after.basis.T @ force
        reduced = g @ np.linalg.solve(after.stiffness(np.zeros(after.rank)), g)
        self.assertLess(small.relative(point["reduced"], reduced), 1e-9)
        self.assertLessEqual(point["reduced"], point["full"] * (1 + 1e-9))


if __name__ == "__main__":
    unittest.main()
