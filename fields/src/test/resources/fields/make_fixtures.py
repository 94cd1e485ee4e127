# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes npy.zip and zarr.zip, which the tests of io.sparkstencil.spark.files read.

Usage: python3 make_fixtures.py    (needs numpy and zarr 3: pip install numpy 'zarr>=3')

The cells of each array are those of fixture_files.cells.
"""
import os
import pathlib
import shutil
import tempfile

import numpy as np
import zarr
from zarr.codecs import (
    BloscCodec,
    BytesCodec,
    Crc32cCodec,
    GzipCodec,
    ShardingCodec,
    TransposeCodec,
    ZstdCodec,
)

from fixture_files import HERE, cells, pack

TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


def npy(folder):
    def save(name, array, version=None):
        with open(folder / (name + ".npy"), "wb") as out:
            np.lib.format.write_array(out, array, version=version)

    for name in TYPES:
        save("little-" + name, cells((5, 7), "<" + name))
    for name in ["i2", "i4", "i8", "u2", "u4", "u8", "f4", "f8"]:
        save("big-" + name, cells((5, 7), ">" + name))
    save("line", cells((13,), "<f8"))
    save("solid", cells((3, 4, 5), "<f4"))
    save("version2", cells((5, 7), "<f4"), (2, 0))
    save("version3", cells((5, 7), "<f4"), (3, 0))
    save("fortran-plane", np.asfortranarray(cells((5, 7), "<f4")))
    save("fortran-solid", np.asfortranarray(cells((3, 4, 5), "<f8")))
    save("special", np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38], "<f4"))
    save("wide", np.array([2**53 + 1, -(2**62), 2**63 - 1], "<i8"))
    save("wide-unsigned", np.array([2**64 - 1, 2**63 + 1025, 7], "<u8"))
    save("refused-object", np.array([None, "a"], dtype=object))
    save("refused-record", np.zeros(3, [("a", "<f4"), ("b", "<i4")]))
    save("refused-half", cells((5,), "<f2"))
    save("refused-complex", np.zeros(3, "<c8"))
    save("refused-scalar", np.array(1.0))
    save("refused-empty", np.zeros((3, 0)))
    save("refused-axes", np.zeros((1, 1, 1, 1)))


def version3(folder):
    def make(name, shape, dtype="f4", write=True, **kwargs):
        kwargs.setdefault("chunks", tuple(min(size, 3) for size in shape))
        kwargs.setdefault("compressors", None)
        array = zarr.create_array(str(folder / name), shape=shape, dtype=dtype, **kwargs)
        if write:
            array[...] = cells(shape, dtype)
        return array

    for name in TYPES:
        make("type-" + name, (5, 7), name, chunks=(5, 7))
    make("edge", (5, 7))
    make("line", (13,), "f8", chunks=(4,))
    make("solid", (3, 4, 5), "f8", chunks=(2, 3, 2))
    make("gzip", (5, 7), compressors=GzipCodec(level=5))
    make("zstd", (5, 7), compressors=ZstdCodec(level=3, checksum=True))
    make("checksum", (5, 7), compressors=[ZstdCodec(), Crc32cCodec()])
    make("big", (5, 7), serializer=BytesCodec(endian="big"))
    make("transpose", (5, 7), filters=TransposeCodec(order=(1, 0)))
    make("transpose-solid", (3, 4, 5), chunks=(2, 3, 4), filters=TransposeCodec(order=(2, 0, 1)))
    make("transpose-twice", (3, 4, 5), chunks=(2, 3, 4),
         filters=[TransposeCodec(order=(2, 0, 1)), TransposeCodec(order=(0, 2, 1))])
    make("keys", (5, 7), chunk_key_encoding={"name": "v2", "separator": "."})
    make("keys-points", (5, 7), chunk_key_encoding={"name": "default", "separator": "."})
    for name, fill in [("nan", np.nan), ("infinite", -np.inf), ("half", 0.5)]:
        array = make("fill-" + name, (5, 7), "f8", write=False, fill_value=fill)
        array[0:3, 3:6] = cells((5, 7), "f8")[0:3, 3:6]
    make("named", (5, 7), dimension_names=("y", "x"), attributes={"units": "K", "levels": [1, 2.5]})
    shards = {"chunks": (2, 3), "shards": (4, 6)}
    make("shards", (5, 7), compressors=GzipCodec(), **shards)
    start = ShardingCodec(chunk_shape=(2, 3), codecs=[BytesCodec()], index_location="start",
                          index_codecs=[BytesCodec()])
    make("shards-start", (5, 7), chunks=(4, 6), serializer=start)
    turned = ShardingCodec(chunk_shape=(3, 2),
                           codecs=[TransposeCodec(order=(1, 0)), BytesCodec(), ZstdCodec()])
    make("shards-turned", (12, 12), chunks=(6, 12), filters=TransposeCodec(order=(1, 0)),
         serializer=turned, compressors=[Crc32cCodec()])
    some = make("shards-some", (8, 12), write=False, fill_value=np.nan, **shards)
    some[2:4, 3:6] = cells((8, 12), "f4")[2:4, 3:6]
    make("refused-complex", (3,), "c8")
    make("refused-axes", (1, 1, 1, 1))
    make("blosc", (5, 7), compressors=BloscCodec(cname="lz4"))
    group = zarr.create_group(str(folder / "group"), attributes={"step": 7, "missing": None})
    inside = group.create_array("u", shape=(5, 7), dtype="f4", chunks=(5, 7))
    inside[...] = cells((5, 7), "f4")
    group.create_group("deeper")


def version2(folder):
    import numcodecs

    def make(name, shape, dtype="<f4", write=True, **kwargs):
        kwargs.setdefault("chunks", tuple(min(size, 3) for size in shape))
        kwargs.setdefault("compressors", None)
        array = zarr.create_array(
            str(folder / name), shape=shape, dtype=dtype, zarr_format=2, **kwargs)
        if write:
            array[...] = cells(shape, dtype)
        return array

    make("none", (5, 7))
    make("big", (5, 7), ">f8")
    make("small", (5, 7), "|u1")
    make("fortran", (5, 7), order="F")
    make("fortran-solid", (3, 4, 5), order="F", chunks=(2, 3, 4), compressors=numcodecs.Zlib())
    make("zlib", (5, 7), compressors=numcodecs.Zlib())
    make("gzip", (5, 7), compressors=numcodecs.GZip())
    make("zstd", (5, 7), compressors=numcodecs.Zstd())
    for name in ["lz4", "zlib", "zstd", "lz4hc", "snappy", "blosclz"]:
        make("blosc-" + name, (40, 70), chunks=(40, 70),
             compressors=numcodecs.Blosc(cname=name, shuffle=1))
    make("blosc-plain", (40, 70), chunks=(40, 70), compressors=numcodecs.Blosc(shuffle=0))
    make("blosc-bits", (40, 70), chunks=(40, 70), compressors=numcodecs.Blosc(shuffle=2))
    make("blosc-small", (5, 7), "<f8", compressors=numcodecs.Blosc())
    make("blosc-blocks", (40, 70), chunks=(40, 70), compressors=numcodecs.Blosc(blocksize=1024))
    make("slashes", (5, 7), chunk_key_encoding={"name": "v2", "separator": "/"})
    nan = make("fill-nan", (5, 7), "<f8", write=False, fill_value=np.nan)
    nan[0:3, 3:6] = cells((5, 7), "<f8")[0:3, 3:6]
    make("named", (5, 7), attributes={"units": "K", "_ARRAY_DIMENSIONS": ["y", "x"]})
    make("refused-filter", (5, 7), "<i4", filters=numcodecs.Delta(dtype="<i4"))
    make("refused-lz4", (5, 7), compressors=numcodecs.LZ4())
    group = zarr.create_group(str(folder / "group"), attributes={"step": 7}, zarr_format=2)
    inside = group.create_array("u", shape=(5, 7), dtype="<f4", chunks=(5, 7), compressors=None)
    inside[...] = cells((5, 7), "<f4")


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        for name in ["npy", "zarr/v3", "zarr/v2"]:
            os.makedirs(folder / name)
        npy(folder / "npy")
        version3(folder / "zarr/v3")
        version2(folder / "zarr/v2")
        pack(folder / "npy", HERE / "npy.zip")
        pack(folder / "zarr", HERE / "zarr.zip")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
