#!/usr/bin/env python3
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Times a five-point stencil in NumPy and SciPy, for the suite programs.

usage: programs.py SIZE STEPS REPEATS W_UP W_LEFT W_HERE W_RIGHT W_DOWN

Cells are doubles; those beyond the ends of the SIZE x SIZE field are 0. Prints JSON: the versions, the
seconds per step of each library, and some cells after STEPS steps, whose bits in NumPy are those of
sums that are rounded term by term, in the order of the weights.
"""
import json
import sys
import time

import numpy


def cells(size):
    index = numpy.arange(1, size * size + 1, dtype=numpy.uint64)
    bits = index * numpy.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return ((bits >> numpy.uint64(40)) * 2.0**-24).reshape(size, size)


def with_numpy(field, steps, weights):
    up, left, here, right, down = weights
    old = numpy.pad(field, 1)
    new = numpy.zeros_like(old)
    start = time.perf_counter()
    for _ in range(steps):
        new[1:-1, 1:-1] = (
            up * old[:-2, 1:-1]
            + left * old[1:-1, :-2]
            + here * old[1:-1, 1:-1]
            + right * old[1:-1, 2:]
            + down * old[2:, 1:-1]
        )
        old, new = new, old
    return (time.perf_counter() - start) / steps, old[1:-1, 1:-1]


def with_scipy(field, steps, weights):
    import scipy.ndimage

    up, left, here, right, down = weights
    kernel = numpy.array([[0, up, 0], [left, here, right], [0, down, 0]])
    old = field
    new = numpy.empty_like(old)
    start = time.perf_counter()
    for _ in range(steps):
        scipy.ndimage.correlate(old, kernel, output=new, mode="constant")
        old, new = new, old
    return (time.perf_counter() - start) / steps, old


def main():
    size, steps, repeats = (int(word) for word in sys.argv[1:4])
    weights = [float(word) for word in sys.argv[4:9]]
    field = cells(size)
    results = {"numpy": numpy.__version__, "numpy_seconds": [], "scipy_seconds": []}
    for _ in range(repeats):
        seconds, last = with_numpy(field, steps, weights)
        results["numpy_seconds"].append(seconds)
    results["cells"] = [float(last[i * (size - 1) // 7, (7 - i) * (size - 1) // 7]) for i in range(8)]
    try:
        import scipy

        results["scipy"] = scipy.__version__
        for _ in range(repeats):
            results["scipy_seconds"].append(with_scipy(field.copy(), steps, weights)[0])
    except ImportError:
        pass
    print(json.dumps(results))


if __name__ == "__main__":
    main()
