# SPDX-License-Identifier: Apache-2.0
"""The full model against finite differences and against itself."""
import unittest

import limber
import numpy as np
import small


class Forces(unittest.TestCase):
    def test_force_is_the_gradient_of_the_energy(self):
        for tets in (False, True):
            body = small.fem(tets)
            u = small.free_displacement(body, 0.01, seed=1)
            d = small.free_displacement(body, 0.01, seed=2)
            # The energy is a quartic along the line: five points give its derivative exactly, but for rounding.
            v = [body.energy(u + s * d) for s in (-2, -1, 1, 2)]
            slope = (v[0] - 8 * v[1] + 8 * v[2] - v[3]) / 12
            self.assertLess(abs(slope - body.force(u) @ d), 1e-9 * abs(slope) + 1e-12 * body.energy(u))

    def test_stiffness_is_the_derivative_of_the_force(self):
        for tets in (False, True):
            body = small.fem(tets)
            u = small.free_displacement(body, 0.01, seed=3)
            d = small.free_displacement(body, 0.01, seed=4)
            # The force is a cubic along the line: the same five points are exact.
            r = [body.force(u + s * d)[body.free_dofs] for s in (-2, -1, 1, 2)]
            slope = (r[0] - 8 * r[1] + 8 * r[2] - r[3]) / 12
            self.assertLess(small.relative(body.stiffness(u) @ d[body.free_dofs], slope), 1e-9)

    def test_csr_arrays_are_the_whole_symmetric_matrix(self):
        body = small.fem()
        for matrix in (body.stiffness(small.free_displacement(body, 0.01, seed=5)), body.mass(), body.mass("lumped")):
            rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
            dense = np.zeros(matrix.shape)
            dense[rows, matrix.indices] = matrix.data
            self.assertEqual(matrix.nnz, len(matrix.data))
            self.assertTrue(np.array_equal(dense, dense.T))
            self.assertTrue(np.array_equal(dense, matrix.toarray()))
            x = small.random(matrix.shape[1], 1, seed=6)
            self.assertLess(small.relative(matrix @ x, dense @ x), 1e-13)

    def test_mass_of_a_translation_is_the_mass_of_the_body(self):
        # Nothing fixed: 1ᵀ M 1 is the whole mass. Half of 0.6 x 0.2 x 0.2 m has 1000, half 800 kg/m^3.
        mesh = limber.bar(cells=(6, 2, 2), size=(0.6, 0.2, 0.2))
        body = limber.FemModel(mesh, material={"x>0.3": {"density": 800}})
        along_x = np.tile([1.0, 0.0, 0.0], len(mesh.vertices))
        for kind in ("consistent", "lumped"):
            self.assertAlmostEqual(along_x @ (body.mass(kind) @ along_x), 0.012 * 1000 + 0.012 * 800, places=10)
        self.assertAlmostEqual(body.total_mass, 21.6, places=10)

    def test_both_shapes_of_a_displacement_mean_the_same(self):
        body = small.fem()
        u = small.free_displacement(body, 0.01, seed=7)
        self.assertEqual(body.force(u).shape, u.shape)
        rows = body.force(u.reshape(-1, 3))
        self.assertEqual(rows.shape, (len(body.mesh.vertices), 3))
        self.assertTrue(np.array_equal(rows.ravel(), body.force(u)))
        self.assertTrue(np.array_equal(rows, body.force(np.asfortranarray(u.reshape(-1, 3)))))


