# SPDX-License-Identifier: Apache-2.0
"""Whether programs print the coordinates that `limber simulate` has: to the last bit, or within a tolerance.

usage: same_q.py PROGRAM MODEL.glb WORK_FOLDER TOLERANCE COMMAND...     COMMAND is called with the model
TOLERANCE is relative to the largest coordinate; 0: to the last bit.
"""
import json
import pathlib
import subprocess
import sys

import numpy

program, model, work, tolerance, *commands = sys.argv[1:]
scene = pathlib.Path(work) / "scene.json"
scene.write_text(json.dumps({
    "gravity": [0, 0, -9.81], "dt": 0.001, "duration": 0.1,
    "bodies": [{"name": "body", "model": str(pathlib.Path(model).resolve())}]}))
subprocess.run([program, "simulate", scene, "-o", scene.with_suffix(".npz"), "--quiet"], check=True,
               stdout=subprocess.DEVNULL)
expected = numpy.load(scene.with_suffix(".npz"))["body.q"][-1]
size = abs(expected).max()
assert expected.size > 0 and size > 0, "the body does not move"
failed = 0
for command in commands:
    run = subprocess.run([*command.split(), model], stdout=subprocess.PIPE, text=True, check=False)
    lines = run.stdout.split("\n")[:-1] if run.returncode == 0 else []
    q = numpy.array([float(line) for line in lines])
    error = abs(q - expected).max() / size if q.shape == expected.shape else numpy.inf
    if error > float(tolerance):
        failed += 1
        print(f"FAILED: {command}: exit status {run.returncode}, error {error}: {run.stdout[:300]}", file=sys.stderr)
    elif float(tolerance) > 0:
        print(f"{command}: within {error:.1e}")
sys.exit(1 if failed else 0)
