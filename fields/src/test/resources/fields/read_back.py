# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Prints the type, the shape and the cells of a file as NumPy or zarr-python reads it.

Usage: python3 read_back.py npy|zarr FILE
"""
import sys

import numpy as np

kind, path = sys.argv[1:]
if kind == "npy":
    array = np.load(path)
else:
    import zarr

    array = zarr.open_array(path, mode="r")[...]
print(array.dtype, array.shape, *(repr(float(cell)) for cell in array.ravel()))
