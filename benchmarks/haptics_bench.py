#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The headline of Barbič & James 2005: the bridge, r = 15, with a ball in a hand; dynamics and contact in one loop at 1 kHz
over 60 s of the poke of examples/10-haptic-bridge.

usage: haptics_bench.py PROGRAM RESULTS.csv [SECONDS]     rows are added, as limber_bench writes them
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

POKE = Path(__file__).resolve().parents[1] / "examples" / "10-haptic-bridge" / "poke.py"
HEADER = "case,metric,value,unit,paper,vega,vega_fastest,yardstick_us\n"
ROWS = (  # key of `limber haptics --json`, metric, unit
    ("mean_us", "step_mean", "us"),
    ("p999_us", "step_p999", "us"),
    ("worst_us", "step_worst", "us"),
    ("p999_cpu_us", "step_p999_on_processor", "us"),
    ("worst_cpu_us", "step_worst_on_processor", "us"),
    ("real_time_factor", "times_faster_than_real_time", ""),
    ("misses", "missed_deadlines", ""),
    ("steps", "steps", ""),
    ("touching_steps", "steps_in_contact", ""),
    ("most_contacts", "most_contacts", ""),
    ("not_converged", "not_converged", ""),
)


def main(program, results, seconds="60"):
    with tempfile.TemporaryDirectory(prefix="limber_haptics_") as folder:
        model, poke = Path(folder, "bridge.glb"), Path(folder, "poke.csv")
        with open(poke, "w", encoding="utf-8") as out:
            subprocess.run([sys.executable, str(POKE)], stdout=out, check=True)
        subprocess.run([program, "build", "bridge", "--rank", "15", "-o", str(model), "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        ran = subprocess.run([program, "haptics", str(model), "--recording", str(poke), "--radius", "2.5", "--seconds",
                              seconds, "--json", "--quiet"], stdout=subprocess.PIPE, text=True)
        if ran.returncode not in (0, 2):  # 2: some steps did not converge, which is a row
            raise SystemExit(ran.returncode)
        told = json.loads(ran.stdout)
    path = Path(results)
    is_new = not path.exists()
    with open(path, "a", encoding="utf-8") as out:
        if is_new:
            out.write(HEADER)
        for key, metric, unit in ROWS:
            print(f"{'haptics':<28} {metric:<34} {told[key]:>11.4g} {unit}")
            out.write(f"haptics,{metric},{told[key]:.6g},{unit},,,,\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
