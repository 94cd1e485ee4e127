# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Windows in the words of pandas: their text, and beside pandas where it is installed. Needs no PySpark."""

import importlib.util
import random
import subprocess
import sys
import unittest
from datetime import timedelta
from pathlib import Path

_SOURCE = Path(__file__).parent.parent / "sparkstencil" / "_frames.py"
_SPEC = importlib.util.spec_from_file_location("frames", _SOURCE)
frames = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(frames)

DAY = 86_400_000_000


#: A client of Spark Connect: PySpark's names, and no Py4J.
CLIENT = """
import sys, types
class Names(types.ModuleType):
    def __getattr__(self, name): return type(name, (), {})
for name in ("pyspark", "pyspark.sql", "pyspark.sql.functions", "pyspark.sql.types"):
    sys.modules[name] = Names(name)
sys.modules["py4j"] = None
import sparkstencil
print(sparkstencil.StencilError)
"""


class FramesTest(unittest.TestCase):
    def test_the_package_is_imported_without_py4j(self):
        done = subprocess.run(
            [sys.executable, "-c", CLIENT],
            cwd=_SOURCE.parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.assertEqual(done.stdout, "<class 'sparkstencil.StencilError'>\n")

    def test_lengths_are_read_as_pandas_writes_them(self):
        for text, length in {
            "7D": 7 * DAY,
            "12H": DAY // 2,
            "90min": 5_400_000_000,
            "1h30min": 5_400_000_000,
            "D": DAY,
            "7d": 7 * DAY,
            "250ms": 250_000,
            "3us": 3,
        }.items():
            self.assertEqual(frames.micros(text), length, text)
        self.assertEqual(frames.micros(timedelta(hours=1)), DAY // 24)
        for text in ("7", "7 weeks", "1M", "soon", "-1D", "", "7D;"):
            with self.assertRaises(ValueError, msg=text):
                frames.micros(text)

    def test_windows_have_the_text_of_sql(self):
        self.assertEqual(
            frames.frame(3, "t"), "(ORDER BY `t` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)"
        )
        self.assertEqual(
            frames.frame(4, "t", center=True),
            "(ORDER BY `t` ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
        )
        self.assertEqual(
            frames.frame("1h", "a`b", ["k", "l"], closed="both"),
            "(PARTITION BY `k`, `l` ORDER BY `a``b` RANGE BETWEEN INTERVAL '0 01:00:00.000000' DAY TO"
            " SECOND PRECEDING AND CURRENT ROW)",
        )
        self.assertEqual(
            frames.frame("7D", "d", center=True, date=True),
            "(ORDER BY `d` RANGE BETWEEN INTERVAL '3' DAY PRECEDING AND INTERVAL '3' DAY FOLLOWING)",
        )
        self.assertIn("INTERVAL '6 23:59:59.999999'", frames.frame("7D", "t"))

    def test_what_is_no_window_is_refused(self):
        for wrong in (0, -1, True, "1fortnight"):
            with self.assertRaises(ValueError, msg=wrong):
                frames.frame(wrong, "t")
        with self.assertRaises(ValueError):
            frames.frame(3, "t", closed="ajar")
        with self.assertRaises(ValueError):
            frames.frame("1us", "t", closed="neither")

    def test_calls_are_null_below_the_fewest_values(self):
        self.assertEqual(frames.call("avg", "v", "(w)", 1), "avg(`v`) OVER (w)")
        self.assertEqual(
            frames.call("avg", "v", "(w)", 3),
            "CASE WHEN count(`v`) OVER (w) >= 3 THEN avg(`v`) OVER (w) END",
        )

    def test_windows_of_time_have_the_rows_of_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        chance = random.Random(3)
        times = sorted(chance.sample(range(60), 30))
        values = [float(1 << (i % 20)) for i in range(len(times))]
        index = pandas.to_datetime(times, unit="us")
        series = pandas.Series(values, index=index)
        for length in (1, 2, 5, 8, 13):
            for center in (False, True):
                for closed in (None, "right", "left", "both", "neither"):
                    first, last = frames.bounds(
                        length,
                        center,
                        closed in (None, "right", "neither"),
                        closed in ("left", "neither"),
                        1,
                    )
                    ours = [
                        sum(v for t, v in zip(times, values) if first <= t - at <= last)
                        for at in times
                    ]
                    window = pandas.Timedelta(length, "us")
                    theirs = series.rolling(window, center=center, closed=closed).sum().fillna(0)
                    self.assertEqual(ours, list(theirs), (length, center, closed))

    def test_windows_of_rows_have_the_rows_of_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        values = [float(1 << i) for i in range(16)]
        series = pandas.Series(values)
        for length in (1, 2, 3, 4, 7):
            for center in (False, True):
                after = (length - 1) // 2 if center else 0
                ours = [
                    sum(values[max(0, i + after - length + 1) : i + after + 1]) for i in range(16)
                ]
                theirs = series.rolling(length, center=center, min_periods=1).sum()
                self.assertEqual(ours, list(theirs), (length, center))


if __name__ == "__main__":
    unittest.main()
