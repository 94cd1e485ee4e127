# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The notebook of the examples: its cells run, one after the other, and leave figures."""

import contextlib
import importlib.util
import io
import json
import math
import os
import re
import unittest
from pathlib import Path

from tests.session import spark

FOLDER = Path(__file__).parents[2] / "examples" / "python"


class NotebookTest(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_cells_run_and_leave_figures(self):
        notebook = json.loads((FOLDER / "weather.ipynb").read_text(encoding="utf-8"))
        cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
        before = Path.cwd()
        said = io.StringIO()
        names = {}
        lines = []
        try:
            os.chdir(FOLDER)
            with contextlib.redirect_stdout(said):
                for cell in cells:
                    *work, last = cell.rstrip().split("\n")
                    exec("\n".join(work), names)
                    shown = eval(last, names)
                    if shown is not None:
                        lines.append([line for axes in shown.axes for line in axes.lines])
        finally:
            os.chdir(before)

        self.assertEqual(len(cells), 4)
        self.assertIn("|2012-01-01|", said.getvalue())
        hottest = float(re.search("hottest cell has ([0-9.]+)", said.getvalue()).group(1))
        spread = 4 * 200 * 0.2  # of a rod of 30 cells without an end of the plate near it
        expected = 100 / math.sqrt(math.pi * spread) * math.erf(15 / math.sqrt(spread))
        self.assertAlmostEqual(hottest, expected, delta=0.02 * expected)
        self.assertEqual([len(each) for each in lines], [2, 1, 0])
        self.assertEqual([len(line.get_ydata()) for line in lines[0]], [1461, 1461])
        raw, smooth = (list(line.get_ydata()) for line in lines[0])
        self.assertAlmostEqual(smooth[100], sum(raw[85:116]) / 31, places=9)
        self.assertIs(names["spark"].sparkContext._jvm, spark.sparkContext._jvm)


if __name__ == "__main__":
    unittest.main()
