#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Extreme shapes of small bases (Barbič & James 2005, Figure 7): a beam twisted by 270 degrees, a spoon bent through.

    python3 examples/extreme-shapes/extreme_shapes.py       (./run makes the pictures too)

A hand holds the body's end in a pose b; in the span of the basis the body takes the shape of least energy,

    min_q  V(q) + ½ k |A q - b|²,       A: rows of the basis at the held vertices,

found by Newton's method while the hand moves on in small steps.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import find_limber

import limber
import numpy as np


FIX = "x<1e-6"


def newton(model, q, A, b, k):
    """The nearest minimum downhill."""
    def energy(x):
        return model.energy(x) + 0.5 * k * np.sum((A @ x - b) ** 2)

    for _ in range(200):
        gradient = model.force(q) + k * A.T @ (A @ q - b)
        if np.linalg.norm(gradient) < 1e-9 * k * np.linalg.norm(A.T @ b):
            break
        values, vectors = np.linalg.eigh(model.stiffness(q) + k * A.T @ A)
        step = -vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1e-6 * values[-1]))
        s, now = 1.0, energy(q)
        while s > 1e-9 and energy(q + s * step) > now:
            s /= 2
        q = q + s * step
    return q


def section_angles(mesh, u):
    """How far each cross-section x = const of the beam has turned about the x axis, in degrees, from the held end."""
    X, x = mesh.vertices, mesh.vertices + u
    angles = []
    for place in np.unique(np.round(X[:, 0], 9)):
        at = np.abs(X[:, 0] - place) < 1e-6
        rest = X[at][:, 1:] - X[at][:, 1:].mean(0)
        now = x[at][:, 1:] - x[at][:, 1:].mean(0)
        angles.append(np.angle(np.sum((now[:, 0] + 1j * now[:, 1]) * (rest[:, 0] - 1j * rest[:, 1]))))
    return np.degrees(np.unwrap(angles))


def twist_modes(mesh, count):
    """The modes (counted from 1) whose motion of the free end is a turn about the beam's axis."""
    end = mesh.select("x>xmax-1e-6")
    arm = mesh.vertices[end] - mesh.vertices[end].mean(0)
    turn = np.stack([0 * arm[:, 0], -arm[:, 2], arm[:, 1]], axis=1)
    shapes = limber.solve_modes(mesh, fix=FIX, poisson=0.3, count=12).shapes[:, end]
    share = np.tensordot(shapes, turn, 2) ** 2 / (turn**2).sum() / (shapes**2).sum((1, 2))
    return [1 + i for i in np.flatnonzero(share > 0.9)][:count]


def twisted_beam(degrees):
    mesh = limber.bar(cells=(60, 9, 6), size=(1, 0.15, 0.1))
    picks = twist_modes(mesh, 2)
    model = limber.build(mesh, fix=FIX, poisson=0.3, basis="pick:" + ",".join(map(str, picks)))
    print(f"beam: twist modes {picks} and their derivatives, r = {model.rank} of {3 * len(mesh.vertices)} unknowns")
    end = mesh.select("x>xmax-1e-6")
    arm = mesh.vertices[end, 1:] - mesh.vertices[end, 1:].mean(0)
    A = model.basis.reshape(-1, 3, model.rank)[end, 1:].reshape(-1, model.rank)
    q = np.zeros(model.rank)
    for angle in range(5, degrees + 1, 5):
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        q = newton(model, q, A, (arm @ np.array([[c, s], [-s, c]]) - arm).ravel(), k=1e6)
        if angle % 90 == 0:
            turned = section_angles(mesh, (model.basis @ q).reshape(-1, 3))
            print(f"  the hand turns the end by {angle} degrees: the beam turns by {turned[-1]:.1f}, evenly to "
                  f"{np.abs(turned - np.linspace(0, turned[-1], len(turned))).max():.0f}; {model.energy(q):.3g} J")
    return mesh, (model.basis @ q).reshape(-1, 3)


def bent_spoon(degrees):
    model = limber.build("spoon", modes=6, rank=15)
    mesh = model.full_model().mesh
    print(f"spoon: 6 modes and their derivatives, r = {model.rank} of {3 * len(mesh.vertices)} unknowns")
    tip = mesh.select("x>xmax-0.003")
    rest = mesh.vertices[tip].mean(0)
    hilt = mesh.vertices[:, 0].min() + 0.03  # held up to here
    A = model.basis.reshape(-1, 3, model.rank)[tip].mean(0)
    q = np.zeros(model.rank)
    for angle in range(2, degrees + 1, 2):
        # Where the tip of a rod of this length is when it is bent to an arc of this angle.
        a, length = np.radians(angle), rest[0] - hilt
        arc = np.array([hilt + length * np.sin(a) / a, rest[1], rest[2] + length * (1 - np.cos(a)) / a])
        q = newton(model, q, A, arc - rest, k=1e3)
        if angle % 40 == 0:
            print(f"  an arc of {angle} degrees: the tip is {100 * (A @ q)[2]:.1f} cm up and {-100 * (A @ q)[0]:.1f} cm "
                  f"back; {model.energy(q):.3g} J")
    return mesh, (model.basis @ q).reshape(-1, 3)


def main():
    out = find_limber.folder("extreme-shapes")
    for name, (mesh, u) in {"beam": twisted_beam(270), "spoon": bent_spoon(160)}.items():
        mesh.save(out / f"{name}.msh")
        np.save(out / f"{name}.npy", u)
    limber.make_model("spoon").save(out / "spoon.obj")
    print(f"meshes and displacements are in {out}")


main()
