# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Writes what the SQL functions on arrays must return, by NumPy and SciPy alone.

Usage: python3 array_expectations.py > ../resources/arrays/expectations.tsv
Columns: SQL call, element type, input, expected; arrays as comma-separated numbers. Inputs are
multiples of 1/8, so that their sums are exact.
"""

import math
import sys

import numpy as np
import scipy
from scipy import ndimage, signal

MODES = {"nearest": "edge", "reflect": "symmetric", "mirror": "reflect", "wrap": "wrap"}
ARRAYS = [
    [],
    [2.5],
    [3.0, -1.0],
    [0.5, 4.0, -2.25, 7.0],
    [1.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, -21.0, 34.0],
    [((i * 37) % 101 - 50) / 8.0 for i in range(20)],
]
BOUNDARIES = ["valid", "shrink", "constant:2", "nearest", "reflect", "mirror", "wrap"]
FRAMES = [(0, 0), (1, 1), (3, 3), (7, 7), (2, 0), (0, 3), (-1, 2), (4, -2)]
WEIGHTS = [[2.0], [1.0, -0.5], [0.25, 0.5, 0.25], [1.0, 2.0, 3.0, 4.0], [1.0, -8.0, 0.0, 8.0, -1.0]]


def padded(a, before, after, boundary):
    if boundary.startswith("constant:"):
        return np.pad(a, (before, after), constant_values=float(boundary[9:]))
    return np.pad(a, (before, after), mode=MODES[boundary])


def frames(a, preceding, following, boundary):
    """Yields the values in each output's frame."""
    n = len(a)
    if n == 0:
        return
    if boundary == "valid":
        for i in range(max(0, preceding), n - max(0, following)):
            yield a[i - preceding : i + following + 1]
    elif boundary == "shrink":
        for i in range(n):
            yield a[max(0, i - preceding) : max(0, i + following + 1)]
    else:
        reach = max(abs(preceding), abs(following))
        wide = padded(a, reach, reach, boundary)
        for i in range(n):
            yield wide[i + reach - preceding : i + reach + following + 1]


def text(values):
    return ",".join("null" if v is None else f"{v:.11g}" for v in values)


def put(call, kind, a, values):
    print(call, kind, text(a), text(values), sep="\t")


REDUCE = {
    "mean": lambda f: f.mean(),
    "sum": lambda f: f.sum(),
    "min": lambda f: f.min(),
    "max": lambda f: f.max(),
    "count": lambda f: len(f),
}


def aggregates(kind, arrays):
    for preceding, following in FRAMES:
        for boundary in BOUNDARIES:
            for name, reduce in REDUCE.items():
                arguments = f"{preceding}, {following}"
                if preceding == following:
                    arguments = str(preceding)
                call = f"stencil_{name}(a, {arguments}, '{boundary}')"
                for a in arrays:
                    a = np.array(a)
                    values = [
                        reduce(f) if len(f) or name == "count" else None
                        for f in frames(a, preceding, following, boundary)
                    ]
                    if boundary in MODES and preceding == following and len(a):
                        check(name, a, 2 * preceding + 1, boundary, values)
                    put(call, kind, a, values)


def check(name, a, size, boundary, values):
    """SciPy's own filters agree with the definition above."""
    filters = {"mean": ndimage.uniform_filter1d, "min": ndimage.minimum_filter1d,
               "max": ndimage.maximum_filter1d}
    if name in filters and size <= 2 * len(a):
        assert np.allclose(filters[name](a.astype(float), size, mode=boundary), values), (name, a, size, boundary)


def weighted(kind, arrays):
    for weights in WEIGHTS:
        literal = "array(" + ", ".join(f"{w}D" for w in weights) + ")"
        m = len(weights)
        for boundary in [*BOUNDARIES, "constant:0"]:
            for name in ("correlate", "convolve"):
                preceding = m // 2 if name == "correlate" else m - 1 - m // 2
                following = m - 1 - preceding
                taps = np.array(weights if name == "correlate" else weights[::-1])
                for a in arrays:
                    a = np.array(a)
                    values = weighted_values(a, taps, preceding, following, boundary)
                    if boundary in MODES and len(a):
                        function = getattr(ndimage, name + "1d")
                        assert np.allclose(function(a.astype(float), weights, mode=boundary), values)
                    if boundary == "valid" and len(a) >= m:
                        function = getattr(np, name)
                        assert np.allclose(function(a, weights, "valid"), values)
                    if boundary == "constant:0" and len(a) >= m:
                        check_same(name, a, weights, values)
                    put(f"stencil_{name}(a, {literal}, '{boundary}')", kind, a, values)


