# SPDX-License-Identifier: Apache-2.0
"""Bad input is told where it stands; long work can be watched and stopped."""
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import limber
import numpy as np
import small


class Errors(small.InFolder):
    def refused(self, where, problem, call, *arguments, **words):
        with self.assertRaises(limber.InputError) as caught:
            call(*arguments, **words)
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertIn(where, error.where)
        self.assertIn(problem, error.problem)
        self.assertIn(error.problem, str(error))
        return error

    def test_files(self):
        self.refused("none.obj", "", limber.read_surface, self.folder / "none.obj")
        broken = self.folder / "broken.glb"
        broken.write_bytes(b"glTF\2\0\0\0")
        self.refused("broken.glb", "", limber.load, broken)
        self.refused("bar.txt", ".glb", small.model().save, self.folder / "bar.txt")
        self.assertEqual(os.listdir(self.folder), ["broken.glb"])

    def test_words(self):
        mesh = limber.bar()
        self.assertEqual(self.refused("FemModel", "yuong", limber.FemModel, mesh, yuong=1e6).try_this, "young")
        self.assertEqual(self.refused("build", "rnak", limber.build, mesh, rnak=5).try_this, "rank")
        self.refused("young", "no number", limber.FemModel, mesh, young="stiff")
        self.refused("", "Poisson's ratio is 0.5", limber.FemModel, mesh, poisson=0.5)
        self.refused("count", "no whole number", limber.solve_modes, mesh, fix=small.FIX, count=2.5)
        self.refused("mass", "heavy", limber.solve_modes, mesh, fix=small.FIX, mass="heavy")
        self.refused("fix", "", limber.FemModel, mesh, fix="x<<1")
        self.refused("solve_modes", "SurfaceMesh", limber.solve_modes, mesh.boundary()[0])
        self.refused("fix", "own", limber.solve_modes, small.fem(), fix=small.FIX)
        self.refused("fix", "-1 is no id", limber.FemModel, mesh, fix=[-1])
        self.refused("every", "GB", limber.solve_dynamic, small.fem(), dt=1e-8, duration=1)
        self.refused("dt", "missing", limber.solve_dynamic, small.fem(), duration=1)
        self.refused("progress", "called", limber.solve_modes, small.fem(), progress=3)

    def test_arrays(self):
        body, model = small.fem(), small.model()
        n = len(body.mesh.vertices)
        self.refused("u", f"({n}, 3)", body.force, np.zeros((n, 2)))
        self.refused("u", "", body.force, [[1, 2], [3]])
        self.refused("u", "complex", body.force, np.zeros(3 * n, complex))
        self.refused("u", "nan", body.energy, np.full((n, 3), np.nan))
        self.refused("q", f"({model.rank},)", model.force, np.zeros(model.rank + 1))
        self.refused("q", "<U", model.force, ["a"] * model.rank)
        self.refused("tets", "not one of the 4 vertices", limber.VolumeMesh, np.eye(4, 3), [[0, 1, 2, 4]])
        self.refused("tets", "(count, 4)", limber.VolumeMesh, np.eye(4, 3), [[0, 1, 2]])
        self.refused("triangles", "whole numbers", limber.SurfaceMesh, np.eye(3), [[0.0, 1.0, 2.0]])

    def test_bodies(self):
        model = small.model()
        body = limber.Body(model)
        self.refused("dt", "-0.001 s", body.step, -0.001)
        self.refused("Body", "rank 9", limber.Body, model, rank=9)
        self.refused("set", "rubber", body.set, materials={"rubber": {"young": 1e6}})
        self.refused("integrator", "newmrak", limber.Body, model, integrator="newmrak")
        self.refused("at", "vertices", body.add_force, 10**6, (0, 0, 1))
        self.refused("force", "(3,)", body.add_force, 0, (0, 1))
        with self.assertRaises(limber.InputError):
            body.q = np.full(model.rank, 1e30)
        self.assertEqual(np.abs(body.q).max(), 0)

    def test_scenes(self):
        self.refused("scene", "durations", limber.simulate, {"durations": 1, "bodies": []})
        self.refused("simulate", "neither", limber.simulate, 3)
        self.refused("motion.avi", ".csv", limber.simulate, {"bodies": []}, output="motion.avi")
        self.refused("scene", "JSON", limber.simulate, {"bodies": {1}})
        self.refused("force", "zero", limber.validate, small.model(), force=(0, 0, 0))
        lean = small.model(lean=True)
        self.refused("", "lean", limber.validate, lean)
        self.refused("", "lean", lambda: lean.basis)

    def test_steps_that_do_not_converge_are_warned_of(self):
        small.model().save(self.folder / "bar.glb")
        scene = {"duration": 20, "dt": 10, "bodies": [{"model": "bar.glb", "newton": 0}],
                 "forces": [{"at": "x>0.599", "force": [0, 0, -1e30]}]}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            arrays = limber.simulate(scene, folder=self.folder)
        self.assertEqual([w.category for w in caught], [RuntimeWarning])
        self.assertIn("did not converge", str(caught[0].message))
        self.assertTrue(np.isfinite(arrays["bar.q"]).all())


class LongWork(unittest.TestCase):
    def test_progress_is_told_stage_by_stage(self):
        told = []
        limber.build(limber.bar(cells=(6, 2, 2)), fix=small.FIX, modes=3, rank=6,
                     progress=lambda stage, fraction: told.append((stage, fraction)))
        self.assertIn("modal derivatives", [stage for stage, _ in told])
        self.assertTrue(all(0 <= fraction <= 1 for _, fraction in told))

    def test_what_the_callable_raises_ends_the_work(self):
        def stop(stage, fraction):
            raise KeyError(stage)
        with self.assertRaises(KeyError):
            limber.solve_modes(small.fem(), progress=stop)

    def test_other_threads_run_meanwhile(self):
        stamps, done = [], threading.Event()

        def stamp():
            while not done.wait(0.002):
                stamps.append(time.monotonic())
        thread = threading.Thread(target=stamp)
        thread.start()
        try:
            start = end = 0.0
            steps = 100
            while end - start < 0.5:  # long enough on any machine
                steps *= 2
                start = time.monotonic()
                limber.solve_dynamic(small.fem(), gravity=(0, 0, -9.81), dt=1e-4, duration=steps * 1e-4)
                end = time.monotonic()
        finally:
            done.set()
            thread.join()
        third = (end - start) / 3  # with the lock held, the other thread could run only before and after
        self.assertTrue(any(start + third < t < end - third for t in stamps))

    def test_ctrl_c_stops_a_long_run(self):
        code = ("import limber\n"
                "print('ready', flush=True)\n"
                "limber.solve_dynamic(limber.bar(cells=(10, 3, 3)), fix='x<1e-6', gravity=(0, 0, -9.81), dt=1e-4,"
                " duration=1000, every=1000000)\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.assertEqual(child.stdout.readline(), "ready\n")
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            _, told = child.communicate(timeout=60)
        finally:
            child.kill()
        self.assertIn("KeyboardInterrupt", told)


if __name__ == "__main__":
    unittest.main()
