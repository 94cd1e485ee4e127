# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Rolling windows beside those of pandas, on a real session: what docs/python.md says of them."""

import importlib.util
import math
import random
import unittest

from sparkstencil import rolling, stencils
from tests.session import spark

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
ROWS = 60


def table(seed, times, whole=True):
    """Returns rows of three series, whose times do not repeat, with some values missing."""
    chance = random.Random(seed)
    rows = []
    for key in ("a", "b", "c"):
        for at in sorted(chance.sample(range(times), ROWS)):
            number = float(chance.randint(-1000, 1000)) if whole else chance.gauss(0, 100)
            rows.append((key, at, None if chance.random() < 0.1 else number))
    chance.shuffle(rows)
    return rows


def frame(rows):
    """Returns the rows with their times in hours from the beginning of a year."""
    values = ", ".join(f"('{k}', {at}, {'NULL' if v is None else repr(v) + 'D'})" for k, at, v in rows)
    return spark.sql(
        "SELECT k, timestamp'2026-01-01' + make_dt_interval(0, at) AS t, CAST(v AS DOUBLE) AS v"
        f" FROM VALUES {values} AS r(k, at, v)"
    )


@unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
class PandasTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zone = spark.sql("SELECT current_timezone() AS z").head().z
        spark.sql("SET TIME ZONE 'UTC'")  # where all days have 24 hours, as in pandas

    @classmethod
    def tearDownClass(cls):
        spark.sql(f"SET TIME ZONE '{cls.zone}'")

    def theirs(self, rows, window, word, **options):
        """Returns the results of pandas in the order of series and times."""
        import pandas

        table = pandas.DataFrame(rows, columns=["k", "at", "v"])
        table["v"] = table["v"].astype(float)
        table["t"] = pandas.Timestamp("2026-01-01") + pandas.to_timedelta(table["at"], unit="h")
        results = []
        for _, series in table.sort_values(["k", "t"]).groupby("k"):
            on = {} if isinstance(window, int) else {"on": "t"}
            cells = series[["v", *on.values()]]  # pandas 2 does not pass over times that are no order
            results += list(getattr(cells.rolling(window, **on, **options), word)()["v"])
        return results

    def ours(self, df, window, word, **options):
        result = getattr(rolling(df, window, on="t", by="k", **options), word)("v")
        results = {(r.k, r.t): r[f"v_{word}"] for r in result.collect()}
        return [math.nan if results[at] is None else results[at] for at in sorted(results)]

    def assert_equal(self, ours, theirs, case, digits=None):
        self.assertEqual(len(ours), len(theirs))
        for one, other in zip(ours, theirs):
            if math.isnan(one) or math.isnan(other):
                self.assertTrue(math.isnan(one) and math.isnan(other), (case, one, other))
            elif digits is None:
                self.assertEqual(one, other, case)
            else:
                self.assertAlmostEqual(one, other, digits, case)

    def test_windows_of_time_have_the_results_of_pandas(self):
        rows = table(1, 24 * 30)
        df = frame(rows)
        for options in (
            {},
            {"center": True},
            {"closed": "both"},
            {"closed": "left"},
            {"closed": "neither", "center": True},
            {"min_periods": 3},
        ):
            for word in ("mean", "sum", "min", "max"):
                theirs = self.theirs(rows, "2D", word, **options)
                self.assert_equal(self.ours(df, "2D", word, **options), theirs, (word, options))

    def test_windows_of_rows_have_the_results_of_pandas(self):
        rows = table(2, 24 * 30)
        df = frame(rows)
        for options in ({}, {"center": True}, {"min_periods": 2}, {"closed": "left", "min_periods": 1}):
            for word in ("mean", "sum", "min", "max"):
                theirs = self.theirs(rows, 5, word, **options)
                self.assert_equal(self.ours(df, 5, word, **options), theirs, (word, options))

    def test_counts_are_those_of_pandas_where_the_page_says_so(self):
        rows = table(3, 24 * 30)
        df = frame(rows)
        self.assert_equal(self.ours(df, "2D", "count"), self.theirs(rows, "2D", "count"), "time")
        theirs = self.theirs(rows, 5, "count", min_periods=0)
        self.assert_equal(self.ours(df, 5, "count"), theirs, "rows")

    def test_deviations_are_those_of_pandas_up_to_rounding(self):
        rows = table(4, 24 * 30, whole=False)
        df = frame(rows)
        for word in ("std", "var", "mean", "sum"):
            for window in ("3D", 6):
                ours, theirs = self.ours(df, window, word), self.theirs(rows, window, word)
                self.assert_equal(ours, theirs, (word, window), digits=7)

    def test_windows_of_rows_are_the_stencils_of_the_query(self):
        df = frame(table(5, 24 * 30, whole=False))
        windows = rolling(df, 7, on="t", by="k", center=True, min_periods=1).mean("v")
        query = stencils(df).order_by("t").partition_by("k").mean("v", 3).to_df()
        expected = {(r.k, r.t): r.v_mean for r in query.collect()}
        self.assertEqual({(r.k, r.t): r.v_mean for r in windows.collect()}, expected)
        self.assertIn("Stencil [stencil_", windows._jdf.queryExecution().toString())

    def test_infinities_are_values_here_and_missing_there(self):
        df = spark.sql(
            "SELECT 'a' AS k, timestamp'2026-01-01' + make_dt_interval(0, CAST(id AS INT)) AS t,"
            " CASE id WHEN 1 THEN double('Infinity') ELSE CAST(id + 1 AS DOUBLE) END AS v FROM range(3)"
        )
        rows = [("a", 0, 1.0), ("a", 1, math.inf), ("a", 2, 3.0)]

        self.assertEqual(self.ours(df, 2, "sum", min_periods=1), [1.0, math.inf, math.inf])
        self.assertEqual(self.theirs(rows, 2, "sum", min_periods=1), [1.0, 1.0, 3.0])
