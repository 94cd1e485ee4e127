# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""What the scripts beside it share that make files for the tests of io.sparkstencil.spark.files.

Cell k of an array, in C order, is 37 * k % 101, minus 50 where the type has a sign, and divided by 4
where it has a fraction; of booleans it is k % 3 == 0.
"""
import pathlib
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).parent


def cells(shape, dtype):
    dtype = np.dtype(dtype)
    k = np.arange(int(np.prod(shape))).reshape(shape)
    if dtype.kind == "b":
        return k % 3 == 0
    values = 37 * k % 101
    if dtype.kind in "if":
        values = values - 50
    return (values / 4 if dtype.kind == "f" else values).astype(dtype)


def pack(folder, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(str(path.relative_to(folder)), (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(entry, path.read_bytes())
