# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The package against a real session: every way into Java, its results and its errors."""

import importlib.util
import inspect
import math
import re
import tempfile
import traceback
import unittest
from pathlib import Path
from types import SimpleNamespace

from py4j.protocol import Py4JJavaError

import sparkstencil
from sparkstencil import (
    Program,
    StencilError,
    functions,
    gray_scott,
    heat,
    rolling,
    solve,
    stencils,
    tiles,
    wave,
)
from tests.session import spark


def series(n=6):
    return spark.range(n, numPartitions=2).selectExpr("id AS t", "CAST(id * id AS DOUBLE) AS v")


def values(text, *columns):
    return spark.sql(f"SELECT * FROM VALUES {text} AS t({', '.join(columns)})")


def column(df, name, order="t"):
    return [row[name] for row in df.orderBy(order).select(name).collect()]


class QueryTest(unittest.TestCase):
    def test_means_are_those_of_plain_python(self):
        v = [float(t * t) for t in range(6)]
        expected = [sum(f) / len(f) for f in (v[max(0, t - 2) : t + 3] for t in range(6))]

        smooth = stencils(series()).order_by("t").mean("v", radius=2).to_df()

        self.assertEqual(smooth.columns, ["t", "v", "v_mean"])
        self.assertEqual(column(smooth, "v_mean"), expected)

    def test_every_reduction_has_its_frame_and_name(self):
        df = (
            stencils(series(4))
            .order_by("t")
            .sum("v", preceding=1, following=0)
            .min("v", 1, name="least")
            .max("v", following=1)
            .count("v", radius=1)
            .to_df()
        )

        self.assertEqual(column(df, "v_sum"), [0.0, 1.0, 5.0, 13.0])
        self.assertEqual(column(df, "least"), [0.0, 0.0, 1.0, 4.0])
        self.assertEqual(column(df, "v_max"), [1.0, 4.0, 9.0, 9.0])
        self.assertEqual(column(df, "v_count"), [2, 3, 3, 2])

    def test_boundary_and_accuracy_reach_every_stencil_that_follows(self):
        df = (
            stencils(series(5))
            .engine("cpu")
            .order_by("t")
            .weighted("v", [1, 2], preceding=1, name="before")
            .boundary("valid")
            .weighted("v", [-0.5, 0, 0.5])
            .derivative("v", 2)
            .savgol("v", 1, 2)
            .accuracy("fast")
            .gaussian("v", 0.1)
            .program("v", "u + a*u[-1]", 2, {"a": 1.0})
            .to_df()
        )

        self.assertEqual(column(df, "before"), [0.0, 2.0, 9.0, 22.0, 41.0])
        self.assertEqual(column(df, "v_weighted"), [None, 2.0, 4.0, 6.0, None])
        self.assertEqual(column(df, "v_derivative"), [None, 2.0, 2.0, 2.0, None])
        self.assertEqual([round(v, 9) for v in column(df, "v_savgol")[1:4]], [1.0, 4.0, 9.0])
        self.assertIsNone(column(df, "v_savgol")[0])
        self.assertEqual(column(df, "v_gaussian"), [0.0, 1.0, 4.0, 9.0, 16.0])
        self.assertEqual(column(df, "v_program")[2:], [6.0, 18.0, 38.0])

    def test_series_are_told_apart_and_order_is_checked(self):
        df = series(6).selectExpr("t", "v", "t % 2 AS key")

        by_key = stencils(df).order_by("t").partition_by("key").mean("v", 1).to_df()
        declared = stencils(series()).order_by("t").ordered().mean("v", 1).to_df()

        self.assertEqual(column(by_key, "v_mean")[0], 2.0)
        self.assertEqual(column(declared, "v_mean")[1], 5 / 3)

    def test_tiles_have_no_seams(self):
        df = spark.sql(
            "SELECT 7 AS k, r, c, array(array(2D * c + r, 2D * c + r + 1)) AS z"
            " FROM VALUES (0, 0), (0, 1), (1, 0), (1, 1) AS t(r, c)"
        )
        query = tiles(df).at("r", "c").partition_by("k")

        means = query.apply("stencil2d_mean(z, 1, 'nearest')", "mean").to_df()

        rows = {(row["r"], row["c"]): row["mean"] for row in means.collect()}
        self.assertAlmostEqual(rows[0, 1][0][0], 2 + 1 / 3)
        tiles_in_order = [row["z"] for row in means.orderBy("r", "c").collect()]
        self.assertEqual(tiles_in_order[1], [[2.0, 3.0]])
        with self.assertRaisesRegex(StencilError, "there is no function"):
            query.to_df()

    def test_the_query_runs_as_a_stencil(self):
        plan = stencils(series()).order_by("t").mean("v", 1).to_df()._jdf.queryExecution()
        self.assertIn("Stencil [stencil_mean", plan.toString())

    def test_errors_are_messages_of_the_library(self):
        query = stencils(series())
        for call, message in [
            (lambda: query.mean("v", 1).to_df(), "stencils need an order of the rows"),
            (lambda: query.boundary("round"), "round"),
            (lambda: query.engine("tpu"), "tpu"),
            (lambda: query.mean("v", -1), "-1"),
            (lambda: query.mean("v", preceding=-1), "preceding is -1, but is a number of rows; use 0"),
            (lambda: query.max("v", following=-2), "following is -2, but is a number of rows; use 0"),
            (lambda: query.weighted("v", [1], preceding=-1), "preceding is -1, but is a number of rows"),
            (lambda: query.mean("v", 1).to_df(), "name at least one column to order by"),
            (lambda: query.order_by("t").to_df(), "there is no stencil; add one, such as a mean"),
            (lambda: query.mean("v"), "mean of v: give a radius, or preceding and following"),
            (lambda: query.mean("v", 1, preceding=1), "give a radius, or preceding"),
            (lambda: query.weighted("v", [1, 2]), "2 weights have no middle"),
            (lambda: query.order_by("t").mean("w", 1).to_df(), "w"),
            (lambda: query.program("v", "u[-1] +"), "column"),
            (lambda: query.mean("v", "3"), "radius '3' is str; give a whole number"),
            (lambda: query.mean("v", preceding=1.5), "preceding 1.5 is float; give a whole number"),
            (lambda: query.mean(["v"], 1), "column ['v'] is list; give the name of a column"),
            (lambda: query.order_by(1), "column 1 is int; give the name of a column"),
            (lambda: query.gaussian(b"v", 1.0), "column b'v' is bytes"),
            (lambda: query.engine(3), "an argument has a type that is not possible"),
            (lambda: rolling(series(), 3, on="w"), 'column "w" is not there; there are t, v'),
            (lambda: rolling(series(), 3, on="t", by="w"), 'column "w" is not there'),
            (lambda: rolling(series(), 3, on="t").mean("w"), 'column "w" is not there'),
            (lambda: rolling(series(), "2D", on="t"), "is a length of time, but t is bigint"),
            (lambda: rolling(series(), 1.5, on="t"), "window 1.5 is float; use a whole number of rows"),
            (lambda: rolling(series(), 0, on="t"), "has no rows; use at least 1"),
            (lambda: rolling(series(), 3, on=["t"]), "give the name of a column"),
            (lambda: stencils(SimpleNamespace()), "Spark Connect"),
            (lambda: solve(SimpleNamespace(), "u[-1]", [8]), "Spark Connect"),
        ]:
            with self.subTest(message), self.assertRaisesRegex(StencilError, re.escape(message)):
                call()


    def test_a_job_of_the_user_fails_with_the_message_of_the_library_alone(self):
        mixed = spark.range(100, numPartitions=1).selectExpr("id * 37 % 100 AS t", "double(id) AS v")
        query = stencils(mixed).order_by("t").ordered().mean("v", 1).to_df()
        with tempfile.TemporaryDirectory() as folder:
            for job, message in [
                (query.collect, "the input was declared ordered, but row 4 of partition 0"),
                (lambda: query._jdf.write().parquet(folder + "/means"), "the input was declared ordered"),
                (
                    lambda: spark.sql(
                        "SELECT stencil_expr(array(array(1D, id), array(1D)), 'u[0,1]') FROM range(2)"
                    ).collect(),
                    "",
                ),
            ]:
                with self.assertRaises(StencilError) as failed:
                    job()
                error = failed.exception
                said = traceback.format_exception(type(error), error, error.__traceback__)
                self.assertTrue(said[-1].startswith("sparkstencil.StencilError: " + message), said[-1])
                self.assertLess(len("".join(said).split("\n")), 40)
                self.assertIsInstance(error.__context__, Py4JJavaError)

    def test_failures_of_others_stay_what_they_are(self):
        with self.assertRaises(Exception) as failed:
            spark.sql("SELECT raise_error('others') FROM range(1)").collect()
        self.assertNotIsInstance(failed.exception, StencilError)
        self.assertIn("others", str(failed.exception))

    def test_shells_show_what_a_query_is(self):
        query = stencils(series()).order_by("t").mean("v", 1)
        self.assertEqual(repr(query), "<StencilQuery: to_df() has the results>")
        self.assertIn("<Rolling (ORDER BY `t` ROWS", repr(rolling(series(), 3, on="t")))
        with solve(spark, heat(2, 0.1), [5, 7], steps=3) as grid:
            self.assertEqual(repr(grid), "<Grid of 5 x 7 cells after 3 steps>")


