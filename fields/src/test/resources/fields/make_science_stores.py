# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes science.zip, which the tests of io.sparkstencil.spark.files read: stores as scientists have them.

Usage: python3 make_science_stores.py    (Debian 12: python3-xarray python3-zarr python3-netcdf4 netcdf-bin)

A NetCDF file with packed and missing values becomes a store by xarray, and one by netcdf-c. Beside them
lie the values as netCDF4 decodes them (expected/NAME.npy, float64, NaN where they are masked) and the numbers as they are
stored (stored/NAME.npy). Arrays under codecs/ have the cells of FieldFixtures.cell.
"""
import os

os.environ["ZARR_V3_EXPERIMENTAL_API"] = "1"

import pathlib
import shutil
import subprocess
import tempfile

import netCDF4
import numcodecs
import numpy as np
import xarray as xr
import zarr

from fixture_files import HERE, cells, pack

SHAPE = (6, 7)
K = np.arange(42).reshape(SHAPE)


def variables():
    """Returns names, stored numbers, the fill value and other attributes."""
    temperature = (1237 * K % 20011 - 10000).astype("i2")
    temperature[0, 1] = 200
    temperature[2, 3] = temperature[5, 0] = -32767
    sea = np.where(K % 5 == 0, np.float32(-1e34), (K / 8 - 2)).astype("f4")
    humidity = (K * 104729 - 2000000).astype("i4")
    humidity[1, 1] = -999
    several = (K - 3).astype("i2")
    ranged = (K * 10).astype("i2")
    identifiers = (K + 2**60).astype("i8")
    identifiers[3, 3] = -9223372036854775806
    huge = np.float32(-1e34)
    return [
        ("t2m", temperature, np.int16(-32767), {"scale_factor": 0.01, "add_offset": 280.0}),
        ("sst", sea, huge, {"missing_value": huge, "units": "degC"}),
        ("humidity", humidity, np.int32(-999), {"scale_factor": 1e-6}),
        ("counts", (K * 6).astype("u1").view("i1"), np.int8(-16), {"_Unsigned": "true", "scale_factor": np.float32(0.5)}),
        ("several", several, None, {"missing_value": np.array([-3, 11], "i2")}),
        ("ranged", ranged, None, {"valid_range": np.array([30, 300], "i2"), "scale_factor": 0.1}),
        ("least", (K - 20).astype("i4"), None, {"valid_min": np.int32(-5)}),
        ("identifiers", identifiers, np.int64(-9223372036854775806), {}),
        ("plain", (K / 3).astype("f8"), np.float64("nan"), {"valid_max": np.inf}),
    ]


def netcdf(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("y", SHAPE[0])
        file.createDimension("x", SHAPE[1])
        for name, numbers, fill, attributes in variables():
            made = file.createVariable(name, numbers.dtype, ("y", "x"), fill_value=fill, chunksizes=(4, 4))
            made.set_auto_maskandscale(False)
            made.setncatts(attributes)
            made[:] = numbers


def expected(path, folder):
    for name in ["expected", "stored"]:
        os.makedirs(folder / name)
    with netCDF4.Dataset(path) as file:
        for name, numbers, _, _ in variables():
            values = np.ma.asarray(file[name][:]).astype("f8")
            np.save(folder / "expected" / (name + ".npy"), values.filled(np.nan))
            np.save(folder / "stored" / (name + ".npy"), numbers.astype("f8"))


def codecs(folder):
    def make(name, dtype, shape=(40, 70), chunks=None, **kwargs):
        kwargs.setdefault("compressor", None)
        array = zarr.open_array(str(folder / name), mode="w", shape=shape, dtype=dtype, chunks=chunks or shape, **kwargs)
        array[...] = cells(shape, dtype)

    for dtype in ["|b1", "|i1", "|u1", "<i2", "<f4", "<f8", ">i4"]:
        kind = dtype[1:]
        make("bits-" + kind, dtype, compressor=numcodecs.Blosc(shuffle=numcodecs.Blosc.BITSHUFFLE))
        make("auto-" + kind, dtype, compressor=numcodecs.Blosc(shuffle=numcodecs.Blosc.AUTOSHUFFLE))
    for cells_in_line in [7, 63, 64, 129, 1001]:
        make("bits-line-%d" % cells_in_line, "<f4", (cells_in_line,), compressor=numcodecs.Blosc(shuffle=2))
    make("bits-blocks", "<f4", compressor=numcodecs.Blosc(shuffle=2, blocksize=1056))
    make("bits-zstd", "<f8", (5, 7), (3, 3), compressor=numcodecs.Blosc(cname="zstd", shuffle=2))

    def filtered(name, dtype, *filters, **kwargs):
        make("filter-" + name, dtype, (5, 7), (3, 3), filters=list(filters), **kwargs)

    filtered("bitround", "<f4", numcodecs.BitRound(keepbits=20))
    filtered("quantize", "<f8", numcodecs.Quantize(digits=4, dtype="<f8"))
    filtered("quantize-narrow", "<f8", numcodecs.Quantize(digits=4, dtype="<f8", astype="<f4"))
    filtered("shuffle", "<f4", numcodecs.Shuffle(4), compressor=numcodecs.Zlib())
    filtered("delta", "<i4", numcodecs.Delta(dtype="<i4"))
    filtered("delta-narrow", ">i8", numcodecs.Delta(dtype=">i8", astype="<i2"))
    filtered("delta-wraps", "|u1", numcodecs.Delta(dtype="|u1"))
    filtered("delta-floats", "<f4", numcodecs.Delta(dtype="<f4"))
    filtered("offset", "<f8", numcodecs.FixedScaleOffset(offset=-13, scale=4, dtype="<f8", astype="|u1"))
    filtered("offset-floats", "<f4", numcodecs.FixedScaleOffset(offset=-12.5, scale=8, dtype="<f4", astype="<i2"))
    filtered("astype", "<f8", numcodecs.AsType(encode_dtype="<f4", decode_dtype="<f8"))
    filtered("packbits", "|b1", numcodecs.PackBits())
    filtered("compressed", "<i4", numcodecs.Delta(dtype="<i4"), numcodecs.GZip(), numcodecs.CRC32(), order="F")
    filtered("adler", "<i4", numcodecs.Adler32())
    refused = zarr.open_array(str(folder / "refused-categories"), mode="w", shape=3, dtype=object,
                              object_codec=numcodecs.Categorize(["a", "b"], dtype=object, astype="u1"))
    refused[...] = ["a", "b", "a"]
    metadata = folder / "refused-categories" / ".zarray"
    metadata.write_text(metadata.read_text().replace('"dtype": "|O"', '"dtype": "|u1"'))
    make("refused-complex", "<c16", (5, 7))


def draft(folder):
    group = zarr.open_group(str(folder), mode="w", path="data", zarr_version=3)
    group.create_dataset("u", data=cells((5, 7), "<f4"))


def main():
    work = pathlib.Path(tempfile.mkdtemp())
    folder = work / "science"
    try:
        os.makedirs(folder)
        source = work / "source.nc"
        netcdf(source)
        # xarray 2023.01 cannot write a variable again that has two missing values.
        decoded = xr.open_dataset(source, drop_variables=["several"])
        decoded.to_zarr(folder / "xarray.zarr", consolidated=False)
        raw = xr.open_dataset(source, mask_and_scale=False)[["several"]]
        raw.to_zarr(folder / "xarray.zarr", mode="a", consolidated=False)
        target = "file://%s#mode=nczarr,file" % (folder / "netcdf.zarr")
        subprocess.run(["nccopy", str(source), target], check=True)
        expected(source, folder)
        codecs(folder / "codecs")
        draft(folder / "draft.zarr")
        pack(folder, HERE / "science.zip")
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