class Solvers(unittest.TestCase):
    def test_modes_solve_the_eigenproblem_and_are_mass_normalised(self):
        body = small.fem()
        modes = limber.solve_modes(body, count=5)
        self.assertTrue(modes.converged)
        k, m = body.stiffness(), body.mass()
        x = modes.shapes.reshape(5, -1)[:, body.free_dofs]
        for eigenvalue, hz, shape in zip(modes.eigenvalues, modes.frequencies_hz, x):
            self.assertLess(small.relative(m @ shape * eigenvalue, k @ shape), 1e-8)
            self.assertAlmostEqual(np.sqrt(eigenvalue) / (2 * np.pi), hz, places=9)
        gram = x @ np.stack([m @ shape for shape in x]).T
        self.assertLess(np.abs(gram - np.eye(5)).max(), 1e-10)
        # numpy's own eigenvalues of the dense pencil.
        root = np.linalg.inv(np.linalg.cholesky(m.toarray()))
        dense = np.linalg.eigvalsh(root @ k.toarray() @ root.T)[:5]
        self.assertLess(small.relative(modes.eigenvalues, dense), 1e-8)

    def test_static_solution_balances_the_load(self):
        mesh = limber.bar(cells=(6, 2, 2), size=(0.6, 0.2, 0.2))
        words = dict(fix=small.FIX, young=1e6, poisson=0.4, density=1000)
        result = limber.solve_static(mesh, load={"x>0.599": (0, 0, -80)}, gravity=(0, 0, -9.81), **words)
        self.assertTrue(result.converged, result.problem)
        body = limber.FemModel(mesh, **words)
        load = body.gravity_force((0, 0, -9.81))
        tip = mesh.select("x>0.599")
        load[tip] += np.array([0, 0, -80]) / len(tip)
        left = (load - body.force(result.displacement)).ravel()[body.free_dofs]
        self.assertLess(np.linalg.norm(left), 1.0001e-8 * np.linalg.norm(load.ravel()[body.free_dofs]))
        # The same load as an array.
        again = limber.solve_static(body, load=load)
        self.assertLess(small.relative(again.displacement, result.displacement), 1e-6)

    def test_undamped_motion_keeps_its_energy(self):
        body = small.fem()
        motion = limber.solve_dynamic(body, load={"x>0.599": (0, 0, -20)}, release=True, dt=0.002, duration=0.1, every=5)
        self.assertTrue(motion.converged, motion.problem)
        self.assertEqual(motion.displacements.shape, (11, len(body.mesh.vertices), 3))
        self.assertTrue(np.allclose(motion.times, 0.01 * np.arange(11), rtol=0, atol=1e-12))
        energy = motion.kinetic + motion.elastic
        self.assertAlmostEqual(energy[0], body.energy(motion.displacements[0]), places=12)
        self.assertGreater(motion.kinetic[-1], 0.1 * energy[0])
        # Newmark with beta = 1/4 on a nonlinear force: second order in the step, a per cent here.
        self.assertLess(np.abs(energy / energy[0] - 1).max(), 0.01)


class Meshes(small.InFolder):
    def test_arrays_go_in_and_come_out_as_they_were(self):
        mesh = limber.bar(cells=(2, 1, 1), size=(2, 1, 1))
        again = limber.VolumeMesh(mesh.vertices, bricks=mesh.bricks)
        self.assertTrue(np.array_equal(again.vertices, mesh.vertices))
        self.assertTrue(np.array_equal(again.bricks, mesh.bricks))
        self.assertEqual(again.tets.shape, (0, 4))
        self.assertEqual(again.info()["volume"], 2)
        with self.assertRaises(ValueError):
            again.vertices[0, 0] = 7  # a view of what solvers rely on

    def test_files_and_fillings(self):
        skin, volume_vertex = limber.bar().boundary()
        self.assertEqual(len(skin.vertices), len(volume_vertex))
        skin.save(self.folder / "skin.obj")
        skin = limber.read_surface(str(self.folder / "skin.obj"))
        cubes = limber.voxelize(skin, resolution=10)
        self.assertEqual(len(cubes.bricks), 40)
        self.assertEqual(cubes.fraction.tolist(), [1] * 40)  # the grid fits
        part = limber.voxelize(skin, resolution=7)  # 1 m in 7 cubes, 0.2 m in 2 of them
        self.assertLess(part.fraction.min(), 1)
        self.assertAlmostEqual(part.info()["volume"], 0.04, places=8)
        full = limber.voxelize(skin, resolution=7, fill="full")
        self.assertAlmostEqual(full.info()["volume"], 7 * 2 * 2 / 7**3, places=12)
        again = limber.VolumeMesh(part.vertices, bricks=part.bricks, fraction=part.fraction)
        self.assertEqual(again.fraction.tolist(), part.fraction.tolist())
        with self.assertRaises(limber.InputError):
            limber.VolumeMesh(part.vertices, bricks=part.bricks, fraction=[0.5])
        tets = limber.tetrahedralize(skin, max_volume=1e-3)
        self.assertAlmostEqual(tets.info()["volume"], 0.04, places=12)
        tets.save(self.folder / "tets.msh")
        self.assertTrue(np.array_equal(limber.read_volume(self.folder / "tets.msh").tets, tets.tets))

    def test_a_view_outlives_its_mesh(self):
        vertices = limber.bar().vertices
        self.assertEqual(vertices[-1].tolist(), [1, 0.2, 0.2])


if __name__ == "__main__":
    unittest.main()
