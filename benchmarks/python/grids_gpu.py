#!/usr/bin/env python3
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Times steps of heat on a whole grid in JAX or CuPy on this GPU, for the suite grids.

usage: grids_gpu.py jax|cupy|numpy DIMENSIONS SIZE float32|float64 STEPS REPEATS SECONDS

Cells and steps are those of grids.py, but a multiplication and an addition may be rounded as one. STEPS
is even. A repeat lasts about SECONDS; first cells and compilers are not timed. Prints JSON: for each way
to write the steps, its name, the version of the library, the seconds per step and some cells after STEPS
steps, or why it is missing. NumPy takes CuPy's place where there is no GPU, for tests.
"""
import json
import os
import signal
import sys
import time

import numpy

import grids

LIMIT_SECONDS = 60


def jax_peers(dimensions, size, dtype):
    """Yields names, first states, functions that take steps to another state, and to its cells."""
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # another process has its grid there
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.devices("gpu")  # fails where there is none
    yield from jax_ways(jax, jax.jit(lambda: grids.cells(jax.numpy, dimensions, size, dtype))())


def jax_ways(jax, first):
    def pad(old):
        around = grids.neighbours(jax.numpy.pad(old, 1, mode="edge"))
        return grids.heat(old, *around)

    def shifted(old, axis, offset):
        size = old.shape[axis]

        def part(start, end):
            return jax.lax.slice_in_dim(old, start, end, axis=axis)

        if offset < 0:
            parts = [part(0, 1), part(0, size - 1)]
        else:
            parts = [part(1, size), part(size - 1, size)]
        return jax.numpy.concatenate(parts, axis=axis)

    def concatenate(old):
        axes = range(old.ndim)
        before = [shifted(old, axis, -1) for axis in axes]
        return grids.heat(old, *before, *[shifted(old, axis, 1) for axis in reversed(axes)])

    def taking(turn, steps_of_turn):
        loop = jax.jit(lambda old, turns: jax.lax.fori_loop(0, turns, lambda _, now: turn(now), old))
        return lambda old, steps: loop(old, steps // steps_of_turn).block_until_ready()

    def twice(step):
        return lambda old: step(step(old))

    yield "JAX, pad", first, taking(pad, 1), lambda state: state
    # a loop copies the state back after each turn that takes one step
    for step in (pad, concatenate):
        name = f"JAX, {step.__name__}, 2 steps a turn"
        yield name, first, taking(twice(step), 2), lambda state: state


def cupy_peers(dimensions, size, dtype):
    import cupy

    first = grids.cells(cupy, dimensions, size, dtype)
    cupy.get_default_memory_pool().free_all_blocks()
    yield from array_ways("CuPy", cupy, cupy.fuse, cupy.cuda.Device().synchronize, first)


def numpy_peers(dimensions, size, dtype):
    first = grids.cells(numpy, dimensions, size, dtype)
    yield from array_ways("NumPy", numpy, lambda function: function, lambda: None, first)


def array_ways(name, arrays, fuse, synchronize, first):
    @fuse
    def fused(new, here, *around):
        new[...] = grids.heat(here, *around)

    def fused_step(old, new):
        fused(grids.inside(new), grids.inside(old), *grids.neighbours(old))

    def take(step, state, steps):
        old, new = state
        for _ in range(steps):
            grids.reflect(old)
            step(old, new)
            old, new = new, old
        synchronize()
        return old, new

    for way, step in (("slices", grids.step), ("fuse", fused_step)):
        old = grids.padded(arrays, first)
        yield (
            f"{name}, {way}",
            (old, arrays.zeros_like(old)),
            lambda state, steps, step=step: take(step, state, steps),
            lambda state: grids.inside(state[0]),
        )


def measured(state, take, field, steps, repeats, seconds):
    state = take(state, steps)
    samples = grids.sampled(field(state))

    def timed(count):
        nonlocal state
        start = time.perf_counter()
        state = take(state, count)
        return time.perf_counter() - start

    count = steps
    taken = timed(count)
    while taken < 0.1 * seconds:
        count *= 4
        taken = timed(count)
    count = 2 * max(1, round(count * seconds / taken / 2))
    return {"seconds": [timed(count) / count for _ in range(repeats)], "cells": samples}


def reason(failure):
    return f"{type(failure).__name__}: {failure}"[:200]


def main():
    library, dimensions, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    dtype, steps, repeats = numpy.dtype(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6])
    ways = {"jax": jax_peers, "cupy": cupy_peers, "numpy": numpy_peers}[library]
    signal.alarm(LIMIT_SECONDS)  # so that a library that hangs does not hold the GPU
    peers = []
    try:
        for name, first, take, field in ways(dimensions, size, dtype):
            peer = {"name": name, "version": sys.modules[library].__version__}
            peers.append(peer)
            try:
                peer |= measured(first, take, field, steps, repeats, float(sys.argv[7]))
            except Exception as failure:
                peer["missing"] = reason(failure)
    except Exception as failure:
        peers.append({"name": library, "missing": reason(failure)})
    print(json.dumps(peers))


if __name__ == "__main__":
    main()
