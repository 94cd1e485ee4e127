# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Windows of pandas as text of Spark's SQL. Nothing here needs PySpark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Optional, Union

Window = Union[int, str, timedelta]

_DAY = 86_400_000_000
_MICROS = {
    "D": _DAY,
    "d": _DAY,
    "H": _DAY // 24,
    "h": _DAY // 24,
    "T": 60_000_000,
    "min": 60_000_000,
    "S": 1_000_000,
    "s": 1_000_000,
    "L": 1_000,
    "ms": 1_000,
    "U": 1,
    "us": 1,
}
_PART = re.compile(r"(\d+)\s*([A-Za-z]+)\s*")
_CLOSED = ("right", "left", "both", "neither")


def micros(window: Union[str, timedelta]) -> int:
    """Returns the length of a window of time, written as pandas writes frequencies: ``7D``."""
    if isinstance(window, timedelta):
        length = window // timedelta(microseconds=1)
    else:
        text = window if window[:1].isdigit() else "1" + window
        parts = _PART.findall(text)
        if not parts or "".join(_PART.split(text)[::3]) or any(u not in _MICROS for _, u in parts):
            raise ValueError(
                f"window {window!r} is no length of time; write a number and D, h, min, s, ms or us,"
                " as in '7D' or '1h30min'"
            )
        length = sum(int(count) * _MICROS[unit] for count, unit in parts)
    if length <= 0:
        raise ValueError(f"window {window!r} has no length; use one above 0")
    return length


def quoted(column: str) -> str:
    """Returns the column of that very name in SQL."""
    return "`" + column.replace("`", "``") + "`"


def frame(
    window: Window,
    on: str,
    by: Sequence[str] = (),
    center: bool = False,
    closed: Optional[str] = None,
    date: bool = False,
) -> str:
    """Returns the window of SQL with the rows that the one of pandas has.

    Args:
        window: a number of rows, or a length of time.
        on: the column that orders the rows; of times, where the window is one.
        by: the columns that tell series apart.
        center: whether the row is in the middle, not at the end.
        closed: which ends belong to it: ``right`` unless given, ``left``, ``both``, ``neither``.
        date: whether ``on`` is a date, which has no parts of days.
    """
    if closed is not None and closed not in _CLOSED:
        raise ValueError(f"closed {closed!r} is unknown; use one of {', '.join(_CLOSED)}")
    if isinstance(window, bool) or (isinstance(window, int) and window < 1):
        raise ValueError(f"window {window!r} has no rows; use at least 1")
    open_left = closed in (None, "right", "neither")
    open_right = closed in ("left", "neither")
    if isinstance(window, int):
        after = (window - 1) // 2 if center else 0
        first = after - window + (1 if open_left else 0)
        if first > after - (1 if open_right else 0):
            raise ValueError(f"window {window!r} closed {closed!r} has no rows; use at least 2")
        rows = f"ROWS BETWEEN {_rows(first)} AND {_rows(after - (1 if open_right else 0))}"
    else:
        rows = _range(micros(window), center, open_left, open_right, date)
    series = f"PARTITION BY {', '.join(map(quoted, by))} " if by else ""
    return f"({series}ORDER BY {quoted(on)} {rows})"


def _rows(offset: int) -> str:
    if offset == 0:
        return "CURRENT ROW"
    return f"{abs(offset)} {'PRECEDING' if offset < 0 else 'FOLLOWING'}"


def bounds(
    length: int, center: bool, open_left: bool, open_right: bool, unit: int
) -> tuple[int, int]:
    """Returns the first and the last distance from a row, in units, that its window has."""
    # Ends in half microseconds, so that the middle of an odd length is a number, too.
    low, high = (-length, length) if center else (-2 * length, 0)
    first = low // (2 * unit) + 1 if open_left else -(-low // (2 * unit))
    last = -(-high // (2 * unit)) - 1 if open_right else high // (2 * unit)
    return first, last


def _range(length: int, center: bool, open_left: bool, open_right: bool, date: bool) -> str:
    first, last = bounds(length, center, open_left, open_right, _DAY if date else 1)
    if first > last:
        raise ValueError("the window has no rows: it is shorter than the unit of the column")
    return f"RANGE BETWEEN {_interval(first, date)} AND {_interval(last, date)}"


def _interval(units: int, date: bool) -> str:
    if units == 0:
        return "CURRENT ROW"
    side = "PRECEDING" if units < 0 else "FOLLOWING"
    if date:
        return f"INTERVAL '{abs(units)}' DAY {side}"
    days, rest = divmod(abs(units), _DAY)
    seconds, parts = divmod(rest, 1_000_000)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{parts:06}"
    return f"INTERVAL '{days} {clock}' DAY TO SECOND {side}"


def call(function: str, column: str, window: str, min_periods: int) -> str:
    """Returns the call over a window, null where fewer than ``min_periods`` values are known."""
    name = quoted(column)
    value = f"{function}({name}) OVER {window}"
    if min_periods <= 0 or (min_periods == 1 and function in ("avg", "sum", "min", "max")):
        return value
    return f"CASE WHEN count({name}) OVER {window} >= {min_periods} THEN {value} END"