class FunctionsTest(unittest.TestCase):
    arrays = "array(0D, 1D, 4D, 9D) AS a, array(array(0D, 0D, 1D), array(0D, 0D, 1D)) AS image"

    def value(self, col):
        return spark.sql("SELECT " + self.arrays).select(col.alias("r")).head()["r"]

    def test_results_are_those_of_the_reference_page(self):
        f = functions
        self.assertEqual(self.value(f.stencil_mean("a", 1))[:2], [0.5, 5 / 3])
        self.assertEqual(self.value(f.stencil_sum("a", 1, 0)), [0.0, 1.0, 5.0, 13.0])
        self.assertEqual(self.value(f.stencil_min("a", 1)), [0.0, 0.0, 1.0, 4.0])
        self.assertEqual(self.value(f.stencil_max("a", 1, boundary="valid")), [4.0, 9.0])
        self.assertEqual(self.value(f.stencil_count("a", 1)), [2, 3, 3, 2])
        self.assertEqual(self.value(f.stencil_correlate("a", [1, 2, 3], "valid")), [14.0, 36.0])
        self.assertEqual(self.value(f.stencil_convolve("a", [1, 2, 3], "valid")), [6.0, 20.0])
        self.assertEqual(self.value(f.stencil_derivative("a", boundary="valid")), [2.0, 4.0])
        self.assertEqual(self.value(f.stencil_gaussian("a", 0.1)), [0.0, 1.0, 4.0, 9.0])
        self.assertEqual(len(self.value(f.stencil_savgol("a", 1, 2, boundary="valid"))), 2)
        self.assertEqual(self.value(f.stencil_iterate("a", [1, 1, 1], 1, "valid")), [5.0, 14.0])
        self.assertEqual(self.value(f.stencil_expr("a", "u[1] - u"))[:3], [1.0, 3.0, 5.0])

    def test_images_are_arrays_of_arrays(self):
        f = functions
        image = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
        self.assertEqual(self.value(f.stencil2d_sobel("image")), [[0.0, 4.0, 4.0]] * 2)
        self.assertEqual(self.value(f.stencil2d_max("image", 1)), [[0.0, 1.0, 1.0]] * 2)
        self.assertEqual(self.value(f.stencil2d_min("image", 1)), [[0.0, 0.0, 0.0]] * 2)
        self.assertEqual(self.value(f.stencil2d_median("image", 1)), [[0.0, 0.0, 1.0]] * 2)
        self.assertEqual(self.value(f.stencil2d_slope("image", 0.5, 0.5))[0][1:], [45.0, 45.0])
        self.assertEqual(self.value(f.stencil2d_aspect("image", 1, 1))[0][1:], [270.0, 270.0])
        shade = self.value(f.stencil2d_hillshade("image", 0.5, 0.5, altitude=90.0))
        self.assertAlmostEqual(shade[0][1], 1 + 254 * 0.5**0.5)
        self.assertEqual(self.value(f.stencil2d_gaussian("image", 0.1)), image)
        self.assertEqual(self.value(f.stencil2d_convolve("image", [[2]])), [[0.0, 0.0, 2.0]] * 2)
        self.assertAlmostEqual(self.value(f.stencil2d_mean("image", 1))[0][1], 1 / 3)

    def test_there_is_one_for_every_function_of_the_session(self):
        known = {r[0] for r in spark.sql("SHOW FUNCTIONS LIKE 'stencil*'").collect()}
        public = {n for n, o in vars(functions).items() if n.startswith("stencil") and callable(o)}
        self.assertGreater(len(known), 15)
        self.assertEqual(public, known)
        for name in public:
            self.assertTrue(inspect.getdoc(getattr(functions, name)), name)


