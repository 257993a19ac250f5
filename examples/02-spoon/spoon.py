#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the basis is worth: the spoon bent by a growing load, in full and in two bases of the same size.

    python3 examples/02-spoon/spoon.py [RESOLUTION]

The shape in balance minimises V(q) - f·q: Newton's method with model.force and model.stiffness, a few lines of numpy.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import find_limber  # noqa: F401

import limber
import numpy as np

TIP = "x>xmax-0.003"


def balance(model, f, q):
    """R(q) = f from a guess; the step is halved until the energy falls."""
    for _ in range(100):
        g = f - model.force(q)
        if np.linalg.norm(g) < 1e-9 * np.linalg.norm(f):
            break
        values, vectors = np.linalg.eigh(model.stiffness(q))
        step = vectors @ ((vectors.T @ g) / np.maximum(np.abs(values), 1e-9 * values[-1]))
        energy, s = model.energy(q) - f @ q, 1.0
        while s > 1e-6 and model.energy(q + s * step) - f @ (q + s * step) > energy:
            s /= 2
        q = q + s * step
    return q


def main():
    resolution = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rank = 15
    models = {
        "modal derivatives": limber.build("spoon", resolution=resolution, modes=6, rank=rank),
        "linear modes": limber.build("spoon", resolution=resolution, basis="modes", rank=rank),
    }
    first = models["modal derivatives"]
    print(f"spoon: {first.volume_vertices} vertices, {first.volume_elements} cubes, reduced to {rank} unknowns")
    share = np.cumsum(first.spectrum**2) / np.sum(first.spectrum**2)
    print("what r buys:", ", ".join(f"r = {r} leaves out {100 * (1 - share[r - 1]):.2g}%" for r in (3, 5, 10, 15)))

    full = first.full_model()
    tip = first.select(TIP)
    nodes = full.mesh.select(TIP)
    tip_basis = {name: m.surface_basis.reshape(-1, 3, rank)[tip] for name, m in models.items()}
    q = {name: np.zeros(rank) for name in models}
    start = np.zeros((len(full.mesh.vertices), 3))
    print("\nhow far the tip sinks (cm)\n  load (N)       full   " + "   ".join(f"{name:>17}" for name in models))
    for newtons in (0.002, 0.005, 0.01, 0.02, 0.04):
        load = np.zeros((len(full.mesh.vertices), 3))
        load[nodes, 2] = -newtons / len(nodes)
        exact = limber.solve_static(full, load=load, start=start)
        start = exact.displacement
        line = f"  {newtons:8.3f} {-100 * start[nodes, 2].mean():10.3f}"
        for name, model in models.items():
            f = model.basis.T @ load.ravel()
            q[name] = balance(model, f, q[name])
            line += f"   {-100 * (tip_basis[name][:, 2] @ q[name]).mean():17.3f}"
        print(line)
    print("linear modes alone lock: a rotating end needs the second-order shapes that modal derivatives are")


main()