def check_same(name, a, weights, values):
    """What docs/functions.md says about NumPy's other modes."""
    same = getattr(np, name)(a, weights, "same")
    if name == "convolve" and len(weights) % 2 == 0:
        assert np.allclose(same[1:], values[:-1])
    else:
        assert np.allclose(same, values)
    zeros = np.zeros(len(weights) - 1)
    function = getattr(np, name)
    wide = np.concatenate([zeros, a, zeros])
    assert np.allclose(function(a, weights, "full"), function(wide, weights, "valid"))


def weighted_values(a, taps, preceding, following, boundary):
    if boundary != "shrink":
        return [f @ taps for f in frames(a, preceding, following, boundary)]
    zeros = frames(a, preceding, following, "constant:0")  # taps outside are left out
    return [f @ taps for f in zeros]


def named(kind, arrays):
    x = np.arange(-4, 5)
    for boundary in ("valid", "nearest", "mirror"):
        for a in arrays:
            a = np.array(a)
            for order, accuracy, spacing in [(1, 2, 1.0), (1, 4, 0.5), (2, 2, 0.25), (3, 2, 1.0), (1, 8, 2.0)]:
                radius = (order + 1) // 2 - 1 + accuracy // 2
                offsets = x[4 - radius : 5 + radius]
                taps = solved(offsets, order) / spacing**order
                values = weighted_values(a, taps, radius, radius, boundary)
                put(f"stencil_derivative(a, {order}, {accuracy}, {spacing}D, '{boundary}')", kind, a, values)
            for sigma in (0.5, 1.25):
                radius = int(4 * sigma + 0.5)
                if boundary == "valid":
                    values = ndimage.gaussian_filter1d(a, sigma)[radius : max(radius, len(a) - radius)] if len(a) else []
                else:
                    values = ndimage.gaussian_filter1d(a, sigma, mode=boundary) if len(a) else []
                put(f"stencil_gaussian(a, {sigma}D, '{boundary}')", kind, a, values)
            for radius, degree, derivative in [(1, 1, 0), (2, 2, 0), (3, 4, 0), (3, 2, 1), (4, 3, 2)]:
                taps = signal.savgol_coeffs(2 * radius + 1, degree, derivative, use="dot")
                values = weighted_values(a, taps, radius, radius, boundary)
                put(f"stencil_savgol(a, {radius}, {degree}, {derivative}, '{boundary}')", kind, a, values)


def solved(offsets, order):
    """Weights that are exact for all polynomials that offsets can tell apart."""
    powers = np.vander(offsets.astype(float), increasing=True).T
    right = np.zeros(len(offsets))
    right[order] = math.factorial(order)
    return np.linalg.solve(powers, right)


def iterated(kind, arrays):
    for weights in ([0.25, 0.5, 0.25], [1.0, -1.0], [0.5, 0.0, 0.25, 0.0, 0.25]):
        literal = "array(" + ", ".join(f"{w}D" for w in weights) + ")"
        m = len(weights)
        for boundary in BOUNDARIES:
            for steps in (1, 2, 5):
                for a in arrays:
                    a = np.array(a)
                    values = a
                    for _ in range(steps):
                        values = np.array(weighted_values(values, np.array(weights), m // 2, m - 1 - m // 2, boundary))
                    put(f"stencil_iterate(a, {literal}, {steps}, '{boundary}')", kind, a, values)


def main():
    print(f"# NumPy {np.__version__}, SciPy {scipy.__version__}", file=sys.stderr)
    whole = [[math.floor(v * 8) for v in a] for a in ARRAYS]
    aggregates("double", ARRAYS)
    aggregates("float", ARRAYS[2:5])
    for kind in ("int", "bigint"):
        aggregates(kind, whole[1:5])
    weighted("double", ARRAYS)
    weighted("float", ARRAYS[3:])
    weighted("int", whole[3:])
    named("double", ARRAYS)
    iterated("double", ARRAYS)


main()