class GridTest(unittest.TestCase):
    def test_heat_spreads_and_is_kept(self):
        middle = values("(2, 3, 100D)", "x", "y", "u")
        with solve(spark, heat(2, 0.2), [5, 6], rows=middle, blocks=2) as first:
            later = first.step(1)
            cells = later.read("u")

            self.assertEqual((later.steps, later.extent), (1, (5, 6)))
            self.assertEqual((cells.shape, cells.format), ((5, 6), "d"))
            self.assertAlmostEqual(cells[2, 3], 20.0)
            self.assertAlmostEqual(cells[2, 2], 20.0)
            self.assertAlmostEqual(later.sum("u"), 100.0)
            self.assertEqual((later.min("u"), round(later.max("u"), 9)), (0.0, 20.0))
            by_row = {(r["x"], r["y"]): r["u"] for r in later.to_df().collect()}
            self.assertEqual(by_row[2, 2], cells[2, 2])
            self.assertEqual(first.read("u")[2, 3], 100.0)

    def test_programs_of_text_files_and_parameters(self):
        program = Program("u' = u + a*(u[-1] - 2*u + u[1])", boundary="constant:0")
        with tempfile.TemporaryDirectory() as folder:
            start = spark.range(9).selectExpr("id AS x", "CAST(id % 3 AS DOUBLE) AS u")
            with solve(spark, program, [9], 2, rows=start, parameters={"a": 0.25}) as grid:
                expected = grid.read("u").tolist()
            with solve(spark, program, [9], rows=start, parameters={"a": 0.25}) as grid:
                grid.step(1).write_npy("u", folder + "/u.npy")
                grid.write_zarr(folder + "/all.zarr")
            files = {"u": folder + "/u.npy"}
            with solve(spark, program, [9], 1, files=files, parameters={"a": 0.25}) as grid:
                self.assertEqual(grid.read("u").tolist(), expected)
            files = {"u": folder + "/all.zarr/u"}
            with solve(spark, program, [9], files=files, raw=["u"], parameters={"a": 0.25}) as grid:
                self.assertEqual(grid.extent, (9,))
            with self.assertRaisesRegex(StencilError, "raw field v has no file"):
                solve(spark, program, [9], files=files, raw=["v"], parameters={"a": 0.25})
            with solve(spark, program, [9], files=files, parameters={"a": 0.25}) as grid:
                self.assertEqual(grid.read("u").tolist(), [0.0, 1.0, 2.0] * 3)

    def test_equations_of_several_fields_and_cells_of_float(self):
        rows = values("(4, 4, 1D, 0.5D)", "x", "y", "u", "v")
        with solve(spark, gray_scott(2), [8, 8], 3, rows=rows, type="f32") as grid:
            self.assertEqual(grid.read("v").format, "f")
            self.assertTrue(math.isfinite(grid.sum("v")) and grid.sum("u") > 0)
        with solve(spark, wave(1, 0.5), [8], 2) as grid:
            self.assertEqual(grid.read("previous").tolist(), [0.0] * 8)

    def test_errors_are_messages_of_the_library(self):
        def rod(rows):
            return solve(spark, heat(1, 0.1), [8], 1, rows=values(rows, "x", "u"))

        def closed():
            grid = solve(spark, heat(1, 0.1), [8])
            grid.close()
            return grid

        for call, message in [
            (lambda: solve(spark, heat(2, 9.0), [8, 8]), "9.0"),
            (lambda: solve(spark, heat(2, 0.1), [8]), "axes"),
            (lambda: solve(spark, heat(1, 0.1), [8], type="f16"), "cells of type f16"),
            (lambda: solve(spark, heat(1, 0.1), [8.5]), "extent 8.5 is float; give a whole number"),
            (lambda: solve(spark, heat(2, 0.1), 8), "a grid of [8] cells"),
            (lambda: solve(spark, heat(1, 0.1), [8], "1"), "steps '1' is str; give a whole number"),
            (lambda: solve(spark, heat(1, 0.1), [8], files={"u": "/no/u.npy"}), "/no/u.npy"),
            (lambda: closed().step(1), "the grid is closed; create it again to use it"),
            (lambda: rod("(9, 2D)"), "outside the grid of [8] cells"),
            (lambda: rod("(1, double(NULL))"), "has a null"),
            (lambda: rod("(1, 2D), (1, 3D)"), "two rows of a grid have the position"),
            (lambda: solve(spark, "a*u[-1]", [8]), "a"),
        ]:
            with self.subTest(message), self.assertRaisesRegex(StencilError, re.escape(message)):
                call()


