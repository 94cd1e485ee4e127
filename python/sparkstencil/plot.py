# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Plots as figures of matplotlib, if that is installed."""

from __future__ import annotations

from io import BytesIO
from itertools import chain, cycle
from typing import TYPE_CHECKING, Any, Optional

from pyspark.sql import DataFrame

from sparkstencil._errors import StencilError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Rows that a plot shows at most: more would be lines over lines.
MOST_ROWS = 100_000

#: The first of several columns is what was measured, and lies wide and grey below the others.
_DATA: dict[str, Any] = {"color": "#9aa5b1", "linewidth": 2.6}

#: The others differ by dashes, too, which print without colors shows.
_RESULTS: list[dict[str, Any]] = [
    {"color": "#c83e2b", "linestyle": "-"},
    {"color": "#1f5fa8", "linestyle": "--"},
    {"color": "#2b8a5a", "linestyle": ":"},
    {"color": "#8a5ab0", "linestyle": "-."},
    {"color": "#c07f10", "linestyle": (0, (10, 3))},
    {"color": "#1a8f9a", "linestyle": (0, (4, 2, 1, 2, 1, 2))},
]


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plots need matplotlib; install it with: pip install matplotlib") from None
    figure: Any = Figure(figsize=(10, 5), layout="constrained")
    figure._repr_png_ = lambda: _png(figure)  # by which a notebook shows it, without pyplot
    return figure


def _png(figure: Any) -> bytes:
    image = BytesIO()
    figure.savefig(image, format="png")
    return image.getvalue()


def plot(df: DataFrame, x: str, *columns: str, title: Optional[str] = None) -> Figure:
    """Returns a figure of columns over the column ``x``, in its order.

    The first of several columns is drawn in grey and wide, as what the others were computed from.

    Raises:
        StencilError: if there are more than 100,000 rows.
        ImportError: if matplotlib is not installed.
    """
    figure = _figure()
    rows = df.select(x, *columns).orderBy(x).limit(MOST_ROWS + 1).collect()
    if len(rows) > MOST_ROWS:
        raise StencilError(f"a plot of more than {MOST_ROWS} rows; filter or sample them first")
    axes = figure.subplots()
    measured = [_DATA] if len(columns) > 1 else []
    for column, look in zip(columns, chain(measured, cycle(_RESULTS))):
        axes.plot([row[x] for row in rows], [row[column] for row in rows], label=column, **look)
    axes.set_xlabel(x)
    axes.set_title(title or "")
    # Below, where it covers nothing.
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=4, frameon=False)
    return figure


def plot_field(cells: Any, title: Optional[str] = None) -> Figure:
    """Returns a figure of what :meth:`Grid.read` returns: a curve, or a map of two axes.

    The first axis goes down from the top, as in pictures of ``bin/stencil solve``.

    Raises:
        StencilError: if it has three axes.
        ImportError: if matplotlib is not installed.
    """
    figure = _figure()
    if cells.ndim > 2:
        raise StencilError(f"a field of {cells.ndim} axes; plot a slice of one or two")
    axes = figure.subplots()
    if cells.ndim == 1:
        axes.plot(cells.tolist())
        axes.set_xlabel("x (cells)")
    else:
        figure.colorbar(axes.imshow(cells.tolist(), origin="upper"))
        axes.set_xlabel("y (cells)")
        axes.set_ylabel("x (cells)")
    axes.set_title(title or "")
    return figure
