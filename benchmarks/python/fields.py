#!/usr/bin/env python3
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes a NetCDF-4 file of float cells, deflated in chunks, and times how h5py reads it, for the suite fields.

usage: fields.py make FILE.nc STEPS
       fields.py read FILE.nc PROCESSES [REPEATS]

Cells of h5py are added up like those of the suite; the time of processes that start does not count.
"""
import multiprocessing
import resource
import sys
import time

import h5py
import numpy

ROWS, COLUMNS = 512, 1024


def make(path, steps):
    import netCDF4

    with netCDF4.Dataset(path, "w") as file:
        for name, size in [("time", steps), ("y", ROWS), ("x", COLUMNS)]:
            file.createDimension(name, size)
        cells = file.createVariable("t", "f4", ("time", "y", "x"), zlib=True, complevel=4, shuffle=True, chunksizes=(1, ROWS, COLUMNS))
        y, x = numpy.mgrid[0:ROWS, 0:COLUMNS]
        random = numpy.random.default_rng(1)
        for step in range(steps):
            cells[step] = 280 + 20 * numpy.sin(y / 97 + step / 9) * numpy.cos(x / 61) + random.normal(0, 0.05, (ROWS, COLUMNS))


def work(path, first, last, barrier, results):
    with h5py.File(path) as file:
        cells = file["t"]
        barrier.wait()
        before = resource.getrusage(resource.RUSAGE_SELF)
        total = 0.0
        for step in range(first, last):
            total += float(numpy.rint(cells[step]).sum(dtype="f8"))
        after = resource.getrusage(resource.RUSAGE_SELF)
    results.put((total, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


def read(path, processes, repeats):
    with h5py.File(path) as file:
        steps = file["t"].shape[0]
    for _ in range(repeats):
        barrier, results = multiprocessing.Barrier(processes + 1), multiprocessing.Queue()
        bounds = [steps * i // processes for i in range(processes + 1)]
        all_of_them = [multiprocessing.Process(target=work, args=(path, bounds[i], bounds[i + 1], barrier, results)) for i in range(processes)]
        for each in all_of_them:
            each.start()
        barrier.wait()
        start = time.perf_counter()
        found = [results.get() for _ in all_of_them]
        seconds = time.perf_counter() - start
        for each in all_of_them:
            each.join()
        megabytes = steps * ROWS * COLUMNS * 4e-6
        print("%d processes: %.3f s, %.0f MB/s, processor time %.3f s, sum %.0f"
              % (processes, seconds, megabytes / seconds, sum(cpu for _, cpu in found), sum(total for total, _ in found)))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
    else:
        read(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 3)
