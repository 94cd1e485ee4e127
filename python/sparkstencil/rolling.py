# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Rolling windows in the words of pandas, over frames of Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from operator import index
from typing import Optional, Union

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, DateType, NumericType, TimestampNTZType, TimestampType

from sparkstencil import _frames
from sparkstencil._errors import StencilError
from sparkstencil._frames import Window
from sparkstencil._java import name_of


def rolling(
    df: DataFrame,
    window: Window,
    on: str,
    *,
    by: Union[str, Sequence[str]] = (),
    min_periods: Optional[int] = None,
    center: bool = False,
    closed: Optional[str] = None,
) -> Rolling:
    """Returns windows as ``pandas.DataFrame.rolling`` has them, after sorting by ``on``.

    Args:
        df: the rows, in any order.
        window: a number of rows, or a length of time such as ``"7D"`` or a ``timedelta``.
        on: the column that orders the rows; of times, where the window is one.
        by: the columns that tell series apart, as ``groupby`` would.
        min_periods: the fewest values that give a result; by default all rows of a window of
            rows, and 1 for one of time.
        center: whether the row is in the middle of its window, not at its end.
        closed: which ends belong to the window: ``right`` by default, ``left``, ``both``,
            ``neither``.

    Raises:
        StencilError: if the window is none, its column holds no times, or a column is not there.
    """
    keys = (by,) if isinstance(by, str) else tuple(by)
    kind = _type(df, on)
    for key in keys:
        _type(df, key)
    if hasattr(window, "__index__") and not isinstance(window, bool):
        window = index(window)  # of NumPy, too
    if not isinstance(window, (int, str, timedelta)):
        raise StencilError(
            f"window {window!r} is {type(window).__name__}; use a whole number of rows, or a length of"
            " time such as '7D'"
        )
    times = isinstance(kind, (DateType, TimestampType, TimestampNTZType))
    if not isinstance(window, int) and not times:
        raise StencilError(
            f"window {window!r} is a length of time, but {on} is {kind.simpleString()}; use a number"
            " of rows, or a column of times"
        )
    try:
        text = _frames.frame(window, on, keys, center, closed, isinstance(kind, DateType))
    except ValueError as e:
        raise StencilError(str(e)) from None
    fewest = min_periods
    if fewest is None:
        fewest = window if isinstance(window, int) else 1
    return Rolling(df, text, (on, *keys), fewest, min_periods)


def _type(df: DataFrame, column: str) -> DataType:
    """Returns the type of a column, whose name is not case-sensitive where it is so in SQL."""
    fields = df.schema.fields
    name = name_of(column)
    same = [each for each in fields if each.name == name]
    same = same or [each for each in fields if each.name.lower() == name.lower()]
    if not same:
        names = ", ".join(each.name for each in fields)
        raise StencilError(f'column "{column}" is not there; there are {names}')
    return same[0].dataType


@dataclass(frozen=True, repr=False)
class Rolling:
    """Windows over the rows of a frame. Each method returns the frame with results beside.

    Without columns, all that hold numbers are computed with, but for those that order rows and
    tell series apart. Results are named as ``v_mean``. It also works under Spark Connect.
    """

    _df: DataFrame
    _window: str
    _others: tuple[str, ...]
    _fewest: int
    _given: Optional[int]

    def __repr__(self) -> str:
        return f"<Rolling {self._window}: mean() and the like have the results>"

    def mean(self, *columns: str) -> DataFrame:
        """Adds means, double."""
        return self._add("mean", "avg", columns)

    def sum(self, *columns: str) -> DataFrame:
        """Adds sums: bigint for integers, else double."""
        return self._add("sum", "sum", columns)

    def min(self, *columns: str) -> DataFrame:
        """Adds the least values."""
        return self._add("min", "min", columns)

    def max(self, *columns: str) -> DataFrame:
        """Adds the greatest values."""
        return self._add("max", "max", columns)

    def std(self, *columns: str) -> DataFrame:
        """Adds standard deviations of samples, double; null for a single value."""
        return self._add("std", "stddev_samp", columns)

    def var(self, *columns: str) -> DataFrame:
        """Adds variances of samples, double; null for a single value."""
        return self._add("var", "var_samp", columns)

    def count(self, *columns: str) -> DataFrame:
        """Adds the numbers of values that are not null, bigint, however few."""
        return self._add("count", "count", columns)

    def _add(self, name: str, function: str, columns: Sequence[str]) -> DataFrame:
        chosen = list(columns) or [
            field.name
            for field in self._df.schema.fields
            if isinstance(field.dataType, NumericType) and field.name not in self._others
        ]
        for column in chosen:
            _type(self._df, column)
        if not chosen:
            raise StencilError("there is no column of numbers to compute with; name one")
        fewest = (self._given or 0) if function == "count" else self._fewest
        results = [
            F.expr(_frames.call(function, column, self._window, fewest)).alias(f"{column}_{name}")
            for column in chosen
        ]
        return self._df.select("*", *results)
