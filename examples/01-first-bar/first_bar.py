#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A soft bar in Python: full model, reduced model, and the two against each other.

    python3 examples/01-first-bar/first_bar.py

       V(u) ──> R(u) = dV/du ──> K(u) = dR/du                   full: 3n unknowns
       u = U q:  R̃(q) = Uᵀ R(Uq),  K̃(q) = Uᵀ K(Uq) U           reduced: r unknowns
"""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import find_limber

import limber
import numpy as np

out = find_limber.folder("01-first-bar")
rubber = dict(young=1e6, poisson=0.3, density=1000)
mesh = limber.bar(cells=(20, 4, 4), size=(1.0, 0.2, 0.2))
full = limber.FemModel(mesh, fix="x<1e-6", **rubber)
print(f"full model    {len(mesh.vertices)} vertices, {len(mesh.bricks)} bricks, {full.total_mass:.3g} kg")

modes = limber.solve_modes(full, count=6)
print("vibrations   ", ", ".join(f"{hz:.3g}" for hz in modes.frequencies_hz), "Hz")

# Forces are derivatives of the energy: check it yourself.
u = np.zeros(3 * len(mesh.vertices))
u[full.free_dofs] = 0.01 * np.random.default_rng(1).standard_normal(len(full.free_dofs))
d = np.zeros_like(u)
d[full.free_dofs] = 1e-5 * np.random.default_rng(2).standard_normal(len(full.free_dofs))
difference = full.energy(u + d) - full.energy(u - d)
print(f"dV = R·du     {difference:.8e} J by differences, {2 * full.force(u) @ d:.8e} J by the force")

model = limber.build(mesh, fix="x<1e-6", **rubber)
print(f"reduced model {model.rank} unknowns instead of {len(full.free_dofs)}, "
      f"built in {sum(model.seconds.values()):.2g} s")
q = 0.3 * np.random.default_rng(3).standard_normal(model.rank)
expected = model.basis.T @ full.force(model.basis @ q)
error = np.linalg.norm(model.force(q) - expected) / np.linalg.norm(expected)
print(f"its forces    differ from Uᵀ R(Uq) by {error:.1e}, with the bar bent by "
      f"{np.abs(model.surface_basis @ q).max():.2g} m")

# Bend it by a force on its end, let go, watch the end swing.
body = limber.Body(model, newton=2, damping={"beta": 0.002})
end = model.select("x>0.999")
height = model.surface_basis.reshape(-1, 3, model.rank)[end, 2].mean(0)  # of the end: height · q
body.add_force(end, (0, 0, -60))
while body.time < 20 and not (body.step(0.1).converged and np.abs(body.v).max() < 1e-6):
    pass
body.clear_forces()
body.set_acceleration_from_forces()
dt, heights = 0.002, []
began = time.perf_counter()
for _ in range(1000):
    body.step(dt)
    heights.append(height @ body.q)
speed = 1000 / (time.perf_counter() - began)
print(f"let go        the end swings between {min(heights):.3f} and {max(heights):.3f} m, "
      f"{speed:.0f} steps a second with Python between them")
for i in range(0, 1000, 40):
    row = [" "] * 30 + ["|"] + [" "] * 30
    row[30 + round(30 * heights[i] / max(map(abs, heights)))] = "o"
    print(f"   {i * dt:5.2f} s  " + "".join(row))

model.save(out / "bar.glb")
print(f"the model is {out / 'bar.glb'}: Blender and three.js open it")
