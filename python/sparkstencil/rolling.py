# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Rolling windows in the words of pandas, over frames of Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional, Union

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, NumericType, TimestampNTZType, TimestampType

from sparkstencil import _frames
from sparkstencil._frames import Window


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
        ValueError: if the window is none, or its column holds no times.
    """
    keys = (by,) if isinstance(by, str) else tuple(by)
    kind = df.schema[on].dataType
    times = isinstance(kind, (DateType, TimestampType, TimestampNTZType))
    if not isinstance(window, int) and not times:
        raise ValueError(
            f"window {window!r} is a length of time, but {on} is {kind.simpleString()}; use a number"
            " of rows, or a column of times"
        )
    text = _frames.frame(window, on, keys, center, closed, isinstance(kind, DateType))
    fewest = min_periods
    if fewest is None:
        fewest = window if isinstance(window, int) else 1
    return Rolling(df, text, (on, *keys), fewest, min_periods)


@dataclass(frozen=True)
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
        if not chosen:
            raise ValueError("there is no column of numbers to compute with; name one")
        fewest = (self._given or 0) if function == "count" else self._fewest
        results = [
            F.expr(_frames.call(function, column, self._window, fewest)).alias(f"{column}_{name}")
            for column in chosen
        ]
        return self._df.select("*", *results)
