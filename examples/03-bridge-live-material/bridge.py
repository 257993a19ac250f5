#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bridge that is stiffened, then made heavier while it swings.

    python3 examples/03-bridge-live-material/bridge.py

W = Σ_g (κ_g W_bulk,g + μ_g W_shear,g) and M̃ = Σ_g ρ_g M̃_g: between two steps the new model is exact. Four times
the stiffness doubles every frequency, four times the density halves it again.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import find_limber

import limber
import numpy as np

path = find_limber.folder("03-bridge-live-material") / "bridge.glb"
if path.exists():
    model = limber.load(path)
    print(f"read {path}")
else:
    stages = set()

    def tell(stage, fraction):
        if stage not in stages:
            print(f"building the bridge: {stage}", flush=True)
        stages.add(stage)

    model = limber.build("bridge", rank=15, progress=tell)
    model.save(path)
print(f"{model.volume_elements} cubes, {model.rank} unknowns, first vibration {model.frequencies_hz[0]:.3g} Hz")

body = limber.Body(model, newton=2)
deck = model.select("x>-10 && x<10 && z>17.9 && z<18.1")  # its middle, as in scene.json
rows = model.surface_basis.reshape(-1, 3, model.rank)[deck, 2].mean(0)  # u_z of the deck = rows · q
dt = 0.01


def swing(seconds):
    """Passages through rest in each second of the run, from the times of the first and the last."""
    times, last = [], rows @ body.q
    for _ in range(round(seconds / dt)):
        report = body.step(dt)
        assert report.converged, report
        now = rows @ body.q
        if (now > 0) != (last > 0):
            times.append(body.time)
        last = now
    return (len(times) - 1) / (times[-1] - times[0]) / 2 if len(times) > 1 else float("nan")


body.add_force(deck, (0, 0, -3e6))
body.step(dt, 200)
body.clear_forces()
young, density = model.groups[0]["young"], model.groups[0]["density"]
print(f"\n{'material':34} {'the deck swings at':>20} {'energy':>14}")
for name, change in [("as built", {}), ("four times as stiff", {"young": 4 * young}),
                     ("four times as stiff and as dense", {"density": 4 * density})]:
    body.set(materials={"default": change})
    hz = swing(40)
    print(f"{name:34} {hz:17.3f} Hz {body.kinetic_energy + body.elastic_energy:12.4g} J")
