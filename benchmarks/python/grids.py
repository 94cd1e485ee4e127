#!/usr/bin/env python3
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Times steps of heat on a whole grid in NumPy, for the suite grids.

usage: grids.py DIMENSIONS SIZE float32|float64 STEPS REPEATS THREADS

The grid has SIZE cells along each axis; beyond its ends they are reflected. Threads compute slabs along
the first axis. Prints JSON: for one thread and for THREADS, the version, the seconds per step, and some
cells after STEPS steps, which have the bits of operations that are rounded one by one, in the order
of the program.
"""
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy

SAMPLES = 8


def cells(arrays, dimensions, size, dtype):
    """The first cells, as an array of the module arrays: NumPy or one with its functions."""
    bits = arrays.ones((1,) * dimensions, dtype=numpy.uint64)
    for axis in range(dimensions):
        shape = [1] * dimensions
        shape[axis] = size
        at = arrays.arange(size, dtype=numpy.uint64).reshape(tuple(shape))
        bits = (bits + at) * numpy.uint64(0x9E3779B97F4A7C15)
        bits = bits ^ (bits >> numpy.uint64(29))
    return (bits >> numpy.uint64(40)).astype(dtype) * 2.0**-24


def padded(arrays, field):
    """The cells with one more beyond each end, which reflect() fills."""
    result = arrays.zeros(tuple(size + 2 for size in field.shape), dtype=field.dtype)
    inside(result)[...] = field
    return result


def inside(old):
    return old[(slice(1, -1),) * old.ndim]


def reflect(old):
    for axis in range(old.ndim):
        rows = old.swapaxes(axis, 0)
        rows[0] = rows[1]
        rows[-1] = rows[-2]


def neighbours(old):
    """The views of the cells inside that are shifted by one cell, in the order of the program."""

    def shifted(axis, offset):
        slices = [slice(1, -1)] * old.ndim
        slices[axis] = slice(1 + offset, old.shape[axis] - 1 + offset)
        return old[tuple(slices)]

    axes = range(old.ndim)
    return [shifted(axis, -1) for axis in axes] + [shifted(axis, 1) for axis in reversed(axes)]


def heat(here, *around):
    """The cells after a step. Factors take the type of the cells."""
    half = len(around) // 2
    total = around[0]
    for each in around[1:half]:
        total = total + each
    total = total - float(len(around)) * here
    for each in around[half:]:
        total = total + each
    return here + 0.1 * total


def sampled(field):
    """Some cells on the diagonal."""
    size = len(field)
    positions = [i * (size - 1) // (SAMPLES - 1) for i in range(SAMPLES)]
    return [float(field[(at,) * field.ndim]) for at in positions]


def step(old, new):
    inside(new)[...] = heat(inside(old), *neighbours(old))


def run(field, steps, threads):
    old = padded(numpy, field)
    new = numpy.zeros_like(old)
    bounds = [len(field) * i // threads for i in range(threads + 1)]
    slabs = [slice(bounds[i], bounds[i + 1] + 2) for i in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        for _ in range(steps):
            reflect(old)
            list(pool.map(lambda slab: step(old[slab], new[slab]), slabs))
            old, new = new, old
        seconds = (time.perf_counter() - start) / steps
    return seconds, inside(old)


def main():
    dimensions, size = int(sys.argv[1]), int(sys.argv[2])
    steps, repeats, threads = (int(word) for word in sys.argv[4:7])
    field = cells(numpy, dimensions, size, numpy.dtype(sys.argv[3]))
    peers = [{"name": "NumPy, 1 thread", "seconds": []}]
    if threads > 1:
        peers.append({"name": f"NumPy, {threads} threads", "seconds": []})
    for _ in range(repeats):
        for peer, count in zip(peers, (1, threads)):
            seconds, last = run(field, steps, count)
            peer["seconds"].append(seconds)
            peer |= {"version": numpy.__version__, "cells": sampled(last)}
    print(json.dumps(peers))


if __name__ == "__main__":
    main()
