# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Stencils over the rows of a frame in the order of some columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from pyspark.sql import DataFrame

from sparkstencil._errors import StencilError
from sparkstencil._java import Java, errors, name_of, session_of, whole
from sparkstencil.program import Program

_MODEL = "io.sparkstencil.model."


def stencils(df: DataFrame) -> StencilQuery:
    """Returns a query over the rows of ``df``; name its order columns next.

    Raises:
        StencilError: if the session is one of Spark Connect, or the jar is not on its class path.
    """
    java = Java(session_of(df))
    return StencilQuery(java, java.type("io.sparkstencil.spark.Stencils").over(df._jdf))


@dataclass(frozen=True, repr=False)
class StencilQuery:
    """A query: every method returns a new one, and nothing runs before an action on ``to_df()``.

    Frames are given by ``radius``, as many rows on both sides, or by ``preceding`` and
    ``following``. Results are named by ``name``, by default the column and the stencil, such as
    ``v_mean``. All methods raise StencilError for what is not possible.
    """

    _java: Java
    _query: Any
    _boundary: str = "shrink"
    _accuracy: str = "exact"

    def __repr__(self) -> str:
        return "<StencilQuery: to_df() has the results>"

    def _with(self, query: Any, **changes: str) -> StencilQuery:
        return replace(self, _query=query, **changes)

    def order_by(self, *columns: str) -> StencilQuery:
        """Orders the rows by columns, ascending, nulls first. Required."""
        with errors():
            return self._with(self._query.orderBy(self._java.strings(columns)))

    def partition_by(self, *columns: str) -> StencilQuery:
        """Makes a series of the rows that have equal values in these columns; nulls are equal."""
        with errors():
            return self._with(self._query.partitionBy(self._java.strings(columns)))

    def ordered(self) -> StencilQuery:
        """Promises that rows are in order already, which is checked as they are read."""
        return self._with(self._query.ordered())

    def engine(self, name: str) -> StencilQuery:
        """Selects the engine: ``auto``, ``cpu``, ``gpu`` or ``reference``."""
        with errors():
            return self._with(self._query.engine(name))

    def boundary(self, name: str) -> StencilQuery:
        """Sets the rule outside of series for the stencils that follow: ``shrink`` until set."""
        with errors():
            return self._with(self._query.boundary(name), _boundary=name)

    def accuracy(self, name: str) -> StencilQuery:
        """Sets the accuracy of the stencils that follow: ``exact`` until set, ``fma`` or ``fast``."""
        with errors():
            return self._with(self._query.accuracy(name), _accuracy=name)

    def mean(
        self,
        column: str,
        radius: Optional[int] = None,
        *,
        preceding: Optional[int] = None,
        following: Optional[int] = None,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the mean of the rows of the frame, double; nulls are skipped."""
        return self._frame("mean", column, radius, preceding, following, name)

    def sum(
        self,
        column: str,
        radius: Optional[int] = None,
        *,
        preceding: Optional[int] = None,
        following: Optional[int] = None,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the sum of the rows of the frame: bigint for integers, else double."""
        return self._frame("sum", column, radius, preceding, following, name)

    def min(
        self,
        column: str,
        radius: Optional[int] = None,
        *,
        preceding: Optional[int] = None,
        following: Optional[int] = None,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the least value of the frame, of the column's type."""
        return self._frame("min", column, radius, preceding, following, name)

    def max(
        self,
        column: str,
        radius: Optional[int] = None,
        *,
        preceding: Optional[int] = None,
        following: Optional[int] = None,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the greatest value of the frame, of the column's type."""
        return self._frame("max", column, radius, preceding, following, name)

    def count(
        self,
        column: str,
        radius: Optional[int] = None,
        *,
        preceding: Optional[int] = None,
        following: Optional[int] = None,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the number of values of the frame that are not null, bigint."""
        return self._frame("count", column, radius, preceding, following, name)

    def _frame(
        self,
        kind: str,
        column: str,
        radius: Optional[int],
        preceding: Optional[int],
        following: Optional[int],
        name: Optional[str],
    ) -> StencilQuery:
        if (radius is None) == (preceding is None and following is None):
            raise StencilError(f"{kind} of {column}: give a radius, or preceding and following")
        if radius is not None:
            frame = [whole(radius, "radius")]
        else:
            frame = [_rows(preceding or 0, "preceding"), _rows(following or 0, "following")]
        with errors():
            add = getattr(self._query, kind)
            return self._with(add(name_of(column), *frame, name or f"{column}_{kind}"))

    def weighted(
        self,
        column: str,
        weights: Sequence[float],
        *,
        preceding: Optional[int] = None,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the weighted sum, the weight of the earliest row first.

        Args:
            weights: an odd number around the row, or any number with ``preceding``.
            preceding: the number of rows before the current one.
        """
        before = () if preceding is None else (_rows(preceding, "preceding"),)
        array = self._java.doubles(weights)
        with errors():
            added = self._query.weighted(name_of(column), *before, array, name or f"{column}_weighted")
            return self._with(added)

    def derivative(
        self,
        column: str,
        order: int = 1,
        accuracy: int = 2,
        spacing: float = 1.0,
        *,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the derivative of an order by central differences of an even accuracy."""
        numbers = (whole(order, "order"), whole(accuracy, "accuracy"), float(spacing))
        return self._standard("derivative", column, numbers, name)

    def gaussian(self, column: str, sigma: float, *, name: Optional[str] = None) -> StencilQuery:
        """Adds the column smoothed by a Gaussian, sigma in rows, cut off at 4 sigma."""
        return self._standard("gaussian", column, (float(sigma),), name)

    def savgol(
        self,
        column: str,
        radius: int,
        degree: int,
        derivative: int = 0,
        spacing: float = 1.0,
        *,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds Savitzky and Golay's filter: the polynomial that fits best, or its derivative."""
        numbers = (whole(radius, "radius"), whole(degree, "degree"), whole(derivative, "derivative"))
        arguments = (*numbers, float(spacing))
        return self._standard("savitzkyGolay", column, arguments, name or f"{column}_savgol")

    def _standard(
        self, kind: str, column: str, arguments: tuple[Any, ...], name: Optional[str]
    ) -> StencilQuery:
        java = self._java
        with errors():
            boundary = java.type(_MODEL + "Boundary").parse(self._boundary)
            accuracy = java.type(_MODEL + "Accuracy").parse(self._accuracy)
            make = getattr(java.type(_MODEL + "StandardStencils"), kind)
            stencil = make(*arguments).withBoundary(boundary).withAccuracy(accuracy)
            return self._with(self._query.apply(name_of(column), stencil, name or f"{column}_{kind}"))

    def program(
        self,
        column: str,
        program: Union[Program, str],
        steps: int = 1,
        parameters: Optional[Mapping[str, float]] = None,
        *,
        name: Optional[str] = None,
    ) -> StencilQuery:
        """Adds the column after some steps of a program of one axis."""
        wanted = Program(program) if isinstance(program, str) else program
        java = self._java
        values = {key: float(value) for key, value in (parameters or {}).items()}
        with errors():
            made = wanted._of(java)
            over = java.type("io.sparkstencil.spark.ColumnProgram")(
                made, whole(steps, "steps"), java.text_map(values)
            )
            return self._with(self._query.apply(name_of(column), over, name or f"{column}_program"))

    def to_df(self) -> DataFrame:
        """Returns the input's columns and the results, in order.

        Raises:
            StencilError: if order or stencils are missing, or a column is not there or not numeric.
        """
        with errors():
            return self._java.frame(self._query.toDataset())


def _rows(value: int, what: str) -> int:
    rows = whole(value, what)
    if rows < 0:
        raise StencilError(f"{what} is {rows}, but is a number of rows; use 0 or more")
    return rows


def tiles(df: DataFrame) -> TileQuery:
    """Returns a query over rasters whose tiles are the rows of ``df``; say where they lie next.

    Raises:
        StencilError: if the session is one of Spark Connect, or the jar is not on its class path.
    """
    java = Java(session_of(df))
    return TileQuery(java, java.type("io.sparkstencil.spark.Stencils").tiles(df._jdf))


@dataclass(frozen=True, repr=False)
class TileQuery:
    """A query: every method returns a new one, and nothing runs before an action on ``to_df()``."""

    _java: Java
    _query: Any

    def __repr__(self) -> str:
        return "<TileQuery: to_df() has the results>"

    def at(self, row: str, column: str) -> TileQuery:
        """Names the columns with the numbers of tiles along rows and along columns. Required."""
        with errors():
            return replace(self, _query=self._query.at(row, column))

    def partition_by(self, *columns: str) -> TileQuery:
        """Makes a raster of the tiles that have equal values in these columns."""
        with errors():
            return replace(self, _query=self._query.partitionBy(self._java.strings(columns)))

    def apply(self, call: str, name: str) -> TileQuery:
        """Adds a column of results: a call in SQL of a function of images over a column of tiles."""
        with errors():
            return replace(self, _query=self._query.apply(call, name))

    def to_df(self) -> DataFrame:
        """Returns the input's columns and the results, in any order of the rows."""
        with errors():
            return self._java.frame(self._query.toDataset())
