# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The SQL functions on arrays, as functions of columns; docs/functions.md describes each.

``col`` is a column, or its name, with arrays of numbers, each of which is a series. Frames are given
by ``k``, as many elements on both sides, or by ``preceding`` and ``following``. ``boundary`` is the
rule outside of an array. Wrong arguments are reported by Spark, as an AnalysisException, when the
column is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from pyspark.sql import Column
from pyspark.sql import functions as F

ColumnOrName = Union[Column, str]


def _constant(value: Any) -> Column:
    if isinstance(value, (list, tuple)):
        return F.array(*[_constant(each) for each in value])
    return F.lit(value)


def _call(name: str, col: ColumnOrName, *constants: Any) -> Column:
    given = [_constant(each) for each in constants if each is not None]
    return F.call_function(name, F.col(col) if isinstance(col, str) else col, *given)


def stencil_mean(col: ColumnOrName, *k: int, boundary: Optional[str] = None) -> Column:
    """Moving average: ``stencil_mean(v, k)`` or ``stencil_mean(v, preceding, following)``."""
    return _call("stencil_mean", col, *k, boundary)


def stencil_sum(col: ColumnOrName, *k: int, boundary: Optional[str] = None) -> Column:
    """Moving sum."""
    return _call("stencil_sum", col, *k, boundary)


def stencil_min(col: ColumnOrName, *k: int, boundary: Optional[str] = None) -> Column:
    """Sliding minimum; NaN is the greatest value."""
    return _call("stencil_min", col, *k, boundary)


def stencil_max(col: ColumnOrName, *k: int, boundary: Optional[str] = None) -> Column:
    """Sliding maximum; NaN is the greatest value."""
    return _call("stencil_max", col, *k, boundary)


def stencil_count(col: ColumnOrName, *k: int, boundary: Optional[str] = None) -> Column:
    """Number of elements that are not null."""
    return _call("stencil_count", col, *k, boundary)


def stencil_correlate(
    col: ColumnOrName, weights: Sequence[float], boundary: Optional[str] = None
) -> Column:
    """Weighted sum, as scipy.ndimage.correlate1d."""
    return _call("stencil_correlate", col, list(weights), boundary)


def stencil_convolve(
    col: ColumnOrName, weights: Sequence[float], boundary: Optional[str] = None
) -> Column:
    """Weighted sum with the weights reversed, as scipy.ndimage.convolve1d."""
    return _call("stencil_convolve", col, list(weights), boundary)


def stencil_derivative(
    col: ColumnOrName,
    order: int = 1,
    accuracy: int = 2,
    spacing: float = 1.0,
    boundary: Optional[str] = None,
) -> Column:
    """Derivative by central differences."""
    return _call("stencil_derivative", col, order, accuracy, spacing, boundary)


def stencil_gaussian(col: ColumnOrName, sigma: float, boundary: Optional[str] = None) -> Column:
    """Gaussian smoothing, cut off at 4 sigma."""
    return _call("stencil_gaussian", col, sigma, boundary)


def stencil_savgol(
    col: ColumnOrName,
    radius: int,
    degree: int,
    derivative: int = 0,
    boundary: Optional[str] = None,
) -> Column:
    """Savitzky and Golay's filter."""
    return _call("stencil_savgol", col, radius, degree, derivative, boundary)


def stencil_iterate(
    col: ColumnOrName, weights: Sequence[float], steps: int, boundary: Optional[str] = None
) -> Column:
    """The array after some steps, each of which correlates all of it."""
    return _call("stencil_iterate", col, list(weights), steps, boundary)


def stencil_expr(
    col: ColumnOrName,
    expression: str,
    steps: int = 1,
    boundary: str = "reflect",
    accuracy: str = "exact",
) -> Column:
    """The array after some steps of a program; arrays of arrays have several axes."""
    return _call("stencil_expr", col, expression, steps, boundary, accuracy)


def stencil2d_mean(col: ColumnOrName, k: int, boundary: Optional[str] = None) -> Column:
    """Mean of each cell of an image and its neighbours."""
    return _call("stencil2d_mean", col, k, boundary)


def stencil2d_min(col: ColumnOrName, k: int, boundary: Optional[str] = None) -> Column:
    """Least of each cell of an image and its neighbours."""
    return _call("stencil2d_min", col, k, boundary)


def stencil2d_max(col: ColumnOrName, k: int, boundary: Optional[str] = None) -> Column:
    """Greatest of each cell of an image and its neighbours."""
    return _call("stencil2d_max", col, k, boundary)


def stencil2d_median(col: ColumnOrName, k: int, boundary: Optional[str] = None) -> Column:
    """Median of each cell of an image and its neighbours that are there."""
    return _call("stencil2d_median", col, k, boundary)


def stencil2d_slope(
    col: ColumnOrName, rows: float, columns: float, boundary: Optional[str] = None
) -> Column:
    """Slope of heights in degrees; rows and columns are the distances between them."""
    return _call("stencil2d_slope", col, rows, columns, boundary)


def stencil2d_aspect(
    col: ColumnOrName, rows: float, columns: float, boundary: Optional[str] = None
) -> Column:
    """Direction in which heights fall, in degrees from north by east."""
    return _call("stencil2d_aspect", col, rows, columns, boundary)


def stencil2d_hillshade(
    col: ColumnOrName,
    rows: float,
    columns: float,
    azimuth: float = 315.0,
    altitude: float = 45.0,
    boundary: Optional[str] = None,
) -> Column:
    """How bright heights are under a light, from 1 to 255."""
    return _call("stencil2d_hillshade", col, rows, columns, azimuth, altitude, boundary)


def stencil2d_gaussian(col: ColumnOrName, sigma: float, boundary: Optional[str] = None) -> Column:
    """Image smoothed by a Gaussian."""
    return _call("stencil2d_gaussian", col, sigma, boundary)


def stencil2d_sobel(col: ColumnOrName, boundary: Optional[str] = None) -> Column:
    """Size of the gradient of an image, by Sobel's filters."""
    return _call("stencil2d_sobel", col, boundary)


def stencil2d_convolve(
    col: ColumnOrName, weights: Sequence[Sequence[float]], boundary: Optional[str] = None
) -> Column:
    """Convolution of an image with rows of weights."""
    return _call("stencil2d_convolve", col, [list(row) for row in weights], boundary)
