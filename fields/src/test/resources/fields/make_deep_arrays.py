# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes deep.zip, which the tests of io.sparkstencil.spark.files read: arrays of more axes than fields have.

Usage: python3 make_deep_arrays.py    (Debian 12: python3-numpy python3-zarr)

Arrays have the cells of FieldFixtures.cell.
"""
import pathlib
import tempfile

import numcodecs
import numpy as np
import zarr

from fixture_files import HERE, cells, pack

SHAPE = (3, 4, 5, 6)
NAMES = ["time", "level", "y", "x"]

with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    np.save(folder / "u.npy", cells(SHAPE, "<f4"))
    np.save(folder / "fortran.npy", np.asfortranarray(cells(SHAPE, ">i2")))
    np.save(folder / "many.npy", cells((2, 1, 2, 1, 2, 1, 2, 1, 3), "<f8"))
    group = zarr.open_group(str(folder / "x.zarr"), mode="w")
    for name, order in [("air", "C"), ("fortran", "F")]:
        made = group.create_dataset(
            name, shape=SHAPE, chunks=(2, 3, 2, 4), dtype="<i2", order=order,
            compressor=numcodecs.Zlib(), fill_value=None)
        made[...] = cells(SHAPE, "<i2")
        made.attrs["_ARRAY_DIMENSIONS"] = NAMES
    bare = group.create_dataset("bare", shape=SHAPE, chunks=(1, 4, 5, 6), dtype="<f4", compressor=None)
    bare[...] = cells(SHAPE, "<f4")
    twice = group.create_dataset("twice", shape=(4, 4), chunks=(4, 4), dtype="<f4", compressor=None, fill_value=None)
    twice[...] = cells((4, 4), "<f4")
    twice.attrs["_ARRAY_DIMENSIONS"] = ["x", "x"]
    np.save(folder / "brackets[0].npy", cells((5,), "<f4"))
    np.save(folder / "plain[0]", cells((7,), "<f4"))
    (folder / "plain[0].npy").rename(folder / "plain[0]")
    np.save(folder / "plain", cells((5, 7), "<f4"))
    (folder / "plain.npy").rename(folder / "plain")
    pack(folder, HERE / "deep.zip")
