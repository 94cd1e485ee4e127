#!/usr/bin/env python3
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Times the stencils of torch and CuPy on this GPU, for the table of the suite kernels.

usage: libraries.py OUT.json [LOG2_CELLS] [RADII]

Medians of repeated calls between events, in single precision without TF32. Results are compared
with sums in double precision at the start, in the middle and at the end.
"""
import json
import sys

import cupy
import cupyx.scipy.ndimage as ndimage
import numpy
import torch
import torch.nn.functional as functional

RADII = [1, 2, 4, 8, 12, 16, 25, 32, 64, 128, 256]
CHECKED_CELLS = 500
SAMPLES = 11
SLOW_MILLIS = 5
SLOW_SAMPLES = 3


def torch_times(call):
    def one():
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end)

    return times(one)


def cupy_times(call):
    def one():
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        call()
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(start, end)

    return times(one)


def times(one):
    one()
    first = one()
    samples = sorted(one() for _ in range(SLOW_SAMPLES if first > SLOW_MILLIS else SAMPLES))
    return samples


def checked(cells, result, radius, reduce, offset):
    """Whether result[offset + i] is the reduction of cells[i .. i + 2 * radius]."""
    outputs = len(cells) - 2 * radius
    bound = 1e-4 if cells.dtype == numpy.float32 else 1e-11
    for first in (0, outputs // 2, outputs - CHECKED_CELLS):
        window = numpy.lib.stride_tricks.sliding_window_view(
            cells[first:first + CHECKED_CELLS + 2 * radius].astype(numpy.float64), 2 * radius + 1)
        actual = result(offset + first, offset + first + CHECKED_CELLS)
        if not numpy.allclose(actual, reduce(window), rtol=bound, atol=bound * (radius + 1)):
            return False
    return True


def main():
    out = sys.argv[1]
    cells = 1 << (int(sys.argv[2]) if len(sys.argv) > 2 else 27)
    radii = [int(k) for k in sys.argv[3].split(",")] if len(sys.argv) > 3 else RADII
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    rows = []
    for label, dtype in (("f32", numpy.float32), ("f64", numpy.float64)):
        generator = numpy.random.default_rng(7)
        host = generator.random(cells + 2 * max(radii), dtype=dtype) * 2 - 1
        on_torch = torch.from_numpy(host).cuda()
        on_cupy = cupy.from_dlpack(on_torch)
        for k in radii:
            weights = generator.random(2 * k + 1, dtype=dtype)
            measure(rows, label, k, host[:cells + 2 * k], weights,
                    on_torch[:cells + 2 * k].view(1, 1, -1), on_cupy[:cells + 2 * k])
        del on_torch, on_cupy
        torch.cuda.empty_cache()
        cupy.get_default_memory_pool().free_all_blocks()
    with open(out, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


def measure(rows, label, k, host, weights, tensor, array):
    width = 2 * k + 1
    torch_weights = torch.from_numpy(weights).cuda().view(1, 1, -1)
    cupy_weights = cupy.asarray(weights)
    output = cupy.empty_like(array)
    mean = lambda window: window.mean(axis=1)
    weighted = lambda window: window @ weights.astype(numpy.float64)
    subjects = [
        ("torch avg_pool1d", "mean", lambda: functional.avg_pool1d(tensor, width, 1), mean, 0),
        ("torch conv1d", "weighted", lambda: functional.conv1d(tensor, torch_weights), weighted, 0),
        ("torch max_pool1d", "max", lambda: functional.max_pool1d(tensor, width, 1),
         lambda window: window.max(axis=1), 0),
        ("cupy uniform_filter1d", "mean",
         lambda: ndimage.uniform_filter1d(array, width, output=output), mean, k),
        ("cupy correlate1d", "weighted",
         lambda: ndimage.correlate1d(array, cupy_weights, output=output), weighted, k),
        ("cupy minimum_filter1d", "min",
         lambda: ndimage.minimum_filter1d(array, width, output=output),
         lambda window: window.min(axis=1), k),
    ]
    for library, operation, call, reduce, offset in subjects:
        row = {"library": library, "operation": operation, "type": label, "k": k}
        try:
            if library.startswith("torch"):
                samples = torch_times(call)
                flat = call().view(-1)
                right = checked(host, lambda a, b: flat[a:b].cpu().numpy(), k, reduce, offset)
                del flat
            else:
                samples = cupy_times(call)
                right = checked(host, lambda a, b: output[a:b].get(), k, reduce, offset)
            median = samples[len(samples) // 2]
            row |= {"millis": median, "spread": (samples[-1] - samples[0]) / median,
                    "repeats": len(samples), "checked": right}
        except Exception as failure:  # a library may refuse a size; the row says so
            row["note"] = f"{type(failure).__name__}: {failure}"[:200]
        rows.append(row)
        print(row, flush=True)


if __name__ == "__main__":
    main()
