# SPDX-License-Identifier: Apache-2.0
"""Every example runs and says what it should."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Examples(unittest.TestCase):
    def told(self, script, *arguments):
        ran = subprocess.run([sys.executable, "-B", str(EXAMPLES / script), *arguments], capture_output=True, text=True,
                             timeout=500)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_first_bar(self):
        told = self.told("01-first-bar/first_bar.py")
        error = float(re.search(r"differ from Uᵀ R\(Uq\) by (\S+),", told).group(1))
        self.assertLess(error, 1e-11)

    def test_spoon(self):
        told = self.told("02-spoon/spoon.py", "30")
        rows = [[float(x) for x in line.split()] for line in told.splitlines() if re.match(r"^  +0\.0\d+ ", line)]
        self.assertEqual(len(rows), 5)
        for load, full, derivatives, modes in rows:
            self.assertLess(abs(derivatives / full - 1), 0.2)
        self.assertLess(rows[-1][3], 0.8 * rows[-1][1])  # linear modes lock

    def test_bridge(self):
        told = self.told("03-bridge-live-material/bridge.py")
        built, stiff, heavy = (float(hz) for hz in re.findall(r"([\d.]+) Hz +[\d.e+]+ J", told))
        # Large swings are not quite harmonic; the passages of a third are few.
        self.assertLess(abs(stiff / built / 2 - 1), 0.15)
        self.assertLess(abs(heavy / stiff * 2 - 1), 0.15)

    def commands(self, name, *arguments):
        """What the `run` of an example tells."""
        ran = subprocess.run([str(EXAMPLES / name / "run"), *arguments], capture_output=True, text=True, timeout=500)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_warped_bar(self):
        told = self.commands("04-warped-bar")
        tip = {name.strip(): [float(x) for x in numbers.split()[:2]]
               for name, numbers in re.findall(r"^  ([a-zA-Z ]+?)  +(-?\d.*)$", told, re.M) if "%" in numbers}
        full = tip["full model"]
        off = {name: abs(complex(*place) - complex(*full)) for name, place in tip.items()}
        self.assertLess(off["reduced StVK"], 0.01)
        self.assertLess(off["warping"], 0.25 * off["linear modes"])

    def test_flying_box(self):
        told = self.commands("06-flying-box")
        flips, off = re.search(r"(\d+) flips, .* \((\S+)%\)", told).groups()
        self.assertGreater(int(flips), 3)
        self.assertLess(abs(float(off)), 0.5)
        changed = float(re.search(r"changed by (\S+) J", told).group(1))
        self.assertLess(changed, 1e-6)  # of 1200 J and more

    def test_tumbling_bar(self):
        told = self.commands("07-tumbling-bar")
        self.assertLess(float(re.search(r"centre: changed by (\S+) of", told).group(1)), 1e-10)
        self.assertLess(float(re.search(r"parabola by (\S+) m", told).group(1)), 1e-10)
        self.assertLess(float(re.search(r"energy: changed by (\S+) of", told).group(1)), 1e-3)

    def test_slope(self):
        told = self.commands("08-slope")
        self.assertLess(abs(float(re.search(r"sticks: (\S+) m", told).group(1))), 1e-8)
        self.assertLess(float(re.search(r"theory \S+ off by (\S+)", told).group(1)), 1e-2)
        self.assertLess(float(re.search(r"weight \S+ N, off by (\S+)", told).group(1)), 1e-3)

    def test_stack(self):
        told = self.commands("09-stack")
        self.assertLess(float(re.search(r"within (\S+) of its weight", told).group(1)), 1e-3)
        before, after = re.search(r"before (\S+) m, at the end (\S+) m", told).groups()
        self.assertLess(float(after), 0.5 * float(before))

    def test_haptic_bridge(self):
        told = self.commands("10-haptic-bridge", "1")  # s of each loop
        self.assertEqual(len(re.findall(r"a step takes +\S+ µs in the mean", told)), 2)
        # The simulated device is passive; the recorded hand has no device.
        self.assertLess(float(re.search(r"passive; (\S+) J were given", told).group(1)), 1e-6)
        self.assertNotIn("NOT CONVERGED", told)

    def test_tumbling_bodies(self):
        told = self.commands("11-tumbling-bodies")
        self.assertLess(float(re.search(r"momentum: changed by (\S+) of", told).group(1)), 1e-10)
        lost, gained = re.search(r"energy: (\S+)% lost, never more than (\S+)% gained", told).groups()
        self.assertGreater(float(lost), 5)  # by impacts
        self.assertLess(float(gained), 0.1)
        self.assertGreater(int(re.search(r"(\d+) of 9 bodies touched", told).group(1)), 6)

    def test_soft_gripper(self):
        told = self.commands("12-soft-gripper")
        self.assertLess(abs(float(re.search(r"lifted by (\S+) m", told).group(1)) - 0.15), 0.001)
        self.assertLess(abs(float(re.search(r"sinks by (\S+) µm/s", told).group(1))), 0.1)

    def test_oak(self):
        told = self.commands("13-oak", "quick")
        self.assertGreater(float(re.search(r"the tip moves (\S+) m", told).group(1)), 0.01)

    def test_jelly_box(self):
        told = self.commands("05-jelly-box")
        met = re.findall(r"constraints of (\w+) +met to (\S+) m and (\S+) rad", told)
        self.assertEqual({name for name, _, _ in met}, {"jelly", "linear", "torso"})
        for name, metres, radians in met:
            self.assertLess(float(metres), 1e-12, name)
            self.assertLess(float(radians), 1e-9, name)

    def test_extreme_shapes(self):
        told = self.told("extreme-shapes/extreme_shapes.py")
        self.assertIn("twist modes [4, 9]", told)
        turned = float(re.search(r"by 270 degrees: the beam turns by ([\d.]+)", told).group(1))
        self.assertLess(abs(turned - 270), 5)


if __name__ == "__main__":
    unittest.main()