class PlotTest(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_figures_show_columns_and_fields(self):
        figure = sparkstencil.plot(series(), "t", "v", title="squares")
        line = figure.axes[0].lines[0]
        self.assertEqual(list(line.get_ydata()), [0.0, 1.0, 4.0, 9.0, 16.0, 25.0])
        self.assertEqual(figure.axes[0].get_title(), "squares")
        figure.draw_without_rendering()
        legend = figure.axes[0].get_legend().get_window_extent()
        self.assertLess(legend.y1, figure.axes[0].bbox.y0)  # it covers no line
        self.assertGreater(legend.y0, 0)
        self.assertTrue(figure._repr_png_().startswith(b"\x89PNG"))  # what notebooks ask for
        view = memoryview(bytes(8 * 6)).cast("d", (2, 3))
        field = sparkstencil.plot_field(view).axes[0]
        self.assertEqual(field.images[0].get_array().shape, (2, 3))
        self.assertEqual(field.images[0].origin, "upper", "the first row is at the top, as in solve")
        self.assertEqual((field.get_xlabel(), field.get_ylabel()), ("y (cells)", "x (cells)"))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_curves_differ_without_colors(self):
        wide = series().selectExpr("t", "v", *[f"v + {i} AS r{i}" for i in range(4)])
        names = ["v", *[f"r{i}" for i in range(4)]]
        lines = sparkstencil.plot(wide, "t", *names).axes[0].lines
        self.assertEqual([line.get_label() for line in lines], names)
        self.assertGreater(lines[0].get_linewidth(), lines[1].get_linewidth())
        self.assertEqual([line.get_linestyle() for line in lines[1:]], ["-", "--", ":", "-."])

    @unittest.skipIf(importlib.util.find_spec("matplotlib"), "matplotlib is installed")
    def test_what_is_missing_is_named(self):
        with self.assertRaisesRegex(ImportError, "pip install matplotlib"):
            sparkstencil.plot(series(), "t", "v")


class VersionTest(unittest.TestCase):
    def test_package_and_project_agree(self):
        text = (Path(__file__).parents[1] / "pyproject.toml").read_text()
        self.assertIn(f'version = "{sparkstencil.__version__}"', text)
